"""Calls of imported templates, and the literals that they are given.

Only what is certain: a value that is no literal is `UNKNOWN`. tree-sitter's own nodes are walked, and only those that
its query finds.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from awning.check.script.tree import parser

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

_IMPORTED = """
(import_statement (import_clause (identifier) @import) source: (string (string_fragment) @source))
"""
_CALLED = """
(call_expression function: (identifier) @call)
"""
_DECLARED = """
(variable_declarator name: (identifier) @name)
(function_declaration name: (identifier) @name)
(class_declaration name: (type_identifier) @name)
(required_parameter pattern: (identifier) @name)
(optional_parameter pattern: (identifier) @name)
(arrow_function parameter: (identifier) @name)
(catch_clause parameter: (identifier) @name)
(shorthand_property_identifier_pattern) @name
(pair_pattern value: (identifier) @name)
(array_pattern (identifier) @name)
(rest_pattern (identifier) @name)
(for_in_statement left: (identifier) @name)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A value in a script. `truth` is whether a template takes it for true, None where that is not known.

    `fields` are those of an object literal, `items` the items of an array literal, or what `.map(...)` makes each item
    to; `open` says that there may be more. `type` is what JavaScript's `typeof` says, or `null`, where that is certain.
    `at` is a byte offset.
    """

    at: int = 0
    truth: bool | None = None
    fields: "Mapping[str, Field] | None" = None
    items: "tuple[Literal, ...] | None" = None
    open: bool = False
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object literal: where its name stands, and its value."""

    at: int
    value: Literal


TYPES = {
    "arrow_function": "function",
    "false": "boolean",
    "function_expression": "function",
    "null": "null",
    "number": "number",
    "string": "string",
    "template_string": "string",
    "true": "boolean",
    "undefined": "undefined",
}
"""By the kind of tree-sitter's node."""

UNKNOWN = Literal()
ABSENT = Literal(truth=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What is imported from `source`, and its calls: the argument, None where it is no object literal."""

    source: str
    calls: tuple[Literal | None, ...]


def read_calls(script: str, *, typed: bool = True) -> Iterator[Calls]:
    """The calls of each template that a script imports. None of a script that cannot be parsed."""
    from tree_sitter import QueryCursor  # noqa: PLC0415 - only a script that imports a template pays for it

    root = parser(typed=typed).parse(script.encode()).root_node
    if root.has_error:
        return
    captures = QueryCursor(_query(typed=typed)).captures(root)
    declared = {_text(node) for node in captures.get("name", ())}
    for node, source in zip(captures.get("import", ()), captures.get("source", ()), strict=True):
        name = _text(node)
        if name not in declared and _text(source).endswith(".html.j2"):
            found = (_argument(one) for one in captures.get("call", ()) if _text(one) == name)
            yield Calls(source=_text(source), calls=tuple(found))


@lru_cache(maxsize=2)
def _query(*, typed: bool) -> "Query":
    from tree_sitter import Query  # noqa: PLC0415 - as above

    return Query(cast("Language", parser(typed=typed).language), _IMPORTED + _CALLED + _DECLARED)


def _argument(callee: "Node") -> Literal | None:
    arguments = callee.parent.child_by_field_name("arguments") if callee.parent else None
    if arguments is None or arguments.type != "arguments":
        return None
    given = _named(arguments)
    if not given:
        return Literal(at=callee.start_byte, fields={})
    found = _value(given[0]) if len(given) == 1 else UNKNOWN
    return found if found.fields is not None else None


def _named(node: "Node") -> "list[Node]":
    return [child for child in node.named_children if child.type != "comment"]


def _value(node: "Node") -> Literal:
    match node.type:
        case "parenthesized_expression":
            return _value(_named(node)[0])
        case "object":
            return _object(node)
        case "array":
            items = tuple(_value(item) for item in _named(node))
            spread = any(item.type == "spread_element" for item in _named(node))
            truth = None if spread else bool(items)
            return Literal(at=node.start_byte, truth=truth, items=items, type="object")
        case "call_expression":
            return _mapped(node)
    return Literal(at=node.start_byte, truth=_truth(node), type=TYPES.get(node.type))


def _truth(node: "Node") -> bool | None:
    match node.type:
        case "true":
            return True
        case "false" | "null" | "undefined":
            return False
        case "string":
            return bool(_named(node))
        case "number":
            return re.fullmatch(r"0*\.?0*|0[xXbBoO]0+", _text(node)) is None
    return None


def _object(node: "Node") -> Literal:
    fields: dict[str, Field] = {}
    more = False
    for child in _named(node):
        key = child.child_by_field_name("key") or child.child_by_field_name("name") or child
        name = _name(key)
        if name is None:
            more = True
        else:
            value = child.child_by_field_name("value") if child.type == "pair" else None
            fields[name] = Field(key.start_byte, _value(value) if value is not None else UNKNOWN)
    truth = True if fields else None
    return Literal(at=node.start_byte, truth=truth, fields=fields, open=more, type="object")


def _name(key: "Node") -> str | None:
    """The name of a field; None for one that is computed, and for a spread."""
    if key.type in {"property_identifier", "shorthand_property_identifier"}:
        return _text(key)
    if key.type == "string" and not any(child.type == "escape_sequence" for child in key.named_children):
        return _text(key)[1:-1]
    return None


def _mapped(node: "Node") -> Literal:
    """`lines.map((line) => ({ ... }))` is a list of what the function returns."""
    function = node.child_by_field_name("function")
    method = function.child_by_field_name("property") if function is not None else None
    arguments = node.child_by_field_name("arguments")
    if method is None or _text(method) != "map" or arguments is None or len(_named(arguments)) != 1:
        return UNKNOWN
    body = _named(arguments)[0].child_by_field_name("body")
    if body is None or body.type != "parenthesized_expression" or _is_async(_named(arguments)[0]):
        return UNKNOWN
    return Literal(at=node.start_byte, items=(_value(body),))


def _is_async(function: "Node") -> bool:
    return any(child.type == "async" for child in function.children)


def _text(node: "Node") -> str:
    return (node.text or b"").decode()
