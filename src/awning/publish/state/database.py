"""An open database: transactions, and error messages of our own.

An error of SQLAlchemy or of a driver may quote an authCode or a password, so its text is never shown. The module
`database_errors` has a message of its own for each error code.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from sqlalchemy import Connection, Engine, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from awning.errors import DatabaseUnusable
from awning.publish.state.database_errors import explain

NUL, STAND_IN = "\0", "\ufdd0"
"""PostgreSQL stores no NUL in a text. A noncharacter of Unicode replaces it."""

Upsert = sqlite.Insert | postgresql.Insert


def storable(text: str) -> str:
    """Return `text` without NUL and lone surrogates, which a database cannot store."""
    return text.replace(NUL, "").encode("utf-8", "ignore").decode("utf-8")


class DatabaseBackend(Protocol):
    """The differences between SQLite and PostgreSQL."""

    def ready(self, engine: Engine) -> None:
        """Called before every use. Raises DatabaseUnusable."""

    def alone(self, connection: Connection) -> None:
        """Make other transactions that call this wait until this one ends, in all processes."""

    def be_patient(self, connection: Connection) -> None:
        """Let the statements of this transaction take as long as they need."""

    def make_schema(self, connection: Connection) -> None:
        """Make the schema of the database, which must exist before the first table."""

    def insert(self, table: Table) -> Upsert:
        """An INSERT with ON CONFLICT."""

    def is_sound(self, connection: Connection) -> bool:
        """Whether the whole database can be read. Takes as long as reading the whole database."""

    def scrub(self, engine: Engine) -> None:
        """Overwrite deleted rows, so that they cannot be recovered from the file."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Database:
    """One database. `display_name` names it in messages: no user, no password."""

    engine: Engine
    display_name: str
    backend: DatabaseBackend

    @contextmanager
    def reading(self, *, patient: bool = False) -> Iterator[Connection]:
        """A transaction that changes nothing. Raises DatabaseUnusable when the database cannot be read.

        `patient` is for statements that read a whole run or a whole journal, which may take minutes.
        """
        with self._usable(), self.engine.connect() as connection:
            if patient:
                self.backend.be_patient(connection)
            yield connection

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """A transaction: committed when the block ends, rolled back when it raises.

        `alone` makes other blocks with `alone` wait: use it to read before a write. Raises DatabaseUnusable when the
        database cannot be written.
        """
        with self._usable(), self.engine.execution_options(writing=True).begin() as connection:
            if alone:
                self.backend.alone(connection)
            yield connection

    def now(self, connection: Connection) -> datetime:
        """The time by the one clock of all programs that use the database: the server's, with SQLite this machine's."""
        if connection.dialect.name != "postgresql":
            return datetime.now(UTC)
        moment: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        return moment.astimezone(UTC)

    @property
    def insert(self) -> Callable[[Table], Upsert]:
        return self.backend.insert

    def scrub(self) -> None:
        """Remove deleted rows from SQLite's files too. Raises DatabaseUnusable when the files cannot be written."""
        with self._usable():
            self.backend.scrub(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        self.backend.ready(self.engine)
        try:
            yield
        except (DBAPIError, NoneFree) as error:
            why, hint = explain(error)
            raise DatabaseUnusable(f"{self.display_name} cannot be used: {why}", hint=hint) from None
