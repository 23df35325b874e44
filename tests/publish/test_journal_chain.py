"""The chain of hashes shows every change of the journal, and the mark outside shows a cut tail."""

import json
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.contract import Exit
from awning.errors import DatabaseUnusable
from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal.chain import first_break, next_link
from awning.publish.journal.history import open_readable
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry


def fill(journal, cells=5):
    run = journal.begin("a run", operator="me@here")
    for number in range(cells):
        journal.append(
            [
                JournalEntry(
                    run=run,
                    kind=EntryKind.INTENT,
                    instance=f"@{number}",
                    place="body",
                    before=None,
                    after="h",
                ),
                JournalEntry(
                    run=run,
                    kind=EntryKind.OUTCOME,
                    instance=f"@{number}",
                    outcome=CellOutcome.APPLIED,
                    contents={"body": "h"},
                ),
            ]
        )
    journal.append([JournalEntry(run=run, kind=EntryKind.END, note="finished")])
    return run


def edit(state, statement):
    """Change the journal's file as somebody with a database tool would."""
    with closing(sqlite3.connect(state.path / "state.sqlite")) as connection:
        for change in ("update", "delete"):
            connection.execute(f"DROP TRIGGER entry_no_{change}")
        connection.execute(statement)
        connection.commit()


def test_untouched_journal_is_as_it_was_written(journal):
    fill(journal)
    assert journal.verify() is None
    journal.check()


CHANGES = {
    "an outcome": "UPDATE entry SET outcome = 'failed' WHERE seq = 5",
    "a note": "UPDATE entry SET note = 'x' WHERE seq = 1",
    "an entry less": "DELETE FROM entry WHERE seq = 4",
    "the last entry less": "DELETE FROM entry WHERE seq = 12",
    "an entry more": "INSERT INTO entry (seq, at, run, kind, chain) VALUES (13, 'now', 1, 'end', 'x')",
    "a hash": "UPDATE entry SET chain = 'x' WHERE seq = 12",
    "who published": "UPDATE entry SET operator = 'you' WHERE seq = 1",
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_noticed(change, journal, state):
    fill(journal)
    journal.close()
    edit(state, CHANGES[change])
    with closing(Journal.open_unchecked(state)) as changed:
        assert changed.verify() is not None
        with pytest.raises(DatabaseUnusable, match="damaged"):
            changed.check()


@pytest.mark.parametrize(
    ("left", "head"), [(8, "chain = (SELECT chain FROM entry WHERE seq = 8)"), (0, "chain = 'x'")]
)
def test_entries_that_are_gone_are_noticed_even_when_the_head_was_changed_with_them(
    left, head, journal, state
):
    fill(journal)
    mark = journal.mark()
    journal.close()
    edit(state, f"DELETE FROM entry WHERE seq > {left}")
    with closing(sqlite3.connect(state.path / "state.sqlite")) as connection:
        connection.execute(f"UPDATE head SET seq = {left}, {head}")
        connection.commit()
    with closing(Journal.open_unchecked(state)) as cut:
        assert cut.verify().message == f"its entries end at {left}, and {mark.seq} were written"


def test_new_journal_in_place_of_one_that_was_moved_away_is_accepted(journal, state):
    fill(journal)
    journal.close()
    (state.path / "state.sqlite").rename(state.path / "moved")
    (state.path / "journal.mark").rename(state.path / "moved.mark")
    with closing(Journal.open(state)) as fresh:
        fresh.check()
        assert fresh.begin("again") == 1
        assert fresh.verify() is None


def test_mark_that_lags_behind_after_a_crash_is_accepted(journal, state):
    fill(journal)
    mark = (state.path / "journal.mark").read_text()
    fill(journal)
    (state.path / "journal.mark").write_text(mark)
    assert journal.verify() is None


def test_entries_before_a_changed_one_are_readable(journal, state):
    fill(journal)
    entries = list(journal.entries())
    journal.close()
    edit(state, "UPDATE entry SET note = 'x' WHERE seq = 7")
    readable, damage = open_readable(state)
    with closing(readable):
        assert list(readable.entries()) == entries[:6]
    assert damage.after["seq"] == 6


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COLUMNS = (
    "at",
    "kind",
    "instance",
    "language",
    "place",
    "outcome",
    "before",
    "after",
    "after_head",
    "operator",
    "note",
    "task",
)


@given(
    st.lists(st.fixed_dictionaries({name: st.none() | TEXTS for name in COLUMNS}), min_size=1, max_size=6),
    st.data(),
)
def test_any_change_of_any_column_breaks_the_chain(rows, data):
    link, chained = "first", []
    for number, row in enumerate(rows, 1):
        columns = {**row, "seq": number, "run": 1}
        link = next_link(link, columns)
        chained.append({**columns, "chain": link})
    assert first_break(chained, seq=0, chain="first") is None
    index, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.sampled_from(COLUMNS))
    value = data.draw((st.none() | TEXTS).filter(lambda text: text != chained[index][column]))
    chained[index] = {**chained[index], column: value}
    assert first_break(chained, seq=0, chain="first").seq == index + 1


