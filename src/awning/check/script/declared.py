"""The names that a function or a script declares, and those that it gives another value."""

from collections import Counter
from collections.abc import Iterator

from awning.check.script.tree import Node

FUNCTIONS = frozenset({"arrow_function", "function_expression", "function_declaration"})


def declared_in(scope: Node) -> Counter[str]:
    """How often a function (or the script) declares each name itself, or gives it a value anywhere within."""
    found: Counter[str] = Counter()
    if scope.type in FUNCTIONS:
        for parameter in parameters(scope):
            found.update(_names(parameter.fields.get("pattern", parameter)))
    waiting = [*scope.kids]
    while waiting:
        node = waiting.pop()
        match node.type:
            case "variable_declarator" | "function_declaration" | "class_declaration":
                found.update(_names(node.fields["name"]))
            case "for_in_statement" if "kind" in node.fields:
                found.update(_names(node.fields["left"]))
            case "catch_clause" if "parameter" in node.fields:
                found.update(_names(node.fields["parameter"]))
        if node.type in FUNCTIONS:
            found.update(_assigned(node))
        else:
            found.update(_assigned(node, deep=False))
            waiting.extend(node.kids)
    return found


def _assigned(node: Node, *, deep: bool = True) -> Iterator[str]:
    for one in node.walk() if deep else (node,):
        if one.type in {"assignment_expression", "augmented_assignment_expression"}:
            yield from _names(one.fields["left"])


def _names(pattern: Node) -> Iterator[str]:
    """The names in a pattern; of an assignment to a member, none."""
    if pattern.type in {"identifier", "type_identifier", "shorthand_property_identifier_pattern"}:
        yield pattern.text
    elif pattern.type in {"assignment_pattern", "object_assignment_pattern"}:
        yield from _names(pattern.fields["left"])
    elif pattern.type == "pair_pattern":
        yield from _names(pattern.fields["value"])
    elif pattern.type in {"array_pattern", "object_pattern", "rest_pattern"}:
        for kid in pattern.kids:
            yield from _names(kid)


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
