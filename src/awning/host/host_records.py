"""The server's own tables: installations, sessions and turns.

Each method that writes uses one transaction. All methods raise DatabaseUnusable when the database fails. Several
processes use the tables at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import ColumnElement, delete, insert, select, update

from awning.client import Secret
from awning.publish.inventory.codes import open_with_codes
from awning.publish.state.cipher import CodeCipher, seal, unseal
from awning.publish.state.database import Database, storable
from awning.publish.state.layout import touch
from awning.publish.state.store import OpenTables, StateStore
from awning.publish.state.tables import STATE
from awning.publish.state.tables.host import INSTALLATION, SESSION, STEPS, TURN

COLUMNS = tuple(column.name for column in SESSION.columns)
MOST_SESSIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """One instance. The time of each step is in seconds since 1970; None when the step is not finished.

    `removing_at` is when a removal began. `code` is empty when the instance is removed.
    """

    key: str
    code: Secret
    url: str | None = None
    brand: str | None = None
    begun_at: float = 0.0
    installed_at: float | None = None
    configured_at: float | None = None
    published_at: float | None = None
    announced_at: float | None = None
    removing_at: float | None = None
    removed_at: float | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the snippets are published and the app's own hook was called."""
        return self.published_at is not None and self.announced_at is not None

    @property
    def display_name(self) -> str:
        """The website's brand, else its address, else the keyed hash."""
        return self.brand or self.url or self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsSession:
    """A session of the settings page, which a verified request opened."""

    id: str
    digest: str
    key: str
    language: str
    return_link: str | None
    begun_at: float


@dataclass(frozen=True, slots=True)
class Beat:
    """The holder of a turn, and the number that the holder regularly raises."""

    holder: str
    number: int


class HostRecords(OpenTables):
    """Reads and writes the tables of installations, sessions and turns."""

    def __init__(self, database: Database, cipher: CodeCipher | None = None) -> None:
        super().__init__(database)
        self._cipher = cipher

    @classmethod
    def open(cls, state: StateStore) -> Self:
        """Open the tables. When the state store has a cipher, plain authCodes are encrypted.

        Raises ConfigurationError when an authCode is damaged, or encrypted with a key that the state store does not
        have.
        """
        return cls(open_with_codes(state), state.cipher)

    def installation(self, key: str) -> Installation | None:
        return next(iter(self._installations(INSTALLATION.c.key == key)), None)

    def others(self, key: str, url: str) -> tuple[Installation, ...]:
        """Return the other installations on the same website that are not removed."""
        same = (INSTALLATION.c.url == url) & (INSTALLATION.c.key != key) & INSTALLATION.c.removed_at.is_(None)
        return tuple(self._installations(same))

    def _installations(self, condition: ColumnElement[bool]) -> Iterator[Installation]:
        for row in self._database.rows(select(INSTALLATION).where(condition)):
            values = {name: value for name, value in row.items() if name not in {"auth_code", "sealed_by"}}
            yield Installation(code=unseal(self._cipher, row["auth_code"] or ""), **values)

    def websites(self) -> dict[str, str]:
        """Return the addresses of the websites of all installations that are not removed, by keyed hash."""
        known = INSTALLATION.c.url.is_not(None) & INSTALLATION.c.removed_at.is_(None)
        rows = self._database.rows(select(INSTALLATION.c.key, INSTALLATION.c.url).where(known))
        return {row["key"]: row["url"] for row in rows}

    def begin(self, key: str, code: Secret, *, now: float) -> None:
        """Add an installation, or reset a removed one. An existing one that is not removed does not change."""
        row: dict[str, Any] = {
            "key": key,
            "auth_code": seal(self._cipher, code),
            "sealed_by": None if self._cipher is None else self._cipher.current,
            "begun_at": now,
        }
        reset_row = {**row, **dict.fromkeys(STEPS)}
        is_removed = INSTALLATION.c.removed_at.is_not(None)
        new = self._database.insert(INSTALLATION).values(**row)
        self._database.change(
            new.on_conflict_do_update(index_elements=["key"], set_=reset_row, where=is_removed)
        )

    def update(self, key: str, **values: float | str | None) -> None:
        """Set columns of an installation."""
        columns = {name: _storable(value) for name, value in values.items()}
        self._database.change(update(INSTALLATION).where(INSTALLATION.c.key == key).values(**columns))

    def remove(self, key: str, *, now: float) -> None:
        """Mark an installation as removed, delete its authCode, and end its sessions."""
        columns = {"removed_at": now, "auth_code": None, "sealed_by": None}
        removed = update(INSTALLATION).where(INSTALLATION.c.key == key).values(**columns)
        self._database.change(removed, delete(SESSION).where(SESSION.c.key == key))

    def add_session(self, session: SettingsSession, *, ended_before: float) -> None:
        """Add a session. Delete the sessions that began before `ended_before`, and the instance's oldest ones.

        An instance keeps MOST_SESSIONS: whoever loads a signed address again and again must not fill the state.
        """
        row = {name: _storable(getattr(session, name)) for name in COLUMNS}
        own = select(SESSION.c.id).where(SESSION.c.key == session.key)
        older = own.order_by(SESSION.c.begun_at.desc(), SESSION.c.id).offset(MOST_SESSIONS - 1)
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.begun_at < ended_before))
            beyond = connection.execute(older).scalars().all()
            if beyond:
                connection.execute(delete(SESSION).where(SESSION.c.id.in_(beyond)))
            connection.execute(insert(SESSION).values(**row))

    def session(self, session_id: str) -> SettingsSession | None:
        if storable(session_id) != session_id:  # PostgreSQL refuses the character NUL even in a query
            return None
        rows = self._database.rows(select(SESSION).where(SESSION.c.id == session_id))
        return SettingsSession(**rows[0]) if rows else None

    def take_turn(self, key: str, holder: str, over: Beat | None = None) -> Beat | None:
        """Take a turn for `holder`. Returns None on success, else the worker that holds the turn, and its number.

        The turn can be taken when it is free, or when its holder and number are still as in `over`. The returned holder
        is "" when the turn has just become free.
        """
        free = self._database.insert(TURN).values(key=key, holder=holder, beat=0)
        with self._database.writing() as connection:
            taken = free.on_conflict_do_nothing(index_elements=["key"]).returning(TURN.c.key)
            if connection.execute(taken).first() is not None:
                return None
            if over is not None:
                same = (TURN.c.key == key) & (TURN.c.holder == over.holder) & (TURN.c.beat == over.number)
                if connection.execute(update(TURN).where(same).values(holder=holder, beat=0)).rowcount:
                    return None
            row = connection.execute(select(TURN).where(TURN.c.key == key)).mappings().first()
        return Beat("", 0) if row is None else Beat(row["holder"], row["beat"])

    def beat_turn(self, key: str, holder: str) -> bool:
        """Raise the number of a turn. Returns False when `holder` does not hold the turn."""
        own = update(TURN).where((TURN.c.key == key) & (TURN.c.holder == holder))
        with self._database.writing() as connection:
            return connection.execute(own.values(beat=TURN.c.beat + 1)).rowcount > 0

    def end_turn(self, key: str, holder: str) -> None:
        self._database.change(delete(TURN).where((TURN.c.key == key) & (TURN.c.holder == holder)))

    def check_writable(self) -> None:
        """Test the database. Raises DatabaseUnusable when it cannot be read and written."""
        touch(self._database, STATE)


def _storable(value: float | str | None) -> float | str | None:
    return storable(value) if isinstance(value, str) else value
