"""The tables of the specification: every path, field and error; and the ways to send a call."""

import json
import re

import pytest

from awning.contract.reseller_calls import DOMAIN, RESELLER_CALLS, SUBSCRIPTION, WEBSITE
from awning.contract.reseller_fields import (
    BALANCE_FIELDS,
    DOMAIN_FIELDS,
    OBSERVED_SETTINGS_FIELDS,
    SETTINGS_FIELDS,
    WEBSITE_FIELDS,
)
from awning_harness.service.reseller.operations import OPERATIONS

EMAIL, PASSWORD = "reseller@example.com", "planted-canary horse"
FORM_OF = {
    "string": re.compile(r".*"),
    "datetime": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"),
    "url": re.compile(r"(https?://.+)?"),
    "money": re.compile(r"[A-Z]{3} ?[\d,]+\.\d\d"),
}


def holds(value, field) -> bool:
    if value is None:
        return field.nullable
    if field.kind in {"integer", "boolean"}:
        return type(value) is {"integer": int, "boolean": bool}[field.kind]
    return isinstance(value, str) and FORM_OF[field.kind].fullmatch(value) is not None


def filled(call, caller) -> str:
    path = call.path.removeprefix("/api/").replace(WEBSITE, str(caller.sites[0]))
    return path.replace(SUBSCRIPTION, "premiumplus").replace(DOMAIN, "1")


GIVEN = {
    "authorize": {"email": EMAIL, "password": PASSWORD},
    "ai_limit/set": {"credits": "5"},
    "ai_credits/add": {"credits": "5"},
    "domain/add": {"domain": "shop.example"},
    "password/set": {"password": "new"},
}


def test_all_18_paths_have_an_operation():
    assert len(RESELLER_CALLS) == 18
    assert [call.operation for call in RESELLER_CALLS] == list(OPERATIONS)


WAYS = {
    f"{method} {where} {slash}".rstrip(): (method, where, slash)
    for method in ("GET", "POST")
    for where in ("query", "fields")
    for slash in ("/", "")
}
SENT = [(call, "POST fields /") for call in RESELLER_CALLS if call.operation != "ai_limit/set"]
SENT += [(call, way) for call in RESELLER_CALLS if call.operation == "ai_limit/set" for way in WAYS]
"""Each call in one way, and one call in all ways to send it: reading a request knows no operations."""


@pytest.mark.parametrize(("call", "way"), SENT, ids=[f"{call.operation} by {way}" for call, way in SENT])
def test_every_call_works_by_get_and_post_with_query_or_form(caller, call, way):
    method, where, slash = WAYS[way]
    caller.on("domain/add/", domain="first.example")
    parameters = {"apiToken": caller.token, **GIVEN.get(call.operation, {})}
    path = filled(call, caller).removesuffix("/") + slash
    sent = {where: parameters}
    answer = caller.answer(path, method=method, **sent)
    fields = json.loads(answer.body)
    assert (answer.status, fields["error"]) == (200, False)
    assert set(call.response) <= set(fields)
    logged = caller.service.requests()[-1]
    assert (logged.operation, logged.path) == (call.operation, call.path)
    assert caller.token not in repr(logged)


WITH_TOKEN = [call for call in RESELLER_CALLS if call.token]
INVALID = [(call, None) for call in WITH_TOKEN] + [(WITH_TOKEN[0], token) for token in ("", "0" * 32, "ä")]


@pytest.mark.parametrize(
    ("call", "token"), INVALID, ids=[f"{call.operation} with {token}" for call, token in INVALID]
)
def test_every_call_but_authorize_needs_a_valid_token(caller, call, token):
    before = caller.website()
    fields = GIVEN.get(call.operation, {}) | ({} if token is None else {"apiToken": token})
    answer = caller.answer(filled(call, caller), fields)
    assert answer.status == 200
    assert json.loads(answer.body) == {"error": True, "errorCode": 401, "errorMsg": "Unauthorized"}
    assert caller.website() == before


def test_website_has_the_fields_of_the_table_in_type_and_order(caller):
    listed = caller.call("websites/")["websites"]
    assert [w["websiteID"] for w in listed] == list(caller.sites)
    assert caller.website() == listed[0]
    assert list(listed[0]) == [field.name for field in WEBSITE_FIELDS]
    assert [f.name for f in WEBSITE_FIELDS if not holds(listed[0][f.name], f)] == []
    assert listed[0]["websiteAccessed"] is None
    assert listed[0]["aiExtraCreditsValidUntil"] is None


def test_settings_balance_and_domains_have_the_fields_of_their_tables(caller):
    settings = caller.call("settings/")
    for field in (*SETTINGS_FIELDS, *OBSERVED_SETTINGS_FIELDS):
        assert holds(settings.pop(field.name), field), field
    balance = caller.call("balance/")
    for field in BALANCE_FIELDS:
        assert holds(balance.pop(field.name), field), field
    assert settings == balance == {"error": False}
    caller.on("domain/add/", domain="shop.example")
    assert caller.on("domains/")["domains"] == [{"domainID": 1, "domain": "shop.example"}]
    assert [field.name for field in DOMAIN_FIELDS] == ["domainID", "domain"]


CREDITS = ["1.5", "-1", "1000001", "abc", "", " 1", "1e3", "٣", "+1", "0x1", "1_0", None]


