"""The commands `awning instances` and `awning publish`: exit codes and output, without secrets."""

import io
import json
import re
import signal
import stat
from contextlib import closing

import pytest
from publishers import Publisher

from awning.client import Response
from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.waves.run_state import RunStates

CODE = "code-a"


def test_instances_add_list_and_remove(awning):
    assert awning("instances", "add", "--name", "shop", "--languages", "lv en")[:2] == (0, "shop: added\n")
    assert awning("instances", "add", "--labels", "beta")[:2] == (0, "shop: changed\n")
    code, out, _ = awning("instances", "list", "--json")
    (instance,) = json.loads(out)["instances"]
    assert (code, instance.pop("key")[0]) == (0, "@")
    assert instance == {
        "instance": "shop",
        "name": "shop",
        "languages": ["lv", "en"],
        "labels": ["beta"],
        "website_url": None,
        "website_languages": None,
        "refreshed_at": None,
        "pinned": None,
    }
    assert CODE not in out
    assert awning("instances", "list")[1] == "shop  lv en  beta\n"
    assert awning("instances", "remove", "shop", "--yes")[:2] == (0, "shop: removed\n")
    assert json.loads(awning("instances", "list", "--json")[1])["instances"] == []


def test_code_is_read_from_standard_input(awning, monkeypatch):
    monkeypatch.delenv("AWNING_AUTH_CODE")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{CODE}\n"))
    code, out, err = awning("instances", "add")
    assert (code, err, CODE in out) == (0, "", False)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code, _, err = awning("instances", "add")
    assert (code, "there is no authCode" in err) == (Exit.USAGE, True)


def test_instances_export_and_import(awning, tmp_path):
    awning("instances", "add", "--name", "shop")
    assert awning("instances", "export", "out.csv")[:2] == (0, "")
    assert stat.S_IMODE((tmp_path / "out.csv").stat().st_mode) == 0o600
    assert (
        awning("instances", "export")[1]
        == (tmp_path / "out.csv").read_text()
        == (f"auth_code,languages,name,labels\n{CODE},,shop,\n")
    )
    (tmp_path / "in.csv").write_text(f"auth_code,languages\n{CODE},lv\nother,en\n")
    assert awning("instances", "import", "in.csv")[:2] == (0, "1 added, 1 changed\n")
    assert awning("instances", "import", "in.csv")[:2] == (0, "0 added, 0 changed, 2 unchanged\n")
    (tmp_path / "in.csv").write_text("auth_code\nfine\nnot fine\n")
    code, _, err = awning("instances", "import", "in.csv")
    assert (code, "in.csv:3" in err, "not fine" in err) == (1, True, False)


def test_second_apply_leaves_every_cell_unchanged(awning, shop, shelf):
    code, out, err = awning("publish", "apply", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "schema_version": 1,
        "ok": True,
        "run": 1,
        "totals": {"applied": 3, "unchanged": 0, "skipped": 1, "refused": 0, "failed": 0, "unknown": 0},
        "hint": None,
        "cells": [
            {"instance": "shop", "language": None, "outcome": "applied", "reason": None},
            {"instance": "shop", "language": "lv", "outcome": "applied", "reason": None},
            {"instance": "shop", "language": "en", "outcome": "applied", "reason": None},
            {
                "instance": "shop",
                "language": "ru",
                "outcome": "skipped",
                "reason": "the build has no such language",
            },
        ],
    }
    assert shelf.body(CODE)["lv"] == "<b>lv ā</b>"
    code, out, _ = awning("publish", "apply", "--pace", "0")
    assert (code, out.splitlines()[-1]) == (0, "3 unchanged, 1 skipped")


def test_status_lists_cells_and_log_lists_runs(awning, shop):
    awning("publish", "apply")
    cells = json.loads(awning("publish", "status", "--json")[1])["cells"]
    assert [(c["instance"], c["language"], c["outcome"]) for c in cells] == [
        ("shop", None, "applied"),
        ("shop", "en", "applied"),
        ("shop", "lv", "applied"),
        ("shop", "ru", "skipped"),
    ]
    _, out, _ = awning("publish", "status", "--verbose")
    assert [line.rsplit("  ", 1)[0] for line in out.splitlines()] == [
        "3 applied, 1 skipped, of 1 instance",
        "applied    shop (website)",
        "applied    shop en",
        "applied    shop lv",
        "skipped    shop ru  - the build has no such language",
    ]
    (run,) = json.loads(awning("publish", "log", "--json")[1])["runs"]
    assert (run["how"], run["totals"]) == ("finished", {"applied": 3, "skipped": 1})
    entries = json.loads(awning("publish", "log", "--run", "1", "--json")[1])["entries"]
    assert [e["kind"] for e in entries].count("intent") == 3
    assert CODE not in json.dumps(entries)
    assert awning("publish", "log")[1].startswith("1  ")
    code, out, err = awning("publish", "log", "--run", "99")
    assert (code, out, "there is no run 99" in err) == (Exit.USAGE, "", True)


