"""`publish disable` and `enable`: a list in the app data, written only after a read. Other writers keep that list."""

import json
from contextlib import closing, contextmanager
from functools import partial
from threading import Timer

import pytest

from awning.client import NoResponse, Response, Secret
from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.release.releases import Releases
from awning.publish.run_status import lock_runs
from awning.publish.state.server import StateServer
from awning.publish.state.store import Busy, StateDir
from awning.publish.waves.run_state import Rollout, RunStates

WIDGETS = [
    {"name": "bar", "title": "Bar", "slots": ["after-cart"], "languages": ["lv"], "sources": []},
    {"name": "note", "title": "Note", "slots": ["after-cart"], "languages": ["lv"], "sources": []},
    {"name": "by-hand", "title": "R", "slots": [], "languages": ["lv"], "sources": [], "raw": True},
]
DATA = {"bar": {"threshold": 5, "text": "</script>ā"}, "other": [1, None]}


def record(dist, **fields):
    file = dist / "build.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "widgets": WIDGETS, **fields}))


@pytest.fixture
def built(dist):
    record(dist, kill_switch=True)
    return dist


@pytest.fixture
def switch(awning, built):
    """Run `publish disable` or `enable`; returns the exit code and the outcome of each instance."""

    def run(verb, *words):
        code, out, _ = awning("publish", verb, *words, "--pace", "0", "--json")
        return code, {row["instance"]: row["outcome"] for row in json.loads(out)["instances"]}

    return run


def reason(awning, *words):
    _, out, _ = awning("publish", "disable", *words, "--pace", "0", "--json")
    (row,) = json.loads(out)["instances"]
    return row["reason"]


def stored(shelf, code="code-a"):
    text = shelf.data[code]
    return json.loads(text) if isinstance(text, str) else text


def test_disabled_widget_is_listed_and_other_data_are_kept(switch, shop, shelf):
    shelf.data["code-a"] = json.dumps(DATA)
    assert switch("disable", "bar") == (0, {"shop": "applied"})
    assert stored(shelf) == {**DATA, "_awning": {"disabled": ["bar"]}}
    assert switch("disable", "note") == (0, {"shop": "applied"})
    assert stored(shelf) == {**DATA, "_awning": {"disabled": ["bar", "note"]}}


def test_enabled_widgets_leave_nothing_behind(switch, shop, shelf):
    shelf.data["code-a"] = json.dumps({**DATA, "_awning": {"disabled": ["bar"]}})
    assert switch("enable", "bar") == (0, {"shop": "applied"})
    assert stored(shelf) == DATA


@pytest.mark.parametrize(("verb", "listed"), [("disable", ["bar", "note"]), ("enable", ["note"])])
def test_second_run_writes_nothing(verb, listed, switch, shop, shelf):
    shelf.data["code-a"] = json.dumps({"_awning": {"disabled": listed}})
    assert switch(verb, "bar") == (0, {"shop": "unchanged"})
    assert "set_data" not in {call for call, _ in shelf.calls}


SHAPES = {
    "nothing stored": (None, {}),
    "an empty list": ([], {}),
    "an object instead of a text": ({"bar": {"a": 1}}, {"bar": {"a": 1}}),
    "a reserved key of another shape": ({"_awning": 5, "bar": {}}, {"bar": {}}),
    "a list of another shape": ({"_awning": {"disabled": "note"}}, {}),
    "another key beside the list": ({"_awning": {"more": 1}}, {"_awning": {"more": 1}}),
}


@pytest.mark.parametrize("case", SHAPES)
def test_every_stored_shape_becomes_a_list(case, switch, shop, shelf):
    shelf.data["code-a"], data = SHAPES[case]
    assert switch("disable", "bar") == (0, {"shop": "applied"})
    assert stored(shelf) == {**data, "_awning": {**data.get("_awning", {}), "disabled": ["bar"]}}


@pytest.mark.parametrize("data", ["words", '"words"', "[1]", "7"])
def test_data_that_are_no_object_are_refused_and_kept(data, switch, shop, shelf):
    shelf.data["code-a"] = data
    assert switch("disable", "bar") == (Exit.PARTLY, {"shop": "refused"})
    assert shelf.data["code-a"] == data


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (NoResponse(why="no answer", sent=False), "failed", Exit.FINDINGS),
        (Response(status=500, body=b"broken"), "failed", Exit.FINDINGS),
        (Response(status=200, body=b'{"error":false,"data":7}'), "failed", Exit.PARTLY),
    ],
)
def test_nothing_is_written_when_the_data_cannot_be_read(answer, outcome, code, switch, shop, shelf):
    shelf.before = lambda call, code, turn: answer if call == "get_data" else None
    assert switch("disable", "bar") == (code, {"shop": outcome})
    assert "set_data" not in {call for call, _ in shelf.calls}


def test_lost_answer_to_the_write_is_settled_by_reading_back(switch, shop, shelf):
    shelf.after = lambda call, code, turn: NoResponse(why="lost") if call == "set_data" else None
    assert switch("disable", "bar") == (0, {"shop": "applied"})


