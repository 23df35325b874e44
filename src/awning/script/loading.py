"""Decides whether a module can fail while it is loaded, before any of its functions is called.

The widgets of an app share one script, and an exception while a module is loaded would end all of it. Most modules only
declare: imports, functions, types, literals and one call of `afterPrice(...)`. These count as code that cannot fail.
All other code, and an import from another widget's folder, is assumed to fail: a `try` that is not needed only costs
bytes, but a `try` that is missing stops the other widgets.
"""

from awning.script.imports import SLOT_FUNCTIONS
from awning.script.tree import Node

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
"""Types of nodes that are not evaluated while the module is loaded, or that cannot fail."""

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
        "hole",
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
"""Types of nodes that fail only if one of their children fails. A call must also be one of `_SAFE_CALLS`."""

_EXPORTED = frozenset({"call_expression", "array", "identifier"})
"""The types of nodes that the value of a default export may have.

Any other value, such as a bare render function, makes the generated call that runs the widget fail.
"""

_SAFE_CALLS = SLOT_FUNCTIONS | {"live", "remembered"}
_GLOBALS = frozenset({"undefined", "NaN", "Infinity", "Number", "String", "Boolean"})


def can_fail_while_loaded(root: Node) -> bool:
    """Return whether a statement at the top level of a module can fail. The module must have no syntax errors."""
    known = set(_GLOBALS).union(*map(_hoisted, root.kids))
    return any(_can_fail(statement, known) for statement in root.kids)


def _hoisted(statement: Node) -> set[str]:
    """Return the names that a statement declares before the first statement runs: imported names and functions."""
    if statement.type == "import_statement":
        return {node.text for node in statement.walk() if node.type == "identifier"}
    declared = statement.fields.get("declaration", statement)
    name = declared.fields.get("name") if "function" in declared.type else None
    return {name.text} if name else set()


def _can_fail(node: Node, known: set[str]) -> bool:
    """Return whether the evaluation of a node can fail.

    Each variable is added to `known` at its declaration, because reading a constant before its declaration fails.
    """
    if node.type == "import_statement":
        return _leaves_the_widget(node)
    if node.type == "variable_declarator":
        name, value = node.fields.get("name"), node.fields.get("value")
        if name is None or name.type != "identifier" or (value is not None and _can_fail(value, known)):
            return True
        known.add(name.text)
        return False
    if node.type in {"identifier", "shorthand_property_identifier"}:
        return node.text not in known
    if node.type in _LATER:
        return False
    return _fails_itself(node) or any(_can_fail(kid, known) for kid in node.kids)


def _fails_itself(node: Node) -> bool:
    if node.type == "call_expression":
        function = node.fields.get("function")
        return function is None or function.text not in _SAFE_CALLS
    if node.type == "export_statement":
        value = node.fields.get("value")
        return _leaves_the_widget(node) or (value is not None and value.type not in _EXPORTED)
    return node.type not in _PLAIN


def _leaves_the_widget(node: Node) -> bool:
    source = node.fields.get("source")
    path = source.text.strip("\"'") if source else ""
    return path.startswith("../") and "_shared/" not in path
