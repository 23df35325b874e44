"""Drift is what differs at the service from what was last written. Nothing is ever written while it is looked for."""

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from awning.client import Response, Secret, apps
from awning.contract import Exit
from awning.publish.drift import read_only


@pytest.fixture
def drift(awning):
    """Run `publish drift`; returns its exit code, and the kind of each cell that differs, by language."""

    def run(*words):
        code, out, _ = awning("publish", "drift", "--json", *words)
        return code, {cell["language"]: cell["kind"] for cell in json.loads(out)["cells"]}

    return run


@pytest.fixture
def published(awning, shop, workspace, shelf, made_once):
    made_once(workspace, shelf, lambda: awning("publish", "apply"))
    return shelf


def test_nothing_differs_after_an_apply(published, drift):
    assert drift() == (0, {})
    assert {call for call, _ in published.calls} == {"get_snippet"}


DIFFERENCES = {
    "another snippet": ("<b>theirs</b>", "changed"),
    "an empty one": ("", "removed"),
    "white space at the ends": (" <b>lv ā</b>\r\n", None),
}


@pytest.mark.parametrize("case", DIFFERENCES)
def test_difference_is_named(case, published, drift):
    text, kind = DIFFERENCES[case]
    published.contents["code-a", "body", "lv"] = text
    assert drift() == ((Exit.DRIFT, {"lv": kind}) if kind else (0, {}))


def test_removed_snippet_is_named(published, drift):
    del published.contents["code-a", "body", "lv"]
    assert drift() == (Exit.DRIFT, {"lv": "removed"})


def test_text_that_is_not_kept_is_named(published, awning, state_of, rebuild):
    """The journal has only the text's hash, so differences in white space cannot be ignored."""
    rebuild({None: "<b>2</b>\n", "lv": "<b>lv ā</b>", "en": "<b>en</b>"})
    assert awning("publish", "apply")[0] == 0
    with closing(sqlite3.connect(state_of().path / "state.sqlite")) as connection, connection:
        for table in ("snippet", "release_text"):
            connection.execute(f"DELETE FROM {table}")
    published.contents["code-a", "body", "lv"] += "\n"
    published.contents["code-a", "body", None] = "<b>2</b>"
    code, out, _ = awning("publish", "drift", "--json")
    (cell,) = json.loads(out)["cells"]
    assert (code, cell["language"]) == (Exit.DRIFT, None)
    assert "the published text is not kept any more" in cell["detail"]


def test_current_build_plays_no_part(published, drift, rebuild):
    rebuild({None: "<b>2</b>"})
    assert drift() == (0, {})


def test_cell_that_was_never_ours_is_not_compared(awning, shop, shelf, drift):
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    awning("publish", "apply")
    shelf.contents["code-a", "body", "lv"] = "<b>theirs 2</b>"
    assert drift() == (0, {})


def test_foreign_snippet_that_an_apply_refused_is_still_a_difference(published, drift, awning, rebuild):
    published.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en</b>"})
    assert awning("publish", "apply")[0] == Exit.PARTLY
    assert drift() == (Exit.DRIFT, {"lv": "changed"})


def test_cell_that_a_rollback_took_back_does_not_differ(published, drift, awning, rebuild):
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en 2</b>"})
    awning("publish", "apply")
    awning("publish", "rollback", "--previous")
    assert drift() == (0, {})


def test_unreadable_cell_is_listed(published, drift, refused):
    published.before = lambda call, code, turn: refused(400, "broken")
    code, kinds = drift()
    assert (code, set(kinds.values())) == (Exit.PARTLY, {"unreadable"})


def test_one_refused_instance_does_not_mean_a_refused_key(published, awning, monkeypatch, shelf):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "second")
    awning("publish", "apply")
    del shelf.languages["code-b"]
    assert awning("publish", "drift")[0] == Exit.PARTLY
    assert awning("publish", "plan", "--refresh")[0] == Exit.PARTLY


def test_acknowledged_difference_is_shown_and_does_not_count(published, drift, awning):
    published.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    until = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
    words = ("--owner", "Anna", "--until", until, "--reason", "their test")
    code, out, _ = awning("publish", "drift", "acknowledge", "shop", "--language", "lv", *words)
    assert (code, out) == (0, f"shop lv: accepted until {until}\n")
    assert drift() == (0, {"lv": "changed"})
    document = json.loads(awning("publish", "drift", "--json")[1])["cells"][0]
    assert document["acknowledged"] == {"owner": "Anna", "until": until, "reason": "their test"}
    published.contents["code-a", "body", "en"] = "<b>theirs</b>"
    assert drift()[0] == Exit.DRIFT


@pytest.fixture
def accepted(published, awning):
    """Somebody else's snippet in a cell, which is accepted until today. Returns the reason of the cell."""
    published.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    until = datetime.now(UTC).date().isoformat()
    words = ("--language", "lv", "--owner", "Anna", "--until", until, "--reason", "their test")
    assert awning("publish", "drift", "acknowledge", "shop", *words)[0] == 0
    return f"foreign content, accepted by Anna until {until}"


@pytest.mark.parametrize("refresh", [(), ("--refresh",)])
def test_plan_skips_foreign_content_that_is_accepted(refresh, accepted, awning, rebuild):
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>"})
    assert awning("publish", "apply", "--only", "shop")[0] == 0
    code, out, _ = awning("publish", "plan", *refresh, "--detailed-exitcode", "--json")
    cells = {cell["language"]: (cell["action"], cell["reason"]) for cell in json.loads(out)["cells"]}
    assert (code, cells["lv"]) == (0, ("skip", accepted))