def test_log_of_a_run_names_releases_instead_of_hashes(awning, shop, shelf, rebuild):
    shelf.contents["code-a", "body", "en"] = "<i>theirs</i>"
    assert awning("publish", "apply", "--overwrite-foreign")[0] == 0
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>"})
    assert awning("publish", "apply", "--only", "shop")[0] == 0
    _, first, _ = awning("publish", "log", "--run", "1")
    _, second, _ = awning("publish", "log", "--run", "2")
    assert "shop (website)  body  nothing -> release 1" in first
    assert re.search(r"shop en  body  text [0-9a-f]{12} -> release 1", first)
    assert "shop lv  body  release 1 -> release 2" in second
    assert "applied    shop lv  release 2" in second
    assert not re.search("[0-9a-f]{13}", first + second)
    entries = json.loads(awning("publish", "log", "--run", "2", "--json")[1])["entries"]
    (intent,) = (e for e in entries if e["kind"] == "intent" and e["language"] == "lv")
    assert (intent["before_release"], intent["after_release"]) == (1, 2)
    assert len(intent["before"]) == len(intent["after"]) == 64


def test_log_says_where_each_run_published(awning, shop, tmp_path):
    assert awning("publish", "apply")[0] == 0
    assert awning("publish", "apply", "--only", "shop")[0] == 0
    assert awning("publish", "plan", "-o", str(tmp_path / "the.plan"))[0] == 0
    assert awning("publish", "apply", str(tmp_path / "the.plan"))[0] == 0
    assert awning("publish", "rollback", "--to", "1", "--only", "shop")[0] == 0
    lines = awning("publish", "log")[1].splitlines()
    scopes = ["only shop", "a saved plan", "only shop", "all instances"]
    assert [scope in line for scope, line in zip(scopes, lines, strict=True)] == [True] * 4
    assert "  (website) en lv  " in lines[-1]
    runs = json.loads(awning("publish", "log", "--json")[1])["runs"]
    assert [(run["kind"], run["release"]) for run in runs] == [("rollback", 1), *[("publish", 1)] * 3]
    assert runs[0]["scope"] == {"only": ["shop"], "labels": [], "plan": False, "waves": []}
    assert runs[0]["languages"] == [None, "en", "lv"]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["log", "5"], "awning publish log --run 5?"),
        (["log", "--json", "5"], "awning publish log --run 5?"),
        (["rollback", "5"], "awning publish rollback --to 5 or awning publish rollback --run 5?"),
    ],
)
def test_number_without_its_option_is_refused_with_the_option(awning, shop, words, meant):
    code, out, err = awning("publish", *words)
    assert (code, meant in out + err) == (Exit.USAGE, True)
    assert "Did you mean" not in "".join(awning("publish", words[0], "shop")[1:])


def test_only_limits_the_run_to_the_named_instances(awning, shop, monkeypatch, shelf):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "other")
    awning("publish", "apply", "--only", "other")
    assert {code for _, code in shelf.calls} == {"code-b"}
    code, _, err = awning("publish", "apply", "--only", "shpo")
    assert (code, 'did you mean "shop"?' in err) == (Exit.USAGE, True)


def test_base_url_without_its_version_gets_a_hint(awning, shop, shelf, monkeypatch):
    for number in range(9):
        monkeypatch.setenv("AWNING_AUTH_CODE", f"code-{number}")
        awning("instances", "add")
    monkeypatch.setenv("AWNING_BASE_URL", f"{shop}/elsewhere/v1")
    monkeypatch.setattr("awning.publish.runner.OPEN_INSTANCES", 1)
    monkeypatch.setattr(shelf, "take", lambda *_: Response(status=404, body=b"<title>Nothing here</title>"))
    code, out, err = awning("publish", "apply", "--in-flight", "1")
    assert (code, "it ends in /v1" in err, "run it again" in err) == (Exit.FINDINGS, True, False)
    assert out.count("not tried: there is no Apps API at the base URL") > 1


