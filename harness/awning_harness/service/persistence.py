"""Loads the clock and the assumptions from a database and saves each change, so that they survive a restart."""

import sqlite3
from datetime import datetime, timedelta

from awning.contract.assumptions import ASSUMPTION_SETS, DEFAULT_SET
from awning_harness.service.assumptions import ASSUMPTION_SET, Assumptions, UnknownAnswer
from awning_harness.service.clock import Clock, ClockSetting
from awning_harness.service.envelope import read_json, write_json
from awning_harness.service.store import Database

CLOCK = "clock"
ASSUMPTION = "assumption."


def load_clock(database: Database) -> Clock:
    """The clock as it was last set in `database`. Each new setting is saved there."""

    def save(setting: ClockSetting) -> None:
        frozen_at = setting.frozen_at.isoformat() if setting.frozen_at else None
        with database.writing() as db:
            _put(db, CLOCK, write_json([setting.ahead.total_seconds(), frozen_at]))

    with database.reading() as db:
        text = _find(db, CLOCK)
    return Clock(_clock_setting(text), changed=save)


def load_assumptions(database: Database, assumption_set: str | None) -> Assumptions:
    """The assumptions as they were last set in `database`, or those of `assumption_set`. Each change is saved."""

    def save(assumption_id: str, value: str) -> None:
        with database.writing() as db:
            _put(db, ASSUMPTION + assumption_id, value)

    with database.reading() as db:
        values = _find_starting_with(db, ASSUMPTION)
    saved_set = values.pop(ASSUMPTION_SET, DEFAULT_SET)
    assumptions = Assumptions(saved_set if saved_set in ASSUMPTION_SETS else DEFAULT_SET, changed=save)
    for assumption_id, value in values.items():
        try:
            assumptions.set(assumption_id, value)
        except UnknownAnswer:  # saved by another version
            continue
    if assumption_set is not None:
        assumptions.take_set(assumption_set)
    return assumptions


def _clock_setting(text: str | None) -> ClockSetting:
    if text is None:
        return ClockSetting()
    ahead, frozen_at = read_json(text.encode())
    return ClockSetting(
        ahead=timedelta(seconds=ahead), frozen_at=datetime.fromisoformat(frozen_at) if frozen_at else None
    )


def _put(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute(
        "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def _find(db: sqlite3.Connection, name: str) -> str | None:
    row = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def _find_starting_with(db: sqlite3.Connection, prefix: str) -> dict[str, str]:
    """The settings whose name begins with `prefix`, by the rest of their name."""
    rows = db.execute("SELECT name, value FROM setting WHERE substr(name, 1, ?) = ?", (len(prefix), prefix))
    return {row["name"][len(prefix) :]: row["value"] for row in rows}
