"""`awning reseller ...` against the simulated service: every call as a subcommand, text, JSON, exit codes."""

import csv
import io
import json
from decimal import Decimal

import click
import pytest

from awning.cli.reseller import reseller
from awning.cli.reseller.table import as_csv
from awning.client.reseller import Money
from awning_harness.service.reseller import accounts

PASSWORD = "planted-canary horse"


def leaves(group, path=()):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


def test_every_call_is_a_subcommand_with_json():
    names = {" ".join(path) for path, _ in leaves(reseller)}
    assert names >= {
        "authorize", "logout", "websites list", "website show", "website enable", "website disable",
        "website enable-premium", "website disable-premium", "ai-limit set", "ai-credits add", "website login",
        "domains list", "domain add", "domain remove", "settings show", "settings set", "balance", "password set",
    }  # fmt: skip
    assert all(any(option.name == "as_json" for option in command.params) for _, command in leaves(reseller))
    assert not any(
        "password" in (o.name or "") or "token" in (o.name or "")
        for _, c in leaves(reseller)
        for o in c.params
    )


def test_unknown_setting_that_the_service_ignores_exits_6(account):
    done = account.run("settings", "set", "brnd=B", "brand=Ours", "zzz=1")
    assert (done.code, done.out) == (6, "")
    assert done.err.splitlines() == [
        'warning: "brnd" is not a known setting, did you mean "brand"?; it is sent nevertheless',
        'warning: "zzz" is not a known setting; it is sent nevertheless',
        "error: settings/set: the service answered with success, but did not take brnd, zzz; it took brand",
        "  hint: the settings that the service returns have no brnd, zzz",
    ]
    assert account.read("settings", "show")["settings"]["brand"] == "Ours"


def test_refused_unknown_setting_exits_6(account):
    account.service.assumptions.set("settings-forbidden", "refused")
    done = account.run("settings", "set", "zzz=1", "--json")
    account.service.assumptions.set("settings-forbidden", "ignored")
    assert done.code == 6


@pytest.mark.parametrize(
    ("words", "record", "verb"),
    [
        (("website", "show", "abc"), "website", "websites list"),
        (("domain", "remove", "1", "0"), "domain", "domains list"),
    ],
)
def test_number_that_is_none_names_the_command_that_lists_them(account, words, record, verb):
    done = account.run(*words)
    assert done.code == 2
    said = f"'{words[-1]}' is not the number of a {record}: `awning reseller {verb}` shows the numbers."
    assert said in done.err


def test_unknown_website_gets_a_hint(account):
    done = account.run("website", "show", "999999")
    assert done.code == 6
    assert "hint: `awning reseller websites list` shows the websites" in done.err


def test_address_of_another_api_gets_a_hint(account, running, monkeypatch):
    monkeypatch.setenv("AWNING_RESELLER_URL", running.apps_url)
    done = account.run("authorize")
    assert done.code == 6
    assert "hint: the answer has no errorCode: is AWNING_RESELLER_URL" in done.err


def test_refused_token_gets_a_hint(account, monkeypatch):
    monkeypatch.setenv("AWNING_RESELLER_TOKEN", "planted-canary-old")
    monkeypatch.delenv("AWNING_RESELLER_PASSWORD")
    done = account.run("balance")
    assert done.code == 6
    assert "hint: look at AWNING_RESELLER_TOKEN, or set" in done.err


def test_website_without_a_subscription_is_not_said_to_have_lost_one(account):
    assert account.read("website", "show", account.first)["website"]["plan"] == "free"
    done = account.run("website", "disable-premium", account.first)
    assert (done.code, done.out) == (0, f"website {account.first}: no paid subscription\n")


def test_website_commands_work_in_sequence(account):
    number = account.first
    assert account.read("authorize") == {"authorized": True}
    assert account.read("website", "disable", number) == {"website": int(number), "enabled": False}
    assert account.read("website", "enable-premium", number, "premiumpro")["plan"] == "premiumpro"
    assert account.read("ai-limit", "set", number, "20")["ai_limit"] == 20
    assert account.read("ai-credits", "add", number, "30")["added"] == 30
    account.service.resellers.spend(account.id, int(number), 25)
    assert account.read("domain", "add", number, "bücher.example")["domain"] == "bücher.example"
    listed = account.read("domains", "list", number)["domains"]
    assert [entry["domain"] for entry in listed] == ["bücher.example"]
    assert account.read("domain", "remove", number, str(listed[0]["id"]))["domain_id"] == listed[0]["id"]
    website = account.read("website", "show", number)["website"]
    assert (website["plan"], website["enabled"], website["ai_spent"], website["ai_extra"]) == (
        "premiumpro",
        False,
        25,
        25,
    )
    assert website["created"].endswith("+00:00")
    assert account.read("website", "login", number)["login_url"].startswith("http://127.0.0.1")
    assert account.read("settings", "set", "brand=Ä = b", "aiDefaultLimit=5")["settings"]["brand"] == "Ä = b"
    assert account.read("settings", "show")["settings"]["aiDefaultLimit"] == 5
    balance = account.read("balance")["balance"]
    assert balance["ai_cost"] == {"currency": "EUR", "amount": "0.25"}
    assert account.read("website", "enable", number)["enabled"] is True
    assert account.read("website", "disable-premium", number)["plan"] == "free"


