"""Finds the parts of Jinja2 that a template uses: nodes, filters, tests, methods, attributes of `loop`, globals."""

from collections.abc import Iterator
from importlib import import_module

import jinja2
from jinja2 import nodes

from awning.template import filters, methods, own_filters, tests
from awning.template.lowering import lower_expression, lower_statement

import_module("awning.template.statements")  # registers the lowering of each node
ENVIRONMENT = jinja2.Environment(autoescape=True)
GLOBALS = ("cycler", "dict", "joiner", "namespace", "range")
BY_NAME = {"map": "filter", "select": "test", "reject": "test", "selectattr": "test", "rejectattr": "test"}
LOOP = (
    "index", "index0", "first", "last", "length", "revindex", "revindex0", "depth", "depth0", "cycle", "changed",
    "previtem", "nextitem",
)  # fmt: skip


def supported() -> set[str]:
    """Return all that the compiler supports, and the attributes of `loop`."""
    return {
        *(
            f"node {node.__name__}"
            for node in {*lower_expression.registry, *lower_statement.registry} - {object}
        ),
        *(f"filter {name}" for name in filters.SUPPORTED),
        *(f"filter {name}" for name, spec in own_filters.FILTERS.items() if spec.twin is not None),
        *(f"test {name}" for name in tests.SUPPORTED if name.isidentifier()),
        *(f"method {name}" for name in (*methods.SUPPORTED, "format")),
        *(f"global {name}" for name in GLOBALS),
        *(f"loop {name}" for name in LOOP),
    }


def features(template: str) -> set[str]:
    tree = ENVIRONMENT.parse(template)
    return {feature for node in tree.find_all(nodes.Node) for feature in of_node(node)}


def of_node(node: nodes.Node) -> Iterator[str]:
    yield f"node {type(node).__name__}"
    if isinstance(node, nodes.Filter):
        yield f"filter {node.name}"
        at = 1 if node.name.endswith("attr") else 0
        if node.name in BY_NAME and len(node.args) > at and isinstance(node.args[at], nodes.Const):
            yield f"{BY_NAME[node.name]} {node.args[at].value}"
    elif isinstance(node, nodes.Test):
        yield f"test {node.name}"
    elif isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "loop":
        yield f"loop {node.attr}"
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
        yield f"method {node.node.attr}"
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
        yield f"global {node.node.name}"
