"""A rollback takes cells back to a release or to what they held, and says which cannot go back and why."""

import json

import pytest

from awning.contract import Exit

OLD = {None: "<b>1</b>", "lv": "<b>lv 1</b>", "en": "<b>en 1</b>"}
NEW = {None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 2</b>"}


@pytest.fixture
def cells(awning):
    """The outcome and the reason of each cell of a verb."""

    def run(*words, code=0):
        ended, out, err = awning("publish", *words, "--json")
        assert ended == code, err or out
        return {cell["language"]: (cell["outcome"], cell["reason"]) for cell in json.loads(out)["cells"]}

    return run


@pytest.fixture
def published(awning, shop, shelf, rebuild):
    """Two releases, the second one published."""
    shelf.languages["code-a"] = ["lv", "en"]
    for snippets in (OLD, NEW):
        rebuild(snippets)
        assert awning("publish", "apply")[0] == 0
    return shelf


def test_rollback_to_a_release_writes_its_bytes(published, cells):
    assert set(cells("rollback", "--to", "1").values()) == {("applied", None)}
    assert published.body("code-a") == OLD


def test_previous_restores_what_each_cell_held(published, cells, shelf):
    cells("rollback", "--previous")
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


def test_cell_that_held_nothing_cannot_go_back(awning, shop, shelf, cells):
    awning("publish", "apply")
    endings = cells("rollback", "--previous", code=Exit.PARTLY)
    assert endings["lv"] == ("refused", "nothing was set before")
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"


def test_cell_that_was_only_skipped_is_no_part_of_a_rollback(awning, shop, shelf, cells):
    awning("publish", "apply")
    assert set(cells("rollback", "--previous", code=Exit.PARTLY)) == {None, "lv", "en"}


def test_cell_that_was_never_written_is_skipped(awning, shop, shelf, cells):
    shelf.kept["code-a", "body", "lv"] = "<b>lv ā</b>"
    awning("publish", "apply")
    assert cells("rollback", "--previous", code=Exit.PARTLY)["lv"] == (
        "skipped",
        "it was never written from here",
    )


def test_foreign_snippet_that_was_overwritten_comes_back_and_stays_foreign(
    awning, shop, shelf, cells, rebuild
):
    shelf.kept["code-a", "body", "lv"] = "<b>theirs</b>"
    awning("publish", "apply", "--overwrite-foreign")
    assert cells("rollback", "--previous", code=Exit.PARTLY)["lv"] == ("applied", None)
    assert shelf.body("code-a")["lv"] == "<b>theirs</b>"
    assert cells("apply", code=Exit.PARTLY)["lv"] == ("refused", "foreign content")


def test_foreign_snippet_that_came_since_is_left_alone(published, cells):
    published.kept["code-a", "body", "lv"] = "<b>theirs</b>"
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
    reason = "the app data is newer than the code that would come back: price.more"
    assert set(cells("rollback", *back, code=Exit.PARTLY).values()) == {("refused", reason)}
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
    "pin 1",
    "pin 9 --only shop",
    "unpin",
)


@pytest.mark.parametrize("words", INCOMPLETE)
def test_rollback_and_pin_name_what_is_missing(words, published, awning):
    code, _, err = awning("publish", *words.split())
    assert code == Exit.USAGE
    assert "error: " in err
