"""The clock and the assumptions as a database keeps them over a restart."""

from datetime import datetime, timedelta

from awning.contract.assumptions import ASSUMPTION_SETS, DEFAULT_SET
from awning_harness.service.assumptions import ASSUMPTION_SET, Assumptions, UnknownAnswer
from awning_harness.service.clock import Clock, ClockSetting
from awning_harness.service.envelope import read_json, write_json
from awning_harness.service.store import Database, settings

CLOCK = "clock"
ASSUMPTION = "assumption."


def keep_clock(database: Database) -> Clock:
    """The clock as it was last set in `database`, where it keeps each new setting."""

    def keep(setting: ClockSetting) -> None:
        frozen_at = setting.frozen_at.isoformat() if setting.frozen_at else None
        with database.writing() as db:
            settings.put(db, CLOCK, write_json([setting.ahead.total_seconds(), frozen_at]))

    with database.reading() as db:
        kept = settings.find(db, CLOCK)
    return Clock(_clock_setting(kept), changed=keep)


def keep_assumptions(database: Database, assumption_set: str | None) -> Assumptions:
    """The assumptions as they were last set in `database`, or all of them as `assumption_set` has them."""

    def keep(assumption_id: str, value: str) -> None:
        with database.writing() as db:
            settings.put(db, ASSUMPTION + assumption_id, value)

    with database.reading() as db:
        kept = settings.starting_with(db, ASSUMPTION)
    taken = kept.pop(ASSUMPTION_SET, DEFAULT_SET)
    assumptions = Assumptions(taken if taken in ASSUMPTION_SETS else DEFAULT_SET, changed=keep)
    for assumption_id, value in kept.items():
        try:
            assumptions.set(assumption_id, value)
        except UnknownAnswer:  # kept by another version
            continue
    if assumption_set is not None:
        assumptions.take_set(assumption_set)
    return assumptions


def _clock_setting(kept: str | None) -> ClockSetting:
    if kept is None:
        return ClockSetting()
    ahead, frozen_at = read_json(kept.encode())
    return ClockSetting(
        ahead=timedelta(seconds=ahead), frozen_at=datetime.fromisoformat(frozen_at) if frozen_at else None
    )
