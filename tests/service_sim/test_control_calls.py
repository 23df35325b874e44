"""The control API: every call, and the messages for invalid bodies."""

import json
from datetime import UTC, datetime

import pytest

from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS


def test_control_calls_create_websites_apps_and_instances(control):
    website = control.call("POST", "websites", {"languages": ["en"], "brandname": "Shop"})[1]
    assert website == {"error": False, "website_id": 1, "url": "http://127.0.0.1/1/"}
    app = control.call("POST", "apps", {"app_title": "A"})[1]
    assert app["app_id"] == 1
    assert app["api_key"].startswith("SVC-")
    assert len(app["api_key"]) == 36
    instance = control.call("POST", "instances", {"app_id": 1, "website_id": 1})[1]
    assert control.service.instance(instance["authCode"]).state == "installed"
    instance = control.call("POST", "instances", {"app_id": 1, "website_id": 1, "state": "installing"})[1]
    assert control.service.instance(instance["authCode"]).state == "installing"


def test_empty_body_creates_a_website_with_default_languages(control):
    control.call("POST", "websites")
    assert control.service.website(1).languages == ("lv", "en", "de")


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "message"),
    [
        (
            "POST",
            "websites",
            {"language": ["lv"]},
            400,
            'unknown field "language": did you mean "languages"?',
        ),
        ("POST", "websites", {"languages": "lv"}, 400, "languages must be a list"),
        ("POST", "websites", {"languages": [1]}, 400, "languages[0] must be a string"),
        ("POST", "websites", {"languages": []}, 400, "languages must hold at least one language code"),
        ("POST", "websites", {"languages": ["<b>"]}, 400, "languages must hold at least one language code"),
        ("POST", "websites", {"email_confirmed": 1}, 400, "email_confirmed must be true or false"),
        ("POST", "websites", [1], 400, "the body must be an object"),
        ("POST", "websites", b"{", 400, "the body is not JSON: it ends too early"),
        ("POST", "apps", {"app_default_snippet": 5}, 400, "app_default_snippet and "),
        ("PUT", "apps/7", {}, 404, "there is no app 7"),
        ("POST", "instances", {"website_id": 1}, 400, "app_id is required"),
        ("POST", "instances", {"app_id": True, "website_id": 1}, 400, "app_id must be a whole number"),
        ("POST", "instances", {"app_id": 9, "website_id": 1}, 404, "there is no app 9"),
        (
            "POST",
            "instances",
            {"app_id": 10**30, "website_id": 1},
            400,
            "app_id must be a whole number of at most 9007199254740992",
        ),
        ("POST", "websites/9/purge", {}, 404, "there is no website 9"),
        ("PUT", "clock", {"now": "tomorrow"}, 400, "now must be a date and time"),
        ("PUT", "clock", {"advance": 1e15}, 400, "the clock can only be set from"),
        ("PUT", "clock", {"now": "9999-12-31T23:59:59.5Z"}, 400, "the clock can only be set from"),
        ("PUT", "clock", {"now": "9999-12-31T23:59:59-12:00"}, 400, "the clock can only be set from"),
        (
            "PUT",
            "clock",
            {"now": "0001-01-01T00:00:00Z", "frozen": True},
            400,
            "the clock can only be set from",
        ),
        ("PUT", "clock", {"advance": "1"}, 400, "advance must be a number"),
        ("PUT", "faults", {}, 400, "the body must be a list"),
        ("PUT", "faults", [{"fault": "x"}], 400, 'unknown fault "x"'),
        ("PUT", "assumptions/unset-snipet", {"value": "x"}, 400, 'did you mean "unset-snippet"?'),
        ("PUT", "assumptions/unset-snippet", {"value": "nul"}, 400, 'did you mean "null"?'),
        ("PUT", "assumptions/unset-snippet", {}, 400, "value is required"),
        ("PUT", "assumptions", {"assumption_set": "hostil"}, 400, 'did you mean "hostile"?'),
        ("GET", "nothing", None, 404, "There are POST reset"),
        ("POST", f"websites/{'9' * 16}/purge", {}, 404, "There are POST reset"),
        ("PUT", f"apps/{'9' * 5000}", {}, 404, "There are POST reset"),
        ("GET", "reset", None, 405, "Method Not Allowed"),
        ("DELETE", "clock", None, 405, "Method Not Allowed"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_invalid_control_call_gets_a_message(control, method, path, body, status, message):
    answer = control.call(method, path, body)
    assert answer[0] == status
    assert answer[1]["error"] is True
    assert message in answer[1]["error_message"]


@pytest.mark.parametrize(
    ("body", "now", "frozen"),
    [
        ({"now": "2030-01-02T03:04:05Z", "frozen": True}, "2030-01-02T03:04:05+00:00", True),
        ({"now": "2030-01-02T03:04:05", "frozen": True}, "2030-01-02T03:04:05+00:00", True),
        ({"now": "2030-01-02T05:04:05+02:00", "frozen": True}, "2030-01-02T03:04:05+00:00", True),
        ({"now": "2030-01-01", "advance": 90, "frozen": True}, "2030-01-01T00:01:30+00:00", True),
        ({"now": "2030-01-01"}, "2030-01-01T00:00:0", False),
    ],
    ids=str,
)
def test_control_call_sets_the_clock(control, body, now, frozen):
    status, answer = control.call("PUT", "clock", body)
    assert status == 200
    assert answer["now"].startswith(now)
    assert answer["frozen"] is frozen
    assert control.service.clock.frozen is frozen


def test_frozen_clock_can_be_advanced_and_released(control):
    control.call("PUT", "clock", {"now": "2030-01-01T00:00:00Z", "frozen": True})
    assert control.call("PUT", "clock", {"advance": 3600})[1]["now"] == "2030-01-01T01:00:00+00:00"
    assert control.call("PUT", "clock", {"advance": -0.5})[1]["now"] == "2030-01-01T00:59:59.500000+00:00"
    assert control.call("PUT", "clock", {})[1]["frozen"] is False
    assert abs((control.service.clock.now() - datetime.now(UTC)).total_seconds()) < 60


def test_assumptions_are_listed_with_alternatives_and_sources_and_can_be_set(control):
    listed = control.call("GET", "assumptions")[1]["assumptions"]
    assert [entry["id"] for entry in listed] == list(ASSUMPTIONS)
    assert all(entry["source"] and entry["value"] in entry["alternatives"] for entry in listed)
    assert control.call("PUT", "assumptions/unset-snippet", {"value": "empty"})[0] == 200
    values = {e["id"]: e["value"] for e in control.call("GET", "assumptions")[1]["assumptions"]}
    assert values["unset-snippet"] == "empty"


@pytest.mark.parametrize("name", ASSUMPTION_SETS)
def test_assumption_set_sets_every_assumption(control, name):
    answer = control.call("PUT", "assumptions", {"assumption_set": name})[1]
    assert answer["assumption_set"] == name
    assert all(entry["value"] == entry["sets"][name] for entry in answer["assumptions"])


def test_faults_are_put_shown_and_cleared(control):
    rule = {"fault": "delay", "ms": 5, "share": 0.5, "route": "set_snippet", "seed": 1}
    assert control.call("PUT", "faults", [rule])[1]["faults"] == [rule]
    assert control.call("GET", "faults")[1]["faults"] == [rule]
    assert control.call("PUT", "faults", [])[1]["faults"] == []


def test_reset_deletes_everything_but_the_assumptions(control):
    control.call("POST", "websites")
    control.call("PUT", "faults", [{"fault": "refused"}])
    control.call("PUT", "clock", {"now": "2030-01-01", "frozen": True})
    control.call("PUT", "assumptions/unset-snippet", {"value": "empty"})
    assert control.call("POST", "reset")[0] == 200
    assert control.service.websites() == ()
    assert control.service.faults.listing() == []
    assert not control.service.clock.frozen
    assert control.service.assumptions["unset-snippet"] == "empty"
    assert control.call("POST", "websites")[1]["website_id"] == 1


def test_purging_a_website_shows_a_changed_default_at_once(control, caller):
    def shown():
        return control.service.page_snippets(caller.website_id, "lv")[0].body

    assert shown() == "<b>default</b>"
    control.call("PUT", f"apps/{caller.app_id}", {"app_title": "A", "app_default_snippet": "new"})
    assert shown() == "<b>default</b>"
    control.call("POST", f"websites/{caller.website_id}/purge")
    assert shown() == "new"


def test_request_log_contains_no_secrets(control, caller):
    caller.call("POST", "/apps/set_data/", {"data": "planted-data"})
    caller.answer("GET", f"/apps/{caller.auth_code}/")
    caller.answer("GET", "/apps/languages/", authorization="ApiKey planted-key-planted-key")
    text = json.dumps(control.call("GET", "requests")[1])
    for secret in (caller.api_key, caller.auth_code, "planted"):
        assert secret not in text
    entries = json.loads(text)["requests"]
    assert [(e["operation"], e["status"]) for e in entries] == [
        ("set_data", 200),
        (None, 404),
        ("languages", 401),
    ]
    assert entries[0]["instance_id"] == 1
