"""Publishing one cell, as a generator of calls, waits and journal entries.

    read the cell
        it holds the wanted snippet     unchanged
        it holds a foreign snippet      refused, unless it may be overwritten
        it cannot be read               refused or failed
        anything else                   write
    write: journal the intent (durable), send the snippet, read the cell again
        the call clearly failed         refused or failed, without reading the cell again
        it holds the wanted snippet     applied
        it holds what it held before    failed when the service confirmed the write. When there was no clear response,
                                        or a doubtful refusal: write again; after a time-out, only when the earlier
                                        write can no longer be performed. After the last attempt: refused or failed
        it holds another text           failed: somebody else wrote, or the service cut the snippet
        it cannot be read               unknown
    When an earlier write of the cell got no response, refused and failed become unknown.

The same snippet is sent again only when the service certainly did not process the call, or when a read shows that
nothing changed. An old snippet cannot overwrite a newer one, because newer snippets come from later runs, and two runs
never write the same cell at the same time. When the service returns the website-wide snippet for a language's cell, the
journal records that the cell held nothing (`_own_text`).
"""

from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Protocol, TypeVar

from awning.build_record import Place
from awning.client import Calling, Reply, Step, Wait, apps, call
from awning.errors import Refused, ServiceError, Unauthorized, Unreachable
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.cells import FOREIGN, Cell, Ownership
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.release.build_files import Snippet, page_hash_of, sha256_of

T = TypeVar("T")

WRITES = 3
"""The most times that one run writes the same snippet to a cell.

Calls that the service certainly did not process are not counted.
"""
DOUBTED = frozenset({HTTPStatus.OK, HTTPStatus.NOT_FOUND})
"""The HTTP statuses of doubtful refusals, which a run retries: a failing service may refuse instances that it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendEntry:
    """A step of a flow: write `entry` and `texts` to the journal. The flow continues when they are on the disk."""

    entry: JournalEntry
    texts: tuple[SnippetText, ...] = ()


@dataclass(frozen=True, slots=True)
class Await:
    """A step of a flow: await `act`, which is not a call of the service. For example, it fetches a public page."""

    act: Callable[[], Awaitable[None]]


PublishFlow = Generator[Step | AppendEntry | Await, Reply, T]


class PlaceWrite(Protocol):
    """One text, and the place at the service that it is written to.

    `late_s` is how long, in seconds, the service may still perform a write whose response did not come. With None, such
    a write is not repeated.
    """

    @property
    def late_s(self) -> float | None: ...

    @property
    def calling(self) -> Calling: ...

    def intent(self, before: str | None) -> AppendEntry:
        """Return the step that journals the write. `before` is what was set for the place itself."""
        ...

    def read(self, *, may_be_unset: bool) -> PublishFlow[str | None]: ...

    def write(self) -> PublishFlow[None]: ...

    def judge(self, before: str | None, now: str | None, problem: ServiceError | None) -> tuple[Ending, bool]:
        """Return the ending of the write, and whether it may be repeated (`judged`)."""
        ...

    def not_written(self, before: str | None, ending: Ending) -> Ending:
        """Return the ending of a write that certainly had no effect."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteCell:
    """What is known of the website-wide cell when a language's cell is published.

    `contents` maps each place to the page hash of the website-wide snippet; None where nothing is set. A place whose
    content is not known is missing. `is_own` returns whether the journal says that a text was sent to the own cell of
    the language.
    """

    contents: Mapping[Place, str | None] = field(default_factory=dict)
    is_own: Callable[[Place, str], bool] = lambda _place, _text: False


@dataclass(frozen=True, slots=True, kw_only=True)
class _SnippetWrite:
    """One snippet of one cell, with the number of the run and the settings of the client."""

    snippet: Snippet
    cell: Cell
    run: int
    calling: Calling
    ownership: Ownership
    website: WebsiteCell
    late_s: float | None

    def read(self, *, may_be_unset: bool) -> PublishFlow[str | None]:
        return read_snippet(self.cell, self.snippet.place, self.calling, may_be_unset=may_be_unset)

    def write(self) -> PublishFlow[None]:
        writing = apps.set_snippet if self.snippet.place == "body" else apps.set_head_snippet
        operation = writing(self.cell.instance.code, self.snippet.text, self.cell.language)
        return call(operation, self.calling)

    def intent(self, before: str | None) -> AppendEntry:
        return _intent(self, before)

    def judge(self, before: str | None, now: str | None, problem: ServiceError | None) -> tuple[Ending, bool]:
        return judged(wanted=self.snippet.text, before=before, now=now, problem=problem)

    def not_written(self, before: str | None, ending: Ending) -> Ending:
        return replace(ending, contents={self.snippet.place: None if before is None else sha256_of(before)})


