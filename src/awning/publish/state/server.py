"""A state store in a PostgreSQL database, shared by the servers and publishers of several machines.

The database also holds the key of the keyed hashes, so all machines show the same hash for an instance.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Self

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from awning.client import Secret, find_secret
from awning.diagnostics import SetupCheck
from awning.errors import AwningError, DatabaseUnusable
from awning.publish.state.app_data_lock import AppDataLocks
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.database import Database, explain
from awning.publish.state.postgres import (
    advisory,
    advisory_lock,
    checked_database_url,
    installation_lock,
    open_postgres,
)
from awning.publish.state.store import (
    KEY_BYTES,
    MARK,
    Held,
    Installing,
    StateDir,
    StateStore,
    busy,
    read_key,
)
from awning.publish.state.tables import SETTING, STATE

CLASS = 0x61776E68
"""The first of the two keys of each advisory lock on app data. awning's other advisory locks have another one."""


class ServerLocks(AppDataLocks):
    """Advisory locks of PostgreSQL on the app data of instances, all in one session.

    The database releases them when the connection ends.
    """

    def __init__(self, url: Secret) -> None:
        super().__init__()
        self._url = url
        self._database: Database | None = None
        self._session: Connection | None = None

    def _take(self, key: str) -> bool:
        return self._ask("pg_try_advisory_lock", key)

    def _release(self, key: str) -> None:
        if self._session is not None:  # without a session, the database has already released the lock
            with suppress(DatabaseUnusable):
                self._ask("pg_advisory_unlock", key)

    def _ask(self, function: str, key: str) -> bool:
        if self._database is None:
            self._database = open_postgres(self._url)
        number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], signed=True)
        try:
            if self._session is None:
                self._session = self._database.engine.connect()
            answer = advisory(self._session, function, number, of=CLASS)
            self._session.commit()  # the lock belongs to the session
        except SQLAlchemyError as error:
            self._database.close()
            self._database = self._session = None
            why, hint = (
                explain(error) if isinstance(error, DBAPIError) else ("no connection could be made", None)
            )
            raise DatabaseUnusable(f"the lock of app data cannot be taken: {why}", hint=hint) from None
        return bool(answer)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
        if self._database is not None:
            self._database.close()


def state_at(path: Path, database: Secret | None, cipher: CodeCipher | None = None) -> StateStore:
    """Return the state store in `database`, a PostgreSQL URL; without it, the one in the directory `path`.

    Raises ConfigurationError when the directory cannot be used, or its key is damaged.
    """
    return StateDir(path, cipher) if database is None else StateServer(database, cipher)


def database_url(environ: Mapping[str, str]) -> Secret | None:
    """Return AWNING_DATABASE_URL (environment, keyring or file); None when it is not set.

    Raises ConfigurationError when it is not a PostgreSQL URL or cannot be read.
    """
    url = find_secret("AWNING_DATABASE_URL", environ)
    return None if url is None else checked_database_url(url)


def check_database(url: Secret) -> SetupCheck:
    """Connect to the database, and return the line of `awning doctor` about it. Nothing is changed."""
    try:
        with closing(open_postgres(url)) as database, database.reading():
            return SetupCheck(name="database", state="ok", detail=f"{database.display_name}, which answers")
    except AwningError as error:
        return SetupCheck(name="database", state="missing", detail=error.message, hint=error.hint)


class StateServer(StateStore):
    """A state store in the schema `awning` of a PostgreSQL database. It connects at its first use."""

    def __init__(self, url: Secret, cipher: CodeCipher | None = None) -> None:
        self.cipher = cipher
        self._url = url
        self._key: bytes | None = None

    @property
    def url(self) -> Secret:
        """The address of the database, with its password."""
        return self._url

    def connect(self, name: str) -> Database:  # noqa: ARG002 - all tables are in one database
        return open_postgres(self._url)

    def shared(self) -> AbstractContextManager[StateStore]:
        return SharedServer(self._url, self.cipher, connections=2)

    @property
    def mark_name(self) -> str:
        return f"the row {MARK} of the table awning.setting"

    def read_mark(self, connection: Connection) -> str | None:
        mark: str | None = connection.execute(select(SETTING.c.value).where(SETTING.c.name == MARK)).scalar()
        return mark

    def write_mark_beside(self, connection: Connection, text: str) -> None:
        row = insert(SETTING).values(name=MARK, value=text)
        connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": text}))

    @property
    def key(self) -> bytes:
        if self._key is None:
            with closing(self.open(STATE)) as database:
                self._key = _key(database)
        return self._key

    def app_data_locks(self) -> AppDataLocks:
        return ServerLocks(self._url)

    @contextmanager
    def lock_runs(self) -> Iterator[Held]:
        """Hold the publishers' lock. Raises Busy when another publish runs."""
        with advisory_lock(self._url) as ours:
            if ours is None:
                raise busy()
            yield ours

    @contextmanager
    def lock_installation(self) -> Iterator[Installing]:
        with installation_lock(self._url) as installing:
            yield installing


class SharedServer(StateServer):
    """A state store whose tables share one pool of connections: a verb, or a fleet's worker, opens many tables.

    Use it as a context manager, which closes the pool.
    """

    def __init__(self, url: Secret, cipher: CodeCipher | None = None, *, connections: int) -> None:
        super().__init__(url, cipher)
        self._database = open_postgres(url, connections=connections)

    def connect(self, name: str) -> Database:  # noqa: ARG002 - all tables are in one database
        return replace(self._database, is_shared=True)

    def shared(self) -> AbstractContextManager[StateStore]:
        return nullcontext(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._database.close()


def _key(database: Database) -> bytes:
    """Read the key, or create it. Raises DatabaseUnusable when the stored key is damaged.

    When two processes create it at the same time, both use the key that was stored first.
    """
    with database.reading() as connection:
        stored = connection.execute(select(SETTING.c.value).where(SETTING.c.name == "key")).scalar()
    if stored is None:
        with database.writing() as connection:
            row = database.insert(SETTING).values(name="key", value=token_hex(KEY_BYTES))
            connection.execute(row.on_conflict_do_nothing(index_elements=["name"]))
        return _key(database)
    key = read_key(stored)
    if key is None:
        raise DatabaseUnusable(
            f"{database.display_name} cannot be used: the key in its table `setting` is damaged",
            hint="put back a copy of that row; without it, instances get other hashes",
        )
    return key
