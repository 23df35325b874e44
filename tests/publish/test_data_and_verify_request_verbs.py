"""The commands `awning data` and `awning verify-request`."""

import hashlib
import hmac
import io
import json

import pytest

from awning.client import NoResponse, Response
from awning.contract import Exit


def test_data_set_and_data_get_round_trip(awning, shop, shelf, tmp_path):
    (tmp_path / "data.json").write_text('{"w": {"text": "</script>{{svc_language}}"}}')
    assert awning("data", "set", "shop", "data.json")[:2] == (0, "shop: stored, 72 bytes\n")
    assert shelf.data == {
        "code-a": r'{"w":{"text":"\u003c/script\u003e\u007b\u007bsvc_language\u007d\u007d"}}'
    }
    code, out, _ = awning("data", "get", "shop", "--json")
    assert (code, json.loads(out)["data"]) == (0, {"w": {"text": "</script>{{svc_language}}"}})


def test_data_set_reads_standard_input_with_a_byte_order_mark(awning, shop, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO('\ufeff{"w": {"a": 1}}'))
    assert awning("data", "set", "shop", "-")[0] == 0
    assert json.loads(awning("data", "get", "shop")[1]) == {"w": {"a": 1}}


def test_data_get_prints_hostile_texts_as_escapes_of_json(awning, shop, shelf):
    shelf.data = {"code-a": json.dumps({"w": "\x1b[31m\x9b31m\u202eā\ud800"})}
    code, out, _ = awning("data", "get", "shop")
    assert (code, out) == (0, '{\n  "w": "\\u001b[31m\\u009b31m\\u202eā\\ud800"\n}\n')


def test_lost_response_is_settled_by_reading_back(awning, shop, shelf, tmp_path):
    (tmp_path / "data.json").write_text("{}")
    shelf.after = lambda call, code, turn: NoResponse(why="lost") if call == "set_data" else None
    assert awning("data", "set", "shop", "data.json")[0] == 0
    shelf.before = shelf.after
    (tmp_path / "data.json").write_text('{"w": {}}')
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, "set_data" in err) == (Exit.FINDINGS, True)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (200, Exit.REFUSED),
        (400, Exit.REFUSED),
        (401, Exit.REFUSED),
        (403, Exit.REFUSED),
        (500, Exit.FINDINGS),
    ],
)
@pytest.mark.parametrize("call", ["set_data", "get_data"])
def test_refusal_exits_6_and_service_error_exits_1(
    call, status, code, awning, shop, shelf, tmp_path, refused
):
    (tmp_path / "data.json").write_text('{"w": {}}')
    shelf.before = lambda name, at, turn: (
        Response(status=status, body=refused(7 if status == 200 else status, "No").body)
        if name == call
        else None
    )
    verb = ("data", "set", "shop", "data.json") if call == "set_data" else ("data", "get", "shop")
    ended, _, err = awning(*verb)
    assert (ended, f"{call}: No" in err) == (code, True)


@pytest.mark.parametrize("text", ["", "a text", "null", "1", "true", "[]", '"ā Ω"'[:-1]])
def test_text_that_is_no_json_string_is_refused(awning, shop, shelf, tmp_path, text):
    (tmp_path / "data.json").write_text(text)
    assert awning("data", "set", "shop", "data.json")[0] == Exit.USAGE
    assert shelf.data == {}


@pytest.mark.parametrize(
    "value", ["", "a text", "ā \U0001f600 Ω", "1", '"quoted"', "line\nline", '{"w":{"a":1}}', "}} 'x' & y"]
)
def test_string_is_stored_as_it_is(awning, shop, shelf, tmp_path, value):
    """The specification: data is a string or an object."""
    (tmp_path / "data.json").write_text(json.dumps(value), encoding="utf-8")
    size = len(value.encode())
    assert awning("data", "set", "shop", "data.json")[:2] == (0, f"shop: stored, {size} bytes\n")
    assert shelf.data == {"code-a": value}
    assert awning("data", "get", "shop")[0] == 0


@pytest.mark.parametrize("value", ["</script><b>", "<!--", "{{svc_language}}", "{%%%2.701%%%}", "a\u2028b"])
def test_string_that_a_page_could_run_needs_force(awning, shop, shelf, tmp_path, value):
    (tmp_path / "data.json").write_text(json.dumps(value))
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, shelf.data, "insert it into pages as it is" in err) == (Exit.USAGE, {}, True)
    assert awning("data", "set", "shop", "data.json", "--force")[0] == 0
    assert shelf.data == {"code-a": value}


