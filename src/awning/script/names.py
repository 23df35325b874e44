"""The names that a script declares, assigns and uses."""

from collections import Counter
from collections.abc import Iterator

from awning.script.tree import Node, NodesByType

FUNCTIONS = frozenset({"arrow_function", "function_expression", "function_declaration"})

NAMES = frozenset(
    {
        "identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "type_identifier",
    }
)
"""The types of nodes that are names of variables, properties or types."""

_DECLARING = (
    "variable_declarator",
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "generator_function",
    "function_signature",
    "class_declaration",
    "abstract_class_declaration",
    "class",
    "enum_declaration",
    "internal_module",
)


TYPE_DECLARATIONS = frozenset({"interface_declaration", "type_alias_declaration", "enum_declaration"})
_TYPES = TYPE_DECLARATIONS | {"class_declaration", "abstract_class_declaration"}


def declared_types(root: Node) -> frozenset[str]:
    """Return the names of the types that a script declares."""
    return frozenset(node.fields["name"].text for node in root.walk() if node.type in _TYPES)


def used_names(nodes: NodesByType) -> frozenset[str]:
    """Return every name in the code, and `key` of `value["key"]`. Comments and other string literals do not count."""
    names = {node.text for kind in NAMES for node in nodes.get(kind, ())}
    return frozenset(names | {key.text for key in text_keys(nodes)})


def text_keys(nodes: NodesByType) -> Iterator[Node]:
    """Yield the contents of string literals that are keys of properties: `key` of `value["key"]`."""
    for node in nodes.get("subscript_expression", ()):
        index = node.fields.get("index")
        if index and index.type == "string" and len(index.kids) == 1:
            yield index.kids[0]


def declared_names(nodes: NodesByType) -> frozenset[str]:
    """Return all names that the script declares in any scope: variables, parameters, functions, classes, enums.

    Imported names are not among them.
    """
    names: set[str] = set()
    for kind in _DECLARING:
        names.update(
            name
            for node in nodes.get(kind, ())
            if "name" in node.fields
            for name in names_in(node.fields["name"])
        )
    for kind, field in (
        ("required_parameter", "pattern"),
        ("optional_parameter", "pattern"),
        ("arrow_function", "parameter"),
        ("catch_clause", "parameter"),
    ):
        names.update(
            name
            for node in nodes.get(kind, ())
            if field in node.fields
            for name in names_in(node.fields[field])
        )
    for node in nodes.get("for_in_statement", ()):
        if "kind" in node.fields and "left" in node.fields:
            names.update(names_in(node.fields["left"]))
    return frozenset(names)


def declared_in(scope: Node) -> Counter[str]:
    """Return for each name how often `scope` declares it, plus how often `=`, `+=` and the like assign it.

    Declarations count only outside of inner functions (`FUNCTIONS`), assignments also inside. `x++` does not count.
    """
    counts: Counter[str] = Counter()
    if scope.type in FUNCTIONS:
        for parameter in parameters(scope):
            counts.update(names_in(parameter.fields.get("pattern", parameter)))
    waiting = [*scope.kids]
    while waiting:
        node = waiting.pop()
        match node.type:
            case "variable_declarator" | "function_declaration" | "class_declaration":
                counts.update(names_in(node.fields["name"]))
            case "for_in_statement" if "kind" in node.fields:
                counts.update(names_in(node.fields["left"]))
            case "catch_clause" if "parameter" in node.fields:
                counts.update(names_in(node.fields["parameter"]))
        if node.type in FUNCTIONS:
            counts.update(_assigned(node))
        else:
            counts.update(_assigned(node, deep=False))
            waiting.extend(node.kids)
    return counts


def _assigned(node: Node, *, deep: bool = True) -> Iterator[str]:
    for inner in node.walk() if deep else (node,):
        if inner.type in {"assignment_expression", "augmented_assignment_expression"}:
            yield from names_in(inner.fields["left"])


def names_in(pattern: Node) -> Iterator[str]:
    """Yield the names that a pattern binds. A target of an assignment such as `a.b` binds none."""
    if pattern.type in {"identifier", "type_identifier", "shorthand_property_identifier_pattern"}:
        yield pattern.text
    elif pattern.type in {"assignment_pattern", "object_assignment_pattern"}:
        if "left" in pattern.fields:
            yield from names_in(pattern.fields["left"])
    elif pattern.type == "pair_pattern":
        if "value" in pattern.fields:
            yield from names_in(pattern.fields["value"])
    elif pattern.type in {"array_pattern", "object_pattern", "rest_pattern"}:
        for kid in pattern.kids:
            yield from names_in(kid)


def named_functions(root: Node) -> Iterator[tuple[str, Node]]:
    for node in root.walk():
        value = node.fields.get("value")
        if node.type == "function_declaration":
            yield node.fields["name"].text, node
        elif node.type == "variable_declarator" and value and value.type in FUNCTIONS:
            yield node.fields["name"].text, value


def parameters(function: Node) -> list[Node]:
    if "parameter" in function.fields:
        return [function.fields["parameter"]]
    return function.fields["parameters"].kids
