"""Accounts, tokens, passwords, approval, settings, states of websites, login links, domains and control calls."""

import json
from datetime import timedelta

import pytest
from asgi_calls import ask

from awning.contract.reseller_fields import ASSUMED_SETTABLE, OBSERVED_SETTABLE, READ_ONLY_SETTINGS
from awning_harness.service import Service
from awning_harness.service.reseller.api import ResellerApi

EMAIL, PASSWORD = "reseller@example.com", "planted-canary horse"
UNAUTHORIZED = {"error": True, "errorCode": 401, "errorMsg": "Unauthorized"}


def wait(caller, **time):
    caller.service.clock.advance(timedelta(**time))


@pytest.mark.parametrize(
    ("email", "password"),
    [(EMAIL, "wrong"), ("nobody@example.com", PASSWORD), (EMAIL, ""), ("", ""), (EMAIL, PASSWORD + " ")],
)
def test_wrong_credentials_are_401(caller, email, password):
    assert caller.call("authorize/", email=email, password=password) == UNAUTHORIZED


def test_token_is_32_hex_digits_and_logout_ends_only_that_token(caller):
    first, second = caller.token, caller.authorize()
    assert len(first) == len(second) == 32
    assert int(first, 16) != int(second, 16)
    caller.call("authorize/logout/")
    assert caller.call("websites/") == UNAUTHORIZED
    caller.token = first
    assert caller.call("websites/")["error"] is False


def test_only_approved_accounts_are_served(caller):
    caller.change(approved=False)
    assert caller.call("websites/") == UNAUTHORIZED
    assert caller.call("authorize/", email=EMAIL, password=PASSWORD) == UNAUTHORIZED
    caller.change(approved=True)
    assert caller.call("websites/")["error"] is False


@pytest.mark.parametrize(("value", "valid_for_s"), [("86400", 86400), ("60", 60), ("17", 17)])
def test_token_expires_after_its_assumed_lifetime(caller, value, valid_for_s):
    caller.assume("token-lifetime", value)
    wait(caller, seconds=valid_for_s - 1)
    assert caller.call("websites/")["error"] is False
    wait(caller, seconds=1)
    assert caller.call("websites/") == UNAUTHORIZED


def test_token_never_expires_with_lifetime_0(caller):
    caller.assume("token-lifetime", "0")
    wait(caller, days=1000)
    assert caller.call("websites/")["error"] is False


@pytest.mark.parametrize(("value", "old_is_valid"), [("kept", True), ("replaced", False)])
def test_second_authorize_keeps_or_revokes_earlier_tokens_as_assumed(caller, value, old_is_valid):
    caller.assume("second-authorize", value)
    old = caller.token
    caller.authorize()
    assert (caller.call("websites/", apiToken=old)["error"] is False) is old_is_valid
    assert caller.call("websites/")["error"] is False


@pytest.mark.parametrize(("value", "old_is_valid"), [("kept", True), ("revoked", False)])
def test_password_change_keeps_or_revokes_tokens_as_assumed(caller, value, old_is_valid):
    caller.assume("password-tokens", value)
    assert caller.call("password/set/", password="new one")["error"] is False
    assert (caller.call("websites/")["error"] is False) is old_is_valid
    assert caller.call("authorize/", email=EMAIL, password=PASSWORD) == UNAUTHORIZED
    assert caller.call("authorize/", email=EMAIL.upper(), password="new one")["error"] is False


SAME_EMAILS = [EMAIL, EMAIL.upper(), f" {EMAIL}\n"]


@pytest.mark.parametrize("email", SAME_EMAILS)
def test_an_account_has_its_email_alone_in_any_case(caller, email):
    resellers = caller.service.resellers
    with pytest.raises(ValueError, match="exists already"):
        resellers.create(email=email, password="x")
    other = resellers.create(email="other@example.com", password="x")
    with pytest.raises(ValueError, match="exists already"):
        resellers.change(other, email=email)
    caller.change(email=email)
    assert [reseller.email for reseller in resellers.all()] == [email.strip(), "other@example.com"]
    assert caller.call("authorize/", email=email, password=PASSWORD)["error"] is False


@pytest.mark.parametrize("email", ["", " "])
def test_an_email_without_characters_is_a_value_error(caller, email):
    for call in (caller.change, caller.service.resellers.create):
        with pytest.raises(ValueError, match="must not be empty"):
            call(email=email, password="x")


@pytest.mark.parametrize(("value", "is_accepted"), [("ignored", True), ("matters", False)])
def test_email_in_another_case_is_accepted_as_assumed(caller, value, is_accepted):
    caller.assume("reseller-email-case", value)
    answer = caller.call("authorize/", email=EMAIL.upper(), password=PASSWORD)
    assert (answer["error"] is False) is is_accepted
    assert is_accepted or answer == UNAUTHORIZED
    assert caller.call("authorize/", email=EMAIL, password=PASSWORD)["error"] is False


