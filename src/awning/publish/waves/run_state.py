"""The state of each run: whether it goes on, how many of its waves have passed, why it stopped.

A run that stopped at a gate, was interrupted or was killed is unfinished. The next apply of the same release continues
it. Another process may ask a run to pause or end: it writes the state, and the run looks at it every second.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Self

from sqlalchemy import RowMapping, case, insert, select, update

from awning.errors import ConfigurationError
from awning.publish.state.database import Database, storable
from awning.publish.state.migrations import RUNS
from awning.publish.state.store import StateStore
from awning.publish.waves.gate import Gate
from awning.publish.waves.tables import PUBLISH_CHUNK, PUBLISH_RUN
from awning.publish.waves.wave import Wave


class RunState(StrEnum):
    """`running` also describes a run whose process was killed: only who holds the lock knows the difference."""

    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    ENDED = "ended"


TAKEN_BACK = "; taken back"
"""Ends the reason of a run that a gate stopped and took back."""
UNFINISHED = frozenset({RunState.RUNNING, RunState.PAUSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """In which waves a run publishes, and what happens between them. Without waves, everything is one wave."""

    waves: tuple[Wave, ...] = ()
    gate: Gate = field(default_factory=Gate)
    rolls_back: bool = False
    """Whether a gate that does not hold takes the cells of the run back."""

    @property
    def names(self) -> tuple[str, ...]:
        """The waves as the operator wrote them."""
        return tuple(wave.name for wave in self.waves)

    def as_json(self) -> dict[str, Any]:
        return {
            "waves": [wave.as_json() for wave in self.waves],
            "gate": self.gate.as_json(),
            "rolls_back": self.rolls_back,
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "Rollout":
        return cls(
            waves=tuple(map(Wave.from_json, fields["waves"])),
            gate=Gate(**fields["gate"]),
            rolls_back=fields["rolls_back"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run. `is_whole` is whether it is to all instances. `continues` is the run that it resumed.

    `passed` is the number of waves whose gate held. `reason` says why it stopped. Times are in ISO 8601.
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
    began_at: str
    changed_at: str

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


class RunStates:
    """The states of all runs of one state store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, state: StateStore) -> Self:
        return cls(state.open(RUNS))

    def close(self) -> None:
        self._database.close()

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
        """Note that a run begins. The run that it continues ends; so does every other, when this one is whole."""
        now = _now()
        row = {
            "run": run,
            "release": release,
            "base_url": base_url,
            "is_whole": is_whole,
            "state": RunState.RUNNING,
            "rollout": json.dumps(rollout.as_json()),
            "passed": continues.passed if continues else 0,
            "continues": continues.run if continues else None,
            "settings": settings,
            "began_at": now,
            "changed_at": now,
        }
        with self._database.writing() as connection:
            if is_whole:
                others = update(PUBLISH_RUN).where(PUBLISH_RUN.c.state.in_(UNFINISHED))
                reason = f"run {run} came after it"
                connection.execute(others.values(state=RunState.ENDED, reason=reason, changed_at=now))
            connection.execute(insert(PUBLISH_RUN).values(**row))

    def get(self, run: int) -> RunRecord:
        """One run. Raises ConfigurationError when there is no such run."""
        records = self._records(PUBLISH_RUN.c.run == run)
        if not records:
            raise ConfigurationError(
                f"there is no publish run {run}", hint="awning publish log shows all runs"
            )
        return records[0]

    def state_of(self, run: int) -> RunState:
        """The state of a run, as another process may have set it."""
        with self._database.reading() as connection:
            return RunState(
                connection.execute(select(PUBLISH_RUN.c.state).where(PUBLISH_RUN.c.run == run)).scalar_one()
            )

    def unfinished(self) -> RunRecord | None:
        """The newest run to all instances, when it has neither ended nor was cancelled."""
        records = self._records(PUBLISH_RUN.c.state.in_(UNFINISHED) & PUBLISH_RUN.c.is_whole)
        return records[0] if records else None

    def fence_all(self) -> None:
        """Stop every run whose process is gone, and fence off its workers: no chunk is claimed, no claim holds.

        Who has just taken the lock of all publishes calls this first. A run to all instances can be continued.
        """
        running = update(PUBLISH_RUN).where(PUBLISH_RUN.c.state == RunState.RUNNING)
        state = case((PUBLISH_RUN.c.is_whole, RunState.PAUSED.value), else_=RunState.ENDED.value)
        with self._database.writing() as connection:
            connection.execute(running.values(state=state, reason="its process ended", changed_at=_now()))
            connection.execute(update(PUBLISH_CHUNK).values(owner=None))

    def settings(self, run: int) -> str | None:
        """What the controller of a run told its workers."""
        with self._database.reading() as connection:
            text: str | None = connection.execute(
                select(PUBLISH_RUN.c.settings).where(PUBLISH_RUN.c.run == run)
            ).scalar()
        return text

    def chain(self, record: RunRecord) -> Sequence[int]:
        """The run and those that it continues, newest first."""
        runs = [record.run]
        while record.continues is not None:
            record = self.get(record.continues)
            runs.append(record.run)
        return runs

    def end_all(self, reason: str) -> None:
        """End every unfinished run: what it published is replaced."""
        unfinished = update(PUBLISH_RUN).where(PUBLISH_RUN.c.state.in_(UNFINISHED))
        with self._database.writing() as connection:
            connection.execute(unfinished.values(state=RunState.ENDED, reason=reason, changed_at=_now()))

    def taken_back(self, release: int) -> RunRecord | None:
        """The newest run of a release, when a gate took it back."""
        records = self._records(PUBLISH_RUN.c.release == release)
        newest = records[0] if records else None
        is_back = (
            newest is not None and newest.state is RunState.CANCELLED and TAKEN_BACK in (newest.reason or "")
        )
        return newest if is_back else None

    def pass_wave(self, run: int, passed: int) -> None:
        """Note that so many waves of a run have passed their gates."""
        with self._database.writing() as connection:
            self._set(connection, run, passed=passed)

    def stop(self, run: int, state: RunState, reason: str) -> None:
        """Note that a run stops, and why. A run that was cancelled stays so, and one that has ended too."""
        with self._database.writing() as connection:
            self._set(connection, run, state=state, reason=storable(reason))

    def end(self, run: int) -> None:
        """Note that a run went to its end."""
        with self._database.writing() as connection:
            self._set(connection, run, state=RunState.ENDED, reason=None)

    @staticmethod
    def _set(connection: Any, run: int, **values: Any) -> None:
        own = (PUBLISH_RUN.c.run == run) & PUBLISH_RUN.c.state.in_(UNFINISHED)
        connection.execute(update(PUBLISH_RUN).where(own).values(changed_at=_now(), **values))

    def _records(self, condition: Any) -> Sequence[RunRecord]:
        rows = select(PUBLISH_RUN).where(condition).order_by(PUBLISH_RUN.c.run.desc())
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(rows).mappings()]


def continued_run(
    states: RunStates, rollout: Rollout | None, *, release: int, base_url: str, is_whole: bool
) -> RunRecord | None:
    """The unfinished run that an apply continues: of the same release to the same service, in the same waves.

    `rollout` is what the operator named; None continues in any waves. Only an apply to all instances continues a run.
    Raises ConfigurationError when the run is paused with other waves.
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
    return RunRecord(
        run=row["run"],
        release=row["release"],
        base_url=row["base_url"],
        is_whole=row["is_whole"],
        state=RunState(row["state"]),
        rollout=Rollout.from_json(json.loads(row["rollout"])),
        passed=row["passed"],
        continues=row["continues"],
        reason=row["reason"],
        began_at=row["began_at"],
        changed_at=row["changed_at"],
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
