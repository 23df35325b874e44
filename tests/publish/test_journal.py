"""The journal is append-only and returns the latest entry of every cell."""

import asyncio
import subprocess
import sys
from contextlib import closing

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.journal.writer import JournalWriter
from awning.publish.state.sqlite import open_sqlite
from awning.publish.state.store import StateDir
from awning.publish.state.tables import STATE


def intent(run, language=None, **fields):
    return JournalEntry(
        run=run, kind=EntryKind.INTENT, instance="@a", language=language, place="body", after="h", **fields
    )


def outcome(run, ended, language=None):
    return JournalEntry(run=run, kind=EntryKind.OUTCOME, instance="@a", language=language, outcome=ended)


def test_runs_are_numbered_and_counted(journal):
    first, second = journal.begin("one"), journal.begin("two")
    journal.append(
        [outcome(first, CellOutcome.APPLIED), JournalEntry(run=first, kind=EntryKind.END, note="finished")]
    )
    runs = journal.runs()
    assert [(r["run"], r["what"], r["how"], r["totals"]) for r in runs] == [
        (second, "two", "not finished", {}),
        (first, "one", "finished", {"applied": 1}),
    ]


def test_latest_returns_the_last_entry_of_each_cell(journal):
    run = journal.begin("")
    journal.append(
        [
            intent(run),
            outcome(run, CellOutcome.APPLIED),
            outcome(run, CellOutcome.SKIPPED, "lv"),
            intent(run + 1),
        ]
    )
    assert [(e["language"], e["kind"], e["outcome"]) for e in journal.latest()] == [
        ("lv", "outcome", "skipped"),
        (None, "intent", None),
    ]


def test_snippet_text_is_stored_once_under_its_hash(journal):
    run = journal.begin("")
    for _ in range(2):
        journal.append([intent(run, before="h1")], [SnippetText(sha256="h1", text="before")])
    assert journal.snippet("h1") == "before"
    assert journal.snippet("h2") is None


@pytest.mark.parametrize("change", ["UPDATE entry SET note = 'x'", "DELETE FROM entry"])
def test_journal_refuses_changes_and_removals(journal, state, change):
    journal.begin("")
    database = open_sqlite(state.database("state"))
    with pytest.raises(IntegrityError, match="append-only"), database.engine.begin() as connection:
        connection.execute(text(change))
    database.close()
    assert len(list(journal.entries())) == 1


def test_another_process_reads_appended_entries(journal, state):
    journal.begin("seen")
    other = Journal.open(state)
    assert [e["note"] for e in other.entries(1)] == ["seen"]
    other.close()


def test_append_raises_when_the_journal_cannot_be_written(state):
    database = state.open(STATE)
    journal = Journal(database)
    with database.writing() as connection:
        connection.execute(text("DROP TABLE entry"))
    with pytest.raises(JournalUnwritable):
        journal.append([intent(1)])
    journal.close()


class Counting:
    def __init__(self, *, fails=False):
        self.batches, self.fails = [], fails

    def append(self, entries, contents=(), check=None):
        self.batches.append((len(entries), len(contents)))
        if self.fails:
            raise JournalUnwritable("full")


def write(journal, count):
    async def main():
        async with JournalWriter(journal) as writer:
            text = SnippetText(sha256="h", text="t")
            ends = await asyncio.gather(
                *[writer.write(intent(1), [text]) for _ in range(count)], return_exceptions=True
            )
            return ends, writer

    return asyncio.run(main())


def test_concurrent_writers_share_a_flush():
    journal = Counting()
    write(journal, 100)
    assert journal.batches == [(100, 1)]


def test_failed_flush_fails_waiting_and_later_writers():
    journal = Counting(fails=True)
    ends, writer = write(journal, 3)
    assert [type(end) for end in ends] == [JournalUnwritable] * 3
    with pytest.raises(JournalUnwritable):
        writer.note(intent(1))


OPEN = (
    "import sys; from pathlib import Path; from awning.publish.journal.journal import Journal; "
    "from awning.publish.state.store import StateDir; "
)
CLOSE = f"{OPEN}Journal.open(StateDir(Path(sys.argv[1]))).close()"
COUNT = f"{OPEN}print(Journal.open(StateDir(Path(sys.argv[1]))).mark().seq)"


@pytest.mark.usefixtures("processes")
def test_journal_that_is_open_twice_survives_another_process_that_closes_it(tmp_path):
    """The last connection to close deletes the write-ahead log. SQLite sees those of other processes by file locks."""
    with closing(Journal.open(StateDir(tmp_path))) as journal, closing(Journal.open(StateDir(tmp_path))):
        journal.begin("first")
        subprocess.run([sys.executable, "-c", CLOSE, tmp_path], check=True)
        journal.begin("second")
        count = [sys.executable, "-c", COUNT, tmp_path]
        assert subprocess.run(count, check=True, capture_output=True, text=True).stdout == "2\n"
