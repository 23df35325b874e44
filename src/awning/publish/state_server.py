"""The state in a PostgreSQL database: the servers and publishers of several machines share it.

The key of the keyed hashes is there too, so that all of them call an instance by the same hash.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_hex

from sqlalchemy import select

from awning.client import Secret, find_secret
from awning.errors import DatabaseUnusable
from awning.publish.database import Database
from awning.publish.migrations import STATE
from awning.publish.migrations.state.v1 import SETTING
from awning.publish.postgres import advisory_lock, checked_database_url, open_postgres
from awning.publish.state import KEY_BYTES, Held, State, StateDir, busy


def state_at(path: Path, database: Secret | None) -> State:
    """The state in `database`, a PostgreSQL URL; without one in the directory `path`."""
    return StateDir(path) if database is None else StateServer(database)


def database_url(environ: Mapping[str, str]) -> Secret | None:
    """AWNING_DATABASE_URL (or keyring, or file), where there is one. Raises ConfigurationError."""
    url = find_secret("AWNING_DATABASE_URL", environ)
    return None if url is None else checked_database_url(url)


class StateServer(State):
    """One app's state, in the schema `awning` of a database of its own. Connects when it is first asked."""

    def __init__(self, url: Secret) -> None:
        self._url = url
        self._key: bytes | None = None

    def connect(self, name: str) -> Database:  # noqa: ARG002 - all tables are in one database
        return open_postgres(self._url)

    @property
    def key(self) -> bytes:
        if self._key is None:
            with closing(self.open(STATE)) as database:
                self._key = _key(database)
        return self._key

    @contextmanager
    def one_at_a_time(self) -> Iterator[Held]:
        with advisory_lock(self._url) as ours:
            if ours is None:
                raise busy()
            yield ours


def _key(database: Database) -> bytes:
    """Made once: of two that make it at the same time, the second takes the first one's."""
    with database.reading() as connection:
        found = connection.execute(select(SETTING.c.value).where(SETTING.c.name == "key")).scalar()
    if found is None:
        with database.writing() as connection:
            row = database.insert(SETTING).values(name="key", value=token_hex(KEY_BYTES))
            connection.execute(row.on_conflict_do_nothing(index_elements=["name"]))
        return _key(database)
    try:
        key = bytes.fromhex(found)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise DatabaseUnusable(
            f"{database.shown} cannot be used: the key in its table `setting` is damaged",
            hint="put back a copy of that row; without it, instances get other hashes",
        )
    return key
