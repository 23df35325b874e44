"""Fetches pages of the storefront, for frames to show them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from http.client import HTTPConnection, HTTPException, HTTPResponse
from urllib.parse import urlsplit

_HEAD = re.compile(r"<head>", re.IGNORECASE)
MOST_REDIRECTS = 5


class NotSent(RuntimeError):
    """The storefront does not send a page. The message has the address and the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPage:
    """A page as the storefront sends it. `url` is its address after redirects.

    A Content Security Policy in the headers becomes a `<meta>` element in `html`, because a frame into which a page is
    written has no headers.
    """

    url: str
    html: str


@dataclass(slots=True, kw_only=True)
class SentPages:
    """A connection to the storefront at `origin`."""

    origin: str
    connection: HTTPConnection

    def fetch(self, url: str) -> SentPage:
        """Return a page, after redirects. Raises NotSent for a status other than 200, and for too many redirects."""
        for _ in range(MOST_REDIRECTS):
            path = url.removeprefix(self.origin)
            response = self._get(path)
            body = response.read().decode()
            if response.status == 200:  # noqa: PLR2004
                policy = response.getheader("content-security-policy")
                return SentPage(url=self.origin + path, html=with_policy(body, policy) if policy else body)
            url = response.getheader("location") or ""
            if not url:
                raise NotSent(f"{path}: {body.strip()} (status {response.status})")
        raise NotSent(f"{url} redirects without an end")

    def _get(self, path: str) -> HTTPResponse:
        try:
            self.connection.request("GET", path)
            return self.connection.getresponse()
        except (HTTPException, OSError):  # the storefront has closed the idle connection
            self.connection.close()
            self.connection.request("GET", path)
            return self.connection.getresponse()


@contextmanager
def open_sent_pages(origin: str) -> Iterator[SentPages]:
    address = urlsplit(origin)
    connection = HTTPConnection(address.hostname or "", address.port)
    try:
        yield SentPages(origin=origin, connection=connection)
    finally:
        connection.close()


def with_policy(html: str, policy: str) -> str:
    """Return a page with a policy as the first element of its head."""
    element = f'<meta http-equiv="content-security-policy" content="{escape(policy)}">'
    return _HEAD.sub(lambda head: head[0] + element, html, count=1)
