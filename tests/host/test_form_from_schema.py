"""The settings form for all kinds of schemas and entries. It accepts what JSON Schema accepts."""

import json
import re
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.data_schema import FieldKind, ValueProblem, defaults_of, fields_of, misfits, read_schema
from awning.data_schema import read_form as form_of
from awning.data_schema.keywords import KEYWORDS
from awning.data_schema.value_formats import VALUE_FORMATS
from awning.host.form.filling import FilledForm, fill, option_key, posted_text
from awning.host.form.shown import FormContents
from awning.host.form.view import unshown, view_of
from awning.host.languages import all_sentences
from awning.host.pages import limits_of, problem_of

WHOLE = {"type": "integer", "minimum": 0, "maximum": 60, "default": 3}
PRICE = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1000}
NAME = {"type": "string", "minLength": 2, "maxLength": 5}
SIZE = {"enum": ["s", "m", 3, 3.5, True]}
COUNTRIES = {"type": "array", "items": {"type": "string", "enum": ["lv", "ee", "lt"]}, "uniqueItems": True}
LINES = {"type": "array", "items": {"type": "string", "maxLength": 4}, "maxItems": 3, "uniqueItems": True}
NUMBERS = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1}
MIXED = {"type": "object", "properties": {"a": NAME, "mixed": {"type": ["string", "number"]}}}
STEPS = {
    "type": "array",
    "minItems": 1,
    "maxItems": 3,
    "uniqueItems": True,
    "items": {
        "type": "object",
        "properties": {
            "kind": {"const": "step"},
            "from": WHOLE,
            "name": NAME,
            "free": {"type": "object", "additionalProperties": {"type": "string"}},
            "link": {"type": "object", "properties": {"to": {"type": "string", "format": "uri"}}},
            "tags": LINES,
            "shown": {"type": "boolean"},
            "rows": {
                "type": "array",
                "items": {"type": "object", "properties": {"a": PRICE}, "required": ["a"]},
            },
        },
        "required": ["kind", "from", "link"],
    },
}


def read_form(document):
    return form_of(read_schema(document)[0])


def one(schema, *, required=False):
    """A form with one field, named x."""
    return read_form({"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []})


def entered(schema, *posted, required=False):
    filled = fill(one(schema, required=required), {"/x": posted} if posted else {}, {})
    if filled.problems:
        problem = filled.problems["/x"]
        return ValueProblem(code=problem.code, line=problem.line)
    return filled.data.get("x", ...)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "boolean"}, FieldKind.FLAG),
        (WHOLE, FieldKind.WHOLE),
        (PRICE, FieldKind.NUMBER),
        (NAME, FieldKind.TEXT),
        ({"type": ["string", "null"]}, FieldKind.TEXT),
        (SIZE, FieldKind.CHOICE),
        ({"type": "string", "enum": ["a"]}, FieldKind.CHOICE),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": 2}]}, FieldKind.CHOICE),
        (LINES, FieldKind.LINES),
        (NUMBERS, FieldKind.LINES),
        (COUNTRIES, FieldKind.CHOICES),
        ({"type": "array", "items": {"type": "object"}}, None),
        (STEPS, "rows"),
        ({"type": "array", "items": {"type": ["object", "null"], "properties": {"a": NAME}}}, None),
        ({"type": "array", "items": {**MIXED, "required": ["mixed"]}}, None),
        ({"type": "array", "items": MIXED}, "rows"),
        ({"type": "array", "items": {"type": "object", "properties": {"free": {"type": "object"}}}}, None),
        ({"type": "array"}, None),
        ({"type": "null"}, None),
        ({"type": ["string", "number"]}, None),
        ({"const": 1}, None),
        ({"$ref": "#/x"}, None),
        ({"type": "object", "additionalProperties": {"type": "string"}}, None),
        ({}, None),
    ],
)
def test_schema_becomes_a_field_or_is_left_out(schema, kind):
    form = one(schema)
    kinds = [getattr(field, "kind", "rows") for field in fields_of(form)]
    assert kinds == ([kind] if kind else [])
    assert form.left_out == (() if kind else ("x",))


