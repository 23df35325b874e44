"""How cells end, and what that makes of a run.

    applied     written, and read back equal
    unchanged   was there already; nothing was sent but reads
    skipped     not meant for this website: a language that either side lacks, or the run was interrupted before
    refused     the service said no
    failed      could not be done; nothing was changed, or what reads back is not what was written: an answer says so,
                or nothing was sent
    unknown     sent, and nobody could tell what came of it; the next run finds out by reading

Every cell ends in exactly one of them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from awning.contract import Exit
from awning.errors import Refused, ServiceError, Unauthorized, Unreachable


class Outcome(StrEnum):
    APPLIED = "applied"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    REFUSED = "refused"
    FAILED = "failed"
    UNKNOWN = "unknown"


RIGHT = frozenset({Outcome.APPLIED, Outcome.UNCHANGED, Outcome.SKIPPED})


class Cause(StrEnum):
    """What kept a cell from being right, as far as exit codes tell it apart."""

    UNREACHABLE = "unreachable"
    UNAUTHORIZED = "unauthorized"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How one cell ended, and why where that needs saying."""

    outcome: Outcome
    reason: str | None = None
    cause: Cause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """One line of the summary. `instance` is shown to people; `key` is what the journal knows it by."""

    instance: str
    key: str
    language: str | None
    ending: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A whole run: every cell counted once."""

    run: int
    results: Sequence[CellResult]
    interrupted: bool = False

    @property
    def totals(self) -> dict[str, int]:
        counts = Counter(result.ending.outcome for result in self.results)
        return {outcome.value: counts[outcome] for outcome in Outcome}

    @property
    def exit_code(self) -> Exit:
        """Design: nothing written because the service was unreachable 1, key refused 6, some cells not right 5."""
        if self.interrupted:
            return Exit.INTERRUPTED
        wrong = [r.ending for r in self.results if r.ending.outcome not in RIGHT]
        if not wrong:
            return Exit.DONE
        reached = any(r.ending.outcome in {Outcome.APPLIED, Outcome.UNCHANGED} for r in self.results)
        causes = {Cause.OTHER if e.outcome is Outcome.UNKNOWN else e.cause for e in wrong}
        if not reached and causes == {Cause.UNREACHABLE}:
            return Exit.FINDINGS
        return Exit.REFUSED if not reached and causes == {Cause.UNAUTHORIZED} else Exit.PARTLY

    def as_json(self) -> dict[str, Any]:
        return {
            "schema_version": 1,
            "ok": self.exit_code is Exit.DONE,
            "totals": self.totals,
            "cells": [
                {
                    "instance": result.instance,
                    "language": result.language,
                    "outcome": result.ending.outcome.value,
                    "reason": result.ending.reason,
                }
                for result in self.results
            ],
        }


def ending_of(problem: ServiceError) -> Ending:
    """How a cell ends that `problem` kept from being written."""
    match problem:
        case Unauthorized():
            return Ending(outcome=Outcome.REFUSED, reason=problem.message, cause=Cause.UNAUTHORIZED)
        case Refused() if problem.status is None or problem.status < 500:  # noqa: PLR2004 - 5XX: its own fault
            return Ending(outcome=Outcome.REFUSED, reason=problem.message, cause=Cause.OTHER)
        case Unreachable():
            return Ending(outcome=Outcome.FAILED, reason=problem.message, cause=Cause.UNREACHABLE)
        case _:
            return Ending(outcome=Outcome.FAILED, reason=problem.message, cause=Cause.OTHER)
