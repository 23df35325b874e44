"""Snippets and app data: setting, reading back, refusing, deleting."""

import json

import pytest


@pytest.mark.parametrize("name", ["snippet", "head_snippet"])
def test_each_snippet_is_read_back_where_it_was_set(caller, name):
    for payload in ({"snippet": "all"}, {"snippet": "lv", "language": "lv"}):
        assert caller.call("POST", f"/apps/set_{name}/", payload) == (200, {"error": False})
    read = [caller.call("GET", f"/apps/get_{name}/{part}")[1]["snippet"] for part in ("", "lv/", "en/")]
    assert read == ["all", "lv", None]


def test_language_null_is_the_website_wide_snippet(caller):
    caller.call("POST", "/apps/set_snippet/", {"language": None, "snippet": "all"})
    assert caller.call("GET", "/apps/get_snippet/")[1]["snippet"] == "all"


@pytest.mark.parametrize(
    "text", ["", " a\r\n", "\0", "ā🙂", "{{svc_app_data}}", "x" * 1_000_000], ids=lambda t: repr(t[:9])
)
def test_a_snippet_is_stored_without_change(caller, text):
    caller.call("POST", "/apps/set_snippet/", {"snippet": text})
    assert caller.call("GET", "/apps/get_snippet/")[1]["snippet"] == text


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"",
        b"[]",
        b"[1]",
        b'"text"',
        b"null",
        b"{",
        b"{'snippet': 1}",
        b'{"snippet": "\xff"}',
        b'{"snippet": "\\ud800"}',
        b'{"snippet": NaN}',
        b'{"snippet": null}',
        b'{"snippet": 1}',
        b'{"snippet": ["a"]}',
        b'{"snippet": "a", "language": 1}',
        b'{"snippet": "a", "language": ""}',
        b'{"snippet": "a", "language": "../"}',
        b'{"snippet": 1e999}',
        b"[" * 100_000,
        b'{"data":' * 100_000,
        b"snippet=a&language=lv",
    ],
    ids=lambda body: repr(body[:30]),
)
def test_a_bad_body_is_400_in_the_envelope_and_changes_nothing(caller, body):
    caller.call("POST", "/apps/set_snippet/", {"snippet": "before"})
    answer = caller.answer("POST", "/apps/set_snippet/", body)
    assert answer.status == 400
    assert set(json.loads(answer.body)) == {"error", "error_code", "error_message"}
    assert caller.call("GET", "/apps/get_snippet/")[1]["snippet"] == "before"


@pytest.mark.parametrize(
    "value", ["", "text", {}, {"a": {"b": [1, 2.5, None, True, "ā"]}}, [], [1], {"n": 2**70}], ids=repr
)
def test_data_is_read_back_unchanged(caller, value):
    assert caller.call("POST", "/apps/set_data/", {"data": value}) == (200, {"error": False})
    assert caller.call("GET", "/apps/get_data/") == (200, {"error": False, "data": value})


@pytest.mark.parametrize("payload", [{}, {"data": None}, {"data": 1}, {"data": True}], ids=repr)
def test_data_must_be_a_string_or_an_object(caller, payload):
    assert caller.call("POST", "/apps/set_data/", payload)[0] == 400


def test_unset_data_is_null(caller):
    assert caller.call("GET", "/apps/get_data/") == (200, {"error": False, "data": None})


def test_instances_do_not_see_each_others_snippets_and_data(caller):
    first = caller.auth_code
    caller.call("POST", "/apps/set_snippet/", {"snippet": "first"})
    caller.call("POST", "/apps/set_data/", {"data": "first"})
    caller.auth_code = caller.service.install(caller.app_id, caller.service.create_website().id)
    assert caller.call("GET", "/apps/get_snippet/")[1]["snippet"] is None
    assert caller.call("GET", "/apps/get_data/")[1]["data"] is None
    caller.auth_code = first
    assert caller.call("GET", "/apps/get_snippet/")[1]["snippet"] == "first"


def test_delete_clears_snippets_and_data_and_ends_the_code(caller):
    caller.call("POST", "/apps/set_snippet/", {"snippet": "gone"})
    caller.call("POST", "/apps/set_data/", {"data": "gone"})
    assert caller.call("POST", "/apps/delete/") == (200, {"error": False})
    assert caller.call("GET", "/apps/get_snippet/")[0] == 401
    assert caller.service.page_snippets(caller.website_id, "lv") == ()
    with caller.service.database.reading() as db:
        left = [db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("snippet", "app_data")]
    assert left == [0, 0]


@pytest.mark.parametrize("snippet", ["text", None], ids=["set", "removed"])
def test_snippet_of_an_unknown_place_is_a_value_error(caller, snippet):
    with pytest.raises(ValueError, match='place must be "body" or "head"'):
        caller.service.set_snippet(caller.auth_code, snippet, place="foot")
    with pytest.raises(ValueError, match='place must be "body" or "head"'):
        caller.service.snippet(caller.auth_code, place="foot")
