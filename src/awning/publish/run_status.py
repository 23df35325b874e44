"""The status of the unfinished run: how far it got, how fast it is, and which workers it has."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from awning.publish.fleet.chunks import Chunks, ChunkTotals
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind
from awning.publish.state.server import StateServer
from awning.publish.state.store import Busy, StateStore
from awning.publish.waves.run_state import RunRecord, RunStates

NEWEST = 2000
"""The rate of a run is computed from its newest outcomes, at most this many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """The status of the unfinished run. `totals` counts its cells by outcome.

    `rate` is the recent number of cells per second; None when it is not known. `chunks` are the chunks of a fleet's
    run.
    """

    record: RunRecord
    totals: dict[str, int]
    rate: float | None
    chunks: ChunkTotals | None

    def as_json(self) -> dict[str, Any]:
        chunks = self.chunks
        document = {**self.record.as_json(), "totals": self.totals, "rate": self.rate}
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
        lines = [f"run {record.run}, release {record.release}, is {record.state.value}{where}: {cells}{rate}"]
        if record.reason:
            lines.append(f"  {record.reason}")
        if self.chunks is not None and not self.chunks.is_done:
            chunks, names = self.chunks, ", ".join(self.chunks.workers) or "no worker"
            counts = (
                f"{chunks.closed:,} done, {chunks.running:,} under way ({names}), {chunks.waiting:,} wait"
            )
            lines.append(f"  chunks: {counts}")
        return lines


def run_status(state: StateStore, journal: Journal) -> RunStatus | None:
    """Return the status of the unfinished run; None when there is none."""
    with closing(RunStates.open(state)) as states:
        record = states.unfinished()
    if record is None:
        return None
    chunks = None
    if isinstance(state, StateServer):
        with closing(Chunks.open(state)) as opened:
            chunks = opened.totals(record.run)
    return RunStatus(
        record=record,
        totals=journal.totals(record.run),
        rate=_rate(journal, record.run),
        chunks=chunks if chunks and chunks.waiting + chunks.running + chunks.closed else None,
    )


def runs_under_way(state: StateStore, journal: Journal) -> frozenset[int]:
    """Return the runs that a process publishes now. A killed run is not under way, although its state is `running`."""
    with closing(RunStates.open(state)) as states:
        running = states.running()
    try:
        with state.lock_installation() as installing:
            if not installing.is_publishing:
                return frozenset()
    except Busy:  # a publish holds the installation lock, so it is just beginning
        pass
    return running | {journal.last_run()}


def _rate(journal: Journal, run: int) -> float | None:
    """Return the recent number of cells per second of a run; None when it cannot be computed."""
    with closing(journal.newest(run, EntryKind.OUTCOME)) as entries:
        times = [datetime.fromisoformat(entry["at"]) for entry in islice(entries, NEWEST)]
    span_s = (times[0] - times[-1]).total_seconds() if times else 0.0
    return round(len(times) / span_s, 1) if span_s > 0 else None
