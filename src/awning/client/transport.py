"""The functions that both transports share: an operation's URL and headers, limits, the proxy for a base URL, and why
there is no secure connection.

This module reads the proxy from HTTP_PROXY, HTTPS_PROXY and NO_PROXY. http.client does not read these variables.
aiohttp can read them, but would then also read netrc files. A service on this machine is never reached through a proxy.

`steady_clock` measures how long a process may still rely on a lock, a lease or a timeout.
"""

import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from awning import __version__
from awning.client.access import Access, is_loopback
from awning.client.operation import NoResponse, Operation
from awning.client.secret import Secret
from awning.errors import ConfigurationError


def steady_clock() -> float:
    """Return the time of a monotonic clock in seconds.

    The clock continues while the process is stopped and, on Linux, while the machine sleeps.
    """
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


USER_AGENT = f"awning/{__version__}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one request: seconds to connect, seconds for the whole request, bytes of the response.

    The synchronous transport counts `total_s` from the moment when it is connected. `connections` limits how many idle
    connections it keeps; in the asynchronous transport, it limits all open connections.
    """

    connect_s: float = 10.0
    total_s: float = 30.0
    response_bytes: int = 32 * 1024 * 1024
    connections: int = 64


USUAL = Limits()

UNKNOWN_AUTHORITY = frozenset({18, 19, 20, 21})
"""The codes of OpenSSL (x509_vfy.h) for a certificate that no trusted authority signed."""


def url_of(operation: Operation[object], access: Access) -> str:
    """Return the whole URL. In the Apps API, it contains the authCode, so it must not appear in a message."""
    query = "&".join(f"{name}={quote(_text(value), safe='-._~')}" for name, value in operation.query)
    return f"{access.base_url}{operation.path}?{query}" if query else f"{access.base_url}{operation.path}"


def headers_of(access: Access) -> dict[str, str]:
    """Return the headers of every call, with secrets in plain text."""
    return {name: _text(value) for name, value in access.headers} | {
        "Accept": "application/json",
        "User-Agent": USER_AGENT,
    }


def _text(value: str | Secret) -> str:
    return value.reveal() if isinstance(value, Secret) else value


def no_secure_connection(place: str, error: BaseException) -> NoResponse:
    """Return why there is no secure connection to `place`, a host and a port. `error` ended the TLS handshake."""
    reason, hint = "its certificate or TLS", None
    match error:
        case ssl.SSLCertVerificationError(verify_code=code, verify_message=message):
            reason = f"its certificate: {message}"
            if code in UNKNOWN_AUTHORITY:
                hint = "name its authority's file in SSL_CERT_FILE, such as the ca_file of `awning service --tls`"
        case ssl.SSLError(reason=str(code)):
            reason = code.lower().replace("_", " ")
    return NoResponse(why=f"no secure connection to {place} ({reason})", sent=False, hint=hint)


def proxy_for(base_url: str, environ: Mapping[str, str]) -> str | None:
    """Return the proxy's URL, or None for a direct connection.

    Raises ConfigurationError when the environment names something else than an http proxy.
    """
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    name = f"{parts.scheme}_proxy"
    proxy = environ.get(name) or environ.get(name.upper())
    if (
        not proxy
        or is_loopback(host)
        or _excepted(host, environ.get("no_proxy") or environ.get("NO_PROXY") or "")
    ):
        return None
    url = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_http_proxy(url):
        raise ConfigurationError(
            f"{name.upper()} is not an http proxy", hint="such as http://proxy.example:3128"
        )
    return url


def _is_http_proxy(url: str) -> bool:
    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode(
            "idna"
        )  # raises for a label that is empty or too long, as a socket does
        return (
            parts.scheme == "http" and bool(parts.hostname) and parts.port != 0
        )  # `port` raises for an invalid port
    except ValueError:
        return False


def _excepted(host: str, no_proxy: str) -> bool:
    """Return whether NO_PROXY names `host`, one of its parent domains, or everything (`*`)."""
    for entry in no_proxy.split(","):
        domain = entry.strip().partition(":")[0].removeprefix("*.").lstrip(".").lower()
        if domain == "*" or (domain and (host == domain or host.endswith(f".{domain}"))):
            return True
    return False
