"""One run that changes the app data of many instances, from lock to summary; and what it would change."""

from collections.abc import Callable

from awning.publish.cell_outcome import Summary
from awning.publish.data.change import DataRunChange
from awning.publish.data.work import DataPlanWork, DataWork, PlannedData, Sink
from awning.publish.event_loop import run_in_loop, stopping
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import writes_under_way
from awning.publish.pacing import HostPace
from awning.publish.reading import read_all
from awning.publish.requests import ServiceRequest
from awning.publish.run_status import OpenRun, opening_run
from awning.publish.runner import run_cells
from awning.publish.state.store import StateStore
from awning.publish.stores import Stores


def change_app_data(
    change: DataRunChange, request: ServiceRequest, state: StateStore, *, operator: str, sink: Sink
) -> Summary:
    """Change the app data of every instance of the request. `sink` gets each result.

    Raises what `change.prepare` raises, Busy when a publish runs or an installation takes too long, DatabaseUnusable
    when the journal is damaged, and JournalUnwritable when the journal cannot be written or the lock is lost.
    """
    with opening_run(state) as opened:
        change.prepare(request, opened.stores)
        what = f"{change.what}, at {request.access.base_url}"
        run = opened.stores.journal.begin(what, operator=operator, task=change.task(request))
        return run_in_loop(_change(change, request, opened, run, sink))


async def _change(
    change: DataRunChange, request: ServiceRequest, opened: OpenRun, run: int, sink: Sink
) -> Summary:
    settings = request.settings()
    settled_at = writes_under_way(opened.stores.journal, timeout_s=request.limits.total_s).data
    host = HostPace(settings.pace)
    transport = request.transport()
    with stopping(settings.stop, settings.hurry):
        async with JournalWriter(opened.written, opened.held) as writer, transport:
            work = DataWork(change, run, settings, writer, opened.locks, settled_at=settled_at, sink=sink)
            interrupted = await run_cells(
                request.instances, work, settings, transport.send, writer, host=host
            )
            note = "interrupted" if interrupted else "finished"
            await writer.write(JournalEntry(run=run, kind=EntryKind.END, note=note))
    return Summary(run=run, counts=work.counts, interrupted=interrupted, too_many_calls=host.too_many)


def plan_app_data(
    change: DataRunChange,
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
