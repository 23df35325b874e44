"""Changes of websites by a condition, and the log of all changes."""

import json
import os
import sqlite3
from contextlib import closing
from datetime import UTC

import pytest
from kept_in import both

from awning.client.reseller import actions
from awning.client.reseller.client import ResellerClient, find_reseller_client
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.contract.reseller_fields import READ_ONLY_SETTINGS
from awning.errors import Unreachable
from awning.publish.cell_outcome import CellOutcome
from awning.publish.state.server import state_at
from awning.publish.state.store import StateDir
from awning.reseller.log import ChangeLog

ROUTES = {call.operation for call in RESELLER_CALLS}


@pytest.fixture
def faults(account):
    yield lambda *rules: account.service.faults.put(list(rules), ROUTES)
    account.service.faults.put([], ROUTES)


def limits(account):
    return [site["ai_limit"] for site in account.read("websites", "list", "--sort", "id")["websites"]]


def outcomes(done):
    return [change["outcome"] for change in json.loads(done.out)["changes"]]


CHANGES = [
    (("website", "disable"), (), "enabled", False),
    (("website", "enable"), (), "enabled", True),
    (("website", "enable-premium"), ("premiumpro",), "plan", "premiumpro"),
    (("website", "disable-premium"), (), "plan", "free"),
    (("ai-limit", "set"), ("250",), "ai_limit", 250),
    (("ai-credits", "add"), ("30",), "ai_extra", 30),
]


@pytest.mark.parametrize(("verb", "arguments", "field", "new"), CHANGES, ids=str)
def test_condition_changes_the_websites_that_meet_it(account, verb, arguments, field, new):
    chosen = f"id != {account.sites[1]}"
    dry = account.read(*verb, *arguments, "--where", chosen, "--dry-run")
    before = account.read("websites", "list", "--sort", "id")["websites"]
    assert [(change["website"], change["old"], change["new"]) for change in dry["changes"]] == [
        (site["id"], site[field], new) for site in before if site["id"] != account.sites[1]
    ]
    done = account.read(*verb, *arguments, "--where", chosen, "--yes", "--pace", "0")
    after = account.read("websites", "list", "--sort", "id")["websites"]
    assert [site[field] for site in after] == [new, before[1][field], new]
    is_same = before[0][field] == new
    assert {change["outcome"] for change in done["changes"]} == {"unchanged" if is_same else "applied"}


def test_dry_run_changes_and_logs_nothing(account, tmp_path):
    done = account.run("ai-limit", "set", "--where", "true", "999", "--dry-run")
    assert (done.code, "3 websites would change" in done.err) == (0, True)
    assert done.out.splitlines()[0].split() == ["website", "brandname", "old", "new"]
    assert account.run("website", "disable", account.first, "--dry-run").code == 0
    assert account.read("website", "show", account.first)["website"]["enabled"]
    assert 999 not in limits(account)
    assert account.read("log") == {"changes": []}


def test_several_websites_need_a_confirmation(account):
    done = account.run("ai-limit", "set", "--where", "true", "999")
    assert (done.code, done.out, "--yes" in done.err) == (2, "", True)
    assert 999 not in limits(account)
    first, second, _ = map(str, account.sites)
    assert account.run("ai-limit", "set", first, second, "77", "--yes", "--pace", "0").out.endswith(
        "2 applied\n"
    )
    assert limits(account)[:2] == [77, 77]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("website", "disable"), "--where"),
        (("website", "disable", "1", "--where", "true"), "exclude each other"),
        (("website", "disable", "--where", "brandnam == 1"), 'did you mean "brandname"'),
        (("website", "disable", "1", "999999", "--yes"), "no website 999999"),
        (("ai-limit", "set", "--where", "true", "x"), "not a whole number"),
        (("ai-credits", "add", "--where", "true", "0", "--yes"), "from 1 to 1000000"),
        (("website", "enable-premium", "--where", "true", "gold", "--yes"), "unknown subscription"),
        (("domain", "add", "--where", "true", "a.example", "--yes"), "choose one website"),
        (("log", "--where", "outcom == 1"), 'did you mean "outcome"'),
    ],
)
def test_wrong_choice_changes_nothing(account, words, error):
    words = tuple(str(account.first) if word == "1" else word for word in words)
    done = account.run(*words)
    assert (done.code, error in done.err) == (2, True), done.err
    assert account.read("log") == {"changes": []}


