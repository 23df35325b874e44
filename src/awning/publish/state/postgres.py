"""Opens a PostgreSQL database by its URL. All tables of awning are in the schema `awning`.

The password is removed from the URL at once, so no engine, message or log can show it. This module needs the extra
`postgres` (psycopg 3). Advisory locks belong to a database session, so a connection pooler must use session pooling.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from awning.client import Secret
from awning.errors import ConfigurationError
from awning.publish.state.database import Database, DatabaseBackend
from awning.publish.state.store import Installing

DRIVER = "postgresql+psycopg"
SCHEMES = ("postgresql", "postgres")
NAMESPACE = "awning"
SECRETS = ("password", "sslpassword")
"""The secret parameters of a connection."""
CLASS = 0x61776E67
"""The first of the two keys of awning's advisory locks. It distinguishes them from the locks of other programs.

The locks of app data have another first key (`ServerLocks`).
"""
ALONE, APPLY, INSTALL, JOBS = 1, 2, 3, 4
ENDING_S, AGAIN_S = 0.5, 0.02
"""How long a publish that begins waits for the lock, and the pause between two attempts, in seconds.

The server releases the lock of a publish that was killed when it notices that the client is gone.
"""
PUBLISHING = """
    SELECT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND classid = :class AND objid = :lock AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
"""
"""A query that returns whether a publish holds the publishers' lock now (PostgreSQL, 54.12: pg_locks)."""
LIMITS = (
    "SET statement_timeout = '15s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'"
)
NO_TIMEOUT = "SET LOCAL statement_timeout = 0"
PATIENT = (NO_TIMEOUT, "SET LOCAL lock_timeout = '5min'")
"""The limits of a long transaction, such as a migration: its wait for a lock is limited, its statements are not."""
CONNECT: dict[str, Any] = {"connect_timeout": 5, "keepalives_idle": 30, "tcp_user_timeout": 15000}
HINT = "such as postgresql://user:password@host/database"


def checked_database_url(url: Secret) -> Secret:
    """Return `url`. Raises ConfigurationError, without the URL in its text, when `url` is not a PostgreSQL URL."""
    _parsed(url)
    return url


def open_postgres(url: Secret, *, connections: int = 1) -> Database:
    """Return a database that connects at its first use.

    It keeps up to `connections` connections open, and opens up to four more while they are needed.

    Raises ConfigurationError when the driver is missing or the URL cannot be used.
    """
    parsed = _parsed(url)
    query = {name: value for name, value in parsed.query.items() if name not in SECRETS}
    secret = {name: parsed.query[name] for name in SECRETS if name in parsed.query}
    if parsed.password is not None:
        secret["password"] = str(parsed.password)
    public_url = URL.create(
        DRIVER,
        username=parsed.username,
        host=parsed.host,
        port=parsed.port,
        database=parsed.database,
        query=query,
    )
    # Timeouts in the URL override the default timeouts.
    arguments = {**{k: v for k, v in CONNECT.items() if k not in query}, **secret}
    try:
        engine = create_engine(
            public_url,
            connect_args=arguments,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=connections,
            max_overflow=4,
            pool_timeout=10,
            use_native_hstore=False,  # otherwise each engine asks the server for this type
        )
    except ImportError:
        raise ConfigurationError(
            "a PostgreSQL database needs psycopg, which is not installed",
            hint="install the driver: pip install 'awning[postgres]'",
        ) from None
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "do_executemany", _execute_many)
    return Database(engine=engine, display_name=_shown(parsed), backend=Server())


class Server(DatabaseBackend):
    """The PostgreSQL implementation of `DatabaseBackend`."""

    def alone(self, connection: Connection) -> None:
        for statement in PATIENT:
            connection.exec_driver_sql(statement)
        advisory(connection, "pg_advisory_xact_lock", ALONE)

    def be_patient(self, connection: Connection) -> None:
        connection.exec_driver_sql(NO_TIMEOUT)

    def make_schema(self, connection: Connection) -> None:
        """Create the schema if it is missing. A user without the privilege for this can use an existing one."""
        if not connection.dialect.has_schema(connection, NAMESPACE):
            connection.exec_driver_sql(f"CREATE SCHEMA {NAMESPACE}")


