"""Tests: `x is odd`."""

from jinja2 import nodes
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from awning.template.expressions.core import as_value, expression, plainly
from awning.template.expressions.filtered import known_test
from awning.template.expressions.signature import arranged, refuse_unpacking
from awning.template.frame import Frame
from awning.template.names import GLOBALS
from awning.template.scope import names_set
from awning.template.tests import COMPILED
from awning.template.value import Js, Kind

INLINE = {
    "defined": "({0} !== undefined)",
    "undefined": "({0} === undefined)",
    "none": "({0} === null)",
    "true": "({0} === true)",
    "false": "({0} === false)",
}

UNDEFINED = frozenset({"defined", "undefined"})
"""Tests for which there is one undefined."""


def tested(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Test)
    if node.name in UNDEFINED and is_global(node.node, frame):
        refuse_other(node, frame)
        return Js("true" if node.name == "defined" else "false", Kind.BOOL)
    return tested_value(node, expression(node.node, frame), frame)


def refuse_other(node: nodes.Test, frame: Frame) -> None:
    """What is set to nothing elsewhere is no global any more, and is not defined."""
    assert isinstance(node.node, nodes.Name)
    name = node.node.name
    if any(name in names_set(unit.everything) for unit in frame.session.regions.units.found.values()):
        message = (
            f"{name} is Jinja2's own, and a variable elsewhere: which of them is asked for cannot be told"
        )
        raise frame.refuse("template-unsupported", message, node, hint="give the variable another name")


def is_global(node: nodes.Node, frame: Frame) -> bool:
    """A global of Jinja2 is always defined: by itself, or by a variable of its name."""
    return isinstance(node, nodes.Name) and node.name in GLOBALS and frame.variable_of(node.name) is None


def tested_value(node: nodes.Test, subject: Js, frame: Frame) -> Js:
    refuse_unpacking(f"the test {node.name}", node, frame)
    if node.name in COMPILED:
        return registered(node, frame)
    code = as_value(subject, frame)
    if node.name in UNDEFINED:
        code = plainly(subject, frame)
    if node.name in INLINE:
        arranged(f"the test {node.name}", (), node.args, node.kwargs, node, frame)
        return Js(INLINE[node.name].format(code), Kind.BOOL)
    if node.name in {"float", "integer"} and subject.kind is Kind.FLOAT:
        raise frame.refuse(
            "template-number-kind",
            "JavaScript has one kind of number: a whole float is an integer here",
            node,
            hint="test the value with % 1 == 0",
        )
    helper, parameters = known_test(node.name, node, frame)
    arguments = arranged(f"the test {node.name}", parameters, node.args, node.kwargs, node, frame)
    if helper == "ne":
        return Js(f"(!{frame.use('eq')}({', '.join([code, *arguments])}))", Kind.BOOL)
    return Js(f"{frame.use(helper)}({', '.join([code, *arguments])})", Kind.BOOL)


def registered(node: nodes.Test, frame: Frame) -> Js:
    """`"upper" is filter`: Jinja2's own registry is the answer, also for a filter that we refuse."""
    if not isinstance(node.node, nodes.Const):
        raise frame.refuse("template-dynamic-name", f"is {node.name} needs a literal name", node)
    registry = FILTERS if node.name == "filter" else TESTS
    return Js("true" if node.node.value in registry else "false", Kind.BOOL)
