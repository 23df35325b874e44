"""Apps: a manifest, the digest of the API key, the sealed secret, the default snippets."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from awning_harness.service.store.database import find_row, insert


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """A default snippet: the text in the manifest, and the URL that overrides it."""

    text: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """One app. `manifest` is the live version, without its secret; the vault opens `sealed_secret`.

    `waiting` is a newer version that waits for approval while the approved one stays live.
    """

    id: int
    manifest: dict[str, Any]
    head: Default
    body: Default
    approved: bool = True
    sealed_secret: bytes | None = field(default=None, repr=False)
    waiting: dict[str, Any] | None = None

    @property
    def title(self) -> str:
        title = self.manifest.get("app_title")
        return title if isinstance(title, str) and title else f"App {self.id}"


def defaults_in(manifest: Mapping[str, Any]) -> tuple[Default, Default]:
    """Return the default snippets of a manifest, head and body. Raises ValueError when a field is not a string."""
    return _default_in(manifest, "app_default_head_snippet"), _default_in(manifest, "app_default_snippet")


def _default_in(manifest: Mapping[str, Any], name: str) -> Default:
    text, url = manifest.get(name) or "", manifest.get(f"{name}_source_url") or None
    if not isinstance(text, str) or not isinstance(url, str | None):
        raise ValueError(  # noqa: TRY004 - the manifest is wrong, not the call
            f"{name} and {name}_source_url must be strings"
        )
    return Default(text=text, url=url)


def add(
    db: sqlite3.Connection,
    *,
    manifest: Mapping[str, Any],
    sealed_secret: bytes | None,
    key_digest: bytes,
    approved: bool,
    now: datetime,
) -> int:
    """Add an app and return its number. Raises ValueError when a default snippet in the manifest is not a string."""
    head, body = defaults_in(manifest)
    return insert(
        db,
        "app",
        manifest=_json(manifest),
        secret=sealed_secret,
        key_digest=key_digest,
        default_head=head.text,
        default_body=body.text,
        head_url=head.url,
        body_url=body.url,
        approved=approved,
        created=now,
    )


def resubmit(
    db: sqlite3.Connection, app_id: int, *, manifest: Mapping[str, Any], sealed_secret: bytes | None
) -> None:
    """Replace the manifest and delete the waiting version. Without a new secret the old secret stays.

    Raises ValueError when a default snippet in the manifest is not a string.

    The new manifest inherits the approval of the live version. While another version waits, the column `approved` is 0,
    but the live version counts as approved.
    """
    db.execute(
        "UPDATE app SET manifest = ?, secret = coalesce(?, secret), waiting = NULL, waiting_secret = NULL,"
        " approved = CASE WHEN waiting IS NULL THEN approved ELSE 1 END WHERE id = ?",
        (_json(manifest), sealed_secret, app_id),
    )
    head, body = defaults_in(manifest)
    set_defaults(db, app_id, head=head, body=body)


def store_pending(
    db: sqlite3.Connection, app_id: int, *, manifest: Mapping[str, Any], sealed_secret: bytes | None
) -> None:
    """Store a version that goes live when it is approved.

    Raises ValueError when a default snippet in the manifest is not a string.
    """
    defaults_in(manifest)  # raises for a version that could never go live
    db.execute(
        "UPDATE app SET waiting = ?, waiting_secret = ?, approved = 0 WHERE id = ?",
        (_json(manifest), sealed_secret, app_id),
    )


def set_defaults(db: sqlite3.Connection, app_id: int, *, head: Default, body: Default) -> None:
    db.execute(
        "UPDATE app SET default_head = ?, head_url = ?, default_body = ?, body_url = ? WHERE id = ?",
        (head.text, head.url, body.text, body.url, app_id),
    )


def approve(db: sqlite3.Connection, app_id: int, *, approved: bool) -> None:
    """Set or withdraw the approval. A waiting version goes live when it is approved."""
    row = db.execute("SELECT waiting, waiting_secret FROM app WHERE id = ?", (app_id,)).fetchone()
    if approved and row and row["waiting"] is not None:
        manifest = msgspec.json.decode(row["waiting"])
        resubmit(db, app_id, manifest=manifest, sealed_secret=row["waiting_secret"])
    db.execute("UPDATE app SET approved = ? WHERE id = ?", (approved, app_id))


def find(db: sqlite3.Connection, app_id: int) -> App | None:
    row = find_row(db, "app", app_id)
    return _app(row) if row else None


def find_all(db: sqlite3.Connection) -> tuple[App, ...]:
    return tuple(_app(row) for row in db.execute("SELECT * FROM app ORDER BY id"))


def _json(manifest: Mapping[str, Any]) -> str:
    return msgspec.json.encode(manifest).decode()


def _app(row: sqlite3.Row) -> App:
    return App(
        id=row["id"],
        manifest=msgspec.json.decode(row["manifest"]),
        head=Default(text=row["default_head"], url=row["head_url"]),
        body=Default(text=row["default_body"], url=row["body_url"]),
        approved=bool(row["approved"]),
        sealed_secret=row["secret"],
        waiting=msgspec.json.decode(row["waiting"]) if row["waiting"] is not None else None,
    )