def test_text_output_is_a_table(account):
    text = account.run("websites", "list").out
    assert text.splitlines()[0].split()[:4] == ["id", "brandname", "plan", "enabled"]
    assert len(text.splitlines()) == 4
    assert "current" in account.run("balance").out
    assert "EUR 0.00" in account.run("balance").out
    assert "contactName" in account.run("settings", "show").out
    assert "owner_email" in account.run("website", "show", account.first).out
    assert account.run("domains", "list", account.first).out == "no domains\n"
    assert account.run("website", "enable", account.first).out == f"website {account.first}: enabled\n"


def test_lists_are_filtered_sorted_and_written_as_csv(account):
    first, two, three = account.sites
    for site, spent in ((first, 10), (two, 90), (three, 50)):
        account.service.resellers.spend(account.id, site, spent)
    listed = account.read("websites", "list", "--where", "ai_spent >= 0.5 * ai_limit", "--sort", "-ai_spent")
    assert [entry["id"] for entry in listed["websites"]] == [two, three]
    written = account.run("websites", "list", "--csv", "--columns", "id,ai_spent", "--sort", "ai_spent").out
    assert list(csv.reader(io.StringIO(written))) == [
        ["id", "ai_spent"],
        [str(first), "10"],
        [str(three), "50"],
        [str(two), "90"],
    ]
    assert account.run("websites", "list", "--where", "id == 0").out == "no websites\n"
    assert account.run("websites", "list", "--sort", "accessed").code == 0


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("a\rb\nc", "a\\rb\\nc"),
        ("\x1b[2K\0x", "\\x1b[2K\\x00x"),
        ("\u202eabc\u2028", "\\u202eabc\\u2028"),
        ("=1+1", "'=1+1"),
        ("  @x", "'  @x"),
        ("\uff1d1", "'\uff1d1"),
        ('a"b,c;d', 'a"b,c;d'),
        ("", ""),
        (None, ""),
        (-5, "-5"),
        (Decimal("-0.5"), "-0.5"),
        (Money("KWD", Decimal(-1)), "KWD -1.000"),
    ],
)
def test_cell_of_csv_is_one_line_and_no_formula(value, cell):
    text = as_csv(("a", "b"), [{"a": value, "b": "x"}])
    assert text.count("\n") == 2
    assert list(csv.reader(io.StringIO(text, newline="")))[1] == [cell, "x"]


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("websites", "list", "--where", "premium and os.system('x')"), 2, "not part of a condition"),
        (("websites", "list", "--columns", "id,nix"), 2, 'no column "nix"'),
        (("ai-limit", "set", "1", "1.5"), 2, "not a whole number"),
        (("ai-limit", "set", "1", "-1"), 2, "from 0 to 1000000"),
        (("ai-limit", "set", "1", "1000001"), 2, "from 0 to 1000000"),
        (("ai-credits", "add", "1", "abc"), 2, "not a whole number"),
        (("ai-credits", "add", "1", "0"), 2, "from 1 to 1000000"),
        (("website", "enable-premium", "1", "gold"), 2, "gold"),
        (("website", "show", "x"), 2, "x"),
        (("website", "show", "9999"), 6, "Website not found"),
        (("domain", "add", "1", "www.shop.example"), 2, "without www"),
        (("settings", "set", "company=x"), 2, "cannot be changed"),
        (("settings", "set", "brand"), 2, "NAME=VALUE"),
        (("logout",), 2, "no token"),
        (("websites", "list", "--csv", "--json"), 2, "exclude each other"),
        (("websites", "list", "--where", ""), 2, "the condition is empty"),
        (("websites", "list", "--columns", "id,brandnam"), 2, 'did you mean "brandname"'),
        (("websites", "list", "--sort", "-"), 2, "--sort needs one field"),
        (("websites", "list", "--sort", ","), 2, "--sort needs one field"),
        (("websites", "list", "--sort", ""), 2, "--sort needs one field"),
        (("websites", "list", "--sort", "id,plan"), 2, "--sort needs one field"),
        (("websites", "list", "--sort", "id plan", "--json"), 2, "--sort needs one field"),
        (("websites", "list", "--sort", "-brandnam"), 2, 'did you mean "brandname"'),
        (("websites", "list", "--columns", ","), 2, "--columns needs a field"),
        (("websites", "list", "--csv", "--columns", ""), 2, "--columns needs a field"),
        (("report", "--json", "--format", "html"), 2, "exclude each other"),
        (("report", "--at", "soon"), 2, "not a date and time"),
        (("report", "--at", "9999-12-31"), 2, "its year is out of range"),
        (("report", "--at", "0001-01-01T00:00:00+14:00"), 2, "its year is out of range"),
        (("website", "enable-premium", "1", "premuim"), 2, 'did you mean "premium"'),
        (("settings", "set", "aiDefaultLimit=many"), 2, "aiDefaultLimit must be a whole number"),
    ],
)
def test_error_is_reported_with_its_exit_code(account, words, code, error):
    done = account.run(*words)
    message = json.loads(done.out)["error"] if "--json" in words else done.err
    assert (done.code, error in message) == (code, True)
    assert done.out == "" or "--json" in words


