"""The calls of `t` in a script: which message each asks for, and with which arguments.

`t` is what the runtime gives a render function, so a name `t` that the script declares itself (a function, a constant,
an import) is another, and nothing is said of its calls. What cannot be told from the text, such as a key that is
computed or arguments that are spread, is left open.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awning.check.script.tree import parser

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = frozenset(
    {"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"}
)
_OWN = frozenset({"variable_declarator", "function_declaration", "import_specifier", "class_declaration"})
_NAMED = frozenset({"pair", "method_definition"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCall:
    """`t("key", {...})`: a literal key, where it stands (from 1), the names of its arguments; None if they are open."""

    key: str
    line: int
    column: int
    arguments: tuple[str, ...] | None
    others: tuple[str, ...] = ()
    """The keys that the same call asks for instead."""


def message_calls(script: str, *, typed: bool = True) -> Iterator[MessageCall]:
    """In the order of the text; a key that is one of two literals (`a ? "x" : "y"`) is a call of each."""
    code = script.encode(errors="surrogatepass")
    found = list(_all(parser(typed=typed).parse(code).root_node))
    names = {b"t"} if not any(_declares_t(node) for node in found) else set[bytes]()
    names |= {alias for node in found if (alias := _renamed(node))}
    lines = code.split(b"\n")
    for node in found:
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        if called is not None and called.type == "identifier" and called.text in names:
            yield from _calls(node, lines)


def is_called(name: str, script: str, path: str) -> bool:
    """Whether a script calls a function of this name: a signature in an interface looks much like it."""
    root = parser(typed=path.endswith("ts")).parse(script.encode(errors="surrogatepass")).root_node
    called = (node.child_by_field_name("function") for node in _all(root) if node.type == "call_expression")
    return any(function is not None and function.text == name.encode() for function in called)


def _calls(node: "Node", lines: list[bytes]) -> Iterator[MessageCall]:
    passed = node.child_by_field_name("arguments")
    given = [one for one in passed.named_children if one.type != "comment"] if passed else []
    if not given or any(one.type == "spread_element" for one in given[:2]):
        return
    arguments = _arguments(_bare(given[1])) if len(given) > 1 else ()
    texts = list(_literals(_bare(given[0])))
    keys = tuple(_text(text)[1:-1] for text in texts)
    for text, key in zip(texts, keys, strict=True):
        row, column = text.start_point
        before = lines[row][:column].decode("utf-8", "replace")
        others = tuple(other for other in keys if other != key)
        yield MessageCall(key=key, line=row + 1, column=len(before) + 1, arguments=arguments, others=others)


def _literals(node: "Node") -> Iterable["Node"]:
    if node.type == "ternary_expression":
        arms = (node.child_by_field_name(name) for name in ("consequence", "alternative"))
        return [text for arm in arms if arm is not None for text in _literals(_bare(arm))]
    plain = all(child.type == "string_fragment" for child in node.named_children)
    return [node] if node.type in {"string", "template_string"} and plain else []


def _arguments(node: "Node") -> tuple[str, ...] | None:
    if node.type != "object":
        return None
    names = [_name(child) for child in node.named_children if child.type != "comment"]
    return tuple(name for name in names if name) if all(names) else None


def _name(member: "Node") -> str | None:
    """None for a spread, a computed name or one that is spelled with escapes."""
    if member.type == "shorthand_property_identifier":
        return _text(member)
    key = (
        member.child_by_field_name("key" if member.type == "pair" else "name")
        if member.type in _NAMED
        else None
    )
    if key is None:
        return None
    if key.type == "string":
        return next((_text(literal)[1:-1] for literal in _literals(key)), None)
    return _text(key) if key.type in {"property_identifier", "number"} else None


def _declares_t(node: "Node") -> bool:
    if node.type == "import_clause":
        return any(child.type == "identifier" and child.text == b"t" for child in node.named_children)
    if node.type not in _OWN:
        return False
    name = node.child_by_field_name("alias") or node.child_by_field_name("name")
    return name is not None and name.type in {"identifier", "type_identifier"} and name.text == b"t"


def _renamed(node: "Node") -> bytes | None:
    """`say` of `({ t: say }) => ...`."""
    if node.type != "pair_pattern":
        return None
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    return value.text if key and key.text == b"t" and value and value.type == "identifier" else None


def _bare(node: "Node") -> "Node":
    while node.type in _WRAPPERS and node.named_children:
        node = node.named_children[0]
    return node


def _all(root: "Node") -> Iterator["Node"]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.named_children))


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
