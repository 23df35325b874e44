"""What the server remembers besides the inventory: how far each installation got, and who has settings open.

    installation   one row per instance, by its keyed hash: a time for every step that is done. A removed one
                   stays, marked, without its authCode; the publisher's inventory forgets it.
    session        one row per opened settings page. The cookie's value is not here, only its digest.

    turn           who is at work on an instance, among all workers, and the number that it raises while it is: `turn`

Every method is one transaction, and raises DatabaseUnusable. Several processes do this at once.
"""

from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, delete, insert, select, update

from awning.client import Secret
from awning.host.migrations import HOST
from awning.publish.database import Database, storable
from awning.publish.layout import touch
from awning.publish.state import StateStore

METADATA = MetaData()
STEPS = ("installed_at", "configured_at", "published_at", "announced_at", "removing_at", "removed_at")
INSTALLATION = Table(
    "installation",
    METADATA,
    Column("key", String, primary_key=True),
    Column("auth_code", String),
    Column("url", String, index=True),
    Column("brand", String),
    Column("begun_at", Float, nullable=False),
    *(Column(step, Float) for step in STEPS),
)
SESSION = Table(
    "session",
    METADATA,
    Column("id", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("key", String, nullable=False, index=True),
    Column("language", String, nullable=False),
    Column("return_link", String),
    Column("begun_at", Float, nullable=False, index=True),
)
TURN = Table(
    "turn",
    METADATA,
    Column("key", String, primary_key=True),
    Column("holder", String, nullable=False),
    Column("beat", Integer, nullable=False),
)

COLUMNS = tuple(column.name for column in SESSION.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """One instance and its steps, each with the time it was done (seconds since 1970), or None."""

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
    def shown(self) -> str:
        """What a person knows the website by."""
        return self.brand or self.url or self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A settings page that somebody with a verified request has open."""

    id: str
    digest: str
    key: str
    language: str
    return_link: str | None
    begun_at: float


@dataclass(frozen=True, slots=True)
class Beat:
    """Who has a turn, and how often it has said so."""

    holder: str
    number: int


class Records:
    """The three tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, state: StateStore) -> Self:
        return cls(state.open(HOST))

    def close(self) -> None:
        self._database.close()

    def installation(self, key: str) -> Installation | None:
        with self._database.reading() as connection:
            row = connection.execute(select(INSTALLATION).where(INSTALLATION.c.key == key)).mappings().first()
        if row is None:
            return None
        values = dict(row)
        return Installation(code=Secret(values.pop("auth_code") or ""), **values)

    def others(self, key: str, url: str) -> tuple[Installation, ...]:
        """Installations on the same website that are not marked removed."""
        same = (INSTALLATION.c.url == url) & (INSTALLATION.c.key != key) & INSTALLATION.c.removed_at.is_(None)
        with self._database.reading() as connection:
            keys = connection.execute(select(INSTALLATION.c.key).where(same)).scalars().all()
        return tuple(found for other in keys if (found := self.installation(other)))

    def begin(self, key: str, code: Secret, *, now: float) -> None:
        """A new installation, or a removed one that is installed again. One under way is left as it is."""
        row: dict[str, Any] = {"key": key, "auth_code": code.reveal(), "begun_at": now}
        anew = {**row, **dict.fromkeys(STEPS)}
        with self._database.writing() as connection:
            connection.execute(
                self._database.insert(INSTALLATION)
                .values(**row)
                .on_conflict_do_update(
                    index_elements=["key"], set_=anew, where=INSTALLATION.c.removed_at.is_not(None)
                )
            )

    def note(self, key: str, **values: float | str | None) -> None:
        kept = {name: _storable(value) for name, value in values.items()}
        with self._database.writing() as connection:
            connection.execute(update(INSTALLATION).where(INSTALLATION.c.key == key).values(**kept))

    def remove(self, key: str, *, now: float) -> None:
        """Mark it removed, forget its authCode, end its sessions."""
        with self._database.writing() as connection:
            gone = {"removed_at": now, "auth_code": None}
            connection.execute(update(INSTALLATION).where(INSTALLATION.c.key == key).values(**gone))
            connection.execute(delete(SESSION).where(SESSION.c.key == key))

    def add_session(self, session: Session, *, ended_before: float) -> None:
        """Keep a session, and forget those that have ended."""
        row = {name: _storable(getattr(session, name)) for name in COLUMNS}
        with self._database.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.begun_at < ended_before))
            connection.execute(insert(SESSION).values(**row))

    def session(self, session_id: str) -> Session | None:
        if storable(session_id) != session_id:  # PostgreSQL refuses even to look for it
            return None
        with self._database.reading() as connection:
            row = connection.execute(select(SESSION).where(SESSION.c.id == session_id)).mappings().first()
        return None if row is None else Session(**row)

    def take_turn(self, key: str, holder: str, over: Beat | None = None) -> Beat | None:
        """None where `holder` has the turn now: nobody had it, or only `over`, which has not said a word since.

        Else who has it.
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
        """Say that `holder` is still at it. False where the turn is another's."""
        own = update(TURN).where((TURN.c.key == key) & (TURN.c.holder == holder))
        with self._database.writing() as connection:
            return connection.execute(own.values(beat=TURN.c.beat + 1)).rowcount > 0

    def end_turn(self, key: str, holder: str) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(TURN).where((TURN.c.key == key) & (TURN.c.holder == holder)))

    def check_writable(self) -> None:
        """Raises DatabaseUnusable where nothing can be read or written."""
        touch(self._database, HOST)


def _storable(value: float | str | None) -> float | str | None:
    return storable(value) if isinstance(value, str) else value
