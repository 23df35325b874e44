"""Each answer of each assumption has its effect; a test checks that none is left out."""

from datetime import timedelta

import pytest

from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS
from awning.contract.assumptions.apps import APPS_ASSUMPTIONS
from awning.contract.assumptions.events import EVENT_ASSUMPTIONS
from awning.contract.assumptions.pages import PAGE_ASSUMPTIONS
from awning.contract.assumptions.reseller import RESELLER_ASSUMPTIONS

SET, GET, LV = "/apps/set_snippet/", "/apps/get_snippet/", "/apps/get_snippet/lv/"
TESTED_ELSEWHERE = {
    "data-insertion",
    "unset-data-insertion",
    "placeholder-order",
    "auth-code-case",
    "auth-code-twice",
    "auth-scheme-case",
    "version-form",
    "final-slash",
    "rate-limit",
    "sample-manifests",  # tests/manifest
    "unapproved-version",  # test_portal_flow.py
    "version-placeholder",
}
"""Tested in tests of their own, here or in other files."""

# assumption, value, calls before the last one, the last call, its status and (part of) its answer
ROWS = [
    ("unset-snippet", "null", [], ("GET", GET), 200, {"error": False, "snippet": None}),
    ("unset-snippet", "empty", [], ("GET", GET), 200, {"error": False, "snippet": ""}),
    ("unset-snippet", "absent", [], ("GET", LV), 200, {"error": False}),
    ("unset-snippet", "not-found", [], ("GET", GET), 404, {"error_code": 404}),
    ("language-fallback", "none", [("POST", SET, {"snippet": "a"})], ("GET", LV), 200, {"snippet": None}),
    ("language-fallback", "website", [("POST", SET, {"snippet": "a"})], ("GET", LV), 200, {"snippet": "a"}),
    (
        "unknown-language",
        "accepted",
        [],
        ("POST", SET, {"snippet": "a", "language": "fr"}),
        200,
        {"error": False},
    ),
    (
        "unknown-language",
        "refused",
        [],
        ("POST", SET, {"snippet": "a", "language": "fr"}),
        400,
        {"error": True},
    ),
    ("empty-snippet", "overrides", [("POST", SET, {"snippet": ""})], ("GET", GET), 200, {"snippet": ""}),
    (
        "empty-snippet",
        "clears",
        [("POST", SET, {"snippet": "a"}), ("POST", SET, {"snippet": ""})],
        ("GET", GET),
        200,
        {"snippet": None},
    ),
    ("null-snippet", "refused", [], ("POST", SET, {"snippet": None}), 400, {"error": True}),
    (
        "null-snippet",
        "clears",
        [("POST", SET, {"snippet": "a"}), ("POST", SET, {"snippet": None})],
        ("GET", GET),
        200,
        {"snippet": None},
    ),
    (
        "snippet-storage",
        "verbatim",
        [("POST", SET, {"snippet": " a\n"})],
        ("GET", GET),
        200,
        {"snippet": " a\n"},
    ),
    ("snippet-storage", "trimmed", [("POST", SET, {"snippet": " a\n"})], ("GET", GET), 200, {"snippet": "a"}),
    (
        "snippet-storage",
        "crlf",
        [("POST", SET, {"snippet": "a\nb\r\nc"})],
        ("GET", GET),
        200,
        {"snippet": "a\r\nb\r\nc"},
    ),
    ("snippet-size", "unlimited", [], ("POST", SET, {"snippet": "ā" * 40_000}), 200, {"error": False}),
    ("snippet-size", "65535", [], ("POST", SET, {"snippet": "ā" * 32_768}), 400, {"error": True}),
    (
        "snippet-size",
        "truncated",
        [("POST", SET, {"snippet": "ā" * 40_000})],
        ("GET", GET),
        200,
        {"snippet": "ā" * 32_767},
    ),
    ("data-list", "accepted", [], ("POST", "/apps/set_data/", {"data": []}), 200, {"error": False}),
    ("data-list", "refused", [], ("POST", "/apps/set_data/", {"data": []}), 400, {"error": True}),
    ("unset-data", "null", [], ("GET", "/apps/get_data/"), 200, {"error": False, "data": None}),
    ("unset-data", "empty", [], ("GET", "/apps/get_data/"), 200, {"data": ""}),
    ("unset-data", "list", [], ("GET", "/apps/get_data/"), 200, {"data": []}),
    ("unset-data", "absent", [], ("GET", "/apps/get_data/"), 200, {"error": False}),
    (
        "data-form",
        "kept",
        [("POST", "/apps/set_data/", {"data": {}})],
        ("GET", "/apps/get_data/"),
        200,
        {"data": {}},
    ),
    (
        "data-form",
        "text",
        [("POST", "/apps/set_data/", {"data": {"a": 1}})],
        ("GET", "/apps/get_data/"),
        200,
        {"data": '{"a":1}'},
    ),
    (
        "data-form",
        "php",
        [("POST", "/apps/set_data/", {"data": {}})],
        ("GET", "/apps/get_data/"),
        200,
        {"data": []},
    ),
    ("second-installed", "accepted", [], ("POST", "/apps/installed/"), 200, {"error": False}),
    ("second-installed", "refused", [], ("POST", "/apps/installed/"), 409, {"error": True}),
    (
        "after-delete",
        "unauthorized",
        [("POST", "/apps/delete/")],
        ("GET", GET),
        401,
        {"error_message": "Unauthorized"},
    ),
    ("after-delete", "gone", [("POST", "/apps/delete/")], ("GET", GET), 410, {"error": True}),
    (
        "unknown-body-keys",
        "ignored",
        [("POST", SET, {"snippet": "a", "more": 1}), ("POST", "/apps/installed/", {"more": 1})],
        ("GET", GET),
        200,
        {"snippet": "a"},
    ),
    ("unknown-body-keys", "refused", [], ("POST", SET, {"snippet": "a", "more": 1}), 400, {"error": True}),
    (
        "unknown-body-keys",
        "refused",
        [("POST", "/apps/set_data/", {"data": "a"})],
        ("POST", "/apps/set_data/", {"data": "a", "language": "lv"}),
        400,
        {"error": True},
    ),
    ("unknown-body-keys", "refused", [], ("POST", "/apps/installed/", {"more": 1}), 400, {"error": True}),
    (
        "null-language",
        "website",
        [("POST", SET, {"snippet": "a", "language": None})],
        ("GET", GET),
        200,
        {"snippet": "a"},
    ),
    (
        "null-language",
        "refused",
        [("POST", SET, {"snippet": "a"})],
        ("POST", SET, {"snippet": "b", "language": None}),
        400,
        {"error": True},
    ),
    ("error-code", "status", [], ("GET", "/apps/none/"), 404, {"error_code": 404}),
    ("error-code", "generic", [], ("GET", "/apps/none/"), 404, {"error_code": 400}),
    ("error-code", "zero", [], ("GET", "/apps/none/"), 404, {"error_code": 0}),
    ("head-calls", "present", [], ("GET", "/apps/get_head_snippet/lv/"), 200, {"snippet": None}),
    ("head-calls", "absent", [], ("GET", "/apps/get_head_snippet/lv/"), 404, {"error": True}),
    ("app-info-call", "present", [], ("GET", "/apps/app_info/"), 200, {"error": False}),
    ("app-info-call", "absent", [], ("GET", "/apps/app_info/"), 404, {"error": True}),
]
TESTED_BELOW = {"default-cache", "installing-snippets", "before-installed", "unknown-placeholder"}