def test_write_without_an_answer_and_without_effect_is_unknown(switch, shop, shelf):
    shelf.before = lambda call, code, turn: NoResponse(why="lost") if call == "set_data" else None
    assert switch("disable", "bar") == (Exit.PARTLY, {"shop": "unknown"})


def test_data_that_another_program_wrote_meanwhile_are_reported(awning, built, shop, shelf):
    def write_over(call, code, turn):
        if call == "set_data":
            shelf.data[code] = '{"bar": {"threshold": 9}}'

    shelf.after = write_over
    assert "something else wrote" in reason(awning, "bar")


def test_refused_instance_does_not_stop_the_others(switch, awning, shop, shelf, monkeypatch):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "second", "--label", "early")
    del shelf.languages["code-a"]
    assert switch("disable", "bar") == (Exit.PARTLY, {"shop": "refused", "second": "applied"})
    assert switch("disable", "note", "--only", "second") == (0, {"second": "applied"})
    assert switch("enable", "note", "--label", "early") == (0, {"second": "applied"})


def test_unknown_widget_is_refused_with_the_near_name(awning, built, shop, shelf):
    code, _, err = awning("publish", "disable", "barr")
    assert (code, shelf.calls) == (Exit.USAGE, [])
    assert 'no build has a widget "barr"' in err
    assert 'did you mean "bar"?' in err


def test_widget_of_an_earlier_release_can_be_disabled(switch, awning, built, dist, shop, rebuild):
    awning("publish", "apply")
    rebuild({None: "<b>new</b>"})
    assert switch("disable", "bar") == (0, {"shop": "applied"})


def test_raw_widget_is_refused(awning, built, shop, shelf):
    code, _, err = awning("publish", "disable", "by-hand")
    assert (code, shelf.calls) == (Exit.USAGE, [])
    assert 'the widget "by-hand" cannot be disabled' in err


def test_instance_whose_snippets_have_no_kill_switch_is_refused(awning, dist, shop, shelf):
    record(dist, kill_switch=False)
    awning("publish", "apply")
    record(dist, kill_switch=True)
    assert reason(awning, "bar").startswith("release 1, which it has, was built without the kill switch")
    assert shelf.data == {}


def test_instance_to_which_nothing_was_published_goes_by_the_current_build(awning, dist, shop):
    record(dist)
    assert reason(awning, "bar").startswith("the build in dist/ was built without the kill switch")


def test_widget_can_always_be_enabled(switch, dist, shop, shelf):
    record(dist)
    shelf.data["code-a"] = '{"_awning": {"disabled": ["bar"]}}'
    assert switch("enable", "bar") == (0, {"shop": "applied"})


def test_publish_under_way_excludes_a_switch(awning, built, shop, state_of, shelf):
    with state_of().lock_runs():
        code, _, err = awning("publish", "disable", "bar")
    assert (code, shelf.calls) == (Exit.FINDINGS, [])
    assert "another publish is running" in err


def test_refusal_of_a_switch_names_the_run_under_way_and_how_to_pause_it(
    awning, built, shop, state_of, shelf, monkeypatch
):
    monkeypatch.setenv("AWNING_OPERATOR", "ieva")
    refusals = []

    def lock_meanwhile(*_call):
        try:
            with lock_runs(state_of()):
                pass
        except Busy as error:
            refusals.append(error)

    shelf.before = lock_meanwhile
    assert awning("publish", "apply")[0] == Exit.DONE
    refusal = refusals[0]
    assert refusal.message.startswith("another publish is running on this state: run 1 of ieva, since 20")
    assert refusal.hint == ("wait for it to end, or pause it (awning publish pause 1); then run this again")


def test_switch_finds_a_run_whose_process_was_killed(awning, switch, built, shop, state_of, shelf):
    with closing(Journal.open(state_of())) as journal, closing(RunStates.open(state_of())) as states:
        run = journal.begin("killed")
        states.begin(run, release=1, base_url="https://x", rollout=Rollout(), is_whole=True, continues=None)
    seen = []

    def look(*_call):
        seen.append(json.loads(awning("publish", "status", "--json")[1])["run"])

    shelf.before = look
    switch("enable", "bar")
    assert seen
    assert {(run["state"], run["is_under_way"]) for run in seen} == {("paused", False)}


def test_nothing_is_written_after_the_lock_was_lost(awning, built, shop, shelf, monkeypatch):
    @contextmanager
    def lost(_state):
        yield lambda: False

    monkeypatch.setattr(StateDir, "lock_runs", lost)
    code, out, _ = awning("publish", "disable", "bar", "--pace", "0", "--json")
    assert (code, "the lock of this publish was lost" in json.loads(out)["error"]) == (Exit.PARTLY, True)
    assert "set_data" not in {call for call, _ in shelf.calls}