def test_refusal_of_one_website_leaves_the_others_and_exits_5(account):
    account.service.resellers.change(account.id, ai_pricing="free")
    account.run("website", "enable-premium", account.first, "premiumpro")
    done = account.run("ai-limit", "set", "--where", "true", "200", "--yes", "--pace", "0", "--json")
    assert (done.code, outcomes(done)) == (5, ["applied", "refused", "refused"])
    assert "monthly AI credits" in json.loads(done.out)["changes"][1]["reason"]
    log = account.read("log", "--where", "outcome == 'refused'")["changes"]
    assert [row["website"] for row in log] == account.sites[1:]


def test_refusal_of_the_account_stops_the_run_and_exits_6(account):
    account.service.resellers.change(account.id, ai_pricing="free")
    done = account.run("ai-credits", "add", "--where", "true", "5", "--yes", "--pace", "0", "--json")
    assert (done.code, outcomes(done)) == (6, ["refused", "skipped", "skipped"])
    assert len(account.read("log")["changes"]) == 1


def test_part_of_an_addition_is_not_repeated_for_all(account, monkeypatch):
    cut_off(monkeypatch, at=1, error=lambda: actions.add_credits(account.sites[1], 0))
    done = account.run("ai-credits", "add", "--where", "true", "5", "--yes", "--pace", "0")
    assert done.code == 5
    assert f"Not done: {account.sites[1]} {account.sites[2]}" in done.err


def test_addition_that_may_have_arrived_is_not_repeated_for_all(account, monkeypatch):
    def lose():
        raise Unreachable("no response", call="ai_credits/add", unclear=True)

    cut_off(monkeypatch, at=2, error=lose)
    done = account.run("ai-credits", "add", "--where", "true", "5", "--yes", "--pace", "0")
    assert done.code == 5
    assert "do not repeat this for all: a second run adds again" in done.err


def cut_off(monkeypatch, *, at, error):
    """Let the change with index `at` fail as `error` does, in place of its call."""
    run, calls = ResellerClient.run, iter(range(100))

    def raising(client, action):
        is_change = getattr(getattr(action, "read_back", None), "done", None) is not None
        if is_change and next(calls) == at:
            error()
        return run(client, action)

    monkeypatch.setattr(ResellerClient, "run", raising)


def interrupt():
    raise KeyboardInterrupt


def test_interrupted_run_says_what_is_done_and_leaves_unknown_in_the_log(account, monkeypatch):
    cut_off(monkeypatch, at=1, error=interrupt)
    done = account.run("ai-limit", "set", "--where", "true", "321", "--yes", "--pace", "0", "--json")
    assert (done.code, outcomes(done)) == (130, ["applied", "unknown", "skipped"])
    rows = account.read("log")["changes"]
    assert [(row["website"], row["outcome"]) for row in rows] == [
        (account.sites[0], "applied"),
        (account.sites[1], "unknown"),
    ]
    assert "1 unknown" in account.run("log").err


def test_lost_response_is_applied_when_read_back_and_else_unknown(account, faults):
    words = ("ai-limit", "set", "--where", f"id == {account.first}", "--yes")
    faults({"fault": "lost_response", "route": "ai_limit/set"})
    assert account.run(*words, "55").code == 0
    unreadable = {"fault": "status", "status": 404, "route": "website"}
    faults({"fault": "lost_response", "route": "ai_limit/set"}, unreadable)
    assert account.run(*words, "56").code == 1
    faults()
    assert [row["outcome"] for row in account.read("log")["changes"]] == ["applied", "unknown"]
    assert limits(account)[0] == 56


def test_change_is_not_sent_when_the_log_cannot_be_written(account, tmp_path):
    account.run("log")
    with sqlite3.connect(tmp_path / "state" / "state.sqlite") as database:
        database.execute("DROP TABLE reseller_change")
    for chosen, code in (((account.first,), 2), (("--where", "true", "--yes"), 1)):
        done = account.run("website", "disable", *chosen)
        assert done.code == code
        assert "a table of it is missing" in done.out + done.err or "cannot be used" in done.out + done.err
    assert all(site["enabled"] for site in account.read("websites", "list")["websites"])


def test_log_says_when_who_what_and_how_it_ended(account):
    account.run("website", "disable", account.first)
    account.run("domain", "add", account.first, "shop.example")
    account.run(
        "settings", "set", "brand=Ours", "notifyLink=https://u:planted-canary@a.example/x?key=planted-canary"
    )
    rows = account.read("log")["changes"]
    assert [(row["operation"], row["website"], row["old"], row["new"], row["outcome"]) for row in rows] == [
        ("website disable", int(account.first), True, False, "applied"),
        ("domain add", int(account.first), None, "shop.example", "applied"),
        (
            "settings set",
            None,
            {"brand": rows[2]["old"]["brand"], "notifyLink": rows[2]["old"]["notifyLink"]},
            {"brand": "Ours", "notifyLink": "https://a.example/x (cut)"},
            "applied",
        ),
    ]
    assert {(row["operator"], row["account"]) for row in rows} == {("ada", "reseller@example.com")}
    assert rows[0]["at"].endswith("+00:00")
    assert len(account.read("log", "--where", "website == null")["changes"]) == 1
    assert account.read("log", "--where", 'at < "2001-01-01"') == {"changes": []}