@pytest.mark.parametrize(
    ("schema", "posted", "value"),
    [
        ({"type": "boolean"}, (), False),
        ({"type": "boolean"}, ("true",), True),
        (WHOLE, ("15",), 15),
        (WHOLE, (" 15 ",), 15),
        (WHOLE, ("+15",), 15),
        (WHOLE, ("15.0",), 15),
        (WHOLE, ("15,0",), 15),
        (WHOLE, ("",), ...),
        (WHOLE, (), ...),
        (WHOLE, ("15.5",), ValueProblem(code="whole")),
        (WHOLE, ("1e3",), ValueProblem(code="whole")),
        (WHOLE, ("0x1f",), ValueProblem(code="whole")),
        (WHOLE, ("\u0661\u0665",), ValueProblem(code="whole")),
        (WHOLE, ("5.00",), 5),
        (WHOLE, ("5,000",), ValueProblem(code="whole")),
        (WHOLE, ("5.000",), ValueProblem(code="whole")),
        (WHOLE, ("-1",), ValueProblem(code="minimum")),
        (WHOLE, ("61",), ValueProblem(code="maximum")),
        ({"type": "integer"}, ("9" * 30,), ValueProblem(code="too-large")),
        ({"type": "integer"}, ("9007199254740991",), 9007199254740991),
        ({"type": "integer"}, ("9007199254740992",), ValueProblem(code="too-large")),
        ({"type": "integer"}, ("-" + "9" * 400,), ValueProblem(code="too-large")),
        ({"type": "number"}, ("9" * 400 + ".5",), ValueProblem(code="too-large")),
        ({"type": "integer", "multipleOf": 5}, ("12",), ValueProblem(code="step")),
        ({"type": ["integer", "null"]}, ("",), None),
        (PRICE, ("12.50",), 12.5),
        (PRICE, ("12,5",), 12.5),
        (PRICE, ("1 0 0",), 100),
        (PRICE, ("100\u00a0,5",), 100.5),
        (PRICE, ("\u22121",), ValueProblem(code="above")),
        (PRICE, ("0",), ValueProblem(code="above")),
        (PRICE, ("1000",), ValueProblem(code="below")),
        (PRICE, ("1.000,50",), ValueProblem(code="number")),
        (PRICE, ("nan",), ValueProblem(code="number")),
        (PRICE, ("inf",), ValueProblem(code="number")),
        ({"type": "number", "multipleOf": 0.1}, ("0.3",), 0.3),
        (NAME, ("Rīga",), "Rīga"),
        (NAME, (" a ",), " a "),
        (NAME, ("R",), ValueProblem(code="short")),
        (NAME, ("Jelgava",), ValueProblem(code="long")),
        (NAME, ("😀😀",), "😀😀"),
        (NAME, ("",), ...),
        ({"type": "string", "default": "hello"}, ("",), ""),
        ({"type": "string", "default": "hello", "minLength": 1}, ("",), ...),
        ({"type": "string"}, ("a\r\nb\rc",), "a\nb\nc"),
        ({"type": "string", "pattern": "^[a-z]+$"}, ("A1",), ValueProblem(code="pattern")),
        ({"type": "string", "pattern": "(?<n"}, ("A1",), "A1"),
        ({"type": "string", "format": "email"}, ("me@example.com",), "me@example.com"),
        ({"type": "string", "format": "email"}, ("me@example",), ValueProblem(code="format-email")),
        ({"type": "string", "format": "uri"}, ("https://example.com/a",), "https://example.com/a"),
        ({"type": "string", "format": "uri"}, ("javascript:alert(1)",), ValueProblem(code="format-uri")),
        ({"type": "string", "format": "uri"}, ("http://[x",), ValueProblem(code="format-uri")),
        ({"type": "string", "format": "date"}, ("2026-03-31",), "2026-03-31"),
        ({"type": "string", "format": "date"}, ("2026-02-31",), ValueProblem(code="format-date")),
        ({"type": "string", "format": "time"}, ("25:30",), ValueProblem(code="format-time")),
        ({"type": "string", "format": "date-time"}, ("now",), ValueProblem(code="format-date-time")),
        ({"type": "string", "format": "color"}, ("#1f5f4b",), "#1f5f4b"),
        ({"type": "string", "format": "color"}, ("red",), ValueProblem(code="format-color")),
        (SIZE, ('"m"',), "m"),
        (SIZE, ("3",), 3),
        (SIZE, ("3.5",), 3.5),
        (SIZE, ("true",), True),
        (SIZE, ("m",), ValueProblem(code="choice")),
        (SIZE, ("",), ...),
        (LINES, ("a\r\n\r\n b \r\n",), ["a", "b"]),
        (LINES, ("",), ...),
        ({**LINES, "default": ["a"]}, ("",), []),
        (LINES, ("a\nlonger",), ValueProblem(code="long", line=2)),
        (LINES, ("a\nb\nc\nd",), ValueProblem(code="many")),
        (LINES, ("a\nb\na",), ValueProblem(code="twice", line=3)),
        (NUMBERS, ("1\n2",), [1, 2]),
        (NUMBERS, ("1\nx",), ValueProblem(code="whole", line=2)),
        (NUMBERS, ("1\n0",), ValueProblem(code="minimum", line=2)),
        (NUMBERS, ("",), ...),
        ({**NUMBERS, "default": [1]}, ("",), ...),
        ({**NUMBERS, "type": ["array", "null"]}, ("",), None),
        (COUNTRIES, ('"lt"', '"lv"'), ["lv", "lt"]),
        (COUNTRIES, (), ...),
        ({**COUNTRIES, "default": ["lv"]}, (), []),
        ({**COUNTRIES, "minItems": 1}, (), ...),
        ({"type": "array", "items": {"enum": [1, True]}, "uniqueItems": True}, ("1", "true"), [1, True]),
        (COUNTRIES, ('"fi"',), ValueProblem(code="choice")),
    ],
)
def test_entry_is_converted_to_a_value_or_a_problem(schema, posted, value):
    entry = entered(schema, *posted)
    assert entry == value
    assert type(entry) is type(value)