def test_many_instances_are_counted_and_only_the_wrong_are_listed(awning, built, shop, shelf, state_of):
    with closing(Inventory.open(state_of())) as inventory:
        inventory.put([inventory.instance(f"code-{number}", name=f"shop-{number}") for number in range(70)])
    shelf.languages |= {f"code-{number}": ["lv"] for number in range(69)}
    code, out, _ = awning("publish", "disable", "bar", "--pace", "0")
    assert code == Exit.PARTLY
    assert [line.split()[:2] for line in out.splitlines()] == [["refused", "shop-69"], ["70", "applied,"]]


def test_journal_says_who_disabled_what(awning, built, shop, monkeypatch, journal_of):
    monkeypatch.setenv("AWNING_OPERATOR", "anna")
    awning("publish", "disable", "bar", "--pace", "0")
    run = journal_of().runs()[0]
    assert (run["what"].split(",")[0], run["by"], run["how"]) == (
        "disable bar",
        "anna",
        "finished",
    )


def test_switch_leaves_the_cells_of_the_journal_alone(awning, built, shop, journal_of):
    awning("publish", "apply")
    before = list(journal_of().latest())
    awning("publish", "disable", "bar", "--pace", "0")
    assert list(journal_of().latest()) == before
    assert awning("publish", "log", "--verify")[0] == 0


def test_release_keeps_whether_it_has_a_kill_switch(awning, built, shop, state_of):
    awning("release", "create")
    with closing(Releases.open(state_of())) as releases:
        assert releases.files(1).record.kill_switch


def test_data_set_keeps_the_reserved_key_as_it_is_stored(awning, shop, shelf, tmp_path):
    shelf.data["code-a"] = json.dumps({"bar": {"a": 1}, "_awning": {"disabled": ["bar"]}})
    (tmp_path / "data.json").write_text('{"bar": {"a": 2}, "_awning": {"disabled": []}}')
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, '"_awning" in data.json was not stored' in err) == (0, True)
    assert stored(shelf) == {"bar": {"a": 2}, "_awning": {"disabled": ["bar"]}}


def test_data_set_writes_nothing_when_the_app_data_cannot_be_read(awning, shop, shelf, tmp_path):
    (tmp_path / "data.json").write_text('{"bar": {"a": 2}}')
    shelf.before = lambda call, code, turn: NoResponse(why="away", sent=False) if call == "get_data" else None
    assert awning("data", "set", "shop", "data.json")[0] == Exit.FINDINGS
    assert "set_data" not in {call for call, _ in shelf.calls}


def test_data_check_accepts_the_reserved_key(awning, shop, shelf, dist):
    (dist / "data.schema.json").write_text('{"type": "object", "properties": {"bar": {"type": "object"}}}')
    shelf.data["code-a"] = json.dumps({"bar": {}, "_awning": {"disabled": ["bar"]}})
    assert awning("data", "check")[0] == 0


@pytest.fixture
def held(shop, state_of, monkeypatch):
    """Another program holds the lock of the shop's app data, until the function that this yields is called."""
    monkeypatch.setattr("awning.publish.state.app_data_lock.PATIENCE_S", 0.0)
    with closing(Inventory.open(state_of())) as inventory:
        key = inventory.all()[0].key
    with closing(state_of().app_data_locks()) as locks, locks.holding(key):
        yield partial(locks.release, key)


def test_switch_writes_nothing_while_another_program_changes_the_data(awning, built, held, shelf):
    assert "being changed by somebody else, for 0.1 seconds now" in reason(awning, "bar", "--timeout", "0.1")
    assert "get_data" not in {call for call, _ in shelf.calls}


def test_switch_waits_for_a_worker_whose_write_may_be_in_doubt(awning, built, held, shelf):
    release = Timer(0.2, held)
    release.start()
    assert reason(awning, "bar") is None
    release.join()
    assert "bar" in stored(shelf)["_awning"]["disabled"]


def test_data_set_writes_nothing_while_another_program_changes_the_data(awning, held, shelf, tmp_path):
    (tmp_path / "data.json").write_text('{"bar": {"a": 2}}')
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, "being changed by somebody else" in err) == (Exit.FINDINGS, True)
    assert "get_data" not in {call for call, _ in shelf.calls}


def test_data_are_locked_from_the_read_to_the_write_and_free_afterwards(switch, shop, shelf, state_of):
    free = {}
    with closing(Inventory.open(state_of())) as inventory, closing(state_of().app_data_locks()) as other:
        key = inventory.all()[0].key

        def look(call, code, turn):
            free[call] = other.take(key)

        shelf.before = look
        assert switch("disable", "bar") == (0, {"shop": "applied"})
        assert free == {"get_data": False, "set_data": False}
        assert other.take(key)


def test_lock_of_app_data_is_shared_by_machines(postgres):
    with postgres.database() as url:
        state = StateServer(Secret(url))
        with closing(state.app_data_locks()) as ours, closing(state.app_data_locks()) as theirs:
            with ours.holding("@1"):
                assert [ours.take("@1"), theirs.take("@1"), theirs.take("@2")] == [False, False, True]
            assert theirs.take("@1")
        with closing(state.app_data_locks()) as later:
            assert later.take("@1")
