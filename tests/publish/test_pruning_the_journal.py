"""`publish log --prune` removes old runs; what the other verbs need of them stays, and the chain goes on."""

import json
import subprocess
import sys
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_in import both
from sqlalchemy import delete, text

from awning.contract import Exit
from awning.errors import DatabaseUnusable
from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal import pruning
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.release.build_files import sha256_of
from awning.publish.state.layout import create
from awning.publish.state.server import state_at
from awning.publish.state.sqlite import in_memory
from awning.publish.state.tables import STATE
from awning.publish.waves.run_state import RunStates

NOW = "awning.publish.journal.journal._now"
FIRST = date(2026, 1, 1)


def on(day):
    """Set the journal's clock to noon, `day` days after FIRST."""
    return patch(NOW, lambda *_: f"{FIRST + timedelta(days=day)}T12:00:00.000+00:00")


def write(journal, run, cell, after, before=None, language="lv"):
    """Journal a write of one cell, from `before` to `after`: its intent and its outcome."""
    texts = [SnippetText(sha256=sha256_of(content), text=content) for content in (before, after) if content]
    old = sha256_of(before) if before else None
    new = sha256_of(after)
    intent = JournalEntry(
        run=run, kind=EntryKind.INTENT, instance=cell, language=language, place="body", before=old, after=new
    )
    ended = JournalEntry(
        run=run,
        kind=EntryKind.OUTCOME,
        instance=cell,
        language=language,
        outcome=CellOutcome.APPLIED,
        contents={"body": new},
        published={"body": new},
    )
    journal.append([intent], texts)
    journal.append([ended])


def end(journal, run):
    journal.append([JournalEntry(run=run, kind=EntryKind.END, note="finished")])


@pytest.fixture
def state(tmp_path, kept_in):
    return state_at(tmp_path / "state", kept_in.url)


@pytest.fixture
def journal(state):
    """Three runs, on three days; each writes a new text to two cells."""
    with closing(Journal.open(state)) as journal:
        for day in range(3):
            with on(day):
                run = journal.begin(f"run of day {day}")
                for cell in ("@a", "@b"):
                    write(journal, run, cell, f"{cell} {day}", before=f"{cell} {day - 1}" if day else None)
                end(journal, run)
        yield journal


@both
def test_runs_before_the_day_are_removed_and_the_chain_goes_on(journal):
    mark = journal.mark()
    pruned = journal.prune(FIRST + timedelta(days=2), operator="me@here")
    assert (pruned.runs, pruned.entries, pruned.seq) == (2, 12, 12)
    assert [run["run"] for run in journal.runs()] == [3]
    assert journal.mark() == mark
    journal.check()
    assert journal.verify() is None
    run = journal.begin("a later run")
    assert run == 4
    write(journal, run, "@a", "@a 3", before="@a 2")
    assert journal.verify() is None


def test_what_is_known_of_cells_stays(journal):
    known, latest, own = journal.records(["@a", "@b"]), list(journal.latest()), journal.own_hashes()
    journal.prune(FIRST + timedelta(days=30), operator="me@here")
    assert list(journal.entries()) == []
    assert journal.records(["@a", "@b"]) == known
    assert list(journal.latest()) == latest
    assert journal.own_hashes() == own
    assert journal.verify() is None


def test_texts_that_a_rollback_needs_stay_and_others_go(journal):
    journal.prune(FIRST + timedelta(days=30), operator="me@here")
    held = {content: journal.snippet(sha256_of(content)) for content in ("@a 0", "@a 1", "@a 2")}
    assert held == {"@a 0": None, "@a 1": "@a 1", "@a 2": "@a 2"}


@both
def test_checkpoint_tells_what_was_removed(journal):
    journal.prune(FIRST + timedelta(days=1), operator="me@here")
    journal.prune(FIRST + timedelta(days=2), operator="you@there")
    first, second = journal.prunings()
    assert first["note"] == "6 entries of 1 runs, up to 2026-01-01T12:00:00.000+00:00, by me@here"
    assert (first["seq"], second["seq"]) == (6, 12)
    assert second["note"].endswith("by you@there")