def test_time_of_a_list_grows_with_its_lines():
    """Reading a form blocks the event loop. Eight times the lines take some eight times as long, and not 64 times."""
    schema = {**LINES, "maxItems": 50_000}

    def seconds(number):
        began = time.process_time()
        assert len(entered(schema, "\n".join(f"{n:x}" for n in range(number)))) == number
        return time.process_time() - began

    assert min(seconds(40_000) for _ in range(3)) < 24 * max(seconds(5_000) for _ in range(3))


@pytest.mark.parametrize(("length", "code"), [(200_000, "long"), (2000, "pattern")])
def test_pattern_is_not_searched_in_a_text_that_is_too_long(length, code):
    """Reading a form blocks the event loop, and this search takes quadratic time."""
    entry = " " * (length - 1) + "x"
    assert entered({"type": "string", "pattern": r"\s+$"}, entry) == ValueProblem(code=code)


@pytest.mark.parametrize("more", [{"properties": {}}, {"additionalProperties": False}])
def test_empty_object_is_not_in_the_form(more):
    form = one({"type": "object", **more})
    assert (form.members, form.left_out) == ((), ())


@pytest.mark.parametrize("schema", [WHOLE, PRICE, NAME, SIZE])
def test_required_field_must_be_filled_in(schema):
    assert entered(schema, "", required=True) == ValueProblem(code="required")


