"""An open database: its transactions, and safe error messages.

An error text of SQLAlchemy or of a driver may contain an authCode or a password, so it is never shown. The module
`database_errors` makes a message of its own from the error's code.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, Executable, RowMapping, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from awning.errors import DatabaseDamaged, DatabaseUnusable
from awning.publish.state.database_errors import explain, is_damage

T = TypeVar("T")
NUL, STAND_IN = "\0", "\ufdd0"
"""PostgreSQL cannot store NUL in a text. In the texts of snippets and of a release's files, STAND_IN is stored instead.

STAND_IN is a noncharacter of Unicode. In other texts, NUL is removed (`storable`).
"""

Upsert = sqlite.Insert | postgresql.Insert


def storable(text: str) -> str:
    """Return `text` without NUL and lone surrogates, which a database cannot store."""
    return text.replace(NUL, "").encode("utf-8", "ignore").decode("utf-8")


def read_row(kind: type[T], row: RowMapping | Mapping[str, Any]) -> T:
    """Return a row as a frozen dataclass, whose fields have the names of columns. Other columns are left out."""
    # The names of some columns are of a subclass of `str`, which msgspec refuses.
    return msgspec.convert({str(name): value for name, value in row.items()}, kind)


class DatabaseBackend:
    """The operations that differ between SQLite and PostgreSQL. Without an override, an operation does nothing."""

    def ready(self, engine: Engine) -> None:
        """Prepare the database for a transaction. Raises DatabaseUnusable when it cannot be used.

        A pool of connections notices a lost connection by itself.
        """

    def alone(self, connection: Connection) -> None:
        """Make all other callers of `alone`, also in other processes, wait until this transaction ends.

        A writing transaction of SQLite locks the whole file anyway.
        """

    def be_patient(self, connection: Connection) -> None:
        """Remove the time limit of a statement for this transaction. SQLite has none."""

    def make_schema(self, connection: Connection) -> None:
        """Create the database schema that holds the tables, if it is missing. SQLite has no schemas."""

    def is_sound(self, connection: Connection) -> bool:  # noqa: ARG002 - SQLite reads the file
        """Return whether the database is undamaged, as far as this backend can tell.

        SQLite checks every page, which takes as long as reading the whole file. A PostgreSQL server itself reports a
        damaged page when it reads it.
        """
        return True

    def scrub(self, engine: Engine) -> None:
        """Make deleted rows unrecoverable from the files. The files of PostgreSQL belong to the server."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Database:
    """One database. `display_name` is its name in messages, without user and password.

    `is_shared` is whether others use its connections, too, so that `close` leaves them open.
    """

    engine: Engine
    display_name: str
    backend: DatabaseBackend
    is_shared: bool = False

    @contextmanager
    def reading(self, *, patient: bool = False) -> Iterator[Connection]:
        """Open a transaction that changes nothing. Raises DatabaseUnusable when the database cannot be read.

        `patient` is for statements that read a whole run or a whole journal, which may take minutes.
        """
        with self._usable(), self.engine.connect() as connection:
            if patient:
                self.backend.be_patient(connection)
            yield connection

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """Open a transaction. It is committed when the block ends, and rolled back when the block raises.

        With `alone`, all other blocks with `alone` wait, so none of them changes what this block has read. Raises
        DatabaseUnusable when the database cannot be written.
        """
        with self._usable(), self.engine.execution_options(writing=True).begin() as connection:
            if alone:
                self.backend.alone(connection)
            yield connection

    def rows(self, query: Executable) -> Sequence[RowMapping]:
        """Return all rows of a query, in a transaction of its own. Raises as `reading` does."""
        with self.reading() as connection:
            return connection.execute(query).mappings().all()

    def value(self, query: Executable) -> Any:
        """Return the first column of the first row of a query; None without rows. Raises as `reading` does."""
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def change(self, *statements: Executable) -> None:
        """Execute statements, all or none. Raises as `writing` does."""
        with self.writing() as connection:
            for statement in statements:
                connection.execute(statement)

    def now(self, connection: Connection) -> datetime:
        """Return the time by the database server's clock, which all programs share.

        With SQLite, it is this machine's clock.
        """
        if connection.dialect.name != "postgresql":
            return datetime.now(UTC)
        moment: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
        return moment.astimezone(UTC)

    def insert(self, table: Table) -> Upsert:
        """Return an INSERT statement that supports ON CONFLICT."""
        is_server = self.engine.dialect.name == "postgresql"
        return postgresql.insert(table) if is_server else sqlite.insert(table)

    def scrub(self) -> None:
        """Make deleted rows unrecoverable from SQLite's files. Raises DatabaseUnusable when they cannot be written."""
        with self._usable():
            self.backend.scrub(self.engine)

    def close(self) -> None:
        if not self.is_shared:
            self.engine.dispose()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        self.backend.ready(self.engine)
        try:
            yield
        except (DBAPIError, NoneFree) as error:
            why, hint = explain(error)
            unusable = DatabaseDamaged if is_damage(error) else DatabaseUnusable
            raise unusable(f"{self.display_name} cannot be used: {why}", hint=hint) from None