def test_refused_key_is_reported_at_the_end(awning, shop, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "SVC-wrong")
    code, _, err = awning("publish", "apply")
    assert (code, "the service refused the API key" in err) == (Exit.REFUSED, True)


BAD_INPUT = {
    "unreachable service": ({"AWNING_BASE_URL": "http://127.0.0.1:1/v1"}, Exit.FINDINGS, "cannot connect"),
    "wrong API key": ({"AWNING_API_KEY": "SVC-wrong"}, Exit.REFUSED, "Unauthorized"),
    "no API key": ({"AWNING_API_KEY": ""}, Exit.USAGE, "there is no API key"),
    "no base URL": ({"AWNING_BASE_URL": ""}, Exit.USAGE, "no service address is configured"),
    "a base URL that leaks": ({"AWNING_BASE_URL": "http://service.test/v1"}, Exit.USAGE, "unencrypted"),
    "an unknown profile": ({"AWNING_PROFILE": "nowhere"}, Exit.USAGE, 'no profile "nowhere"'),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_invalid_settings_are_refused(case, awning, shop, monkeypatch, workspace):
    environ, exit_code, words = BAD_INPUT[case]
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    code, out, err = awning("publish", "apply", "--json")
    assert code == exit_code
    document = json.loads(out)
    assert words in out.replace('\\"', '"') + err
    assert CODE not in out + err
    assert document["ok"] is False
    assert document.get("totals", {"applied": 0})["applied"] == 0


def test_service_that_answers_each_call_with_an_error_of_its_own_exits_1(awning, shop, shelf, refused):
    shelf.before = lambda _call, _code, _turn: refused(503, "Maintenance")
    code, out, err = awning("publish", "apply")
    assert (code, "3 failed" in out) == (Exit.FINDINGS, True)
    assert (
        "nothing was written: the service answers with errors of its own; run it again when it works" in err
    )


def test_instance_with_status_500_exits_5_and_others_are_published(awning, shop, shelf, monkeypatch, refused):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "other")
    shelf.before = lambda call, code, turn: refused(500, "Boom") if code == CODE else None
    code, out, _ = awning("publish", "apply", "--json")
    assert code == Exit.PARTLY
    ends = {(c["instance"], c["language"]): (c["outcome"], c["reason"]) for c in json.loads(out)["cells"]}
    assert ends["shop", None] == ("failed", "languages: Boom (error 500, HTTP 500)")
    assert ends["other", None] == ("applied", None)
    shelf.before = lambda *_: None
    assert awning("publish", "apply")[0] == 0


def test_build_with_errors_is_published_only_with_allow_errors(awning, shop, shelf, dist):
    record = json.loads((dist / "build.json").read_text())
    (dist / "build.json").write_text(json.dumps(record | {"allowed_errors": 1}))
    code, _, err = awning("publish", "apply")
    assert code == 1
    assert "it was built with an error" in err
    assert awning("publish", "apply", "--allow-errors")[0] == 0


@pytest.mark.parametrize(
    ("spoilt", "code", "words"),
    [
        ("build.json", Exit.USAGE, "is not a build record"),
        ("body.html", Exit.FINDINGS, "it is not what was built"),
    ],
)
def test_publish_errors_are_json_with_json(spoilt, code, words, awning, shop, dist):
    """As with `build --json`: `ok` is false, the document holds the error or diagnostics; the exit code is the same."""
    (dist / spoilt).write_text("spoilt")
    ended, out, err = awning("publish", "apply", "--json")
    document = json.loads(out)
    assert (ended, err, document["schema_version"], document["ok"]) == (code, "", 1, False)
    message = document["error"] or document["diagnostics"][0]["message"]
    assert words in message
    assert awning("publish", "apply")[0] == code


@pytest.mark.parametrize(
    "verb", [("publish", "status"), ("publish", "log"), ("instances", "list"), ("data", "get", "shop")]
)
def test_errors_of_other_verbs_are_json_with_json(verb, awning, shop, workspace):
    (workspace / ".awning/state/key").write_text("damaged")
    ended, out, err = awning(*verb, "--json")
    assert (ended, err) == (Exit.USAGE, "")
    assert (json.loads(out)["ok"], "key is damaged" in json.loads(out)["error"]) == (False, True)