@pytest.mark.parametrize(
    ("assumption", "value", "before", "last", "status", "part"), ROWS, ids=lambda v: str(v)[:24]
)
def test_an_assumption_changes_a_response(caller, assumption, value, before, last, status, part):
    caller.service.assumptions.set(assumption, value)
    for call in before:
        assert caller.call(*call)[0] == 200
    answer = caller.call(*last)
    assert answer[0] == status
    assert {key: answer[1].get(key) for key in part} == part


def test_every_alternative_of_every_assumption_is_tested():
    tested = {(row[0], row[1]) for row in ROWS}
    for a in APPS_ASSUMPTIONS:
        if a.id not in TESTED_ELSEWHERE | TESTED_BELOW:
            missing = sorted({(a.id, value) for value in a.alternatives} - tested)
            assert not missing, (
                f"add {missing} to ROWS, or test the effect below and add the id to TESTED_BELOW"
            )


@pytest.mark.parametrize(("value", "status"), [("accepted", 200), ("refused", 403)])
def test_calls_before_installed_are_answered_as_assumed(caller, value, status):
    caller.service.assumptions.set("before-installed", value)
    caller.auth_code = caller.service.install(caller.app_id, caller.website_id, state="installing")
    assert caller.call("GET", "/apps/languages/")[0] == status
    assert caller.call("POST", "/apps/installed/")[0] == 200
    assert caller.call("GET", "/apps/languages/")[0] == 200


