"""One cell, from what is there to what should be: the steps, as a generator.

    read -> equal? unchanged
         -> note the intent (durable) -> write -> read back -> equal?      applied
                                                            -> as before, and the write's end unclear? write again,
                                                               unless it timed out: it may be under way still
                                                            -> as before?  failed; unknown where a write had no answer
                                                            -> other?      failed: somebody else was here
                                                            -> unreadable? unknown

A write is never repeated blindly. Only when reading shows that nothing changed since is the *same* body sent
again, so an old body cannot follow a newer one: newer ones come from later runs, and runs exclude each other.
"""

import hashlib
from collections.abc import Generator
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TypeVar

from awning.client import Calling, Reply, Step, Wait, apps, call
from awning.errors import Refused, ServiceError, Unreachable
from awning.publish.cells import Cell
from awning.publish.entry import Entry, Kept, Kind
from awning.publish.outcome import Cause, Ending, Outcome, ending_of
from awning.publish.record import Snippet

T = TypeVar("T")

WRITES = 3
"""Most times that one snippet is sent in one run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Write `entry` down, durably, before going on."""

    entry: Entry
    kept: tuple[Kept, ...] = ()


PublishFlow = Generator[Step | Note, Reply, T]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One snippet of one cell, and what its calls need."""

    snippet: Snippet
    cell: Cell
    run: int
    calling: Calling

    def read(self, *, may_be_unset: bool) -> PublishFlow[str | None]:
        """What is there. Where it may be unset, a 404 says that: what such a read gives is not shown (assumed)."""
        reading = apps.get_snippet if self.snippet.place == "body" else apps.get_head_snippet
        try:
            return (yield from call(reading(self.cell.instance.code, self.cell.language), self.calling))
        except Refused as problem:
            if problem.status != HTTPStatus.NOT_FOUND or not may_be_unset:
                raise
            return None

    def write(self) -> PublishFlow[None]:
        writing = apps.set_snippet if self.snippet.place == "body" else apps.set_head_snippet
        return call(writing(self.cell.instance.code, self.snippet.text, self.cell.language), self.calling)


def publish_cell(cell: Cell, run: int, calling: Calling) -> PublishFlow[Ending]:
    """Bring every snippet of the cell to the service; the first that does not get there ends it."""
    ending = Ending(outcome=Outcome.UNCHANGED)
    for snippet in cell.snippets:
        after = yield from _publish(_Part(snippet=snippet, cell=cell, run=run, calling=calling))
        if after.outcome not in {Outcome.APPLIED, Outcome.UNCHANGED}:
            written = ending.outcome is Outcome.APPLIED
            return replace(after, cause=Cause.OTHER) if written else after
        if after.outcome is Outcome.APPLIED:
            ending = after
    return ending


def _publish(part: _Part) -> PublishFlow[Ending]:
    try:
        before = yield from part.read(may_be_unset=True)
    except ServiceError as problem:
        return ending_of(problem)
    if before is not None and same_in_page(before, part.snippet.text):
        return Ending(outcome=Outcome.UNCHANGED)
    attempt, unanswered = 1, False
    while True:
        ending, again = yield from _write_once(part, before)
        # What an earlier write without an answer comes to stays open, also when a later one never left.
        unanswered = unanswered or ending.outcome is Outcome.UNKNOWN
        if unanswered and ending.outcome is Outcome.FAILED:
            ending = replace(ending, outcome=Outcome.UNKNOWN)
        delay_s = part.calling.retry.delay(attempt=attempt, retry_after_s=None, jitter=part.calling.jitter())
        if not again or attempt == WRITES or delay_s is None or not part.calling.budget.spend():
            return ending
        yield Wait(delay_s)
        attempt += 1


def _write_once(part: _Part, before: str | None) -> PublishFlow[tuple[Ending, bool]]:
    """Note, write, read back. Returns the ending, and whether the same body may be sent again."""
    yield _intent(part, before)
    problem: ServiceError | None = None
    try:
        yield from part.write()
    except ServiceError as error:
        if not error.unclear:
            return ending_of(error), False
        problem = error
    try:
        now = yield from part.read(may_be_unset=before is None and problem is not None)
    except ServiceError as unread:
        return _unknown(problem, unread), False
    return judged(wanted=part.snippet.text, before=before, now=now, problem=problem)


def judged(
    *, wanted: str, before: str | None, now: str | None, problem: ServiceError | None
) -> tuple[Ending, bool]:
    """How a write ended that reads back as `now`; `problem` is what the write itself was answered."""
    if same_in_page(now or "", wanted):
        said = f"{problem.message}; but it reads back as written" if problem else None
        spaced = (
            None
            if (now or "") == wanted
            else "the service keeps it with other white space at its ends or line ends"
        )
        return Ending(outcome=Outcome.APPLIED, reason=said or spaced), False
    if now != before:
        return _failed(_difference(wanted, now)), False
    if problem is None:
        return _failed("the service accepted it, but what was there before still reads back"), False
    if isinstance(problem, Unreachable) and problem.unclear:
        reason = f"{problem.message}; what was there before still reads back, but it may yet be written"
        return Ending(outcome=Outcome.UNKNOWN, reason=reason), not problem.under_way
    refused = isinstance(problem, Refused) and ending_of(problem).outcome is Outcome.REFUSED
    return ending_of(problem), not refused


def same_in_page(kept: str, wanted: str) -> bool:
    """Whether a page shows the same: some services trim what they keep, or give it other line ends (assumed).

    HTML itself reads CR LF and CR as LF (HTML, Preprocessing the input stream).
    """
    return kept == wanted or _plain(kept) == _plain(wanted)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _difference(wanted: str, now: str | None) -> str:
    if now and wanted.startswith(now):
        return f"only its first {len(now)} of {len(wanted)} characters read back: the service limits a snippet's size"
    return "what reads back is neither what was there nor what was written"


def _intent(part: _Part, before: str | None) -> Note:
    """What is about to be written; the text that was there is kept for writing it back."""
    new = Kept(sha256=part.snippet.sha256, text=part.snippet.text)
    old = None if before is None else Kept(sha256=sha256_of(before), text=before)
    entry = Entry(
        run=part.run,
        kind=Kind.INTENT,
        instance=part.cell.instance.key,
        language=part.cell.language,
        place=part.snippet.place,
        before=None if old is None else old.sha256,
        after=new.sha256,
    )
    return Note(entry=entry, kept=(new,) if old is None else (new, old))


def _unknown(problem: ServiceError | None, unread: ServiceError) -> Ending:
    said = f"{problem.message}; and" if problem else "accepted, but"
    return Ending(outcome=Outcome.UNKNOWN, reason=f"{said} it could not be read back ({unread.message})")


def _failed(reason: str) -> Ending:
    return Ending(outcome=Outcome.FAILED, reason=reason, cause=Cause.OTHER)


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
