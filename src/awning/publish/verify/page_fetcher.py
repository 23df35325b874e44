"""Fetches public pages at a limited rate. Time, size and redirects are limited. No cookie, key or authCode is sent.

The owner of a shop chooses the address of its page, so address and page are foreign input. Only http and https
addresses are fetched. A redirect from another host to this machine is not followed. Hosts that are not public are
refused (`public_hosts`).
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

import aiohttp
from yarl import URL

from awning.client.retry import http_time
from awning.client.transport import USER_AGENT, proxy_for
from awning.contract.hosts import is_loopback
from awning.publish.pacing import Rate, Window
from awning.publish.verify.page_address import HostRefused, PublicResolver, check_literal, is_fetchable
from awning.publish.verify.page_content import PageContent, read_page

REDIRECTS = frozenset({301, 302, 303, 307, 308})
BUSY = frozenset({429, 502, 503, 504})
AGAIN_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLimits:
    """The limits of fetching.

    `total_s` is the most seconds for one request, `page_bytes` the most bytes of one page, `redirects` the most
    redirects on the way to it. `per_second` limits the requests a second, `in_flight` the pages at once.
    """

    total_s: float = 20.0
    page_bytes: int = 4 * 1024 * 1024
    redirects: int = 5
    per_second: float | None = 10.0
    in_flight: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """A fetched page. `url` is its address after redirects.

    `age_s` is the age of the cached copy, `max_age_s` is how long a cache may keep the page, both in seconds. Each is
    None when the response does not have it.
    """

    url: str
    content: PageContent
    age_s: float | None
    max_age_s: float | None


class PageUnreadable(Exception):
    """The page cannot be read. The message is the reason, for the operator."""


class Passing(PageUnreadable):
    """The page could not be read now, but a second attempt may succeed."""


class PageFetcher:
    """Fetches pages over a pool of connections. Use it as an asynchronous context manager."""

    def __init__(
        self,
        limits: PageLimits,
        *,
        environ: Mapping[str, str],
        allow_loopback: bool = False,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._limits = limits
        self._environ = environ
        self._allow_loopback = allow_loopback
        self._now = now
        self._window = Window(() if limits.per_second is None else [Rate(calls=limits.per_second)])
        self._slots = asyncio.Semaphore(limits.in_flight)
        self._session: aiohttp.ClientSession | None = None
        self._proxied: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        resolver = PublicResolver(allow_loopback=self._allow_loopback)
        self._session = self._open(aiohttp.TCPConnector(resolver=resolver))
        self._proxied = self._open(aiohttp.TCPConnector())  # a proxy may be in a private network
        return self

    def _open(self, connector: aiohttp.TCPConnector) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._limits.total_s),
            headers={"User-Agent": USER_AGENT, "Accept": "text/html,application/xhtml+xml"},
        )

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for session in (self._session, self._proxied):
            if session is not None:
                await session.close()

    async def fetch(self, address: str) -> FetchedPage:
        """Fetch one page and follow its redirects. Raises PageUnreadable when the page cannot be read."""
        async with self._slots:
            url = address
            for _ in range(self._limits.redirects + 1):
                page = await self._try_twice(url)
                if isinstance(page, FetchedPage):
                    return page
                url = redirect_target(url, page)
            raise PageUnreadable(f"more than {self._limits.redirects} redirects")

    async def _try_twice(self, url: str) -> FetchedPage | str:
        """Fetch one address. If it fails with Passing, wait and try once more."""
        try:
            return await self._answer(url)
        except Passing:
            await asyncio.sleep(AGAIN_S)
            return await self._answer(url)

    async def _answer(self, url: str) -> FetchedPage | str:
        try:
            return await self._get(url)
        except HostRefused as refusal:
            raise PageUnreadable(str(refusal)) from None
        except TimeoutError:
            raise PageUnreadable(f"no page within {self._limits.total_s:g} s") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise Passing(f"no page: {_reason(error)}") from None

    async def _get(self, url: str) -> FetchedPage | str:
        """Fetch one address. Returns the page, or the address that it redirects to.

        Raises PageUnreadable for any other response, HostRefused when the host is not public.
        """
        proxy = proxy_for(url, self._environ)
        session = self._proxied if proxy else self._session
        if session is None:
            raise RuntimeError("used outside of its `async with`")
        check_literal(URL(url).host or "", allow_loopback=self._allow_loopback)
        await asyncio.sleep(self._window.wait_s())
        async with session.get(URL(url), allow_redirects=False, proxy=proxy) as response:
            headers = response.headers
            if response.status in REDIRECTS and "Location" in headers:
                return headers["Location"]
            if response.status != 200:  # noqa: PLR2004 - the status of a page
                kind = Passing if response.status in BUSY else PageUnreadable
                raise kind(f"HTTP {response.status}")
            if "html" not in headers.get("Content-Type", "html").lower():
                raise PageUnreadable("it is no HTML page")
            body = await self._body(response)
            content = await asyncio.to_thread(read_page, body, response.charset)
            max_age_s = _max_age_s(headers)
            return FetchedPage(
                url=url, content=content, age_s=_age_s(headers, self._now()), max_age_s=max_age_s
            )

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in response.content.iter_any():
            size += len(part)
            if size > self._limits.page_bytes:
                raise PageUnreadable(f"it is larger than {self._limits.page_bytes // 1024**2} MB")
            parts.append(part)
        return b"".join(parts)


def redirect_target(url: str, location: str) -> str:
    """Return the address that a redirect leads to. Raises PageUnreadable when it must not be followed."""
    try:
        target = urljoin(url, location)
    except ValueError:  # for an address such as http://[
        target = ""
    if not is_fetchable(target):
        raise PageUnreadable("it redirects to an address that is not http or https")
    if is_loopback(urlsplit(target).hostname or "") and not is_loopback(urlsplit(url).hostname or ""):
        raise PageUnreadable("it redirects to this machine")
    return target


def _reason(error: Exception) -> str:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return f"no such host: {error.host}"
        case aiohttp.ClientSSLError():
            return f"no secure connection to {error.host} (its certificate or TLS)"
        case aiohttp.ClientConnectorError():
            return f"cannot connect to {error.host}:{error.port}"
        case _:
            return f"the connection broke ({type(error).__name__})"


def _directives(headers: Mapping[str, str]) -> Mapping[str, str]:
    parts = (part.strip().partition("=") for part in headers.get("Cache-Control", "").lower().split(","))
    return {name: value.strip('" ') for name, _, value in parts if name}


def _max_age_s(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a cache may keep the page (RFC 9111, 4.2.1); None when the headers do not tell.

    With several limits, the longest one counts.
    """
    directives = _directives(headers)
    if "no-store" in directives:
        return 0.0
    ages = [directives[name] for name in ("s-maxage", "max-age") if directives.get(name, "").isdecimal()]
    if ages:
        return max(map(float, ages))
    expires, date = (_moment(headers.get(name)) for name in ("Expires", "Date"))
    return max(0.0, expires - date) if expires is not None and date is not None else None


def _age_s(headers: Mapping[str, str], now: float) -> float | None:
    """Return the age of the cached copy in seconds (RFC 9111, 4.2.3): the larger of Age and the time since Date.

    Returns None when the response has neither header.
    """
    age, date = headers.get("Age", ""), _moment(headers.get("Date"))
    ages = [float(age)] if age.isascii() and age.isdecimal() else []
    if date is not None:
        ages.append(max(0.0, now - date))
    return max(ages, default=None)


def _moment(text: str | None) -> float | None:
    """Return the time of a header in seconds since 1970; None when it is missing or not valid."""
    try:
        return None if text is None else http_time(text)
    except (ValueError, OverflowError):
        return None
