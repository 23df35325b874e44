"""What a condition says of the values in it, where it holds and where it does not."""

from collections.abc import Callable

from jinja2 import nodes

from awning.template.types.shape import Shape, Truth, Value

Facts = tuple[tuple[Truth, ...], frozenset[Shape]]
"""Values that are true or false, and values that are defined."""

NONE: Facts = ((), frozenset())

ValueOf = Callable[[nodes.Node], Value]


def facts(node: nodes.Node, truth: bool, value_of: ValueOf) -> Facts:
    """What is known where the condition `node` is `truth`."""
    match node:
        case nodes.Not():
            return facts(node.node, not truth, value_of)
        case nodes.And() | nodes.Or() if isinstance(node, nodes.And) == truth:
            return both(node, truth, value_of)
        case nodes.Test(name="defined" | "undefined") if (node.name == "defined") == truth:
            return (), known(node.node, value_of)
        case nodes.Name() | nodes.Getattr():
            value = value_of(node)
            return (((value[0].shape, truth),) if len(value) == 1 else ()), frozenset()
    return NONE


def both(node: nodes.BinExpr, truth: bool, value_of: ValueOf) -> Facts:
    left, left_known = facts(node.left, truth, value_of)
    right, right_known = facts(node.right, truth, value_of)
    return (*left, *right), left_known | right_known


def known(node: nodes.Node, value_of: ValueOf) -> frozenset[Shape]:
    """Of one of several values nothing is known."""
    value = value_of(node)
    return frozenset(ref.shape for ref in value) if len(value) == 1 else frozenset()
