"""The globals that a script sets: the properties that it assigns to the window, and the names that it declares."""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from awning.script.file import ScriptFile
from awning.script.names import names_in, parameters
from awning.script.tree import Node

WINDOW = frozenset({"window", "globalThis", "self", "top", "w"})
"""Names of the window. Snippets of analytics call it `w`."""

_SURE_WINDOW = WINDOW - {"w"}
"""The names of the window that a script need not set itself."""

_ASSIGNS = {"=", "??=", "||="}
_WRAPPERS = {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"}
_FUNCTION_DECLARATIONS = {"function_declaration", "generator_function_declaration"}
_DECLARATIONS = {*_FUNCTION_DECLARATIONS, "class_declaration"}
OWN_THIS = {
    *_FUNCTION_DECLARATIONS,
    *("function_expression", "generator_function", "method_definition", "class_body"),
}
"""Nodes in which `this` is not the one around them."""
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
        yield from _assigned_member(node)


def _assigned_member(node: Node) -> Iterator[AssignedMember]:
    if node.type not in {"assignment_expression", "augmented_assignment_expression"}:
        return
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


def names_given_by(script: ScriptFile) -> frozenset[str]:
    """Return the names that other scripts of the page can read after a script ran.

    The scripts of a page also give the names that they declare outside of functions. Those of modules are bundled, and
    only give what they assign.
    """
    names = {name for _, name in _assigned_by(script)}
    if script.is_markup:
        names |= {declared.name for declared in top_level_names(script)}
        names |= {name for _, name in _declared_by(script)}
    return frozenset(names)


def names_tested_in(script: ScriptFile) -> frozenset[str]:
    """Return the names that a script tests before it uses them, or reads from the window, which cannot fail.

    These are `typeof x`, `"x" in window`, `window.x`, `window["x"]`, `window.hasOwnProperty("x")`, and calls such as
    `Object.hasOwn(window, "x")`.
    """
    return frozenset(name for node in script.tree.root.walk() for name in _tested_by(node))


def undeclared_targets(script: ScriptFile) -> Iterator[tuple[int, str]]:
    """Yield the names that a script sets and does not declare, each with its byte offset.

    `x += 1` and `x ??= 1` fail without an `x`.
    """
    for node in script.tree.root.walk():
        is_head = node.type == "for_in_statement" and "kind" not in node.fields and "left" in node.fields
        if is_head or node.type == "assignment_expression":
            names = names_in(_unwrapped(node.fields["left"]))
            yield from ((node.start, name) for name in names if name not in script.facts.declared)


def _defined_on_window(node: Node) -> Iterator[str]:
    """Yield the names that `Object.defineProperty(window, "x", ...)` and `Object.assign(window, { x })` define."""
    function, arguments = _call_of(node)
    if not arguments[1:] or not _is_window(arguments[0]):
        return
    if function.endswith(".defineProperty"):
        yield from _string_in(arguments[1])
    elif function == "Object.assign":
        for value in arguments[1:]:
            for kid in value.kids if value.type == "object" else ():
                name = kid.fields.get("key") or kid.fields.get("name") or kid
                yield name.text.strip("\"'")


def _tested_by(node: Node) -> Iterator[str]:
    operator = node.fields.get("operator")
    if node.type == "unary_expression" and operator is not None and operator.type == "typeof":
        argument = _unwrapped(node.fields["argument"])
        if argument.type == "identifier":
            yield argument.text
    elif node.type == "binary_expression" and operator is not None and operator.type == "in":
        if _is_window(node.fields["right"]):
            yield from _string_in(node.fields["left"])
    elif node.type in {"member_expression", "subscript_expression"} and _is_window(node.fields["object"]):
        name = _member_name(node)
        if name is not None:
            yield name
    elif node.type == "call_expression":
        function, arguments = _call_of(node)
        owner, _, method = function.replace("?.", ".").rpartition(".")
        if arguments[1:] and _is_window(arguments[0]) and method in {"hasOwn", "has", "call"}:
            yield from _string_in(arguments[1])
        elif arguments and owner in _SURE_WINDOW and method == "hasOwnProperty":
            yield from _string_in(arguments[0])


def _call_of(node: Node) -> tuple[str, list[Node]]:
    """Return the code of the called function, and the arguments. Both are empty if the node is no call."""
    function, arguments = node.fields.get("function"), node.fields.get("arguments")
    if node.type != "call_expression" or function is None or arguments is None:
        return "", []
    return _unwrapped(function).text, arguments.kids


def _is_window(node: Node) -> bool:
    return _unwrapped(node).text in _SURE_WINDOW


def _string_in(node: Node) -> Iterator[str]:
    node = _unwrapped(node)
    if node.type in {"string", "template_string"}:
        yield node.text[1:-1]


class TopLevelName(NamedTuple):
    """A name that a classic script declares for the whole page, and the byte offset of its declaration.

    `is_lexical` is whether `let`, `const` or `class` declares it: then nothing else on the page may declare it.
    `is_function` is whether a function declaration does.
    """

    name: str
    offset: int
    is_lexical: bool
    is_function: bool = False


def top_level_names(script: ScriptFile) -> Iterator[TopLevelName]:
    """Yield the names that the classic scripts of a page declare outside of functions, in the order of the text."""
    modules = [program for program in script.programs if program.module]
    for statement in script.tree.root.kids:
        if any(program.start <= statement.start < program.end for program in modules):
            continue
        if statement.type == "class_declaration":
            yield TopLevelName(statement.fields["name"].text, statement.fields["name"].start, True)
        elif statement.type in _FUNCTION_DECLARATIONS:
            yield TopLevelName(statement.fields["name"].text, statement.fields["name"].start, False, True)
        elif statement.type == "lexical_declaration":
            for kid in statement.kids:
                yield from _bound_by(kid.fields.get("name"), is_lexical=True)
        else:
            yield from _variables_in(statement)


def _variables_in(statement: Node) -> Iterator[TopLevelName]:
    """Yield what `var` declares in a statement. A function in a block yields to other declarations, and is left out."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        if node.type == "variable_declarator":
            yield from _bound_by(node.fields["name"], is_lexical=False)
        elif node.type == "for_in_statement" and "kind" in node.fields and node.fields["kind"].text == "var":
            yield from _bound_by(node.fields["left"], is_lexical=False)
        if node.type not in _OWN_SCOPE:
            waiting += reversed(node.kids)


def _bound_by(pattern: Node | None, *, is_lexical: bool) -> Iterator[TopLevelName]:
    if pattern is not None:
        yield from (TopLevelName(name, pattern.start, is_lexical) for name in names_in(pattern))


def _declared_by(script: ScriptFile) -> Iterator[tuple[int, str]]:
    modules = [program for program in script.programs if program.module]
    for node in script.tree.root.kids:
        if not any(program.start <= node.start < program.end for program in modules):
            yield from ((node.start, name) for name in _declared_on_window(node))


def _assigned_by(script: ScriptFile) -> Iterator[tuple[int, str]]:
    yield from undeclared_targets(script)
    for node, arguments, is_page in _with_arguments(script):
        for member in _assigned_member(node):
            is_window = member.owner in WINDOW or (is_page and member.owner == "this")
            if is_window or arguments.get(member.owner) in WINDOW:
                yield member.offset, member.name
        yield from ((node.start, name) for name in _defined_on_window(node))
        left = node.fields.get("left") if node.type == "assignment_expression" else None
        if left is None:
            continue
        index, owner = left.fields.get("index"), left.fields.get("object")
        if index is not None and owner is not None and arguments.get(owner.text) in WINDOW:
            yield node.start, arguments.get(index.text, "").strip("\"'`")


def _with_arguments(script: ScriptFile) -> Iterator[tuple[Node, Mapping[str, str], bool]]:
    """Yield all nodes, each with the known arguments of the functions around it, by the names of parameters.

    The last value is whether `this` is the window there: it is outside of functions in classic scripts, and undefined
    in modules, as bundled scripts are.
    """
    calls: dict[Node, Mapping[str, str]] = {}
    classic = [program for program in script.programs if script.is_markup and not program.module]
    waiting: list[tuple[Node, Mapping[str, str], bool]] = [
        (kid, {}, any(program.start <= kid.start < program.end for program in classic))
        for kid in reversed(script.tree.root.kids)
    ]
    while waiting:
        node, known, is_page = waiting.pop()
        if "parameters" in node.fields or "parameter" in node.fields:
            own = frozenset(_own_names(node)) if known else ()
            known = {name: known[name] for name in known if name not in own} | dict(calls.pop(node, {}))
        yield node, known, is_page
        calls.update(_known_arguments(node, is_page=is_page))
        is_page = is_page and node.type not in OWN_THIS
        waiting.extend((kid, known, is_page) for kid in reversed(node.kids))


def _own_names(scope: Node) -> Iterator[str]:
    """Yield the parameters of a function or a `catch`, and what it declares outside of the functions in it."""
    waiting = [scope]
    while waiting:
        node = waiting.pop()
        is_scope = "parameters" in node.fields or "parameter" in node.fields
        if node.type == "variable_declarator" or (node.type in _DECLARATIONS and node is not scope):
            yield from names_in(node.fields["name"])
        if node is scope:
            for parameter in parameters(node):
                yield from names_in(parameter.fields.get("pattern", parameter))
        if node is scope or not is_scope:
            waiting += node.kids


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


def _known_arguments(call: Node, *, is_page: bool) -> Iterator[tuple[Node, Mapping[str, str]]]:
    """Yield a function that is called where it is written, with its known arguments as code, by parameter.

    `is_page` is whether `this` is the window there.
    """
    function = call.fields.get("function") if call.type == "call_expression" else None
    while function is not None and function.type == "parenthesized_expression" and function.kids:
        function = function.kids[0]
    if function is None or "arguments" not in call.fields:
        return
    if "parameters" in function.fields or "parameter" in function.fields:
        names = (parameter.fields.get("pattern", parameter).text for parameter in parameters(function))
        values = (_known_value(value, is_page=is_page) for value in call.fields["arguments"].kids)
        yield function, {name: value for name, value in zip(names, values, strict=False) if value}


def _known_value(argument: Node, *, is_page: bool) -> str:
    """Return the code of a name or a string. `this`, as libraries pass it, is the window; `a ? window : b` may be."""
    if argument.type == "ternary_expression":
        arms = [_unwrapped(argument.fields[name]).text for name in ("consequence", "alternative")]
        return next((arm for arm in arms if arm in _SURE_WINDOW), "")
    if argument.type == "this":
        return "window" if is_page else ""
    return argument.text if argument.type in {"identifier", "string"} else ""
