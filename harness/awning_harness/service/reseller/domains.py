"""The domains of websites. Each has a valid name without www, and belongs to one website."""

import re
import sqlite3
from dataclasses import dataclass

from awning_harness.service.store.database import insert, read_row

LONGEST = 253
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    id: int
    name: str
    """The name in ASCII; international labels begin with xn--."""


def ascii_name(text: str) -> str | None:
    """Return the name in lower case and ASCII, or None when it is not a domain name with at least two labels."""
    name = text.strip().lower()
    if not name or len(name) > LONGEST or name.startswith(".") or name.endswith("."):
        return None
    try:
        name = name.encode("idna").decode("ascii")
    except (UnicodeError, ValueError):
        return None
    labels = name.split(".")
    valid = len(labels) > 1 and all(_LABEL.fullmatch(label) for label in labels)
    return name if valid and len(name) <= LONGEST and not labels[-1].isdecimal() else None


def display(name: str, *, form: str) -> str:
    """Return the name as the API writes it. `form` is the value of the assumption `domain-form`."""
    if form == "ascii":
        return name
    try:
        return name.encode("ascii").decode("idna")
    except UnicodeError:
        return name


def of_website(db: sqlite3.Connection, website_id: int) -> tuple[Domain, ...]:
    query = "SELECT id, domain AS name FROM reseller_domain WHERE website_id = ? ORDER BY id"
    return tuple(read_row(Domain, row) for row in db.execute(query, (website_id,)))


def owner(db: sqlite3.Connection, name: str) -> int | None:
    """Return the number of the website that has the domain; None when no website has it."""
    row = db.execute("SELECT website_id FROM reseller_domain WHERE domain = ?", (name,)).fetchone()
    return row["website_id"] if row else None


def add(db: sqlite3.Connection, website_id: int, name: str) -> None:
    insert(db, "reseller_domain", website_id=website_id, domain=name)


def remove(db: sqlite3.Connection, website_id: int, domain_id: int) -> bool:
    """Remove a domain; returns whether the website had it."""
    done = db.execute("DELETE FROM reseller_domain WHERE id = ? AND website_id = ?", (domain_id, website_id))
    return done.rowcount > 0
