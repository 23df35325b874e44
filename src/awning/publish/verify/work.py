"""Verifies each cell that was published according to the journal: at the service, then on the public page.

A page shows the snippet of its language. Without such a snippet, it shows the website-wide one. So the website-wide
cell is checked on the page of a language that has no snippet of ours. If somebody else set a snippet for that language,
the website-wide snippet is hidden there.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime

from awning.build_record import BuiltWidget, Place
from awning.client import Calling, apps, call
from awning.contract import is_language_code
from awning.data_schema import stopped_widgets
from awning.errors import ServiceError
from awning.publish.cell_flow import Await, PublishFlow, read_snippet, same_in_page
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.cells import NOT_USED, STAYS, Cell, our_snippets
from awning.publish.data.change import app_data_of
from awning.publish.drift import judge_difference, our_cells, our_contents
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Content
from awning.publish.journal.journal_entry import EntryKind
from awning.publish.journal.writes import last_write
from awning.publish.manifest_head import ManifestHeads
from awning.publish.plan.planning import HIDDEN
from awning.publish.runner import CellWork
from awning.publish.stores import Stores
from awning.publish.verify.page_address import USUAL, page_address
from awning.publish.verify.page_fetcher import FetchedPage, PageFetcher, PageLimits, PageUnreadable
from awning.publish.verify.verified_cell import (
    RIGHT,
    BrowserView,
    OnPage,
    ShownSnippets,
    VerifiedCell,
    VerifiedKind,
    kind_on_page,
)

NO_ADDRESS = "the website's address is not known, so no page was looked at"


Browse = Callable[[str, ShownSnippets], BrowserView]
"""Opens an address in a browser, and returns what the page shows. The second argument is about the snippets in it."""
OpenBrowser = Callable[[], AbstractContextManager[Browse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """How a verification looks at pages. Without `pages`, it only reads the service.

    Pages that may be cached are read again for up to `wait_s` seconds. With `open_browser`, each page that shows its
    snippet is also opened in a browser, after all cells are read.

    For `cached_s` seconds after a write, a page may be a cached copy from before the write (assumed). A longer time in
    the response's headers takes precedence.

    For the browser, the app data of each instance are read for the widgets that they disable, and the build record of
    each release for its raw widgets and the globals that its widgets may leave.
    """

    pages: bool = True
    pattern: str = USUAL
    cached_s: float = 300.0
    wait_s: float = 0.0
    limits: PageLimits = field(default_factory=PageLimits)
    open_browser: OpenBrowser | None = None


@dataclass(slots=True, kw_only=True)
class _Known:
    """What is known about the current instance.

    `ours` are the languages for which the journal has a published snippet; None is the website-wide cell.
    """

    ours: Sequence[str | None]
    website_url: str | None = None
    languages: Sequence[str] | None = None
    disabled: frozenset[str] = frozenset()

    @property
    def languages_are_current(self) -> bool:
        """Whether the inventory's list of languages is present and includes each language in `ours`."""
        return self.languages is not None and {*self.ours, None} <= {*self.languages, None}

    @property
    def uncovered(self) -> Sequence[str] | None:
        """The website's languages that are not in `ours`; None when the website's languages are not known."""
        return None if self.languages is None else [code for code in self.languages if code not in self.ours]


