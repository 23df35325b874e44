"""The chunks of a run. A chunk is some of the run's instances, to which one worker publishes: the owner of the chunk.

    waiting -> running (claimed: a new owner, a lease) -> closed -> counted (by the controller)
               running -> waiting, when its lease is over: the owner is lost, and another worker may claim the chunk

The owner writes to the journal in a transaction that also checks that the worker still is the owner (`Fence`). So a
worker that was suspended for long begins no new write when it resumes: its chunk has another owner, or its run is over.

Times are seconds since 1970 by the clock of the database, which all workers share.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Float, cast, delete, func, insert, select, text, update

from awning.contract import Exit
from awning.errors import AwningError
from awning.publish.cell_outcome import Cause, CellOutcome
from awning.publish.state.database import Database
from awning.publish.state.store import OpenTables
from awning.publish.state.tables.runs import PUBLISH_CHUNK, PUBLISH_RATE, PUBLISH_RUN
from awning.publish.waves.run_state import RunState

NOW = cast(func.extract("epoch", func.clock_timestamp()), Float)
IMPATIENT = text("SET LOCAL idle_in_transaction_session_timeout = '4s'")
_WAITING = (PUBLISH_CHUNK.c.number, PUBLISH_CHUNK.c.job, PUBLISH_CHUNK.c.instances, PUBLISH_CHUNK.c.claims)
Counts = Counter[tuple[CellOutcome, Cause | None]]


class ChunkState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    CLOSED = "closed"
    COUNTED = "counted"
    """The chunk is closed, and the controller has its counts."""


@contextmanager
def writing_as_worker(database: Database) -> Iterator[Connection]:
    """Open a transaction, as `Database.writing` does, in a process that may be suspended at any time.

    The database ends a transaction that is idle for four seconds, so that other processes do not wait long for its
    locks.
    """
    with database.writing() as connection:
        connection.execute(IMPATIENT)
        yield connection


class Fenced(AwningError):
    """The chunk has another owner, or its run is over: this worker must not write any more."""

    exit_code = Exit.PARTLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """The right of a chunk's owner to write to its cells. `owner` is a new random string for each claim."""

    run: int
    chunk: int
    owner: str

    def check(self, connection: Connection, *, is_shared: bool = True) -> None:
        """Check that the claim holds. It then holds until the transaction of `connection` ends.

        Only the row of the chunk is locked. If all workers locked the row of the run, nobody could change the run's
        state. The database ends the transaction of a suspended process after four seconds, so that other processes do
        not wait long. Raises Fenced when the claim does not hold.
        """
        connection.execute(IMPATIENT)
        own = select(PUBLISH_CHUNK.c.number).where(*self.conditions)
        if connection.execute(own.with_for_update(read=is_shared)).first() is None:
            raise Fenced(f"chunk {self.chunk} of run {self.run} has another owner")

    @property
    def conditions(self) -> tuple[Any, ...]:
        return (
            PUBLISH_CHUNK.c.run == self.run,
            PUBLISH_CHUNK.c.number == self.chunk,
            PUBLISH_CHUNK.c.owner == self.owner,
            PUBLISH_CHUNK.c.state == ChunkState.RUNNING,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedChunk:
    """A chunk that this worker owns: the keyed hashes of its instances.

    `claims` counts its owners, including this one.
    """

    fence: Fence
    instances: tuple[str, ...]
    claims: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingChunk:
    """A chunk that has no owner any more, or never had one. `claims` counts its former owners.

    `job` is the number of its job in the queue; None without one. `instances` are the keyed hashes of its instances.
    """

    number: int
    job: int | None
    instances: tuple[str, ...]
    claims: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTotals:
    """The numbers of a run's chunks by state, and the names of the workers that own chunks.

    `closed` includes the counted ones. `is_done` is whether all chunks are counted.
    """

    waiting: int
    running: int
    closed: int
    is_done: bool
    workers: tuple[str, ...]


class Chunks(OpenTables):
    """The chunks of all runs in one PostgreSQL database."""

    def make(self, run: int, wave: int, chunks: Iterable[Sequence[str]]) -> Sequence[int]:
        """Make chunks of a wave from the keyed hashes of their instances, all or none. Returns their numbers."""
        last = select(func.max(PUBLISH_CHUNK.c.number)).where(PUBLISH_CHUNK.c.run == run)
        with self._database.writing() as connection:
            first = (connection.execute(last).scalar() or 0) + 1
            rows = [
                {
                    "run": run,
                    "number": number,
                    "wave": wave,
                    "instances": " ".join(instances),
                    "state": ChunkState.WAITING.value,
                    "claims": 0,
                }
                for number, instances in enumerate(chunks, first)
            ]
            if rows:
                connection.execute(insert(PUBLISH_CHUNK), rows)
        return range(first, first + len(rows))

    def note_jobs(self, run: int, jobs: Mapping[int, int]) -> None:
        """Store the numbers of the chunks' jobs in the queue. `jobs` maps each chunk's number to its job's number."""
        own = update(PUBLISH_CHUNK).where(PUBLISH_CHUNK.c.run == run)
        self._database.change(
            *(own.where(PUBLISH_CHUNK.c.number == number).values(job=job) for number, job in jobs.items())
        )

    def claim(self, run: int, number: int, *, worker: str, lease_s: float) -> ClaimedChunk | None:
        """Become the owner of a waiting chunk. Returns None when the chunk does not wait, or its run is not running."""
        owner = uuid4().hex
        runs_on = select(PUBLISH_RUN.c.run).where(
            PUBLISH_RUN.c.run == run, PUBLISH_RUN.c.state == RunState.RUNNING
        )
        take = (
            update(PUBLISH_CHUNK)
            .where(*_in_state(run, ChunkState.WAITING), PUBLISH_CHUNK.c.number == number)
            .values(
                state=ChunkState.RUNNING,
                owner=owner,
                worker=worker,
                claims=PUBLISH_CHUNK.c.claims + 1,
                leased_until=NOW + lease_s,
            )
            .returning(PUBLISH_CHUNK.c.instances, PUBLISH_CHUNK.c.claims)
        )
        with writing_as_worker(self._database) as connection:
            goes_on = connection.execute(runs_on.with_for_update(read=True)).first() is not None
            row = connection.execute(take).one_or_none() if goes_on else None
        if row is None:
            return None
        fence = Fence(run=run, chunk=number, owner=owner)
        return ClaimedChunk(fence=fence, instances=tuple(row.instances.split()), claims=row.claims)

    def renew(self, fence: Fence, *, lease_s: float) -> bool:
        """Renew the lease of a claim. Returns whether the run continues. Raises Fenced when the claim does not hold."""
        with self._database.writing() as connection:
            fence.check(connection, is_shared=False)
            connection.execute(
                update(PUBLISH_CHUNK).where(*fence.conditions).values(leased_until=NOW + lease_s)
            )
            state = connection.execute(
                select(PUBLISH_RUN.c.state).where(PUBLISH_RUN.c.run == fence.run)
            ).scalar()
        return state == RunState.RUNNING

    def end(self, fence: Fence, counts: Counts, instances: int) -> None:
        """Close a chunk with the counts of its cells and the number of its instances.

        Raises Fenced when the claim does not hold.
        """
        rows = [[outcome, cause, n] for (outcome, cause), n in counts.items()]
        document = json.dumps({"instances": instances, "cells": rows})
        with self._database.writing() as connection:
            fence.check(connection, is_shared=False)
            connection.execute(
                update(PUBLISH_CHUNK)
                .where(*fence.conditions)
                .values(state=ChunkState.CLOSED, leased_until=None, counts=document)
            )

    def take_back_lost(self, run: int) -> Sequence[WaitingChunk]:
        """Set the chunks whose lease is over back to waiting, and return them. Their owners can no longer write.

        A chunk whose row is locked is left for the next call: its owner may be suspended in a transaction.
        """
        lost = (
            select(PUBLISH_CHUNK.c.number)
            .where(*_in_state(run, ChunkState.RUNNING), PUBLISH_CHUNK.c.leased_until < NOW)
            .with_for_update(skip_locked=True)
        )
        take_back = (
            update(PUBLISH_CHUNK)
            .where(PUBLISH_CHUNK.c.run == run, PUBLISH_CHUNK.c.number.in_(lost))
            .values(state=ChunkState.WAITING, owner=None, worker=None, leased_until=None)
            .returning(*_WAITING)
        )
        with self._database.writing() as connection:
            return [_waiting(row) for row in connection.execute(take_back)]

    def waiting(self, run: int) -> Mapping[int, int | None]:
        """Return the number of each waiting chunk's job, by the chunk's number; None for a chunk without a job."""
        own = select(PUBLISH_CHUNK.c.number, PUBLISH_CHUNK.c.job).where(*_in_state(run, ChunkState.WAITING))
        return {row["number"]: row["job"] for row in self._database.rows(own)}

    def drop_waiting(self, run: int) -> Sequence[WaitingChunk]:
        """Delete the waiting chunks, and return them."""
        dropped = delete(PUBLISH_CHUNK).where(*_in_state(run, ChunkState.WAITING)).returning(*_WAITING)
        with self._database.writing() as connection:
            return [_waiting(row) for row in connection.execute(dropped)]

    def count_closed(self, run: int) -> Sequence[tuple[Counts, int]]:
        """Return the counts and the number of instances of each chunk that was closed since the last call."""
        closed = (
            update(PUBLISH_CHUNK)
            .where(*_in_state(run, ChunkState.CLOSED))
            .values(state=ChunkState.COUNTED)
            .returning(PUBLISH_CHUNK.c.counts)
        )
        with self._database.writing() as connection:
            return [_read_counts(document) for document in connection.execute(closed).scalars()]

    def totals(self, run: int) -> ChunkTotals:
        """Return the numbers of a run's chunks by state, and the workers that own one."""
        counted = (
            select(PUBLISH_CHUNK.c.state, func.count().label("number"))
            .where(PUBLISH_CHUNK.c.run == run)
            .group_by(PUBLISH_CHUNK.c.state)
        )
        busy = select(PUBLISH_CHUNK.c.worker).where(*_in_state(run, ChunkState.RUNNING)).distinct()
        states = {row["state"]: row["number"] for row in self._database.rows(counted)}
        workers = [row["worker"] for row in self._database.rows(busy) if row["worker"]]
        closed = states.get(ChunkState.CLOSED, 0) + states.get(ChunkState.COUNTED, 0)
        return ChunkTotals(
            waiting=states.get(ChunkState.WAITING, 0),
            running=states.get(ChunkState.RUNNING, 0),
            closed=closed,
            is_done=set(states) <= {ChunkState.COUNTED},
            workers=tuple(sorted(workers)),
        )

    def forget_others(self, run: int) -> None:
        """Delete the chunks and rates of all other runs, whose controllers have ended."""
        tables = (PUBLISH_CHUNK, PUBLISH_RATE)
        self._database.change(*(delete(table).where(table.c.run != run) for table in tables))

    def forget(self, run: int) -> None:
        """Delete the chunks of a run that is over. The journal has the endings of its cells."""
        self._database.change(delete(PUBLISH_CHUNK).where(PUBLISH_CHUNK.c.run == run))


def _in_state(run: int, state: ChunkState) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return PUBLISH_CHUNK.c.run == run, PUBLISH_CHUNK.c.state == state


def _waiting(row: Any) -> WaitingChunk:
    return WaitingChunk(
        number=row.number, job=row.job, instances=tuple(row.instances.split()), claims=row.claims
    )


def _read_counts(document: str) -> tuple[Counts, int]:
    fields = json.loads(document)
    rows = fields["cells"]
    counts = Counter({(CellOutcome(o), None if c is None else Cause(c)): n for o, c, n in rows})
    return counts, fields["instances"]
