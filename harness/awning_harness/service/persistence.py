"""Loads the clock and the assumptions from a database and saves each change, so that they survive a restart."""

import sqlite3
from datetime import datetime, timedelta

from awning.contract.assumptions import ASSUMPTION_SETS, DEFAULT_SET
from awning_harness.service.assumptions import ASSUMPTION_SET, Assumptions, UnknownAnswer
from awning_harness.service.clock import Clock, ClockSetting
from awning_harness.service.envelope import read_json, write_json
from awning_harness.service.store.database import Database

CLOCK = "clock"
ASSUMPTION = "assumption."


def load_clock(database: Database) -> Clock:
    """Return the clock as it was last set in `database`. Each new setting is saved there."""

    def save(setting: ClockSetting) -> None:
        frozen_at = setting.frozen_at.isoformat() if setting.frozen_at else None
        with database.writing() as db:
            _put(db, CLOCK, write_json([setting.ahead.total_seconds(), frozen_at]))

    with database.reading() as db:
        row = db.execute("SELECT value FROM setting WHERE name = ?", (CLOCK,)).fetchone()
    if row is None:
        return Clock(ClockSetting(), changed=save)
    ahead, frozen_at = read_json(row[0].encode())
    setting = ClockSetting(
        ahead=timedelta(seconds=ahead), frozen_at=datetime.fromisoformat(frozen_at) if frozen_at else None
    )
    return Clock(setting, changed=save)


def load_assumptions(database: Database, assumption_set: str | None) -> Assumptions:
    """Return the assumptions of `assumption_set`; if it is None, those last set in `database`. Changes are saved.

    An assumption that is not saved there has its value in the saved assumption set, or in DEFAULT_SET if none is saved.
    """

    def save(assumption_id: str, value: str) -> None:
        with database.writing() as db:
            _put(db, ASSUMPTION + assumption_id, value)

    with database.reading() as db:
        rows = db.execute(
            "SELECT name, value FROM setting WHERE substr(name, 1, ?) = ?", (len(ASSUMPTION), ASSUMPTION)
        ).fetchall()
    values = {row["name"].removeprefix(ASSUMPTION): row["value"] for row in rows}
    saved_set = values.pop(ASSUMPTION_SET, DEFAULT_SET)
    assumptions = Assumptions(saved_set if saved_set in ASSUMPTION_SETS else DEFAULT_SET, changed=save)
    for assumption_id, value in values.items():
        try:
            assumptions.set(assumption_id, value)
        except UnknownAnswer:  # another version of awning saved it
            continue
    if assumption_set is not None:
        assumptions.take_set(assumption_set)
    return assumptions


def _put(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute(
        "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )
