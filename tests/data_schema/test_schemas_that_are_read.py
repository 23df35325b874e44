"""Reading a data schema: its parts, its mistakes and its defaults."""

import json

import pytest

from awning.data_schema import ABSENT, default_of, defaults_of, read_schema
from awning.data_schema.keywords import KEYWORDS
from awning.data_schema.schema_reader import DEEPEST, MOST_PARTS

ROW = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


def with_property(schema, **more):
    return {"properties": {"x": schema}, **more}


def read_property(schema, **more):
    part, faults = read_schema(with_property(schema, **more))
    assert faults == ()
    return part.properties["x"]


def faults_of(schema, **more):
    return [
        (fault.where, fault.rule, fault.warning) for fault in read_schema(with_property(schema, **more))[1]
    ]


@pytest.mark.parametrize(
    ("schema", "types", "nullable"),
    [
        ({"type": "integer"}, ("integer",), False),
        ({"type": ["integer", "null"]}, ("integer",), True),
        ({"type": ["string", "number"]}, ("string", "number"), False),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ("string",), True),
        ({"oneOf": [{"type": "null"}, {"$ref": "#/$defs/row"}], "title": "Row"}, ("object",), True),
        ({"properties": {}}, ("object",), False),
        ({"items": {"type": "string"}}, ("array",), False),
        ({"$ref": "#/$defs/row"}, ("object",), False),
        ({"$ref": "#/$defs/row", "type": ["object", "null"]}, ("object",), True),
        ({"$ref": "#/%24defs/row%20of%20a~1b"}, ("object",), False),
        ({"enum": ["a", None]}, (), True),
        ({}, (), True),
        (True, (), True),
    ],
)
def test_types_of_a_property_are_read(schema, types, nullable):
    part = read_property(schema, **{"$defs": {"row": ROW, "row of a/b": ROW}})
    assert (part.types, part.nullable) == (types, nullable)


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"enum": ["a", 1, None]}, ["a", 1]),
        ({"const": 1}, [1]),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": 2}]}, [1, 2]),
        ({"anyOf": [{"const": "a"}]}, ["a"]),
    ],
)
def test_options_of_a_choice_are_read(schema, values):
    assert [option.value for option in read_property(schema).options] == values


X = ("properties", "x")


@pytest.mark.parametrize(
    ("schema", "where", "rule", "warning"),
    [
        (1, X, "data-schema", False),
        ({"type": "intger"}, (*X, "type"), "data-schema", False),
        ({"type": ["string", "nul"]}, (*X, "type", 1), "data-schema", False),
        ({"type": 3}, (*X, "type"), "data-schema", False),
        ({"enum": []}, (*X, "enum"), "data-schema", False),
        ({"enum": "a"}, (*X, "enum"), "data-schema", False),
        ({"properties": []}, (*X, "properties"), "data-schema", False),
        ({"properties": {"y": 1}}, (*X, "properties", "y"), "data-schema", False),
        ({"type": "string", "required": True}, (*X, "required"), "data-schema", False),
        ({"properties": {"y": {}}, "required": ["z"]}, (*X, "required", 0), "data-schema", False),
        ({"type": "integer", "minimum": "1"}, (*X, "minimum"), "data-schema", False),
        ({"type": "string", "maxLength": -1}, (*X, "maxLength"), "data-schema", False),
        ({"type": "integer", "minimum": 3, "maximum": 1}, (*X, "minimum"), "data-schema", False),
        ({"type": "string", "pattern": 3}, (*X, "pattern"), "data-schema", False),
        ({"type": "string", "minLenght": 3}, (*X, "minLenght"), "data-schema", False),
        ({"$ref": "https://example.com/size.json"}, (*X, "$ref"), "data-schema", False),
        ({"$ref": "#/$defs/none"}, (*X, "$ref"), "data-schema", False),
        ({"$ref": "#none"}, (*X, "$ref"), "data-schema", False),
        ({"type": "number", "multipleOf": 0}, (*X, "multipleOf"), "data-schema", False),
        (False, X, "data-schema", True),
        ({"items": False}, (*X, "items"), "data-schema", True),
        ({"items": {"$ref": "#/properties/x"}}, (*X, "items", "$ref"), "data-schema", False),
        ({"type": "string", "pattern": "(?P<n>a)"}, (*X, "pattern"), "data-schema", True),
        ({"type": "string", "pattern": "^(a+)+$"}, (*X, "pattern"), "data-schema", False),
        ({"items": {"pattern": "^(a+)+$"}}, (*X, "items", "pattern"), "data-schema", False),
        (
            {"type": "object", "additionalProperties": {"pattern": "(a*)*b"}},
            (*X, "additionalProperties", "pattern"),
            "data-schema",
            False,
        ),
        ({"allOf": [{"type": "string"}]}, (*X, "allOf"), "data-schema", True),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, (*X, "anyOf"), "data-schema", True),
        ({"type": "object", "patternProperties": {}}, (*X, "patternProperties"), "data-schema", True),
        ({"type": "string", "format": "password"}, X, "data-schema", True),
        ({"type": "string", "format": "uuid"}, (*X, "format"), "data-schema", True),
        ({"type": "string", "format": "date-tme"}, (*X, "format"), "data-schema", True),
        ({"type": "string", "format": ["date"]}, (*X, "format"), "data-schema", False),
        ({"items": {"type": "string", "format": "ipv4"}}, (*X, "items", "format"), "data-schema", True),
        ({"type": "number", "format": "date"}, (*X, "format"), "data-schema", True),
        ({"type": ["integer", "null"], "maxLength": 3}, (*X, "maxLength"), "data-schema", True),
        ({"type": "string", "minimum": 3}, (*X, "minimum"), "data-schema", True),
        ({"type": "boolean", "items": {}}, (*X, "items"), "data-schema", True),
        ({"type": "string", "contentEncoding": "base64"}, (*X, "contentEncoding"), "data-schema", True),
        ({"type": "string", "widget": "textarea"}, (*X, "widget"), "data-schema", True),
        ({"type": "string", "writeOnly": True}, X, "data-schema", True),
        ({"type": "integer", "default": 1.5}, (*X, "default"), "data-default", False),
        ({"type": "string", "default": None}, (*X, "default"), "data-default", False),
        ({"type": "string", "minLength": 1, "default": ""}, (*X, "default"), "data-default", False),
        ({"items": ROW, "default": [{"title": 1}]}, (*X, "default", 0, "title"), "data-default", False),
        ({"items": ROW, "default": [{}]}, (*X, "default", 0, "title"), "data-default", False),
        ({**ROW, "default": {"titel": "a"}}, (*X, "default", "titel"), "data-default", False),
    ],
)
def test_schema_fault_is_reported_at_its_place(schema, where, rule, warning):
    assert (where, rule, warning) in faults_of(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "default": 3.0, "examples": [1], "$comment": "why"},
        {"type": "string", "x-order": 3, "ui:widget": "textarea", "format": "multiline"},
        {"type": ["string", "integer"], "maxLength": 3, "minimum": 3},
        {"maxLength": 3, "minimum": 3},
        {"type": ["string", "null"], "default": None},
        {"type": "string", "minLength": 0.0, "maxLength": 2e1, "pattern": "a"},
        {"type": "array", "minItems": 1.0, "maxItems": 2.0},
        {"type": "object", "required": ["any"], "additionalProperties": True},
        {**ROW, "default": {}},
    ],
)
def test_valid_schema_has_no_faults(schema):
    assert faults_of(schema) == []


