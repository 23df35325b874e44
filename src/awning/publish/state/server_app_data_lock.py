"""The locks of the instances' app data in a PostgreSQL database, for programs on several machines."""

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from awning.client import Secret
from awning.errors import DatabaseUnusable
from awning.publish.state.app_data_lock import AppDataLocks
from awning.publish.state.database_errors import explain
from awning.publish.state.postgres import open_postgres

if TYPE_CHECKING:
    from awning.publish.state.database import Database

CLASS = 0x61776E68
"""The first of the two keys of each advisory lock on app data. awning's other advisory locks have another one."""


class ServerLocks(AppDataLocks):
    """Advisory locks of PostgreSQL, all in one session. The database releases them when the connection ends."""

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
        query = text(f"SELECT {function}(:class, :lock)")
        try:
            if self._session is None:
                self._session = self._database.engine.connect()
            answer = self._session.execute(query, {"class": CLASS, "lock": number}).scalar_one()
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
