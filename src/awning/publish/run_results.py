"""Reads the results of a run from the journal, in the order of the inventory, without holding them all in memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind

ROWS = 1000
"""How many outcomes are matched with the inventory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """How one cell ended. `instance` is the instance's display name, or its keyed hash when it was removed."""

    instance: str
    language: str | None
    outcome: str
    reason: str | None

    def as_json(self) -> dict[str, Any]:
        return {
            "instance": self.instance,
            "language": self.language,
            "outcome": self.outcome,
            "reason": self.reason,
        }


def run_results(run: int, journal: Journal, inventory: Inventory) -> Iterator[ResultLine]:
    """Yield the result of every cell of a run. Cells of instances that are no longer in the inventory come last."""
    listed = 0
    for page in inventory.pages():
        names = {instance.key: instance.display_name for instance in page}
        outcomes = journal.outcomes(run, names)
        for key, name in names.items():
            for row in outcomes.get(key, ()):
                listed += 1
                yield _line(name, row)
    if listed == sum(journal.totals(run).values()):
        return
    ended = (row for row in journal.entries(run) if row["kind"] == EntryKind.OUTCOME)
    while rows := list(islice(ended, ROWS)):
        known = inventory.by_keys(list({row["instance"] for row in rows}))
        yield from (_line(row["instance"], row) for row in rows if row["instance"] not in known)


def _line(name: str, row: dict[str, Any]) -> ResultLine:
    return ResultLine(instance=name, language=row["language"], outcome=row["outcome"], reason=row["note"])
