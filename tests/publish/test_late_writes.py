"""A write that had no answer may still be performed later: the next run of its cell waits for that."""

import asyncio
import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from model_service import Sleepless

from awning.client import NoResponse, Secret
from awning.contract import Exit
from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writes import writes_under_way
from awning.publish.state.server import StateServer

OLD, NEW = {None: "<b>1</b>"}, {None: "<b>2</b>"}
TIMED_OUT = NoResponse(why="no answer within 1 s", timed_out=True)


class LateShelf:
    """After `lose`, lets every write time out, and performs it when a later run begins to sleep for more than 5 s."""

    def __init__(self, shelf, monkeypatch):
        self.shelf = shelf
        self.late = []
        self.slept = []
        self._body = None
        take = shelf.take

        def taken(path, code, body):
            self._body = body
            return take(path, code, body)

        async def sleep(delay, *_):
            self.slept.append(delay)
            if delay > 5:  # longer than a pause between two attempts
                self.arrive()
            await asyncio.sleep(0)

        monkeypatch.setattr(shelf, "take", taken)
        monkeypatch.setattr("awning.publish.runner.asyncio", Sleepless(sleep))

    def lose(self):
        def before(call, code, turn):
            if call != "set_snippet":
                return None
            self.late.append((code, json.loads(self._body)["snippet"]))
            return TIMED_OUT

        self.shelf.before = before

    def answer(self):
        self.shelf.before = lambda *_: None

    def arrive(self):
        for code, text in self.late:
            self.shelf.contents[code, "body", None] = text
        self.late.clear()


@pytest.fixture
def late(awning, shop, shelf, rebuild, monkeypatch):
    """A shop with an old snippet. The write of a new one had no answer, and arrives later."""
    rebuild(OLD)
    assert awning("publish", "apply")[0] == 0
    rebuild(NEW)
    service = LateShelf(shelf, monkeypatch)
    service.lose()
    assert awning("publish", "apply")[0] == Exit.PARTLY
    assert shelf.body("code-a") == OLD
    service.answer()
    service.slept.clear()
    return service


def test_rollback_waits_for_a_late_write_and_takes_it_back(late, awning, shelf):
    assert awning("publish", "rollback", "--previous")[0] == 0
    assert max(late.slept) > 20, "one request timeout since the write"
    assert shelf.body("code-a") == OLD
    assert late.late == []


def test_apply_of_an_older_build_waits_for_a_late_write(late, awning, shelf, rebuild):
    rebuild(OLD)
    assert awning("publish", "apply")[0] == 0
    assert shelf.body("code-a") == OLD
    assert late.late == []


def test_apply_of_the_same_build_finds_the_late_write(late, awning, shelf):
    code, out, _ = awning("publish", "apply", "--json")
    assert (code, json.loads(out)["cells"][0]["outcome"]) == (0, "unchanged")
    assert shelf.body("code-a") == NEW


NOW = datetime(2030, 1, 1, tzinfo=UTC)
CELL = {"instance": "@1", "language": "lv"}
INTENT = {**CELL, "kind": EntryKind.INTENT, "place": "body", "before": "a", "after": "b"}


def outcome(value):
    return {**CELL, "kind": EntryKind.OUTCOME, "outcome": CellOutcome(value)}


# entries, each with its age in seconds -> how many seconds the cell is still in doubt; None for not at all
HISTORIES = {
    "a clear answer": ([(5, INTENT), (4, outcome("applied"))], None),
    "no clear answer": ([(9, INTENT), (4, outcome("unknown"))], 26),
    "no outcome": ([(5, INTENT)], 25),
    "no outcome, and the run went on": (
        [(9, INTENT), (2, {"kind": EntryKind.OUTCOME, "instance": "@2"})],
        28,
    ),
    "no clear answer long ago": ([(59, INTENT), (31, outcome("unknown"))], None),
    "sent twice": ([(8, INTENT), (7, INTENT), (3, outcome("applied"))], 27),
    "not sent": ([(5, INTENT), (4, outcome("skipped"))], None),
    "not sent, after no clear answer": (
        [
            (9, INTENT),
            (8, outcome("unknown")),
            (5, INTENT | {"run": 2}),
            (4, outcome("skipped") | {"run": 2}),
        ],
        22,
    ),
    "skipped, after no clear answer": (
        [(9, INTENT), (8, outcome("unknown")), (4, outcome("skipped") | {"run": 2})],
        22,
    ),
    "both places once": ([(8, INTENT), (7, INTENT | {"place": "head"}), (3, outcome("applied"))], None),
    "a later run knows": (
        [
            (9, INTENT),
            (8, outcome("unknown")),
            (5, INTENT | {"run": 2}),
            (4, outcome("applied") | {"run": 2}),
        ],
        None,
    ),
}


@pytest.mark.parametrize("case", HISTORIES)
def test_write_is_in_doubt_for_one_timeout_after_its_last_sign(case, journal, monkeypatch):
    entries, seconds = HISTORIES[case]
    for ago, entry in entries:
        at = (NOW - timedelta(seconds=ago)).isoformat(timespec="milliseconds")
        monkeypatch.setattr("awning.publish.journal.journal._now", lambda *_, at=at: at)
        journal.append([JournalEntry(**{"run": 1, **entry})])
    monkeypatch.setattr("awning.publish.journal.journal._now", lambda *_: NOW.isoformat())
    in_doubt = writes_under_way(journal, timeout_s=30, own_clock=lambda: 1000).snippets
    left = {cell: until - 1000 for cell, until in in_doubt.items() if until > 1000}
    assert left.get(("@1", "lv")) == seconds


def test_journal_without_entries_has_no_write_in_doubt(state):
    with closing(Journal.open(state)) as journal:
        assert writes_under_way(journal, timeout_s=30) == ({}, {})


def test_machines_whose_clocks_differ_see_the_same_writes_in_doubt(postgres, monkeypatch):
    """A machine that is 90 s behind has written the last entry. Its clock must not count."""

    class Behind(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) - timedelta(seconds=90)

    with postgres.database() as url, closing(Journal.open(StateServer(Secret(url)))) as journal:
        journal.append([JournalEntry(run=1, **INTENT)])
        with monkeypatch.context() as patched:
            patched.setattr("awning.publish.state.database.datetime", Behind)
            journal.append([JournalEntry(run=2, kind=EntryKind.BEGIN)])
        times = [entry["at"] for entry in journal.entries()]
        in_doubt = writes_under_way(journal, timeout_s=30, own_clock=lambda: 1000).snippets
    assert times == sorted(times)
    assert 1000 < in_doubt["@1", "lv"] <= 1030
