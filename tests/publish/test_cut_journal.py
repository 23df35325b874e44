"""A journal whose file lost its last bytes: the loss is noticed before any write, and earlier entries are readable."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from volumes import volume

from awning.errors import DatabaseUnusable
from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal.history import open_readable
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.release.build_files import sha256_of
from awning.publish.state.store import StateDir

END = 4096
"""The most bytes that are cut off the file's end."""


def cuts(count):
    """Return about `count` lengths of the end to cut off, the shortest and the longest among them."""
    return sorted({END, *range(1, END + 1, max(1, END // count))})


def fill(journal, cells=60):
    """Write a run whose texts fill pages of their own."""
    run = journal.begin("a run", operator="me@here")
    for number in range(cells):
        cell = {"run": run, "instance": f"@{number}"}
        text = f"<b>{number}</b>" * 300
        new = SnippetText(sha256=sha256_of(text), text=text)
        journal.append([JournalEntry(**cell, kind=EntryKind.INTENT, place="body", after=new.sha256)], [new])
        journal.append([JournalEntry(**cell, kind=EntryKind.OUTCOME, outcome=CellOutcome.APPLIED)])


def empty_log(state):
    """Move the write-ahead log into the file."""
    with closing(sqlite3.connect(state.path / "state.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def check_cut(state, entries):
    """Check that the cut is noticed, and that the entries before it are read. Returns their number."""
    with pytest.raises(DatabaseUnusable), closing(Journal.open_unchecked(state)) as damaged:
        damaged.check()
    try:
        journal, damage = open_readable(state)
    except DatabaseUnusable:
        return 0
    with closing(journal):
        read = list(journal.entries())
    assert damage is not None
    assert damage.whole is (len(read) == len(entries))
    assert read == entries[: len(read)]
    assert damage.after["seq"] == len(read)
    return len(read)


def test_file_cut_at_any_byte_of_its_end_is_noticed_and_readable_before(journal, state, tmp_path):
    fill(journal)
    entries = list(journal.entries())
    journal.close()
    empty_log(state)
    whole = (state.path / "state.sqlite").read_bytes()
    lengths = set()
    for cut in cuts(volume("journal-cuts")):
        copy = tmp_path / f"cut{cut}"
        shutil.copytree(state.path, copy)
        (copy / "state.sqlite").write_bytes(whole[:-cut])
        lengths.add(check_cut(StateDir(copy), entries))
        shutil.rmtree(copy)
    assert min(lengths) > 0


def test_write_ahead_log_cut_at_any_byte_of_its_end_is_noticed_and_readable_before(journal, state, tmp_path):
    """SQLite drops an incomplete transaction at the log's end without an error. The mark in its own file reveals it."""
    journal.begin("before")
    empty_log(state)
    fill(journal, cells=20)  # few enough that SQLite does not begin the log anew
    entries = list(journal.entries())
    copy = tmp_path / "copy"
    shutil.copytree(state.path, copy)
    name = "state.sqlite-wal"
    whole = (copy / name).read_bytes()
    assert len(whole) > 2 * END
    for cut in cuts(volume("journal-cuts")):
        again = tmp_path / f"cut{cut}"
        shutil.copytree(copy, again)
        (again / name).write_bytes(whole[:-cut])
        assert 0 < check_cut(StateDir(again), entries) < len(entries)
        shutil.rmtree(again)