NESTED = {
    "type": "object",
    "properties": {
        "a/b~c": {
            "type": "object",
            "title": "Outer",
            "properties": {"inner": {"type": "object", "properties": {"deep": WHOLE, "more": NAME}}},
        },
        "plain": {"type": "boolean"},
    },
}


@pytest.mark.parametrize(
    ("schema", "posted", "value"),
    [
        (NUMBERS, ("",), ValueProblem(code="few")),
        (COUNTRIES, (), []),
    ],
)
def test_empty_required_list_is_stored_if_it_is_valid(schema, posted, value):
    assert entered(schema, *posted, required=True) == value


@pytest.mark.parametrize("inner", [{"type": "array", "items": {"type": "string"}}, {"type": "string"}])
def test_default_of_an_outer_object_is_shown_and_can_be_cleared(inner):
    default = ["a"] if inner["type"] == "array" else "a"
    outer = one({"type": "object", "properties": {"y": inner}, "default": {"y": default}})
    [group] = view_of(outer, FormContents(languages=("en",), stored={})).members
    assert group.members[0].entry == "a"
    assert fill(outer, {"/x/y": [""]}, {"x": {"y": default}}).data == {"x": {"y": type(default)()}}


@pytest.mark.parametrize(
    ("switch", "ticked"),
    [({}, True), ({"default": True}, True), ({"default": False}, False)],
)
def test_switch_of_a_widget_without_data_is_shown_as_the_runtime_treats_it(switch, ticked):
    form = one({"type": "object", "properties": {"enabled": {"type": "boolean", **switch}}})
    [group] = view_of(form, FormContents(languages=("en",), stored={})).members
    assert group.members[0].checked is ticked


@pytest.mark.parametrize("switch", [{}, {"default": True}, {"default": False}, {"default": None}])
def test_null_of_a_switch_is_shown_as_on(switch):
    """Only `false` turns a widget off."""
    form = one({"type": "object", "properties": {"enabled": {"type": ["boolean", "null"], **switch}}})
    [group] = view_of(form, FormContents(languages=("en",), stored={"x": {"enabled": None}})).members
    assert group.members[0].checked


OPTIONAL_TEXT = {"type": "object", "properties": {"a": {"type": "string"}}}
KEPT_ONLY = {"type": "object", "properties": {"a": {"type": "array"}}}


@pytest.mark.parametrize("group", [OPTIONAL_TEXT, KEPT_ONLY])
@pytest.mark.parametrize(
    ("stored", "data"),
    [
        ({"g": [1]}, {"g": {}}),
        ({"g": None, "old": 1}, {"g": {}, "old": 1}),
        ("garbage", {}),
        ({}, {}),
        ({"g": {"old": 1}}, {"g": {"old": 1}}),
    ],
)
def test_saving_replaces_a_group_that_is_no_object(group, stored, data):
    form = one({"type": "object", "properties": {"g": group}})
    saved = fill(form, {"/x/g/a": [""]}, {"x": stored}).data
    assert saved == {"x": data}
    assert list(unshown(form, FormContents(languages=("en",), stored=saved))) == []


def test_null_that_the_schema_allows_stays_in_a_group_without_entries():
    form = one({**OPTIONAL_TEXT, "type": ["object", "null"]})
    assert fill(form, {"/x/a": [""]}, {"x": None}).data == {"x": None}
    assert fill(form, {"/x/a": ["b"]}, {"x": None}).data == {"x": {"a": "b"}}


def test_field_names_of_nested_objects_are_json_pointers():
    form = read_form(NESTED)
    assert [field.name for field in fields_of(form)] == [
        "/a~1b~0c/inner/deep",
        "/a~1b~0c/inner/more",
        "/plain",
    ]
    filled = fill(form, {"/a~1b~0c/inner/deep": ["7"]}, {"a/b~c": {"inner": {"more": "old", "kept": 1}}})
    assert filled.data == {"a/b~c": {"inner": {"deep": 7, "kept": 1}}, "plain": False}