def test_password_and_token_are_not_stored_in_plain_text(tmp_path):
    service = Service(tmp_path / "s.db")
    service.resellers.create(email=EMAIL, password=PASSWORD)
    body = f"email={EMAIL}&password={PASSWORD}".encode()
    token = json.loads(ask(ResellerApi(service), "POST", "/api/authorize/", body=body).body)["apiToken"]
    service.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in stored
    assert bytes.fromhex(token) not in stored
    assert PASSWORD.encode() not in stored
    again = Service(tmp_path / "s.db")
    answer = ask(ResellerApi(again), "GET", "/api/settings", query=f"apiToken={token}")
    assert json.loads(answer.body)["resellerID"] == 1
    again.close()


@pytest.mark.parametrize("name", [*OBSERVED_SETTABLE, "contactWebsite"])
def test_each_writable_setting_can_be_changed(caller, name):
    before = caller.call("settings/")
    assert caller.call("settings/set/", **{name: "Ünï & x"}) == {"error": False}
    assert caller.call("settings/") == {**before, name: "Ünï & x"}
    caller.call("settings/set/", **{name: ""})
    assert caller.call("settings/") == before


@pytest.mark.parametrize("name", [*READ_ONLY_SETTINGS, "noSuchSetting"])
def test_read_only_setting_stays_while_others_change(caller, name):
    before = caller.call("settings/")
    assert caller.call("settings/set/", **{name: "9", "brand": "B"}) == {"error": False}
    assert caller.call("settings/") == {**before, "brand": "B"}


@pytest.mark.parametrize(("value", "changed"), [("ignored", True), ("refused", False)])
def test_read_only_settings_are_handled_as_assumed(caller, value, changed):
    caller.assume("settings-forbidden", value)
    answer = caller.call("settings/set/", company="9", brand="B")
    assert (answer["error"], caller.call("settings/")["brand"] == "B") == (not changed, changed)


@pytest.mark.parametrize("name", ASSUMED_SETTABLE)
@pytest.mark.parametrize(("value", "changed"), [("yes", True), ("no", False)])
def test_settings_of_unclear_status_are_taken_as_assumed(caller, name, value, changed):
    caller.assume(ASSUMED_SETTABLE[name], value)
    caller.call("settings/set/", **{name: "7"})
    assert (str(caller.call("settings/")[name]) == "7") is changed


def test_disable_and_enable_change_the_status_of_a_website(caller):
    caller.at("2026-03-11T08:00:00")
    assert caller.on("disable/") == {"error": False}
    assert (caller.website()["websiteStatus"], caller.website()["websiteModified"]) == (
        0,
        "2026-03-11 08:00:00",
    )
    assert caller.on("enable/") == {"error": False}
    assert caller.website()["websiteStatus"] == 1


def test_each_subscription_sets_exactly_its_flag(caller):
    names = {
        "premium": "websiteIsPremium",
        "premiumplus": "websiteIsPremiumPlus",
        "premiumpro": "websiteIsPremiumPro",
    }
    for subscription, flag in names.items():
        assert caller.on(f"enable_premium/{subscription}/") == {"error": False}
        assert [name for name in names.values() if caller.website()[name]] == [flag]
        assert caller.call("balance/")["premiumWebsites"] == 1
    assert caller.on("disable_premium/") == {"error": False}
    assert not any(caller.website()[name] for name in names.values())


def test_website_of_another_reseller_is_404(caller):
    other = caller.service.resellers.create(email="other", password="x", websites=1)
    foreign = caller.service.resellers.sites(other)[0].id
    for tail in ("", "enable/", "login/", "domains/", "ai_limit/set/"):
        assert caller.call(f"website/{foreign}/{tail}", credits="1")["errorCode"] == 404


def follow(caller, url, method="GET"):
    path = "/login/" + url.partition("/login/")[2]
    return ask(ResellerApi(caller.service), method, path)


def test_login_link_works_once_and_counts_as_an_access(caller):
    url = caller.on("login/")["loginUrl"]
    caller.at("2026-03-10T12:04:59")
    assert follow(caller, url, "HEAD").status == 405
    answer = follow(caller, url)
    assert (answer.status, dict(answer.headers)[b"location"]) == (
        303,
        caller.website()["websiteUrl"].encode(),
    )
    assert follow(caller, url).status == 410
    assert caller.website()["websiteAccessed"] == "2026-03-10 12:04:59"


@pytest.mark.parametrize(("value", "lives_s"), [("300", 300), ("60", 60)])
def test_login_link_expires_as_assumed(caller, value, lives_s):
    caller.assume("login-link-lifetime", value)
    url = caller.on("login/")["loginUrl"]
    wait(caller, seconds=lives_s)
    assert follow(caller, url).status == 410
    assert caller.website()["websiteAccessed"] is None


def names(caller, site=0):
    return [domain["domain"] for domain in caller.on("domains/", site)["domains"]]


def test_domains_are_added_listed_and_removed_by_their_id(caller):
    for name in ("shop.example", "Other.Example", "bücher.example"):
        assert caller.on("domain/add/", domain=name) == {"error": False}
    assert names(caller) == ["shop.example", "other.example", "bücher.example"]
    number = caller.on("domains/")["domains"][1]["domainID"]
    assert caller.on(f"domain/{number}/remove/", 1)["errorCode"] == 404
    assert caller.on(f"domain/{number}/remove/") == {"error": False}
    assert names(caller) == ["shop.example", "bücher.example"]
    assert caller.on("domain/add/", 1, domain="shop.example")["error"] is True
    caller.assume("domain-form", "ascii")
    assert names(caller) == ["shop.example", "xn--bcher-kva.example"]


