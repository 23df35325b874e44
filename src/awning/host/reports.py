"""Receives the reports of pages (`beacon`), at POST /health/report, and counts them by release.

Anybody can send a report. So a report that names a released build is counted only when pages with that build can send
it. Reports that name no released build are counted together, without their texts. The response is always 204. Limits:

    size       2 KiB
    address    60 reports a minute from one IPv4 address or one /64 network of IPv6, and 600 from one /48 network.
               Addresses are held in memory for a minute at most, less when there are many
    waiting    5,000 reports. They are written together every two seconds, because each write waits for the disk

Waiting reports are lost when the process is killed. Each worker has its own limits. While a gate of a publish is open,
who reported is stored as a keyed hash (`awning.publish.health.windows`).
"""

import asyncio
import ipaddress
import json
import math
import re
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from awning.contract.hosts import ascii_host
from awning.diagnostics import ACTIVE
from awning.errors import AwningError
from awning.host.host import Host
from awning.host.log import LOG
from awning.publish.health.place import ReportedBuild, ReportedBuilds
from awning.publish.health.reports import Failure, ReportCount, ReportKind, limit_of
from awning.publish.health.windows import Sender
from awning.publish.release.releases import Releases

PER_ADDRESS = 60
SITE_TIMES = 10
"""The limit of a /48 network, as a multiple of PER_ADDRESS. A provider divides such a network among customers."""
WINDOW_S = 60.0
MOST_ADDRESSES = 20_000
"""The most addresses and networks that are counted. When there are more, the one that reported least recently is
dropped.
"""
_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([^:]+):\d+")
"""`[2001:db8::1]:443` or `192.0.2.1:443`: some proxies add the port."""

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressLimit:
    """Counts the requests of each address in a time window. It needs a running event loop."""

    def __init__(self, most: int = PER_ADDRESS, window_s: float = WINDOW_S) -> None:
        self._most = most
        self._window_s = window_s
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    def allows(self, address: str) -> bool:
        """Count a request. Returns whether its address and, for IPv6, its /48 network are within their limits."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._window_s, self.forget)
        parsed = parse_address(address)
        if isinstance(parsed, ipaddress.IPv6Address):
            site = ipaddress.IPv6Network((int(parsed), 48), strict=False)
            if self._count(str(site)) > SITE_TIMES * self._most:
                return False
        return self._count(network_of(address) or address[:64]) <= self._most

    def _count(self, network: str) -> int:
        """Count a request from an address or network. Returns the count so far."""
        self._counts[network] = self._counts.get(network, 0) + 1
        self._counts.move_to_end(network)
        if len(self._counts) > MOST_ADDRESSES:
            self._counts.popitem(last=False)
        return self._counts[network]

    def forget(self) -> None:
        """Forget all addresses, and stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._counts.clear()


def address_of(request: Request, *, behind_proxy: bool) -> str:
    """Return the IP address that a request came from; "" when it is not known.

    It is the last address in X-Forwarded-For when a proxy is configured or the peer is this machine, else the peer's
    address. Everything before the last address was written by the visitor: some proxies append to the header, others
    add a header line of their own after the visitor's.
    """
    peer = request.client.host if request.client else ""
    parsed = parse_address(peer)
    if behind_proxy or (parsed is not None and parsed.is_loopback):
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        return forwarded if parse_address(forwarded) is not None else peer
    return peer


def network_of(address: str) -> str | None:
    """Return an IPv4 address, or the 64-bit network of an IPv6 address, in one spelling; None for any other text."""
    parsed = parse_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(parsed), 64), strict=False))
    return None if parsed is None else str(parsed)


def parse_address(text: str) -> IpAddress | None:
    """Return an IP address; None for any other text. A port is left out; IPv4 in IPv6 becomes IPv4."""
    with_port = _WITH_PORT.fullmatch(text)
    try:
        parsed = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else text)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