def test_string_does_not_replace_the_list_of_disabled_widgets(awning, shop, shelf, tmp_path):
    shelf.data["code-a"] = '{"_awning":{"disabled":["bar"]}}'
    (tmp_path / "data.json").write_text('"a text"')
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, "awning publish enable" in err) == (Exit.USAGE, True)
    assert "disabled" in shelf.data["code-a"]
    assert awning("data", "set", "shop", "data.json", "--force")[0] == 0
    assert shelf.data == {"code-a": "a text"}


@pytest.mark.parametrize(
    ("value", "fits"), [("a text", False), ('{"w":{"a":1}}', True), ('{"w":{"a":"x"}}', False)]
)
def test_string_fits_the_settings_as_widgets_read_it(awning, shop, shelf, tmp_path, dist, value, fits):
    part = {"type": "object", "properties": {"a": {"type": "integer"}}}
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": {"w": part}}))
    (tmp_path / "data.json").write_text(json.dumps(value))
    code, _, _ = awning("data", "set", "shop", "data.json")
    assert (code, bool(shelf.data)) == ((0, True) if fits else (Exit.FINDINGS, False))


STORED = (
    '{"bar":{"a":0,"colors":{"bg":"red","fg":"blue"}},"other":{"text":"x"},"_awning":{"disabled":["bar"]}}'
)
GIVEN = '{"bar": {"a": 1, "colors": {"bg": "green"}}}'


def test_data_set_changes_only_the_settings_that_it_names(awning, shop, shelf, tmp_path):
    shelf.data["code-a"] = STORED
    (tmp_path / "data.json").write_text(GIVEN)
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, "kept as stored: bar.colors.fg, other\n" in err) == (0, True)
    assert json.loads(shelf.data["code-a"]) == {
        "bar": {"a": 1, "colors": {"bg": "green", "fg": "blue"}},
        "other": {"text": "x"},
        "_awning": {"disabled": ["bar"]},
    }


def test_data_set_of_one_instance_does_the_same_with_json(awning, shop, shelf, tmp_path):
    shelf.data["code-a"] = STORED
    (tmp_path / "data.json").write_text(GIVEN)
    code, out, _ = awning("data", "set", "shop", "data.json", "--json")
    document = json.loads(out)
    assert (code, document["ok"], document["totals"]["applied"]) == (0, True, 1)
    assert document["instances"] == [{"instance": "shop", "outcome": "applied", "reason": None}]
    assert json.loads(shelf.data["code-a"])["bar"] == {"a": 1, "colors": {"bg": "green", "fg": "blue"}}
    sent = shelf.data["code-a"]
    shelf.data["code-a"] = f" {sent} "
    code, out, _ = awning("data", "set", "shop", "data.json", "--json")
    assert (code, json.loads(out)["instances"][0]["outcome"]) == (0, "unchanged")
    assert "stored already" in awning("data", "set", "shop", "data.json")[1]
    assert shelf.data["code-a"] == f" {sent} ", "nothing is written that is stored"
    (tmp_path / "data.json").write_text('{"bar": 1}')
    for form in ((), ("--json",)):
        code, out, err = awning("data", "set", "shop", "data.json", *form)
        assert (code, "would drop what is stored" in out + err) == (Exit.USAGE, True)


def test_data_set_with_replace_names_what_it_drops(awning, shop, shelf, tmp_path):
    shelf.data["code-a"] = STORED
    (tmp_path / "data.json").write_text(GIVEN)
    words = ("data", "set", "shop", "data.json", "--replace")
    code, out, err = awning(*words, "--dry-run")
    assert (code, "would be dropped: bar.colors.fg, other\n" in err) == (0, True)
    assert out.startswith("shop: would be stored, ")
    assert shelf.data["code-a"] == STORED
    assert "\ndropped: bar.colors.fg, other\n" in awning(*words)[2]
    reserved = {"_awning": {"disabled": ["bar"]}}
    assert json.loads(shelf.data["code-a"]) == json.loads(GIVEN) | reserved


@pytest.mark.parametrize(
    ("stored", "given", "lost"),
    [
        ('{"bar":{"a":0}}', '"a text"', "bar"),
        ("a text", '{"bar": {}}', "the stored text"),
        ('{"bar":{"a":0}}', '{"bar": 1}', "bar.a"),
        ('{"bar":{"b":{"c":1}}}', '{"bar": {"b": []}}', "bar.b.c"),
    ],
)
def test_data_set_that_would_drop_settings_needs_replace(awning, shop, shelf, tmp_path, stored, given, lost):
    shelf.data["code-a"] = stored
    (tmp_path / "data.json").write_text(given)
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (
        code,
        f"would drop what is stored: {lost}; --replace stores it alone; nothing was sent" in err,
    ) == (Exit.USAGE, True)
    assert shelf.data["code-a"] == stored
    assert awning("data", "set", "shop", "data.json", "--replace")[0] == 0
    assert shelf.data["code-a"] != stored


