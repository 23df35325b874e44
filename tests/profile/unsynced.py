"""The fixture `unsynced`: SQLite files of this process are not flushed, and share their compiled statements.

A flush protects from a loss of power, which no test simulates, and takes a third of the time of a test that publishes.
A process that is killed loses nothing without it. Processes that tests start flush as they do for users.

A verb opens a file several times, and each test has files of its own. Without sharing, SQLAlchemy would compile each
statement again for each of them.

    from unsynced import unsynced   # the fixture, into a conftest
"""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from awning.publish.state import sqlite

FLUSHED = sqlite._connect
SHARED = sqlalchemy.create_engine("sqlite://")
"""Has the compiled statements, which belong to its dialect."""
with SHARED.connect():
    """Complete the dialect. SQLAlchemy does that at the first connection."""


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_connect", connect)
    monkeypatch.setattr(sqlite, "create_engine", create_engine)


def connect(path: Path) -> sqlite3.Connection:
    connection = FLUSHED(path)
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def create_engine(*arguments: Any, **options: Any) -> sqlalchemy.Engine:
    engine = sqlalchemy.create_engine(*arguments, **options)
    engine.dialect, engine._compiled_cache = SHARED.dialect, SHARED._compiled_cache
    return engine
