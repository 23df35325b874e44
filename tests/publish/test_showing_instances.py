"""`awning instances show`: what a shop holds, whose each cell is, and how it differs from the release."""

import json
from datetime import UTC, datetime

import pytest

from awning.client import NoResponse
from awning.client.secret import is_plain
from awning.contract import Exit

HOSTILE = "<p>theirs\x1b[2K\x9b2K\u202eevil\u2028</p>"


@pytest.fixture
def published(awning, shop, workspace, shelf, made_once):
    shelf.websites["code-a"] = "https://shop.example/"
    made_once(workspace, shelf, lambda: awning("publish", "apply"))


def show(awning, *words):
    code, out, err = awning("instances", "show", "shop", *words, "--json")
    assert err == ""
    return code, json.loads(out)


def owners(document):
    return {cell["language"]: cell["owner"] for cell in document["cells"]}


def test_show_lists_each_cell_with_its_owner(awning, shelf, published):
    shelf.contents["code-a", "body", "en"] = HOSTILE
    code, document = show(awning)
    assert code == 0
    assert owners(document) == {None: "ours", "lv": "ours", "en": "conflict", "ru": "nobody"}
    lv, en, ru = document["cells"][1:]
    assert (lv["release"], lv["is_wanted"], lv["detail"]) == (1, True, "run 1 wrote it")
    assert (en["text"], en["release"], en["is_wanted"]) == (HOSTILE, None, False)
    assert (ru["text"], ru["bytes"], ru["is_wanted"]) == (None, None, None)
    assert "the build has no such language" in ru["detail"]
    assert document["user"] == {"email": "owner@shop.example", "email_confirmed": True}
    assert document["website"] == {"url": "https://shop.example/", "brandname": "Shop"}
    assert document["website_languages"] == ["lv", "en", "ru"]
    assert not shelf.writes


def test_text_of_a_release_is_ours_without_the_journal(awning, shelf, published, rebuild):
    shelf.contents["code-a", "body", "en"] = "<b>lv ā</b>"
    _, document = show(awning)
    assert [(c["owner"], c["detail"]) for c in document["cells"] if c["language"] == "en"] == [
        ("ours", "a release holds it")
    ]


@pytest.mark.parametrize("text", ["", "  \n", None])
def test_empty_cell_is_nobodys(awning, shelf, published, text):
    shelf.contents["code-a", "body", "lv"] = text
    _, document = show(awning)
    assert owners(document)["lv"] == "nobody"


def test_text_with_our_stamp_and_other_bytes_is_a_conflict(awning, shelf, published):
    shelf.contents["code-a", "body", "lv"] += "<i>by hand</i>"
    code, document = show(awning, "--diff")
    (lv,) = (cell for cell in document["cells"] if cell["language"] == "lv")
    assert (code, lv["owner"]) == (0, "conflict")
    assert [line for line in lv["diff"] if line.startswith("+")][1:] == ["+<i>", "+by hand</i>"]


def test_acknowledged_conflict_names_who_accepts_it(awning, shelf, published):
    shelf.contents["code-a", "body", "en"] = HOSTILE
    today = datetime.now(UTC).date().isoformat()
    words = ("--owner", "Anna", "--until", today, "--reason", "theirs")
    assert awning("publish", "drift", "acknowledge", "shop", *words)[0] == 0
    _, document = show(awning)
    assert any("accepted by Anna" in cell["detail"] for cell in document["cells"])


@pytest.mark.parametrize("words", [(), ("--diff",), ("--diff", "--json"), ("--json",)])
def test_foreign_text_never_acts_on_a_terminal(awning, shelf, published, words):
    shelf.contents["code-a", "body", "en"] = HOSTILE
    shelf.languages["code-a"] = ["lv", "en", "x\x1b[2K"]
    shelf.websites["code-a"] = "https://shop.example/\x1b[2K"
    code, out, err = awning("instances", "show", "shop", *words)
    assert code == 0
    assert all(is_plain(line) for line in (out + err).split("\n"))
    if words == ("--diff",):
        assert "+theirs\\x1b[2K\\x9b2K\\u202eevil\\u2028</p>" in out


