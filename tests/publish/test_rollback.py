"""A rollback takes cells back to a release or to what they held, and says which cannot go back and why."""

import json
import sqlite3
import sys
from contextlib import closing

import pytest

from awning.contract import Exit

OLD = {None: "<b>1</b>", "lv": "<b>lv 1</b>", "en": "<b>en 1</b>"}
NEW = {None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 2</b>"}
UNFIT = 'the app data do not fit the code that would come back: nothing reads "price.more"'


@pytest.fixture
def cells(awning):
    """Run a verb of `publish`; returns the outcome and the reason of each cell, by language."""

    def run(*words, code=0):
        ended, out, err = awning("publish", *words, "--json")
        assert ended == code, err or out
        return {cell["language"]: (cell["outcome"], cell["reason"]) for cell in json.loads(out)["cells"]}

    return run


@pytest.fixture
def published(awning, shop, workspace, shelf, rebuild, made_once):
    """Two releases, published one after the other."""
    shelf.languages["code-a"] = ["lv", "en"]

    def make():
        for snippets in (OLD, NEW):
            rebuild(snippets)
            assert awning("publish", "apply")[0] == 0

    made_once(workspace, shelf, make)
    rebuild(NEW)
    return shelf


def test_rollback_to_a_release_writes_its_bytes(published, cells):
    assert set(cells("rollback", "--to", "1").values()) == {("applied", None)}
    assert published.body("code-a") == OLD


def test_previous_can_be_repeated_and_does_not_go_forward_again(published, cells):
    cells("rollback", "--previous")
    assert set(cells("rollback", "--previous").values()) == {("unchanged", None)}
    assert published.body("code-a") == OLD


def test_apply_after_rollback_restores_the_bytes(published, cells, awning):
    cells("rollback", "--previous")
    assert awning("publish", "apply")[0] == 0
    assert published.body("code-a") == NEW
    cells("rollback", "--previous")
    assert published.body("code-a") == OLD


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",), ("--run", "2")])
def test_plan_and_apply_name_the_release_that_a_rollback_took_back(back, published, awning, rebuild):
    _, _, err = awning("publish", "rollback", *back)
    assert "publishes release 2 again: stop the jobs that apply it, and build again first" in err
    again = "was taken back by run 3: {} publishes it again"
    assert again.format("an apply") in awning("publish", "plan")[2]
    document = json.loads(awning("publish", "plan", "--json")[1])
    assert document["rolled_back"] == {"release": 2, "run": 3, "fingerprint": document["fingerprint"]}
    code, out, err = awning("publish", "apply", "--json")
    assert (code, again.format("this apply") in err) == (0, True), err
    assert json.loads(out)["rolled_back"]["release"] == 2
    assert "taken back" not in awning("publish", "apply")[2]
    assert "taken back" not in awning("publish", "plan")[2]


def test_apply_of_another_build_after_a_rollback_says_nothing_of_it(published, awning, rebuild):
    awning("publish", "rollback", "--to", "1")
    rebuild({**NEW, None: "<b>3</b>"})
    assert "taken back" not in awning("publish", "plan")[2] + awning("publish", "apply")[2]


def test_release_that_a_second_rollback_brings_back_is_not_taken_back(published, awning):
    awning("publish", "rollback", "--to", "1")
    awning("publish", "rollback", "--to", "2")
    assert "taken back" not in awning("publish", "apply")[2]


def test_rollback_of_one_instance_takes_no_release_back(published, awning):
    _, _, err = awning("publish", "rollback", "--to", "1", "--only", "shop")
    assert "publishes release" not in err
    assert "taken back" not in awning("publish", "plan")[2]


def test_rollback_that_reached_no_cell_takes_no_release_back(published, awning, refused):
    published.before = lambda _call, _code, _turn: refused(401, "Unauthorized")
    code, _, err = awning("publish", "rollback", "--to", "1")
    assert (code, "publishes release" in err) == (Exit.REFUSED, False), err
    published.before = lambda _call, _code, _turn: None
    assert "rolled_back" not in json.loads(awning("publish", "plan", "--json")[1])


def test_failed_rollback_keeps_what_an_earlier_one_took_back(published, awning, refused):
    awning("publish", "rollback", "--to", "1")
    published.before = lambda _call, _code, _turn: refused(401, "Unauthorized")
    awning("publish", "rollback", "--to", "2")
    published.before = lambda _call, _code, _turn: None
    assert json.loads(awning("publish", "plan", "--json")[1])["rolled_back"]["run"] == 3


def test_rollback_of_a_second_apply_takes_no_release_back(published, awning, cells):
    published.contents["code-a", "body", "lv"] = OLD["lv"]
    assert awning("publish", "apply")[0] == 0
    assert cells("rollback", "--run", "3")["lv"][0] == "applied"
    assert "rolled_back" not in json.loads(awning("publish", "plan", "--json")[1])


def test_run_restores_what_each_cell_held_before_that_run(published, cells, awning, rebuild):
    rebuild({None: "<b>3</b>", "lv": "<b>lv 2</b>", "en": "<b>en 3</b>"})
    assert awning("publish", "apply")[0] == 0
    rebuild({None: "<b>4</b>", "lv": "<b>lv 2</b>", "en": "<b>en 4</b>"})
    assert awning("publish", "apply")[0] == 0
    endings = cells("rollback", "--run", "3")
    assert endings["lv"] == ("skipped", "it was not written in run 3 or later")
    assert endings["en"] == ("applied", None)
    assert published.body("code-a") == NEW
    assert set(cells("rollback", "--run", "2").values()) == {("applied", None)}
    assert published.body("code-a") == OLD
    assert set(cells("rollback", "--run", "2").values()) == {("unchanged", None)}


def test_run_with_a_first_write_cannot_be_taken_back(published, cells):
    assert set(cells("rollback", "--run", "1", code=Exit.PARTLY).values()) == {
        ("refused", "nothing was set before")
    }
    assert published.body("code-a") == NEW


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_rollback_of_a_run_that_wrote_nothing_is_refused_and_takes_no_later_run_back(
    published, awning, rebuild, dry
):
    assert awning("publish", "apply")[0] == 0
    rebuild(OLD)
    assert awning("publish", "apply")[0] == 0
    code, _, err = awning("publish", "rollback", "--run", "3", *dry)
    assert code == Exit.USAGE
    assert "run 3 wrote no snippet (3 unchanged): there is nothing to take back" in err
    assert published.body("code-a") == OLD


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_rollback_of_a_rollback_says_that_it_publishes_again(published, awning, dry):
    assert "is a rollback" not in awning("publish", "rollback", "--run", "2")[2]
    _, _, err = awning("publish", "rollback", "--run", "3", *dry)
    assert "run 3 is a rollback: taking it back publishes again what it took back" in err
    assert published.body("code-a") == (OLD if dry else NEW)


def test_rollback_that_skips_many_cells_counts_their_reasons(published, awning, rebuild, monkeypatch):
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 3</b>"})
    assert awning("publish", "apply")[0] == 0
    monkeypatch.setattr(sys.modules["awning.cli.publish.apply"], "LISTED", 1)
    _, out, _ = awning("publish", "rollback", "--run", "3")
    assert "skipped    2 cells  - it was not written in run 3 or later" in out.splitlines()


def test_rollback_of_nothing_says_so_in_its_document(awning, shop):
    document = json.loads(awning("publish", "rollback", "--previous", "--json")[1])
    assert document["hint"] == "nothing is taken back: the journal has no run that wrote a snippet"


def test_dry_run_of_previous_says_that_it_is_not_one_run(published, awning):
    assert (
        "To undo the last run alone: --run N" in awning("publish", "rollback", "--previous", "--dry-run")[2]
    )
    assert "To undo" not in awning("publish", "rollback", "--run", "2", "--dry-run")[2]


def test_hint_does_not_repeat_a_rollback_that_can_never_succeed(published, awning):
    code, _, err = awning("publish", "rollback", "--run", "1")
    assert (code, "what cannot go back is refused each time" in err) == (Exit.PARTLY, True), err
    assert "run it again when" not in err


def test_hint_for_foreign_content_names_what_accepts_it(published, awning):
    published.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    code, _, err = awning("publish", "apply")
    assert (code, "`awning publish drift acknowledge` accepts it" in err) == (Exit.PARTLY, True), err
    assert "run it again when" not in err


@pytest.fixture
def dry_run(awning):
    """Run a rollback with --dry-run; returns the action and the reason of each cell, by language."""

    def run(*words, code=0):
        ended, out, err = awning("publish", "rollback", *words, "--dry-run", "--json")
        assert ended == code, err or out
        return {cell["language"]: (cell["action"], cell["reason"]) for cell in json.loads(out)["cells"]}

    return run


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",), ("--run", "2")])
def test_dry_run_says_what_would_be_written_and_writes_nothing(back, published, dry_run, awning):
    published.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    published.contents["code-a", "body", None] = OLD[None]
    before, calls = dict(published.contents), len(published.calls)
    runs = awning("publish", "log", "--json")[1]
    assert dry_run(*back) == {
        None: ("unchanged", None),
        "lv": ("conflict", "foreign content"),
        "en": ("write", None),
    }
    assert published.contents == before
    assert {call for call, _ in published.calls[calls:]} <= {"languages", "get_snippet", "get_data"}
    assert awning("publish", "log", "--json")[1] == runs


def test_dry_run_names_what_cannot_go_back(newer_data, dry_run, awning):
    assert set(dry_run("--to", "1").values()) == {("refuse", UNFIT)}
    assert set(dry_run("--run", "1").values()) == {("refuse", "nothing was set before")}
    assert set(dry_run("--to", "1", "--accept-newer-data").values()) == {("write", None)}


def test_dry_run_for_people_counts_groups(published, awning):
    code, out, _ = awning("publish", "rollback", "--run", "1", "--dry-run")
    assert (code, out) == (0, "refuse     3 cells  - nothing was set before\n")


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",), ("--run", "2")])
def test_rollback_says_to_which_release_cells_go_back(back, published, awning):
    assert (
        awning("publish", "rollback", *back, "--dry-run")[1] == "write      3 cells\nto release 1: 3 cells\n"
    )
    field = [{"release": 1, "cells": 3}]
    assert json.loads(awning("publish", "rollback", *back, "--dry-run", "--json")[1])["releases"] == field
    assert awning("publish", "rollback", *back)[1].splitlines()[-2:] == ["3 applied", "to release 1: 3 cells"]
    assert json.loads(awning("publish", "rollback", *back, "--json")[1])["releases"] == field


def test_cells_that_go_back_to_a_snippet_of_no_release_are_counted_apart(awning, shop, shelf):
    shelf.languages["code-a"] = ["lv"]
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    awning("publish", "apply", "--overwrite-foreign")
    out = awning("publish", "rollback", "--previous")[1]
    assert out.splitlines()[-1] == "to a snippet of no release: 1 cell", out


@pytest.fixture
def heads_alone(awning, shop, shelf, rebuild, dist, workspace):
    """A service with calls for head snippets, and two releases that differ in their head snippet and their settings."""
    (workspace / "pyproject.toml").write_text(
        '[tool.awning]\nlanguages = ["lv"]\n[tool.awning.profiles.default]\nhead_snippets = true\n'
    )
    shelf.languages["code-a"] = ["lv"]
    for head, fields in (("<i>1</i>", ("text",)), ("<i>2</i>", ("text", "more"))):
        rebuild({"lv": "<b>lv</b>"}, {"lv": head})
        schema(dist, *fields)
        assert awning("publish", "apply")[0] == 0
    return shelf


def test_head_snippet_that_alone_goes_back_names_its_release(heads_alone, awning):
    code, out, _ = awning("publish", "rollback", "--previous")
    assert (code, out.splitlines()[-2:]) == (0, ["1 applied", "to release 1: 1 cell"])
    assert heads_alone.contents["code-a", "head", "lv"] == "<i>1</i>"


def test_head_snippet_that_alone_goes_back_with_newer_data_is_refused(heads_alone, cells):
    heads_alone.data["code-a"] = {"price": {"text": "a", "more": "b"}}
    assert cells("rollback", "--previous", code=Exit.PARTLY) == {"lv": ("refused", UNFIT)}


def test_dry_run_of_an_unreachable_service_exits_1(published, awning, monkeypatch):
    monkeypatch.setenv("AWNING_BASE_URL", "http://127.0.0.1:1/v1")
    assert awning("publish", "rollback", "--to", "1", "--dry-run")[0] == Exit.FINDINGS


def test_text_that_the_journal_lacks_comes_from_a_release(awning, shop, shelf, cells, rebuild, state_of):
    """The old text was set by hand, so that no run wrote it, and the journal's copy of it is gone."""
    shelf.languages["code-a"] = ["lv", "en"]
    rebuild(OLD)
    awning("release", "create")
    shelf.contents |= {("code-a", "body", language): text for language, text in OLD.items()}
    rebuild(NEW)
    awning("publish", "apply")
    forget_texts(state_of())
    assert set(cells("rollback", "--previous").values()) == {("applied", None)}
    assert shelf.body("code-a") == OLD


def test_text_that_nobody_has_is_named(published, cells, state_of):
    forget_texts(state_of(), "releases")
    forget_texts(state_of())
    assert set(cells("rollback", "--previous", code=Exit.PARTLY).values()) == {
        ("refused", "neither the journal nor a release has the text that was there before")
    }


def test_code_of_no_release_comes_back_with_a_remark(published, cells, state_of):
    """The settings of such code are not known, so nobody can tell whether the app data fit."""
    forget_texts(state_of(), "releases")
    assert set(cells("rollback", "--previous").values()) == {
        ("applied", "no release has this code, so the app data were not compared with its settings")
    }


def forget_texts(state, name="journal"):
    """Remove the snippets' texts from the journal, or those of the first release: a rollback opens the newest one."""
    statements = {
        "journal": ["DELETE FROM snippet"],
        "releases": [
            "DELETE FROM release_file WHERE number = 1",
            "DELETE FROM release_text WHERE sha256 NOT IN (SELECT sha256 FROM release_file)",
        ],
    }
    with closing(sqlite3.connect(state.path / "state.sqlite")) as connection, connection:
        for statement in statements[name]:
            connection.execute(statement)


def test_cell_that_held_nothing_cannot_go_back_and_one_that_was_only_skipped_is_no_part(
    awning, shop, shelf, cells
):
    awning("publish", "apply")
    endings = cells("rollback", "--previous", code=Exit.PARTLY)
    assert (set(endings), endings["lv"]) == ({None, "lv", "en"}, ("refused", "nothing was set before"))
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"


def test_cell_that_was_never_written_is_skipped(awning, shop, shelf, cells):
    shelf.contents["code-a", "body", "lv"] = "<b>lv ā</b>"
    awning("publish", "apply")
    assert cells("rollback", "--previous", code=Exit.PARTLY)["lv"] == (
        "skipped",
        "it was never written from here",
    )


def test_foreign_snippet_that_was_overwritten_comes_back_and_stays_foreign(
    awning, shop, shelf, cells, rebuild
):
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    awning("publish", "apply", "--overwrite-foreign")
    assert cells("rollback", "--previous", code=Exit.PARTLY)["lv"] == ("applied", None)
    assert shelf.body("code-a")["lv"] == "<b>theirs</b>"
    assert cells("apply", code=Exit.PARTLY)["lv"] == ("refused", "foreign content")


def test_foreign_snippet_that_came_since_is_left_alone(published, cells):
    published.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    assert cells("rollback", "--to", "1", code=Exit.PARTLY)["lv"] == ("refused", "foreign content")
    assert published.body("code-a")["lv"] == "<b>theirs</b>"


def test_data_that_nest_too_deeply_refuse_one_shop_only(newer_data, cells):
    newer_data.data["code-a"] = "[" * 100_000
    assert {outcome for outcome, _ in cells("rollback", "--to", "1", code=Exit.PARTLY).values()} == {
        "refused"
    }


def test_language_that_the_release_lacks_is_refused(awning, shop, shelf, rebuild, cells):
    shelf.languages["code-a"] = ["lv", "en"]
    rebuild({None: "<b>1</b>", "lv": "<b>lv 1</b>"})
    awning("release", "create")
    rebuild(NEW)
    awning("publish", "apply")
    endings = cells("rollback", "--to", "1", code=Exit.PARTLY)
    assert endings["en"] == ("refused", "the release has no snippet for this language")
    assert endings["lv"] == ("applied", None)


def schema(dist, *fields):
    part = {"type": "object", "properties": {name: {"type": "string"} for name in fields}}
    document = {"type": "object", "properties": {"price": part}}
    (dist / "data.schema.json").write_text(json.dumps(document))


@pytest.fixture
def newer_data(awning, shop, shelf, rebuild, dist):
    """A shop with a setting that only the second release knows."""
    shelf.languages["code-a"] = ["lv", "en"]
    rebuild(OLD)
    schema(dist, "text")
    awning("publish", "apply")
    rebuild(NEW)
    schema(dist, "text", "more")
    awning("publish", "apply")
    shelf.data["code-a"] = {"price": {"text": "a", "more": "b"}}
    return shelf


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",)])
def test_old_code_with_newer_data_is_refused(back, newer_data, cells):
    assert set(cells("rollback", *back, code=Exit.PARTLY).values()) == {("refused", UNFIT)}
    assert newer_data.body("code-a") == NEW


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",)])
def test_newer_data_can_be_accepted(back, newer_data, cells):
    cells("rollback", *back, "--accept-newer-data")
    assert newer_data.body("code-a") == OLD


def test_pinned_instance_is_held_until_it_is_free(published, awning, cells):
    assert awning("publish", "pin", "1", "--only", "shop")[:2] == (0, "shop: held at release 1\n")
    assert plan_actions(awning) == {"write"}
    cells("apply")
    assert published.body("code-a") == OLD
    assert set(cells("rollback", "--to", "2").values()) == {("skipped", "the instance is held at release 1")}
    assert awning("publish", "unpin", "--only", "shop")[1] == "shop: free\n"
    cells("apply")
    assert published.body("code-a") == NEW


def plan_actions(awning):
    return {cell["action"] for cell in json.loads(awning("publish", "plan", "--json")[1])["cells"]}


INCOMPLETE = (
    "rollback",
    "rollback --to 1 --previous",
    "rollback --to 9",
    "rollback --run 9",
    "rollback --run 1 --previous",
    "pin 1",
    "pin 9 --only shop",
    "unpin",
)


@pytest.mark.parametrize("words", INCOMPLETE)
def test_rollback_and_pin_name_what_is_missing(words, published, awning):
    code, _, err = awning("publish", *words.split())
    assert code == Exit.USAGE
    assert "error: " in err
