"""One run that changes the app data of many instances, from lock to summary; and what it would change."""

import asyncio
from collections.abc import Callable
from contextlib import closing

from awning.publish.cell_outcome import Summary
from awning.publish.data.change import AppDataChange
from awning.publish.data.work import DataPlanWork, DataWork, PlannedData, Sink
from awning.publish.event_loop import loop_factory, reduce_collections, stopping
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import OF_DATA, writes_under_way
from awning.publish.pacing import HostPace
from awning.publish.reading import read_all
from awning.publish.requests import ServiceRequest
from awning.publish.run_status import fence_runs, lock_runs
from awning.publish.runner import run_cells
from awning.publish.state.app_data_lock import AppDataLocks
from awning.publish.state.store import Held, StateStore
from awning.publish.stores import Stores


def change_app_data(
    change: AppDataChange, request: ServiceRequest, state: StateStore, *, operator: str, sink: Sink
) -> Summary:
    """Change the app data of every instance of the request. `sink` gets each result.

    Raises what `change.prepare` raises, Busy when a publish runs or an installation takes too long, DatabaseUnusable
    when the journal is damaged, and JournalUnwritable when the journal cannot be written or the lock is lost.
    """
    with (
        lock_runs(state) as held,
        Stores(state) as stores,
        closing(Journal.open(state)) as written,
        closing(state.app_data_locks()) as locks,
    ):
        stores.journal.check()
        fence_runs(stores.runs, stores.windows)
        change.prepare(request, stores)
        what = f"{change.what}, at {request.access.base_url}"
        run = stores.journal.begin(what, operator=operator, task=change.task(request))
        with reduce_collections(), asyncio.Runner(loop_factory=loop_factory()) as runner:
            return runner.run(
                _change(change, request, stores, written, run=run, held=held, locks=locks, sink=sink)
            )


async def _change(
    change: AppDataChange,
    request: ServiceRequest,
    stores: Stores,
    written: Journal,
    *,
    run: int,
    held: Held,
    locks: AppDataLocks,
    sink: Sink,
) -> Summary:
    settings = request.settings()
    settled_at = writes_under_way(stores.journal, timeout_s=request.limits.total_s, kinds=OF_DATA)
    host = HostPace(settings.pace)
    transport = request.transport()
    with stopping(settings.stop, settings.hurry):
        async with JournalWriter(written, held) as writer, transport:
            work = DataWork(change, run, settings, writer, locks, settled_at=settled_at, sink=sink)
            interrupted = await run_cells(
                request.instances, work, settings, transport.send, writer, host=host
            )
            note = "interrupted" if interrupted else "finished"
            await writer.write(JournalEntry(run=run, kind=EntryKind.END, note=note))
    return Summary(run=run, counts=work.counts, interrupted=interrupted, too_many_calls=host.too_many)


def plan_app_data(
    change: AppDataChange,
    request: ServiceRequest,
    stores: Stores,
    sink: Callable[[PlannedData], object],
) -> None:
    """Say what a change would do to each instance: `sink` gets it. Nothing is written.

    Raises what `change.prepare` raises, and KeyboardInterrupt when the run is interrupted.
    """
    change.prepare(request, stores)
    settings = request.settings()
    read_all(request, settings, DataPlanWork(change, settings.calling, sink))
