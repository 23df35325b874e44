"""Calls of imported templates, with the literals that they pass. Nothing is known of a value that is no literal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from awning.script.imports import TEMPLATE_ENDING, Import
from awning.script.tree import Node, NodesByType


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A value in a script, at a byte offset. `truth` is whether it counts as true in a template; None when not known.

    `fields` are the fields of an object literal; `open` is whether it may have more. `items` are the items of an array
    literal; for `.map(...)` there is one item, which represents them all. `fields` and `items` are None for any other
    value. `type` is the result of `typeof`, but "null" for null; None when not known.
    """

    at: int = 0
    truth: bool | None = None
    fields: "Mapping[str, Field] | None" = None
    items: "tuple[Literal, ...] | None" = None
    open: bool = False
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object literal: the byte offset of its name, and its value."""

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
"""The result of `typeof` for each type of tree-sitter node; for `null`, "null" instead of "object"."""

UNKNOWN = Literal()
ABSENT = Literal(truth=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCall:
    """One call of a template, from the byte offset `start` to `end`.

    `argument` is the range of its only argument; None if it has none, or several. `literal` is that argument if it is
    an object literal, and a literal without fields for a call without an argument; else None.
    """

    start: int
    end: int
    argument: tuple[int, int] | None
    literal: Literal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCalls:
    """The calls of the template that a script imports from `source`."""

    source: str
    calls: tuple[TemplateCall, ...]


def template_calls(
    nodes: NodesByType, imports: Sequence[Import], declared: AbstractSet[str]
) -> Iterator[TemplateCalls]:
    """Yield the calls of each imported template. A template whose name is also in `declared` is left out."""
    for statement in imports:
        name = statement.default
        if name and name not in declared and statement.module.endswith(TEMPLATE_ENDING):
            calls = [
                call
                for call in nodes.get("call_expression", ())
                if (called := call.fields.get("function"))
                and called.type == "identifier"
                and called.text == name
            ]
            yield TemplateCalls(source=statement.module, calls=tuple(map(_template_call, calls)))


def _template_call(call: Node) -> TemplateCall:
    arguments = call.fields.get("arguments")
    values = arguments.kids if arguments is not None and arguments.type == "arguments" else None
    only = values[0] if values and len(values) == 1 and values[0].type != "spread_element" else None
    literal = _value(only) if only is not None else UNKNOWN
    if values == []:
        literal = Literal(at=call.fields["function"].start, fields={})
    return TemplateCall(
        start=call.start,
        end=call.end,
        argument=None if only is None else (only.start, only.end),
        literal=literal if literal.fields is not None else None,
    )


def _value(node: Node) -> Literal:
    match node.type:
        case "parenthesized_expression":
            return _value(node.kids[0])
        case "object":
            return _object(node)
        case "array":
            nodes = [item for item in node.kids if item.type != "hole"]
            items = tuple(map(_value, nodes))
            spread = any(item.type == "spread_element" for item in nodes)
            truth = None if spread else bool(items)
            return Literal(at=node.start, truth=truth, items=items, type="object")
        case "call_expression":
            return _mapped(node)
    return Literal(at=node.start, truth=_truth(node), type=TYPES.get(node.type))


def _truth(node: Node) -> bool | None:
    match node.type:
        case "true":
            return True
        case "false" | "null" | "undefined":
            return False
        case "string":
            return bool(node.kids)
        case "number":
            return re.fullmatch(r"0*\.?0*|0[xXbBoO]0+", node.text) is None
    return None


def _object(node: Node) -> Literal:
    fields: dict[str, Field] = {}
    more = False
    for child in node.kids:
        key = child.fields.get("key") or child.fields.get("name") or child
        name = _name(key)
        if name is None:
            more = True
        else:
            value = child.fields.get("value") if child.type == "pair" else None
            fields[name] = Field(key.start, _value(value) if value is not None else UNKNOWN)
    truth = True if fields else None
    return Literal(at=node.start, truth=truth, fields=fields, open=more, type="object")


def _name(key: Node) -> str | None:
    """Return the name of a field. None for a spread, and for a name that is computed, a number or has escapes."""
    if key.type in {"property_identifier", "shorthand_property_identifier"}:
        return key.text
    if key.type == "string" and not any(child.type == "escape_sequence" for child in key.kids):
        return key.text[1:-1]
    return None


def _mapped(node: Node) -> Literal:
    """Return the value of `lines.map((line) => ({ ... }))`: a list with one item, the value that the function returns.

    Any other call is `UNKNOWN`, also `map` with a function whose body is not an expression in parentheses.
    """
    called, arguments = node.fields.get("function"), node.fields.get("arguments")
    method = called.fields.get("property") if called else None
    if method is None or method.text != "map" or arguments is None or len(arguments.kids) != 1:
        return UNKNOWN
    function = arguments.kids[0]
    body = function.fields.get("body")
    if body is None or body.type != "parenthesized_expression" or "async" in function.marks:
        return UNKNOWN
    return Literal(at=node.start, items=(_value(body),))
