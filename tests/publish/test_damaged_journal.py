"""A journal with a damaged page: the damage is reported before any write, and earlier entries are readable."""

import json
import sqlite3
from contextlib import closing

import pytest

from awning.errors import DatabaseUnusable
from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal.history import open_readable
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.release.build_files import sha256_of as _sha256

PAGE = 4096
LONG = "a reason that fills its page " * 6


@pytest.fixture
def path(state):
    """The path of a closed journal with many pages: three runs, and snippets larger than a page."""
    with closing(Journal.open(state)) as journal:
        for number in range(1, 4):
            run = journal.begin(f"run {number}")
            texts = [f"{number} {place} {'x' * 9000}" for place in range(2)]
            snippets = [SnippetText(sha256=_sha256(text), text=text) for text in texts]
            entries = [
                JournalEntry(
                    run=run, kind=EntryKind.OUTCOME, instance=f"@{n}", outcome=CellOutcome.APPLIED, note=LONG
                )
                for n in range(60)
            ]
            journal.append([*entries, JournalEntry(run=run, kind=EntryKind.END, note="finished")], snippets)
    with closing(sqlite3.connect(state.path / "state.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return state.path / "state.sqlite"


def pages_of(path):
    return path.stat().st_size // PAGE


def damage(path, page, content):
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(content)


CONTENTS = {"zeros": bytes(PAGE), "ones": b"\xff" * PAGE, "text": (b"no page at all " * 300)[:PAGE]}


def test_damage_on_any_page_is_detected_and_earlier_entries_are_read(path, state):
    """Pages in a row, which are mostly of one kind, get different contents."""
    sound = path.read_bytes()
    with closing(Journal.open(state)) as journal:
        journal.check()
        entries = [dict(entry) for entry in journal.entries()]
    unread, cut, whole, contents = 0, 0, 0, [*CONTENTS.values()]
    for page in range(pages_of(path)):
        path.write_bytes(sound)
        damage(path, page, contents[page % len(contents)])
        try:
            journal, damage_found = open_readable(state)
        except DatabaseUnusable:
            unread += 1
            continue
        with closing(journal):
            read = [dict(entry) for entry in journal.entries()]
        assert damage_found is not None, page
        assert read == entries[: len(read)], page
        assert damage_found.after["seq"] == read[-1]["seq"]
        assert damage_found.whole == (len(read) == len(entries))
        cut, whole = cut + (not damage_found.whole), whole + damage_found.whole
    assert cut > 5
    assert whole > 5, "snippets and indexes"
    assert unread <= 4, "the file's own head, and the roots of its tables"


def test_publish_detects_damage_before_any_call(awning, shop, shelf, workspace):
    assert awning("publish", "apply")[0] == 0
    path = workspace / ".awning/state/state.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'snippet'").fetchone()
    damage(path, page - 1, CONTENTS["zeros"])
    before = path.read_bytes()
    shelf.calls.clear()
    code, out, err = awning("publish", "apply")
    assert (code, out, shelf.calls) == (2, "", [])
    assert "state.sqlite cannot be used: it is damaged" in err
    assert "awning publish log" in err
    assert "awning instances export" in err
    assert path.read_bytes() == before
    assert "code-a" in awning("instances", "export", "-")[1]


def damage_the_last_page_of_entries(path, state):
    sound = path.read_bytes()
    for page in reversed(range(pages_of(path))):
        path.write_bytes(sound)
        damage(path, page, CONTENTS["ones"])
        journal, damage_found = open_readable(state)
        journal.close()
        if not damage_found.whole:
            return
    pytest.fail("no page holds entries")


@pytest.mark.parametrize(
    ("verb", "name"), [(("log",), "runs"), (("log", "--run", "1"), "entries"), (("status",), "cells")]
)
def test_log_and_status_report_where_the_readable_part_ends(verb, name, path, state, awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_DIR", str(state.path))
    code, out, _ = awning("publish", *verb, "--json")
    assert (code, json.loads(out)["damaged"]) == (0, None)
    damage_the_last_page_of_entries(path, state)
    code, out, err = awning("publish", *verb)
    assert code == 1
    assert out
    assert "state.sqlite is damaged: it can be read up to entry " in err
    assert ("hint: " in err, "show what can be read" in err) == (True, False), "no verb points to itself"
    code, out, _ = awning("publish", *verb, "--json")
    document = json.loads(out)
    assert code == 1
    assert document[name]
    assert document["damaged"]["after"]["run"] == 3


@pytest.mark.parametrize(
    "mark",
    [b"", b"garbage", b"\xff\xfe", b"9" * 5000 + b" a b", b"9" * 19 + b" a b", b"1 a", "٣ a b".encode()],
)
def test_damaged_mark_is_named_as_what_is_damaged(mark, path, state, awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_DIR", str(state.path))
    (state.path / "journal.mark").write_bytes(mark)
    for verb in (("log",), ("status",), ("log", "--verify")):
        code, out, err = awning("publish", *verb)
        assert code == 1
        assert "the journal's mark is damaged" in err
        assert "state.sqlite is damaged" not in err
        assert "show what can be read" not in err
        assert "delete the mark" in err
        assert out or "--verify" in verb
    with pytest.raises(DatabaseUnusable, match="mark is damaged"):
        Journal.open(state)


@pytest.mark.parametrize("mark", [b"9" * 5000 + b" a b", b"", b"180 a b"])
def test_lost_journal_is_reported_whatever_its_mark_is(mark, path, state, awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_DIR", str(state.path))
    path.unlink()
    (state.path / "journal.mark").write_bytes(mark)
    for verb in (("log",), ("status",), ("log", "--verify")):
        code, _, err = awning("publish", *verb)
        assert code in {1, 2}
        assert "state.sqlite is missing or empty" in err
