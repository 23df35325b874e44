"""A PostgreSQL database by its URL, for servers on several machines: all our tables in one schema, `awning`.

The password is taken out of the URL at once, so that no engine, message or log that shows the rest can show it.
Needs the extra `postgres` (psycopg 3). Locks belong to a session, so a pooler in between must pool sessions.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url, text
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from awning.client import Secret
from awning.errors import ConfigurationError
from awning.publish.database import Database

DRIVER = "postgresql+psycopg"
SCHEMES = ("postgresql", "postgres")
NAMESPACE = "awning"
SECRETS = ("password", "sslpassword")
"""Parameters of a connection that are never shown."""
CLASS = 0x61776E67
"""Our advisory locks, apart from other programs' on the same database."""
ALONE, APPLY = 1, 2
LIMITS = (
    "SET statement_timeout = '15s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s'"
)
PATIENT = ("SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = '5min'")
"""For what may take long and must not be given up half way: it is one transaction all the same."""
CONNECT: dict[str, Any] = {"connect_timeout": 5, "keepalives_idle": 30, "tcp_user_timeout": 15000}
HINT = "such as postgresql://user:password@host/database"


def checked_database_url(url: Secret) -> Secret:
    """`url`, where it is a PostgreSQL URL. Raises ConfigurationError, which holds nothing of it."""
    _parsed(url)
    return url


def open_postgres(url: Secret) -> Database:
    """Connects when it is first used. Raises ConfigurationError where the driver or the URL is not usable."""
    parsed = _parsed(url)
    query = {name: value for name, value in parsed.query.items() if name not in SECRETS}
    secret = {name: parsed.query[name] for name in SECRETS if name in parsed.query}
    if parsed.password is not None:
        secret["password"] = str(parsed.password)
    shown = URL.create(
        DRIVER,
        username=parsed.username,
        host=parsed.host,
        port=parsed.port,
        database=parsed.database,
        query=query,
    )
    # What the URL says itself goes before our own patience.
    arguments = {**{k: v for k, v in CONNECT.items() if k not in query}, **secret}
    try:
        engine = create_engine(
            shown,
            connect_args=arguments,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=1,
            max_overflow=4,
            pool_timeout=10,
        )
    except ImportError:
        raise ConfigurationError(
            "a PostgreSQL database needs psycopg, which is not installed",
            hint="install the driver: pip install 'awning[postgres]'",
        ) from None
    event.listen(engine, "connect", _prepare)
    return Database(engine=engine, shown=_shown(parsed), kind=Server())


class Server:
    """What PostgreSQL does in its own way."""

    def ready(self, engine: Engine) -> None:
        """A connection that was lost meanwhile is noticed by the pool."""

    def alone(self, connection: Connection) -> None:
        for statement in PATIENT:
            connection.exec_driver_sql(statement)
        connection.execute(
            text("SELECT pg_advisory_xact_lock(:class, :lock)"), {"class": CLASS, "lock": ALONE}
        )

    def found(self, connection: Connection) -> None:
        """The schema: a user who may not make one finds it made."""
        if not connection.dialect.has_schema(connection, NAMESPACE):
            connection.exec_driver_sql(f"CREATE SCHEMA {NAMESPACE}")

    def insert(self, table: Table) -> Insert:
        return insert(table)

    def is_sound(self, connection: Connection) -> bool:  # noqa: ARG002 - see File
        """The server tells of a page that is damaged when it reads it."""
        return True

    def scrub(self, engine: Engine) -> None:
        """What its files hold is the server's."""


@contextmanager
def advisory_lock(url: Secret) -> Iterator[Callable[[], bool] | None]:
    """Try the lock of `publish apply`; yields None, or what tells whether we have it still.

    The server lets go of it when our connection ends, also when that was cut and we are still here.
    """
    with closing(open_postgres(url)) as database, database.reading() as connection:
        taken = connection.execute(
            text("SELECT pg_try_advisory_lock(:class, :lock)"), {"class": CLASS, "lock": APPLY}
        ).scalar_one()
        connection.commit()  # the lock is the session's; no transaction stays open for the length of a publish
        yield partial(_answers, connection) if taken else None


def _answers(connection: Connection) -> bool:
    """Whether this very connection is there. Once it was not, it never is again."""
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
