"""Verifies each cell that was published according to the journal: at the service, then on the public page.

A page shows the snippet of its language. Without such a snippet, it shows the website-wide one. So the website-wide
cell is checked on the page of a language that has no snippet of ours. If somebody else set a snippet for that language,
the website-wide snippet is hidden there.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from awning.build_record import BuiltWidget, Place, shorten_fingerprint
from awning.client import Calling, apps, call
from awning.contract import is_language_code
from awning.data_schema import disabled_widgets
from awning.errors import ServiceError
from awning.publish.app_data import app_data_of
from awning.publish.cell_flow import Await, PublishFlow, read_snippet, same_in_page
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.cells import NOT_USED, STAYS, Cell
from awning.publish.drift import is_ours, judge_difference
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Content, Journal
from awning.publish.journal.journal_entry import EntryKind
from awning.publish.journal.writes import last_write
from awning.publish.manifest_head import HeadDifference, ManifestHeads
from awning.publish.plan.planning import HIDDEN
from awning.publish.release.build_files import page_hash_of, sha256_of
from awning.publish.release.releases import Releases
from awning.publish.verify.page_address import USUAL, page_address
from awning.publish.verify.page_fetcher import FetchedPage, PageFetcher, PageUnreadable
from awning.publish.verify.verified_cell import (
    RIGHT,
    OnPage,
    ShownSnippets,
    VerifiedCell,
    VerifiedKind,
    kind_on_page,
)

NO_ADDRESS = "the website's address is not known, so no page was looked at"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRules:
    """How pages are read. `pattern` is the pattern of their addresses. Without `pages`, only the service is read.

    For `cached_s` seconds after a write, a page may be a cached copy from before the write (assumed). A longer time in
    the response's headers takes precedence.

    With `for_browser`, the app data of each instance are read for the widgets that they disable, and the build record
    of each release for its raw widgets and the globals that its widgets may leave.
    """

    pages: PageFetcher | None
    pattern: str = USUAL
    cached_s: float = 300.0
    for_browser: bool = False
    now: Callable[[], float] = time.time


@dataclass(frozen=True, slots=True, kw_only=True)
class OurTexts:
    """How our snippets are recognised: `own` has their hashes or page hashes (`page_hash_of`).

    `releases` maps the stamp of a build to the number of its release.
    """

    own: frozenset[str]
    releases: Mapping[str, int]

    @classmethod
    def of(cls, journal: Journal, releases: Releases) -> "OurTexts":
        stamps = {shorten_fingerprint(release.fingerprint): release.number for release in releases.all()}
        return cls(own=releases.hashes() | journal.own_hashes(), releases=stamps)

    def has(self, text: str) -> bool:
        return sha256_of(text) in self.own or page_hash_of(text) in self.own


@dataclass(slots=True, kw_only=True)
class _Known:
    """What is known about the current instance."""

    records: Mapping[str | None, CellRecord]
    website_url: str | None = None
    languages: Sequence[str] | None = None
    disabled: frozenset[str] = frozenset()
    done: list[VerifiedCell] = field(default_factory=list)

    @property
    def ours(self) -> list[str | None]:
        """The languages for which the journal has a published snippet; None is the website-wide cell."""
        return [
            language
            for language, record in self.records.items()
            if any(map(is_ours, record.contents.values()))
        ]

    @property
    def languages_are_current(self) -> bool:
        """Whether the inventory's list of languages is present and includes each language in `ours`."""
        return self.languages is not None and {*self.ours, None} <= {*self.languages, None}

    @property
    def uncovered(self) -> Sequence[str] | None:
        """The website's languages that are not in `ours`; None when the website's languages are not known."""
        return None if self.languages is None else [code for code in self.languages if code not in self.ours]