def test_upcoming_fails_only_when_asked_and_selects(account):
    assert account.run("upcoming").out == "nothing in 30 days\n"
    assert account.run("upcoming", "--fail").code == 0
    account.run("ai-credits", "add", account.first, "5")
    listed = account.read("upcoming", "--days", "301")["upcoming"]
    assert [(row["kind"], row["website"], row["credits"]) for row in listed] == [
        ("expiry", int(account.first), 5)
    ]
    assert account.run("upcoming", "--days", "301", "--fail").code == 1
    assert account.run("upcoming", "--days", "301", "--fail", "--where", f"id != {account.first}").code == 0
    assert account.run("upcoming", "--days", "301", "--csv").out.splitlines()[0].startswith("at,kind,website")


def test_refusal_exits_6(account, monkeypatch):
    account.service.resellers.change(account.id, ai_pricing="free")
    assert account.run("ai-credits", "add", account.first, "5").code == 6
    done = account.run("ai-limit", "set", account.first, "101")
    assert (done.code, "100 monthly AI credits" in done.err) == (6, True)
    monkeypatch.setenv("AWNING_RESELLER_PASSWORD", "wrong")
    done = account.run("balance")
    assert (done.code, "AWNING_RESELLER_EMAIL and AWNING_RESELLER_PASSWORD" in done.err) == (6, True), (
        done.err
    )


def test_password_is_read_from_a_file_and_reported_when_missing(account, monkeypatch, tmp_path):
    monkeypatch.delenv("AWNING_RESELLER_PASSWORD")
    done = account.run("balance")
    assert (done.code, "AWNING_RESELLER_PASSWORD" in done.err) == (2, True)
    (tmp_path / "secret").write_text(PASSWORD + "\n")
    monkeypatch.setenv("AWNING_RESELLER_PASSWORD_FILE", str(tmp_path / "secret"))
    assert account.run("balance").code == 0


def test_password_set_does_not_print_the_password(account, monkeypatch):
    monkeypatch.setenv("AWNING_RESELLER_NEW_PASSWORD", "another horse")
    done = account.run("password", "set")
    assert (done.code, "another horse" in done.out + done.err) == (0, False)
    monkeypatch.setenv("AWNING_RESELLER_PASSWORD", "another horse")
    assert account.run("authorize").out == "authorized\n"


def test_given_token_is_used_and_ended_by_logout(account, monkeypatch):
    with account.service.database.writing() as db:
        token = accounts.add_token(db, account.id, account.service.clock.now())
    monkeypatch.setenv("AWNING_RESELLER_TOKEN", token)
    monkeypatch.delenv("AWNING_RESELLER_PASSWORD")
    assert account.run("balance").code == 0
    assert account.run("logout").out == "logged out\n"
    done = account.run("balance")
    assert (done.code, token in done.err) == (6, False)


def test_missing_reseller_url_is_reported(account, monkeypatch):
    monkeypatch.delenv("AWNING_RESELLER_URL")
    done = account.run("balance")
    assert (done.code, "AWNING_RESELLER_URL" in done.err) == (2, True)
