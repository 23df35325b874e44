"""A plan says what an apply would do to each cell, and writes nothing."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory

SKIPPED = "the website does not use this language"
NOT_KNOWN = "what is there is not known; apply reads it before it writes"


@pytest.fixture
def planned(awning):
    """Run `publish plan`; returns the action and the reason of each cell, by language."""

    def plan(*words):
        code, out, err = awning("publish", "plan", "--json", *words)
        assert code == 0, err
        document = json.loads(out)
        assert sum(document["summary"].values()) == len(document["cells"])
        return {cell["language"]: (cell["action"], cell["reason"]) for cell in document["cells"]}

    return plan


def actions(planned):
    return {language: action for language, (action, _) in planned.items()}


def test_plan_without_refresh_asks_the_service_nothing(planned, shop, shelf, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "")
    assert set(actions(planned()).values()) == {"write"}
    assert shelf.calls == []


def test_language_that_leaves_the_build_is_named_where_its_snippet_stays(
    planned, awning, shop, shelf, rebuild
):
    assert awning("publish", "apply")[0] == 0
    shelf.languages["code-a"] = ["lv", "en", "ru"]
    rebuild({None: "<b>2</b>", "en": "<b>en 2</b>"})
    assert awning("publish", "plan")[1].count("an earlier snippet of ours stays there") == 1
    stays = "the build has no such language, and an earlier snippet of ours stays there"
    for refresh in (("--refresh",), ()):
        cells = planned(*refresh)
        assert (cells["lv"], cells["ru"][1]) == (("skip", stays), "the build has no such language")
    said = "1 cell keeps an earlier snippet, because the build lacks its language: to replace it, add"
    assert said in awning("publish", "plan")[2]
    code, out, _ = awning("publish", "apply", "--json")
    document = json.loads(out)
    assert (code, document["not_built"]) == (0, 1)
    assert {c["language"]: c["reason"] for c in document["cells"]}["lv"] == stays
    for verb in (("apply",), ("verify", "--api-only"), ("drift",)):
        code, _, err = awning("publish", *verb)
        assert (code, said in err) == (0, True), err
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 2</b>"})
    assert awning("publish", "apply")[0] == 0
    assert "keeps an earlier" not in awning("publish", "drift")[2]


def test_plan_with_refresh_reads_every_cell_and_writes_none(planned, shop, shelf):
    shelf.contents |= {("code-a", "body", "lv"): "<b>lv ā</b>", ("code-a", "body", "en"): "<b>theirs</b>"}
    before = dict(shelf.contents)
    assert planned("--refresh") == {
        None: ("write", None),
        "lv": ("adopt", None),
        "en": ("conflict", "foreign content"),
        "ru": ("skip", "the build has no such language"),
    }
    assert shelf.contents == before
    assert {call for call, _ in shelf.calls} == {"languages", "get_snippet"}


def test_plan_by_the_journal_knows_the_languages_that_a_refresh_read(planned, shop, shelf):
    assert planned()["en"] == ("write", NOT_KNOWN)
    shelf.languages["code-a"] = ["lv"]
    planned("--refresh")
    assert planned()["en"] == ("skip", SKIPPED)


@pytest.mark.parametrize("words", [(), ("--refresh",)])
def test_plan_after_apply_is_empty(awning, planned, shop, words):
    awning("publish", "apply")
    assert set(actions(planned(*words)).values()) == {"unchanged", "skip"} - (set() if words else {"skip"})


def test_plan_by_the_journal_knows_what_was_refused_and_what_was_written(
    awning, planned, shop, shelf, rebuild
):
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    awning("publish", "apply")
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en</b>"})
    assert planned() == {
        None: ("write", None),
        "lv": ("conflict", "foreign content"),
        "en": ("unchanged", None),
    }


def test_changed_default_that_no_page_shows_is_named(awning, planned, shop, shelf, rebuild, workspace):
    shelf.languages["code-a"] = ["lv", "en"]
    awning("publish", "apply")
    rebuild({None: "<b>2</b>", "lv": "<b>lv ā</b>", "en": "<b>en</b>"})
    website = planned("--refresh")[None]
    assert website == ("write", "no page shows it: each language of the website has its own snippet")


def test_detailed_exit_code_tells_changes_from_none(awning, shop):
    assert awning("publish", "plan")[0] == 0
    assert awning("publish", "plan", "--detailed-exitcode")[0] == Exit.CHANGES
    awning("publish", "apply")
    assert awning("publish", "plan", "--detailed-exitcode", "--refresh")[0] == 0


def test_plan_for_people_counts_groups(awning, shop, shelf, dist):
    shelf.contents["code-a", "body", "en"] = "<b>theirs</b>"
    fingerprint = json.loads((dist / "build.json").read_text())["fingerprint"]
    _, out, _ = awning("publish", "plan", "--refresh")
    assert out.splitlines() == [
        "conflict   shop en  - foreign content",
        f"build {fingerprint[:12]}, not released yet:",
        "write      2 cells",
        "conflict   1 cell  - foreign content",
        "skip       1 cell  - the build has no such language",
    ]
    assert "write      shop lv" in awning("publish", "plan", "--verbose")[1]


def test_plan_names_its_build_and_release(awning, shop, rebuild, dist):
    awning("publish", "apply")
    first = json.loads((dist / "build.json").read_text())["fingerprint"]
    assert awning("publish", "plan")[1].startswith(f"build {first[:12]}, release 1:\n")
    rebuild({"lv": "<b>lv 2</b>"})
    plan = json.loads(awning("publish", "plan", "--json")[1])
    assert plan["release"] is None
    assert plan["fingerprint"] != first
    plan = json.loads(awning("publish", "plan", "--release", "1", "--json")[1])
    assert (plan["fingerprint"], plan["release"]) == (first, 1)


@pytest.mark.parametrize("words", [(), ("--refresh",)])
def test_plan_says_that_pinned_instances_keep_their_own_release(words, awning, shop, rebuild, dist):
    awning("publish", "apply")
    awning("publish", "pin", "1", "--only", "shop")
    assert "pinned" not in awning("publish", "plan", *words)[1]
    rebuild({"lv": "<b>lv 2</b>"})
    build = json.loads((dist / "build.json").read_text())["fingerprint"][:12]
    line = f"build {build}, not released yet; pinned instances keep their own release:"
    assert awning("publish", "plan", *words)[1].startswith(f"{line}\n")


def test_unreadable_cell_is_skipped_with_its_reason(awning, shop, shelf, refused):
    shelf.before = lambda call, code, turn: refused(400, "broken") if call == "get_snippet" else None
    code, out, _ = awning("publish", "plan", "--refresh", "--json")
    assert code == Exit.PARTLY
    assert {c["action"] for c in json.loads(out)["cells"]} == {"skip"}
    assert "it could not be read: " in out


def test_dry_run_is_the_plan(awning, shop, shelf):
    assert awning("publish", "apply", "--dry-run", "--json")[1] == awning("publish", "plan", "--json")[1]
    assert shelf.calls == []
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    out = awning("publish", "apply", "--dry-run", "--refresh", "--overwrite-foreign", "--json")[1]
    assert json.loads(out)["summary"]["conflict"] == 0


def test_label_chooses_instances(awning, planned, shop, workspace, monkeypatch):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "second", "--labels", "early tier=gold")
    for label in ("early", "tier=gold"):
        out = json.loads(awning("publish", "plan", "--json", "--label", label)[1])
        assert {cell["instance"] for cell in out["cells"]} == {"second"}
    assert (
        json.loads(awning("publish", "plan", "--json", "--label", "early", "--label", "no")[1])["cells"] == []
    )


@pytest.fixture
def saved(awning, workspace):
    def save(*words):
        assert awning("publish", "plan", "-o", "the.plan", *words)[0] == 0
        return workspace / "the.plan"

    return save


def endings(out):
    return {(c["instance"], c["language"]): (c["outcome"], c["reason"]) for c in json.loads(out)["cells"]}


def test_saved_plan_is_carried_out(awning, shop, shelf, saved):
    path = saved("--refresh")
    shelf.calls.clear()
    code, out, _ = awning("publish", "apply", str(path), "--json")
    assert (code, json.loads(out)["totals"]["applied"]) == (0, 3)
    assert "languages" not in {call for call, _ in shelf.calls}
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"


def test_saved_plan_holds_no_secret(awning, shop, saved):
    text = saved("--refresh").read_text()
    assert "code-a" not in text
    assert "SVC-" not in text


def test_plan_without_refresh_asks_for_the_languages_when_it_is_carried_out(awning, shop, shelf, saved):
    shelf.languages["code-a"] = ["lv"]
    path = saved()
    _, out, _ = awning("publish", "apply", str(path), "--json")
    assert endings(out)["shop", "en"] == ("skipped", "the website does not use this language")
    assert set(shelf.body("code-a")) == {None, "lv"}


def test_plan_of_many_instances_is_carried_out_beside_the_journal(awning, shop, shelf, saved, monkeypatch):
    rows = "".join(f"many-{number},,many-{number},\n" for number in range(450))
    shelf.languages |= {f"many-{number}": ["lv"] for number in range(450)}
    Path("many.csv").write_text(f"auth_code,languages,name,labels\n{rows}")
    awning("instances", "import", "many.csv")
    path = saved()
    code, out, _ = awning("publish", "apply", str(path), "--json")
    assert (code, json.loads(out)["totals"]["applied"]) == (0, 2 * 450 + 3)
    assert awning("publish", "log", "--verify")[0] == 0


def test_new_instance_does_not_make_a_plan_stale(awning, shop, shelf, saved, monkeypatch):
    path = saved()
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "second")
    code, out, _ = awning("publish", "apply", str(path), "--json")
    assert (code, {name for name, _ in endings(out)}) == (0, {"shop"})
    assert shelf.body("code-b") == {}


def test_cell_that_changed_since_is_skipped_as_stale(awning, shop, shelf, saved, rebuild):
    path = saved()
    awning("publish", "apply", "--only", "shop")
    _, out, _ = awning("publish", "apply", str(path), "--json")
    assert set(endings(out).values()) == {("skipped", "plan is stale")}


def test_stale_plan_exits_5_and_says_what_to_do(awning, shop, saved):
    path = saved()
    awning("publish", "apply")
    code, _, err = awning("publish", "apply", str(path))
    assert (code, "make it again" in err) == (Exit.PARTLY, True)
    assert awning("publish", "apply", str(saved()))[0] == 0


def test_instance_that_changed_since_is_skipped_as_stale(awning, shop, saved):
    path = saved()
    awning("instances", "add", "--languages", "lv")
    _, out, _ = awning("publish", "apply", str(path), "--json")
    assert set(endings(out).values()) == {("skipped", "plan is stale")}


def test_instance_that_is_gone_is_skipped_and_counted(awning, shop, saved):
    path = saved()
    awning("instances", "remove", "shop", "--yes")
    code, out, _ = awning("publish", "apply", str(path), "--json")
    assert code == 0
    document = json.loads(out)
    assert document["totals"]["skipped"] == len(document["cells"]) == 3


def test_foreign_content_that_came_after_the_plan_is_refused(awning, shop, shelf, saved):
    path = saved("--refresh")
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    _, out, _ = awning("publish", "apply", str(path), "--json")
    assert endings(out)["shop", "lv"] == ("refused", "foreign content")


def test_changed_build_refuses_a_saved_plan(awning, shop, saved, rebuild):
    path = saved()
    rebuild({None: "<b>2</b>"})
    code, _, err = awning("publish", "apply", str(path))
    assert (code, "a plan for another build" in err) == (Exit.USAGE, True)


DAMAGES = {
    "cut": lambda text: text[:-20],
    "a line less": lambda text: "".join(text.splitlines(keepends=True)[:-2]),
    "changed": lambda text: text.replace('"write"', '"adopt"'),
    "no plan": lambda text: "nothing",
    "empty": lambda text: "",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_plan_is_refused(damage, awning, shop, saved, shelf):
    path = saved()
    path.write_text(DAMAGES[damage](path.read_text()))
    code, _, err = awning("publish", "apply", str(path))
    assert (code, shelf.calls) == (Exit.USAGE, [])
    assert "publish plan -o" in err


def test_plan_of_another_state_store_is_refused(awning, shop, saved, monkeypatch, tmp_path):
    path = saved()
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / "other"))
    code, _, err = awning("publish", "apply", str(path))
    assert (code, "another state store" in err) == (Exit.USAGE, True)


def test_pinned_instance_gets_its_release(awning, shop, shelf, state_of, rebuild):
    awning("release", "create")
    with closing(Inventory.open(state_of())) as inventory:
        inventory.pin(inventory.chosen(["shop"])[0], 1)
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>"})
    assert awning("publish", "apply")[0] == 0
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"


def test_refreshed_plan_names_the_instances_whose_app_data_the_build_cannot_read(
    awning, planned, shop, shelf, dist, monkeypatch
):
    part = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": {"bar": part}}))
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "second")
    shelf.data |= {"code-a": '{"bar": {"days": "three", "more": 1}}', "code-b": '{"bar": {"days": 3}}'}
    code, out, err = awning("publish", "plan", "--refresh")
    assert code == 0
    unfit = [line for line in out.splitlines() if line.startswith("app data")]
    assert unfit == [
        'app data   shop  - "bar.days" is a text of 5 characters, and must be a whole number, and 1 more'
    ]
    assert "1 instance has app data that do not fit this build" in err
    assert "x-version" not in err  # a migration does not help: the schema did not change
    document = json.loads(awning("publish", "plan", "--refresh", "--json")[1])
    assert document["unfit_instances"] == 1
    assert {cell["instance"] for cell in document["cells"] if "misfits" in cell} == {"shop"}
    assert "three" not in out + json.dumps(document)