def read_snippet(
    cell: Cell, place: Place, calling: Calling, *, may_be_unset: bool = True
) -> PublishFlow[str | None]:
    """Return the stored snippet. Raises ServiceError when the call fails.

    With `may_be_unset`, returns None for a refusal with HTTP 404, which means that no snippet is set (assumed: not
    shown in the specification).
    """
    reading = apps.get_snippet if place == "body" else apps.get_head_snippet
    try:
        return (yield from call(reading(cell.instance.code, cell.language), calling, doubted=DOUBTED))
    except Refused as problem:
        if problem.status != HTTPStatus.NOT_FOUND or not may_be_unset:
            raise
        return None


def publish_cell(
    cell: Cell,
    run: int,
    calling: Calling,
    ownership: Ownership,
    *,
    website: WebsiteCell | None = None,
    late_s: float | None = None,
) -> PublishFlow[Ending]:
    """Publish every snippet of the cell, and return the cell's ending. The first snippet that fails ends the cell.

    `late_s` is how long, in seconds, the service may still perform a write whose response did not come. With None, such
    a write is not repeated.
    """
    website = website or WebsiteCell()
    ending = Ending(outcome=CellOutcome.UNCHANGED)
    contents: dict[Place, str | None] = {}
    published: dict[Place, str] = {}
    for snippet in cell.snippets:
        step = _SnippetWrite(
            snippet=snippet,
            cell=cell,
            run=run,
            calling=calling,
            ownership=ownership,
            website=website,
            late_s=late_s,
        )
        after = yield from _publish(step)
        contents |= after.contents
        published |= after.published
        if after.outcome not in {CellOutcome.APPLIED, CellOutcome.UNCHANGED}:
            cause = Cause.OTHER if ending.outcome is CellOutcome.APPLIED else after.cause
            return replace(after, contents=contents, published=published, cause=cause)
        if after.outcome is CellOutcome.APPLIED:
            ending = after
    return replace(ending, contents=contents, published=published)


def _publish(step: _SnippetWrite) -> PublishFlow[Ending]:
    snippet = step.snippet
    try:
        before = yield from step.read(may_be_unset=True)
    except ServiceError as problem:
        return ending_of(problem)
    if before is not None and same_in_page(before, snippet.text):
        published = {snippet.place: snippet.sha256}
        return Ending(outcome=CellOutcome.UNCHANGED, contents=published, published=published)
    if before is not None and not step.ownership.may_replace(before):
        contents = {snippet.place: sha256_of(before)}
        return Ending(outcome=CellOutcome.REFUSED, reason=FOREIGN, cause=Cause.FOREIGN, contents=contents)
    own = yield from _own_text(step, before)
    ending = yield from write_until_clear(step, before, own)
    if ending.outcome is not CellOutcome.APPLIED:
        return ending
    published = {snippet.place: snippet.sha256}
    return replace(ending, contents=published, published=published)


def write_until_clear(step: PlaceWrite, before: str | None, own: str | None) -> PublishFlow[Ending]:
    """Write, and write again while that is safe and may help. Returns the ending.

    `before` is what was read before the write, `own` is what was set for the place itself.
    """
    attempt, unanswered = 1, False
    while True:
        ending, again = yield from _write_once(step, before, own)
        # The effect of an earlier write without an answer stays unknown, whatever became of the later one.
        if unanswered and ending.outcome in {CellOutcome.REFUSED, CellOutcome.FAILED}:
            reason = f"{ending.reason}; an earlier write of this run had no answer"
            ending = replace(ending, outcome=CellOutcome.UNKNOWN, reason=reason, contents={})
        unanswered = unanswered or ending.outcome is CellOutcome.UNKNOWN
        delay_s = step.calling.retry.delay(attempt=attempt, retry_after_s=None, jitter=step.calling.jitter())
        if not again or attempt == WRITES or delay_s is None or not step.calling.budget.spend():
            return ending
        yield Wait(delay_s)
        attempt += 1


