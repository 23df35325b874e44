"""Instances, with the snippets and the app data of each; and the installations that wait for the user's consent.

An instance is one installation of an app on one website, known by its authCode.
"""

import sqlite3
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from awning_harness.service.store.database import find_row, insert, read_row


class InstanceState(StrEnum):
    r"""The state of an instance (Apps Integration API, States and transitions; the names are ours).

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
    state: InstanceState


def add(
    db: sqlite3.Connection,
    *,
    app_id: int,
    website_id: int,
    code_digest: bytes,
    sealed_code: bytes,
    state: InstanceState,
    now: datetime,
) -> int:
    return insert(
        db,
        "instance",
        app_id=app_id,
        website_id=website_id,
        code_digest=code_digest,
        code=sealed_code,
        state=state,
        created=now,
        changed=now,
    )


def find_by_code(db: sqlite3.Connection, code_digest: bytes) -> tuple[Instance, bytes] | None:
    """Return the instance of an authCode's digest, with the digest of its app's API key; None if there is none."""
    row = db.execute(
        "SELECT instance.id, app_id, website_id, state, key_digest FROM instance JOIN app ON app.id = app_id"
        " WHERE code_digest = ?",
        (code_digest,),
    ).fetchone()
    return (read_row(Instance, row), row["key_digest"]) if row else None


def find(db: sqlite3.Connection, instance_id: int) -> Instance | None:
    row = find_row(db, "instance", instance_id)
    return read_row(Instance, row) if row else None


def find_all(db: sqlite3.Connection) -> tuple[Instance, ...]:
    return tuple(read_row(Instance, row) for row in db.execute("SELECT * FROM instance ORDER BY id"))


def on_website(db: sqlite3.Connection, website_id: int) -> tuple[Instance, ...]:
    """Return the instances that are not uninstalled, in the order of their installation."""
    rows = db.execute(
        "SELECT * FROM instance WHERE website_id = ? AND state != 'uninstalled' ORDER BY id", (website_id,)
    )
    return tuple(read_row(Instance, row) for row in rows)


def sealed_code(db: sqlite3.Connection, instance_id: int) -> bytes:
    code: bytes = db.execute("SELECT code FROM instance WHERE id = ?", (instance_id,)).fetchone()["code"]
    return code


def move(db: sqlite3.Connection, instance_id: int, state: InstanceState, now: datetime) -> None:
    db.execute(
        "UPDATE instance SET state = ?, changed = ? WHERE id = ?", (state, now.isoformat(), instance_id)
    )


def uninstall(db: sqlite3.Connection, instance_id: int, now: datetime) -> None:
    """Mark an instance as uninstalled, delete its snippets and data (Apps Integration API, States and transitions)."""
    db.execute("DELETE FROM snippet WHERE instance_id = ?", (instance_id,))
    db.execute("DELETE FROM app_data WHERE instance_id = ?", (instance_id,))
    move(db, instance_id, InstanceState.UNINSTALLED, now)


EVERY_LANGUAGE = ""


def put_snippet(db: sqlite3.Connection, instance_id: int, place: str, language: str, text: str) -> None:
    db.execute(
        "INSERT INTO snippet VALUES (?, ?, ?, ?)"
        " ON CONFLICT (instance_id, place, language) DO UPDATE SET text = excluded.text",
        (instance_id, place, language, text),
    )


def remove_snippet(db: sqlite3.Connection, instance_id: int, place: str, language: str) -> None:
    db.execute(
        "DELETE FROM snippet WHERE instance_id = ? AND place = ? AND language = ?",
        (instance_id, place, language),
    )


def find_snippet(db: sqlite3.Connection, instance_id: int, place: str, language: str) -> str | None:
    row = db.execute(
        "SELECT text FROM snippet WHERE instance_id = ? AND place = ? AND language = ?",
        (instance_id, place, language),
    ).fetchone()
    return row[0] if row else None


def put_app_data(db: sqlite3.Connection, instance_id: int, json: str) -> None:
    db.execute(
        "INSERT INTO app_data VALUES (?, ?) ON CONFLICT (instance_id) DO UPDATE SET json = excluded.json",
        (instance_id, json),
    )


def find_app_data(db: sqlite3.Connection, instance_id: int) -> tuple[Any] | None:
    """Return the app data in a tuple, because the data may be null; None when no data was set."""
    row = db.execute("SELECT json FROM app_data WHERE instance_id = ?", (instance_id,)).fetchone()
    return (msgspec.json.decode(row[0]),) if row else None


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallRequest:
    app_id: int
    website_id: int
    language: str


def add_install_request(db: sqlite3.Connection, token: str, request: InstallRequest, now: datetime) -> None:
    insert(db, "install_request", token=token, **asdict(request), created=now)


def find_install_request(db: sqlite3.Connection, token: str) -> InstallRequest | None:
    row = db.execute("SELECT * FROM install_request WHERE token = ?", (token,)).fetchone()
    return read_row(InstallRequest, row) if row else None


def take_install_request(db: sqlite3.Connection, token: str) -> InstallRequest | None:
    """Delete the installation request with this token, and return it; None when there is none."""
    request = find_install_request(db, token)
    db.execute("DELETE FROM install_request WHERE token = ?", (token,))
    return request
