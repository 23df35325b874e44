"""Which changes of a data schema may leave stored data that do not fit."""

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.data_schema import read_app_schema, shown_path, unversioned_changes


def app(part, version=1):
    return read_app_schema({"properties": {"bar": {"type": "object", "x-version": version, **part}}})


def changes(old, new, *versions):
    both = (app({"properties": part}, v) for part, v in zip((old, new), versions or (1, 1), strict=True))
    return sorted(map(shown_path, unversioned_changes(*both)))


TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new", "narrowed"),
    [
        (WHOLE, {"type": "number", "title": "N", "default": 3}, False),
        ({"type": "number"}, WHOLE, True),
        (TEXT, {"type": ["string", "null"]}, False),
        ({"type": ["string", "null"]}, TEXT, True),
        ({**WHOLE, "maximum": 5}, {**WHOLE, "maximum": 6}, False),
        ({**WHOLE, "maximum": 5}, {**WHOLE, "maximum": 4}, True),
        ({**TEXT, "minLength": 2}, {**TEXT, "minLength": 3}, True),
        ({**TEXT, "minLength": 2}, TEXT, False),
        (WHOLE, {**WHOLE, "multipleOf": 2}, True),
        ({"type": "number", "multipleOf": 2}, WHOLE, False),
        ({**WHOLE, "minimum": 0}, {**WHOLE, "exclusiveMinimum": 0}, True),
        ({**WHOLE, "minimum": 1}, {**WHOLE, "exclusiveMinimum": 0}, False),
        ({**WHOLE, "minimum": 5, "maximum": 4}, {**WHOLE, "maximum": 0}, False),
        (WHOLE, {**WHOLE, "maximum": 1e300}, False),
        (TEXT, {**TEXT, "maximum": 3}, False),
        (TEXT, {**TEXT, "pattern": "^a"}, True),
        ({**TEXT, "pattern": "^a"}, TEXT, False),
        ({"enum": ["a"]}, {"enum": ["b", "a"]}, False),
        ({"enum": ["a", "b"]}, {"enum": ["a"]}, True),
        (TEXT, {"enum": ["a"]}, True),
        ({"enum": ["a"]}, TEXT, False),
        ({"enum": ["a", 1]}, TEXT, True),
        ({"type": "string", "enum": ["a"]}, {**TEXT, "maxLength": 1}, False),
        ({"type": "string", "enum": ["a", "long"]}, {**TEXT, "maxLength": 1}, True),
        ({"enum": ["a", None]}, TEXT, True),
        (TEXT, {**TEXT, "minLength": 0}, False),
        (TEXT, {**TEXT, "maxLength": 0}, True),
        (WHOLE, {**WHOLE, "minimum": 0}, True),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": WHOLE}, True),
        ({"type": "array"}, {"type": "array", "items": TEXT}, True),
        ({"type": "array"}, {"type": "array", "uniqueItems": True}, True),
        ({}, TEXT, True),
        (TEXT, {}, False),
    ],
)
def test_change_of_a_value(old, new, narrowed):
    assert changes({"a": old}, {"a": new}) == (["bar.a"] if narrowed else [])


HALVES = st.integers(-6, 6).map(lambda half: half / 2)
NUMBERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={
        "multipleOf": st.sampled_from([0.5, 1, 1.5, 2, 3]),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), HALVES),
    },
)
QUARTERS = [quarter / 4 for quarter in range(-40, 41)]
"""A number in every set of numbers that such limits can tell apart."""


@settings(max_examples=volume("narrowed-limits"))
@given(NUMBERS, NUMBERS)
def test_limits_are_narrower_exactly_if_a_number_fits_no_longer(old, new):
    before, after = jsonschema.Draft202012Validator(old), jsonschema.Draft202012Validator(new)
    fits_no_longer = any(before.is_valid(number) and not after.is_valid(number) for number in QUARTERS)
    assert changes({"a": old}, {"a": new}) == (["bar.a"] if fits_no_longer else [])


@pytest.mark.parametrize(
    ("old", "new", "narrowed"),
    [
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT, "b": TEXT}}, []),
        ({"properties": {"a": TEXT, "b": TEXT}}, {"properties": {"a": TEXT}}, ["bar.b"]),
        ({"properties": {"enabled": {"type": "boolean"}, "a": TEXT}}, {"properties": {"a": TEXT}}, []),
        ({"properties": {"a": TEXT}}, {"properties": {}, "additionalProperties": TEXT}, []),
        ({"additionalProperties": TEXT}, {"properties": {"a": TEXT}}, ["bar"]),
        ({"properties": {"a": TEXT}}, {"properties": {"a": TEXT}, "required": ["a"]}, ["bar.a"]),
        (
            {"properties": {"a": TEXT}},
            {"properties": {"a": {**TEXT, "default": "x"}}, "required": ["a"]},
            [],
        ),
    ],
)
def test_change_of_the_keys(old, new, narrowed):
    assert sorted(map(shown_path, unversioned_changes(app(old), app(new)))) == narrowed


def test_only_widgets_of_both_schemas_with_the_same_version_count():
    assert changes({"a": TEXT}, {"a": WHOLE}, 1, 2) == []
    assert changes({"a": TEXT}, {"a": WHOLE}, 2, 2) == ["bar.a"]
    other = read_app_schema({"properties": {"other": {"properties": {"a": WHOLE}}}})
    assert list(unversioned_changes(app({"properties": {"a": TEXT}}), other)) == []