def test_exponential_references_end_with_a_fault():
    doubling = {f"a{n}": with_property({"$ref": f"#/$defs/a{n + 1}"}) for n in range(40)}
    doubling = {name: {"properties": {"x": schema["properties"]["x"], "y": schema["properties"]["x"]}}
                for name, schema in doubling.items()}  # fmt: skip
    _, faults = read_schema({"$defs": {**doubling, "a40": {}}, "$ref": "#/$defs/a0"})
    assert [fault.message for fault in faults] == [
        f"the schema nests deeper than {DEEPEST} or has over {MOST_PARTS} parts"
    ]


@pytest.mark.parametrize(
    ("properties", "defaults"),
    [
        ({"a": {"type": "integer", "default": 1}, "b": {"type": "integer"}}, {"a": 1}),
        ({"a": {"properties": {"b": {"default": 1}}}}, {"a": {"b": 1}}),
        (
            {"a": {"properties": {"b": {"default": 1}, "c": {"default": 2}}, "default": {"c": 3}}},
            {"a": {"b": 1, "c": 3}},
        ),
        ({"a": {"type": ["object", "null"], "properties": {"b": {"default": 1}}, "default": None}}, {"a": None}),
        ({"a": {"items": {"properties": {"b": {"default": 1}}}}}, {}),
    ],
)  # fmt: skip
def test_defaults_of_a_schema_are_collected(properties, defaults):
    assert defaults_of(read_schema({"properties": properties})[0]) == defaults


def test_a_schema_without_defaults_has_none():
    assert default_of(read_schema({"properties": {"a": {"type": "integer"}}})[0]) is ABSENT


@pytest.mark.parametrize("row", KEYWORDS.values(), ids=lambda row: row.name)
def test_example_of_a_keyword_is_read_without_a_fault_of_its_value(row):
    value = json.loads(row.example)
    schema = {row.name: value, **({"type": row.of[0]} if row.of else {})}
    faults = read_schema({"properties": {"x": schema}})[1]
    assert row.value.fits(value)
    assert not [fault for fault in faults if "must be" in fault.message or "keyword" in fault.message]


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "string", "pattern": 3}, '"pattern" must be a text, not 3'),
        ({"type": "string", "minLength": 1.5}, '"minLength" must be a whole number from 0, not 1.5'),
        ({"type": "array", "maxItems": -1.0}, '"maxItems" must be a whole number from 0, not -1'),
        ({"type": "array", "minItems": "1"}, '"minItems" must be a whole number from 0, not "1"'),
        ({"enum": []}, '"enum" must be a list of values, not a list of 0 entries'),
        ({"properties": []}, '"properties" must be a table, not a list of 0 entries'),
        ({"type": "string", "required": True}, '"required" must be a list of names, not true'),
    ],
)
def test_value_of_a_keyword_of_another_kind_is_one_fault(schema, message):
    assert [fault.message for fault in read_schema({"properties": {"x": schema}})[1]] == [message]
