"""Snippets of instances: head or body, for every language ('' here) or for one."""

import sqlite3

EVERY_LANGUAGE = ""


def put(db: sqlite3.Connection, instance_id: int, place: str, language: str, text: str) -> None:
    db.execute(
        "INSERT INTO snippet VALUES (?, ?, ?, ?)"
        " ON CONFLICT (instance_id, place, language) DO UPDATE SET text = excluded.text",
        (instance_id, place, language, text),
    )


def remove(db: sqlite3.Connection, instance_id: int, place: str, language: str) -> None:
    db.execute(
        "DELETE FROM snippet WHERE instance_id = ? AND place = ? AND language = ?",
        (instance_id, place, language),
    )


def find(db: sqlite3.Connection, instance_id: int, place: str, language: str) -> str | None:
    row = db.execute(
        "SELECT text FROM snippet WHERE instance_id = ? AND place = ? AND language = ?",
        (instance_id, place, language),
    ).fetchone()
    return row[0] if row else None
