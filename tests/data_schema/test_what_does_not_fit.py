"""Misfits of data and schema: the same as in JSON Schema, each with a sentence and a hint."""

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.data_schema import app_misfits, hint_for, misfits, read_app_schema, read_schema, sentence_for
from awning.data_schema.value_formats import VALUE_FORMATS

SCHEMA = {
    "type": "object",
    "properties": {
        "days": {"type": "integer", "minimum": 0, "maximum": 60, "default": 3},
        "price": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
        "name": {"type": "string", "minLength": 2, "maxLength": 5},
        "code": {"type": "string", "pattern": "^[a-z]+$"},
        "mail": {"type": "string", "format": "email"},
        "size": {"enum": ["small", "large"]},
        "note": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": {"enum": ["new", "sale"]}, "uniqueItems": True, "maxItems": 2},
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["title"],
                "properties": {"title": {"type": "string"}, "link": {"type": "string"}},
            },
        },
        "texts": {"type": "object", "additionalProperties": {"type": "string"}},
        "secret": {"type": "string", "writeOnly": True, "maxLength": 3},
        "needed": {"type": "string"},
    },
    "required": ["needed", "days"],
}
PART, _ = read_schema(SCHEMA)


def told(data, **options):
    return [
        (sentence_for(misfit), hint_for(misfit)) for misfit in misfits(data, PART, partial=True, **options)
    ]


@pytest.mark.parametrize(
    ("data", "sentence", "hint"),
    [
        ({"days": "3"}, '"days" is "3", and must be a whole number from 0 to 60', None),
        ({"days": 61}, '"days" is 61, and must be a whole number from 0 to 60', None),
        ({"days": 1.5}, '"days" is 1.5, and must be a whole number from 0 to 60', None),
        ({"days": True}, '"days" is true, and must be a whole number from 0 to 60', None),
        ({"days": None}, '"days" is null, and must be a whole number from 0 to 60', None),
        ({"price": 0.3}, '"price" is 0.3, and must be a number above 0, a multiple of 0.5', None),
        ({"price": 1e300}, "\"price\" is 1e+300, which is larger than a browser's numbers can be", None),
        ({"name": "a"}, '"name" is "a", and must be a text of 2 to 5 characters', None),
        ({"name": "a" * 90}, '"name" is a text of 90 characters, and must be a text of 2 to 5 characters', None),
        ({"code": "A"}, '"code" is "A", and must be a text that matches ^[a-z]+$', None),
        ({"mail": "me"}, '"mail" is "me", and must be an e-mail address such as name@example.com', None),
        ({"size": "smal"}, '"size" is "smal", and must be one of "small", "large"', 'did you mean "small"?'),
        ({"note": 3}, '"note" is 3, and must be a text or null', None),
        ({"tags": ["new", "old"]}, '"tags[1]" is "old", and must be one of "new", "sale"', None),
        (
            {"tags": ["new", "new"]},
            '"tags" has the same entry twice (entry 2), but entries must differ',
            None,
        ),
        (
            {"tags": ["new", "sale", "new"]},
            '"tags" is a list of 3 entries, and must be a list of values out of "new", "sale" of at most 2 entries',
            None,
        ),
        ({"rows": [{}]}, '"rows[0].title" is missing, and must be a text', None),
        ({"rows": [{"title": "a", "lnik": ""}]}, 'nothing reads "rows[0].lnik"', 'did you mean "link"?'),
        ({"rows": {}}, '"rows" is an object, and must be a list of objects', None),
        ({"texts": {"en": 1}}, '"texts.en" is 1, and must be a text', None),
        ({"secret": "hunter2"}, '"secret" is a text of 7 characters, and must be a text of at most 3 characters', None),
        ({"dais": 1}, 'nothing reads "dais"', 'did you mean "days"?'),
        ({"enabled": "no"}, '"enabled" is "no", and must be true or false', None),
        ([], "the data is a list of 0 entries, and must be an object", None),
    ],
)  # fmt: skip
def test_misfit_has_a_sentence_and_a_hint(data, sentence, hint):
    assert told(data) == [(sentence, hint)]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"enabled": False},
        {"days": 60.0, "note": None, "tags": ["sale"], "rows": [{"title": ""}], "texts": {"any": "thing"}},
    ],
)
def test_fitting_data_has_no_misfits(data):
    assert told(data) == []


