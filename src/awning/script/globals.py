"""The globals that a script sets: the properties that it assigns to the window, and the names that it declares."""

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from awning.script.file import ScriptFile
from awning.script.names import names_in
from awning.script.tree import Node

WINDOW = frozenset({"window", "globalThis", "self", "top", "w"})
"""Names of the window. Snippets of analytics call it `w`."""

_ASSIGNS = {"=", "??=", "||="}
_WRAPPERS = {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"}
_FUNCTION_DECLARATIONS = {"function_declaration", "generator_function_declaration"}
_DECLARATIONS = {*_FUNCTION_DECLARATIONS, "class_declaration"}
_OWN_SCOPE = {
    *_DECLARATIONS,
    *("arrow_function", "function_expression", "generator_function", "class", "lexical_declaration"),
}
"""Nodes in which nothing declares a property of the window."""
_OF_EVERY_PAGE = {"location", "name", "status"}
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


def globals_left_by(script: ScriptFile) -> dict[str, int]:
    """Return the properties of the window that the classic scripts of a page leave, each with its first byte offset.

    These are variables and functions outside of functions, also in blocks; names that are assigned without a
    declaration; and members of the window, also where a function gets the window or the member's name as an argument.
    Properties that every page has, such as `location` and event handlers, are left out.
    """
    names: dict[str, int] = {}
    for offset, name in sorted([*_declared_by(script), *_assigned_by(script)]):
        if name.replace("$", "_").isidentifier() and not (name in _OF_EVERY_PAGE or name.startswith("on")):
            names.setdefault(name, offset)
    return names


def _declared_by(script: ScriptFile) -> Iterator[tuple[int, str]]:
    modules = [program for program in script.programs if program.module]
    for node in script.tree.root.kids:
        if not any(program.start <= node.start < program.end for program in modules):
            yield from ((node.start, name) for name in _declared_on_window(node))


def _assigned_by(script: ScriptFile) -> Iterator[tuple[int, str]]:
    root = script.tree.root
    arguments = {name: value for node in root.walk() for name, value in _known_arguments(node)}
    for member in assigned_members(root):
        if member.owner in WINDOW or arguments.get(member.owner) in WINDOW:
            yield member.offset, member.name
    for node in root.walk():
        left = node.fields.get("left") if node.type == "assignment_expression" else None
        if left is None:
            continue
        if left.type == "identifier" and left.text not in script.facts.declared:
            yield node.start, left.text
        index, owner = left.fields.get("index"), left.fields.get("object")
        if index is not None and owner is not None and arguments.get(owner.text) in WINDOW:
            yield node.start, arguments.get(index.text, "").strip("\"'`")


def _declared_on_window(statement: Node) -> Iterator[str]:
    """Yield the names of variables and functions that a statement of a classic script puts on the window."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if node.type in _FUNCTION_DECLARATIONS:
            yield node.fields["name"].text
        elif node.type == "variable_declarator":
            yield from names_in(node.fields["name"])
        elif node.type == "for_in_statement" and "kind" in node.fields and node.fields["kind"].text == "var":
            yield from names_in(node.fields["left"])
        if node.type not in _OWN_SCOPE:
            waiting += node.kids


def _known_arguments(call: Node) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a function that is called where it is written, each with its argument as code."""
    function = call.fields.get("function") if call.type == "call_expression" else None
    while function is not None and function.type == "parenthesized_expression" and function.kids:
        function = function.kids[0]
    if function is None or "parameters" not in function.fields or "arguments" not in call.fields:
        return
    for parameter, argument in zip(
        function.fields["parameters"].kids, call.fields["arguments"].kids, strict=False
    ):
        if argument.type in {"identifier", "string"}:
            yield parameter.text, argument.text
