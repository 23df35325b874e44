"""Unusable state files: errors have a hint, no traceback, and no content of the files."""

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy.exc import DBAPIError
from unsynced import FLUSHED

from awning.errors import ConfigurationError
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.state.database import explain
from awning.publish.state.store import StateDir

CODE = "code-a"


@pytest.fixture
def locked(monkeypatch):
    """Let another program lock a database while the block runs. The wait for the lock is cut to 10 ms."""
    monkeypatch.setattr("awning.publish.state.sqlite.BUSY_S", 0.01)

    def hold(path):
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        return closing(other)

    return hold


def test_locked_inventory_is_reported_without_codes(awning, workspace, locked, caplog):
    awning("instances", "add", "--name", "shop")
    with locked(workspace / ".awning/state/state.sqlite"):
        code, out, err = awning("instances", "add", "--name", "other")
    assert (code, out) == (2, "")
    assert "state.sqlite cannot be used: another program holds it locked" in err
    assert "hint: wait for that program" in err
    assert CODE not in err + caplog.text
    assert "Traceback" not in err


def test_inventory_error_contains_no_code(state, locked):
    with closing(Inventory.open(state)) as inventory:
        instance = inventory.instance(CODE)
        with locked(state.path / "state.sqlite"), pytest.raises(ConfigurationError) as caught:
            inventory.put([instance])
    error = caught.value
    while error is not None:
        assert CODE not in str(error)
        assert CODE not in repr(error)
        error = error.__cause__ or error.__context__


def test_failed_write_to_the_disk_has_the_hint_to_look_for_room():
    """A full disk is SQLITE_FULL or SQLITE_IOERR, depending on the file that SQLite writes."""
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorname = "SQLITE_IOERR_WRITE"
    message, hint = explain(DBAPIError("", None, cause))
    assert message == "the disk cannot be read or written"
    assert "look whether it is full: make room" in hint


def test_locked_journal_cannot_be_written(state, locked):
    with closing(Journal.open(state)) as journal:
        with locked(state.path / "state.sqlite"), pytest.raises(JournalUnwritable) as caught:
            journal.append([JournalEntry(run=1, kind=EntryKind.BEGIN)])
        assert "another program holds it locked" in caught.value.message


@pytest.mark.parametrize(
    "verb", [("instances", "list"), ("publish", "status"), ("publish", "log"), ("publish", "apply")]
)
@pytest.mark.parametrize("content", [b"no database at all" * 300, b"SQLite format 3\0" + b"\xff" * 4080])
def test_damaged_database_is_reported_with_a_hint(verb, content, awning, shop, workspace):
    awning("publish", "apply")
    path = workspace / ".awning/state/state.sqlite"
    for left in path.parent.glob("state.sqlite-*"):
        left.unlink()
    path.write_bytes(content)
    code, _, err = awning(*verb)
    assert code == 2
    assert "state.sqlite cannot be used" in err
    assert "hint: put back a copy" in err


def test_undecodable_text_is_not_shown(state):
    with closing(Inventory.open(state)) as inventory:
        inventory.put([inventory.instance(CODE)])
    with closing(sqlite3.connect(state.path / "state.sqlite")) as other, other:
        other.execute("UPDATE instance SET auth_code = CAST(x'636f64652d61ff' AS TEXT)")
    with pytest.raises(ConfigurationError) as caught, closing(Inventory.open(state)) as inventory:
        inventory.all()
    assert CODE not in caught.value.message
    assert "damaged" in caught.value.message


@pytest.mark.parametrize("content", [b"", b"abc", b"zz" * 32, b"ab" * 31, b"ab" * 33, b"\xff" * 64])
def test_damaged_key_is_refused(state, content):
    (state.path / "key").write_bytes(content)
    with pytest.raises(ConfigurationError, match="key is damaged") as caught:
        StateDir(state.path)
    assert "put back a copy" in (caught.value.hint or "")


def test_every_transaction_is_flushed_to_the_disk(tmp_path):
    file = tmp_path / "file.sqlite"
    file.touch()
    with closing(FLUSHED(file)) as connection:
        (level,) = connection.execute("PRAGMA synchronous").fetchone()
    assert level == 2, "FULL"