class VerifyWork(CellWork[VerifiedCell]):
    """Verifies the cells of each instance.

    `sink` gets the results of each instance, in the order of the instance's cells.
    """

    def __init__(
        self,
        stores: Stores,
        calling: Calling,
        options: VerifyOptions,
        sink: Callable[[Instance, Sequence[VerifiedCell]], object],
    ) -> None:
        self._stores = stores
        self._ours = our_snippets(stores)
        self._stamps = stores.releases.numbers()
        self._heads = ManifestHeads(stores.releases)
        self._calling = calling
        self._options = options
        self.pages: PageFetcher | None = None
        """What fetches the pages of the website; None when none are looked at."""
        self._sink = sink
        self._known: dict[str, _Known] = {}
        self._widgets: dict[int, Sequence[BuiltWidget]] = {}

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        cells = self.cells_without_answer(instance)
        known = self._known[instance.key]
        if self.pages is not None and cells and known.website_url is None:
            known.website_url = (yield from call(apps.website(instance.code), self._calling)).url
        if cells and not known.languages_are_current:
            answered = yield from call(apps.languages(instance.code), self._calling)
            known.languages = [code for code in answered if is_language_code(code)]
        if cells and self._options.open_browser:
            known.disabled = frozenset(
                stopped_widgets((yield from app_data_of(instance.code, self._calling)))
            )
        return cells

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        cells = our_cells(instance, self._stores.journal.cells(instance.key))
        self._known[instance.key] = _Known(
            ours=[cell.language for cell in cells],
            website_url=instance.website_url,
            languages=instance.website_languages,
        )
        return cells

    def cell(self, cell: Cell) -> PublishFlow[VerifiedCell]:
        known = self._known[cell.instance.key]
        texts: dict[Place, str] = {}
        try:
            for place, content in our_contents(cell.record):
                text = yield from read_snippet(cell, place, self._calling)
                if text is None or not self._is_written(text, content):
                    return self._verified(cell, VerifiedKind.FOREIGN, judge_difference(text, content)[1])
                texts[place] = text
            if cell.language is None:
                hiding = yield from self._hiding(cell, known, texts.get("body"))
                if hiding is not None:
                    detail = f"the snippet of {hiding}, which somebody else set, hides it"
                    return self._verified(cell, VerifiedKind.HIDDEN, detail)
        except ServiceError as problem:
            return self.not_run(cell, ending_of(problem))
        return (yield from self._on_page(cell, known, texts))

    def not_run(self, cell: Cell, ending: Ending) -> VerifiedCell:
        detail = ending.reason or "it could not be read"
        return replace(
            self._verified(cell, VerifiedKind.UNREADABLE, detail), cause=ending.cause or Cause.OTHER
        )

    def instance_ended(self, instance: Instance, results: Sequence[VerifiedCell]) -> None:
        del self._known[instance.key]
        self._sink(instance, results)

    def _is_written(self, text: str, content: Content) -> bool:
        """Return whether `text` is what was written last.

        When the outcome of the last write is not known, `text` is compared with what was sent.
        """
        expected = content.published if content.is_known else content.sha256
        return self._stores.shows_alike(text, expected)

    def _hiding(self, cell: Cell, known: _Known, own: str | None) -> PublishFlow[str | None]:
        """Return the first language with a foreign snippet, which hides the website-wide snippet; None without one.

        `own` is the website-wide snippet. A service may return it for a language without a snippet (assumption
        `language-fallback`), so it does not count as foreign.
        """
        for language in known.uncovered or ():
            other = Cell(instance=cell.instance, language=language)
            text = yield from read_snippet(other, "body", self._calling)
            is_set = text is not None and bool(text.strip())
            if is_set and not same_in_page(text or "", own or "") and not self._ours.has(text or ""):
                return language
        return None

    def _on_page(self, cell: Cell, known: _Known, texts: Mapping[Place, str]) -> PublishFlow[VerifiedCell]:
        pages = self.pages
        if pages is None:
            return self._verified(cell, VerifiedKind.WRITTEN)
        address, reason = self._address(cell.language, known, texts)
        if address is None:
            return self._verified(cell, VerifiedKind.WRITTEN, reason)
        answers: list[FetchedPage | PageUnreadable] = []

        async def fetch() -> None:
            try:
                answers.append(await pages.fetch(address))
            except PageUnreadable as problem:
                answers.append(problem)

        yield Await(fetch)
        page = answers[0]
        if isinstance(page, PageUnreadable):
            detail = f"the page cannot be read: {page}"
            unread = self._verified(cell, VerifiedKind.UNREADABLE, detail)
            return replace(unread, page=address, cause=Cause.OTHER)
        return self._judged(cell, known, texts, page)

    def _address(
        self, language: str | None, known: _Known, texts: Mapping[Place, str]
    ) -> tuple[str | None, str | None]:
        """Return the address of the page that shows a cell; or None and the reason why no page is looked at."""
        if not any(text.strip() for text in texts.values()):
            return None, "the snippet is empty, so no page shows it"
        if language is None and known.languages:
            if not known.uncovered:
                return None, HIDDEN
            language = known.uncovered[0]
        elif language is not None and known.languages is not None and language not in known.languages:
            return None, NOT_USED
        address = page_address(self._options.pattern, known.website_url or "", language)
        return address, None if address else NO_ADDRESS

    def _judged(
        self, cell: Cell, known: _Known, texts: Mapping[Place, str], page: FetchedPage
    ) -> VerifiedCell:
        wanted = tuple(text for text in texts.values() if text.strip())
        if all(map(page.content.holds, wanted)):
            on_page, detail = OnPage.WANTED, None
        else:
            on_page, detail = self._what_is_there(cell.record, page)
        is_cached = self._may_be_cached(cell, page)
        kind = kind_on_page(on_page, may_be_cached=is_cached)
        verified = replace(self._verified(cell, kind, detail), page=page.url, age_s=page.age_s)
        if detail is not None:
            return verified
        release = self._stores.newest_release_with(texts["body"]) if "body" in texts else None
        if self._options.open_browser:
            verified = replace(verified, snippets=self._shown_snippets(cell, known, wanted, release))
        if release is None or "head" in texts:
            return verified
        return replace(verified, head=self._heads.difference(release, page.content))

    def _shown_snippets(
        self, cell: Cell, known: _Known, texts: tuple[str, ...], release: int | None
    ) -> ShownSnippets:
        widgets = () if release is None else self._widgets_of(release, cell.language)
        return ShownSnippets(
            texts=texts,
            disabled=known.disabled,
            raw=tuple(widget.name for widget in widgets if widget.raw),
            globals=frozenset(name for widget in widgets for name in widget.globals),
            slots={widget.name: widget.slots for widget in widgets},
        )

    def _widgets_of(self, release: int, language: str | None) -> Sequence[BuiltWidget]:
        """Return the widgets in a release's snippet of a language; None is the default snippet, which has all."""
        if release not in self._widgets:
            self._widgets[release] = self._stores.releases.record(release).widgets
        return [
            widget for widget in self._widgets[release] if language is None or language in widget.languages
        ]

    def _what_is_there(self, record: CellRecord | None, page: FetchedPage) -> tuple[OnPage, str]:
        """Return what the page shows in place of the snippet, and a sentence about it."""
        releases = sorted(self._stamps[stamp] for stamp in page.content.stamps & self._stamps.keys())
        if releases:
            return OnPage.EARLIER, f"the page shows another snippet of ours, of release {releases[-1]}"
        for content in record.contents.values() if record else ():
            before = self._stores.text(content.before) if content.before else None
            if before is not None and page.content.holds(before):
                if self._ours.has(before):
                    return OnPage.EARLIER, "the page shows the snippet of ours that was there before"
                return OnPage.NOTHING, "the page shows the snippet of somebody else that was there before"
        return OnPage.NOTHING, "the page shows no snippet of ours"

    def _may_be_cached(self, cell: Cell, page: FetchedPage) -> bool:
        """Return whether the page may be a cached copy from before the last write."""
        at = self._written_at(cell)
        if at is None:
            return False
        allowed_s = max(self._options.cached_s, page.max_age_s or 0.0)
        return time.time() < datetime.fromisoformat(at).timestamp() + allowed_s

    def _written_at(self, cell: Cell) -> str | None:
        """Return the time of the cell's last write.

        Returns None when the cell was never written, or when the journal has no outcome of that write (any more).
        """
        record, journal = cell.record, self._stores.journal
        if record is None:
            return None
        if record.kind is EntryKind.INTENT or record.outcome == CellOutcome.APPLIED:
            return record.at
        key = cell.instance.key
        run = last_write(journal, cell=(key, cell.language))
        endings = [] if run is None else journal.outcomes(run, [key]).get(key, [])
        return next((ending["at"] for ending in endings if ending["language"] == cell.language), None)

    def _verified(self, cell: Cell, kind: VerifiedKind, detail: str | None = None) -> VerifiedCell:
        return VerifiedCell(
            instance=cell.instance.display_name,
            language=cell.language,
            kind=kind,
            detail=detail,
            is_not_built=kind in RIGHT and cell.record is not None and cell.record.note == STAYS,
        )
