"""Disables and enables a widget in shops, through the reserved key of their app data (`awning.data_schema`).

    each instance   read the app data -> is the widget already as wanted?  unchanged
                                      -> change the list of disabled widgets -> write -> read back

The service has no call that changes a part of the app data. So all of them are read and written back, and only the
value of the reserved key changes. Snippets are not written. So a widget is not disabled at an instance whose snippets
were built without the kill switch: that instance is refused.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from awning.build_record import BuildRecord
from awning.client import (
    Calling,
    NoResponse,
    Operation,
    Response,
    apps,
    call,
    encode_app_data,
)
from awning.client.flow import Sender
from awning.data_schema import disabled_widgets, with_disabled
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError, ServiceError
from awning.publish.app_data import app_data_of
from awning.publish.cell_flow import Await, PublishFlow, judged
from awning.publish.cell_outcome import (
    Cause,
    CellOutcome,
    CellResult,
    Ending,
    Summary,
    SummaryCounts,
    ending_of,
)
from awning.publish.cells import Cell
from awning.publish.event_loop import stopping
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, RunKind
from awning.publish.release.releases import Releases
from awning.publish.requests import ServiceRequest
from awning.publish.run_status import fence_runs, lock_runs
from awning.publish.runner import CellWork, run_cells
from awning.publish.state.app_data_lock import AppDataLocks, app_data_taken
from awning.publish.state.store import Held, StateStore
from awning.publish.stores import Stores

NOT_AN_OBJECT = "the stored app data are not a JSON object"
NO_SWITCH = "{} was built without the kill switch: publish a build that has it"
RAW = "in {} the widget is a script of its own, which the runtime does not start"
OTHER_DATA = "other app data read back: something else wrote at the same time; run it again"
LOST = NoResponse(why="the lock of the state store was lost", sent=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetSwitch:
    """One widget, and whether to disable or enable it.

    `current` is the record of the workspace's build, if there is one.
    """

    widget: str
    disable: bool
    current: BuildRecord | None = None
    operator: str = ""
    sink: Callable[[CellResult], object] = id
    """Called with the result of each instance."""

    @property
    def verb(self) -> str:
        return "disable" if self.disable else "enable"


def switch_widget(switch: WidgetSwitch, request: ServiceRequest, state: StateStore) -> Summary:
    """Disable or enable the widget on every instance of the request.

    Raises ConfigurationError when no build has the widget or when it cannot be disabled, Busy when a publish runs or an
    installation takes too long, DatabaseUnusable when the journal is damaged, and JournalUnwritable when the journal
    cannot be written.
    """
    with lock_runs(state) as held, Stores(state) as stores, closing(state.app_data_locks()) as locks:
        journal = stores.journal
        journal.check()
        fence_runs(stores.runs, stores.windows)
        check_widget(switch, stores.releases)
        what = f"{switch.verb} {switch.widget}, at {request.access.base_url}"
        run = journal.begin(what, operator=switch.operator, task=request.task(RunKind.SWITCH))
        settings = request.settings()
        work = SwitchWork(switch, settings.calling, stores, locks)

        async def run_work() -> bool:
            transport = request.transport()
            with stopping(settings.stop, settings.hurry):
                async with transport:
                    send = _only_while(held, transport.send)
                    return await run_cells(request.instances, work, settings, send)

        with asyncio.Runner() as runner:
            interrupted = runner.run(run_work())
        summary = Summary(run=run, counts=work.counts, interrupted=interrupted)
        totals = ", ".join(f"{count} {outcome}" for outcome, count in summary.totals.items() if count)
        how = "interrupted" if interrupted else "finished"
        note = f"{how}: {totals or 'no instances'}"
        journal.append([JournalEntry(run=run, kind=EntryKind.END, note=note)])
        return summary


def check_widget(switch: WidgetSwitch, releases: Releases) -> None:
    """Check that some build has the widget. Before disabling it, also check that the runtime starts it.

    The newest build that has the widget counts. Raises ConfigurationError when a check fails.
    """
    names: set[str] = set()
    for record in _records(switch.current, releases):
        widget = next((widget for widget in record.widgets if widget.name == switch.widget), None)
        if widget is None:
            names |= {widget.name for widget in record.widgets}
        elif widget.raw and switch.disable:
            raise ConfigurationError(
                f'the widget "{switch.widget}" cannot be disabled: its script subscribes by itself, '
                "and the runtime does not start it",
                hint="export a slot from widget.ts, or publish a build without the widget",
            )
        else:
            return
    hint = did_you_mean(switch.widget, names) or (f"widgets: {', '.join(sorted(names))}" if names else None)
    raise ConfigurationError(
        f'no build has a widget "{switch.widget}"', hint=hint or "run: awning build; or publish a build first"
    )


def _records(current: BuildRecord | None, releases: Releases) -> Iterator[BuildRecord]:
    """Yield the records of the current build and of all releases, newest first."""
    if current is not None:
        yield current
    for release in reversed(releases.all()):
        yield releases.record(release.number)


class SwitchWork(CellWork[Ending]):
    """Changes the app data of each instance."""

    def __init__(self, switch: WidgetSwitch, calling: Calling, stores: Stores, locks: AppDataLocks) -> None:
        self.counts = SummaryCounts()
        self._switch = switch
        self._calling = calling
        self._stores = stores
        self._locks = locks
        self._reasons: dict[str | None, str | None] = {}

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        instance = cell.instance
        if self._switch.disable:
            reason = self._reason_against(instance)
            if reason is not None:
                return Ending(outcome=CellOutcome.REFUSED, reason=reason, cause=Cause.OTHER)
        taken: list[bool] = []

        async def take() -> None:
            taken.append(await self._locks.wait(instance.key))

        yield Await(take)
        if taken != [True]:
            reason = app_data_taken().message
            return Ending(outcome=CellOutcome.FAILED, reason=reason, cause=Cause.OTHER)
        try:
            return (yield from self._change(instance))
        finally:
            self._locks.release(instance.key)

    def _change(self, instance: Instance) -> PublishFlow[Ending]:
        """Read the app data, and write them if the list of disabled widgets must change.

        The caller holds the lock of the instance's app data.
        """
        try:
            stored = yield from app_data_of(instance.code, self._calling)
        except ServiceError as problem:
            return ending_of(problem)
        if not isinstance(stored, dict):
            return Ending(outcome=CellOutcome.REFUSED, reason=NOT_AN_OBJECT, cause=Cause.OTHER)
        widget, before = self._switch.widget, disabled_widgets(stored)
        if (widget in before) is self._switch.disable:
            return Ending(outcome=CellOutcome.UNCHANGED)
        after = {*before, widget} if self._switch.disable else {*before} - {widget}
        return (yield from self._write(instance, stored, with_disabled(stored, after)))

    def ended(self, cell: Cell, result: Ending) -> None:
        instance = cell.instance
        done = CellResult(instance=instance.display_name, key=instance.key, language=None, ending=result)
        self.counts.add(done)
        self._switch.sink(done)

    def not_run(self, cell: Cell, ending: Ending) -> Ending:  # noqa: ARG002 - see CellWork
        return ending

    def _write(
        self, instance: Instance, stored: dict[str, Any], wanted: dict[str, Any]
    ) -> PublishFlow[Ending]:
        """Write all app data of the instance, and read them back."""
        encoded = encode_app_data(wanted)
        problem: ServiceError | None = None
        try:
            yield from call(apps.set_data(instance.code, encoded), self._calling)
        except ServiceError as error:
            if not error.unclear:
                return ending_of(error)
            problem = error
        try:
            now = yield from app_data_of(instance.code, self._calling)
        except ServiceError as unread:
            written = f"{problem.message}; and" if problem else "accepted, but"
            reason = f"{written} it could not be read back ({unread.message})"
            return Ending(outcome=CellOutcome.UNKNOWN, reason=reason)
        if now not in (stored, wanted):
            return Ending(outcome=CellOutcome.FAILED, reason=OTHER_DATA, cause=Cause.OTHER)
        ending, _ = judged(
            wanted=encoded, before=encode_app_data(stored), now=encode_app_data(now), problem=problem
        )
        return ending

    def _reason_against(self, instance: Instance) -> str | None:
        """Return why the snippets of an instance cannot disable the widget; None when no reason is known."""
        records = self._stores.journal.cells(instance.key).values()
        published = {r.contents["body"].published for r in records if "body" in r.contents} - {None}
        for sha256 in published or {None}:
            if sha256 not in self._reasons:
                self._reasons[sha256] = self._reason_of(sha256)
            if self._reasons[sha256] is not None:
                return self._reasons[sha256]
        return None

    def _reason_of(self, sha256: str | None) -> str | None:
        """Return why one snippet cannot disable the widget; None when no reason is known.

        The hash None stands for the current build.
        """
        record, name = self._switch.current, "the build in dist/"
        if sha256 is not None:
            text = self._stores.releases.text(sha256)
            number = None if text is None else self._stores.newest_release_with(text)
            if number is None:
                return None
            record, name = self._stores.releases.record(number), f"release {number}, which it has,"
        if record is None:
            return None
        if any(widget.raw for widget in record.widgets if widget.name == self._switch.widget):
            return RAW.format(name.rstrip(","))
        return None if record.kill_switch else NO_SWITCH.format(name)


def _only_while(held: Held, send: Sender) -> Sender:
    """Return a sender that writes only while the lock is held. Without the lock, it returns LOST for a write."""

    async def guarded(operation: Operation[object]) -> Response | NoResponse:
        if operation.method != "GET" and not await asyncio.to_thread(held):
            return LOST
        return await send(operation)

    return guarded