NEW = {None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 2</b>"}


def detail(awning, language="lv"):
    """Return what `show` says of one cell: its detail, and the numbers of its release and of its runs."""
    (cell,) = (cell for cell in show(awning)[1]["cells"] if cell["language"] == language)
    return cell["detail"], cell["release"], cell["run"], cell["restored"]


@pytest.mark.parametrize("back", [["--run", "2"], ["--previous"], ["--to", "1"]])
def test_show_names_the_rollback_and_what_it_restored(awning, published, rebuild, back):
    rebuild(NEW)
    assert awning("publish", "apply")[0] == 0
    assert detail(awning) == ("run 2 wrote it", 2, 2, None)
    assert awning("publish", "rollback", *back)[0] == 0
    assert detail(awning) == ("run 3 rolled it back to what run 1 wrote", 1, 3, 1)
    assert awning("publish", "apply")[0] == 0
    assert detail(awning) == ("run 4 wrote it", 2, 4, None)


def test_show_of_a_second_rollback_names_the_run_that_wrote_the_text_first(awning, published, rebuild):
    rebuild(NEW)
    for words in (["apply"], ["rollback", "--previous"], ["apply"], ["rollback", "--previous"]):
        assert awning("publish", *words)[0] == 0
    assert detail(awning) == ("run 5 rolled it back to what run 1 wrote", 1, 5, 1)


def test_show_of_an_unchanged_cell_names_the_run_that_wrote_it(awning, published, rebuild):
    for words in (["apply"], ["rollback", "--to", "1"]):
        assert awning("publish", *words)[0] == 0
    assert detail(awning) == ("run 1 wrote it", 1, 1, None)


def test_show_of_restored_foreign_text_says_that_a_rollback_wrote_it(awning, shop, shelf):
    shelf.contents["code-a", "body", "lv"] = HOSTILE
    assert awning("publish", "apply", "--overwrite-foreign")[0] == 0
    awning("publish", "rollback", "--run", "1")
    text = "somebody else's text; run 2 rolled it back to what was there before run 1"
    assert detail(awning) == (text, None, 2, None)
    assert owners(show(awning)[1])["lv"] == "conflict"


def test_show_of_an_old_text_that_came_back_from_outside_names_both_runs(awning, shelf, published, rebuild):
    old = shelf.contents["code-a", "body", "lv"]
    rebuild(NEW)
    assert awning("publish", "apply")[0] == 0
    shelf.contents["code-a", "body", "lv"] = old
    assert detail(awning) == ("run 1 wrote it; run 2 sent another text since", 1, 1, None)


def test_show_of_a_text_whose_ends_the_service_trimmed_names_its_run(awning, shelf, published):
    shelf.contents["code-a", "body", None] = shelf.contents["code-a", "body", None].strip()
    assert detail(awning, None) == ("run 1 wrote it", 1, 1, None)


def test_diff_compares_with_the_held_or_the_named_release(awning, shelf, published, rebuild):
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en</b>"})
    assert awning("release", "create")[0] == 0
    assert [c["is_wanted"] for c in show(awning)[1]["cells"]] == [False, False, True, None]
    assert show(awning, "--release", "1")[1]["release"] == 1
    assert awning("publish", "pin", "1", "--only", "shop")[0] == 0
    _, document = show(awning)
    assert (document["release"], [c["is_wanted"] for c in document["cells"]]) == (1, [True, True, True, None])
    assert awning("instances", "show", "shop", "--release", "9")[0] == Exit.USAGE


def test_diff_without_a_release_is_refused(awning, shop):
    code, _, err = awning("instances", "show", "shop", "--diff")
    assert (code, "there is no release" in err) == (Exit.USAGE, True)
    assert awning("instances", "show", "shop")[0] == 0


def test_show_of_a_shop_that_cannot_be_read(awning, shelf, published, refused):
    shelf.before = lambda call, code, turn: refused(500, "Oops") if call == "user" else None
    code, out, err = awning("instances", "show", "shop")
    assert (code, "user" in err) == (Exit.PARTLY, True)
    assert "ours" in out
    shelf.before = lambda call, code, turn: NoResponse(why="lost", sent=False)
    assert awning("instances", "show", "shop")[0] == Exit.FINDINGS
    shelf.before = lambda call, code, turn: refused(401, "Unauthorized")
    assert awning("instances", "show", "shop")[0] == Exit.REFUSED
    assert awning("instances", "show", "none")[0] == Exit.USAGE
