"""`awning data restore`: writes back what the app data of each instance were before a run changed them.

Only the settings that were changed go back. A setting that somebody has changed since is not written over: the instance
is refused, unless newer data are accepted. Other settings of the instance stay as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from awning.data_schema import RESERVED_KEY, take_back
from awning.errors import ConfigurationError
from awning.publish.cell_outcome import Cause, CellOutcome, Ending
from awning.publish.data.change import DataRunChange, listed, refused
from awning.publish.data.setting import NO_STRING
from awning.publish.data.writes import (
    DataRun,
    DataWrite,
    data_of,
    data_runs,
    data_writes,
    migrated_in,
    run_kinds,
    runs_that_changed,
)
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import RunKind, RunTask
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores

_CHANGES = frozenset({RunKind.DATA, RunKind.PUBLISH})
"""The kinds of runs that change settings, and not back. A publish migrates them."""
NOT_SINCE = "its app data were not changed in {}"
LOST = "the journal does not have the app data that were there before"
LISTS = "awning publish log lists the runs"


@dataclass(slots=True, kw_only=True)
class DataRestoring(DataRunChange):
    """Takes back run `run` and all later changes of settings; with None, the newest change of settings alone.

    A change that was continued by further runs is taken back with them.
    """

    run: int | None = None
    accepts_newer: bool = False
    _first: int = field(default=0, init=False)
    _runs: Sequence[int] | None = field(default=None, init=False)
    _journal: Journal = field(init=False, repr=False)

    @property
    def what(self) -> str:
        return f"app data back to what they were before run {self._first}"

    def task(self, request: ServiceRequest) -> RunTask:
        return RunTask(
            kind=RunKind.DATA_RESTORE, before_run=self._first, only=request.only, labels=request.labels
        )

    def prepare(self, request: ServiceRequest, stores: Stores) -> None:  # noqa: ARG002 - see DataRunChange
        """Choose the runs to take back. Raises ConfigurationError when there are none, or not this one."""
        self._journal = stores.journal
        known = list(data_runs(stores.journal))
        if self.run is None:
            self._choose_newest(known)
        elif all(each.run != self.run for each in known) and not migrated_in(stores.journal, self.run):
            raise ConfigurationError(f"run {self.run} changed no settings", hint=LISTS)
        else:
            self._first = self.run

    def _choose_newest(self, known: Sequence[DataRun]) -> None:
        # A change that was repeated where it was stored already changed nothing: the one before it goes back.
        changed = runs_that_changed(self._journal)
        of_data = (each for each in known if each.task.kind is RunKind.DATA)
        newest = next((each for each in of_data if each.run in changed), None)
        if newest is None:
            raise ConfigurationError("no run changed settings: there is nothing to restore", hint=LISTS)
        self._first = first = newest.task.continues or newest.run
        self._runs = [each.run for each in known if first in (each.run, each.task.continues)]

    def _writes_to(self, instance: Instance) -> Sequence[DataWrite]:
        """Return the writes to take back. Of the newest change, only those after the last other change."""
        writes = data_writes(self._journal, instance.key, None, self._first)
        if self._runs is None:
            return writes
        kinds = run_kinds(self._journal, {write.run for write in writes})
        own: list[DataWrite] = []
        for write in writes:
            if write.run in self._runs:
                own.append(write)
            elif kinds.get(write.run) in _CHANGES and write.before != write.after:
                own.clear()
        return own

    def wanted(self, instance: Instance, stored: Any) -> Any:
        writes = self._writes_to(instance)
        if not writes:
            runs = f"run {self._first}" + (" or later" if self._runs is None else "")
            return Ending(outcome=CellOutcome.SKIPPED, reason=NOT_SINCE.format(runs))
        try:
            states = [
                (data_of(self._journal, write.before), data_of(self._journal, write.after))
                for write in writes
            ]
        except LookupError:
            return refused(LOST, Cause.NO_WAY_BACK)
        back = take_back(stored, states)
        if back.changed_since and not self.accepts_newer:
            last = writes[-1].run
            reason = f"changed by somebody else since run {last}: {listed(back.changed_since)}"
            return refused(reason, Cause.CHANGED_SINCE)
        if not isinstance(back.wanted, str):
            return back.wanted
        if isinstance(stored, dict) and RESERVED_KEY in stored:
            return refused(NO_STRING, Cause.NO_WAY_BACK)
        # The text as it was, because its decoded form is another text.
        texts = (
            write.before for write, (before, _) in zip(writes, states, strict=True) if before == back.wanted
        )
        sha256 = next(texts, None)
        return back.wanted if sha256 is None else self._journal.snippet(sha256)
