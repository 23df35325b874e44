"""Runs `publish verify`: checks each cell at the service and on its page, then checks possibly cached pages again."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from awning.client.transport import proxy_for
from awning.contract.hosts import is_loopback_url
from awning.publish.inventory.inventory import Instance
from awning.publish.reading import run_reading
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores
from awning.publish.verify.page_address import HostRefused, check_host, check_literal, checked_page_pattern
from awning.publish.verify.page_fetcher import PageFetcher
from awning.publish.verify.verified_cell import (
    BrowserView,
    VerifiedCell,
    VerifiedCounts,
    VerifiedKind,
)
from awning.publish.verify.work import Browse, VerifyOptions, VerifyWork

AGAIN_S = 10.0
"""Seconds before a page is read again."""


def verify(
    request: ServiceRequest,
    stores: Stores,
    options: VerifyOptions,
    sink: Callable[[Sequence[VerifiedCell]], object],
) -> VerifiedCounts:
    """Verify every cell that was published according to the journal. Returns the counts.

    `sink` gets the results of each instance. Nothing is written to the service. Raises ConfigurationError when the
    pattern of page addresses is not valid.
    """
    checked_page_pattern(options.pattern)
    return _Verification(request, options, stores, sink).run()


class _Verification:
    """One verification. Its first round reads all cells, each later round the cells with possibly cached pages."""

    def __init__(
        self,
        request: ServiceRequest,
        options: VerifyOptions,
        stores: Stores,
        sink: Callable[[Sequence[VerifiedCell]], object],
    ) -> None:
        self._request = request
        self._options = options
        self._work = VerifyWork(stores, request.settings().calling, options, self._instance_ended)
        self._allow_loopback = is_loopback_url(request.access.base_url)
        self._sink = sink
        self._until = time.monotonic() + options.wait_s
        self._waiting: dict[Instance, Sequence[VerifiedCell]] = {}
        self._live: list[Sequence[VerifiedCell]] = []
        self._counts = VerifiedCounts()

    def run(self) -> VerifiedCounts:
        self._round(self._request)
        while self._waiting and not self._counts.interrupted and self._left_s() > 0:
            time.sleep(min(AGAIN_S, self._left_s()))
            again = tuple(self._waiting)
            self._waiting = {}
            self._round(replace(self._request, instances=again))
        for cells in self._waiting.values():
            self._end_or_browse(cells)
        if self._live and self._options.open_browser is not None:
            with self._options.open_browser() as browse:
                for cells in self._live:
                    self._end([self._browsed(cell, browse) for cell in cells])
        return self._counts

    def _round(self, request: ServiceRequest) -> None:
        settings = request.settings()
        limits = self._options.limits
        fetcher = PageFetcher(limits, environ=request.environ, allow_loopback=self._allow_loopback)
        pages = fetcher if self._options.pages else None
        self._work.pages = pages
        self._counts.interrupted = run_reading(request, settings, self._work, beside=pages)

    def _left_s(self) -> float:
        return self._until - time.monotonic()

    def _instance_ended(self, instance: Instance, cells: Sequence[VerifiedCell]) -> None:
        if self._options.wait_s and any(cell.kind is VerifiedKind.PROPAGATING for cell in cells):
            self._waiting[instance] = cells
        else:
            self._end_or_browse(cells)

    def _end_or_browse(self, cells: Sequence[VerifiedCell]) -> None:
        """Report the cells, or keep them for the browser.

        A browser has its own event loop, so it starts after all reads.
        """
        if self._options.open_browser is not None and any(cell.snippets for cell in cells):
            self._live.append(cells)
        else:
            self._end(cells)

    def _end(self, cells: Sequence[VerifiedCell]) -> None:
        for cell in cells:
            self._counts.add(cell)
        self._sink(cells)

    def _browsed(self, cell: VerifiedCell, browse: Browse) -> VerifiedCell:
        if cell.page is None or cell.snippets is None:
            return cell
        check = check_literal if proxy_for(cell.page, self._request.environ) else check_host
        try:
            check(urlsplit(cell.page).hostname or "", allow_loopback=self._allow_loopback)
        except HostRefused as refusal:
            return replace(cell, browser=BrowserView(rendered=0, widgets=0, errors=(str(refusal),)))
        view = browse(cell.page, cell.snippets)
        return replace(cell, browser=replace(view, raw=cell.snippets.raw))