def test_nested_defaults_are_collected():
    assert defaults_of(read_schema(NESTED)[0]) == {"a/b~c": {"inner": {"deep": 3}}}


def test_app_data_is_not_changed_in_place():
    stored = {"plain": True}
    fill(read_form(NESTED), {}, stored)
    assert stored == {"plain": True}


@pytest.mark.parametrize(
    ("schema", "stored", "entry"),
    [
        (WHOLE, ..., "3"),
        (WHOLE, 7, "7"),
        (WHOLE, "seven", "3"),
        (WHOLE, True, "3"),
        (PRICE, 12.0, "12"),
        (PRICE, ..., ""),
        (NAME, "ab", "ab"),
        (NAME, ["ab"], ""),
        (LINES, ["a", "b"], "a\nb"),
        (SIZE, "m", '"m"'),
        (SIZE, "unknown", ""),
    ],
)
def test_stored_value_is_shown_as_it_is_typed(schema, stored, entry):
    [field] = view_of(
        one(schema), FormContents(languages=("en",), stored={} if stored is ... else {"x": stored})
    ).members
    assert field.entry == entry


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 50}, "0 to 50."),
        ({"type": "number", "minimum": 0.5, "multipleOf": 0.25}, "0.5 or more. A multiple of 0.25."),
        (PRICE, "More than 0. Less than 1000."),
        (NAME, "Characters: 2 to 5."),
        ({"type": "string", "minLength": 1}, ""),
        ({"type": "string", "minLength": 2}, "Characters: at least 2."),
        ({"type": "string", "format": "color"}, "Enter a colour, such as #1f5f4b."),
        ({"type": "string", "format": "color", "default": "#000000"}, ""),
        (LINES, "One per line. Entries: at most 3."),
        (NUMBERS, "One per line."),
        ({**COUNTRIES, "minItems": 2, "maxItems": 3}, "Entries: 2 to 3."),
    ],
)
def test_limits_are_said_beside_the_field(schema, said):
    [field] = view_of(one(schema), FormContents(languages=("en",), stored={})).members
    assert limits_of(all_sentences()["en"])(field) == said


def test_every_limit_has_a_sentence():
    ends = ("range", "from", "up-to")
    keys = {f"{what}{end}" for what in ("", "characters-", "entries-") for end in ends}
    assert keys | {"above", "below", "step"} <= set(all_sentences()["en"].texts)


def test_numbers_have_the_decimal_mark_of_the_page():
    document = {"type": "array", "items": {"type": "number"}}
    contents = FormContents(languages=("lv",), stored={"x": [2.5]}, decimal_mark=",")
    [field] = view_of(one(document), contents).members
    assert field.entry == "2,5"
    [field] = view_of(one({"type": "array", "items": {"type": "string"}}), contents).members
    assert field.entry == "2.5", "no number is wanted: a text that looks like the stored value"
    [field] = view_of(one({"type": "number", "multipleOf": 0.25}), contents).members
    assert limits_of(all_sentences()["lv"])(field) == "0,25 daudzkārtnis."
    problem = fill(one({"type": "number", "multipleOf": 0.25}), {"/x": ["0,3"]}, {}).problems["/x"]
    assert problem_of(all_sentences()["lv"])(replace(field, problem=problem)) == "Ievadiet 0,25 daudzkārtni."


