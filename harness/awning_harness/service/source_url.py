"""Fetches a default snippet from an app's source URL, over http or https, within five seconds.

This is a module of its own because a foreign server may respond slowly, endlessly, or with a redirect to a forbidden
address. Proxies are not used.
"""

import threading
import time
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
)

from awning.contract.hosts import is_loopback

FETCH_TIMEOUT_S = 5.0
LARGEST_SNIPPET = 1024 * 1024
CHUNK = 64 * 1024


def fetch(url: str) -> str | None:
    """Return the snippet at `url`; None when it cannot be fetched, takes too long, is too large or is not UTF-8."""
    if not _is_http(url):
        return None
    snippets: list[str] = []
    # The fetch runs in a thread, because a socket's timeout limits only one read. It does not limit a slow name lookup,
    # or headers that arrive byte by byte.
    fetching = threading.Thread(target=_fetch, args=(url, snippets), name="source URL", daemon=True)
    fetching.start()
    fetching.join(FETCH_TIMEOUT_S)
    return snippets[0] if snippets else None


def _fetch(url: str, snippets: list[str]) -> None:
    deadline = time.monotonic() + FETCH_TIMEOUT_S
    try:
        with _opener().open(Request(url), timeout=FETCH_TIMEOUT_S) as response:  # noqa: S310 - http or https, see _is_http
            body = _body(response, deadline)
        if body is not None:
            snippets.append(body.decode())
    except (OSError, HTTPException, ValueError):
        return


def _body(response: HTTPResponse, deadline: float) -> bytes | None:
    """Return the whole body, or None when it is too large, too late or incomplete."""
    expected = response.length
    body = bytearray()
    while part := response.read1(CHUNK):
        body += part
        if len(body) > LARGEST_SNIPPET or time.monotonic() > deadline:
            return None
    return None if expected is not None and len(body) < expected else bytes(body)


class _CheckedRedirects(HTTPRedirectHandler):
    """Follows redirects to http and https. A redirect to loopback is followed only from loopback."""

    max_redirections = 5

    def redirect_request(  # noqa: PLR0917 - urllib's signature
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        target = urljoin(req.full_url, newurl)
        here, there = (is_loopback(urlsplit(url).hostname or "") for url in (req.full_url, target))
        if not _is_http(target) or (there and not here):
            raise URLError("the source URL redirects to a forbidden address")
        return super().redirect_request(req, fp, code, msg, headers, target)


def _opener() -> OpenerDirector:
    opener = OpenerDirector()
    for handler in (
        HTTPHandler(),
        HTTPSHandler(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
        _CheckedRedirects(),
    ):
        opener.add_handler(handler)
    return opener


def _is_http(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))
