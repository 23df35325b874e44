"""How the work on cells ends, and the summary and exit code of a run.

    applied     written, and a read then returned the same text
    unchanged   the cell held the wanted text already; nothing was written
    skipped     not tried, for example because the website does not use the language or the run was interrupted
    refused     the service refused the call, or awning must not write the cell, for example over foreign content
    failed      certainly not written, or a read then returned another text
    unknown     sent, but the effect is not known; the next run reads the cell

Each cell has exactly one outcome.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from awning.build_record import Place
from awning.contract import Exit
from awning.errors import BadAnswer, Refused, ServiceError, Unauthorized, Unreachable
from awning.publish.notices import RolledBack, SchemaChange

NOT_FOUND, FIRST_FAULT = 404, 500


class CellOutcome(StrEnum):
    APPLIED = "applied"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    REFUSED = "refused"
    FAILED = "failed"
    UNKNOWN = "unknown"


REACHED = frozenset({CellOutcome.APPLIED, CellOutcome.UNCHANGED})
RIGHT = REACHED | {CellOutcome.SKIPPED}
FAILURES = 100
"""The most cells that a summary lists as not right. The journal has all of them."""


class Cause(StrEnum):
    """The kinds of reasons why a cell is not right. The exit code depends on them."""

    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    NOT_THERE = "not there"
    FAULT = "fault"
    """The service answered with an error of its own."""
    STALE = "stale"
    NOT_BUILT = "not built"
    """Of a skipped cell: the build lacks its language, and an earlier snippet stays there."""
    FOREIGN = "foreign"
    """Somebody else's snippet is there. Of a skipped cell: it is accepted."""
    NO_WAY_BACK = "no way back"
    """A rollback cannot take the cell back."""
    CHANGED_SINCE = "changed since"
    """Somebody else has changed the app data since a run read or wrote them."""
    MIGRATION = "migration"
    """The app data of the instance cannot be migrated."""
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the work on one cell ended, and why.

    `contents` are the hashes of what the cell holds now, by place, if known; None where nothing is set. `published` are
    the hashes of the wanted snippets that the cell certainly holds, by place.
    """

    outcome: CellOutcome
    reason: str | None = None
    cause: Cause | None = None
    contents: Mapping[Place, str | None] = field(default_factory=dict)
    published: Mapping[Place, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """How one cell ended. `instance` is the instance's display name; `key` is its keyed hash in the journal."""

    instance: str
    key: str
    language: str | None
    ending: Ending


_KEY = (
    "the service refused the API key; put the one that its portal gave into AWNING_API_KEY or a file named in "
    "AWNING_API_KEY_FILE. If it is there, the instances are of another app"
)
_HINTS: Mapping[Exit | Cause, str] = {
    Exit.INTERRUPTED: "interrupted: run it again to resume",
    Exit.FINDINGS: "nothing was written: the service is unreachable; run it again when it can be reached",
    Exit.PARTLY: "run it again when the reasons are mended: cells that are right are not written twice",
    Exit.REFUSED: f"nothing was written: {_KEY}",
    Cause.FAULT: "nothing was written: the service answers with errors of its own; run it again when it works",
    Cause.STALE: "the plan is stale for some cells: make it again (awning publish plan -o FILE) and apply that",
    Cause.NOT_THERE: "nothing was written: at the base URL is no Apps API (HTTP 404 each time); "
    "look at AWNING_BASE_URL or base_url of the profile: it ends in /v1",
}


_LASTING: Mapping[Cause, str] = {
    Cause.FOREIGN: "where somebody else's snippet is, running it again changes nothing: "
    "`awning publish drift acknowledge` accepts it, --overwrite-foreign writes over it",
    Cause.UNAUTHORIZED: "where the service refuses one instance and not the others (Unauthorized), the app is probably "
    "not installed there any more: `awning instances remove NAME`",
    Cause.CHANGED_SINCE: "where the app data were changed since, running it again changes nothing: "
    "--accept-newer-data writes all the same",
    Cause.MIGRATION: "where app data cannot be migrated, the old code and data stay: mend data.migrate.ts and build, "
    "or mend the data (`awning data set --force`, in their old form), and publish again",
    Cause.NO_WAY_BACK: "what cannot go back is refused each time, for the reason beside it",
}
"""The causes that running the verb again does not end, and what the operator can do."""
_PAUSED = "The run is paused: apply again continues it, and `awning publish cancel {}` ends it"
_TAKEN_BACK = "What the run wrote was taken back"
_NOTHING_TAKEN_BACK = "The run had written nothing: what the shops show is older, see `awning publish log`"