def test_second_pruning_removes_nothing(journal):
    day = FIRST + timedelta(days=2)
    journal.prune(day, operator="me@here")
    assert journal.prune(day, operator="me@here").entries == 0
    assert len(journal.prunings()) == 1


@both
def test_run_that_lasts_beyond_the_day_stays_whole(journal):
    with on(3):
        long, short = journal.begin("a long run"), journal.begin("a short run")
        write(journal, long, "@a", "@a 3", before="@a 2")
        end(journal, short)
    with on(5):
        write(journal, long, "@b", "@b 3", before="@b 2")
        end(journal, long)
    assert journal.prune(FIRST + timedelta(days=4), operator="me@here").runs == 3
    assert [run["run"] for run in journal.runs()] == [short, long]
    assert journal.verify() is None


def test_run_without_an_end_stays_for_a_day_longer(journal):
    with on(3):
        journal.begin("perhaps still going on")
    assert journal.prune(FIRST + timedelta(days=4), operator="me@here").runs == 3
    assert journal.prune(FIRST + timedelta(days=5), operator="me@here").runs == 1


def test_runs_from_a_number_on_stay(journal):
    assert journal.prune(FIRST + timedelta(days=30), operator="me@here", keep_from=2).runs == 1
    assert [run["run"] for run in journal.runs()] == [3, 2]


@both
def test_entries_after_the_checkpoint_still_cannot_be_changed(journal, state):
    journal.prune(FIRST + timedelta(days=2), operator="me@here")
    for statement in ("DELETE FROM entry", "UPDATE entry SET note = 'x'"):
        with (
            closing(state.open(STATE)) as database,
            pytest.raises(DatabaseUnusable),
            database.writing() as connection,
        ):
            connection.execute(text(statement))
    assert journal.verify() is None
    assert len(list(journal.entries())) == 6


