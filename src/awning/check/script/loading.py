"""Whether a module can fail while it is loaded, before any of its functions is called.

The widgets of an app share one script, and what a module throws while it is loaded would end all of it. Most modules
only declare: imports, functions, types, literals and one call of `afterPrice(...)`. Those cannot fail. Everything else
is taken for something that can; a needless guard costs bytes, a missing one the other widgets.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from awning.check.script.tree import parser

if TYPE_CHECKING:
    from tree_sitter import Node

_LATER = frozenset(
    [
        "comment",
        "import_statement",
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "type_annotation",
        "type_arguments",
        "satisfies_type",
        "property_identifier",
        "type_identifier",
    ]
)
"""What is not run while the module is loaded, or cannot fail."""

_PLAIN = frozenset(
    [
        "program",
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "variable_declarator",
        "parenthesized_expression",
        "call_expression",
        "arguments",
        "object",
        "pair",
        "shorthand_property_identifier",
        "array",
        "string",
        "string_fragment",
        "number",
        "true",
        "false",
        "null",
        "undefined",
        "template_string",
        "regex",
        "regex_pattern",
        "regex_flags",
        "as_expression",
        "satisfies_expression",
        "identifier",
        "escape_sequence",
        "export_clause",
        "export_specifier",
        "unary_expression",
        "predefined_type",
        "empty_statement",
    ]
)
"""What is run and cannot fail by itself, calls of the names below alone."""

_SLOTS = frozenset({"call_expression", "array", "identifier"})
"""What a default export is made with. Anything else, such as a bare render function, fails when it is run."""

_SAFE_CALLS = frozenset({b"afterPrice", b"afterCart", b"afterCheckout", b"live"})
_GLOBALS = frozenset({b"undefined", b"NaN", b"Infinity", b"Number", b"String", b"Boolean"})


def can_fail_while_loaded(script: str, *, typed: bool = True) -> bool:
    """Whether anything but declarations stands at the top of a module."""
    tree = parser(typed=typed).parse(script.encode())
    if tree.root_node.has_error:
        return True
    known = set(_GLOBALS).union(*(_hoisted(child) for child in tree.root_node.named_children))
    return any(_can_fail(child, known) for child in tree.root_node.named_children)


def is_broken(script: str, *, typed: bool = True) -> bool:
    """Whether it cannot be parsed."""
    return parser(typed=typed).parse(script.encode()).root_node.has_error


def _hoisted(statement: "Node") -> set[bytes]:
    """Names that are there from the beginning: imports and functions."""
    if statement.type == "import_statement":
        return {_text(node) for node in _all(statement) if node.type == "identifier"}
    declared = statement.child_by_field_name("declaration") or statement
    name = declared.child_by_field_name("name") if "function" in declared.type else None
    return {_text(name)} if name else set()


def _can_fail(node: "Node", known: set[bytes]) -> bool:
    """`known` gets the names of constants as they are passed: one that is read before is not there yet."""
    if node.type == "import_statement":
        return _leaves_the_widget(node)
    if node.type == "variable_declarator":
        return _declares(node, known)
    if node.type in {"identifier", "shorthand_property_identifier"}:
        return _text(node) not in known
    if node.type in _LATER:
        return False
    return _fails_itself(node) or any(_can_fail(child, known) for child in node.named_children)


def _fails_itself(node: "Node") -> bool:
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        return function is None or _text(function) not in _SAFE_CALLS
    if node.type == "export_statement":
        value = node.child_by_field_name("value")
        return _leaves_the_widget(node) or (value is not None and value.type not in _SLOTS)
    return node.type not in _PLAIN


def _declares(node: "Node", known: set[bytes]) -> bool:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or name.type != "identifier" or (value is not None and _can_fail(value, known)):
        return True
    known.add(_text(name))
    return False


def _leaves_the_widget(node: "Node") -> bool:
    source = node.child_by_field_name("source")
    path = _text(source).strip(b"\"'") if source else b""
    return path.startswith(b"../") and b"_shared/" not in path


def _all(node: "Node") -> Iterator["Node"]:
    yield node
    for child in node.named_children:
        yield from _all(child)


def _text(node: "Node") -> bytes:
    return node.text or b""
