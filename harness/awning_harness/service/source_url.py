"""Fetching a default snippet from an app's source URL: over HTTP only, and over within five seconds whatever comes.

Separate from the cache that wants it, because a server of somebody else's may answer slowly, endlessly, or with the
address of something that is none of its business. Loopback or not, proxies are not asked.
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
    """The snippet at `url`, or None when it cannot be had in time."""
    if not _is_http(url):
        return None
    found: list[str] = []
    # A thread, because a socket's timeout holds for one read: names that are looked up and headers that drip in
    # have none that bounds them all.
    fetching = threading.Thread(target=_fetch, args=(url, found), name="source URL", daemon=True)
    fetching.start()
    fetching.join(FETCH_TIMEOUT_S)
    return found[0] if found else None


def _fetch(url: str, found: list[str]) -> None:
    deadline = time.monotonic() + FETCH_TIMEOUT_S
    try:
        with _opener().open(Request(url), timeout=FETCH_TIMEOUT_S) as answer:  # noqa: S310 - http or https, see _is_http
            body = _body(answer, deadline)
        if body is not None:
            found.append(body.decode())
    except (OSError, HTTPException, ValueError):
        return


def _body(answer: HTTPResponse, deadline: float) -> bytes | None:
    """All of it, or None where it is too large or too late."""
    expected = answer.length
    body = bytearray()
    while part := answer.read1(CHUNK):
        body += part
        if len(body) > LARGEST_SNIPPET or time.monotonic() > deadline:
            return None
    return None if expected is not None and len(body) < expected else bytes(body)


class _CheckedRedirects(HTTPRedirectHandler):
    """Follows to http and https, and to this machine only from this machine."""

    max_redirections = 5

    def redirect_request(  # noqa: PLR0917 - urllib's signature
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        target = urljoin(req.full_url, newurl)
        here, there = (is_loopback(urlsplit(url).hostname or "") for url in (req.full_url, target))
        if not _is_http(target) or (there and not here):
            raise URLError("the source URL leads to where it may not")
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
