"""The keywords of JSON Schema that awning knows in data.schema.json, one row each.

The reader of schemas, the check of values, the sentences about misfits, the settings form and the reference read the
rows.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeGuard

Json = Any

TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")


def is_number(value: Json) -> TypeGuard[float]:
    """Return whether the value is a JSON number. Booleans, infinity and NaN are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_anything(_: Json) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordValue:
    """What a keyword's own value must be: in words, and as a function."""

    words: str
    fits: Callable[[Json], bool] = _is_anything


NUMBER: Final = KeywordValue(words="a number", fits=is_number)
COUNT: Final = KeywordValue(words="a whole number from 0", fits=_is_count)
_VERSION = KeywordValue(words="a whole number from 1", fits=lambda value: _is_count(value) and value > 0)
_TEXT = KeywordValue(words="a text", fits=lambda value: isinstance(value, str))
_TABLE = KeywordValue(words="a table", fits=lambda value: isinstance(value, Mapping))
_NAMES = KeywordValue(words="a list of names", fits=_are_names)
_VALUES = KeywordValue(words="a list of values", fits=lambda value: isinstance(value, list) and bool(value))
_ANYTHING = KeywordValue(words="any JSON")
_FLAG = KeywordValue(words="true or false")
_SCHEMA = KeywordValue(words="a schema")
_CHOICES = KeywordValue(words="a list of schemas with `const` and `title`")
_TEXTS = KeywordValue(words="a text, or texts by language")
_TYPE = KeywordValue(words="a type, or a list of types")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit of a number, or of the length of a text, a list or an object.

    problem    the code of the problem of a value that is beyond the limit
    holds      whether a value, or its length, keeps to the limit
    side       "low" or "high" for a side of a range, which is described as one
    words      any other limit in English, after the words for the kind of value
    """

    problem: str
    holds: Callable[[Decimal, Decimal], bool]
    side: Literal["low", "high"] | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """A keyword. `of` are the types of the values that it is about: none means all. `example` is its value as JSON."""

    name: str
    about: str
    value: KeywordValue
    example: str
    of: tuple[str, ...] = ()
    limit: Limit | None = None


_ROWS = (
    Keyword(
        name="$schema",
        about="The dialect of JSON Schema, for other tools.",
        value=_ANYTHING,
        example='"https://json-schema.org/draft/2020-12/schema"',
    ),
    Keyword(name="$id", about="The schema's name, for other tools.", value=_ANYTHING, example='"settings"'),
    Keyword(
        name="$ref",
        about="The schema is the one to which this refers, in the same file and never to itself.",
        value=_TEXT,
        example='"#/$defs/row"',
    ),
    Keyword(
        name="$defs",
        about="Schemas to which `$ref` refers.",
        value=_TABLE,
        example='{"row": {"type": "string"}}',
    ),
    Keyword(
        name="definitions",
        about="The older name of `$defs`.",
        value=_TABLE,
        example='{"row": {"type": "string"}}',
    ),
    Keyword(name="$comment", about="A note for authors.", value=_ANYTHING, example='"set by the shop"'),
    Keyword(name="$vocabulary", about="For other tools.", value=_ANYTHING, example="{}"),
    Keyword(
        name="title", about="The label in the settings form.", value=_TEXTS, example='{"en": "Free from"}'
    ),
    Keyword(
        name="description",
        about="The explanation in the settings form.",
        value=_TEXTS,
        example='"In euros"',
    ),
    Keyword(name="default", about="The value while the shop has set none.", value=_ANYTHING, example="75"),
    Keyword(name="examples", about="For other tools.", value=_ANYTHING, example="[50, 75]"),
    Keyword(name="deprecated", about="For other tools.", value=_FLAG, example="true"),
    Keyword(name="readOnly", about="For other tools.", value=_FLAG, example="true"),
    Keyword(
        name="writeOnly",
        about="The value is a secret. App data cannot keep one, as a warning says.",
        value=_FLAG,
        example="true",
    ),
    Keyword(
        name="x-version",
        about="Of the whole schema: the version of the data. `data.migrate.ts` makes it of earlier ones.",
        value=_VERSION,
        example="2",
        of=("object",),
    ),
    Keyword(
        name="type",
        about=f"The types that a value may have: {', '.join(f'`{name}`' for name in TYPES)}.",
        value=_TYPE,
        example='["string", "null"]',
    ),
    Keyword(name="enum", about="The values of a choice.", value=_VALUES, example='["small", "large"]'),
    Keyword(name="const", about="The only value.", value=_ANYTHING, example='"small"'),
    Keyword(
        name="oneOf",
        about="The values of a choice, with titles; or a schema and null.",
        value=_CHOICES,
        example='[{"const": "s", "title": "Small"}]',
    ),
    Keyword(
        name="anyOf",
        about="The same as `oneOf`.",
        value=_CHOICES,
        example='[{"type": "string"}, {"type": "null"}]',
    ),
    Keyword(
        name="properties",
        about="The keys of an object, each with its schema.",
        value=_TABLE,
        example='{"days": {"type": "integer"}}',
        of=("object",),
    ),
    Keyword(
        name="required",
        about="The keys that an object must have.",
        value=_NAMES,
        example='["title"]',
        of=("object",),
    ),
    Keyword(
        name="additionalProperties",
        about="The schema of all other keys. Without it, an object that has `properties` has no other keys.",
        value=_SCHEMA,
        example='{"type": "string"}',
        of=("object",),
    ),
    Keyword(
        name="items",
        about="The schema of each entry of a list.",
        value=_SCHEMA,
        example='{"type": "string"}',
        of=("array",),
    ),
    Keyword(
        name="pattern",
        about='A regular expression of JavaScript with the flag "u". It may take 50 ms a text.',
        value=_TEXT,
        example='"^[A-Z]{2}$"',
        of=("string",),
    ),
    Keyword(
        name="format",
        about="The form of a text, or its field in the settings form: one of the table below.",
        value=_TEXT,
        example='"email"',
        of=("string",),
    ),
    Keyword(
        name="uniqueItems",
        about="Whether the entries of a list must differ.",
        value=_FLAG,
        example="true",
        of=("array",),
    ),
    Keyword(
        name="minimum",
        about="The least number.",
        value=NUMBER,
        example="0",
        of=("number", "integer"),
        limit=Limit(problem="minimum", holds=operator.ge, side="low"),
    ),
    Keyword(
        name="maximum",
        about="The greatest number.",
        value=NUMBER,
        example="60",
        of=("number", "integer"),
        limit=Limit(problem="maximum", holds=operator.le, side="high"),
    ),
    Keyword(
        name="exclusiveMinimum",
        about="A number below all numbers that fit.",
        value=NUMBER,
        example="0",
        of=("number", "integer"),
        limit=Limit(problem="above", holds=operator.gt, words=" above {limit}"),
    ),
    Keyword(
        name="exclusiveMaximum",
        about="A number above all numbers that fit.",
        value=NUMBER,
        example="100",
        of=("number", "integer"),
        limit=Limit(problem="below", holds=operator.lt, words=" below {limit}"),
    ),
    Keyword(
        name="multipleOf",
        about="The number is a multiple of this one.",
        value=KeywordValue(words="a number above 0", fits=lambda value: is_number(value) and value > 0),
        example="0.5",
        of=("number", "integer"),
        limit=Limit(
            problem="step",
            holds=lambda value, step: Fraction(value) % Fraction(step) == 0,
            words=", a multiple of {limit}",
        ),
    ),
    Keyword(
        name="minLength",
        about="The least number of characters.",
        value=COUNT,
        example="2",
        of=("string",),
        limit=Limit(problem="short", holds=operator.ge, side="low"),
    ),
    Keyword(
        name="maxLength",
        about="The greatest number of characters.",
        value=COUNT,
        example="80",
        of=("string",),
        limit=Limit(problem="long", holds=operator.le, side="high"),
    ),
    Keyword(
        name="minItems",
        about="The least number of entries.",
        value=COUNT,
        example="1",
        of=("array",),
        limit=Limit(problem="few", holds=operator.ge, side="low"),
    ),
    Keyword(
        name="maxItems",
        about="The greatest number of entries.",
        value=COUNT,
        example="5",
        of=("array",),
        limit=Limit(problem="many", holds=operator.le, side="high"),
    ),
)
KEYWORDS: Final[Mapping[str, Keyword]] = MappingProxyType({row.name: row for row in _ROWS})
"""The keywords by their names."""

NOT_HELD: Final = frozenset(
    (
        *("allOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "dependencies"),
        *("patternProperties", "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties"),
        *("prefixItems", "additionalItems", "contains", "minContains", "maxContains", "unevaluatedItems"),
        *("contentEncoding", "contentMediaType", "contentSchema"),
        *("$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"),
    )
).difference(KEYWORDS)
"""The other keywords of JSON Schema. A schema with one of them gets a warning."""


def with_whole_counts(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a schema with `2` in place of `2.0`, the same count (JSON Schema 2020-12, Core, 4.2.3)."""
    counts = {
        name: int(value)
        for name, value in schema.items()
        if isinstance(value, float) and value.is_integer() and name in KEYWORDS
        if KEYWORDS[name].value in (COUNT, _VERSION)
    }
    return {**schema, **counts} if counts else schema


class Bound(NamedTuple):
    """A limit that a schema has, and its value."""

    keyword: str
    limit: Limit
    value: float


def bounds_of(schema: Mapping[str, Json], kind: str) -> list[Bound]:
    """Return the limits that a schema has for values of a type. One that is no number is left out."""
    return [
        Bound(row.name, row.limit, schema[row.name])
        for row in _ROWS
        if row.limit and kind in row.of and row.name in schema and row.value.fits(schema[row.name])
    ]


def range_of(schema: Mapping[str, Json], kind: str) -> tuple[Bound | None, Bound | None]:
    """Return the least and the greatest value or length that a schema allows, each None without a limit."""
    sides = {bound.limit.side: bound for bound in bounds_of(schema, kind)}
    return sides.get("low"), sides.get("high")
