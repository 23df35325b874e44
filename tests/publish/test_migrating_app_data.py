"""Migrations of app data: tried by a plan, made by an apply beside the snippets, resumed, and taken back."""

import json
from contextlib import closing

import pytest
from plain_dist import write_dist

from awning.client import NoResponse
from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory

NAMES = tuple(f"shop-{number}" for number in range(1, 5))
OLD = {"bar": {"cents": 250, "enabled": False}, "other": {"list": [1]}}
NEW = {"bar": {"_version": 2, "enabled": False, "price": 2.5}, "other": {"list": [1]}}
FIRST = {"type": "object", "properties": {"cents": {"type": "integer"}}}
SECOND = {
    "type": "object",
    "x-version": 2,
    "properties": {"price": {"type": "number", "maximum": 100}},
    "additionalProperties": False,
}
CODE = """{ migrate: (stored, version) => {
  if (typeof stored.cents === "string") throw new TypeError("cents is a text");
  if (stored.loops) for (;;);
  return { price: stored.cents / 100 };
} }"""


def with_first_version(dist):
    write_dist(dist, {"lv": "<b>1</b>"})
    write_schema(dist, FIRST)


def with_second_version(dist, number=2, *, code=CODE, schema=SECOND):
    write_dist(dist, {"lv": f"<b>{number}</b>"}, migrations={"bar": code})
    write_schema(dist, schema)


def write_schema(dist, part):
    schema = {"type": "object", "properties": {"bar": part, "other": {}}}
    (dist / "data.schema.json").write_text(json.dumps(schema))


