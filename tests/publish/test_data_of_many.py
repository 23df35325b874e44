"""`data set` and `restore` for many instances: a change is shown, journaled, continued by the same command, undone."""

import json
from contextlib import closing
from importlib import import_module

import pytest

from awning.client import NoResponse
from awning.contract import Exit
from awning.publish import disabling
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, RunKind, RunTask

NAMES = tuple(f"shop-{number:02}" for number in range(1, 5))
OLD = {"bar": {"threshold": 5, "text": "Hello"}, "other": {"list": [1, 2]}}
FILE = {"bar": {"threshold": 10}}
NEW = {**OLD, "bar": {"threshold": 10, "text": "Hello"}}
SCHEMA = {
    "type": "object",
    "properties": {
        "bar": {
            "type": "object",
            "properties": {
                "threshold": {"type": "integer", "maximum": 20},
                "text": {"type": "string"},
                "token": {"type": "string", "writeOnly": True},
            },
            "required": ["text"],
        },
        "other": {"type": "object", "properties": {"list": {"type": "array"}}},
    },
}


@pytest.fixture
def shops(awning, served, state_of, shelf, monkeypatch, tmp_path, dist):
    """Four instances, two with a label, each with the same app data."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    with closing(Inventory.open(state_of())) as inventory:
        inventory.put(
            [
                inventory.instance(name, name=name, labels="early" if number < 2 else "")
                for number, name in enumerate(NAMES)
            ]
        )
    shelf.languages = {name: ["lv"] for name in NAMES}
    shelf.data = {name: json.dumps(OLD) for name in NAMES}
    (dist / "data.schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "new.json").write_text(json.dumps(FILE))
    return shelf


@pytest.fixture
def change(awning, shops):
    """Run `data set` or `restore` with --json; returns the exit code and the outcome of each instance."""

    def run(verb, *words):
        code, out, _ = awning("data", verb, *words, "--yes", "--json", "--progress", "none")
        document = json.loads(out)
        assert "instances" in document, document
        return code, {row["instance"]: row["outcome"] for row in document["instances"]}

    return run


@pytest.fixture
def disable(awning, shops, monkeypatch):
    """Disable the widget `bar` at an instance, as if a build had it."""
    monkeypatch.setattr(disabling, "check_widget", lambda *_: None)
    monkeypatch.setattr(import_module("awning.cli.publish.disable"), "_current_build", lambda: None)

    def run(name):
        assert awning("publish", "disable", "bar", "--only", name)[0] == 0

    return run


def stored(shelf, name):
    text = shelf.data[name]
    return json.loads(text) if isinstance(text, str) else text


def writes(shelf):
    return [code for call, code in shelf.calls if call == "set_data"]


def all_are(outcome, names=NAMES):
    return dict.fromkeys(names, outcome)


def test_dry_run_shows_what_changes_for_whom_and_writes_nothing(awning, shops):
    shops.data["shop-02"] = json.dumps({"bar": {"threshold": 10, "text": "x"}})
    shops.data["shop-03"] = json.dumps({"bar": {"threshold": 7, "text": "x"}})
    code, out, _ = awning("data", "set", "--all", "new.json", "--dry-run")
    assert code == 0
    assert out.splitlines() == [
        "bar.threshold: 5 -> 10    2 instances: shop-01, shop-04",
        "bar.threshold: 7 -> 10    1 instance: shop-03",
        "dry run: 3 write, 1 unchanged",
    ]
    assert writes(shops) == []


def test_dry_run_has_every_change_in_json(awning, shops):
    shops.data["shop-01"] = None
    _, out, _ = awning("data", "set", "--only", "shop-01", "new.json", "--force", "--dry-run", "--json")
    assert json.loads(out)["instances"] == [
        {
            "instance": "shop-01",
            "action": "write",
            "reason": None,
            "changes": [{"path": ["bar", "threshold"], "new": 10}],
        }
    ]


def test_values_are_safe_for_the_terminal_and_secrets_are_hidden(awning, shops, tmp_path):
    texts = {"bar": {"text": "\x1b[31m\u202ered\n", "token": "the-token-of-the-shop-x"}}
    (tmp_path / "new.json").write_text(json.dumps(texts))
    _, out, _ = awning("data", "set", "--label", "early", "new.json", "--dry-run")
    assert (
        'bar.text: "Hello" -> "\\u001b[31m\\u202ered\\n"    2 instances: shop-01, shop-02' in out.splitlines()
    )
    assert "bar.token: not set -> a text of 23 characters" in out
    _, out, _ = awning("data", "set", "--label", "early", "new.json", "--dry-run", "--json")
    assert "the-token" not in out


def test_secrets_of_the_newest_release_are_hidden_without_a_build(awning, change, shops, dist, tmp_path):
    assert awning("publish", "apply", "--only", "shop-04")[0] == 0
    (dist / "data.schema.json").unlink()
    (tmp_path / "new.json").write_text('{"bar": {"token": "the-token-of-the-shop-x"}}')
    for verb in (("set", "--only", "shop-01", "new.json"), ("restore",)):
        for form in ((), ("--json",)):
            code, out, _ = awning("data", *verb, "--dry-run", *form)
            assert (code, "token" in out, "the-token-of" in out) == (0, True, False)
        change(*verb)


def test_names_in_stored_data_are_safe_for_the_terminal(awning, shops):
    shops.data["shop-01"] = json.dumps({"bar": {"text": "x"}, "a\u202eb\x9bc": 1})
    code, out, _ = awning("data", "check")
    assert (code, 'nothing reads "a\\u202eb\\x9bc"' in out) == (Exit.FINDINGS, True)


def test_change_is_merged_into_what_each_shop_has(change, shops):
    shops.data["shop-02"] = json.dumps({**OLD, "_awning": {"disabled": ["bar"]}})
    assert change("set", "--all", "new.json") == (0, all_are("applied"))
    assert stored(shops, "shop-01") == NEW
    assert stored(shops, "shop-02") == {**NEW, "_awning": {"disabled": ["bar"]}}
    assert change("set", "--all", "new.json") == (0, all_are("unchanged"))
    assert len(writes(shops)) == len(NAMES)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--label", "early"), NAMES[:2]),
        (("--only", "shop-03"), NAMES[2:3]),
        (("--only", "shop-01", "--only", "shop-04", "--label", "early"), NAMES[:1]),
        (("shop-04",), NAMES[3:]),
    ],
)
def test_only_the_chosen_instances_are_changed(words, names, change, shops):
    assert change("set", *words, "new.json") == (0, all_are("applied", names))
    assert {name for name in NAMES if stored(shops, name) == NEW} == set(names)


USAGES = {
    "no instance": ("new.json",),
    "a name and a label": ("shop-01", "new.json", "--label", "early"),
    "no file": ("--all",),
    "--all and a label": ("new.json", "--all", "--label", "early"),
    "no such file": ("--all", "gone.json"),
    "no such label": ("--label", "late", "new.json"),
    "no such name": ("--only", "shop-99", "new.json"),
    "no terminal to ask on": ("--all", "new.json"),
}


@pytest.mark.parametrize("case", USAGES)
def test_wrong_usage_is_refused_before_any_call(case, awning, shops):
    code, _, err = awning("data", "set", *USAGES[case])
    assert (code, shops.calls) == (Exit.USAGE, []), err


def test_data_that_fit_nowhere_are_refused_before_any_call(awning, shops, tmp_path):
    (tmp_path / "new.json").write_text('{"bar": {"threshold": 99}}')
    code, _, err = awning("data", "set", "--all", "new.json", "--yes")
    assert (code, shops.calls, "must be a whole number" in err) == (Exit.FINDINGS, [], True)


def test_shop_where_the_result_does_not_fit_is_refused_and_says_why(awning, change, shops):
    shops.data["shop-02"] = "{}"
    shops.data["shop-03"] = json.dumps({"bar": {"text": "x"}})
    code, out, _ = awning("data", "set", "--all", "new.json", "--yes", "--progress", "none")
    assert code == Exit.PARTLY
    refused = [line for line in out.splitlines() if line.startswith("refused")]
    assert refused == [
        'refused    shop-02  - it would not fit the schema: "bar.text" is missing, and must be a text'
    ]
    assert stored(shops, "shop-02") == {}
    assert stored(shops, "shop-03") == {"bar": {"text": "x", "threshold": 10}}


def test_shop_that_would_lose_settings_is_refused(change, shops, tmp_path):
    (tmp_path / "new.json").write_text('{"other": {"list": 5}, "bar": [1]}')
    assert change("set", "--all", "new.json", "--force") == (Exit.PARTLY, all_are("refused"))
    assert change("set", "--all", "new.json", "--force", "--replace") == (0, all_are("applied"))
    assert stored(shops, "shop-01") == {"other": {"list": 5}, "bar": [1]}
    assert change("restore") == (0, all_are("applied"))
    assert stored(shops, "shop-01") == OLD


def test_empty_list_of_a_widget_is_an_empty_object(change, shops, tmp_path):
    (tmp_path / "new.json").write_text('{"bar": [], "new": [], "other": {"list": []}}')
    assert change("set", "--all", "new.json", "--force") == (0, all_are("applied"))
    assert stored(shops, "shop-01") == {"bar": OLD["bar"], "other": {"list": []}, "new": []}


def test_restore_writes_back_what_was_there(awning, change, shops):
    shops.data["shop-02"] = None
    shops.data["shop-03"] = '"a text"'
    before = {name: stored(shops, name) if shops.data[name] else {} for name in NAMES}
    change("set", "--all", "new.json", "--replace", "--force")
    assert all(stored(shops, name) == FILE for name in NAMES)
    _, out, _ = awning("data", "restore", "--dry-run")
    assert "bar.threshold: 10 -> 5    2 instances: shop-01, shop-04" in out
    assert change("restore") == (0, all_are("applied"))
    assert {name: stored(shops, name) for name in NAMES} == before
    assert change("restore") == (0, all_are("unchanged"))


def test_what_changed_since_a_dry_run_is_written_over_and_restored(awning, change, shops):
    assert awning("data", "set", "--all", "new.json", "--dry-run")[0] == 0
    theirs = {**OLD, "bar": {"threshold": 12, "text": "Hello"}}
    shops.data["shop-03"] = json.dumps(theirs)
    assert change("set", "--all", "new.json") == (0, all_are("applied"))
    assert stored(shops, "shop-03") == NEW
    assert change("restore") == (0, all_are("applied"))
    assert (stored(shops, "shop-03"), stored(shops, "shop-01")) == (theirs, OLD)


@pytest.mark.parametrize("repeated", [("--all",), ("shop-01",)])
def test_restore_passes_over_a_repeated_change_that_changed_nothing(awning, change, shops, repeated):
    assert change("set", "--all", "new.json") == (0, all_are("applied"))
    words = ("--yes",) if repeated == ("--all",) else ()
    assert awning("data", "set", *repeated, "new.json", *words)[0] == 0
    assert change("restore") == (0, all_are("applied"))
    assert all(stored(shops, name) == OLD for name in NAMES)


def test_restore_leaves_what_the_merchant_changed_since(awning, change, shops):
    change("set", "--all", "new.json")
    shops.data["shop-01"] = json.dumps({**NEW, "bar": {"threshold": 12, "text": "Hello"}})
    shops.data["shop-02"] = json.dumps({**NEW, "bar": {"threshold": 10, "text": "Mine"}})
    code, out, _ = awning("data", "restore", "--yes", "--progress", "none")
    assert code == Exit.PARTLY
    assert "refused    shop-01  - changed by somebody else since run 1: bar.threshold" in out
    assert stored(shops, "shop-01")["bar"]["threshold"] == 12
    assert stored(shops, "shop-02") == {**OLD, "bar": {"threshold": 5, "text": "Mine"}}
    assert change("restore", "--accept-newer-data")[0] == 0
    assert stored(shops, "shop-01") == OLD


def test_restore_of_a_run_takes_back_the_later_ones_too(change, shops, tmp_path):
    change("set", "--all", "new.json")
    (tmp_path / "new.json").write_text('{"bar": {"text": "Bye"}}')
    change("set", "--label", "early", "new.json")
    assert change("restore", "--label", "early")[0] == 0
    assert stored(shops, "shop-01") == NEW
    assert change("restore", "--run", "1")[0] == 0
    assert all(stored(shops, name) == OLD for name in NAMES)


@pytest.mark.parametrize("later", ["set", "disable"])
def test_restore_of_a_run_leaves_what_the_merchant_changed_before_a_later_run(
    later, disable, change, shops, tmp_path
):
    change("set", "--only", "shop-01", "new.json")
    shops.data["shop-01"] = json.dumps({**NEW, "bar": {"threshold": 10, "text": "Mine"}})
    if later == "set":
        (tmp_path / "new.json").write_text('{"bar": {"threshold": 11}}')
        change("set", "--only", "shop-01", "new.json")
    else:
        disable("shop-01")
    assert change("restore", "--run", "1", "--only", "shop-01") == (0, {"shop-01": "applied"})
    own = {"_awning": {"disabled": ["bar"]}} if later == "disable" else {}
    assert stored(shops, "shop-01") == {**OLD, "bar": {"threshold": 5, "text": "Mine"}, **own}


def test_restore_of_a_text_does_not_enable_a_widget(disable, change, shops):
    shops.data["shop-01"] = '"a text"'
    change("set", "--only", "shop-01", "new.json", "--replace", "--force")
    disable("shop-01")
    assert change("restore", "--only", "shop-01") == (Exit.PARTLY, {"shop-01": "refused"})
    assert stored(shops, "shop-01") == {**FILE, "_awning": {"disabled": ["bar"]}}


@pytest.mark.parametrize("words", [(), ("--run", "9"), ("--run", "1")])
def test_restore_needs_a_run_that_changed_settings(words, awning, shops, state_of):
    with closing(Journal.open(state_of())) as journal:
        journal.begin("a publish", task=RunTask(kind=RunKind.PUBLISH, release=1))
    code, _, err = awning("data", "restore", *words, "--yes")
    assert (code, shops.calls, "changed" in err) == (Exit.USAGE, [], True)


def test_change_of_one_instance_is_journaled_and_restored(awning, change, shops):
    assert awning("data", "set", "shop-01", "new.json")[:2] == (
        0,
        f"shop-01: stored, {len(shops.data['shop-01'])} bytes\n",
    )
    assert change("restore") == (0, {"shop-01": "applied"} | all_are("skipped", NAMES[1:]))
    assert stored(shops, "shop-01") == OLD


def test_change_of_one_instance_waits_for_a_write_that_may_still_arrive(awning, shops, state_of, monkeypatch):
    with closing(Journal.open(state_of())) as journal, closing(Inventory.open(state_of())) as inventory:
        run = journal.begin("killed", task=RunTask(kind=RunKind.DATA))
        key = inventory.chosen(["shop-01"])[0].key
        journal.append([JournalEntry(run=run, kind=EntryKind.DATA_INTENT, instance=key)])
    reads = []
    monkeypatch.setattr("time.sleep", lambda wait_s: reads.append((wait_s > 1, list(shops.calls))))
    assert awning("data", "set", "shop-01", "new.json")[0] == 0
    assert reads == [(True, [])]
    assert awning("data", "set", "shop-02", "new.json")[0] == 0
    assert len(reads) == 1


def test_same_command_continues_and_leaves_what_changed_since(awning, change, shops, refused):
    def refuse(call, code, turn):
        return refused(400, "no") if code == "shop-04" and call == "set_data" else None

    shops.before = refuse
    assert change("set", "--all", "new.json") == (
        Exit.PARTLY,
        all_are("applied", NAMES[:3]) | {"shop-04": "refused"},
    )
    shops.before = lambda *_: None
    shops.data["shop-01"] = json.dumps({"bar": {"threshold": 6, "text": "Mine"}})
    shops.calls.clear()
    code, outcomes = change("set", "--all", "new.json")
    assert (code, outcomes) == (
        Exit.PARTLY,
        {"shop-01": "refused", "shop-02": "unchanged", "shop-03": "unchanged", "shop-04": "applied"},
    )
    assert writes(shops) == ["shop-04"]
    assert stored(shops, "shop-01")["bar"]["threshold"] == 6
    log = awning("publish", "log")[1]
    assert ("continues run 1" in log, "finished; continued by run 2" in log) == (True, True)
    assert change("restore")[1] == {"shop-01": "refused"} | all_are("applied", NAMES[1:])
    assert all(stored(shops, name) == OLD for name in NAMES[1:])


def test_restore_of_one_shop_ends_the_change_only_there(change, shops, refused):
    shops.before = lambda call, code, turn: refused(400, "no") if code == "shop-04" else None
    change("set", "--all", "new.json")
    assert change("restore", "--only", "shop-02") == (0, {"shop-02": "applied"})
    shops.before = lambda *_: None
    shops.data["shop-01"] = json.dumps({"bar": {"threshold": 6, "text": "Mine"}})
    assert change("set", "--all", "new.json")[1] == {
        "shop-01": "refused",
        "shop-02": "applied",
        "shop-03": "unchanged",
        "shop-04": "applied",
    }
    assert stored(shops, "shop-01")["bar"]["threshold"] == 6


def test_change_that_is_made_again_after_another_one_is_a_new_one(change, shops, refused, tmp_path):
    shops.before = lambda call, code, turn: refused(400, "no") if code == "shop-04" else None
    change("set", "--all", "new.json")
    shops.before = lambda *_: None
    (tmp_path / "other.json").write_text('{"bar": {"threshold": 20}}')
    assert change("set", "--all", "other.json") == (0, all_are("applied"))
    assert change("set", "--all", "new.json") == (0, all_are("applied"))
    assert change("restore") == (0, all_are("applied"))
    assert {stored(shops, name)["bar"]["threshold"] for name in NAMES} == {20}


def test_finished_change_can_be_made_again(change, shops):
    change("set", "--all", "new.json")
    shops.data["shop-01"] = json.dumps(OLD)
    assert change("set", "--all", "new.json")[1] == {"shop-01": "applied"} | all_are("unchanged", NAMES[1:])


def test_lost_answer_is_settled_by_reading_back(change, shops):
    shops.after = lambda call, code, turn: NoResponse(why="lost") if call == "set_data" else None
    assert change("set", "--all", "new.json") == (0, all_are("applied"))
    assert len(writes(shops)) == len(NAMES)


def test_write_of_another_program_at_the_same_time_is_reported(change, shops):
    def write_over(call, code, turn):
        if call == "set_data" and code == "shop-01":
            shops.data[code] = '{"bar": {"threshold": 9}}'

    shops.after = write_over
    assert change("set", "--all", "new.json") == (
        Exit.PARTLY,
        {"shop-01": "failed"} | all_are("applied", NAMES[1:]),
    )


def test_journal_has_each_write_with_what_was_there(awning, change, shops, journal_of, state_of):
    change("set", "--label", "early", "new.json")
    kinds = [entry["kind"] for entry in journal_of().entries(1)]
    assert sorted(kinds) == ["begin", "data intent", "data intent", "data outcome", "data outcome", "end"]
    intent = next(entry for entry in journal_of().entries(1) if entry["kind"] == "data intent")
    assert json.loads(journal_of().snippet(intent["before"])) == OLD
    assert list(journal_of().latest()) == []
    _, out, _ = awning("publish", "log")
    assert "label early" in out
    assert "2 applied" in out
    assert "shop-01  app data  text" in awning("publish", "log", "--run", "1")[1]
    assert awning("publish", "log", "--verify")[0] == 0


def test_status_names_the_killed_change(awning, shops, state_of):
    with closing(Journal.open(state_of())) as journal:
        journal.begin("set app data of new.json", task=RunTask(kind=RunKind.DATA, digest="d"))
    code, out, _ = awning("publish", "status")
    assert (code, "was killed: the same command continues it" in out) == (0, True)
    assert json.loads(awning("publish", "status", "--json")[1])["data_run"]["run"] == 1


def test_rollback_and_drift_take_no_app_data_for_snippets(awning, change, shops):
    awning("publish", "apply")
    change("set", "--all", "new.json")
    shops.calls.clear()
    assert awning("publish", "drift")[0] == 0
    code, _, err = awning("publish", "rollback", "--run", "2")
    assert (code, "run 2 wrote no snippet" in err) == (Exit.USAGE, True)
    assert writes(shops) == []


def test_pruned_journal_says_what_it_cannot_restore(change, shops, state_of, monkeypatch):
    change("set", "--all", "new.json")
    monkeypatch.setattr(Journal, "snippet", lambda self, sha256: None)
    assert change("restore") == (Exit.PARTLY, all_are("refused"))


def test_publish_under_way_excludes_a_change(awning, shops, state_of):
    with state_of().lock_runs():
        code, _, err = awning("data", "set", "--all", "new.json", "--yes")
    assert (code, shops.calls, "another publish is running" in err) == (Exit.FINDINGS, [], True)


@pytest.mark.parametrize(("status", "code"), [(401, Exit.REFUSED), (500, Exit.FINDINGS)])
def test_service_that_answers_nobody_ends_as_an_apply_does(status, code, change, shops, refused):
    shops.before = lambda call, auth, turn: refused(status, "Unauthorized" if status == 401 else "broken")
    assert change("set", "--all", "new.json")[0] == code


def test_operator_changes_a_setting_of_forty_shops_and_takes_it_back(awning, state_of, shops, tmp_path):
    names = [f"shop-{number}" for number in range(100, 140)]
    with closing(Inventory.open(state_of())) as inventory:
        inventory.put([inventory.instance(name, name=name, labels="forty") for name in names])
    shops.languages |= {name: ["lv"] for name in names}
    shops.data |= {name: json.dumps({"bar": {"text": name, "threshold": 5}}) for name in names}
    words = ("--label", "forty", "new.json")
    assert "40 instances: shop-100, " in awning("data", "set", *words, "--dry-run")[1]
    assert awning("data", "set", *words, "--yes")[1].splitlines()[-1] == "40 applied"
    assert {stored(shops, name)["bar"]["threshold"] for name in names} == {10}
    assert awning("data", "restore", "--label", "forty", "--yes")[1].splitlines()[-1] == "40 applied"
    assert all(stored(shops, name) == {"bar": {"text": name, "threshold": 5}} for name in names)
