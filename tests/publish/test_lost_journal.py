"""A journal that is missing, empty, shorter than its mark, or another: each verb reports it, and nothing is written."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest
from kept_in import both
from sqlalchemy import create_engine

from awning.contract import Exit
from awning.errors import DatabaseDamaged
from awning.publish.cell_outcome import CellOutcome
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.state.server import state_at
from awning.publish.state.store import MARK, StateDir

OLDER = "older.sqlite"
FILES = ("state.sqlite", "state.sqlite-wal", "state.sqlite-shm")
JOURNAL_TABLES = ("entry", "snippet", "cell", "content", "own_text", "head", "checkpoint")


def move_log_into_file(path):
    with closing(sqlite3.connect(path / "state.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def remove(path):
    for name in FILES:
        (path / name).unlink(missing_ok=True)


def replace(path, content):
    remove(path)
    (path / "state.sqlite").write_bytes(content)


def another_journal(path):
    other = path.parent / "other-state"
    with closing(Journal.open(StateDir(other))) as journal:
        for _ in range(3):
            journal.begin("a run of another shop")
    move_log_into_file(other)
    replace(path, (other / "state.sqlite").read_bytes())


def older_copy(path):
    replace(path, (path.parent / OLDER).read_bytes())


def older_copy_that_grew(path):
    older_copy(path)
    (path / MARK).rename(path / "aside")
    with closing(Journal.open(StateDir(path))) as journal:
        for _ in range(30):
            journal.begin("a run that the mark does not know")
    move_log_into_file(path)
    (path / "aside").replace(path / MARK)


def delete_rows(path):
    with closing(sqlite3.connect(path / "state.sqlite")) as connection:
        for name in ("entry_no_delete", "entry_no_update"):
            connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        for name in JOURNAL_TABLES:
            connection.execute(f"DELETE FROM {name}")
        connection.commit()
    move_log_into_file(path)


def cut_half(path):
    whole = (path / "state.sqlite").read_bytes()
    replace(path, whole[: len(whole) // 2])


LOSSES = {
    "missing": remove,
    "only its log is left": lambda path: (path / "state.sqlite").unlink(),
    "empty": lambda path: replace(path, b""),
    "another database": lambda path: replace(path, (path / "health.sqlite").read_bytes()),
    "no database": lambda path: replace(path, b"no database " * 2000),
    "cut in half": cut_half,
    "its rows are deleted": delete_rows,
    "another journal": another_journal,
    "older copy": older_copy,
    "older copy that grew": older_copy_that_grew,
    "mark is damaged": lambda path: (path / MARK).write_text("5569"),
    "mark is empty": lambda path: (path / MARK).write_text(""),
}
WRITING = {
    "apply": ("apply",),
    "rollback": ("rollback", "--previous"),
    "disable": ("disable", "bar"),
    "prune": ("log", "--prune", "--before", "2026-01-01", "--yes"),
}
READING = {
    "plan": ("plan",),
    "plan by reading": ("plan", "--refresh"),
    "plan of a rollback": ("rollback", "--previous", "--dry-run"),
    "drift": ("drift",),
    "verify": ("verify", "--api-only"),
}


@pytest.fixture
def published(awning, shop, shelf, workspace, rebuild, made_once):
    """A state directory after two runs, and a copy of the journal from between them; returns its path."""
    path = workspace / ".awning/state"

    def make():
        assert awning("publish", "apply")[0] == 0
        move_log_into_file(path)
        shutil.copy(path / "state.sqlite", path / OLDER)
        rebuild({None: "<b>2</b>"})
        assert awning("publish", "apply")[0] == 0
        move_log_into_file(path)

    made_once(workspace, shelf, make)
    (path / OLDER).replace(path.parent / OLDER)
    rebuild({None: "<b>2</b>"})
    return path


def files_of(path):
    """Return the bytes of the journal and its mark. A log without entries comes and goes with each reader."""
    files = {name: path / name for name in ("state.sqlite", MARK)}
    return {name: file.read_bytes() if file.exists() else None for name, file in files.items()}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=list(LOSSES))
def test_each_verb_refuses_a_lost_journal_and_changes_nothing(loss, awning, shelf, published):
    loss(published)
    before = files_of(published)
    for verb in (WRITING | READING).values():
        code, _, err = awning("publish", *verb)
        assert (code, shelf.calls) == (Exit.USAGE, []), (verb, err)
        assert "hint:" in err
    for verb in ("log", "status"):
        code, _, err = awning("publish", verb)
        assert code in {Exit.FINDINGS, Exit.USAGE}
        assert "hint: " in err
    assert files_of(published) == before


@pytest.mark.parametrize("loss", LOSSES.values(), ids=list(LOSSES))
def test_verify_of_the_log_finds_a_lost_journal(loss, awning, published):
    loss(published)
    before = files_of(published)
    code, out, err = awning("publish", "log", "--verify")
    assert (code, out) == (Exit.FINDINGS, "")
    assert "the journal is not as it was written" in err
    assert "hint: " in err
    code, out, _ = awning("publish", "log", "--verify", "--json")
    document = json.loads(out)
    assert (code, document["ok"]) == (Exit.FINDINGS, False)
    assert document["broken"]["message"]
    assert files_of(published) == before


def test_missing_journal_is_named_with_the_number_of_its_entries(awning, published):
    entries = (published / MARK).read_text().split()[0]
    remove(published)
    _, _, err = awning("publish", "log", "--verify")
    assert f"state.sqlite is missing or empty, and {entries} entries of its journal were written" in err
    assert f"delete its mark too: {published / MARK}" in err
    (published / MARK).unlink()
    assert awning("instances", "list")[0] == 0


def test_older_copy_is_used_when_the_mark_is_deleted(awning, published):
    older_copy(published)
    (published / MARK).unlink()
    assert awning("publish", "log", "--verify")[0] == 0
    assert awning("publish", "apply")[0] == 0
    runs = json.loads(awning("publish", "log", "--json")[1])["runs"]
    assert [(run["run"], run["how"]) for run in runs] == [(2, "finished"), (1, "finished")]


@both
def test_open_journal_does_not_grow_after_it_was_replaced(tmp_path, kept_in):
    """The app's own server opens the journal once for many entries."""
    state = state_at(tmp_path / "state", kept_in.url)
    with closing(Journal.open(state)) as journal:
        run = journal.begin("a run")
        empty(state, kept_in)
        entry = JournalEntry(run=run, kind=EntryKind.OUTCOME, instance="@1", outcome=CellOutcome.APPLIED)
        with pytest.raises(
            JournalUnwritable, match=r"is not the journal that was written, which has 1 entries"
        ):
            journal.append([entry])
        with pytest.raises(DatabaseDamaged):
            Journal.open(state)


