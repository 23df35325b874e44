"""The fixture `unsynced`: SQLite files of this process are not flushed to the disk.

A flush protects from a loss of power, which no test simulates, and takes a third of the time of a test that publishes.
A process that is killed loses nothing without it. Processes that tests start flush as they do for users.

    from unsynced import unsynced   # the fixture, into a conftest
"""

import sqlite3
from pathlib import Path

import pytest

from awning.publish.state import sqlite

FLUSHED = sqlite._connect


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_connect", connect)


def connect(path: Path) -> sqlite3.Connection:
    connection = FLUSHED(path)
    connection.execute("PRAGMA synchronous=OFF")
    return connection