@pytest.mark.parametrize(
    ("schema", "stored", "labels"),
    [
        (WHOLE, {"x": 3}, []),
        (WHOLE, {}, []),
        (WHOLE, {"x": "many"}, ["X"]),
        (WHOLE, {"x": 99}, []),
        (SIZE, {"x": "xl"}, ["X"]),
        (COUNTRIES, {"x": ["lv", "fi"]}, ["X"]),
        (COUNTRIES, {"x": ["lv"]}, []),
        (LINES, {"x": ["a", "b"]}, []),
        (LINES, {"x": ["a", 1.5]}, ["X"]),
        (LINES, {"x": [{"a": 1}]}, ["X"]),
        (LINES, {"x": [None]}, ["X"]),
        (NUMBERS, {"x": [1, 2.5]}, []),
        (NUMBERS, {"x": [1, "2"]}, ["X"]),
        (NUMBERS, {"x": [True]}, ["X"]),
        ({"type": "string", "writeOnly": True}, {"x": 3}, []),
        ({"type": "object", "properties": {"y": WHOLE}}, {"x": "text"}, ["X"]),
        ({"type": "object", "properties": {"y": WHOLE}}, {"x": None}, ["X"]),
        ({"type": ["object", "null"], "properties": {"y": WHOLE}}, {"x": None}, []),
        (
            {"type": "object", "properties": {"few_left": WHOLE}},
            {"x": {"few_left": "many"}},
            ["X / Few left"],
        ),
    ],
)
def test_stored_values_that_the_page_does_not_show_are_named(schema, stored, labels):
    assert list(unshown(one(schema), FormContents(languages=("en",), stored=stored))) == labels


def test_stored_text_that_is_no_date_is_shown_in_a_text_input():
    """A date input would be empty, and saving it would remove the text."""
    date = {"type": "string", "format": "date"}
    for stored, kind in (({"x": "31.12.2026"}, "text"), ({"x": "2026-12-31"}, "date"), ({}, "date")):
        [field] = view_of(one(date), FormContents(languages=("en",), stored=stored)).members
        assert (field.entry, field.input) == (stored.get("x", ""), kind)


PASSWORD = {"type": "string", "format": "password"}
HIDDEN_NUMBER = {"type": "integer", "writeOnly": True, "minimum": 10}
HIDDEN_SIZE = {**SIZE, "writeOnly": True}
HIDDEN_LINES = {"type": "array", "items": PASSWORD}
IN_HIDDEN_OBJECT = {"type": "object", "writeOnly": True, "properties": {"y": {"type": "string"}}}
SECRETS = [
    (PASSWORD, "hunter2", ("new",), "new"),
    ({"type": "string", "writeOnly": True, "maxLength": 500}, "hunter2", ("new",), "new"),
    (HIDDEN_NUMBER, 1234, ("77",), 77),
    (HIDDEN_SIZE, "m", ('"s"',), "s"),
    (HIDDEN_LINES, ["hunter2", "hunter3"], ("a\nb",), ["a", "b"]),
]


@pytest.mark.parametrize(("schema", "stored", "posted", "value"), SECRETS)
@pytest.mark.parametrize("required", [False, True])
def test_empty_entry_of_a_secret_keeps_the_stored_value(schema, stored, posted, value, required):
    form = one(schema, required=required)
    for empty in ({}, {"/x": [""]}):
        assert fill(form, empty, {"x": stored}) == FilledForm(data={"x": stored}, problems={})
    assert fill(form, {"/x": posted}, {"x": stored}).data == {"x": value}


@pytest.mark.parametrize(("schema", "stored", "posted", "value"), SECRETS)
@pytest.mark.parametrize("typed", [None, True])
def test_secret_is_never_in_the_view(schema, stored, posted, value, typed):
    contents = FormContents(languages=("en",), stored={"x": stored}, posted={"/x": posted} if typed else None)
    [field] = view_of(one({**schema, "default": stored}, required=True), contents).members
    assert (field.entry, field.fallback, field.required, field.input) == ("", None, False, "password")
    assert not any(option.chosen for option in field.options)
    assert field.note == ("secret-again" if typed else "secret-kept")