@pytest.mark.parametrize(
    "name",
    ["", "example", ".example.com", "a..example", "-a.example", "a-.example", "a b.example", "http://a.example",
     "a.example/", "a.example:80", "1.2.3.4", "a" * 64 + ".example", "a." * 127 + "example", "x_y.example",
     "\0.example"],
)  # fmt: skip
def test_invalid_domain_name_is_refused(caller, name):
    assert caller.on("domain/add/", domain=name)["error"] is True
    assert names(caller) == []


@pytest.mark.parametrize(("value", "domains"), [("refused", []), ("stripped", ["shop.example"])])
def test_www_domain_is_handled_as_assumed(caller, value, domains):
    caller.assume("domain-www", value)
    assert caller.on("domain/add/", domain="www.shop.example")["error"] is not bool(domains)
    assert names(caller) == domains


@pytest.mark.parametrize(("value", "error"), [("refused", True), ("accepted", False)])
def test_domain_added_again_is_handled_as_assumed(caller, value, error):
    caller.assume("domain-again", value)
    caller.on("domain/add/", domain="shop.example")
    assert caller.on("domain/add/", domain="shop.example")["error"] is error
    assert names(caller) == ["shop.example"]


def test_control_calls_create_change_and_spend(caller):
    fields = {"email": "b@example.com", "password": "pw", "websites": 2, "ai_pricing": "priced"}
    status, answer = caller.control("POST", "resellers", fields)
    number = answer["reseller_id"]
    assert status == 200
    assert caller.control("PATCH", f"resellers/{number}", {"websites": 5, "approved": False})[0] == 200
    assert len(caller.service.resellers.sites(number)) == 5
    assert not caller.service.resellers.find(number).approved
    site = caller.service.resellers.sites(number)[0].id
    spent = caller.control("POST", f"resellers/{number}/spend", {"website_id": site, "credits": 130})[1]
    assert spent == {"error": False, "monthly": 100, "extra": 0, "unspent": 30}
    assert caller.control("POST", "reset", {})[0] == 200
    assert caller.service.resellers.all() == ()


def test_control_calls_set_read_only_fields(caller):
    assert (
        caller.control("PATCH", "resellers/1", {"type": 3, "domain": "r.example", "company": "R"})[0] == 200
    )
    settings = caller.call("settings/")
    assert (settings["type"], settings["domain"], settings["company"]) == (3, "r.example", "R")
    caller.call("settings/set/", company="Mine", type="1")
    assert caller.call("settings/")["company"] == "R"


@pytest.mark.parametrize("status", [1, 4, 0, 7])
def test_control_calls_set_the_status_of_a_website(caller, status):
    path = f"resellers/1/websites/{caller.website()['websiteID']}"
    answer = caller.control("PATCH", path, {"status": status})[1]
    assert answer["status"] == status
    assert caller.website()["websiteStatus"] == status


@pytest.mark.parametrize(("value", "error"), [("ignored", False), ("refused", True)])
def test_unknown_setting_is_handled_like_a_read_only_one(caller, value, error):
    caller.assume("settings-forbidden", value)
    assert caller.call("settings/set/", brand="B", colour="red")["error"] is error
    assert caller.call("settings/set/", brand="B", _="1")["error"] is False


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PATCH", "resellers/1", {"type": "3"}, 400),
        ("PATCH", "resellers/1/websites/1", {}, 400),
        ("PATCH", "resellers/1/websites/1", {"status": -1}, 400),
        ("PATCH", "resellers/1/websites/99", {"status": 1}, 404),
        ("PATCH", "resellers/9/websites/1", {"status": 1}, 404),
        ("POST", "resellers", {"email": "x"}, 400),
        ("POST", "resellers", {"email": EMAIL, "password": "x"}, 400),
        ("POST", "resellers", {"email": "x", "password": ""}, 400),
        ("POST", "resellers", {"email": "x", "password": "x", "websites": -1}, 400),
        ("POST", "resellers", {"email": "x", "password": "x", "ai_pricing": "cheap"}, 400),
        ("POST", "resellers", {"email": "x", "password": "x", "website": 1}, 400),
        ("PATCH", "resellers/1", {"websites": 1}, 400),
        ("PATCH", "resellers/1", {"ai_default_limit": -1}, 400),
        ("PATCH", "resellers/9", {}, 404),
        ("POST", "resellers/1/spend", {"website_id": 99, "credits": 1}, 404),
        ("POST", "resellers/1/spend", {"website_id": 1, "credits": -1}, 400),
        ("POST", "resellers/1/spend", {"website_id": 1, "credits": "1"}, 400),
    ],
)
def test_invalid_control_call_is_refused(caller, method, path, body, status):
    assert caller.control(method, path, body)[0] == status
