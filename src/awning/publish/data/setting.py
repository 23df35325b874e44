"""`awning data set` for many instances: the settings of a file, merged with what each instance has.

A run that was killed, or where some instances are not right, is continued by the same command. It never writes over
what somebody has changed since the earlier run read it: such an instance is refused, unless newer data are accepted.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from awning.client import decode_app_data
from awning.client.secret import escaped
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
    value_at,
    value_changes,
    with_new_versions,
    with_versions_of,
)
from awning.data_schema.versions import VERSION_KEY
from awning.publish.cell_outcome import Cause, Ending
from awning.publish.data.change import DataRunChange, listed, refused
from awning.publish.data.writes import data_of, data_runs, data_writes, reached_in
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import RunKind, RunTask
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