@pytest.mark.parametrize(("value", "count"), [("hidden", 1), ("shown", 2)])
def test_snippets_of_installing_apps_are_shown_as_assumed(caller, value, count):
    caller.service.assumptions.set("installing-snippets", value)
    caller.service.install(caller.app_id, caller.website_id, state="installing")
    assert len(caller.service.page_snippets(caller.website_id, "lv")) == count


@pytest.mark.parametrize(
    ("value", "text"), [("left", "{{svc_x}} {{svc_}} {{other}}"), ("emptied", "  {{other}}")]
)
def test_unknown_placeholders_are_handled_as_assumed(caller, value, text):
    caller.service.assumptions.set("unknown-placeholder", value)
    caller.service.set_snippet(caller.auth_code, "{{svc_x}} {{svc_}} {{other}}")
    assert caller.service.page_snippets(caller.website_id, "lv")[0].body == text


@pytest.mark.parametrize("seconds", ["0", "5", "3600"])
def test_default_cache_expires_as_assumed(caller, seconds):
    caller.service.assumptions.set("default-cache", seconds)
    caller.service.clock.set(caller.service.clock.now(), frozen=True)
    caller.service.page_snippets(caller.website_id, "lv")
    caller.service.resubmit_app(caller.app_id, {"app_default_snippet": "new"})
    body = caller.service.page_snippets(caller.website_id, "lv")[0].body
    assert (body == "new") is (seconds == "0")
    caller.service.clock.advance(timedelta(seconds=int(seconds)))
    assert caller.service.page_snippets(caller.website_id, "lv")[0].body == "new"


def test_auth_code_parameter_in_another_case_is_refused_when_assumed(caller):
    caller.service.assumptions.set("auth-code-case", "exact")
    assert caller.call("GET", "/apps/languages/", query=f"authcode={caller.auth_code}")[0] == 401
    assert caller.call("GET", "/apps/languages/")[0] == 200


@pytest.mark.parametrize(("value", "status"), [("refused", 401), ("last", 200)])
def test_two_auth_codes_are_answered_as_assumed(caller, value, status):
    caller.service.assumptions.set("auth-code-twice", value)
    assert (
        caller.call("GET", "/apps/languages/", query=f"authCode=other&authCode={caller.auth_code}")[0]
        == status
    )
    assert (
        caller.call("GET", "/apps/languages/", query=f"authCode={caller.auth_code}&authCode=other")[0] == 401
    )
    twice = f"authCode={caller.auth_code}&authCode={caller.auth_code}"
    assert caller.call("GET", "/apps/languages/", query=twice)[0] == 200


@pytest.mark.parametrize(("value", "status"), [("any", 200), ("exact", 401)])
def test_scheme_word_in_another_case_is_answered_as_assumed(caller, value, status):
    caller.service.assumptions.set("auth-scheme-case", value)
    for scheme in ("apikey", "APIKEY"):
        answer = caller.call("GET", "/apps/languages/", authorization=f"{scheme} {caller.api_key}")
        assert answer[0] == status
    assert caller.call("GET", "/apps/languages/")[0] == 200


@pytest.mark.parametrize("value", ["2.701", "1.0.0"])
def test_version_has_the_assumed_form(caller, value):
    caller.service.assumptions.set("version-form", value)
    caller.service.set_snippet(caller.auth_code, "{%%%version%%%}")
    assert caller.service.page_snippets(caller.website_id, "lv")[0].body == value