@pytest.mark.parametrize(
    "verb",
    [
        ("publish", "plan"),
        ("publish", "plan", "--refresh"),
        ("publish", "apply"),
        ("publish", "rollback", "--previous"),
        ("publish", "verify"),
        ("publish", "drift"),
        ("publish", "enable", "stock"),
        ("instances", "refresh"),
    ],
)
def test_inventory_that_never_had_an_instance_is_an_error(verb, awning, served, monkeypatch):
    monkeypatch.setenv("AWNING_BASE_URL", served)
    code, out, _ = awning(*verb, "--json")
    document = json.loads(out)
    assert (code, document["ok"]) == (Exit.USAGE, False)
    assert "state.sqlite has no instance" in document["error"]
    assert "AWNING_STATE_DIR" in document["hint"]


def test_apply_after_every_instance_was_removed_has_nothing_to_do(awning, shop):
    assert awning("instances", "remove", "shop", "--yes")[0] == 0
    code, out, err = awning("publish", "apply", "--json")
    assert (code, json.loads(out)["cells"]) == (0, [])
    assert "every instance was removed" in err


@pytest.mark.parametrize(
    "verb", [("plan", "--refresh"), ("drift",), ("verify",), ("verify", "--api-only")], ids=" ".join
)
def test_verb_that_reads_says_what_to_do_about_a_refused_key(verb, awning, shop, monkeypatch):
    assert awning("publish", "apply")[0] == 0
    monkeypatch.setenv("AWNING_API_KEY", "SVC-wrong")
    code, _, err = awning("publish", *verb)
    assert (code, "nothing was read: the service refused the API key; put" in err) == (Exit.REFUSED, True)
    assert "nothing to write" not in err


def test_instance_that_the_service_refuses_is_called_probably_uninstalled(awning, shop, shelf, monkeypatch):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    assert awning("instances", "add", "--name", "gone")[0] == 0
    del shelf.languages["code-b"]
    code, _, err = awning("publish", "apply")
    assert (code, "not installed there any more: `awning instances remove NAME`" in err) == (5, True)
    assert awning("instances", "remove", "gone", "--yes")[0] == 0
    assert " gone (website)" in awning("publish", "status", "--verbose")[1]


def test_apply_works_outside_a_workspace_with_state_and_dist_named(awning, shop, tmp_path, monkeypatch, dist):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "pyproject.toml").unlink()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert awning("publish", "apply")[0] == Exit.USAGE
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / ".awning" / "state"))
    code, out, _ = awning("publish", "apply", "--dist", str(dist))
    assert (code, out.splitlines()[-1]) == (0, "3 applied, 1 skipped")


def publish_and_signal(shelf, number, at):
    """Run a publish in its own process and send it a signal at the call `at` (name, count)."""
    call, times = at

    def signalling(name, code, turn):
        if name == call and sum(1 for c, _ in shelf.calls if c == call) == times:
            publisher.send(number)

    shelf.before = signalling
    publisher = Publisher.start("publish", "apply", "--timeout", "3", "--json")
    ended = publisher.wait()
    shelf.before = lambda *_: None
    return ended.code, ended.out, ended.err


@pytest.mark.usefixtures("processes")
def test_ctrl_c_exits_130_with_a_correct_journal(awning, shop, shelf):
    code, out, err = publish_and_signal(shelf, signal.SIGINT, ("set_snippet", 1))
    assert (code, err) == (Exit.INTERRUPTED, "")
    totals = json.loads(out)["totals"]
    assert (totals["applied"], totals["skipped"], sum(totals.values())) == (1, 3, 4)
    assert json.loads(awning("publish", "log", "--json")[1])["runs"][0]["how"] == "interrupted"
    assert awning("publish", "apply")[0] == 0


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("at", [("get_snippet", 1), ("set_snippet", 3)])
def test_next_run_settles_unknown_cells_of_a_killed_run(awning, shop, shelf, at):
    assert publish_and_signal(shelf, signal.SIGKILL, at)[0] == -signal.SIGKILL
    cells = json.loads(awning("publish", "status", "--json")[1])["cells"]
    outcomes = {c["language"]: c["outcome"] for c in cells}
    assert set(shelf.body(CODE)) <= {
        language for language, o in outcomes.items() if o in ("applied", "unknown")
    }
    assert ("unknown" in outcomes.values()) is (at[0] == "set_snippet")
    assert json.loads(awning("publish", "log", "--json")[1])["runs"][0]["how"] == "not finished"
    assert awning("publish", "apply", "--timeout", "3")[0] == 0
    settled = json.loads(awning("publish", "status", "--json")[1])["cells"]
    assert "unknown" not in {c["outcome"] for c in settled}
    assert set(shelf.body(CODE)) == {None, "lv", "en"}
    assert "not finished; continued by run 2" in awning("publish", "log")[1]