@pytest.mark.parametrize(
    ("schema", "required", "stored", "data"),
    [
        (PASSWORD, False, {}, {}),
        ({**PASSWORD, "default": "hunter2"}, False, {}, {}),
        ({**PASSWORD, "default": "hunter2"}, True, {}, {}),
        ({**PASSWORD, "type": ["string", "null"]}, False, {"x": None}, {"x": None}),
        (PASSWORD, True, {}, None),
        (PASSWORD, True, {"x": ""}, None),
        (HIDDEN_NUMBER, True, {"x": 0}, {"x": 0}),
        (HIDDEN_LINES, True, {"x": []}, None),
    ],
)
def test_empty_secret_is_a_problem_only_when_a_required_value_is_missing(schema, required, stored, data):
    """`data` is None in the rows whose entry is a problem."""
    form = one(schema, required=required)
    filled = fill(form, {"/x": [""]}, stored)
    assert filled.data == (stored if data is None else data)
    assert filled.problems == ({"/x": ValueProblem(code="required")} if data is None else {})
    [field] = view_of(form, FormContents(languages=("en",), stored=stored)).members
    assert field.required is (data is None)


def test_invalid_secret_is_a_problem():
    assert entered(HIDDEN_NUMBER, "9") == ValueProblem(code="minimum")
    assert entered({**PASSWORD, "minLength": 3}, "  ") == ValueProblem(code="short")


@pytest.mark.parametrize("schema", [{"type": "boolean"}, COUNTRIES])
def test_secret_check_boxes_are_left_out(schema):
    form = one({**schema, "writeOnly": True})
    assert (form.members, form.left_out) == ((), ("x",))


def test_every_field_of_a_secret_object_is_secret():
    [field] = fields_of(one(IN_HIDDEN_OBJECT))
    assert field.secret
    assert fill(one(IN_HIDDEN_OBJECT), {}, {"x": {"y": "kept"}}).data == {"x": {"y": "kept"}}


@pytest.mark.parametrize("language", ["en", "lv", "de"])
def test_every_language_has_every_sentence_with_the_same_arguments(language):
    names = re.compile(r"\{(\w+)\}")
    english, other = all_sentences()["en"].texts, all_sentences()[language].texts
    assert {k: set(names.findall(v)) for k, v in other.items()} == {
        k: set(names.findall(v)) for k, v in english.items()
    }


def test_every_problem_and_every_message_has_a_sentence():
    source = Path(__file__).parents[2] / "src/awning/host"
    limits = source.parent / "data_schema/limits.py"
    texts = all_sentences()["en"].texts
    code = "".join(path.read_text(encoding="utf-8") for path in (*source.rglob("*.py"), limits))
    problems = set(re.findall(r'ValueProblem\(code="([\w-]+)"', code))
    problems |= {f"format-{name}" for name, row in VALUE_FORMATS.items() if row.fits}
    problems |= {row.limit.problem for row in KEYWORDS.values() if row.limit}
    assert {f"problem-{name}" for name in problems} == {n for n in texts if n.startswith("problem-")}
    messages = set(re.findall(r'\.message\(\s*"([\w-]+)"', code))
    pages = "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.html"))
    used = set(re.findall(r'say\("([\w-]+)"', pages + code)) | messages | {f"{m}-what" for m in messages}
    assert used <= set(texts)


TEXTS = st.one_of(
    st.text(max_size=8),
    st.from_regex(r"-?[0-9]{1,3}([.,][0-9])?", fullmatch=True),
    st.sampled_from(['"m"', "3", "true", '"lv"', "a\nb", "1\n2\n1", "2026-03-31", "#00ff00"]),
)
SCHEMAS = st.sampled_from([{"type": "boolean"}, WHOLE, PRICE, NAME, SIZE, COUNTRIES, LINES, NUMBERS])