@pytest.mark.parametrize("name", ASSUMPTION_SETS)
def test_never_approved_app_is_on_no_page_in_any_assumption_set(caller, name):
    caller.service.assumptions.take_set(name)
    caller.service.set_snippet(caller.auth_code, "own")
    assert caller.service.page_snippets(caller.website_id, "lv")
    caller.service.approve_app(caller.app_id, approved=False)
    assert not caller.service.page_snippets(caller.website_id, "lv")
    assert caller.call("GET", GET)[1]["snippet"] == "own"
    caller.service.submit_version(caller.app_id, {"app_title": "New"})
    assert not caller.service.page_snippets(caller.website_id, "lv")
    caller.service.approve_app(caller.app_id)
    assert caller.service.page_snippets(caller.website_id, "lv")


def test_never_approved_app_is_on_pages_if_unapproved_versions_are_live(caller):
    caller.service.assumptions.set("unapproved-version", "live")
    caller.service.approve_app(caller.app_id, approved=False)
    assert caller.service.page_snippets(caller.website_id, "lv")


def test_documented_set_has_only_what_the_documents_say():
    observed_alone = {
        "auth-code-case": "exact",
        "data-list": "refused",
        "head-calls": "absent",
        "app-info-call": "absent",
        "version-placeholder": "left",
        "reseller-jsonp": "no",
        "observed-reseller-fields": "absent",
        "null-language": "refused",
        "cart-fields": "known",
        "cart-changes": "page-load",
        "page-global": "absent",
        "replay": "none",
        "repeat-first-update": "off",
        "scripts-run": "off",
        "set-content-returns": "nothing",
        "set-content-argument": "string",
    }
    assert {name: ASSUMPTIONS[name].sets["documented"] for name in observed_alone} == observed_alone


def test_final_slash_is_required_when_assumed(caller):
    caller.service.assumptions.set("final-slash", "required")
    assert caller.call("GET", "/apps/languages")[0] == 404
    assert caller.call("GET", "/apps/get_snippet/lv")[0] == 404
    assert caller.call("GET", "/apps/get_snippet/lv/")[0] == 200


def test_the_rate_limit_counts_the_calls_of_a_second(caller):
    caller.service.assumptions.set("rate-limit", "store-api")
    clock = caller.service.clock
    clock.set(clock.now(), frozen=True)

    def statuses():
        return [caller.call("GET", "/apps/languages/")[0] for _ in range(7)]

    assert statuses() == [200] * 5 + [403] * 2
    clock.advance(timedelta(seconds=0.9))
    assert statuses() == [403] * 7
    clock.advance(timedelta(seconds=0.1))
    assert statuses() == [200] * 5 + [403] * 2


def test_the_rate_limit_does_not_count_calls_before_a_reset(caller, service):
    service.assumptions.set("rate-limit", "store-api")
    now = service.clock.now()
    for _ in range(2):
        service.clock.set(now, frozen=True)
        assert [caller.call("GET", "/apps/languages/")[0] for _ in range(6)] == [200] * 5 + [403]
        service.reset()
        website = service.create_website()
        app_id, caller.api_key = service.register_app({"app_title": "A"})
        caller.auth_code = service.install(app_id, website.id)
        assert app_id == caller.app_id


@pytest.mark.parametrize("name", ASSUMPTION_SETS)
def test_every_assumption_set_has_valid_values(name):
    assert all(a.allows(a.sets[name]) for a in ASSUMPTIONS.values())


def test_ids_are_unique_and_every_entry_is_complete():
    tables = (*APPS_ASSUMPTIONS, *RESELLER_ASSUMPTIONS, *EVENT_ASSUMPTIONS, *PAGE_ASSUMPTIONS)
    assert [a.id for a in tables] == list(ASSUMPTIONS)
    for assumption in ASSUMPTIONS.values():
        assert assumption.question.endswith(("?", ".", ")")), assumption.id
        assert assumption.source
        assert len(assumption.alternatives) > 1


def test_a_number_of_seconds_is_allowed_only_for_assumptions_in_seconds(service):
    service.assumptions.set("default-cache", "17")
    assert service.assumptions.seconds("default-cache") == 17
    for id_, value in (
        ("default-cache", "-1"),
        ("default-cache", "٣"),
        ("default-cache", "9" * 10),
        ("unset-data", "17"),
    ):
        with pytest.raises(ValueError, match="unknown value"):
            service.assumptions.set(id_, value)