@pytest.fixture
def shops(awning, served, state_of, shelf, monkeypatch, dist):
    """Four instances with the first release, and app data of the first version."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    with closing(Inventory.open(state_of())) as inventory:
        inventory.put([inventory.instance(name, name=name) for name in NAMES])
    shelf.languages = {name: ["lv"] for name in NAMES}
    shelf.data = {name: json.dumps(OLD) for name in NAMES}
    with_first_version(dist)
    assert awning("publish", "apply")[0] == 0
    with_second_version(dist)
    return shelf


@pytest.fixture
def apply(awning, shops):
    """Run an apply; returns the exit code, and the outcomes of each instance: its snippet, and its app data if any."""

    def run(*words):
        code, out, _ = awning("publish", "apply", *words, "--json", "--progress", "none")
        outcomes = {}
        for row in json.loads(out)["cells"]:
            outcomes.setdefault(row["instance"], []).append(row["outcome"])
        return code, outcomes

    return run


def all_are(*outcomes):
    return {name: list(outcomes) for name in NAMES}


def stored(shelf):
    return {name: json.loads(text) if isinstance(text, str) else text for name, text in shelf.data.items()}


def snippets(shelf):
    return {name: shelf.body(name)["lv"] for name in NAMES}


def test_apply_writes_each_snippet_and_then_the_migrated_data(apply, shops):
    shops.calls.clear()
    assert apply() == (0, all_are("applied", "applied"))
    assert stored(shops) == dict.fromkeys(NAMES, NEW)
    assert set(snippets(shops).values()) == {"<b>2</b>"}
    for name in NAMES:
        writes = [call for call, code in shops.calls if code == name and call.startswith("set_")]
        assert writes == ["set_snippet", "set_data"]


def test_migrated_data_are_not_migrated_again_by_a_later_build(apply, shops, dist):
    apply()
    with_second_version(dist, 3)
    assert apply() == (0, all_are("applied"))
    assert stored(shops) == dict.fromkeys(NAMES, NEW)


UNFIT = {
    "shop-2": ({"cents": "many"}, '"bar": TypeError: cents is a text'),
    "shop-3": ({"loops": True}, '"bar": it runs for more than 0.25 s'),
    "shop-4": ({"cents": 90_000}, '"bar.price" is 900, and must be'),
    "shop-5": ({"_version": 3, "prices": []}, "version 3"),
}


def test_instance_whose_data_cannot_be_migrated_keeps_code_and_data_and_is_named(
    awning, apply, shops, state_of
):
    shops.languages["shop-5"], shops.contents["shop-5", "body", "lv"] = ["lv"], "<b>1</b>"
    with closing(Inventory.open(state_of())) as inventory:
        inventory.put([inventory.instance("shop-5", name="shop-5")])
    shops.data |= {name: json.dumps({"bar": own}) for name, (own, _) in UNFIT.items()}
    code, out, _ = awning("publish", "plan", "--refresh", "--json")
    document = json.loads(out)
    assert (code, document["app_data"]) == (0, {"migrate": 1, "unchanged": 0, "fail": 4, "unread": 0})
    rows = {row["instance"]: row for row in document["cells"]}
    code, outcomes = apply()
    assert code == Exit.PARTLY
    for name, (own, reason) in UNFIT.items():
        assert (rows[name]["action"], rows[name]["migration"]["action"]) == ("refuse", "fail")
        assert reason in rows[name]["reason"]
        assert (outcomes[name], stored(shops)[name]) == (["refused"], {"bar": own})
        assert shops.body(name)["lv"] == "<b>1</b>"
    assert stored(shops)["shop-1"] == NEW


def test_data_of_the_old_version_are_mended_by_force(awning, apply, shops, tmp_path):
    shops.data["shop-2"] = json.dumps({"bar": {"cents": "250"}})
    _, _, err = awning("publish", "apply", "--progress", "none")
    assert "data set --force" in err
    (tmp_path / "old.json").write_text('{"bar": {"cents": 250}}')
    assert awning("data", "set", "shop-2", "old.json")[0] != 0
    assert awning("data", "set", "shop-2", "old.json", "--force")[0] == 0
    assert apply("--only", "shop-2") == (0, {"shop-2": ["applied", "applied"]})
    assert stored(shops)["shop-2"]["bar"] == {"_version": 2, "price": 2.5}


def test_result_without_a_json_form_is_refused_before_the_snippet_is_written(apply, shops, dist):
    half = r"""{ migrate: () => ({ text: "\ud83d\ude00".slice(0, 1) }) }"""
    with_second_version(dist, code=half, schema={"type": "object", "x-version": 2})
    assert apply() == (Exit.PARTLY, all_are("refused"))
    assert stored(shops) == dict.fromkeys(NAMES, OLD)
    assert set(snippets(shops).values()) == {"<b>1</b>"}


def test_version_that_a_client_has_written_back_in_another_form_is_that_version(apply, shops):
    for name, version in (("shop-1", 2.0), ("shop-2", "2")):
        shops.data[name] = json.dumps({"bar": {"_version": version, "price": 2.5}})
    kept = {"shop-1": ["applied"], "shop-2": ["applied"]}
    assert apply() == (0, all_are("applied", "applied") | kept)


def test_mended_function_migrates_only_the_instances_that_are_left(apply, shops, dist):
    shops.data["shop-2"] = json.dumps({"bar": {"cents": "250"}})
    assert apply()[0] == Exit.PARTLY
    sets = len(shops.sets)
    with_second_version(
        dist, code=CODE.replace('throw new TypeError("cents is a text")', "return { price: 7 }")
    )
    assert apply()[0] == 0
    assert stored(shops)["shop-2"] == {"bar": {"_version": 2, "price": 7}}
    assert len(shops.sets) == sets + 1


@pytest.mark.parametrize("data", [[None, "", {}], [{"other": {"list": [1]}}, {"bar": {}}, "a text"]])
def test_instance_without_data_of_the_widget_is_published_and_nothing_is_stored(apply, shops, data):
    without = dict(zip(NAMES, data, strict=False))
    shops.data |= without
    assert apply() == (0, all_are("applied", "applied") | {name: ["applied"] for name in without})
    assert [shops.data[name] for name in without] == data


def test_data_stay_when_a_snippet_is_not_written(apply, shops):
    shops.contents["shop-2", "body", "lv"] = "<b>somebody else's</b>"
    code, outcomes = apply()
    assert (code, outcomes["shop-2"]) == (Exit.PARTLY, ["refused", "skipped"])
    assert stored(shops)["shop-2"] == OLD


def test_instance_whose_data_cannot_be_read_is_not_written(apply, shops, refused):
    shops.before = lambda call, code, _: (
        refused(500, "broken") if (call, code) == ("get_data", "shop-2") else None
    )
    code, outcomes = apply()
    assert (code, outcomes["shop-2"]) == (Exit.PARTLY, ["failed"])
    assert snippets(shops)["shop-2"] == "<b>1</b>"
    shops.before = lambda *_: None
    assert apply()[0] == 0
    assert stored(shops) == dict.fromkeys(NAMES, NEW)


def test_lost_answer_of_a_write_is_read_back_and_not_repeated(apply, shops):
    shops.after = lambda call, *_: NoResponse(why="reset", sent=True) if call == "set_data" else None
    assert apply()[0] == 0
    assert len(shops.sets) == len(NAMES)
    assert stored(shops) == dict.fromkeys(NAMES, NEW)


def test_data_that_were_replaced_without_their_version_are_not_migrated_again(awning, apply, shops, dist):
    apply()
    shops.data["shop-2"] = json.dumps({"bar": {"cents": 300}})
    with_second_version(dist, 3)
    code, outcomes = apply()
    assert (code, outcomes["shop-2"]) == (Exit.PARTLY, ["refused"])
    assert stored(shops)["shop-2"] == {"bar": {"cents": 300}}


def test_saved_plan_is_not_applied_with_other_migrations(awning, shops, dist):
    assert awning("publish", "plan", "--refresh", "-o", "the.plan")[0] == 0
    with_second_version(dist, code=CODE.replace("/ 100", "/ 10"))
    code, _, err = awning("publish", "apply", "the.plan")
    assert (code, "for other migrations" in err) == (Exit.USAGE, True)
    assert stored(shops) == dict.fromkeys(NAMES, OLD)


def test_plan_says_what_would_happen_and_writes_nothing(awning, shops):
    shops.data["shop-1"] = json.dumps({"bar": {"cents": "many"}})
    shops.data["shop-2"] = None
    _, out, err = awning("publish", "plan")
    assert "--refresh tries it on what the shops hold" in err
    _, out, _ = awning("publish", "plan", "--refresh")
    assert 'fail       shop-1 (app data)  - "bar": TypeError: cents is a text' in out.splitlines()
    assert "app data   2 migrate, 1 unchanged, 1 fail" in out.splitlines()
    assert shops.sets == []


@pytest.mark.parametrize("words", [("--run", "2"), ("--previous",), ("--to", "1")])
def test_rollback_takes_the_data_back_before_the_snippets(awning, apply, shops, words):
    apply()
    shops.calls.clear()
    code, out, _ = awning("publish", "rollback", *words, "--json", "--progress", "none")
    assert (code, json.loads(out)["totals"]["applied"]) == (0, 2 * len(NAMES))
    assert stored(shops) == dict.fromkeys(NAMES, OLD)
    assert set(snippets(shops).values()) == {"<b>1</b>"}
    for name in NAMES:
        writes = [call for call, code in shops.calls if code == name and call.startswith("set_")]
        assert writes == ["set_data", "set_snippet"]


def test_apply_after_a_rollback_migrates_again(awning, apply, shops):
    apply()
    assert awning("publish", "rollback", "--run", "2")[0] == 0
    assert apply() == (0, all_are("applied", "applied"))
    assert stored(shops) == dict.fromkeys(NAMES, NEW)


def test_rollback_of_two_migrations_takes_both_back(awning, apply, shops, dist):
    apply()
    third = {"type": "object", "x-version": 3, "properties": {"euros": {"type": "number"}}}
    with_second_version(dist, 3, schema=third, code="{ migrate: ({ price }) => ({ euros: price }) }")
    assert apply()[0] == 0
    assert stored(shops)["shop-1"]["bar"] == {"_version": 3, "enabled": False, "euros": 2.5}
    assert awning("publish", "rollback", "--to", "1")[0] == 0
    assert stored(shops) == dict.fromkeys(NAMES, OLD)


def test_rollback_to_code_whose_data_are_older_names_the_verb_that_brings_back_both(awning, apply, shops):
    apply()
    assert awning("publish", "rollback", "--to", "1")[0] == 0
    code, out, _ = awning("publish", "rollback", "--to", "2", "--dry-run")
    reason = 'the app data of "bar" have version 1, and the code that would come back reads version 2'
    again = "awning publish apply --release 2"
    assert (code, out) == (0, f"refuse     4 cells  - {reason}: `{again}` publishes it and migrates them\n")
    assert awning(*again.split()[1:])[0] == 0
    assert (stored(shops), set(snippets(shops).values())) == (dict.fromkeys(NAMES, NEW), {"<b>2</b>"})


@pytest.mark.parametrize("empty", ["[]", '{"bar": []}'])
def test_empty_list_is_an_empty_object_for_every_verb(awning, apply, shops, tmp_path, empty):
    shops.data["shop-2"] = empty
    (tmp_path / "new.json").write_text('{"bar": {"price": 1}}')
    assert awning("data", "check", "shop-2")[0] == 0
    out = awning("publish", "plan", "--refresh", "--only", "shop-2").out
    assert out.splitlines()[-1] == "app data   1 unchanged"
    assert (apply("--only", "shop-2")[0], awning("publish", "rollback", "--run", "2")[0]) == (0, 0)
    assert shops.data["shop-2"] == empty
    assert apply()[0] == 0
    assert awning("data", "set", "--only", "shop-2", "new.json", "--yes")[0] == 0
    assert stored(shops)["shop-2"] == {"bar": {"_version": 2, "price": 1}}


def test_rollback_refuses_where_somebody_has_changed_the_migrated_data(awning, apply, shops):
    apply()
    changed = {**NEW, "bar": {**NEW["bar"], "price": 7}}
    shops.data["shop-2"] = json.dumps(changed)
    code, out, _ = awning("publish", "rollback", "--run", "2", "--json")
    (row,) = [row for row in json.loads(out)["cells"] if row["instance"] == "shop-2"]
    assert (code, row["outcome"]) == (Exit.PARTLY, "refused")
    assert "changed by somebody else since run 2: bar.price" in row["reason"]
    assert (stored(shops)["shop-2"], snippets(shops)["shop-2"]) == (changed, "<b>2</b>")
    assert stored(shops)["shop-1"] == OLD
    assert awning("publish", "rollback", "--run", "2", "--accept-newer-data")[0] == 0
    assert (stored(shops)["shop-2"], snippets(shops)["shop-2"]) == (OLD, "<b>1</b>")


def test_data_that_nest_too_deeply_do_not_end_the_rollback_of_other_shops(awning, apply, shops, dist):
    deep = '{"bar": ' + '{"a": ' * 800 + "1" + "}" * 801
    shops.data["shop-2"] = deep
    with_second_version(
        dist, code="{ migrate: (stored) => stored }", schema={"type": "object", "x-version": 2}
    )
    assert apply()[0] == 0
    code, out, _ = awning("publish", "rollback", "--run", "2", "--json", "--progress", "none")
    outcomes = {row["instance"]: row["outcome"] for row in json.loads(out)["cells"]}
    assert (code, outcomes) == (Exit.PARTLY, {**dict.fromkeys(NAMES, "applied"), "shop-2": "refused"})
    assert stored(shops)["shop-1"] == OLD


def test_plan_of_a_rollback_says_that_data_go_back(awning, apply, shops):
    apply()
    sets = len(shops.sets)
    _, out, _ = awning("publish", "rollback", "--run", "2", "--dry-run", "--json")
    document = json.loads(out)
    assert {row["reason"] for row in document["cells"]} == {"its app data go back first"}
    assert document["app_data"] == {"back": 4}
    shops.data["shop-2"] = json.dumps({"bar": {"cents": 1}})
    _, out, _ = awning("publish", "rollback", "--run", "2", "--dry-run")
    lines = [f"back       {name} (app data)" for name in NAMES if name != "shop-2"]
    assert (
        sorted(line for line in out.splitlines() if "app data)" in line) == lines
    )  # instances end in any order
    assert "app data   3 back" in out.splitlines()
    assert len(shops.sets) == sets


def test_restore_of_the_run_takes_the_data_back_alone(awning, apply, shops):
    apply()
    assert awning("data", "restore", "--run", "2", "--yes")[0] == 0
    assert stored(shops) == dict.fromkeys(NAMES, OLD)
    assert set(snippets(shops).values()) == {"<b>2</b>"}


def test_run_of_snippets_alone_is_no_run_to_restore(awning, shops):
    code, _, err = awning("data", "restore", "--run", "1", "--yes")
    assert (code, "changed no settings" in err) == (Exit.USAGE, True)


@pytest.mark.parametrize("as_text", [True, False])
def test_data_that_nest_too_deeply_are_named_and_replaced(awning, apply, shops, tmp_path, as_text):
    deep = '{"bar": ' + '{"a": ' * 100 + "1" + "}" * 101
    shops.data["shop-2"] = deep if as_text else json.loads(deep)
    code, out, _ = awning("data", "check", "shop-2")
    assert (code, out) == (Exit.FINDINGS, "shop-2: the app data nests too deeply\n")
    apply("--only", "shop-2")
    back = awning("publish", "rollback", "--run", "2", "--only", "shop-2").out
    words = f"would come back: the app data is a text of {len(deep)} characters, and must be an object"
    assert back.splitlines()[-2].endswith(words if as_text else "and must be an object")
    reason = "error: the app data nest deeper than 100 levels\n  hint: store others in their place"
    assert awning("data", "get", "shop-2").err.startswith(reason)
    (tmp_path / "deep.json").write_text(deep)
    assert "deeper than 100 levels" in awning("data", "set", "shop-1", "deep.json", "--force").err
    (tmp_path / "new.json").write_text('{"bar": {"price": 1}}')
    assert awning("data", "set", "--only", "shop-2", "new.json", "--yes")[0] == Exit.PARTLY
    assert awning("data", "set", "--only", "shop-2", "new.json", "--yes", "--replace")[0] == 0
    assert stored(shops)["shop-2"] == {"bar": {"_version": 2, "price": 1}}


def test_forced_replacement_has_the_version_of_what_is_there(awning, apply, shops, tmp_path):
    (tmp_path / "old.json").write_text('{"bar": {"cents": 300}}')
    words = ("old.json", "--yes", "--replace", "--force")
    assert awning("data", "set", "--only", "shop-1", *words)[0] == 0
    assert stored(shops)["shop-1"] == {"bar": {"cents": 300}}
    assert apply() == (0, all_are("applied", "applied"))
    assert stored(shops)["shop-1"] == {"bar": {"_version": 2, "price": 3}}
    (tmp_path / "old.json").write_text('{"bar": {"price": 200}}')
    assert awning("data", "set", "shop-2", *words)[0] == 0
    assert stored(shops)["shop-2"] == {"bar": {"_version": 2, "price": 200}}


def test_run_without_locks_of_app_data_refuses_only_where_that_is_needed(apply, shops, monkeypatch):
    monkeypatch.setattr("awning.publish.run.MigrationSide", lambda **_: None)
    shops.data["shop-1"] = None
    assert apply() == (Exit.PARTLY, {name: ["refused"] for name in NAMES} | {"shop-1": ["applied"]})
    assert stored(shops)["shop-2"] == OLD


def test_data_set_refuses_settings_of_another_version_and_marks_new_ones(awning, apply, shops, tmp_path):
    (tmp_path / "new.json").write_text('{"bar": {"price": 1}}')
    words = ("data", "set", "--all", "new.json", "--yes", "--json", "--progress", "none")
    shops.data["shop-1"] = None
    code, out, _ = awning(*words)
    rows = {row["instance"]: row for row in json.loads(out)["instances"]}
    assert (code, rows["shop-1"]["outcome"], rows["shop-2"]["outcome"]) == (Exit.PARTLY, "applied", "refused")
    assert "publish it, which migrates them" in rows["shop-2"]["reason"]
    assert stored(shops)["shop-1"] == {"bar": {"_version": 2, "price": 1}}
    assert apply() == (0, all_are("applied", "applied") | {"shop-1": ["applied"]})
    assert awning(*words)[0] == 0
    assert stored(shops)["shop-2"]["bar"] == {**NEW["bar"], "price": 1}


@pytest.mark.parametrize("words", [("shop-1",), ("--all", "--yes"), ("--all", "--yes", "--replace")])
def test_data_set_stores_no_other_version_than_that_of_the_build(awning, apply, shops, tmp_path, words):
    apply()
    own = {"price": 1}
    for version in (1, 3, None):
        (tmp_path / "new.json").write_text(json.dumps({"bar": {**own, "_version": version}}))
        assert awning("data", "set", *words, "new.json")[0] != 0, version
        assert stored(shops) == dict.fromkeys(NAMES, NEW)
    (tmp_path / "new.json").write_text(json.dumps({"bar": {**own, "_version": 2}}))
    assert awning("data", "set", *words, "new.json")[0] == 0
    assert stored(shops)["shop-1"]["bar"]["_version"] == 2


@pytest.mark.parametrize("is_pinned", [True, False])
def test_older_release_is_not_published_over_migrated_data(awning, apply, shops, is_pinned):
    apply()
    if is_pinned:
        assert awning("publish", "pin", "1", "--only", "shop-2")[0] == 0
    code, outcomes = apply(*(() if is_pinned else ("--release", "1")))
    assert (code, outcomes["shop-2"]) == (Exit.PARTLY, ["refused"])
    assert (stored(shops)["shop-2"], snippets(shops)["shop-2"]) == (NEW, "<b>2</b>")


def test_build_that_describes_no_version_any_more_is_not_published_over_migrated_data(apply, shops, dist):
    apply()
    shops.data["shop-1"] = json.dumps(OLD)
    write_dist(dist, {"lv": "<b>3</b>"})
    write_schema(dist, FIRST)
    assert apply() == (Exit.PARTLY, {**all_are("refused"), "shop-1": ["applied"]})
    assert stored(shops)["shop-2"] == NEW
    assert snippets(shops)["shop-2"] == "<b>2</b>"


def test_older_release_is_refused_after_one_without_the_widget(awning, apply, shops, dist):
    apply()
    write_dist(dist, {"lv": "<b>3</b>"})
    (dist / "data.schema.json").write_text('{"type": "object", "properties": {"other": {}}}')
    assert apply() == (0, all_are("applied"))
    assert apply("--release", "1") == (Exit.PARTLY, all_are("refused"))


def test_data_stay_where_old_code_stays_in_a_language_that_the_build_lacks(awning, apply, shops, dist):
    shops.languages["shop-2"] = ["lv", "en"]
    write_dist(dist, {"lv": "<b>1</b>", "en": "<b>1</b>"})
    write_schema(dist, FIRST)
    assert awning("publish", "apply")[0] == 0
    with_second_version(dist)
    code, outcomes = apply()
    assert (code, outcomes["shop-2"]) == (Exit.PARTLY, ["applied", "skipped", "refused"])
    assert (stored(shops)["shop-2"], stored(shops)["shop-1"]) == (OLD, NEW)


def test_data_stay_where_a_saved_plan_is_stale(awning, apply, shops):
    assert awning("publish", "plan", "--refresh", "-o", "the.plan")[0] == 0
    shops.contents["shop-2", "body", "lv"] = "<b>mine</b>"
    assert awning("publish", "apply", "--release", "1", "--only", "shop-2")[0] == Exit.PARTLY
    shops.contents["shop-2", "body", "lv"] = "<b>1</b>"
    code, outcomes = apply("the.plan")
    assert (code, outcomes["shop-2"]) == (Exit.PARTLY, ["skipped"])
    assert (stored(shops)["shop-2"], stored(shops)["shop-1"]) == (OLD, NEW)


SMALLER = {"type": "object", "properties": {"cents": {"type": "integer", "maximum": 100}}}


def test_schema_that_changed_without_a_version_is_named_before_data_do_not_fit(awning, shops, dist):
    with_first_version(dist)
    write_schema(dist, SMALLER)
    shops.calls.clear()
    _, out, _ = awning("publish", "plan", "--json")
    change = {"instances": 4, "releases": [1], "settings": ["bar.cents"]}
    assert (json.loads(out)["schema_change"], shops.calls) == (change, [])
    for verb in (
        ("plan",),
        ("plan", "--refresh"),
        ("apply",),
    ):  # the apply publishes it, though no snippet differs
        _, _, err = awning("publish", *verb)
        sentence = (
            'schema of bar.cents changed without a higher "x-version" since release 1, which 4 instances have'
        )
        assert (verb, sentence in err, "awning data check" in err) == (verb, True, True)
    _, out, err = awning("publish", "apply", "--json")
    assert ("schema_change" in json.loads(out), "x-version" in err) == (False, False)


def test_schema_change_is_named_again_until_a_cell_is_reached(awning, shops, dist):
    with_first_version(dist)
    write_schema(dist, SMALLER)
    shops.before = lambda call, code, _: (
        NoResponse(why="lost") if (call, code) == ("get_snippet", "shop-2") else None
    )
    for _ in range(2):
        code, out, _ = awning("publish", "apply", "--json", "--only", "shop-2")
        change = {"instances": 1, "releases": [1], "settings": ["bar.cents"]}
        assert (code, json.loads(out)["schema_change"]) == (Exit.FINDINGS, change)
    shops.before = lambda *_: None
    for is_named in (True, False):
        code, out, _ = awning("publish", "apply", "--json", "--only", "shop-2")
        assert (code, "schema_change" in json.loads(out)) == (0, is_named)


def test_schema_change_that_is_migrated_or_only_wider_is_not_named(awning, shops, dist):
    assert "without a higher" not in awning("publish", "plan")[2]
    with_first_version(dist)
    write_schema(dist, {**FIRST, "title": "Bar", "properties": {"cents": {"type": "number"}, "more": {}}})
    assert "without a higher" not in awning("publish", "apply")[2]


def test_schema_change_counts_only_the_instances_that_may_hold_earlier_data(awning, shops, dist):
    with_first_version(dist)
    write_schema(dist, SMALLER)
    awning("publish", "pin", "1", "--only", "shop-1")
    awning("publish", "apply", "--only", "shop-2")
    _, out, _ = awning("publish", "plan", "--json")
    assert json.loads(out)["schema_change"]["instances"] == 2


def test_data_check_tries_the_migration(awning, shops):
    shops.data["shop-2"] = json.dumps({"bar": {"cents": "many"}})
    shops.data["shop-3"] = json.dumps({"bar": {"_version": 2, "price": 2}})
    shops.data["shop-4"] = json.dumps({"bar": {"cents": 5}, "gone": 1})
    shops.calls.clear()
    code, out, err = awning("data", "check")
    assert out.splitlines() == [
        'shop-2: cannot be migrated: "bar": TypeError: cents is a text',
        'shop-4: nothing reads "gone" (known here: bar, other)',
    ]
    summary = "4 instances: 1 fits, 1 fits after migration, 2 do not fit\n"
    assert (code, err, shops.sets) == (Exit.FINDINGS, summary, [])
    assert {call for call, _ in shops.calls} == {"get_data"}
    code, out, _ = awning("data", "check", "shop-1", "--json")
    assert (code, json.loads(out)["instances"][0]["state"]) == (0, "fits after migration")


def test_instance_whose_data_cannot_be_migrated_is_one_line(awning, shops, dist):
    code = CODE.replace('"cents is a text"', '"cents is " + stored.cents')
    write_dist(dist, {"lv": "<b>2</b>", "en": "<i>2</i>", None: "<p>2</p>"}, migrations={"bar": code})
    write_schema(dist, SECOND)
    shops.languages["shop-2"] = ["lv", "en", "de"]
    hostile = json.dumps({"bar": {"cents": "\u202emany\r"}})
    shops.data |= {"shop-2": hostile, "shop-3": '{"bar": {"cents": 90000}}'}
    _, out, _ = awning("publish", "plan", "--refresh")
    assert "refuse     5 cells  - app data that cannot be migrated" in out.splitlines()
    assert "skip       1 cell  - the build has no such language" in out.splitlines()
    code, out, _ = awning("publish", "apply")
    lines = [line for line in out.splitlines() if line.startswith("refused    shop-2")]
    reason = r'its app data cannot be migrated: "bar": TypeError: cents is \u202emany\r'
    assert (code, lines) == (Exit.PARTLY, [f"refused    shop-2 (website), lv, en  - {reason}"])
    for words in ((), ("--verbose",)):
        assert reason in awning("publish", "status", *words).out