class VerifyWork:
    """Verifies the cells of each instance.

    `sink` gets the results of each instance, in the order of the instance's cells.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        releases: Releases,
        ours: OurTexts,
        heads: ManifestHeads,
        calling: Calling,
        rules: PageRules,
        sink: Callable[[Instance, Sequence[VerifiedCell]], object],
    ) -> None:
        self._journal = journal
        self._releases = releases
        self._ours = ours
        self._heads = heads
        self._calling = calling
        self._rules = rules
        self._sink = sink
        self._known: dict[str, _Known] = {}
        self._widgets: dict[int, Sequence[BuiltWidget]] = {}
        self._numbers: dict[str, int | None] = {}

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        cells = self.cells_without_answer(instance)
        known = self._known[instance.key]
        if self._rules.pages is not None and cells and known.website_url is None:
            known.website_url = (yield from call(apps.website(instance.code), self._calling)).url
        if cells and not known.languages_are_current:
            answered = yield from call(apps.languages(instance.code), self._calling)
            known.languages = [code for code in answered if is_language_code(code)]
        if cells and self._rules.for_browser:
            known.disabled = frozenset(
                disabled_widgets((yield from app_data_of(instance.code, self._calling)))
            )
        return cells

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        records = self._journal.records([instance.key]).get(instance.key, {})
        known = _Known(
            records=records, website_url=instance.website_url, languages=instance.website_languages
        )
        self._known[instance.key] = known
        return [Cell(instance=instance, language=language) for language in known.ours]

    def cell(self, cell: Cell) -> PublishFlow[VerifiedCell]:
        known = self._known[cell.instance.key]
        record = known.records[cell.language]
        texts: dict[Place, str] = {}
        try:
            for place, content in record.contents.items():
                if not is_ours(content):
                    continue
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
            return self._unread(cell, ending_of(problem))
        return (yield from self._on_page(cell, known, texts))

    def ended(self, cell: Cell, result: VerifiedCell) -> None:
        known = self._known[cell.instance.key]
        is_left = result.kind in RIGHT and known.records[cell.language].note == STAYS
        known.done.append(replace(result, is_not_built=is_left))

    def not_run(self, cell: Cell, ending: Ending) -> None:
        self.ended(cell, self._unread(cell, ending))

    def instance_ended(self, instance: Instance) -> None:
        self._sink(instance, self._known.pop(instance.key).done)

    def _is_written(self, text: str, content: Content) -> bool:
        """Return whether `text` is what was written last.

        When the outcome of the last write is not known, `text` is compared with what was sent.
        """
        expected = content.published if content.is_known else content.sha256
        return expected is not None and self._is_same(text, expected)

    def _is_same(self, text: str, sha256: str) -> bool:
        if sha256_of(text) == sha256:
            return True
        wanted = self._text(sha256)
        return wanted is not None and same_in_page(text, wanted)

    def _text(self, sha256: str) -> str | None:
        return self._journal.snippet(sha256) or self._releases.text(sha256)

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
        pages = self._rules.pages
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
            return self._verified(cell, VerifiedKind.UNREADABLE, detail, page=address, cause=Cause.OTHER)
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
        address = page_address(self._rules.pattern, known.website_url or "", language)
        return address, None if address else NO_ADDRESS

    def _judged(
        self, cell: Cell, known: _Known, texts: Mapping[Place, str], page: FetchedPage
    ) -> VerifiedCell:
        record = known.records[cell.language]
        wanted = tuple(text for text in texts.values() if text.strip())
        if all(map(page.content.holds, wanted)):
            on_page, detail = OnPage.WANTED, None
        else:
            on_page, detail = self._what_is_there(record, page)
        is_cached = self._may_be_cached(cell, record, page)
        kind = kind_on_page(on_page, may_be_cached=is_cached)
        if detail is not None:
            return self._verified(cell, kind, detail, page=page.url, age_s=page.age_s)
        release = self._release(page_hash_of(texts["body"])) if "body" in texts else None
        return self._verified(
            cell,
            kind,
            page=page.url,
            age_s=page.age_s,
            snippets=self._shown_snippets(cell, known, wanted, release) if self._rules.for_browser else None,
            head=None
            if release is None or "head" in texts
            else self._heads.difference(release, page.content),
        )

    def _release(self, page_sha256: str) -> int | None:
        """Return the newest release with a body snippet. It is looked up once, because thousands of cells share it."""
        if page_sha256 not in self._numbers:
            self._numbers[page_sha256] = self._releases.newest_with(page_sha256)
        return self._numbers[page_sha256]

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
            self._widgets[release] = self._releases.record(release).widgets
        return [
            widget for widget in self._widgets[release] if language is None or language in widget.languages
        ]

    def _what_is_there(self, record: CellRecord, page: FetchedPage) -> tuple[OnPage, str]:
        """Return what the page shows in place of the snippet, and a sentence about it."""
        releases = sorted(
            self._ours.releases[stamp] for stamp in page.content.stamps & self._ours.releases.keys()
        )
        if releases:
            return OnPage.EARLIER, f"the page shows another snippet of ours, of release {releases[-1]}"
        for content in record.contents.values():
            before = self._text(content.before) if content.before else None
            if before is not None and page.content.holds(before):
                if self._ours.has(before):
                    return OnPage.EARLIER, "the page shows the snippet of ours that was there before"
                return OnPage.NOTHING, "the page shows the snippet of somebody else that was there before"
        return OnPage.NOTHING, "the page shows no snippet of ours"

    def _may_be_cached(self, cell: Cell, record: CellRecord, page: FetchedPage) -> bool:
        """Return whether the page may be a cached copy from before the last write."""
        at = self._written_at(cell, record)
        if at is None:
            return False
        allowed_s = max(self._rules.cached_s, page.max_age_s or 0.0)
        return self._rules.now() < datetime.fromisoformat(at).timestamp() + allowed_s

    def _written_at(self, cell: Cell, record: CellRecord) -> str | None:
        """Return the time of the cell's last write.

        Returns None when the cell was never written, or when the journal has no outcome of that write (any more).
        """
        if record.kind is EntryKind.INTENT or record.outcome == CellOutcome.APPLIED:
            return record.at
        key = cell.instance.key
        run = last_write(self._journal, cell=(key, cell.language))
        endings = [] if run is None else self._journal.outcomes(run, [key]).get(key, [])
        return next((ending["at"] for ending in endings if ending["language"] == cell.language), None)

    def _unread(self, cell: Cell, ending: Ending) -> VerifiedCell:
        detail = ending.reason or "it could not be read"
        return self._verified(cell, VerifiedKind.UNREADABLE, detail, cause=ending.cause or Cause.OTHER)

    def _verified(
        self,
        cell: Cell,
        kind: VerifiedKind,
        detail: str | None = None,
        *,
        page: str | None = None,
        age_s: float | None = None,
        cause: Cause | None = None,
        snippets: ShownSnippets | None = None,
        head: HeadDifference | None = None,
    ) -> VerifiedCell:
        return VerifiedCell(
            instance=cell.instance.display_name,
            language=cell.language,
            kind=kind,
            detail=detail,
            page=page,
            age_s=age_s,
            cause=cause,
            snippets=snippets,
            head=head,
        )