@settings(max_examples=volume("host-form"))
@given(SCHEMAS, st.lists(TEXTS, max_size=3), st.booleans())
def test_any_posted_entry_is_a_problem_or_valid_data(schema, posted, required):
    document = {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}
    filled = fill(read_form(document), {"/x": posted}, {})
    if not filled.problems:
        jsonschema.validate(filled.data, document)
        json.dumps(filled.data, allow_nan=False)
        again = view_of(read_form(document), FormContents(languages=("en",), stored=filled.data)).members[0]
        entries = [o.key for o in again.options if o.chosen] if again.options else [again.entry]
        if "x" in filled.data and filled.data["x"] not in ("", None) and again.kind is not FieldKind.FLAG:
            assert fill(read_form(document), {"/x": entries}, {}).data == filled.data, (
                "shown and sent again, the same"
            )


POSTED_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["0", "1", "new", "77", "-1", "x" * 9]),
        st.dictionaries(
            st.sampled_from(["from", "name", "link/to", "tags", "shown", "kind", "rows"]), TEXTS, max_size=6
        ),
        st.lists(TEXTS, max_size=2),
    ),
    max_size=4,
)
STORED_STEPS = [{"kind": "step", "from": 9, "link": {}, "free": {"en": "kept"}}, 7]


@settings(max_examples=volume("host-form"))
@given(POSTED_ROWS, st.booleans(), st.sampled_from([None, STORED_STEPS, "no list"]))
def test_any_posted_rows_are_a_problem_or_data_that_fit(rows, required, stored):
    document = {"type": "object", "properties": {"x": STEPS}, "required": ["x"] if required else []}
    posted = {"/x": ["list", *(origin for origin, *_ in rows)]}
    for place, (_, texts, inner) in enumerate(rows):
        posted |= {f"/x/{place}/{name}": [text] for name, text in texts.items()}
        posted |= {f"/x/{place}/rows": ["list", *("new" for _ in inner)]}
        posted |= {f"/x/{place}/rows/{number}/a": [text] for number, text in enumerate(inner)}
    filled = fill(read_form(document), posted, {} if stored is None else {"x": stored})
    if filled.problems:
        assert all(name.startswith("/x") for name in filled.problems)
        return
    jsonschema.validate(filled.data, document)
    assert list(misfits(filled.data, read_schema(document)[0])) == []
    assert len(filled.data.get("x", [])) == len(rows)
    contents = FormContents(languages=("en",), stored=filled.data)
    assert list(unshown(read_form(document), contents)) == []


@pytest.mark.parametrize(
    ("entry", "moment"),
    [
        ("2026-03-31T10:30:00+03:00", ("2026-03-31T10:30", "+03:00")),
        ("2026-03-31T10:30:15Z", ("2026-03-31T10:30:15", "Z")),
        ("2026-03-31T10:30", ("2026-03-31T10:30", "")),
        ("", ("", "")),
        ("2026-02-30T10:30:00Z", None),
        ("2026-03-31T10:30:00.5Z", None),
        ('2026"><script>', None),
    ],
)
def test_date_and_time_is_shown_by_two_controls_or_as_text_and_sent_again_the_same(entry, moment):
    form = one({"type": "string", "format": "date-time"})
    [field] = view_of(form, FormContents(languages=("en",), stored={"x": entry})).members
    assert (field.moment and (field.moment.local, field.moment.offset)) == moment
    assert field.input == ("datetime-local" if moment else "text")
    posted = list(moment) if moment else [entry]
    complete = entry if len(entry) != len("2026-03-31T10:30") else f"{entry}:00"
    assert posted_text(next(fields_of(form)), posted) == complete


def test_list_that_is_too_long_for_a_page_has_no_rows_and_stays():
    row = {"type": "object", "properties": {"a": NAME}}
    form = one({"type": "array", "items": row})
    stored = {"x": [{"a": "ab"}] * 101}
    view = view_of(form, FormContents(languages=("en",), stored=stored))
    assert (view.members, view.left_out) == ((), 1)
    assert fill(form, {}, stored).data == stored


def test_option_keys_of_a_number_and_its_text_differ():
    assert option_key(1) != option_key("1")