def test_missing_required_property_is_a_misfit_of_complete_data():
    assert [misfit.path for misfit in misfits({}, PART)] == [("needed",)]


def test_all_misfits_are_reported_with_their_paths():
    data = {"days": "x", "rows": [{"title": 1}, {}], "zzz": 1}
    paths = [misfit.path for misfit in misfits(data, PART, partial=True)]
    assert paths == [("days",), ("rows", 0, "title"), ("rows", 1, "title"), ("zzz",)]


def test_hidden_value_is_not_in_the_sentence():
    [misfit] = misfits({"name": "planted"}, PART, partial=True)
    assert "planted" not in sentence_for(misfit, hidden=True)


def test_app_data_is_checked_widget_by_widget():
    app = read_app_schema({"properties": {"note": SCHEMA}})
    all_misfits = list(app_misfits({"note": {"days": 99}, "not": {}}, app))
    assert [misfit.path for misfit in all_misfits] == [("note", "days"), ("note", "needed"), ("not",)]
    assert hint_for(all_misfits[-1]) == 'did you mean "note"?'
    assert [sentence_for(app_misfit, of="the app data") for app_misfit in app_misfits([], app)] == [
        "the app data is a list of 0 entries, and must be an object"
    ]
    app = read_app_schema({"properties": {"note": {"type": "object"}, "list": {"type": "array"}}})
    assert list(app_misfits({"note": [], "list": []}, app)) == []
    assert [misfit.path for misfit in app_misfits({"note": [1]}, app)] == [("note",)]


def test_references_are_resolved_within_the_schema_of_the_widget():
    widget = {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    app = read_app_schema({"properties": {"note": widget}})
    assert [misfit.path for misfit in app_misfits({"note": {"a": "1"}}, app)] == [("note", "a")]


def test_deeply_nested_data_is_a_misfit():
    deep = []
    for _ in range(5000):
        deep = [deep]
    part, _ = read_schema({"properties": {"x": {"type": "array", "uniqueItems": True}}})
    assert [misfit.problem.code for misfit in misfits({"x": deep}, part)] == ["deep"]


NUMBERS = st.sampled_from([0, 1, 1.0, 2.5, -3, 60, 61, 1e10])
TEXTS = st.sampled_from(["", "a", "ab", "new", "sale", "small", "me@example.com", "2026-03-31", "é" * 6])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "title"]), inner, max_size=3)
    ),
    max_leaves=6,
)
SCALARS = st.one_of(
    st.fixed_dictionaries({"type": st.just("integer")}, optional={"minimum": NUMBERS, "exclusiveMaximum": NUMBERS}),
    st.fixed_dictionaries({"type": st.just("number")}, optional={"maximum": NUMBERS, "multipleOf": st.just(0.5)}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", ["string", "null"]])},
        optional={"minLength": st.just(1), "maxLength": st.just(3), "pattern": st.just("a")},
    ),
    st.sampled_from([{"type": "boolean"}, {"enum": ["new", 1, None, [1]]}, {"const": 1}, {"type": "null"}]),
    st.just({"oneOf": [{"const": "new"}, {"const": 2.5}]}),
)  # fmt: skip
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner},
            optional={"minItems": st.just(1), "maxItems": st.just(2), "uniqueItems": st.booleans()},
        ),
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from(["a", "b", "title"]), inner, max_size=3),
                "additionalProperties": st.one_of(st.booleans(), inner),
            },
            optional={"required": st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True)},
        ),
    ),
    max_leaves=5,
)


