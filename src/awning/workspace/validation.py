"""Validates a table of a TOML file.

A `TableShape` lists the `Key`s of a table. Each has a `ValueKind`: a description, a test, and a JSON Schema for
editors. This module uses no validation library, because importing one takes longer than a whole build.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from awning.contract import LANGUAGE_CODE, SLOTS, is_language_code
from awning.diagnostics import did_you_mean
from awning.workspace.document import Document
from awning.workspace.offsets import KeyPath

MOST_UNKNOWN = 20
"""The most unknown keys of one table that are reported one by one. The others are only counted."""

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""The pattern for names of widgets and states, which also name folders, parts of the app data, and tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueKind:
    """A kind of value. `accepts` tests a value; `schema` describes it for editors, and may allow more values."""

    expected: str
    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]
    rule: str = "wrong-type"
    choices: tuple[str, ...] = ()
    element: "ValueKind | None" = None
    """The kind of each element of an array."""
    shape: "TableShape | None" = None
    """The keys of a table."""
    rows: "Rows | None" = None
    """The rows of a table whose keys are the author's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The kinds of the keys and values of a table. Each key is the name of `named`."""

    names: ValueKind
    values: ValueKind
    named: str


def _as_written(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of a table. Its value is `make` of what is written, in the field of the model that has the key's name."""

    name: str
    kind: ValueKind
    required: bool = False
    about: str = ""
    make: Callable[[Any], Any] = _as_written
    field: str | None = ""
    """A field of another name. None: the reader of the table makes a value of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShape:
    """The keys that a table may have. Diagnostics call the table `what`."""

    what: str
    keys: tuple[Key, ...]
    by_name: Mapping[str, Key] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", MappingProxyType({key.name: key for key in self.keys}))


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


TEXT = ValueKind(
    expected="a string that is not empty",
    accepts=lambda value: isinstance(value, str) and bool(value.strip()),
    schema={"type": "string", "minLength": 1},
)
LONGEST_PATH = 255
"""The most bytes of the path of a file that a setting names: what most systems allow for one name."""


def is_file_path(text: str) -> bool:
    """Return whether a system can look for a file of this name."""
    return "\0" not in text and len(text.encode()) <= LONGEST_PATH


FILE_PATH = ValueKind(
    expected=f"the path of a file, of at most {LONGEST_PATH} bytes",
    accepts=lambda value: isinstance(value, str) and bool(value.strip()) and is_file_path(value),
    schema={"type": "string", "minLength": 1, "maxLength": LONGEST_PATH},
)
FLAG = ValueKind(expected="true or false", accepts=lambda v: isinstance(v, bool), schema={"type": "boolean"})
BYTES = ValueKind(
    expected="a whole number of bytes above 0",
    accepts=lambda value: _is_int(value) and value > 0,
    schema={"type": "integer", "minimum": 1},
)
SHARE = ValueKind(
    expected="a number above 0 and up to 1",
    accepts=lambda value: isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1,
    schema={"type": "number", "exclusiveMinimum": 0, "maximum": 1},
)
TABLE = ValueKind(expected="a table", accepts=lambda v: isinstance(v, dict), schema={"type": "object"})
SLOT = ValueKind(
    expected=f"one of {', '.join(SLOTS)}",
    accepts=lambda value: isinstance(value, str) and value in SLOTS,
    schema={"enum": list(SLOTS)},
    rule="unknown-slot",
    choices=tuple(SLOTS),
)
LANGUAGE = ValueKind(
    expected='a language code such as "lv" or "pt-BR"',
    accepts=lambda value: isinstance(value, str) and is_language_code(value),
    schema={"type": "string", "pattern": f"^{LANGUAGE_CODE.pattern}$"},
    rule="language-code",
)
NAMED = ValueKind(
    expected="a name in lower case, digits and single hyphens",
    accepts=lambda value: isinstance(value, str) and NAME.fullmatch(value) is not None,
    schema={"type": "string", "pattern": f"^{NAME.pattern}$"},
    rule="bad-name",
)
PAYLOAD = ValueKind(
    expected='the name of a product or cart ("P1", "C1"), or the event parameter as a table',
    accepts=lambda value: isinstance(value, dict) or (isinstance(value, str) and bool(value.strip())),
    schema={"type": ["string", "object"]},
)
URL = ValueKind(
    expected="an http or https address",
    accepts=lambda value: isinstance(value, str) and re.match(r"https?://[^\s/]", value) is not None,
    schema={"type": "string", "format": "uri"},
)
_NO_PUNCTUATION = r"\s!-#%-/:-@\[-^`{-~"
IDENTIFIER = ValueKind(
    expected="a JavaScript identifier",
    accepts=lambda value: isinstance(value, str) and value.replace("$", "_").isidentifier(),
    schema={"type": "string", "pattern": rf"^[^\d{_NO_PUNCTUATION}][^{_NO_PUNCTUATION}]*$"},
)
"""Its letters may be of any script. `\\w` is ASCII in editors, so the pattern excludes punctuation instead."""


def one_of(*choices: str) -> ValueKind:
    return ValueKind(
        expected=f"one of {', '.join(choices)}",
        accepts=lambda value: value in choices,
        schema={"enum": list(choices)},
        rule="unknown-value",
        choices=choices,
    )


def array_of(element: ValueKind, *, least: int = 1, unique: bool = True) -> ValueKind:
    """Return the kind of an array of at least `least` elements, which are validated one by one."""
    return ValueKind(
        expected=f"an array, each {element.expected}",
        accepts=lambda value: isinstance(value, list) and len(value) >= least,
        schema={"type": "array", "items": dict(element.schema), "minItems": least, "uniqueItems": unique},
        element=element,
    )


def matches(pattern: str, expected: str) -> ValueKind:
    return ValueKind(
        expected=expected,
        accepts=lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None,
        schema={"type": "string", "pattern": f"^(?:{pattern})$"},
    )


CURRENCY_CODE = matches("[A-Z]{3}", 'an ISO 4217 code such as "JPY"')


def _is_moment(value: Any) -> bool:
    if isinstance(value, datetime):
        return True
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


MOMENT = ValueKind(
    expected='a date and time such as "2026-03-02T10:30:00"',
    accepts=_is_moment,
    schema={"type": "string"},
)


def _is_response(value: Any) -> bool:
    return isinstance(value, dict | list | str) or (_is_int(value) and (value == 0 or 200 <= value < 600))  # noqa: PLR2004


_ADDRESS_AS_SENT = re.compile(r"https?://[^\s/?#A-Z]+/[^\s#]*")
"""An address as browsers send it: the host in small letters with a `/` after it, and no fragment."""

RESPONSES = ValueKind(
    expected="a table that maps https addresses to JSON, a file name or a status, "
    'as "https://a.example/" = { x = [] }; '
    "the host is in small letters with a / after it, and no address has a #",
    accepts=lambda value: (
        isinstance(value, dict)
        and all(map(_ADDRESS_AS_SENT.fullmatch, value))
        and all(map(_is_response, value.values()))
    ),
    schema={"type": "object", "additionalProperties": {"type": ["object", "array", "string", "integer"]}},
)


def texts_by_language() -> ValueKind:
    """Return the kind of a table of texts by language, such as `{ en = ["in stock"], lv = ["ir noliktavā"] }`."""
    return ValueKind(
        expected='a table that maps language codes to arrays of strings, such as { en = ["text"] }',
        accepts=lambda value: (
            isinstance(value, dict)
            and all(is_language_code(code) for code in value)
            and all(
                isinstance(texts, list) and all(isinstance(t, str) and t for t in texts)
                for texts in value.values()
            )
        ),
        schema={"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
    )


def table_of(shape: "TableShape") -> ValueKind:
    """Return the kind of a table with the keys of `shape`."""
    return replace(TABLE, shape=shape)


def table_by_name(rows: Rows) -> ValueKind:
    """Return the kind of a table whose keys are the author's."""
    schema = {"propertyNames": dict(rows.names.schema), "additionalProperties": dict(rows.values.schema)}
    return replace(TABLE, schema={**TABLE.schema, **schema}, rows=rows)


def fields_of(shape: TableShape, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a validated table as arguments of the model's class, by field.

    Keys of which the reader makes values of its own are left out.
    """
    return {
        key.field or key.name: key.make(values[key.name])
        for key in shape.keys
        if key.field is not None and key.name in values
    }


def validate_table(
    document: Document, values: Mapping[str, Any], shape: TableShape, at: KeyPath = ()
) -> dict[str, Any]:
    """Return the valid keys of a table with their values.

    Problems with other keys are added to the document's findings.
    """
    valid: dict[str, Any] = {}
    unknown = [name for name in values if name not in shape.by_name]
    for name in unknown[:MOST_UNKNOWN]:
        document.report_unknown_key(shape.what, (*at, name), shape.by_name)
    if len(unknown) > MOST_UNKNOWN:
        message = f"{len(unknown) - MOST_UNKNOWN} more unknown keys in {shape.what}"
        document.report("unknown-key", message, (*at, unknown[MOST_UNKNOWN]))
    for name, value in values.items():
        key = shape.by_name.get(name)
        if key is not None and _validate_value(document, value, key.kind, (*at, name), name):
            valid[name] = value
    for key in shape.keys:
        if key.required and key.name not in values:
            hint = f"add: {key.name} = …  ({key.kind.expected})"
            document.report_missing_key(shape.what, (*at, key.name), hint)
    return valid


def _validate_value(document: Document, value: Any, kind: ValueKind, at: KeyPath, name: str) -> bool:
    if not kind.accepts(value):
        close = did_you_mean(value, kind.choices) if isinstance(value, str) else None
        message = f'"{name}" must be {kind.expected}, not {describe_value(value)}'
        document.report(kind.rule, message, at, hint=close or _expected(kind, value, at))
        return False
    if kind.shape is not None:
        return len(validate_table(document, value, kind.shape, at)) == len(value)
    if kind.rows is not None:
        return _validate_rows(document, value, kind.rows, at)
    if kind.element is None:
        return True
    valid = True
    for index, element in enumerate(value):
        valid &= _validate_value(document, element, kind.element, (*at, index), name)
        if kind.schema["uniqueItems"] and element in value[:index]:
            document.report("repeated", f'{describe_value(element)} occurs twice in "{name}"', (*at, index))
            valid = False
    return valid


def _expected(kind: ValueKind, value: Any, at: KeyPath) -> str:
    """Return what to write. Of a table where a list of tables is, only the brackets are wrong."""
    is_entry = isinstance(value, Mapping) and kind.expected.startswith("an array, each a table")
    return f"write [[{'.'.join(map(str, at))}]] above each entry" if is_entry else f"write {kind.expected}"


def _validate_rows(document: Document, table: Mapping[str, Any], rows: Rows, at: KeyPath) -> bool:
    valid = True
    for name, value in table.items():
        if rows.names.accepts(name):
            valid &= _validate_value(document, value, rows.values, (*at, name), name)
        else:
            message = f'"{name}" cannot be the name of {rows.named}'
            document.report("bad-name", message, (*at, name), hint=f"write {rows.names.expected}")
            valid = False
    return valid


def describe_value(value: Any) -> str:
    """Return a value as an author would write it, shortened to fit into a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an empty array" if not value else "an array"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"  # noqa: PLR2004 - fits a line beside the sentence
