"""An open database: reading and writing in transactions, and errors in words of our own.

What a database and SQLAlchemy say about a statement may hold an authCode, as a parameter or as a text that cannot be
read, and what a driver says of a connection may hold more. So nothing of it is passed on: `database_trouble` knows
what to say.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from awning.errors import DatabaseUnusable
from awning.publish.database_trouble import trouble

NUL, STAND_IN = "\0", "\ufdd0"
"""PostgreSQL keeps no NUL in a text; a character that Unicode reserves for such uses stands in for it."""

Upsert = sqlite.Insert | postgresql.Insert


def storable(text: str) -> str:
    """`text` without what a database cannot keep: NUL, and half of a surrogate pair, which JSON can hold."""
    return text.replace(NUL, "").encode("utf-8", "ignore").decode("utf-8")


class Kind(Protocol):
    """What differs between SQLite and PostgreSQL."""

    def ready(self, engine: Engine) -> None:
        """Called before every use. Raises DatabaseUnusable."""

    def alone(self, connection: Connection) -> None:
        """Until this transaction ends, no other one that is alone goes on, in whichever process."""

    def found(self, connection: Connection) -> None:
        """What must be there before the first table is made."""

    def insert(self, table: Table) -> Upsert:
        """An INSERT with ON CONFLICT."""

    def is_sound(self, connection: Connection) -> bool:
        """Whether the whole of it can be read. Takes as long as reading it."""

    def scrub(self, engine: Engine) -> None:
        """Called after something was deleted that must not be found again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Database:
    """One database. `shown` names it in messages: no user, no password."""

    engine: Engine
    shown: str
    kind: Kind

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that changes nothing. Raises DatabaseUnusable."""
        with self._usable(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[Connection]:
        """A transaction: all of it is kept when the block ends, nothing when it raises. Raises DatabaseUnusable.

        `alone` keeps other blocks that are alone waiting, for what is read before it is written.
        """
        with self._usable(), self.engine.execution_options(writing=True).begin() as connection:
            if alone:
                self.kind.alone(connection)
            yield connection

    @property
    def insert(self) -> Callable[[Table], Upsert]:
        return self.kind.insert

    def scrub(self) -> None:
        """Leave nothing in its files of what was deleted, as far as that is ours to do."""
        with self._usable():
            self.kind.scrub(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _usable(self) -> Iterator[None]:
        self.kind.ready(self.engine)
        try:
            yield
        except (DBAPIError, NoneFree) as error:
            why, hint = trouble(error)
            raise DatabaseUnusable(f"{self.shown} cannot be used: {why}", hint=hint) from None
