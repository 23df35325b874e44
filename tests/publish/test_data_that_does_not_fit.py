"""`awning data set` and `awning data check`: app data is checked against the data schemas of the last build."""

import json
import os

import pytest

from awning.client import NoResponse, Response
from awning.contract import Exit

WIDGET = {
    "type": "object",
    "properties": {
        "days": {"type": "integer", "minimum": 0, "maximum": 60, "default": 3},
        "size": {"enum": ["small", "large"]},
        "rows": {
            "type": "array",
            "items": {"properties": {"title": {"type": "string"}}, "required": ["title"]},
        },
        "pin": {"type": "string", "writeOnly": True, "maxLength": 4},
    },
}
FITTING = {"note": {"days": 5, "size": "small", "rows": [{"title": "a"}], "enabled": False}}
PLANTED = "planted-canary-stored"


@pytest.fixture
def built(dist):
    (dist / "data.schema.json").write_text(json.dumps({"type": "object", "properties": {"note": WIDGET}}))
    return dist


@pytest.fixture
def data_file(tmp_path):
    def write(text):
        (tmp_path / "data.json").write_text(text)
        return "data.json"

    return write


def test_fitting_data_is_stored(awning, shop, shelf, built, data_file):
    assert awning("data", "set", "shop", data_file(json.dumps(FITTING)))[0] == 0
    assert json.loads(shelf.data["code-a"]) == FITTING


def test_data_with_misfits_is_refused_by_field_and_not_sent(awning, shop, shelf, built, data_file):
    text = '{\n  "note": {\n    "dais": 1,\n    "days": "3",\n    "rows": [{}]\n  },\n  "x": {}\n}\n'
    code, out, err = awning("data", "set", "shop", data_file(text))
    assert (code, out, shelf.calls) == (Exit.FINDINGS, "", [])
    messages = [line for line in err.splitlines() if line.startswith("data.json")]
    assert messages == [
        'data.json:3:5: error[data-value]: nothing reads "note.dais"',
        'data.json:4:5: error[data-value]: "note.days" is "3", and must be a whole number from 0 to 60',
        'data.json:5:14: error[data-value]: "note.rows[0].title" is missing, and must be a text',
        'data.json:7:3: error[data-value]: nothing reads "x"',
    ]
    assert 'did you mean "days"?' in err
    assert "--force" in err


def test_force_stores_data_and_reports_misfits_as_warnings(awning, shop, shelf, built, data_file):
    code, out, err = awning("data", "set", "shop", data_file('{"note": {"days": "3"}}'), "--force")
    assert (code, out) == (0, "shop: stored, 21 bytes\n")
    assert "warning[data-value]" in err
    assert json.loads(shelf.data["code-a"]) == {"note": {"days": "3"}}


def test_data_is_stored_unchecked_with_a_notice_when_no_build_exists(awning, shop, shelf, data_file):
    code, _, err = awning("data", "set", "shop", data_file('{"note": {"days": "3"}}'))
    assert (code, "not checked" in err) == (0, True)


@pytest.mark.parametrize("verb", [("set", "shop", "data.json"), ("check",)])
def test_damaged_data_schema_stops_the_command(awning, shop, shelf, built, data_file, verb):
    data_file("{}")
    (built / "data.schema.json").write_text("{")
    code, _, err = awning("data", *verb)
    assert (code, "awning build" in err, shelf.calls) == (Exit.USAGE, True, [])


def test_misfit_report_hides_the_value(awning, shop, shelf, built, data_file):
    _, out, err = awning("data", "set", "shop", data_file(json.dumps({"note": {"pin": "hunter2"}})))
    assert "note.pin" in err
    assert "hunter2" not in out + err


@pytest.fixture
def two(awning, shop, built, monkeypatch):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    assert awning("instances", "add", "--name", "other")[0] == 0


def checked(awning, *names):
    code, out, err = awning("data", "check", *names, "--json")
    assert err == ""
    return code, json.loads(out)


