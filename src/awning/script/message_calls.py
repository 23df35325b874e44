"""The calls of `t` in a script, each with the key of its message and the names of its arguments.

The runtime passes `t` to a render function, which may rename it in a pattern (`{ t: say }`). A `t` that the script
itself declares (a function, a class, a constant, an import) is another function, so its calls do not count. Calls with
a computed key or with spread arguments do not count either.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awning.script.tree import Node, NodesByType

_WRAPPERS = frozenset(
    {"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"}
)
_DECLARATIONS = ("variable_declarator", "function_declaration", "import_specifier", "class_declaration")
_NAMED = frozenset({"pair", "method_definition"})
_T = "t"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCall:
    """A call `t("key", {...})`. `at` is the byte offset of the literal key.

    `arguments` are the names in the object; None if they are not all known, for example because of a spread.
    """

    key: str
    at: int
    arguments: tuple[str, ...] | None
    others: tuple[str, ...] = ()
    """The other keys of the same call. For the key `x` in `t(a ? "x" : "y")`, this is `y`."""


def message_calls(nodes: NodesByType) -> Iterator[MessageCall]:
    """Yield the calls in the order of the text.

    A call with a choice of keys (`a ? "x" : "y"`) is yielded once for each key.
    """
    names = set() if _declares_t(nodes) else {_T}
    names |= {alias for node in nodes.get("pair_pattern", ()) if (alias := _renamed(node))}
    for node in nodes.get("call_expression", ()):
        called = node.fields.get("function")
        if called and called.type == "identifier" and called.text in names:
            yield from _calls(node)


def _calls(node: Node) -> Iterator[MessageCall]:
    list_ = node.fields.get("arguments")
    values = list_.kids if list_ else []
    if not values or any(value.type == "spread_element" for value in values[:2]):
        return
    arguments = _arguments(_unwrapped(values[1])) if len(values) > 1 else ()
    texts = _literals(_unwrapped(values[0]))
    keys = tuple(text.text[1:-1] for text in texts)
    for text, key in zip(texts, keys, strict=True):
        others = tuple(other for other in keys if other != key)
        yield MessageCall(key=key, at=text.start, arguments=arguments, others=others)


def _literals(node: Node) -> Sequence[Node]:
    if node.type == "ternary_expression":
        arms = (node.fields.get(name) for name in ("consequence", "alternative"))
        return [text for arm in arms if arm is not None for text in _literals(_unwrapped(arm))]
    plain = all(kid.type == "string_fragment" for kid in node.kids)
    return [node] if node.type in {"string", "template_string"} and plain else []


def _arguments(node: Node) -> tuple[str, ...] | None:
    if node.type != "object":
        return None
    names = [_name(kid) for kid in node.kids]
    return tuple(name for name in names if name) if all(names) else None


def _name(member: Node) -> str | None:
    """Return the name of an argument. None for a spread, a computed name, or a name that is written with escapes."""
    if member.type == "shorthand_property_identifier":
        return member.text
    key = member.fields.get("key" if member.type == "pair" else "name") if member.type in _NAMED else None
    if key is None:
        return None
    if key.type == "string":
        return next((literal.text[1:-1] for literal in _literals(key)), None)
    return key.text if key.type in {"property_identifier", "number"} else None


def _declares_t(nodes: NodesByType) -> bool:
    for clause in nodes.get("import_clause", ()):
        if any(kid.type == "identifier" and kid.text == _T for kid in clause.kids):
            return True
    for kind in _DECLARATIONS:
        for node in nodes.get(kind, ()):
            name = node.fields.get("alias") or node.fields.get("name")
            if name and name.type in {"identifier", "type_identifier"} and name.text == _T:
                return True
    return False


def _renamed(node: Node) -> str | None:
    """Return the new name of `t` in a pattern: `say` in `({ t: say }) => ...`. None if `t` is not renamed there."""
    key, value = node.fields.get("key"), node.fields.get("value")
    return value.text if key and key.text == _T and value and value.type == "identifier" else None


def _unwrapped(node: Node) -> Node:
    """Return the expression inside parentheses, casts and `!`."""
    while node.type in _WRAPPERS and node.kids:
        node = node.kids[0]
    return node
