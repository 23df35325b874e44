"""An open database: its transactions, and safe error messages.

An error text of SQLAlchemy or of a driver may contain an authCode or a password, so it is never shown. A message of our
own is made from the error's code (SQLite, Result and Error Codes; PostgreSQL, Appendix A, SQLSTATE). libpq has no code
for a refused connection, so such an error is recognised by words in its text. For a misspelt parameter of the URL, only
the parameter's name is shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, Executable, RowMapping, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoneFree

from awning.errors import DatabaseDamaged, DatabaseUnusable

Explanation = tuple[str, str | None]
"""A message, and a hint or None."""

_AGAIN = "wait for that program to end, then run this again"
_DAMAGED: Explanation = (
    "it is damaged, or no database",
    "put back a copy of it, or move it away to start afresh; `awning instances import` fills an inventory again",
)
_LOCKED: Explanation = ("another program holds it locked", _AGAIN)
_SQLITE: Mapping[str, Explanation] = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_NOTADB": _DAMAGED,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_READONLY": ("it may not be written", "give yourself the right to write it and its directory"),
    "SQLITE_CANTOPEN": ("it cannot be opened", "look at the rights of the file and of its directory"),
    "SQLITE_PERM": ("it may not be opened", "look at the rights of the file and of its directory"),
    "SQLITE_FULL": ("the disk is full", "make room, then run this again"),
    "SQLITE_IOERR": (
        "the disk cannot be read or written",
        "look whether it is full: make room, then run this again; else it may be broken",
    ),
}
_AWAY: Explanation = (
    "the server does not answer",
    "look whether it runs, and at the host and port of the URL",
)
_UNEXPLAINED: Explanation = ("no connection could be made", "psql with the same URL says more")
_LOGIN: Explanation = (
    "the server refuses the user or the password",
    "look at both in AWNING_DATABASE_URL, and at the server's pg_hba.conf",
)
_NO_SUCH: Explanation = ("there is no such database", "make it: createdb --owner=USER NAME")
_RIGHTS: Explanation = (
    "the user may not do this there",
    "let the database's owner run `awning host migrate`, and grant the user the schema, its tables and sequences",
)
_FULL: Explanation = ("the server has no room left", "make room on its disk, then run this again")
_LOST: Explanation = ("the connection was lost", "look whether the server runs, then run this again")
_POSTGRES: Mapping[str, Explanation] = {
    "28": _LOGIN,
    "3D000": _NO_SUCH,
    "42501": _RIGHTS,
    "3F000": _RIGHTS,
    "25006": ("it is read only", "name the primary server, not a standby"),
    "42P01": ("a table of it is missing", "put back a copy of it"),
    "55P03": _LOCKED,
    "57014": ("a statement took too long", "look at the server's load and locks, then run this again"),
    "40": ("two programs were in each other's way", "run this again"),
    "53300": ("the server has no connection left", "raise its max_connections, or run fewer workers"),
    "53": _FULL,
    "57P03": ("the server is starting or stopping", "run this again in a moment"),
    "57P": _LOST,
    "08": _LOST,
    "58": ("the server's disk cannot be read or written", None),
    "XX": ("it is damaged", "put back a copy of it"),
}
_IS_DAMAGE = frozenset({_DAMAGED[0], _POSTGRES["42P01"][0], _POSTGRES["XX"][0]})
_MISSPELT = re.compile(
    r'invalid (?:connection option "(?P<option>[a-z_]{1,40})"'
    r'|(?P<value>[a-z_]{1,40}) value: |integer value .* for connection option "(?P<number>[a-z_]{1,40})")'
)
_PARAMETERS = "look at what stands after the ? of AWNING_DATABASE_URL"
_PLAIN = "turn SSL on in the server, or set another sslmode in AWNING_DATABASE_URL"
_TRUST = "name what to verify it with: sslrootcert=FILE in AWNING_DATABASE_URL, or sslrootcert=system"
_REFUSALS: Mapping[str, Explanation] = {
    "server does not support SSL": ("the server has no SSL, which sslmode asks for", _PLAIN),
    "root certificate": ("there is no root certificate to verify the server with", _TRUST),
    "certificate verify failed": ("the server's certificate is none that is trusted", _TRUST),
    "does not match host name": (
        "the server's certificate is of another host",
        "name the host as the certificate does",
    ),
    "SSL": ("no secure connection could be made", "look at sslmode, and at the server's certificate"),
    "could not translate host name": ("its host is not known", "look at the host of AWNING_DATABASE_URL"),
    "failed to resolve host": ("its host is not known", "look at the host of AWNING_DATABASE_URL"),
    "onnection refused": _AWAY,
    "timeout": _AWAY,
    "No such file or directory": _AWAY,
    "password": _LOGIN,
    "pg_hba": _LOGIN,
    "authentication": _LOGIN,
    "role ": _LOGIN,
    "does not exist": _NO_SUCH,
    "too many": _POSTGRES["53300"],
    "starting up": _POSTGRES["57P03"],
    "shutting down": _POSTGRES["57P03"],
}


def explain(error: SQLAlchemyError) -> Explanation:
    """Return a message and a hint. They contain nothing of the statement and its parameters.

    Of the database's URL, they contain at most the name of a misspelt parameter.
    """
    if not isinstance(error, DBAPIError):
        return "all its connections are in use", "run this again in a moment"
    cause = error.orig
    if cause is not None and hasattr(cause, "sqlstate"):
        return _postgres(cause.sqlstate or "", str(cause))
    name: str = getattr(cause, "sqlite_errorname", "")
    # An error without an SQLite error name comes from the driver itself: the file holds text that is not UTF-8.
    return _by_code(_SQLITE, name) or ((f"it was refused ({name})", None) if name else _DAMAGED)


def is_damage(error: SQLAlchemyError) -> bool:
    """Return whether the error says that the database is damaged, or that a table of it is missing."""
    return explain(error)[0] in _IS_DAMAGE


def _postgres(state: str, text: str) -> Explanation:
    if state:
        return _by_code(_POSTGRES, state) or (f"it was refused ({state})", None)
    misspelt = _MISSPELT.search(text)
    if misspelt is not None:
        name = misspelt["option"] or misspelt["value"] or misspelt["number"]
        what = "there is no such parameter" if misspelt["option"] else "it cannot have that value"
        return f'its URL has the parameter "{name}": {what}', _PARAMETERS
    return next((explanation for words, explanation in _REFUSALS.items() if words in text), _UNEXPLAINED)


def _by_code(known: Mapping[str, Explanation], code: str) -> Explanation | None:
    """Return the explanation whose key is a prefix of the code; None when there is none."""
    return next((explanation for key, explanation in known.items() if code.startswith(key)), None)


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