def advisory(connection: Connection, function: str, lock: int, *, of: int = CLASS) -> Any:
    """Call a function of PostgreSQL for an advisory lock, whose keys are `of` and `lock`, and return its result."""
    return connection.execute(text(f"SELECT {function}(:of, :lock)"), {"of": of, "lock": lock}).scalar_one()


@contextmanager
def advisory_lock(url: Secret) -> Iterator[Callable[[], bool] | None]:
    """Try to take the publishers' lock, and wait until the installations that are under way have ended.

    Yields a function that returns whether this process still holds the lock; None when another process holds it. The
    lock is free when the block has ended. If the process is killed or the network cut, the server releases it. Raises
    DatabaseUnusable when the database cannot be used, or an installation takes too long.
    """
    with closing(open_postgres(url)) as database, database.reading() as connection:
        taken = _take(connection)
        if taken:  # wait for the installations that are under way
            advisory(connection, "pg_advisory_lock", INSTALL)
            advisory(connection, "pg_advisory_unlock", INSTALL)
        connection.commit()  # the lock belongs to the session, so the transaction can end
        try:
            yield partial(_answers, connection) if taken else None
        finally:
            if taken:
                _release(connection)


def _take(connection: Connection) -> bool:
    """Take the publishers' lock. Returns whether it is free, or becomes free within ENDING_S seconds."""
    until = time.monotonic() + ENDING_S
    while not advisory(connection, "pg_try_advisory_lock", APPLY):
        if time.monotonic() >= until:
            return False
        time.sleep(AGAIN_S)
    return True


def _release(connection: Connection) -> None:
    """Release the publishers' lock, unless the session, and with it the lock, is gone.

    The end of the session would release it, too, but some time after the client has closed the connection.
    """
    with suppress(SQLAlchemyError):
        advisory(connection, "pg_advisory_unlock", APPLY)
        connection.commit()


@contextmanager
def installation_lock(url: Secret) -> Iterator[Installing]:
    """Hold the installation lock, which several processes may hold at the same time.

    Raises DatabaseUnusable when the database cannot be used.
    """
    with closing(open_postgres(url)) as database, database.reading() as connection:
        advisory(connection, "pg_advisory_lock_shared", INSTALL)
        is_publishing = connection.execute(text(PUBLISHING), {"class": CLASS, "lock": APPLY}).scalar_one()
        connection.commit()  # the lock belongs to the session
        yield Installing(held=partial(_answers, connection), is_publishing=is_publishing)


def _answers(connection: Connection) -> bool:
    """Return whether the session of this connection, and with it the lock, is still there."""
    try:
        connection.execute(text("SELECT 1"))
        connection.commit()
    except SQLAlchemyError:
        return False
    return True


def _parsed(url: Secret) -> URL:
    try:
        parsed = make_url(url.reveal())
    except (ArgumentError, ValueError):
        raise ConfigurationError("AWNING_DATABASE_URL is not a database URL", hint=HINT) from None
    if parsed.drivername not in {*SCHEMES, DRIVER}:
        raise ConfigurationError(
            "AWNING_DATABASE_URL is not a PostgreSQL URL",
            hint=f"{HINT}; without it, SQLite files in the state directory are used",
        )
    if not parsed.database:
        raise ConfigurationError("AWNING_DATABASE_URL names no database", hint=HINT)
    return parsed


def _shown(url: URL) -> str:
    where = url.host or url.query.get("host") or "this machine"
    return f"the PostgreSQL database {url.database} at {where}" + (f":{url.port}" if url.port else "")


def _prepare(connection: Any, _record: object) -> None:
    connection.autocommit = True
    connection.execute(f"SET search_path TO {NAMESPACE}; {LIMITS}")
    connection.autocommit = False


def _execute_many(cursor: Any, statement: str, rows: Sequence[Mapping[str, Any]], _context: object) -> bool:
    """Execute a statement for many rows, in one message to the server.

    Returns True, so that SQLAlchemy does not execute it again. psycopg would send a pipeline of messages. If a process
    is suspended in the middle of its pipeline, the server waits for the rest in spite of
    `idle_in_transaction_session_timeout`, and the process keeps its locks.
    """
    from psycopg import ClientCursor  # noqa: PLC0415 - an extra

    with ClientCursor(cursor.connection) as client:
        client.execute(";".join(client.mogrify(statement, row) for row in rows).encode())
    return True