@pytest.mark.parametrize("amount", CREDITS)
@pytest.mark.parametrize("path", ["ai_limit/set/", "ai_credits/add/"])
def test_507_for_a_bad_amount_of_credits(caller, path, amount):
    fields = {} if amount is None else {"credits": amount}
    before = caller.website()
    assert caller.on(path, **fields) == {"error": True, "errorCode": 507, "errorMsg": "Bad AI credits amount"}
    assert caller.website() == before


def test_credits_0_is_valid_as_limit_only_and_a_million_for_both(caller):
    assert caller.on("ai_limit/set/", credits="0")["error"] is False
    assert caller.on("ai_credits/add/", credits="0")["errorCode"] == 507
    assert caller.on("ai_limit/set/", credits="1000000")["error"] is False
    assert caller.on("ai_credits/add/", credits="1000000")["error"] is False


def test_508_for_extra_credits_while_credits_are_free(free):
    answer = free.on("ai_credits/add/", credits="5")
    assert (answer["error"], answer["errorCode"], bool(answer["errorMsg"])) == (True, 508, True)


def test_509_with_max_credits_above_the_plan_while_credits_are_free(free):
    answer = free.on("ai_limit/set/", credits="101")
    assert (answer["errorCode"], answer["maxCredits"]) == (509, 100)
    assert free.on("ai_limit/set/", credits="100")["error"] is False
    free.on("enable_premium/premiumpro/")
    assert free.on("ai_limit/set/", credits="5001")["maxCredits"] == 5000


@pytest.mark.parametrize("path", ["ai_limit/set/", "ai_credits/add/"])
def test_601_until_the_signup_fee_is_paid(caller, path):
    caller.change(fee_paid=False)
    assert caller.on(path, credits="5")["errorCode"] == 601
    assert caller.call("balance/")["signupFeeLink"].startswith("http")
    caller.change(fee_paid=True)
    assert caller.on(path, credits="5")["error"] is False
    assert "signupFeeLink" not in caller.call("balance/")


@pytest.mark.parametrize(
    ("path", "fields", "code"),
    [
        ("website/999999/", {}, 404),
        ("website/abc/", {}, 404),
        ("website/1/enable_premium/gold/", {}, 400),
        ("website/1/domain/add/", {"domain": "www.shop.example"}, 400),
        ("website/1/domain/add/", {"domain": "no dots"}, 400),
        ("website/1/domain/add/", {}, 400),
        ("website/1/domain/77/remove/", {}, 404),
        ("website/1/domain/x/remove/", {}, 404),
        ("settings/set/", {"aiDefaultLimit": "many"}, 400),
        ("password/set/", {}, 400),
        ("nothing/", {}, 404),
        ("websites/", {"callback": "alert(1)"}, 400),
    ],
)
def test_undocumented_error_has_its_code_and_changes_nothing(caller, path, fields, code):
    before = caller.website(), caller.call("settings/"), caller.call("balance/")
    answer = caller.call(path, **fields)
    assert (answer["error"], answer["errorCode"]) == (True, code)
    assert (caller.website(), caller.call("settings/"), caller.call("balance/")) == before


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [("websites/", {"apiToken": "x"}, 401), ("website/0/", {}, 404), ("website/1/ai_limit/set/", {}, 400)],
)
def test_errors_have_a_4xx_status_when_assumed(caller, path, fields, status):
    caller.assume("reseller-error-status", "4xx")
    assert caller.answer(path, {"apiToken": caller.token, **fields}).status == status


def test_jsonp_wraps_success_and_failure_in_the_callback(caller):
    for token, error in ((caller.token, False), ("x", True)):
        query = {"apiToken": token, "callback": "jQuery3_1.done", "_": "1700000000000"}
        answer = caller.answer("websites/", method="GET", query=query)
        assert answer.content_type.startswith(b"application/javascript")
        wrapped = re.fullmatch(rb"jQuery3_1\.done\((.*)\);", answer.body)
        assert json.loads(wrapped[1])["error"] is error


@pytest.mark.parametrize("name", ["alert(1)", "a;b", "1a", "", "a..b", "a b", "ä", "a" * 200])
def test_jsonp_callback_that_is_not_an_identifier_is_400(caller, name):
    answer = caller.answer("websites/", {"apiToken": caller.token, "callback": name})
    assert answer.content_type == b"application/json"
    assert json.loads(answer.body)["errorCode"] == 400


def test_multipart_body_of_php_is_read(caller):
    parts = {"apiToken": caller.token, "credits": "7"}
    text = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in parts.items()
    )
    caller.answer(
        f"website/{caller.sites[0]}/ai_limit/set/",
        content_type="multipart/form-data; boundary=b",
        body=f"{text}--b--\r\n".encode(),
    )
    assert caller.website()["aiMonthlyLimit"] == 7


def test_observed_older_paths_work(caller):
    caller.on("enable_premium/")
    assert caller.website()["websiteIsPremium"] is True
    for path in ("website/enable_premium/premiumpro/", "enable_premium/premiumpro"):
        caller.on("disable_premium/", 1)
        caller.call(path, website=str(caller.sites[1]))
        assert caller.website(1)["websiteIsPremiumPro"] is True
    assert caller.call("website/", website=str(caller.sites[1]))["website"]["websiteID"] == caller.sites[1]


def test_dates_are_in_the_assumed_zone(caller):
    assert caller.website()["websiteCreated"] == "2026-03-10 12:00:00"
    caller.assume("reseller-time-zone", "+02:00")
    assert caller.website()["websiteCreated"] == "2026-03-10 14:00:00"
