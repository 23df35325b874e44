"""The status of the run under way or unfinished: how far it is, how fast, with which workers. The publishers' lock."""

from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from awning.errors import DatabaseUnusable
from awning.publish.fleet.chunks import Chunks, ChunkTotals
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind
from awning.publish.state.app_data_lock import AppDataLocks
from awning.publish.state.server import StateServer
from awning.publish.state.store import AnotherPublish, Busy, Held, StateStore
from awning.publish.stores import Stores
from awning.publish.waves.run_state import RunRecord, RunState

NEWEST = 2000
"""The rate of a run is computed from its newest outcomes, at most this many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """The status of a run that is under way or unfinished. `totals` counts its cells by outcome.

    `is_under_way` is whether a process publishes it now. If so, `rate` is the recent number of cells per second, None
    when it is not known or the run waits at a gate, and `lowered_to` the rate in calls per second to which the
    service's "too many calls" lowered the run. `chunks` are the chunks of a fleet's run.
    """

    record: RunRecord
    totals: dict[str, int]
    is_under_way: bool
    rate: float | None
    lowered_to: float | None
    chunks: ChunkTotals | None

    def as_json(self) -> dict[str, Any]:
        chunks = self.chunks
        document = {
            **self.record.as_json(),
            "gate_since": self.record.gate_since if self.is_under_way else None,
            "is_under_way": self.is_under_way,
            "totals": self.totals,
            "rate": self.rate,
            "calls_per_s": self.lowered_to,
        }
        if chunks is not None:
            document["chunks"] = {
                "waiting": chunks.waiting,
                "running": chunks.running,
                "closed": chunks.closed,
            }
            document["workers"] = list(chunks.workers)
        return document

    def lines(self) -> Sequence[str]:
        """Return the status as sentences."""
        record, waves = self.record, self.record.rollout.waves
        where = f", {record.passed} of {len(waves)} waves have passed" if waves else ""
        cells = ", ".join(f"{n:,} {outcome}" for outcome, n in self.totals.items()) or "no cells yet"
        rate = "" if self.rate is None else f", {self.rate:,.0f} cells/s lately"
        gate = record.rollout.gate
        at_gate = self.is_under_way and record.gate_since is not None
        is_dead = record.state is RunState.RUNNING and not self.is_under_way
        how = "was killed" if is_dead else f"is {record.state.value}"
        lines = [f"run {record.run}, release {record.release}, {how}{where}: {cells}{rate}"]
        if is_dead:
            lines.append(f"  no process publishes it now: awning publish resume {record.run} continues it")
        if at_gate:
            wait = f", which waits {gate.wait_s:,.0f} s" if gate.wait_s else ""
            lines.append(
                f"  it waits at the gate after wave {record.passed + 1} since {record.gate_since}{wait}"
            )
        if self.lowered_to is not None:
            lines.append(f'  the service answers "too many calls": at most {self.lowered_to:,.0f} calls/s')
        if record.reason:
            lines.append(f"  {record.reason}")
        if self.chunks is not None and not self.chunks.is_done:
            chunks, names = self.chunks, ", ".join(self.chunks.workers) or "no worker"
            counts = (
                f"{chunks.closed:,} done, {chunks.running:,} under way ({names}), {chunks.waiting:,} wait"
            )
            lines.append(f"  chunks: {counts}")
        return lines


def run_status(stores: Stores, under_way: Container[int]) -> RunStatus | None:
    """Return the status of the run under way, else of the unfinished run; None when there is neither.

    `under_way` are the `runs_under_way`. A run to some instances may be under way while another one is paused.
    """
    runs, journal = stores.runs, stores.journal
    running = max((run for run in runs.running() if run in under_way), default=None)
    record = runs.unfinished() if running is None else runs.get(running)
    if record is None:
        return None
    is_under_way = running is not None
    chunks = None
    if isinstance(stores.state, StateServer):
        with closing(Chunks.open(stores.state)) as opened:
            chunks = opened.totals(record.run)
    return RunStatus(
        record=record,
        totals=journal.totals(record.run),
        is_under_way=is_under_way,
        rate=_rate(journal, record.run) if is_under_way and record.gate_since is None else None,
        lowered_to=runs.lowered_to(record.run) if is_under_way else None,
        chunks=chunks if chunks and chunks.waiting + chunks.running + chunks.closed else None,
    )


def runs_under_way(stores: Stores) -> frozenset[int]:
    """Return the runs that a process publishes now. A killed run is not under way, although its state is `running`."""
    running = stores.runs.running()
    try:
        with stores.state.lock_installation() as installing:
            if not installing.is_publishing:
                return frozenset()
    except Busy:  # a publish holds the installation lock, so it is just beginning
        pass
    return running | {stores.journal.last_run()}


@contextmanager
def lock_runs(state: StateStore) -> Iterator[Held]:
    """Hold the publishers' lock (`StateStore.lock_runs`). The error names the run that can be paused."""
    with ExitStack() as stack:
        try:
            held = stack.enter_context(state.lock_runs())
        except AnotherPublish as error:
            raise _named(error, state) from None
        yield held


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """What a run that writes has open. `held` returns whether the publishers' lock is still held.

    The writer's thread uses the journal `written`, and the run reads `stores.journal`.
    """

    held: Held
    stores: Stores
    written: Journal
    locks: AppDataLocks


@contextmanager
def opening_run(state: StateStore) -> Iterator[OpenRun]:
    """Take the publishers' lock, and open and check what a run that writes needs.

    Runs whose processes were killed are then no longer under way. Their gates stay if they can go on.

    Raises Busy when another publish runs or an installation takes too long, DatabaseUnusable when the journal is
    damaged.
    """
    with (
        lock_runs(state) as held,
        Stores(state) as stores,
        closing(Journal.open(state)) as written,
        closing(state.app_data_locks()) as locks,
    ):
        stores.journal.check()
        stores.runs.fence_all()
        stores.windows.keep_only(stores.runs.with_open_gate())
        yield OpenRun(held=held, stores=stores, written=written, locks=locks)


def _named(error: AnotherPublish, state: StateStore) -> AnotherPublish:
    """Return the error with the run that is under way, if that can be paused."""
    try:
        with Stores(state) as stores:
            running = stores.runs.running()
            begun = next((row for row in stores.journal.runs() if row["run"] in running), None)
    except DatabaseUnusable:
        return error
    if begun is None:  # a rollback or a switch of a widget, or the publish is just beginning
        return error
    run, by = begun["run"], f" of {begun['by']}" if begun["by"] else ""
    return AnotherPublish(
        f"{error.message}: run {run}{by}, since {begun['began']}",
        hint=f"wait for it to end, or pause it (awning publish pause {run}); then run this again",
    )


def _rate(journal: Journal, run: int) -> float | None:
    """Return the recent number of cells per second of a run; None when it cannot be computed."""
    with closing(journal.newest(run, EntryKind.OUTCOME)) as entries:
        times = [datetime.fromisoformat(entry["at"]) for entry in islice(entries, NEWEST)]
    span_s = (times[0] - times[-1]).total_seconds() if times else 0.0
    return round(len(times) / span_s, 1) if span_s > 0 else None
