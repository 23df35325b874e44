"""The globals that a script sets: the properties that it assigns to the window, and the names that it declares."""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from awning.script.file import ScriptFile
from awning.script.tree import Node

WINDOW = frozenset({"window", "globalThis", "self", "top", "w"})
"""Names of the window. Snippets of analytics call it `w`."""

_ASSIGNS = {"=", "??=", "||="}
_WRAPPERS = {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"}
_DECLARATIONS = {"function_declaration", "generator_function_declaration", "class_declaration"}
_NAMES = {
    "identifier",
    "property_identifier",
    "shorthand_property_identifier",
    "shorthand_property_identifier_pattern",
    "string_fragment",
}


class Naming(IntEnum):
    """How a script names a global, the most telling first."""

    ASSIGNED = 0
    DECLARED = 1
    MENTIONED = 2


class NamedGlobal(NamedTuple):
    """The first place where a script names a global in one way. `offset` is in bytes."""

    naming: Naming
    offset: int


class AssignedMember(NamedTuple):
    """An assignment to `owner.name` or `owner["name"]`. `owner` is the code without parentheses and types."""

    owner: str
    name: str
    offset: int


def assigned_members(root: Node) -> Iterator[AssignedMember]:
    """Yield the assignments to members by `=`, `??=` and `||=`, in the order of the text."""
    for node in root.walk():
        if node.type not in {"assignment_expression", "augmented_assignment_expression"}:
            continue
        operator, left = node.fields.get("operator"), _unwrapped(node.fields["left"])
        owner, name = left.fields.get("object"), _member_name(left)
        if owner is not None and name is not None and (operator is None or operator.text in _ASSIGNS):
            yield AssignedMember(_unwrapped(owner).text, name, node.start)


def find_global(script: ScriptFile, name: str) -> NamedGlobal | None:
    """Return the most telling place where a script names a global; None if it does not. Comments do not count."""
    root = script.tree.root
    for member in assigned_members(root):
        if member.name == name and member.owner in WINDOW:
            return NamedGlobal(Naming.ASSIGNED, member.offset)
    for node in root.kids:
        if any(declared.text == name for declared in _declared(node)):
            return NamedGlobal(Naming.DECLARED, node.start)
    mentions = (node.start for node in root.walk() if node.type in _NAMES and node.text == name)
    offset = next(mentions, None)
    return None if offset is None else NamedGlobal(Naming.MENTIONED, offset)


def _unwrapped(node: Node) -> Node:
    while node.type in _WRAPPERS and node.kids:
        node = node.kids[0]
    return node


def _member_name(node: Node) -> str | None:
    if node.type == "member_expression":
        return node.fields["property"].text
    index = node.fields.get("index")
    return index.text[1:-1] if index is not None and index.type in {"string", "template_string"} else None


def _declared(node: Node) -> Iterator[Node]:
    """Yield the names that a statement of a plain script declares for the whole page."""
    if node.type in _DECLARATIONS:
        yield node.fields["name"]
    elif node.type == "variable_declaration":
        yield from (kid.fields["name"] for kid in node.kids if kid.type == "variable_declarator")
