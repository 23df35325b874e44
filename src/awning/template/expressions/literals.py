"""Constants, lists, tuples and mappings."""

from jinja2 import nodes

from awning.template.emit import js_string
from awning.template.expressions.core import value, values
from awning.template.frame import Frame
from awning.template.numbers import canonical, number_literal
from awning.template.value import Js, Kind


def constant(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Const)
    constant = node.value
    if constant is None:
        return Js("null")
    if isinstance(constant, bool):
        return Js("true" if constant else "false", Kind.BOOL)
    if isinstance(constant, str):
        return Js(js_string(constant), Kind.TEXT)
    try:
        return number(constant)
    except OverflowError:
        raise frame.refuse(
            "template-number-range", "this number is larger than any that JavaScript can hold", node
        ) from None


def number(constant: float) -> Js:
    """A literal such as 1.0 is a float for Python only; 1.5 is one for both."""
    kind = Kind.FLOAT if not isinstance(constant, int) and constant.is_integer() else Kind.NUMBER
    return Js(number_literal(canonical(constant)), kind)


def sequence(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, (nodes.List, nodes.Tuple))
    items = values(node.items, frame)
    if isinstance(node, nodes.Tuple):
        return Js(f"{frame.use('tuple')}({items})", Kind.LIST)
    return Js(f"[{items}]", Kind.LIST)


def mapping(node: nodes.Node, frame: Frame) -> Js:
    """A plain object where every key is a literal string; else built at run time, where keys keep their types."""
    assert isinstance(node, nodes.Dict)
    keys: list[nodes.Node] = [pair.key for pair in node.items]
    if all(isinstance(key, nodes.Const) and isinstance(key.value, str) for key in keys):
        pairs = ", ".join(f"[{value(pair.key, frame)}]: {value(pair.value, frame)}" for pair in node.items)
        return Js(f"({{{pairs}}})")
    pairs = ", ".join(f"[{value(pair.key, frame)}, {value(pair.value, frame)}]" for pair in node.items)
    return Js(f"{frame.use('dict')}([{pairs}])")
