"""The state of each run: whether it goes on, how many of its waves have passed, and why it stopped.

A run to all instances is unfinished when a gate stopped it and nothing was taken back, or when it was paused,
interrupted or killed. The next apply of the same release to the same service continues it. Another process pauses or
cancels a run by writing the state here. The run reads its state about once a second.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import Column, RowMapping, case, delete, func, insert, select, update

from awning.errors import ConfigurationError
from awning.publish.state.database import read_row, storable
from awning.publish.state.store import OpenTables
from awning.publish.state.tables.runs import PUBLISH_CHUNK, PUBLISH_RATE, PUBLISH_RUN
from awning.publish.waves.gate import Gate
from awning.publish.waves.wave import Wave


class RunState(StrEnum):
    """The state of a run.

    A killed run is still `running`: only the process that holds the lock knows that it was killed.
    """

    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    ENDED = "ended"


UNFINISHED = frozenset({RunState.RUNNING, RunState.PAUSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """The waves of a run and the gate between them. Without waves, the run publishes to all instances at once."""

    waves: tuple[Wave, ...] = ()
    gate: Gate = field(default_factory=Gate)
    rolls_back: bool = False
    """Whether the cells of the run are rolled back when a gate, or failed chunks of a fleet, stop it."""

    @property
    def names(self) -> tuple[str, ...]:
        """The waves as the operator wrote them."""
        return tuple(wave.name for wave in self.waves)

    def to_text(self) -> str:
        return msgspec.json.encode(self, order="deterministic").decode()

    @classmethod
    def from_text(cls, text: str) -> "Rollout":
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """The stored state of one run. `is_whole` is whether the run publishes to all instances.

    `continues` is the number of the run that this one continues. `passed` is the number of waves that have passed their
    gate. `gate_since` is when it began to wait at a gate; None while it does not. `reason` is why the run stopped; None
    before that, and for a complete run. Times are in ISO 8601.

    `taken_back_by` is the run that took this one back when a gate had stopped it. `rolled_back_by` is the run with
    which an operator took the release back from all instances. `cancelled_at` and `cancelled_by` are of an operator's
    cancel.
    """

    run: int
    release: int
    base_url: str
    is_whole: bool
    state: RunState
    rollout: Rollout
    passed: int
    continues: int | None
    reason: str | None
    gate_since: str | None
    taken_back_by: int | None
    rolled_back_by: int | None
    began_at: str
    changed_at: str
    cancelled_at: str | None
    cancelled_by: str | None

    @property
    def how(self) -> str:
        """The state with why the run stopped and which run took it back, such as "ended: rolled back by run 3".

        A reason such as "paused by ann" has the state already.
        """
        back = (("taken", self.taken_back_by), ("rolled", self.rolled_back_by))
        by = [f"{word} back by run {run}" for word, run in back if run is not None]
        texts = [text for text in (self.reason, *by) if text]
        reasons = [
            text for text in texts if not any(other != text and other.startswith(text) for other in texts)
        ]
        if reasons and reasons[0].startswith(self.state.value):
            return "; ".join(reasons)
        return ": ".join(filter(None, (self.state.value, "; ".join(reasons))))

    def as_json(self) -> dict[str, Any]:
        waves = [wave.name for wave in self.rollout.waves]
        return {
            "run": self.run,
            "release": self.release,
            "state": self.state.value,
            "waves": waves,
            "passed": self.passed,
            "continues": self.continues,
            "reason": self.reason,
            "began_at": self.began_at,
            "changed_at": self.changed_at,
        }


class RunStates(OpenTables):
    """The states of all runs of one state store."""

    def begin(
        self,
        run: int,
        *,
        release: int,
        base_url: str,
        rollout: Rollout,
        is_whole: bool,
        continues: RunRecord | None,
        settings: str | None = None,
    ) -> None:
        """Store that a run begins. The run that it continues ends.

        A run to all instances (`is_whole`) also ends all other unfinished runs.
        """
        now = _now()
        row = {
            "run": run,
            "release": release,
            "base_url": base_url,
            "is_whole": is_whole,
            "state": RunState.RUNNING,
            "rollout": rollout.to_text(),
            "passed": continues.passed if continues else 0,
            "continues": continues.run if continues else None,
            "settings": settings,
            "began_at": now,
            "changed_at": now,
        }
        others = update(PUBLISH_RUN).where(PUBLISH_RUN.c.state.in_(UNFINISHED))
        ended = others.values(state=RunState.ENDED, reason=f"run {run} came after it", changed_at=now)
        self._database.change(*([ended] if is_whole else []), insert(PUBLISH_RUN).values(**row))

    def get(self, run: int) -> RunRecord:
        """Return the record of one run. Raises ConfigurationError when there is no such run."""
        records = self._records(PUBLISH_RUN.c.run == run)
        if not records:
            raise ConfigurationError(
                f"there is no publish run {run}", hint="awning publish log shows all runs"
            )
        return records[0]

    def state_of(self, run: int) -> RunState:
        """Return the current state of a run, which another process may have changed."""
        return RunState(self._value(PUBLISH_RUN.c.state, run))

    def interruption(self, run: int) -> str:
        """Return how a run was interrupted: paused or cancelled by another process, else by a signal."""
        state = self.state_of(run)
        return "interrupted" if state is RunState.RUNNING else state.value

    def running(self) -> frozenset[int]:
        """Return the runs with the state `running`. The process of such a run may have been killed (`fence_all`)."""
        return self._numbers({RunState.RUNNING})

    def all(self) -> Mapping[int, RunRecord]:
        """Return the records of all runs by their number, newest first."""
        return {record.run: record for record in self._records(PUBLISH_RUN.c.run > 0)}

    def unfinished(self) -> RunRecord | None:
        """Return the newest unfinished run to all instances; None when there is none."""
        records = self._records(PUBLISH_RUN.c.state.in_(UNFINISHED) & PUBLISH_RUN.c.is_whole)
        return records[0] if records else None

    def with_open_gate(self) -> frozenset[int]:
        """Return the runs whose gate may still be decided: the unfinished ones."""
        return self._numbers(UNFINISHED)

    def _numbers(self, states: AbstractSet[RunState]) -> frozenset[int]:
        runs = select(PUBLISH_RUN.c.run).where(PUBLISH_RUN.c.state.in_(states))
        return frozenset(row["run"] for row in self._database.rows(runs))

    def fence_all(self) -> None:
        """Stop all runs whose state is `running`. Their workers lose their chunks, and can claim no others.

        Call this directly after the publishers' lock was taken: then the processes of these runs have ended. A run to
        all instances becomes paused, so it can be continued. Other runs become ended.
        """
        running = update(PUBLISH_RUN).where(PUBLISH_RUN.c.state == RunState.RUNNING)
        state = case((PUBLISH_RUN.c.is_whole, RunState.PAUSED.value), else_=RunState.ENDED.value)
        killed = running.values(state=state, reason="its process ended", gate_since=None, changed_at=_now())
        self._database.change(killed, update(PUBLISH_CHUNK).values(owner=None))

    def lower_rate(self, run: int, per_s: float | None) -> None:
        """Store the rate to which "too many calls" lowered the calls of a run in one process; None for no such rate."""
        row = self._database.insert(PUBLISH_RATE).values(
            run=run, calls=0.0, at=0.0, quiet_until=0.0, lowered_to=per_s
        )
        self._database.change(
            delete(PUBLISH_RATE).where(PUBLISH_RATE.c.run != run),
            row.on_conflict_do_update(index_elements=["run"], set_={"lowered_to": per_s}),
        )

    def lowered_to(self, run: int) -> float | None:
        """Return the rate to which "too many calls" lowered the calls of a run; None for no such rate."""
        rate: float | None = self._database.value(
            select(PUBLISH_RATE.c.lowered_to).where(PUBLISH_RATE.c.run == run)
        )
        return rate

    def settings(self, run: int) -> str | None:
        """Return the settings that the controller of a run stored for its workers; None when there are none."""
        text: str | None = self._value(PUBLISH_RUN.c.settings, run)
        return text

    def chain(self, record: RunRecord) -> Sequence[int]:
        """Return the numbers of the run and of the runs that it continues, newest first."""
        runs = [record.run]
        while record.continues is not None:
            record = self.get(record.continues)
            runs.append(record.run)
        return runs

    def end_all(self, reason: str) -> None:
        """End all unfinished runs, because what they published is being replaced."""
        unfinished = update(PUBLISH_RUN).where(PUBLISH_RUN.c.state.in_(UNFINISHED))
        self._database.change(unfinished.values(state=RunState.ENDED, reason=reason, changed_at=_now()))

    def taken_back(self, release: int) -> RunRecord | None:
        """Return the newest run of a release if a gate stopped it and it was rolled back; else None."""
        records = self._records(PUBLISH_RUN.c.release == release)
        return records[0] if records and records[0].taken_back_by is not None else None

    def newest_whole(self, *, before: int | None = None) -> RunRecord | None:
        """Return the newest run to all instances, or the newest one before the run `before`; None without one."""
        is_asked = (
            PUBLISH_RUN.c.is_whole
            if before is None
            else PUBLISH_RUN.c.is_whole & (PUBLISH_RUN.c.run < before)
        )
        newest = select(func.max(PUBLISH_RUN.c.run)).where(is_asked).scalar_subquery()
        return next(iter(self._records(PUBLISH_RUN.c.run == newest)), None)

    def roll_back(self, by_run: int, *, to: int | None, before_run: int | None) -> int | None:
        """Store that the run `by_run` took all instances back: to the release `to`, or to what they held before a run.

        Returns the release that is taken back: that of the newest run to all instances. None when there is no such run,
        when it began before `before_run`, when it is of the release `to`, or when a gate has taken it back already.
        Also None when the release was published to all instances before `before_run`: cells written then stay.
        """
        newest = self.newest_whole()
        if newest is None or newest.taken_back_by is not None or (before_run or 0) > newest.run:
            return None
        earlier = None if before_run is None else self.newest_whole(before=before_run)
        if earlier is not None and earlier.release == newest.release and earlier.rolled_back_by is None:
            return None
        is_back = newest.release == to
        if not is_back or newest.rolled_back_by is not None:
            own = update(PUBLISH_RUN).where(PUBLISH_RUN.c.run == newest.run)
            rolled_back_by = None if is_back else by_run
            self._database.change(own.values(rolled_back_by=rolled_back_by, changed_at=_now()))
        return None if is_back else newest.release

    def rolled_back_by(self, release: int) -> int | None:
        """Return the run with which an operator took a release back from all instances; None if it was not taken back.

        A later apply to all instances ends that.
        """
        newest = self.newest_whole()
        return newest.rolled_back_by if newest is not None and newest.release == release else None

    def wait_at_gate(self, run: int, *, waits: bool) -> None:
        """Store that a run waits at a gate from now on, or that the gate is decided."""
        own = update(PUBLISH_RUN).where(PUBLISH_RUN.c.run == run)
        self._database.change(own.values(gate_since=_now() if waits else None))

    def pass_wave(self, run: int, passed: int) -> None:
        """Store how many waves of a run have passed their gates."""
        self._change(run, passed=passed)

    def stop(self, run: int, state: RunState, reason: str) -> None:
        """Store that a run stops, and why. A run that is already cancelled or ended does not change."""
        self._change(run, state=state, reason=storable(reason))

    def take_back(self, run: int, reason: str, *, by_run: int) -> None:
        """Store that a gate stopped a run, why, and that the run `by_run` took it back. Such a run is over."""
        self._change(run, state=RunState.CANCELLED, reason=storable(reason), taken_back_by=by_run)

    def cancel(self, run: int, operator: str) -> None:
        """Store that an operator cancels a run, when and who. A run that is cancelled or ended does not change."""
        by = storable(operator)
        reason, state = f"cancelled by {by}", RunState.CANCELLED
        self._change(run, state=state, reason=reason, cancelled_at=_now(), cancelled_by=by)

    def end(self, run: int) -> None:
        """Store that a run is complete."""
        self._change(run, state=RunState.ENDED, reason=None)

    def _change(self, run: int, **values: Any) -> None:
        """Change a run, unless it is cancelled or ended."""
        own = (PUBLISH_RUN.c.run == run) & PUBLISH_RUN.c.state.in_(UNFINISHED)
        self._database.change(update(PUBLISH_RUN).where(own).values(changed_at=_now(), **values))

    def _value(self, column: Column[Any], run: int) -> Any:
        """Return one column of a run; None when there is no such run."""
        return self._database.value(select(column).where(PUBLISH_RUN.c.run == run))

    def _records(self, condition: Any) -> Sequence[RunRecord]:
        rows = select(PUBLISH_RUN).where(condition).order_by(PUBLISH_RUN.c.run.desc())
        return [_record(row) for row in self._database.rows(rows)]


def continued_run(
    states: RunStates, rollout: Rollout | None, *, release: int, base_url: str, is_whole: bool
) -> RunRecord | None:
    """Return the unfinished run that an apply continues; None when the apply begins a new run.

    An apply to all instances continues the unfinished run when release and service are the same. `rollout` has the
    waves that the operator named; None accepts any waves. Raises ConfigurationError when the unfinished run has other
    waves.
    """
    record = states.unfinished() if is_whole else None
    if record is None or (record.release, record.base_url) != (release, base_url):
        return None
    if rollout is not None and rollout.names != record.rollout.names:
        waves = ",".join(record.rollout.names) or "no waves"
        raise ConfigurationError(
            f"run {record.run} of this release is paused with other waves ({waves})",
            hint=f"awning publish resume {record.run}, or first: awning publish cancel {record.run}",
        )
    return record


def _record(row: RowMapping) -> RunRecord:
    return read_row(RunRecord, {**row, "rollout": msgspec.json.decode(row["rollout"])})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
