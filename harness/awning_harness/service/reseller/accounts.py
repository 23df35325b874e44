"""Reseller accounts: password, tokens, approval, settings.

Passwords are stored as salted scrypt digests. Tokens (32 hex digits) are long and random, so a plain digest is enough.
"""

import hashlib
import hmac
import secrets
import sqlite3
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from awning_harness.service.assumptions import Assumptions
from awning_harness.service.reseller.credits import Terms
from awning_harness.service.reseller.transaction import Transaction
from awning_harness.service.store.database import find_row, insert, read_row
from awning_harness.service.vault import digest

TOKEN_BYTES = 16
_SALT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseller:
    id: int
    email: str
    approved: bool
    terms: Terms
    balance_cents: int


def add(
    db: sqlite3.Connection, *, email: str, password: str, approved: bool, terms: Terms, now: datetime
) -> int:
    """Add a reseller, and return its number. Raises ValueError when the e-mail is empty or already has an account."""
    sealed, free = _sealed(password), free_email(db, email)
    return insert(
        db, "reseller", email=free, password=sealed, approved=approved, **asdict(terms), created=now
    )


def free_email(db: sqlite3.Connection, email: str, *, owner: int | None = None) -> str:
    """Return an e-mail for an account, without surrounding white space.

    Raises ValueError when it is empty, and when a reseller other than `owner` has it. Upper and lower case count as
    equal here: if e-mails are compared without their case (assumption `reseller-email-case`), an authorization could
    otherwise mean either of two accounts.
    """
    email = email.strip()
    if not email:
        raise ValueError("email must not be empty")
    others = "SELECT id FROM reseller WHERE lower(email) = lower(?) AND id IS NOT ?"
    if db.execute(others, (email, owner)).fetchone():
        raise ValueError("a reseller with this e-mail exists already")
    return email


def find(db: sqlite3.Connection, reseller_id: int) -> Reseller | None:
    row = find_row(db, "reseller", reseller_id)
    return _reseller(row) if row else None


def find_all(db: sqlite3.Connection) -> tuple[Reseller, ...]:
    return tuple(_reseller(row) for row in db.execute("SELECT * FROM reseller ORDER BY id"))


def find_by_password(
    db: sqlite3.Connection, email: str, password: str, assumptions: Assumptions
) -> Reseller | None:
    """Return the approved account with this e-mail and password, else None.

    The check takes equally long for an unknown e-mail.
    """
    same = "lower(email) = lower(?)" if assumptions["reseller-email-case"] == "ignored" else "email = ?"
    row = db.execute(f"SELECT * FROM reseller WHERE {same}", (email.strip(),)).fetchone()  # noqa: S608 - our words
    salted = row["password"] if row else _NOBODY
    matches = hmac.compare_digest(salted[_SALT:], _scrypt(password, salted[:_SALT]))
    return _reseller(row) if row and matches and row["approved"] else None


def change(db: sqlite3.Connection, reseller_id: int, **columns: object) -> None:
    """Set columns by name: approved, fee_paid, priced, default_limit, balance_cents, email, password (sealed)."""
    if columns:
        names = ", ".join(f"{name} = ?" for name in columns)
        db.execute(f"UPDATE reseller SET {names} WHERE id = ?", (*columns.values(), reseller_id))  # noqa: S608 - our names


def set_password(db: sqlite3.Connection, reseller_id: int, password: str) -> None:
    change(db, reseller_id, password=_sealed(password))


def add_token(db: sqlite3.Connection, reseller_id: int, now: datetime) -> str:
    token = secrets.token_hex(TOKEN_BYTES)
    insert(db, "reseller_token", digest=digest(token), reseller_id=reseller_id, created=now)
    return token


def find_by_token(transaction: Transaction, token: str) -> Reseller | None:
    """Return the approved account of a token; None when there is none or the token has expired."""
    row = transaction.db.execute(
        "SELECT reseller.*, reseller_token.created AS since FROM reseller_token"
        " JOIN reseller ON reseller.id = reseller_id WHERE digest = ?",
        (digest(token),),
    ).fetchone()
    if row is None or not row["approved"]:
        return None
    lifetime = transaction.assumptions.seconds("token-lifetime")
    over = lifetime and transaction.now >= datetime.fromisoformat(row["since"]) + timedelta(seconds=lifetime)
    return None if over else _reseller(row)


def end_token(db: sqlite3.Connection, token: str) -> None:
    db.execute("DELETE FROM reseller_token WHERE digest = ?", (digest(token),))


def end_tokens(db: sqlite3.Connection, reseller_id: int) -> None:
    db.execute("DELETE FROM reseller_token WHERE reseller_id = ?", (reseller_id,))


def settings(db: sqlite3.Connection, reseller_id: int) -> dict[str, str]:
    rows = db.execute("SELECT name, value FROM reseller_setting WHERE reseller_id = ?", (reseller_id,))
    return {row["name"]: row["value"] for row in rows}


def set_setting(db: sqlite3.Connection, reseller_id: int, name: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO reseller_setting VALUES (?, ?, ?)", (reseller_id, name, value))


def _reseller(row: sqlite3.Row) -> Reseller:
    return read_row(Reseller, row, terms=read_row(Terms, row))


def _scrypt(password: str, salt: bytes) -> bytes:
    text = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(text, salt=salt, n=2**11, r=8, p=1, dklen=32)


def _sealed(password: str) -> bytes:
    salt = secrets.token_bytes(_SALT)
    return salt + _scrypt(password, salt)


_NOBODY = bytes(_SALT + 32)