@settings(max_examples=volume("data-schema"))
@given(SCHEMAS, VALUES)
def test_data_fits_exactly_when_json_schema_accepts_it(schema, value):
    document = {"type": "object", "properties": {"x": schema}, "additionalProperties": False}
    part, faults = read_schema(document)
    if any(not fault.warning for fault in faults):
        return
    accepted = jsonschema.Draft202012Validator(document).is_valid({"x": value})
    all_misfits = list(misfits({"x": value}, part))
    assert (not all_misfits) == accepted, [sentence_for(misfit) for misfit in all_misfits]
    json.dumps([sentence_for(misfit) for misfit in all_misfits])


def test_very_small_multiple_of_is_supported():
    schema = {"properties": {"fine": {"type": "number", "multipleOf": 1e-30, "default": 60}}}
    assert read_schema(schema)[1] == ()


FORMATS = {
    "date": (
        ["2026-03-31", "2024-02-29"],
        ["2026-02-31", "31.03.2026", "20260331", "2026-3-1", "", "2026-03-31T10:00:00Z"],
    ),
    "time": (
        ["10:30", "00:00:00", "23:59:59.5", "10:30:00Z", "10:30:00+03:00"],
        ["24:00", "10:60", "10.30", "9:30", "10:30 ", "soon", "", "10:30:00+25:00", "\uff11\uff10:30"],
    ),
    "date-time": (
        ["2026-03-31T10:30:00Z", "2026-03-31t10:30:00.25z", "2026-03-31T10:30:00+03:00"],
        [
            "2026-03-31",
            "2026-03-31T10:30:00",
            "2026-03-31T10:30Z",
            "2026-02-30T10:30:00Z",
            "2026-03-31 10:30:00Z",
            "",
        ],
    ),
    "uri": (
        ["https://example.com/a?b=c#d", "http://localhost:8080", "https://ā.example/{id}"],
        [
            "example.com",
            "javascript:alert(1)",
            "https://",
            "https://a b",
            "https://a/\x00",
            "http://a:99999",
            'https://a/"',
        ],
    ),
    "color": (["#1f5f4b", "#FFFFFF"], ["red", "#fff", "#1f5f4", "1f5f4b", "#1f5f4b "]),
    "email": (
        ["me@example.com", "o'hara+shop@mail.example.co.uk", "a@1-2.example"],
        [
            *("me", "me@example", "a b@example.com", "me@example..com", "@example.com", "me@-a.example"),
            *('"><script>@example.com', "a@b@c.example", "me@example.com\n", "ā@example.com"),
            f"{'a' * 250}@b.example",
        ],
    ),
    "picture": (
        ["https://example.com/a.png", "https://cdn.example.com/a?width=300"],
        [
            "http://example.com/a.png",
            "//example.com/a.png",
            "data:image/png;base64,AA",
            "HTTPS://a/b.png",
            'https://a/"',
        ],
    ),
}


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        (name, value, fits)
        for name, (good, bad) in FORMATS.items()
        for values, fits in ((good, True), (bad, False))
        for value in values
    ],
)
def test_format_is_checked_in_a_value_and_in_an_entry_of_a_list(name, value, fits):
    text = {"type": "string", "format": name}
    part, faults = read_schema({"properties": {"one": text, "all": {"type": "array", "items": text}}})
    assert faults == ()
    found = [misfit.problem.code for misfit in misfits({"one": value, "all": [value]}, part)]
    assert found == ([] if fits else [f"format-{name}"] * 2)


def test_every_format_that_is_checked_has_words():
    for name in FORMATS:
        part, _ = read_schema({"properties": {"a": {"type": "string", "format": name}}})
        (misfit,) = misfits({"a": "?"}, part)
        assert not sentence_for(misfit).endswith("must be a text")
    assert {*FORMATS} == {name for name, row in VALUE_FORMATS.items() if row.fits}


def test_example_of_a_format_fits_and_is_in_its_message():
    for row in VALUE_FORMATS.values():
        assert row.fits is None or row.fits(row.example), row.name
        assert row.example in row.fitting