@both
def test_pruning_that_is_cut_off_removes_nothing(journal):
    entries = list(journal.entries())
    with (
        patch.object(pruning, "delete", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        journal.prune(FIRST + timedelta(days=2), operator="me@here")
    assert list(journal.entries()) == entries
    assert journal.prunings() == []
    assert journal.verify() is None


KILLED = """
import os, sys
from datetime import date
from pathlib import Path
from sqlalchemy import Engine, event
from awning.publish.journal.journal import Journal
from awning.publish.state.store import StateDir

def die(*_):
    os._exit(9)

@event.listens_for(Engine, "before_cursor_execute")
def look(connection, cursor, statement, *_):
    if statement.startswith(sys.argv[2]):
        die()

if sys.argv[2] == "COMMIT":
    event.listen(Engine, "commit", lambda c: die() if c.get_execution_options().get("writing") else None)
Journal.open(StateDir(Path(sys.argv[1]))).prune(date(2026, 1, 3), operator="me")
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("moment", ["INSERT INTO checkpoint", "DELETE FROM entry", "COMMIT"])
def test_pruning_whose_process_dies_removes_nothing(moment, journal, state):
    entries = list(journal.entries())
    journal.close()
    died = subprocess.run([sys.executable, "-c", KILLED, str(state.path), moment], check=False, timeout=60)
    assert died.returncode == 9
    with closing(Journal.open(state)) as again:
        assert list(again.entries()) == entries
        assert again.prunings() == []
        assert again.verify() is None
        assert again.prune(FIRST + timedelta(days=2), operator="me").runs == 2


@pytest.mark.usefixtures("processes")
def test_texts_that_a_killed_pruning_left_go_with_the_next(journal, state):
    journal.close()
    died = subprocess.run(
        [sys.executable, "-c", KILLED, str(state.path), "DELETE FROM snippet"], check=False, timeout=60
    )
    assert died.returncode == 9
    with closing(Journal.open(state)) as again:
        assert len(list(again.entries())) == 6
        assert again.verify() is None
        assert again.snippet(sha256_of("@a 0")) is not None
        assert again.prune(FIRST + timedelta(days=2), operator="me").entries == 0
        assert again.snippet(sha256_of("@a 0")) is None
        assert again.snippet(sha256_of("@a 1")) is not None


def test_journal_that_was_changed_is_not_pruned(journal, state):
    with closing(state.open(STATE)) as database, database.writing() as connection:
        connection.execute(text("DROP TRIGGER entry_no_update"))
        connection.execute(text("UPDATE entry SET note = 'x' WHERE seq = 2"))
    with pytest.raises(DatabaseUnusable):
        journal.prune(FIRST + timedelta(days=2), operator="me@here")
    assert len(list(journal.entries())) == 18


def test_entry_that_is_missing_after_the_checkpoint_is_noticed(journal, state):
    journal.prune(FIRST + timedelta(days=1), operator="me@here")
    with closing(state.open(STATE)) as database, database.writing() as connection:
        connection.execute(text("DROP TRIGGER entry_no_delete"))
        connection.execute(delete(pruning.ENTRY).where(pruning.ENTRY.c.seq == 8))
    assert journal.verify().message == "entry 8 is missing"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("pass_days"), st.integers(0, 3)),
        st.tuples(st.just("begin"), st.just(0)),
        st.tuples(st.just("write"), st.integers(0, 2)),
        st.tuples(st.just("end"), st.just(0)),
        st.tuples(st.just("prune"), st.integers(-2, 0)),
    ),
    max_size=40,
)


class History:
    """The same history in two journals, of which the first is pruned and the second is the model."""

    def __init__(self, pruned, whole):
        self.pruned, self.whole = pruned, whole
        self.day, self.number = 0, 0
        self.runs, self.texts, self.written, self.touched = [], {}, set(), {}

    def take(self, step, value):
        self.number += 1
        with on(self.day):
            getattr(self, step)(value)

    def pass_days(self, days):
        """Let days pass. A run that wrote nothing for more than a day counts as cut off."""
        self.day += days
        self.runs = [run for run in self.runs if self.touched[run] >= self.day - 1]

    def begin(self, _):
        """Begin a run. At most two runs are open at once."""
        run = self.pruned.begin("x")
        assert self.whole.begin("x") == run
        self.runs = [*self.runs[-1:], run]
        self.touched[run] = self.day

    def write(self, cell):
        run = self.runs[cell % len(self.runs)] if self.runs else None
        if run is None or (run, cell) in self.written:
            return
        content = f"{cell} {self.number}"
        for journal in (self.pruned, self.whole):
            write(journal, run, f"@{cell}", content, before=self.texts.get(cell))
        self.texts[cell] = content
        self.written.add((run, cell))
        self.touched[run] = self.day

    def end(self, _):
        if self.runs:
            run = self.runs.pop()
            end(self.pruned, run)
            end(self.whole, run)

    def prune(self, days):
        self.pruned.prune(FIRST + timedelta(days=self.day + days), operator="me")


@pytest.fixture(scope="module")
def tables():
    """A connection to a database in memory with all tables. A copy takes less time than to create them again."""
    with closing(in_memory()) as database:
        create(database, STATE)
        with database.reading() as connection:
            yield connection.connection.driver_connection


def copy_of(tables):
    database = in_memory()
    with database.reading() as connection:
        tables.backup(connection.connection.driver_connection)
    return database


@given(STEPS)
def test_any_history_with_prunings_is_known_as_the_same_history_without(tables, steps):
    with closing(copy_of(tables)) as first, closing(copy_of(tables)) as second:
        pruned, whole = Journal(first), Journal(second)
        history = History(pruned, whole)
        for step, value in steps:
            history.take(step, value)
        cells = [f"@{number}" for number in range(3)]
        assert pruned.verify() is None
        pruned.check()
        assert pruned.records(cells) == whole.records(cells)
        assert list(pruned.latest()) == list(whole.latest())
        assert pruned.own_hashes() == whole.own_hashes()
        left, all_entries = list(pruned.entries()), list(whole.entries())
        assert [e["seq"] for e in left] == [e["seq"] for e in all_entries[len(all_entries) - len(left) :]]
        remaining = {entry["run"] for entry in left}
        assert pruned.runs() == [run for run in whole.runs() if run["run"] in remaining]
        for content in _contents(pruned, cells):
            assert pruned.snippet(content) == whole.snippet(content) is not None


def _contents(journal, cells):
    contents = [
        content
        for records in journal.records(cells).values()
        for record in records.values()
        for content in record.contents.values()
    ]
    return {sha256 for c in contents for sha256 in (c.sha256, c.before) if sha256 is not None}


# --- by the command line ---


@pytest.fixture
def published(awning, shop, workspace, shelf, rebuild, made_once):
    """Two runs on two days, the second of them today."""
    second = {None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 2</b>"}

    def make():
        with on(0):
            assert awning("publish", "apply")[0] == 0
        rebuild(second)
        assert awning("publish", "apply")[0] == 0

    made_once(workspace, shelf, make)
    rebuild(second)


def prune(awning, *words):
    return awning("publish", "log", "--prune", "--before", "2026-02-01", "--yes", *words)


def test_old_runs_are_removed_and_the_rest_works_as_before(published, awning, shelf):
    status = awning("publish", "status", "--json")
    assert prune(awning) == (0, "1 run with 9 entries removed\n", "")
    assert awning("publish", "status", "--json") == status
    code, out, _ = awning("publish", "log", "--verify")
    assert (code, out.splitlines()[-1]) == (0, "entries 1 to 9 were pruned")
    assert awning("publish", "drift")[0] == 0
    assert awning("publish", "rollback", "--previous")[0] == 0
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"
    assert awning("publish", "apply")[0] == 0
    assert awning("publish", "log", "--verify")[0] == 0


def test_log_tells_what_was_pruned(published, awning):
    prune(awning)
    document = json.loads(awning("publish", "log", "--json")[1])
    assert [run["run"] for run in document["runs"]] == [2]
    assert document["pruned"][0]["seq"] == 9
    assert awning("publish", "log")[2].startswith("pruned at 20")


def test_json_has_the_counts(published, awning):
    document = json.loads(prune(awning, "--json")[1])
    assert document == {"schema_version": 1, "ok": True, "runs": 1, "entries": 9, "seq": 9}


def test_nothing_is_pruned_when_no_run_is_old_enough(published, awning):
    code, out, err = awning("publish", "log", "--prune", "--before", "2025-01-01", "--yes")
    assert (code, out, err) == (0, "", "no run ended before 2025-01-01\n")


def test_pruned_run_is_named_as_gone(published, awning):
    prune(awning)
    assert awning("publish", "log", "--run", "1")[0] == Exit.USAGE
    assert awning("publish", "rollback", "--before-run", "1")[0] == Exit.USAGE


def test_runs_that_an_apply_could_continue_stay(published, awning, state_of):
    with closing(RunStates.open(state_of())) as states, states._database.writing() as connection:
        connection.execute(text("UPDATE publish_run SET state = 'paused' WHERE run = 1"))
    assert prune(awning)[2] == "no run ended before 2026-02-01\n"


USAGE = [
    ("--prune",),
    ("--before", "2026-01-01"),
    ("--yes",),
    ("--prune", "--before", "2026-02-01"),
    ("--prune", "--before", "2026-02-01", "--yes", "--verify"),
    ("--prune", "--before", "2026-02-01", "--yes", "--run", "1"),
    ("--prune", "--before", "soon", "--yes"),
    ("--prune", "--before", (datetime.now(UTC) + timedelta(days=2)).date().isoformat(), "--yes"),
]


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_wrong_options_change_nothing(words, published, awning):
    assert awning("publish", "log", *words)[0] == Exit.USAGE
    assert len(json.loads(awning("publish", "log", "--json")[1])["runs"]) == 2


def test_pruning_waits_for_no_publish(published, awning, state_of):
    with state_of().lock_runs():
        code, _, err = prune(awning)
    assert (code, "another publish is running" in err) == (Exit.FINDINGS, True)