def empty(state, kept_in):
    """Put a new, empty journal in the place of the one that was written."""
    if kept_in.url is None:
        mark = (state.path / MARK).read_text()
        remove(state.path)
        (state.path / MARK).unlink()
        Journal.open(state).close()
        (state.path / MARK).write_text(mark)
        return
    run_sql(kept_in, "UPDATE awning.head SET seq = 0, first = 'another', chain = 'another'")


def run_sql(kept_in, *statements):
    url = kept_in.url.reveal().replace("postgresql://", "postgresql+psycopg://")
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


IN_POSTGRES = {
    "its tables are dropped": [f"DROP TABLE awning.{name} CASCADE" for name in JOURNAL_TABLES],
    "its rows are deleted": [
        "ALTER TABLE awning.entry DISABLE TRIGGER ALL",
        *(f"TRUNCATE awning.{name}" for name in JOURNAL_TABLES),
    ],
    "its end is cut off": [
        "ALTER TABLE awning.entry DISABLE TRIGGER ALL",
        "DELETE FROM awning.entry WHERE seq > 1",
        "UPDATE awning.head SET seq = 1, chain = (SELECT chain FROM awning.entry WHERE seq = 1)",
    ],
    "mark is damaged": ["UPDATE awning.setting SET value = 'x' WHERE name = 'journal.mark'"],
}


@pytest.mark.parametrize("statements", IN_POSTGRES.values(), ids=IN_POSTGRES)
@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
def test_lost_journal_in_a_database_is_refused(
    statements, awning, shop, shelf, kept_in, tmp_path, monkeypatch
):
    monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())
    with closing(Inventory.open(state_at(tmp_path / "state", kept_in.url))) as inventory:
        inventory.put([inventory.instance("code-a", name="shop")])
    assert awning("publish", "apply")[0] == 0
    assert awning("publish", "log", "--verify")[0] == 0
    run_sql(kept_in, *statements)
    shelf.calls.clear()
    for verb in (WRITING["apply"], READING["plan"]):
        code, _, err = awning("publish", *verb)
        assert (code, shelf.calls, "Traceback" in err) == (Exit.USAGE, [], False), (verb, err)
    code, _, err = awning("publish", "log", "--verify")
    assert (code, "the journal is not as it was written" in err) == (Exit.FINDINGS, True)
