"""The fixture `unsynced`: SQLite files of this process are not flushed, and databases share their compiled statements.

A flush protects from a loss of power, which no test simulates, and takes a third of the time of a test that publishes.
A process that is killed loses nothing without it. Processes that tests start flush as they do for users.

A verb opens a database several times, and each test has databases of its own. Without sharing, SQLAlchemy would compile
each statement again for each of them, and ask a server for its version each time. All servers of a run are alike.

    from unsynced import unsynced   # the fixture, into a conftest
"""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from awning.publish.state import postgres, sqlite

FLUSHED = sqlite._connect
SHARED: dict[str, sqlalchemy.Engine] = {}
"""By dialect, the first engine that has connected. Its dialect is complete, and has the compiled statements."""


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_connect", connect)
    for module in (sqlite, postgres):
        monkeypatch.setattr(module, "create_engine", create_engine)


def connect(path: Path) -> sqlite3.Connection:
    connection = FLUSHED(path)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def create_engine(url: str | sqlalchemy.URL, **options: Any) -> sqlalchemy.Engine:
    name = sqlalchemy.make_url(url).get_backend_name()
    shared = SHARED.get(name)
    engine = sqlalchemy.create_engine(url, **options, _initialize=shared is None)
    if shared is None:
        sqlalchemy.event.listen(engine, "connect", lambda *_: SHARED.setdefault(name, engine))
    else:
        engine.dialect, engine._compiled_cache = shared.dialect, shared._compiled_cache
    return engine