def test_status_tells_a_cell_that_is_being_written_from_one_whose_run_was_killed(
    awning, shop, state_of, journal_of
):
    journal = journal_of()
    with closing(Inventory.open(state_of())) as inventory:
        (key,) = [instance.key for instance in inventory.all()]
    cell = {"instance": key, "kind": EntryKind.INTENT, "place": "body"}
    journal.append([JournalEntry(run=journal.begin("killed"), language="lv", **cell)])
    killed = "unknown    shop lv  - the run ended while it was written"
    assert killed in awning("publish", "status", "--verbose")[1]
    with state_of().lock_runs():
        journal.append([JournalEntry(run=journal.begin("under way"), language="en", **cell)])
        status = awning("publish", "status", "--verbose")[1]
    assert killed in status
    assert "unknown    shop en  - run 2 is writing it" in status


@pytest.mark.usefixtures("processes")
def test_status_says_that_no_process_publishes_a_killed_run(awning, shop, shelf, state_of):
    assert publish_and_signal(shelf, signal.SIGKILL, ("set_snippet", 1))[0] == -signal.SIGKILL
    _, text, _ = awning("publish", "status")
    assert "run 1, release 1, was killed: no cells yet" in text
    assert "no process publishes it now: awning publish resume 1 continues it" in text
    run = json.loads(awning("publish", "status", "--json")[1])["run"]
    assert (run["state"], run["is_under_way"], run["rate"]) == ("running", False, None)
    with state_of().lock_runs():
        run = json.loads(awning("publish", "status", "--json")[1])["run"]
        assert (run["is_under_way"], run["calls_per_s"]) == (True, None)
        with closing(RunStates.open(state_of())) as states:
            states.lower_rate(1, 94.2)
        run = json.loads(awning("publish", "status", "--json")[1])["run"]
        assert run["calls_per_s"] == 94.2
        assert 'the service answers "too many calls": at most 94 calls/s' in awning("publish", "status")[1]
    assert awning("publish", "resume", "1", "--timeout", "3")[0] == 0


def test_run_says_how_often_the_service_answered_too_many_calls(
    awning, shop, shelf, refused, monkeypatch, state_of
):
    monkeypatch.setattr("awning.publish.run.LOOK_S", 0.01)
    monkeypatch.setattr("awning.cli.publish.progress.LINE_S", 0.0)
    shelf.before = lambda _call, _code, turn: refused(429, "Slow down") if turn == 1 else None
    _, out, err = awning("publish", "apply", "--json")
    assert json.loads(out)["too_many_calls"] == 1
    assert 'the service answers "too many calls" (1): at most 4 calls/s' in err
    with closing(RunStates.open(state_of())) as states:
        assert states.lowered_to(1) == pytest.approx(4.5, abs=0.5)
    _, out, err = awning("publish", "apply", "--json")
    assert "too_many_calls" not in json.loads(out)


def test_status_after_a_run_that_reached_no_shop_says_what_is_still_there(awning, shop, rebuild, monkeypatch):
    assert awning("publish", "apply")[0] == 0
    monkeypatch.setenv("AWNING_BASE_URL", "http://127.0.0.1:9/v1")
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "de": "<b>de</b>"})
    assert awning("publish", "apply", "--timeout", "1")[0] == 1
    _, out, err = awning("publish", "status", "--verbose")
    lines = {line.split("  - ")[0]: "published before is there" in line for line in out.splitlines()}
    assert (lines["failed     shop lv"], lines["failed     shop de"]) == (True, False), out
    assert "of these were not reached, and have what was published before" in err
    cells = json.loads(awning("publish", "status", "--json")[1])["cells"]
    assert {c["language"]: c["has_published"] for c in cells if c["language"] in {"lv", "de"}} == {
        "lv": True,
        "de": None,
    }
