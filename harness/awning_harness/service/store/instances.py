"""Instances: one installation of an app on one website, known by its authCode."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class State(StrEnum):
    r"""Where an instance is (Apps Integration API, States and transitions; the names are ours).

    installing --installed--> installed --delete--> uninstalled
         \________________delete____________________/
    """

    INSTALLING = "installing"
    INSTALLED = "installed"
    UNINSTALLED = "uninstalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    id: int
    app_id: int
    website_id: int
    state: State


def add(
    db: sqlite3.Connection,
    *,
    app_id: int,
    website_id: int,
    code_digest: bytes,
    sealed_code: bytes,
    state: State,
    now: datetime,
) -> int:
    number = db.execute(
        "INSERT INTO instance (app_id, website_id, code_digest, code, state, created, changed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (app_id, website_id, code_digest, sealed_code, state, now.isoformat(), now.isoformat()),
    ).lastrowid
    return number or 0


def by_code(db: sqlite3.Connection, code_digest: bytes) -> tuple[Instance, bytes] | None:
    """The instance of an authCode's digest, with the digest of its app's API key."""
    row = db.execute(
        "SELECT instance.id, app_id, website_id, state, key_digest FROM instance JOIN app ON app.id = app_id"
        " WHERE code_digest = ?",
        (code_digest,),
    ).fetchone()
    return (_instance(row), row["key_digest"]) if row else None


def find(db: sqlite3.Connection, instance_id: int) -> Instance | None:
    row = db.execute("SELECT * FROM instance WHERE id = ?", (instance_id,)).fetchone()
    return _instance(row) if row else None


def every(db: sqlite3.Connection) -> tuple[Instance, ...]:
    return tuple(_instance(row) for row in db.execute("SELECT * FROM instance ORDER BY id"))


def on_website(db: sqlite3.Connection, website_id: int) -> tuple[Instance, ...]:
    """Those that are not uninstalled, in the order of their installation."""
    rows = db.execute(
        "SELECT * FROM instance WHERE website_id = ? AND state != 'uninstalled' ORDER BY id", (website_id,)
    )
    return tuple(_instance(row) for row in rows)


def sealed_code(db: sqlite3.Connection, instance_id: int) -> bytes:
    code: bytes = db.execute("SELECT code FROM instance WHERE id = ?", (instance_id,)).fetchone()["code"]
    return code


def move(db: sqlite3.Connection, instance_id: int, state: State, now: datetime) -> None:
    db.execute(
        "UPDATE instance SET state = ?, changed = ? WHERE id = ?", (state, now.isoformat(), instance_id)
    )


def uninstall(db: sqlite3.Connection, instance_id: int, now: datetime) -> None:
    """All snippets and data of the instance are cleared (Apps Integration API, States and transitions)."""
    db.execute("DELETE FROM snippet WHERE instance_id = ?", (instance_id,))
    db.execute("DELETE FROM app_data WHERE instance_id = ?", (instance_id,))
    move(db, instance_id, State.UNINSTALLED, now)


def _instance(row: sqlite3.Row) -> Instance:
    return Instance(
        id=row["id"], app_id=row["app_id"], website_id=row["website_id"], state=State(row["state"])
    )