def test_data_check_lists_stored_misfits(awning, two, shelf):
    shelf.data = {
        "code-a": json.dumps(FITTING),
        "code-b": json.dumps({"note": {"days": 99, "size": "smal", "old": PLANTED}}),
    }
    code, out, err = awning("data", "check")
    assert (code, err) == (Exit.FINDINGS, "2 instances: 1 fits, 1 does not fit\n")
    assert out.splitlines() == [
        'other: "note.days" is 99, and must be a whole number from 0 to 60',
        'other: "note.size" is a text of 4 characters, and must be one of "small", "large" (did you mean "small"?)',
        'other: nothing reads "note.old" (known here: days, enabled, pin, rows, size)',
    ]
    assert {call for call, _ in shelf.calls} == {"get_data"}


def test_data_check_as_json(awning, two, shelf):
    shelf.data = {"code-a": {"note": {"pin": PLANTED}}, "code-b": None}
    code, document = checked(awning)
    assert (code, document["schema_version"], document["ok"]) == (Exit.FINDINGS, 1, False)
    assert [(row["instance"], row["state"]) for row in document["instances"]] == [
        ("shop", "does not fit"),
        ("other", "fits"),
    ]
    [misfit] = document["instances"][0]["misfits"]
    assert (misfit["path"], misfit["code"]) == (["note", "pin"], "long")
    assert PLANTED not in json.dumps(document)


@pytest.mark.parametrize("stored", ["planted-canary-text", [1]])
def test_app_data_that_is_not_an_object_is_a_misfit(awning, two, shelf, stored):
    shelf.data = {"code-a": stored}
    code, document = checked(awning, "shop")
    assert (code, document["instances"][0]["misfits"][0]["path"]) == (Exit.FINDINGS, [])
    assert "planted" not in json.dumps(document)


@pytest.mark.parametrize("names", [(), ("other",)])
def test_data_check_covers_all_or_the_named_instances(awning, two, shelf, names):
    code, document = checked(awning, *names)
    assert (code, document["ok"]) == (0, True)
    assert [row["instance"] for row in document["instances"]] == (list(names) or ["shop", "other"])


def test_unreadable_instance_makes_data_check_exit_partly(awning, two, shelf):
    shelf.before = lambda call, code, turn: NoResponse(why="lost") if code == "code-b" else None
    code, document = checked(awning)
    assert code == Exit.PARTLY
    assert [row["state"] for row in document["instances"]] == ["fits", "could not be read"]


def test_data_check_reads_404_as_nothing_stored(awning, two, shelf, refused):
    shelf.before = lambda call, code, turn: Response(status=404, body=refused(404, "Nothing").body)
    assert checked(awning)[0] == 0


def test_data_check_exits_refused_when_the_service_refuses_every_call(awning, two, shelf, refused):
    shelf.before = lambda call, code, turn: refused(401, "Unauthorized")
    code, document = checked(awning)
    assert (code, {row["state"] for row in document["instances"]}) == (Exit.REFUSED, {"could not be read"})
    code, _, err = awning("data", "check")
    assert (code, err.count("AWNING_API_KEY")) == (Exit.REFUSED, 1)


def test_data_check_does_not_read_404_of_a_wrong_address_as_nothing_stored(
    awning, two, shelf, refused, monkeypatch
):
    monkeypatch.setenv("AWNING_BASE_URL", os.environ["AWNING_BASE_URL"].removesuffix("/v1/"))
    shelf.before = lambda call, code, turn: Response(status=404, body=refused(404, "Nothing").body)
    code, _, err = awning("data", "check")
    assert (code, "does not end in /v1" in err) == (Exit.REFUSED, True)


def test_data_check_without_any_instance_is_an_error(awning, two):
    names = [line.split()[0] for line in awning("instances", "list")[1].splitlines()]
    assert awning("instances", "remove", *names, "--yes")[0] == 0
    assert awning("data", "check")[0] == 0
    assert awning("instances", "purge", "--yes")[0] == 0
    code, _, err = awning("data", "check")
    assert (code, "state.sqlite has no instance" in err) == (Exit.USAGE, True), err


def test_data_check_needs_a_build(awning, shop):
    code, _, err = awning("data", "check")
    assert (code, "awning build" in err) == (Exit.USAGE, True)
