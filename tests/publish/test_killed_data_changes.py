"""SIGKILL at random moments of a change of app data, of a migration and of what takes them back: the same command ends
the work, and nothing is lost or done twice.

A change of data is killed with PostgreSQL and a migration with files: how a store gives a lock back and ends a
transaction is in `test_killed_publishers.py`, for both.
"""

import json
from collections import Counter
from contextlib import closing

import pytest
from plain_dist import write_dist
from publishers import Moments, Publisher
from volumes import volume

from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.state.server import state_at

pytestmark = pytest.mark.usefixtures("processes")


SHOPS = volume("data-kill-shops")
CALLS = SHOPS * 3
TIMEOUT_S = "1" if SHOPS < 500 else "5"
"""Of thousands of calls, a busy machine answers some only after more than a second."""
FAST = ("--progress", "none", "--pace", "0", "--timeout", TIMEOUT_S, "--in-flight", "16", "--json")
"""With more calls at once, the test's own service would not answer each in time."""
OF_DATA = ("--all", "--yes", *FAST)
MIGRATED_SHOPS = volume("migration-kill-shops")
AGAIN = 5
"""The most runs until every shop is right. On a busy machine a call may have no answer within a second."""


@pytest.fixture
def store(served, workspace, kept_in, monkeypatch):
    """A state store, for the service that is served."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    if kept_in.url is not None:
        monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())
    return state_at(workspace / ".awning/state", kept_in.url)


@pytest.fixture
def shops(shelf, store, dist):
    """The state store of many shops, each with a text of its own and a setting that is set or not."""
    parts = {"bar": {"type": "object"}, "other": {}}
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": parts}))
    fill(store, shelf, SHOPS)
    return store


def fill(state, shelf, count):
    """Let the service and the inventory have this many shops."""
    codes = [f"shop-{number}" for number in range(count)]
    shelf.languages = {code: ["lv"] for code in codes}
    shelf.data = {code: json.dumps(before(number)) for number, code in enumerate(codes)}
    with closing(Inventory.open(state)) as inventory:
        inventory.put([inventory.instance(code) for code in codes])


def before(number):
    own = {"text": f"shop {number}"} | ({"threshold": number} if number % 3 else {})
    return {"bar": own, "other": {"number": number}}


def after(number, threshold):
    data = before(number)
    return {**data, "bar": {**data["bar"], "threshold": threshold}}


def stored(shelf):
    return [json.loads(shelf.data[f"shop-{number}"]) for number in range(SHOPS)]


def kill_and_end(moments, *words):
    """Run a command, kill it at a random moment, and run it until every shop is right. Returns whether it died."""
    publisher = Publisher.start(*words)
    moments.once(publisher.kill)
    killed = publisher.wait().code < 0
    moments.never()
    for _ in range(AGAIN):
        ended = Publisher.start(*words).wait()
        if ended.code != Exit.PARTLY:
            break
    assert (ended.code, ended.err) == (0, ""), ended
    return killed


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
def test_killed_change_is_completed_and_taken_back_by_the_same_commands(kept_in, shops, shelf, tmp_path):
    rounds = max(1, volume("data-kills") // 2)
    moments = Moments(shelf, calls=CALLS, seed=1)
    killed = 0
    for number in range(1, rounds + 1):
        (tmp_path / "new.json").write_text(json.dumps({"bar": {"threshold": SHOPS + number}}))
        killed += kill_and_end(moments, "data", "set", "new.json", *OF_DATA)
        assert stored(shelf) == [after(shop, SHOPS + number) for shop in range(SHOPS)]
        changed = len(shelf.sets)
        killed += kill_and_end(moments, "data", "restore", *OF_DATA)
        assert stored(shelf) == [before(shop) for shop in range(SHOPS)]
        assert [changed, len(shelf.sets) - changed] == [SHOPS, SHOPS], "a shop was written twice"
        check_journal(shops, shelf)
        shelf.sets.clear()
    assert killed >= rounds, "a run that ends before it is killed tests nothing"


def build(dist, number, *, version):
    """Write a build whose app data have this version. The function of the second one must not run twice."""
    double = "{ migrate: ({ text, threshold }) => ({ text, threshold: 2 * (threshold ?? 1) }) }"
    write_dist(dist, {"lv": f"<b>{number}</b>"}, migrations={"bar": double} if version > 1 else None)
    parts = {"bar": {"type": "object", "x-version": version}, "other": {}}
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": parts}))


def migrated(number):
    own = before(number)["bar"]
    return {**before(number), "bar": {**own, "threshold": 2 * own.get("threshold", 1), "_version": 2}}


def test_killed_migration_is_completed_and_taken_back_by_the_same_commands(store, shelf, dist):
    fill(store, shelf, MIGRATED_SHOPS)
    codes = list(shelf.languages)
    build(dist, 0, version=1)
    assert Publisher.start("publish", "apply", *FAST).wait().code == 0
    moments = Moments(shelf, calls=MIGRATED_SHOPS * 7, seed=1)
    rounds = max(1, volume("migration-kills") // 2)
    killed = 0
    for number in range(1, rounds + 1):
        build(dist, number, version=2)
        for words, wanted, text in (
            (("apply",), migrated, f"<b>{number}</b>"),
            (("rollback", "--to", "1"), before, "<b>0</b>"),
        ):
            shelf.sets.clear()
            killed += kill_and_end(moments, "publish", *words, *FAST)
            found = [json.loads(shelf.data[code]) for code in codes]
            assert found == [wanted(shop) for shop in range(MIGRATED_SHOPS)]
            assert {shelf.body(code)["lv"] for code in codes} == {text}
            assert Counter(code for code, _ in shelf.sets) == Counter(codes), "a shop was written twice"
            check_journal(store, shelf)
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
