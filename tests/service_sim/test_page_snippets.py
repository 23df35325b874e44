"""The snippets of pages: precedence, placeholders, defaults through the cache."""

from datetime import timedelta

import pytest


def body(caller, language="lv"):
    (page,) = caller.service.page_snippets(caller.website_id, language)
    return page.body


def test_more_specific_snippet_overrides_the_more_general_one(caller):
    assert (body(caller), body(caller, "en")) == ("<b>default</b>", "<b>default</b>")
    caller.call("POST", "/apps/set_snippet/", {"snippet": "website"})
    assert (body(caller), body(caller, "en")) == ("website", "website")
    caller.call("POST", "/apps/set_snippet/", {"snippet": "lv only", "language": "lv"})
    assert (body(caller), body(caller, "en")) == ("lv only", "website")


def test_empty_snippet_overrides_the_default(caller):
    caller.call("POST", "/apps/set_snippet/", {"snippet": ""})
    assert body(caller) == ""


def test_head_snippets_have_the_same_precedence(caller):
    heads = [caller.service.page_snippets(caller.website_id, "lv")[0].head]
    for payload in ({"snippet": "all"}, {"snippet": "lv", "language": "lv"}):
        caller.call("POST", "/apps/set_head_snippet/", payload)
        heads.append(caller.service.page_snippets(caller.website_id, "lv")[0].head)
    assert heads == ["<style></style>", "all", "lv"]


@pytest.mark.parametrize(
    ("insertion", "data", "text"),
    [
        ("raw", '<a "b">', '<a "b">'),
        ("raw", {"a": "<"}, '{"a":"<"}'),
        ("json", "a", '"a"'),
        ("json", {"a": 1}, '{"a":1}'),
        ("html-escaped", {"a": "<'&"}, "{&quot;a&quot;:&quot;&lt;&#x27;&amp;&quot;}"),
        ("html-escaped", "<", "&lt;"),
    ],
)
def test_app_data_is_inserted_as_assumed(caller, insertion, data, text):
    caller.service.assumptions.set("data-insertion", insertion)
    caller.service.set_data(caller.auth_code, data)
    caller.service.set_snippet(caller.auth_code, "[{{svc_app_data}}] {{svc_language}} {{svc_other}} {{x}}")
    assert body(caller) == f"[{text}] lv {{{{svc_other}}}} {{{{x}}}}"


@pytest.mark.parametrize(("order", "text"), [("one-pass", "{{svc_language}}"), ("data-first", "lv")])
def test_placeholder_inside_app_data_is_replaced_only_when_assumed(caller, order, text):
    caller.service.assumptions.set("placeholder-order", order)
    caller.service.set_data(caller.auth_code, "{{svc_language}}")
    caller.service.set_snippet(caller.auth_code, "{{svc_app_data}}")
    assert body(caller) == text


@pytest.mark.parametrize(("unset", "text"), [("empty", ""), ("null", "null"), ("left", "{{svc_app_data}}")])
def test_unset_app_data_is_inserted_as_assumed(caller, unset, text):
    caller.service.assumptions.set("unset-data-insertion", unset)
    caller.service.set_snippet(caller.auth_code, "{{svc_app_data}}")
    assert body(caller) == text


def test_a_changed_default_appears_when_the_cache_expires(caller):
    assert body(caller) == "<b>default</b>"
    caller.service.resubmit_app(caller.app_id, {"app_default_snippet": "new"})
    caller.service.clock.set(caller.service.clock.now() + timedelta(seconds=50), frozen=True)
    assert body(caller) == "<b>default</b>"
    caller.service.clock.advance(timedelta(seconds=10))
    assert body(caller) == "new"


def test_default_set_by_the_dev_server_appears_at_once(caller):
    assert body(caller) == "<b>default</b>"
    caller.service.set_default_snippets(caller.app_id, head="h", body="b")
    (page,) = caller.service.page_snippets(caller.website_id, "lv")
    assert (page.head, page.body, page.app_title) == ("h", "b", "Delivery")


def test_apps_come_in_the_order_of_their_installation(caller):
    other, _ = caller.service.register_app({"app_title": "Bar"})
    caller.service.install(other, caller.website_id)
    assert [p.app_title for p in caller.service.page_snippets(caller.website_id, "lv")] == ["Delivery", "Bar"]


def test_an_app_that_is_still_installing_is_hidden_until_installed(caller):
    caller.auth_code = caller.service.install(
        caller.app_id, caller.service.create_website().id, state="installing"
    )
    website_id = caller.service.instance(caller.auth_code).website_id
    assert caller.service.page_snippets(website_id, "lv") == ()
    assert caller.call("POST", "/apps/installed/")[0] == 200
    assert len(caller.service.page_snippets(website_id, "lv")) == 1


@pytest.mark.parametrize(
    ("value", "snippet", "text"),
    [
        ("replaced", '<script src="a.js?{%%%version%%%}"></script>', '<script src="a.js?2.701"></script>'),
        ("replaced", "{%%%%%%} {%%%a b%%%}{%%%c%%%}", "2.701 2.7012.701"),
        ("replaced", "{%%% {{svc_language}} %%%} {% x %}", "{%%% lv %%%} {% x %}"),
        ("left", "{%%%version%%%} {{svc_language}}", "{%%%version%%%} lv"),
    ],
)
def test_version_placeholder_is_replaced_as_assumed(caller, value, snippet, text):
    caller.service.assumptions.set("version-placeholder", value)
    caller.service.set_snippet(caller.auth_code, snippet)
    assert body(caller) == text


def test_version_placeholder_inside_app_data_is_not_replaced(caller):
    caller.service.set_data(caller.auth_code, "{%%%version%%%}")
    caller.service.set_snippet(caller.auth_code, "{{svc_app_data}}")
    assert body(caller) == "{%%%version%%%}"
