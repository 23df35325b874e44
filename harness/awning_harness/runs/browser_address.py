"""A browser that already runs, here or elsewhere: `awning test --connect ADDRESS`, or AWNING_BROWSER_ADDRESS.

ws://host:3000/                      a Playwright server (`playwright run-server`): it starts a Chromium for the run,
                                     and reaches the pages on this machine's loopback through the connection
http://127.0.0.1:9222                a Chromium with --remote-debugging-port; it must have the same loopback, because
ws://127.0.0.1:9222/devtools/...     it cannot reach the pages through the connection
"""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from awning.errors import ConfigurationError

if TYPE_CHECKING:  # `awning test` loads this module before it runs pytest, and Playwright takes long to load
    from collections.abc import Mapping

    from playwright.sync_api import Browser, BrowserType, ProxySettings

VARIABLE = "AWNING_BROWSER_ADDRESS"
WITHIN_S = 5
PORTS = {"ws": 80, "http": 80, "wss": 443, "https": 443}

CLOSED_PROXY: ProxySettings = {
    "server": "http://127.0.0.1:9",
    "bypass": "127.0.0.1,[::1],localhost,.localhost",
}
"""A proxy that does not exist, for all hosts except loopback, so that no request of a page leaves the machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserAddress:
    """The address of a running browser. `is_server` tells whether it is a Playwright server."""

    url: str
    is_server: bool


def browser_address(environ: Mapping[str, str] = os.environ) -> BrowserAddress | None:
    """Return the address in AWNING_BROWSER_ADDRESS; None when the variable is not set or empty.

    Raises ConfigurationError for a malformed address.
    """
    url = environ.get(VARIABLE, "").strip()
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:  # an open bracket, as in ws://[::1
        parts = urlsplit("")
    if parts.scheme not in PORTS or not parts.hostname:
        raise ConfigurationError(
            f"{url} is not the address of a browser",
            hint="write ws://host:3000/ (playwright run-server), http://127.0.0.1:9222 (--remote-debugging-port)",
        )
    is_server = parts.scheme in ("ws", "wss") and "/devtools/" not in parts.path
    return BrowserAddress(url=url, is_server=is_server)


def require_browser(address: BrowserAddress) -> None:
    """Raise ConfigurationError when nothing listens at the address.

    The message leaves out the user and the query of the address. They may have the key of a hosted browser, and a CI
    log would keep it.
    """
    parts = urlsplit(address.url)
    try:
        port = parts.port or PORTS[parts.scheme]
        socket.create_connection((str(parts.hostname), port), timeout=WITHIN_S).close()
    except (OSError, ValueError) as error:
        start = (
            "playwright run-server --port 3000"
            if address.is_server
            else "chromium --remote-debugging-port=9222"
        )
        raise ConfigurationError(
            f"no browser answers at {parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}: {error}",
            hint=f"start one: {start}",
        ) from error


def open_browser(browser_type: BrowserType, launch: Mapping[str, Any]) -> Browser:
    """Connect to the browser that the environment names; without one, launch a Chromium with these options.

    Raises ConfigurationError for a malformed address.
    """
    address = browser_address()
    if address is None:
        return browser_type.launch(**launch)
    if not address.is_server:
        return browser_type.connect_over_cdp(address.url)
    options = {_camel_case(name): value for name, value in launch.items()}
    return browser_type.connect(
        address.url,
        expose_network="<loopback>",
        headers={"x-playwright-launch-options": json.dumps(options)},
    )


def _camel_case(name: str) -> str:
    """Return the name of an option in Playwright's protocol: `executablePath` for `executable_path`."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def context_proxy() -> ProxySettings | None:
    """Return the proxy of each browser context: CLOSED_PROXY, or None with a Playwright server.

    The browser of such a server reaches the pages through another proxy, which a context must not replace.
    """
    address = browser_address()
    return None if address is not None and address.is_server else CLOSED_PROXY