def test_apply_writes_over_accepted_foreign_content_only_on_request(accepted, published, awning):
    assert awning("publish", "apply")[0] == 0
    assert published.body("code-a")["lv"] == "<b>theirs</b>"
    assert awning("publish", "apply", "--overwrite-foreign")[0] == 0
    assert published.body("code-a")["lv"] != "<b>theirs</b>"


def test_rollback_skips_foreign_content_that_is_accepted(accepted, published, awning):
    for words in (("--dry-run",), ()):
        code, out, _ = awning("publish", "rollback", "--to", "1", *words, "--json")
        reasons = {cell["language"]: cell["reason"] for cell in json.loads(out)["cells"]}
        assert (code, reasons["lv"]) == (0, accepted)


@pytest.fixture
def head_accepted(awning, shop, shelf, rebuild, workspace):
    """A profile with head snippets, and a website whose head of one cell is somebody else's, which is accepted."""
    (workspace / "pyproject.toml").write_text(
        '[tool.awning]\nlanguages = ["lv"]\n[tool.awning.profiles.default]\nhead_snippets = true\n'
    )
    shelf.languages["code-a"] = ["lv"]
    rebuild({"lv": "<b>1</b>"}, {"lv": "<!-- ours -->"})
    shelf.contents["code-a", "head", "lv"] = "<!-- theirs -->"
    words = ("--owner", "Anna", "--until", datetime.now(UTC).date().isoformat(), "--reason", "their test")
    assert awning("publish", "drift", "acknowledge", "shop", *words)[0] == 0
    return shelf


def test_written_cell_with_accepted_foreign_content_is_not_skipped(head_accepted, awning):
    """The plan and the apply agree. The next ones find the body as it should be, and skip the cell."""

    def outcomes(*words):
        code, out, _ = awning("publish", *words, "--json")
        return code, [cell.get("outcome", cell.get("action")) for cell in json.loads(out)["cells"]]

    assert outcomes("plan", "--refresh", "--detailed-exitcode") == (Exit.CHANGES, ["conflict"])
    assert outcomes("apply") == (Exit.PARTLY, ["refused"])
    assert head_accepted.body("code-a") == {"lv": "<b>1</b>"}
    for words in (("plan", "--refresh", "--detailed-exitcode"), ("plan",)):
        assert outcomes(*words) == (0, ["skip"])
    assert outcomes("apply") == (0, ["skipped"])


def test_accepted_foreign_content_shows_that_the_service_takes_the_key(
    awning, shop, shelf, rebuild, monkeypatch
):
    """The other instance has uninstalled the app, so the service refuses it alone."""
    shelf.languages["code-a"] = ["lv"]
    rebuild({"lv": "<b>1</b>"})
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    words = ("--owner", "Anna", "--until", datetime.now(UTC).date().isoformat(), "--reason", "their test")
    assert awning("publish", "drift", "acknowledge", "shop", *words)[0] == 0
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    assert awning("instances", "add", "--name", "other")[0] == 0
    del shelf.languages["code-b"]
    code, _, err = awning("publish", "plan", "--refresh")
    assert (code, err) == (Exit.PARTLY, "")
    code, _, err = awning("publish", "apply")
    assert (code, "`awning instances remove NAME`" in err) == (Exit.PARTLY, True), err
    assert "refused the API key" not in err


@pytest.mark.parametrize(("days", "ending"), [(0, (0, "skipped")), (3, (Exit.PARTLY, "refused"))])
def test_saved_plan_skips_foreign_content_only_while_it_is_accepted(
    days, ending, accepted, awning, tmp_path, monkeypatch
):
    assert awning("publish", "plan", "--refresh", "-o", str(tmp_path / "a.plan"))[0] == 0

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=days)

    monkeypatch.setattr("awning.publish.inventory.acknowledged.datetime", Later)
    code, out, _ = awning("publish", "apply", str(tmp_path / "a.plan"), "--json")
    outcomes = {cell["language"]: cell["outcome"] for cell in json.loads(out)["cells"]}
    assert (code, outcomes["lv"]) == ending


@pytest.mark.parametrize("days", [-1, 400])
def test_acknowledgement_needs_a_near_day(days, published, awning):
    until = (datetime.now(UTC) + timedelta(days=days)).date().isoformat()
    words = ("--owner", "Anna", "--until", until, "--reason", "x")
    assert awning("publish", "drift", "acknowledge", "shop", *words)[0] == Exit.USAGE


def test_acknowledgement_of_a_language_that_the_shop_lacks_is_refused(published, awning):
    until = datetime.now(UTC).date().isoformat()
    words = ("--owner", "Anna", "--until", until, "--reason", "x")
    code, _, err = awning("publish", "drift", "acknowledge", "shop", "--language", "de", *words)
    assert (code, 'shop has no language "de"' in err, "its languages: en, lv" in err) == (
        Exit.USAGE,
        True,
        True,
    ), err
    assert awning("publish", "drift", "acknowledge", "shop", "--language", "website", *words)[0] == 0


def test_reading_client_refuses_to_write():
    async def send(_operation):
        return Response(status=200)

    reading = read_only(send)
    assert asyncio.run(reading(apps.get_snippet(Secret("code"), "lv"))).status == 200
    with pytest.raises(RuntimeError, match="must not call set_snippet"):
        asyncio.run(reading(apps.set_snippet(Secret("code"), "<b></b>", "lv")))
