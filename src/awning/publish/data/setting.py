"""`awning data set` and `restore`: the settings of a file, merged with what instances have, and what they had before.

A run that was killed, or where some instances are not right, is continued by the same command. It never writes over
what somebody has changed since the earlier run read it: such an instance is refused, unless newer data are accepted.

A write to one instance is journaled as those to many are. It takes no lock of publishers, because it is one call: it
may run while a publish does, as an installation may.

`restore` takes back only the settings that a run has changed. A setting that somebody has changed since is not written
over: the instance is refused, unless newer data are accepted. Other settings of the instance stay as they are.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from awning.client import Client, decode_app_data
from awning.client.secret import escaped
from awning.client.sync_client import store_app_data
from awning.data_schema import (
    RESERVED_KEY,
    SchemaPart,
    app_misfits,
    are_same,
    change_of,
    data_version,
    earlier_parts,
    keep_reserved,
    later_parts,
    schema_version,
    sentence_for,
    take_back,
    value_at,
    value_changes,
    with_new_versions,
    with_versions_of,
)
from awning.data_schema.versions import VERSION_KEY
from awning.errors import ConfigurationError, ServiceError
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.data.change import AppData, DataRunChange, listed, refused, text_of
from awning.publish.data.work import DataStep, data_outcome
from awning.publish.data.writes import (
    DataRun,
    DataWrite,
    data_of,
    data_runs,
    data_writes,
    migrated_in,
    reached_in,
    run_kinds,
    runs_that_changed,
)
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, RunKind, RunTask
from awning.publish.journal.writes import writes_under_way
from awning.publish.release.build_files import sha256_of
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores

OTHER_VERSION = (
    '"{0}" has data of version {1}, and the build describes version {2}: publish it, which migrates them; '
    "to mend data of version {1}, --force"
)
FILE_VERSION = 'its "_version" of "{}" is {}, and the build describes version {}: leave it out, or --force it'
NO_STRING = (
    f'a string cannot keep "{RESERVED_KEY}", which names the widgets that are disabled: '
    "`awning publish enable` them first"
)


@dataclass(slots=True, kw_only=True)
class DataSetting(DataRunChange):
    """Stores `values`: merged with what is stored, or `alone`.

    `schema` is that of the last build, None for no check. With `force`, data that do not fit are stored. With
    `accepts_newer`, a continued run also writes where somebody has changed the data since. `source` names the file.
    """

    values: Any
    source: str
    alone: bool = False
    force: bool = False
    accepts_newer: bool = False
    schema: SchemaPart | None = None
    continues: int | None = field(default=None, init=False)
    _runs: Sequence[int] = field(default=(), init=False)
    _others: Sequence[int] = field(default=(), init=False)
    _journal: Journal = field(init=False, repr=False)

    @property
    def what(self) -> str:
        how = "replace app data by" if self.alone else "set app data of"
        return f"{how} {escaped(self.source)}"

    def task(self, request: ServiceRequest) -> RunTask:
        return RunTask(
            kind=RunKind.DATA,
            only=request.only,
            labels=request.labels,
            digest=self._digest(request),
            continues=self.continues,
        )

    def prepare(self, request: ServiceRequest, stores: Stores) -> None:
        """Find the unfinished runs of the same change, which this one continues.

        A restore ends the change where it was restored: for some instances, or for all. Another change ends it for the
        instances that it wrote to.
        """
        self._journal = stores.journal
        digest, series, others = self._digest(request), [], []
        for known in data_runs(stores.journal):
            if known.task.kind is RunKind.DATA_RESTORE:
                if not (known.task.only or known.task.labels):
                    break
                others.append(known.run)
            elif known.task.digest == digest:
                if known.is_complete:
                    break
                series.append(known.run)
            else:
                others.append(known.run)
        self._runs, self._others = tuple(series), tuple(others)
        self.continues = min(series, default=None)

    def _digest(self, request: ServiceRequest) -> str:
        about = [self.values, self.alone, request.access.base_url, *request.only, "labels", *request.labels]
        return sha256_of(json.dumps(about, sort_keys=True))

    def wanted(self, instance: Instance, stored: Any) -> Any:
        change = change_of(stored, self.values, alone=self.alone)
        if change.lost and not self.alone:
            lost = f"it would drop what is stored: {listed(change.lost)}"
            return refused(f"{lost}; --replace stores it alone")
        other = self._other_version(stored)
        if other is not None:
            return refused(other)
        unfit = self._misfit(change.checked)
        if unfit is not None:
            return refused(unfit)
        if isinstance(change.wanted, str):
            has_reserved = isinstance(stored, dict) and RESERVED_KEY in stored
            wanted: Any = refused(NO_STRING) if has_reserved and not self.force else change.wanted
        else:
            wanted = keep_reserved(change.wanted, stored)
            schema = self.schema or SchemaPart()
            if self.alone and self.force:
                wanted = with_versions_of(
                    stored, wanted, schema
                )  # forced data may be of the version that is there
            wanted = with_new_versions(wanted, {} if self.alone and not self.force else stored, schema)
        return self._unless_changed(instance, stored, wanted)

    def _other_version(self, stored: Any) -> str | None:
        """Return why settings of the build must not be merged with those of another version; None when they may be."""
        if self.schema is None or self.force or not isinstance(self.values, Mapping):
            return None
        for widget, part in self.schema.properties.items():
            own = self.values.get(widget)
            if isinstance(own, Mapping) and VERSION_KEY in own and data_version(own) != schema_version(part):
                # Stored with that version, they would be migrated once more, or never again.
                return FILE_VERSION.format(widget, data_version(own), schema_version(part))
        if self.alone:
            return None
        names = (*earlier_parts(stored, self.schema), *later_parts(stored, self.schema))
        name = next((name for name in names if name in self.values), None)
        if name is None:
            return None
        version, wanted = data_version(stored[name]), schema_version(self.schema.properties[name])
        return OTHER_VERSION.format(name, version, wanted)

    def _misfit(self, checked: Any) -> str | None:
        """Return why the data do not fit the schema; None when they fit, or need not."""
        if self.schema is None or self.force or (isinstance(checked, str) and not self.schema.properties):
            return None
        as_read = decode_app_data(checked) if isinstance(checked, str) else checked
        misfits = [sentence_for(m, of="the app data", hidden=True) for m in app_misfits(as_read, self.schema)]
        more = f", and {len(misfits) - 1:,} more" if len(misfits) > 1 else ""
        return f"it would not fit the schema: {misfits[0]}{more}" if misfits else None

    def _unless_changed(self, instance: Instance, stored: Any, wanted: Any) -> Any:
        """Return `wanted`, or a refusal when the run is continued, and somebody has changed the data since."""
        if self.accepts_newer or isinstance(wanted, Ending):
            return wanted
        runs = self._continued(instance)
        if not runs:
            return wanted
        new = decode_app_data(wanted) if isinstance(wanted, str) else wanted
        paths = [change.path for change in value_changes(stored, new)]
        writes = data_writes(self._journal, instance.key, runs, min(runs))
        if not reached_in(self._journal, instance.key, runs):
            if not writes:
                return wanted
            try:
                before = data_of(self._journal, writes[-1].before)
            except LookupError:
                before = {}
            paths = [path for path in paths if not are_same(value_at(stored, path), value_at(before, path))]
        if not paths:
            return wanted
        run = writes[-1].run if writes else max(runs)
        reason = f"changed by somebody else since run {run}: {listed(paths)}"
        return refused(reason, Cause.CHANGED_SINCE)

    def _continued(self, instance: Instance) -> Sequence[int]:
        """Return the continued runs after the last restore of the instance, or the last other change of it."""
        if not self._runs or not self._others:
            return self._runs
        ended = data_writes(self._journal, instance.key, self._others, min(self._runs))
        return [run for run in self._runs if not ended or run > ended[-1].run]


def wait_until_settled(instance: Instance, stores: Stores, *, timeout_s: float) -> None:
    """Wait while an earlier write of the app data, such as that of a killed run, may still be performed.

    `timeout_s` is the request timeout, in seconds. Read the app data only after this: a late write would replace what
    is stored now.
    """
    doubts = writes_under_way(stores.journal, timeout_s=timeout_s)
    wait_s = doubts.data.get((instance.key, None), 0.0) - time.time()
    if wait_s > 0:
        time.sleep(wait_s)


def store_journaled(
    client: Client,
    instance: Instance,
    stored: AppData,
    encoded: str,
    stores: Stores,
    *,
    what: str,
    operator: str,
) -> tuple[int, Ending]:
    """Journal the write, store the encoded app data, and read them back. Returns the number of the run, and its ending.

    Data that are stored already are not written. The caller holds the lock of the app data.

    Raises ServiceError when the data are not stored or cannot be read back, DatabaseUnusable when the journal is
    damaged, and JournalUnwritable when it cannot be written.
    """
    journal, values = stores.journal, AppData.of(encoded).values
    run = journal.begin(what, operator=operator, task=RunTask(kind=RunKind.DATA, only=(instance.key,)))
    ending = Ending(outcome=CellOutcome.UNCHANGED)
    try:
        if stored.raw is None or not are_same(values, stored.values):
            ending = Ending(outcome=CellOutcome.UNKNOWN, reason="interrupted while it was written")
            step = DataStep(
                instance=instance,
                run=run,
                calling=client.calling,
                late_s=None,
                text=encoded,
                form=text_of(values),
            )
            intent = step.intent(stored.text)
            journal.append([intent.entry], intent.texts)
            store_app_data(client, instance.code, encoded)
            ending = Ending(outcome=CellOutcome.APPLIED)
    except ServiceError as problem:
        unclear = Ending(outcome=CellOutcome.UNKNOWN, reason=problem.message)
        ending = unclear if problem.unclear else ending_of(problem)
        raise
    finally:
        end = JournalEntry(run=run, kind=EntryKind.END, note="finished")
        journal.append([data_outcome(run, instance, ending), end])
    return run, ending


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
