"""What a table of a TOML file may hold, as data, and the one function that holds a table against it.

A rule is a `Key`; a kind of value is a `Kind` (a name for people, a test, and the same as JSON Schema for
editors). Hand-written because a validation library costs more start-up time than a build has.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from awning.contract import LANGUAGE_CODE, SLOTS, is_language_code
from awning.diagnostics import did_you_mean
from awning.workspace.document import Document
from awning.workspace.locate import KeyPath

MOST_UNKNOWN = 20
"""Unknown keys of one table that are reported one by one."""

NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""A widget's or state's name: the name of a folder, of a part of the app data, of a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of value. `accepts` is the test; `schema` says the same in JSON Schema."""

    expected: str
    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]
    rule: str = "wrong-type"
    choices: tuple[str, ...] = ()
    element: "Kind | None" = None
    """For an array: the kind of each element, reported one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    name: str
    kind: Kind
    required: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A table: what diagnostics call it, and its keys."""

    what: str
    keys: tuple[Key, ...]
    by_name: Mapping[str, Key] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", MappingProxyType({key.name: key for key in self.keys}))


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


TEXT = Kind(
    expected="a string that is not empty",
    accepts=lambda value: isinstance(value, str) and bool(value.strip()),
    schema={"type": "string", "minLength": 1},
)
FLAG = Kind(expected="true or false", accepts=lambda v: isinstance(v, bool), schema={"type": "boolean"})
BYTES = Kind(
    expected="a whole number of bytes above 0",
    accepts=lambda value: _is_int(value) and value > 0,
    schema={"type": "integer", "minimum": 1},
)
TABLE = Kind(expected="a table", accepts=lambda v: isinstance(v, dict), schema={"type": "object"})
SLOT = Kind(
    expected=f"one of {', '.join(SLOTS)}",
    accepts=lambda value: value in SLOTS,
    schema={"enum": list(SLOTS)},
    rule="unknown-slot",
    choices=tuple(SLOTS),
)
LANGUAGE = Kind(
    expected='a language code such as "lv" or "pt-BR"',
    accepts=lambda value: isinstance(value, str) and is_language_code(value),
    schema={"type": "string", "pattern": f"^{LANGUAGE_CODE.pattern}$"},
    rule="language-code",
)
NAMED = Kind(
    expected="a name in lower case, digits and single hyphens",
    accepts=lambda value: isinstance(value, str) and NAME.fullmatch(value) is not None,
    schema={"type": "string", "pattern": f"^{NAME.pattern}$"},
    rule="bad-name",
)
PAYLOAD = Kind(
    expected='the name of a product or cart ("P1", "C1") or a table, the event parameter itself',
    accepts=lambda value: isinstance(value, dict) or (isinstance(value, str) and bool(value.strip())),
    schema={"type": ["string", "object"]},
)
URL = Kind(
    expected="an http or https address",
    accepts=lambda value: isinstance(value, str) and re.match(r"https?://[^\s/]", value) is not None,
    schema={"type": "string", "format": "uri"},
)
IDENTIFIER = Kind(
    expected="a JavaScript identifier",
    accepts=lambda value: isinstance(value, str) and re.fullmatch(r"[A-Za-z_$][\w$]*", value) is not None,
    schema={"type": "string", "pattern": r"^[A-Za-z_$][\w$]*$"},
)


def one_of(*choices: str) -> Kind:
    return Kind(
        expected=f"one of {', '.join(choices)}",
        accepts=lambda value: value in choices,
        schema={"enum": list(choices)},
        rule="unknown-value",
        choices=choices,
    )


def array_of(element: Kind, *, least: int = 1, unique: bool = True) -> Kind:
    """An array; its elements are looked at one by one."""
    return Kind(
        expected=f"an array, each {element.expected}",
        accepts=lambda value: isinstance(value, list) and len(value) >= least,
        schema={"type": "array", "items": dict(element.schema), "minItems": least, "uniqueItems": unique},
        element=element,
    )


def matches(pattern: str, expected: str) -> Kind:
    return Kind(
        expected=expected,
        accepts=lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None,
        schema={"type": "string", "pattern": f"^(?:{pattern})$"},
    )


def _is_moment(value: Any) -> bool:
    if isinstance(value, datetime):
        return True
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


MOMENT = Kind(
    expected='a date and time such as "2026-03-02T10:30:00"',
    accepts=_is_moment,
    schema={"type": "string"},
)


def _is_answer(value: Any) -> bool:
    return isinstance(value, dict | list | str) or (_is_int(value) and (value == 0 or 200 <= value < 600))  # noqa: PLR2004


ANSWERS = Kind(
    expected='a table from https addresses to JSON, a file name or a status, as "https://…" = { points = [] }',
    accepts=lambda value: (
        isinstance(value, dict)
        and all(re.match(r"https?://[^\s/]", url) for url in value)
        and all(map(_is_answer, value.values()))
    ),
    schema={"type": "object", "additionalProperties": {"type": ["object", "array", "string", "integer"]}},
)


def texts_by_language() -> Kind:
    """`{ en = ["shown"], lv = "shown" }`."""
    return Kind(
        expected='a table from language codes to arrays of strings, as { en = ["text"] }',
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


def hold(document: Document, values: Mapping[str, Any], shape: Shape, at: KeyPath = ()) -> dict[str, Any]:
    """The accepted keys of a table; what is wrong with the others is in the document's findings."""
    accepted: dict[str, Any] = {}
    unknown = [name for name in values if name not in shape.by_name]
    for name in unknown[:MOST_UNKNOWN]:
        document.unknown(shape.what, (*at, name), shape.by_name)
    if len(unknown) > MOST_UNKNOWN:
        more = f"{len(unknown) - MOST_UNKNOWN} more unknown keys in {shape.what}"
        document.report("unknown-key", more, (*at, unknown[MOST_UNKNOWN]))
    for name, value in values.items():
        key = shape.by_name.get(name)
        if key is None:
            continue
        if _holds(document, value, key.kind, (*at, name), name):
            accepted[name] = value
    for key in shape.keys:
        if key.required and key.name not in values:
            hint = f"add: {key.name} = …  ({key.kind.expected})"
            document.report("missing-key", f'{shape.what} has no "{key.name}"', at, hint=hint)
    return accepted


def _holds(document: Document, value: Any, kind: Kind, at: KeyPath, name: str) -> bool:
    if not kind.accepts(value):
        close = did_you_mean(value, kind.choices) if isinstance(value, str) else None
        message = f'"{name}" must be {kind.expected}, not {shown(value)}'
        document.report(kind.rule, message, at, hint=close or f"write {kind.expected}")
        return False
    if kind.element is None:
        return True
    whole = True
    for index, item in enumerate(value):
        whole &= _holds(document, item, kind.element, (*at, index), name)
        if kind.schema["uniqueItems"] and item in value[:index]:
            document.report("repeated", f'{shown(item)} stands twice in "{name}"', (*at, index))
            whole = False
    return whole


def shown(value: Any) -> str:
    """A value as an author wrote it, short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an empty array" if not value else "an array"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"  # noqa: PLR2004 - fits a line beside the sentence