def test_account_is_changed_by_one_command_at_a_time(account, monkeypatch, tmp_path):
    monkeypatch.setattr("awning.publish.state.app_data_lock.PATIENCE_S", 0.0)
    before = account.read("websites", "list")
    url, email = (os.environ[f"AWNING_RESELLER_{name}"] for name in ("URL", "EMAIL"))
    with (
        find_reseller_client(url, email, os.environ) as client,
        closing(StateDir(tmp_path / "state").app_data_locks()) as locks,
        locks.holding(f"reseller {client.address} {client.email}"),
    ):
        for chosen in ((account.first,), ("--where", "true", "--yes")):
            done = account.run("ai-credits", "add", *chosen, "5")
            assert (done.code, "another `awning reseller` command" in done.err) == (1, True)
        assert account.run("ai-credits", "add", account.first, "5", "--dry-run").code == 0
    assert account.read("websites", "list") == before


@pytest.mark.parametrize("is_other", [False, True])
def test_account_is_free_while_the_user_is_asked(account, monkeypatch, is_other):
    monkeypatch.setattr("awning.publish.state.app_data_lock.PATIENCE_S", 0.0)
    done = []

    def other(_question, **_options):
        if is_other:
            done.append(account.run("ai-credits", "add", account.first, "7").code)
        return True

    monkeypatch.setattr("awning.cli.reseller.changing.is_confirmed", other)
    asked = account.run("ai-credits", "add", "--where", "true", "5")
    assert (asked.code, done) == ((1, [0]) if is_other else (0, []))
    assert ("changed while you were asked" in asked.err) is is_other


@both
def test_log_is_kept_in_each_store(kept_in, tmp_path):
    row = {"operator": "ada", "service": "s", "account": "a", "operation": "ai-credits add", "website": 7}
    with closing(ChangeLog.open(state_at(tmp_path / "state", kept_in.url))) as log:
        first, other = (log.begin({**row, "old": old, "new": {"n": "\0"}}) for old in (None, 5))
        log.end(other, CellOutcome.REFUSED, "no\0")
        rows = list(log.rows(UTC))
    assert [(r["id"], r["old"], r["outcome"]) for r in rows] == [
        (first, None, "unknown"),
        (other, 5, "refused"),
    ]
    assert rows[0]["website"] == 7
    assert rows[0]["at"].tzinfo is UTC


def test_log_has_no_password(account, monkeypatch, tmp_path):
    monkeypatch.setenv("AWNING_RESELLER_NEW_PASSWORD", "planted-canary new")
    assert account.run("password", "set").code == 0
    assert account.run("log").out.split("\n")[1].split()[-1] == "applied"
    for file in (tmp_path / "state").rglob("*"):
        assert file.is_dir() or b"planted-canary" not in file.read_bytes()


def test_log_without_a_workspace_is_among_the_users_settings(account, monkeypatch, tmp_path):
    monkeypatch.delenv("AWNING_STATE_DIR")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr("sys.platform", "linux")
    assert account.run("website", "disable", account.first).code == 0
    assert (tmp_path / "settings" / "awning" / "state" / "state.sqlite").exists()
    assert len(account.read("log")["changes"]) == 1


@pytest.mark.parametrize("name", [name for name in READ_ONLY_SETTINGS if name not in {"resellerID", "type"}])
def test_any_name_is_sent_and_read_back(account, name):
    assert account.run("settings", "set", f"{name}=x").code == 2
    done = account.run("settings", "set", f"{name}=x", "--any-name")
    assert (done.code, f"did not take {name}" in done.err) == (6, True)
    assert account.read("log")["changes"][-1]["outcome"] == "refused"


@pytest.mark.parametrize(
    "value",
    ["//me:planted-canary@a.example/x", "a.example/x?key=planted-canary", "me:planted-canary@a.example"],
)
def test_log_has_no_secret_of_an_address_without_a_scheme(account, value):
    dry = account.read("settings", "set", f"notifyLink={value}", "--any-name", "--dry-run")
    assert "planted-canary" not in json.dumps(dry)
    account.run("settings", "set", f"notifyLink={value}", "--any-name")
    account.run("settings", "set", "notifyLink=https://a.example/", "--any-name")
    assert "planted-canary" not in json.dumps(account.read("log"))