def test_log_verifies_the_journal(awning, shop, state_of):
    awning("publish", "apply")
    code, out, _ = awning("publish", "log", "--verify", "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)
    edit(state_of(), "UPDATE entry SET note = 'x' WHERE seq = 2")
    code, out, err = awning("publish", "log", "--verify")
    assert (code, out) == (Exit.FINDINGS, "")
    assert "entry 2 is not what was written" in err
    assert awning("publish", "apply")[0] == Exit.USAGE


def test_log_says_who_published(awning, shop, monkeypatch):
    monkeypatch.setenv("AWNING_OPERATOR", "deploy bot")
    awning("publish", "apply")
    assert json.loads(awning("publish", "log", "--json")[1])["runs"][0]["by"] == "deploy bot"


def test_records_hold_what_each_cell_has_and_had(journal):
    run = journal.begin("one")
    intent = JournalEntry(
        run=run, kind=EntryKind.INTENT, instance="@1", language="lv", place="body", before="old", after="new"
    )
    journal.append([intent])
    content = journal.records(["@1"])["@1"]["lv"].contents["body"]
    assert (content.sha256, content.is_known, content.before) == ("new", False, "old")
    journal.append(
        [
            JournalEntry(
                run=run,
                kind=EntryKind.OUTCOME,
                instance="@1",
                language="lv",
                outcome=CellOutcome.APPLIED,
                contents={"body": "new"},
            )
        ]
    )
    record = journal.records(["@1"])["@1"]["lv"]
    assert (record.outcome, record.contents["body"].is_known) == ("applied", True)
    assert journal.own_hashes() == {"new"}


def test_unchanged_cell_keeps_what_was_there_before_the_last_write(journal):
    first = journal.begin("one")
    ended = {"instance": "@1", "outcome": CellOutcome.UNCHANGED, "contents": {"body": "new"}}
    journal.append(
        [
            JournalEntry(
                run=first, kind=EntryKind.INTENT, instance="@1", place="body", before="old", after="new"
            ),
            JournalEntry(run=first, kind=EntryKind.OUTCOME, **ended),
        ]
    )
    second = journal.begin("two")
    journal.append([JournalEntry(run=second, kind=EntryKind.OUTCOME, **ended)])
    assert journal.records(["@1"])["@1"][None].contents["body"].before == "old"


def test_cell_ends_at_most_once_in_a_run(journal):
    run = journal.begin("one")
    ending = JournalEntry(run=run, kind=EntryKind.OUTCOME, instance="@1", outcome=CellOutcome.APPLIED)
    journal.append([ending])
    with pytest.raises(Exception, match="the journal cannot be written"):
        journal.append([ending])


def test_journal_that_grows_while_it_is_checked_is_sound(journal, state, monkeypatch):
    fill(journal)
    with closing(Journal.open(state)) as other:
        read = Journal._mark

        def mark_then_append(self, connection):
            mark = read(self, connection)
            if self is not journal:
                return mark
            fill(other, cells=1)
            return mark

        monkeypatch.setattr(Journal, "_mark", mark_then_append)
        journal.check()
        assert journal.verify() is None


def test_missing_head_is_a_break_and_no_traceback(journal, state):
    fill(journal)
    journal.close()
    edit(state, "DELETE FROM checkpoint")
    with closing(Journal.open_unchecked(state)) as changed:
        assert changed.verify().message == "the beginning of its chain is missing"