class SummaryCounts:
    """The counts of a run, and its first failures. The memory that they take does not grow with the number of cells.

    Only a rollback counts `releases`: its cells that are right, by the release whose snippet they hold now. None is for
    the snippets of no release.
    """

    def __init__(self) -> None:
        self.releases: Counter[int | None] = Counter()
        self.endings: Counter[tuple[CellOutcome, Cause | None]] = Counter()
        self.failures: list[CellResult] = []

    def add(self, result: CellResult) -> None:
        ending = result.ending
        self.endings[ending.outcome, ending.cause] += 1
        if ending.outcome not in RIGHT and len(self.failures) < FAILURES:
            self.failures.append(result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The summary of a run. `counts.failures` are the first cells that are not right.

    `stopped` is why the run was stopped early, for example by a gate; None when it was not. `wave` is the index of the
    wave where the run ended. `taken_back` is the summary of the rollback that followed, if any. `rolled_back` is the
    release that this rollback took back from all instances, or that this apply publishes again after such a rollback.
    """

    run: int
    counts: SummaryCounts
    interrupted: bool = False
    stopped: str | None = None
    waits: bool = False
    """Whether the gate that stopped the run is not decided, because too little is known yet."""
    wave: int = 0
    taken_back: "Summary | None" = None
    rolled_back: RolledBack | None = None
    schema_change: SchemaChange | None = None
    """The settings of which the instances may hold values that the build no longer fits, and none is migrated."""
    nothing_back: str | None = None
    """Why a rollback took nothing back, and what to do; None when it did."""
    too_many_calls: int = 0
    """How many of the service's responses meant "too many calls". Those to the workers of a fleet are not counted."""

    @property
    def totals(self) -> dict[str, int]:
        counts: Counter[CellOutcome] = Counter()
        for (outcome, _), count in self.counts.endings.items():
            counts[outcome] += count
        return {outcome.value: counts[outcome] for outcome in CellOutcome}

    @property
    def skipped_all(self) -> bool:
        """Whether every cell was skipped."""
        return all(outcome is CellOutcome.SKIPPED for outcome, _ in self.counts.endings)

    @property
    def not_built(self) -> int:
        """How many cells keep an earlier snippet, because the build lacks their language."""
        return self.counts.endings[CellOutcome.SKIPPED, Cause.NOT_BUILT]

    @property
    def failures(self) -> Sequence[CellResult]:
        return tuple(self.counts.failures)

    @property
    def exit_code(self) -> Exit:
        """The exit code: 0 when all cells are right; 5 when some are not, a plan is stale, or the run was stopped.

        When no cell was reached: 1 when the service is unreachable, has no Apps API or answers only with errors of its
        own, 6 when it refuses the key. A skipped cell with accepted foreign content was reached: it was read. An
        interrupted run has its own code.
        """
        if self.interrupted:
            return Exit.INTERRUPTED
        if self.stopped is not None:
            return Exit.PARTLY
        causes = self._causes
        if not causes:
            return Exit.DONE
        accepted = (CellOutcome.SKIPPED, Cause.FOREIGN)
        reached = any(ending[0] in REACHED or ending == accepted for ending in self.counts.endings)
        if not reached and (causes == {Cause.NOT_THERE} or causes <= {Cause.UNREACHABLE, Cause.FAULT}):
            return Exit.FINDINGS
        return Exit.REFUSED if not reached and causes == {Cause.UNAUTHORIZED} else Exit.PARTLY

    @property
    def _causes(self) -> set[Cause | None]:
        """Why cells are not right. A skipped cell counts when it was skipped because its plan is stale."""
        return {
            Cause.OTHER if outcome is CellOutcome.UNKNOWN else cause
            for outcome, cause in self.counts.endings
            if outcome not in RIGHT or cause is Cause.STALE
        }

    @property
    def hint(self) -> str | None:
        """What the operator can do next; None when nothing is left to do."""
        if self.stopped is not None:
            return f"{self.stopped}. {self._after_stop}"
        if self.exit_code is Exit.FINDINGS:
            cause = next((c for c in (Cause.NOT_THERE, Cause.FAULT) if c in self._causes), None)
            return _HINTS[cause or Exit.FINDINGS]
        if self._causes == {Cause.STALE}:
            return _HINTS[Cause.STALE]
        if self.exit_code is not Exit.PARTLY:
            return _HINTS.get(self.exit_code) or self.nothing_back
        lasting = [text for cause, text in _LASTING.items() if cause in self._causes]
        others = [_HINTS[Exit.PARTLY]] if self._causes - _LASTING.keys() else []
        return "; ".join([*others, *lasting])

    @property
    def _after_stop(self) -> str:
        if self.taken_back is None:
            return _PAUSED.format(self.run)
        return _NOTHING_TAKEN_BACK if self.taken_back.skipped_all else _TAKEN_BACK

    def as_json(self) -> dict[str, Any]:
        """Return the fields of the summary's JSON document. It has no cells: they may be too many to hold."""
        return {
            "ok": self.exit_code is Exit.DONE,
            "run": self.run,
            "totals": self.totals,
            "hint": self.hint,
            **({"releases": releases_json(self.counts.releases)} if self.counts.releases else {}),
            **({"too_many_calls": self.too_many_calls} if self.too_many_calls else {}),
            **({"not_built": self.not_built} if self.not_built else {}),
            **({} if self.stopped is None else {"stopped": self.stopped, "waits": self.waits}),
            **({} if self.taken_back is None else {"taken_back": self.taken_back.as_json()}),
            **({} if self.rolled_back is None else {"rolled_back": self.rolled_back.as_json()}),
            **({} if self.schema_change is None else {"schema_change": self.schema_change.as_json()}),
        }


def releases_json(releases: Mapping[int | None, int]) -> list[dict[str, int | None]]:
    """Return the numbers of cells by release for JSON documents, oldest release first."""
    return [{"release": number, "cells": count} for number, count in by_release(releases)]


def by_release(releases: Mapping[int | None, int]) -> Sequence[tuple[int | None, int]]:
    """Return the numbers of cells by release, oldest first. The cells of no release come last."""
    return sorted(releases.items(), key=lambda item: (item[0] is None, item[0] or 0))


def unread_exit_code(causes: AbstractSet[Cause], *, reached: bool) -> Exit:
    """Return the exit code of a run that only reads.

    `causes` are why cells could not be read; `reached` is whether at least one was read. The code is 0 without causes.
    When no cell was read, it is 1 if the service is unreachable or has no Apps API, and 6 if it refuses the key.
    Otherwise it is 5.
    """
    if not causes:
        return Exit.DONE
    if reached:
        return Exit.PARTLY
    if causes == {Cause.UNAUTHORIZED}:
        return Exit.REFUSED
    return Exit.FINDINGS if causes in ({Cause.UNREACHABLE}, {Cause.NOT_THERE}) else Exit.PARTLY


def unread_hint(code: Exit) -> str | None:
    """Return what the operator can do when a run that only reads could read nothing, by `unread_exit_code`."""
    match code:
        case Exit.REFUSED:
            return f"nothing was read: {_KEY}"
        case Exit.FINDINGS:
            return (
                "nothing was read: the service is unreachable, or at the base URL is no Apps API; "
                "look at AWNING_BASE_URL or base_url of the profile: it ends in /v1"
            )
        case _:
            return None


def ending_of(problem: ServiceError) -> Ending:
    """Return the ending of a cell whose call failed with `problem`."""
    outcome, cause = CellOutcome.FAILED, Cause.OTHER
    match problem:
        case Unauthorized():
            outcome, cause = CellOutcome.REFUSED, Cause.UNAUTHORIZED
        case Refused() if problem.status == NOT_FOUND:
            outcome, cause = CellOutcome.REFUSED, Cause.NOT_THERE
        case Refused() | BadAnswer() if _is_own_fault(problem):
            cause = Cause.FAULT
        case Refused():
            outcome = CellOutcome.REFUSED
        case BadAnswer() if problem.status == NOT_FOUND:
            cause = Cause.NOT_THERE
        case Unreachable():
            cause = Cause.UNREACHABLE
    return Ending(outcome=outcome, reason=problem.message, cause=cause)


def _is_own_fault(problem: Refused | BadAnswer) -> bool:
    """Return whether the HTTP status or the `error_code` is 5XX: an error of the service itself."""
    code = problem.error_code if isinstance(problem, Refused) else 0
    return max(code, problem.status or 0) >= FIRST_FAULT