REPORT_BYTES = 2048
MOST_WAITING = 5000
WRITE_S = 2.0
MERGE_S = 3600.0
WEBSITES_S = 60.0
"""Seconds after which the addresses of the instances' websites are read again, while a gate's window is open."""
MOST_FAILURES = 100
"""The most distinct failures whose texts one write stores, so that invented reports cannot keep the database busy."""
LONGEST_MESSAGE, LONGEST_NAME, MOST_PLACES = 200, 80, 4
_EVENT = re.compile(r"[\w.-]{1,80}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report. `ms` is the duration of the first rendering in milliseconds; None for a failure.

    `address` is the visitor's network (`network_of`), `site` the host of the page; "" when they are not known.
    """

    widget: str
    build: str
    at: datetime
    ms: float | None = None
    message: str = ""
    event: str = ""
    places: tuple[str, ...] = ()
    address: str = field(default="", repr=False)
    site: str = ""

    @classmethod
    def read(cls, body: bytes, at: datetime) -> "Report | None":
        """Return the report in the body of a request; None when the body is not a report.

        A field of another type does not spoil the report: it counts as absent. `typed_values` would refuse the whole.
        """
        try:
            fields = json.loads(body)
        except (ValueError, RecursionError):
            return None
        if not isinstance(fields, dict):
            return None
        widget, build = _text(fields.get("widget"), LONGEST_NAME), _text(fields.get("build"), LONGEST_NAME)
        message, ms = fields.get("message"), fields.get("ms")
        report = cls(widget=widget, build=build, at=at)
        if isinstance(message, str):
            event = _text(fields.get("event"), LONGEST_NAME)
            places = fields.get("at")
            return replace(
                report,
                message=_text(message, LONGEST_MESSAGE),
                event=event if _EVENT.fullmatch(event) else "",
                places=tuple(_text(place, 20) for place in places[:MOST_PLACES])
                if isinstance(places, list)
                else (),
            )
        if isinstance(ms, int | float) and not isinstance(ms, bool):
            return replace(report, ms=ms)
        return None


class ReportReceiver:
    """Handles requests with reports, and writes the waiting reports."""

    def __init__(self, host: Host, limit: AddressLimit | None = None) -> None:
        self._host = host
        self._limit = limit or AddressLimit()
        self._waiting: list[Report] = []
        self._writing: asyncio.Task[None] | None = None
        self._builds: ReportedBuilds | None = None
        self._merge_at = 0.0
        self._sites: Mapping[str, str] = {}
        self._read_websites_at = -math.inf

    async def receive(self, request: Request) -> Response:
        """Handle one report. The response is the same whatever the report holds."""
        body = await _body(request)
        address = address_of(request, behind_proxy=self._host.settings.behind_proxy)
        if body is not None and self._limit.allows(address):
            report = Report.read(body, datetime.fromtimestamp(self._host.clock(), UTC))
            if report is not None and len(self._waiting) < MOST_WAITING:
                site = _site_of(request.headers.get("origin", ""))
                self._waiting.append(replace(report, address=network_of(address) or "", site=site or ""))
                if self._writing is None or self._writing.done():
                    self._writing = asyncio.create_task(self._write_later())
        # Pages on other origins send reports. Without these headers, their browser would log an error.
        headers = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)

    async def close(self) -> None:
        """Write the waiting reports, and forget the addresses."""
        self._limit.forget()
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.wait([self._writing])
        await self.write()
        if self._builds is not None:
            self._builds.close()

    async def write(self) -> None:
        """Write the waiting reports. If that fails, log the error, and let up to MOST_WAITING reports wait again."""
        reports, self._waiting = self._waiting, []
        if not reports:
            return
        try:
            await self._host.run_blocking(self._write, reports)
        except AwningError as problem:
            LOG.error("%d reports of pages are not written: %s", len(reports), problem.message)
            self._waiting = [*map(self._aged, reports), *self._waiting][:MOST_WAITING]

    def _aged(self, report: Report) -> Report:
        """Return a report that has to wait longer, without its address when it waits for more than a minute."""
        is_old = self._host.clock() - report.at.timestamp() > WINDOW_S
        return replace(report, address="", site="") if is_old else report

    async def _write_later(self) -> None:
        while self._waiting:
            await asyncio.sleep(WRITE_S)
            await self.write()

    def _write(self, reports: Sequence[Report]) -> None:
        """Add reports to the counts in the tables, store failures, and once an hour merge the counts of old days.

        Runs in the database thread.
        """
        if self._builds is None:
            self._builds = ReportedBuilds(Releases.open(self._host.state))
        builds = self._builds.find_all({report.build for report in reports})
        counts: Counter[ReportCount] = Counter()
        failures: Counter[Failure] = Counter()
        senders: list[Sender] = []
        websites = self._websites() if self._host.health.has_window() else None
        for report in reports:
            build = builds.get(report.build)
            if build is None or _is_possible(report, build):
                counts[_count(report, build)] += 1
            if build is not None and _is_possible(report, build):
                if report.ms is None:
                    failures[_failure(report, build, self._builds)] += 1
                if websites is not None:
                    senders.append(_sender(report, build, websites.get(report.site)))
        self._host.health.add(
            [replace(count, reports=times, views=count.views * times) for count, times in counts.items()],
            [replace(failure, reports=times) for failure, times in failures.most_common(MOST_FAILURES)],
            senders,
        )
        if self._host.steady() >= self._merge_at:
            self._host.health.merge_days()
            self._merge_at = self._host.steady() + MERGE_S

    def _websites(self) -> Mapping[str, str]:
        """Return the instances by the hosts of their websites, as keyed hashes. Runs in the database thread."""
        if self._host.steady() >= self._read_websites_at:
            urls = {**self._host.records.websites(), **self._host.inventory.websites()}
            self._sites = {site: key for key, url in urls.items() if (site := _site_of(url))}
            self._read_websites_at = self._host.steady() + WEBSITES_S
        return self._sites


def _is_possible(report: Report, build: ReportedBuild) -> bool:
    """Return whether a page with this build could have sent the report."""
    samples = build.record.beacon_sample_rate is not None
    return build.has_widget(report.widget) and (report.ms is None or samples)


def _count(report: Report, build: ReportedBuild | None) -> ReportCount:
    kind = ReportKind.FAILED if report.ms is None else ReportKind.RENDERED
    rate = build.record.beacon_sample_rate if build else None
    return ReportCount(
        release=build.release if build else None,
        widget=report.widget if build else "",
        kind=kind,
        at=report.at.replace(second=0, microsecond=0),
        views=1.0 if report.ms is None or not rate else 1 / rate,
        within_ms=0 if report.ms is None else limit_of(report.ms),
    )


def _sender(report: Report, build: ReportedBuild, instance: str | None) -> Sender:
    count = _count(report, build)
    is_failure = count.kind is ReportKind.FAILED
    return Sender(
        release=build.release,
        address=report.address,
        instance=instance,
        rendered=0 if is_failure else 1,
        failed=1 if is_failure else 0,
        views=0.0 if is_failure else count.views,
    )


def _failure(report: Report, build: ReportedBuild, builds: ReportedBuilds) -> Failure:
    return Failure(
        release=build.release,
        widget=report.widget,
        event=report.event,
        message=report.message,
        place=builds.place(build, report.places),
        reports=1,
        first_at=report.at.replace(microsecond=0),
        last_at=report.at.replace(microsecond=0),
    )


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None as soon as it is too large."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > REPORT_BYTES:
            return None
    return bytes(body)


def _text(value: Any, most: int) -> str:
    """Return the first `most` characters of a string; "" for any other type.

    Spaces replace the characters that a terminal acts on, and tabs.
    """
    return ACTIVE.sub(" ", value[:most]).replace("\t", " ") if isinstance(value, str) else ""


def _site_of(url: str) -> str | None:
    """Return the host of a URL, with its port where that is not the usual one; None when it has none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        return host and (ascii_host(host) + ("" if port in {None, 80, 443} else f":{port}"))
    except ValueError:  # UnicodeError is one
        return None
