"""The authCodes in the tables of the inventory and of the app's own server: plain or encrypted, with a keyed hash.

When the state store has a cipher, plain codes are encrypted as soon as the inventory is opened. An operator who sets
AWNING_STATE_KEY wants encryption, and could forget a separate step.

Instances are looked up by their keyed hash, which depends on the key of the state store. When that key was lost and
created again, all hashes are computed again.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Table, bindparam, select, update

from awning.publish.state.cipher import missing_key, seal, unseal, wrong_key
from awning.publish.state.database import Database
from awning.publish.state.store import StateStore
from awning.publish.state.tables import STATE
from awning.publish.state.tables.host import INSTALLATION
from awning.publish.state.tables.inventory import ACKNOWLEDGED, INSTANCE, REMOVED

HASHED = (INSTANCE, REMOVED)
"""The tables in which an instance is looked up by its authCode."""
TABLES = (*HASHED, INSTALLATION)
ROWS = 500
"""The most rows in one statement."""


def open_with_codes(state: StateStore) -> Database:
    """Open the tables with authCodes (`prepare_codes`). Raises DatabaseUnusable when they cannot be used."""
    database = state.open(STATE)
    try:
        prepare_codes(database, state)
    except BaseException:
        database.close()
        raise
    return database


def prepare_codes(database: Database, state: StateStore) -> None:
    """Check the key of the authCodes, encrypt plain ones, and compute outdated keyed hashes.

    When there is nothing to do, it reads only a few rows. Raises ConfigurationError when the key is missing or wrong,
    or an authCode that it reads is damaged.
    """
    with database.reading() as connection:
        for table in TABLES:
            _check_key(connection, table, state)
        are_plain = state.cipher is not None and any(_has(connection, _plain(table)) for table in TABLES)
        are_outdated = any(_is_outdated(connection, table, state) for table in HASHED)
    if are_outdated:
        _hash_all(database, state)
    if are_plain:
        encrypt_all(database, state)


def encrypt_all(database: Database, state: StateStore, *, decrypt: bool = False) -> int:
    """Encrypt every authCode with the first key of the cipher. With `decrypt`, decrypt every authCode.

    Returns how many were changed. Their earlier texts are overwritten in SQLite's files. Raises ConfigurationError
    without a cipher, or when an authCode cannot be decrypted. If it raises, no authCode is changed.
    """
    if state.cipher is None:
        raise missing_key()
    cipher = None if decrypt else state.cipher
    sealed_by = None if cipher is None else cipher.current
    changed = 0
    with database.writing(alone=True) as connection:
        for table in TABLES:
            other = table.c.sealed_by.is_distinct_from(sealed_by) & table.c.auth_code.is_not(None)
            change = update(table).where(table.c.key == bindparam("own")).values(sealed_by=sealed_by)
            for rows in _batches(connection, table, select(table.c.key, table.c.auth_code).where(other)):
                codes = {row["key"]: unseal(state.cipher, row["auth_code"]) for row in rows}
                sealed = [{"own": key, "auth_code": seal(cipher, code)} for key, code in codes.items()]
                connection.execute(change, sealed)
                changed += len(rows)
    if changed:
        database.scrub()
    return changed


def _hash_all(database: Database, state: StateStore) -> None:
    """Compute the keyed hash of each instance anew, and change it in the instance's acknowledgements, too."""
    with database.writing(alone=True) as connection:
        for table in HASHED:
            for rows in _batches(connection, table, select(table.c.key, table.c.auth_code)):
                for row in rows:
                    key = state.hash_of(unseal(state.cipher, row["auth_code"]))
                    if key != row["key"]:
                        for named in (table, ACKNOWLEDGED):
                            own = named.c.key == row["key"]
                            connection.execute(update(named).where(own).values(key=key))


def _check_key(connection: Connection, table: Table, state: StateStore) -> None:
    """Raise ConfigurationError when authCodes are encrypted and there is no cipher, or the cipher lacks their key."""
    sealed = select(table.c.key).where(table.c.sealed_by.is_not(None))
    if state.cipher is None:
        if _has(connection, sealed):
            raise missing_key()
    elif _has(connection, sealed.where(table.c.sealed_by.not_in(sorted(state.cipher.ids)))):
        raise wrong_key()


def _plain(table: Table) -> Select[Any]:
    return select(table.c.key).where(table.c.sealed_by.is_(None), table.c.auth_code.is_not(None))


def _has(connection: Connection, query: Select[Any]) -> bool:
    return connection.execute(query.limit(1)).first() is not None


def _is_outdated(connection: Connection, table: Table, state: StateStore) -> bool:
    """Return whether the keyed hash of the first row was made with another key."""
    first = connection.execute(select(table.c.auth_code, table.c.key).order_by(table.c.id).limit(1)).first()
    return first is not None and state.hash_of(unseal(state.cipher, first.auth_code)) != first.key


def _batches(connection: Connection, table: Table, query: Select[Any]) -> Iterator[Sequence[RowMapping]]:
    """Yield the rows of a query in batches, in the order of their keyed hashes. The caller may change the rows."""
    after = ""
    while (
        rows := connection.execute(query.where(table.c.key > after).order_by(table.c.key).limit(ROWS))
        .mappings()
        .all()
    ):
        yield rows
        after = rows[-1]["key"]
