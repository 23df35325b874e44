"""The default snippets of an app as one website shows them. They are cached, and the cache expires.

Source: Apps Integration API, Code snippet. A changed default snippet appears on a published website when the website's
cache expires. A manifest's `*_source_url` overrides the snippet in the manifest. The URL is fetched when the cache is
filled. If the fetch fails, the page keeps the previous snippet, or shows the manifest's if there is no previous one.

A source URL is fetched over http or https, within five seconds, without a proxy. A foreign server may respond slowly,
endlessly, or with a redirect to a forbidden address.
"""

import threading
import time
from datetime import timedelta
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
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.clock import Clock
from awning_harness.service.store import websites
from awning_harness.service.store.apps import App, Default
from awning_harness.service.store.database import Database
from awning_harness.service.store.websites import CachedDefault

FETCH_TIMEOUT_S = 5.0
LARGEST_SNIPPET = 1024 * 1024
CHUNK = 64 * 1024


class Defaults:
    """The cache of the default snippets, which is filled when it is read."""

    def __init__(self, database: Database, clock: Clock, assumptions: Assumptions) -> None:
        self._database = database
        self._clock = clock
        self._assumptions = assumptions

    def shown(self, website_id: int, app: App) -> CachedDefault:
        """Return the default snippets of `app` that the website shows now.

        If the cache is empty or expired and the app has a source URL, this waits for the fetch.
        """
        with self._database.reading() as db:
            cached = websites.find_cached_default(db, website_id, app.id)
        if cached is not None and self._fresh(cached):
            return cached
        current = CachedDefault(
            head=_current(app.head, cached.head if cached else None),
            body=_current(app.body, cached.body if cached else None),
            since=self._clock.now(),
        )
        with self._database.writing() as db:
            websites.put_cached_default(db, website_id, app.id, current)
        return current

    def purge_website(self, website_id: int) -> None:
        with self._database.writing() as db:
            websites.purge_website(db, website_id)

    def purge_app(self, app_id: int) -> None:
        with self._database.writing() as db:
            websites.purge_app(db, app_id)

    def _fresh(self, cached: CachedDefault) -> bool:
        age = self._clock.now() - cached.since
        return timedelta() <= age < timedelta(seconds=self._assumptions.seconds("default-cache"))


def _current(default: Default, before: str | None) -> str:
    fetched = fetch(default.url) if default.url else default.text
    if fetched is not None:
        return fetched
    return default.text if before is None else before


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
