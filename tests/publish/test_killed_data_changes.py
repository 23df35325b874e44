"""SIGKILL at random moments of `data set` and `data restore`: the same command ends the work, and nothing is lost."""

import json
from collections import Counter
from contextlib import closing

import pytest
from kept_in import both, kept_in, postgres
from publishers import Moments, Publisher
from volumes import volume

from awning.contract import Exit
from awning.publish import Inventory, Journal, state_at

pytestmark = pytest.mark.usefixtures("processes")

__all__ = ["kept_in", "postgres"]  # fixtures

SHOPS = volume("data-kill-shops")
CALLS = SHOPS * 3
FAST = ("--all", "--yes", "--progress", "none", "--pace", "0", "--timeout", "1", "--json")
AGAIN = 5
"""The most runs until every shop is right. On a busy machine a call may have no answer within a second."""


@pytest.fixture
def shops(shelf, served, workspace, dist, kept_in, monkeypatch):
    """The state store of many shops, each with a text of its own and a setting that is set or not."""
    parts = {"bar": {"type": "object"}, "other": {}}
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": parts}))
    monkeypatch.setenv("AWNING_BASE_URL", served)
    if kept_in.url is not None:
        monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())
    state = state_at(workspace / ".awning/state", kept_in.url)
    codes = [f"shop-{number}" for number in range(SHOPS)]
    shelf.languages = {code: ["lv"] for code in codes}
    shelf.data = {code: json.dumps(before(number)) for number, code in enumerate(codes)}
    with closing(Inventory.open(state)) as inventory:
        inventory.put([inventory.instance(code) for code in codes])
    return state


def before(number):
    own = {"text": f"shop {number}"} | ({"threshold": number} if number % 3 else {})
    return {"bar": own, "other": [number]}


def after(number, threshold):
    data = before(number)
    return {**data, "bar": {**data["bar"], "threshold": threshold}}


def stored(shelf):
    return [json.loads(shelf.data[f"shop-{number}"]) for number in range(SHOPS)]


def kill_and_end(moments, *words):
    """Run a command, kill it at a random moment, and run it until every shop is right. Returns whether it died."""
    publisher = Publisher.start("data", *words, *FAST)
    moments.once(publisher.kill)
    killed = publisher.wait().code < 0
    moments.never()
    for _ in range(AGAIN):
        ended = Publisher.start("data", *words, *FAST).wait()
        if ended.code != Exit.PARTLY:
            break
    assert (ended.code, ended.err) == (0, ""), ended
    return killed


@both
def test_killed_change_is_completed_and_taken_back_by_the_same_commands(kept_in, shops, shelf, tmp_path):
    rounds = max(1, volume("data-kills") // 4)
    moments = Moments(shelf, calls=CALLS, seed=1)
    killed = 0
    for number in range(1, rounds + 1):
        (tmp_path / "new.json").write_text(json.dumps({"bar": {"threshold": 1000 + number}}))
        killed += kill_and_end(moments, "set", "new.json")
        assert stored(shelf) == [after(shop, 1000 + number) for shop in range(SHOPS)]
        changed = len(shelf.sets)
        killed += kill_and_end(moments, "restore")
        assert stored(shelf) == [before(shop) for shop in range(SHOPS)]
        assert [changed, len(shelf.sets) - changed] == [SHOPS, SHOPS], "a shop was written twice"
        check_journal(shops, shelf)
        shelf.sets.clear()
    assert killed >= rounds, "a run that ends before it is killed tests nothing"


def check_journal(state, shelf):
    """Check that the chain holds, that each write at the service has an intent, and that none is without an outcome."""
    with closing(Journal.open(state)) as journal:
        assert journal.verify() is None
        entries = [entry for entry in journal.entries() if entry["kind"].startswith("data")]
        last = {entry["instance"]: entry["kind"] for entry in entries}
        assert set(last.values()) == {"data outcome"}
        intents = Counter(journal.snippet(e["after"]) for e in entries if e["kind"] == "data intent")
    assert Counter(text for _, text in shelf.sets) <= intents