@pytest.mark.parametrize("stored", ["", [], None, {}, "{}"])
def test_data_set_where_nothing_is_stored_drops_nothing(awning, shop, shelf, tmp_path, stored):
    shelf.data["code-a"] = stored
    (tmp_path / "data.json").write_text(GIVEN)
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, "dropped" in err or "kept" in err) == (0, False)
    assert json.loads(shelf.data["code-a"]) == json.loads(GIVEN)


def test_merged_settings_fit_the_schema_with_what_is_stored(awning, shop, shelf, tmp_path, dist):
    part = {
        "type": "object",
        "required": ["a", "b"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    }
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": {"w": part}}))
    shelf.data["code-a"] = '{"w":{"b":2},"gone":{"old":true}}'
    (tmp_path / "data.json").write_text('{"w": {"a": 1}}')
    assert awning("data", "set", "shop", "data.json")[0] == 0
    assert json.loads(shelf.data["code-a"]) == {"w": {"a": 1, "b": 2}, "gone": {"old": True}}
    assert awning("data", "set", "shop", "data.json", "--replace")[0] == Exit.FINDINGS


@pytest.mark.parametrize("text", ["[1]", "{"])
def test_data_that_is_not_an_object_is_refused(awning, shop, tmp_path, text):
    (tmp_path / "data.json").write_text(text)
    assert awning("data", "set", "shop", "data.json")[0] == Exit.USAGE


def test_broken_json_is_reported_with_its_place_and_without_its_text(awning, shop, shelf, tmp_path):
    (tmp_path / "data.json").write_text('{\n  "pin": "the-pin-of-this-shop" 1\n}\n')
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, shelf.calls) == (Exit.USAGE, [])
    assert err.startswith("error: data.json:2:33 is not JSON: Expecting ',' delimiter")
    assert "a comma between entries but not after the last" in err
    assert "the-pin" not in err


def test_key_that_is_twice_in_the_data_is_reported_with_its_place(awning, shop, shelf, tmp_path):
    (tmp_path / "data.json").write_text('{\n  "w": {"a": 1},\n  "w": {"b": 2}\n}\n')
    code, _, err = awning("data", "set", "shop", "data.json")
    assert (code, shelf.calls) == (Exit.USAGE, [])
    assert err.startswith("error: data.json:3:3 has a key twice")


@pytest.mark.parametrize("query", ["?a=1&hash=00", "%", ""])
def test_verify_request_reports_a_forged_query(awning, monkeypatch, query):
    monkeypatch.setenv("MY_SECRET", "planted-canary-s3cret")
    ended, out, _ = awning("verify-request", query, "--secret-env", "MY_SECRET", "--json")
    assert (ended, json.loads(out)["authentic"]) == (Exit.FINDINGS, False)


def test_verify_request_accepts_an_authentic_query_or_url(awning, monkeypatch):
    monkeypatch.setenv("MY_SECRET", "planted-canary-s3cret")
    digest = hmac.new(b"planted-canary-s3cret", b"a=1", hashlib.sha256).hexdigest()
    assert awning("verify-request", f"?a=1&hash={digest}", "--secret-env", "MY_SECRET")[0] == 0
    address = f"http://host/install?a=1&hash={digest}"
    for whole in (address, f"{address}#top", address.replace("http", "HTTPS")):
        assert awning("verify-request", whole, "--secret-env", "MY_SECRET")[0] == 0
    assert awning("verify-request", "https://host/install", "--secret-env", "MY_SECRET")[0] == Exit.FINDINGS
    assert awning("verify-request", f"a=1&hash={digest}", "--secret-env", "NO_SECRET")[0] == Exit.USAGE


def test_verify_request_reads_the_app_secret_by_default(awning, monkeypatch):
    monkeypatch.setenv("AWNING_APP_SECRET", "planted-canary-s3cret")
    digest = hmac.new(b"planted-canary-s3cret", b"a=1", hashlib.sha256).hexdigest()
    assert awning("verify-request", f"a=1&hash={digest}")[0] == 0
    monkeypatch.delenv("AWNING_APP_SECRET")
    assert awning("verify-request", f"a=1&hash={digest}")[0] == Exit.USAGE