def _own_text(step: _SnippetWrite, text: str | None) -> PublishFlow[str | None]:
    """Return the text that was set for the cell itself; None without one. `text` is what the service returned.

    For a language without a snippet, a service may return the website-wide snippet (assumption "language-fallback").
    Then the result is None, so that a rollback does not set the website-wide text for the language.
    """
    cell, place, contents = step.cell, step.snippet.place, step.website.contents
    if not text or cell.language is None:
        return text
    if place in contents and page_hash_of(text) != contents[place]:
        return text
    if step.website.is_own(place, text):
        return text
    if place in contents:
        return None
    try:
        general = yield from read_snippet(replace(cell, language=None), place, step.calling)
    except ServiceError:
        return text
    return None if general == text else text


def _write_once(step: PlaceWrite, before: str | None, own: str | None) -> PublishFlow[tuple[Ending, bool]]:
    """Journal the write, write, and read back. Return the ending, and whether the same snippet may be sent again.

    A write whose response did not come in time may be performed later. So if the cell is unchanged, it is read once
    more after `late_s` seconds (not when `late_s` is None).
    """
    yield step.intent(own)
    problem: ServiceError | None = None
    try:
        yield from step.write()
    except ServiceError as error:
        if not error.unclear and not _is_doubtful(error):
            return step.not_written(own, ending_of(error)), False
        problem = error
    is_late = isinstance(problem, Unreachable) and problem.under_way
    try:
        may_be_unset = before is None and problem is not None
        now = yield from step.read(may_be_unset=may_be_unset)
        if now == before and is_late and step.late_s is not None:
            yield Wait(step.late_s)
            now = yield from step.read(may_be_unset=may_be_unset)
    except ServiceError as unread:
        written = f"{problem.message}; and" if problem else "accepted, but"
        reason = f"{written} it could not be read back ({unread.message})"
        return Ending(outcome=CellOutcome.UNKNOWN, reason=reason), False
    ending, again = step.judge(before, now, problem)
    return ending, again and not (is_late and step.late_s is None)


def _is_doubtful(problem: ServiceError) -> bool:
    return (
        isinstance(problem, Refused) and not isinstance(problem, Unauthorized) and problem.status in DOUBTED
    )


def judged(
    *, wanted: str, before: str | None, now: str | None, problem: ServiceError | None
) -> tuple[Ending, bool]:
    """Return the ending of a write, and whether the write may be repeated.

    `before` and `now` are what the cell held before and after the write. `problem` is the error of the write; None when
    the service confirmed it.
    """
    if same_in_page(now or "", wanted):
        despite = f"{problem.message}; but it reads back as written" if problem else None
        spaced = (
            None
            if (now or "") == wanted
            else "the service keeps it with other white space at its ends or line ends"
        )
        return Ending(outcome=CellOutcome.APPLIED, reason=despite or spaced), False
    if now != before:
        reason = "what reads back is neither what was there nor what was written"
        if now and wanted.startswith(now):
            reason = (
                f"only its first {len(now)} of {len(wanted)} characters read back: "
                "the service limits a snippet's size"
            )
        return _failed(reason), False
    if problem is None:
        return _failed("the service accepted it, but what was there before still reads back"), False
    if isinstance(problem, Unreachable) and problem.unclear:
        reason = f"{problem.message}; what was there before still reads back, but it may yet be written"
        return Ending(outcome=CellOutcome.UNKNOWN, reason=reason), True
    is_refused = ending_of(problem).outcome is CellOutcome.REFUSED
    return ending_of(problem), not is_refused or _is_doubtful(problem)


def same_in_page(stored: str, wanted: str) -> bool:
    """Return whether a page looks the same with either text."""
    return stored == wanted or page_hash_of(stored) == page_hash_of(wanted)


def _intent(step: _SnippetWrite, before: str | None) -> AppendEntry:
    """Return the step that journals a write before it is sent.

    It stores the old text, too, so that a user can write the old text back.
    """
    new = SnippetText(sha256=step.snippet.sha256, text=step.snippet.text)
    old = None if before is None else SnippetText(sha256=sha256_of(before), text=before)
    entry = JournalEntry(
        run=step.run,
        kind=EntryKind.INTENT,
        instance=step.cell.instance.key,
        language=step.cell.language,
        place=step.snippet.place,
        before=None if old is None else old.sha256,
        after=new.sha256,
        is_own=step.cell.is_own,
        is_undo=step.cell.is_undo,
    )
    return AppendEntry(entry=entry, texts=(new,) if old is None else (new, old))


def _failed(reason: str) -> Ending:
    return Ending(outcome=CellOutcome.FAILED, reason=reason, cause=Cause.OTHER)
