"""The values of a plan: what would happen to each cell, and the counts.

write       the cell holds nothing, another snippet that may be replaced, or an unknown content
unchanged   the cell holds the wanted snippet
adopt       the cell holds the wanted snippet, but the journal does not say so
conflict    the cell holds a snippet that is not ours; it is replaced only on request
refuse      a rollback cannot take the cell back; or the app data of the instance cannot be migrated
skip        the cell is not published, or could not be read
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from awning.contract import Exit
from awning.data_schema import Misfit, sentence_for
from awning.publish.cell_outcome import Cause, unread_exit_code
from awning.publish.cells import STAYS
from awning.publish.inventory.acknowledged import Acknowledgements
from awning.publish.text_difference import TextDifference

NOT_MIGRATED = "app data that cannot be migrated"


class DataAction(StrEnum):
    """What a run would do with the app data of an instance."""

    MIGRATE = "migrate"
    UNCHANGED = "unchanged"
    FAIL = "fail"
    """They cannot be migrated, so no cell of the instance would be written."""
    UNREAD = "unread"
    BACK = "back"
    """A rollback takes them back, before the snippets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMigration:
    """What would happen to the app data of an instance, and why they cannot be migrated or read."""

    action: DataAction
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"action": self.action.value, "reason": self.reason}


class Action(StrEnum):
    WRITE = "write"
    UNCHANGED = "unchanged"
    ADOPT = "adopt"
    CONFLICT = "conflict"
    REFUSE = "refuse"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCell:
    """What would happen to one cell.

    `instance` is the instance's display name (its keyed hash in a plan that was read from a file), `key` its keyed
    hash. `seq` is the number of the cell's last journal entry, 0 without one. `stamp` is `Instance.stamp`. An apply
    compares `seq` and `stamp` with the current values, to notice that a saved plan is stale. `cause` is why the cell
    could not be read. `release` is the release that a rollback takes the cell back to; None when no release has the
    snippet that would come back, and in other plans. `pinned` is the release at which the instance is held, or None.
    `writes_first` is whether an apply would write a snippet of the cell before it finds the foreign one of a conflict.
    `is_accepted` is whether the cell is skipped because its foreign content is accepted.
    """

    instance: str
    key: str
    language: str | None
    action: Action
    reason: str | None = None
    seq: int = 0
    stamp: str = ""
    cause: Cause | None = None
    release: int | None = None
    pinned: int | None = None
    writes_first: bool = False
    is_accepted: bool = False
    differences: tuple[TextDifference, ...] | None = None
    """How each place that would be written differs; None when nobody asked for it."""
    misfits: tuple[Misfit, ...] = ()
    """Where the instance's app data do not fit the build, if that was looked for."""
    migration: PlannedMigration | None = None
    """What would happen to the instance's app data; None where the build migrates none, or it was not tried."""

    def as_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "instance": self.instance,
            "language": self.language,
            "action": self.action.value,
            "reason": self.reason,
        }
        if self.differences is not None:
            row["differences"] = [difference.as_json() for difference in self.differences]
        if self.misfits:
            row["misfits"] = [misfit_sentence(misfit) for misfit in self.misfits]
        if self.migration is not None:
            row["migration"] = self.migration.as_json()
        return row


def misfit_sentence(misfit: Misfit) -> str:
    """Return why a setting of the app data does not fit. It does not show what a shop has stored."""
    return sentence_for(misfit, of="the app data", hidden=True)


def accept_foreign(cells: Iterable[PlannedCell], acknowledgements: Acknowledgements) -> Iterator[PlannedCell]:
    """Yield the cells. A conflict that is accepted today is skipped, as an apply skips it.

    A conflict of a cell with another snippet that an apply would write first stays one.
    """
    for cell in cells:
        is_conflict = cell.action is Action.CONFLICT and not cell.writes_first
        known = acknowledgements.covering(cell.key, cell.language) if is_conflict else None
        reason = f"{cell.reason}, {known.acceptance}" if known else cell.reason
        yield replace(cell, action=Action.SKIP, reason=reason, is_accepted=True) if known else cell


@dataclass(slots=True, kw_only=True)
class PlanSummary:
    """The counts of a plan. Each cell counts once. `groups` counts cells by action and reason.

    Instances whose app data cannot be migrated are one group: the reasons of thousands may all differ.

    `releases` counts the cells of a rollback that go back, or are back, by their release. `pinned` are the releases at
    which instances are held.
    """

    groups: Counter[tuple[Action, str | None]] = field(default_factory=Counter)
    releases: Counter[int | None] = field(default_factory=Counter)
    pinned: set[int] = field(default_factory=set)
    causes: set[Cause] = field(default_factory=set)
    """Why some cells could not be read."""
    reached: bool = False
    """Whether at least one cell was read. It counts only when `causes` are not empty."""

    def add(self, cell: PlannedCell) -> None:
        fails = cell.migration is not None and cell.migration.action is DataAction.FAIL
        reason = NOT_MIGRATED if fails and cell.action is Action.REFUSE else cell.reason
        self.groups[cell.action, reason] += 1
        self.reached |= cell.action is not Action.SKIP or cell.is_accepted
        if cell.action in {Action.WRITE, Action.UNCHANGED}:
            self.releases[cell.release] += 1
        if cell.pinned is not None:
            self.pinned.add(cell.pinned)
        if cell.cause is not None:
            self.causes.add(cell.cause)

    @property
    def totals(self) -> dict[str, int]:
        counts: Counter[Action] = Counter()
        for (action, _), count in self.groups.items():
            counts[action] += count
        return {action.value: counts[action] for action in Action}

    @property
    def not_built(self) -> int:
        """How many cells keep an earlier snippet, because the build lacks their language."""
        return self.groups[Action.SKIP, STAYS]

    @property
    def has_changes(self) -> bool:
        """Whether an apply would write a cell, or find a conflict."""
        return any(action in {Action.WRITE, Action.CONFLICT} for action, _ in self.groups)

    def exit_code(self, *, detailed: bool) -> Exit:
        """Return 1, 5 or 6 when cells could not be read; else 3 with `detailed` when there are changes; else 0."""
        if self.causes:
            return unread_exit_code(self.causes, reached=self.reached)
        return Exit.CHANGES if detailed and self.has_changes else Exit.DONE
