"""`with`, and `autoescape true`, which is a frame and nothing more (Jinja2 makes a Scope around it)."""

from jinja2 import nodes

from awning.template.emit import Nest, Statement
from awning.template.expressions.core import value
from awning.template.frame import Frame
from awning.template.scope import scope_of_body, scope_of_with
from awning.template.statements.core import body, framed
from awning.template.statements.loops import unpacked


def with_(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.With)
    inner = frame.inner(scope_of_with(frame.scope, node))
    given: list[Statement] = []
    for target, given_value in zip(node.targets, node.values, strict=True):
        given.extend(unpacked(target, value(given_value, frame), inner))
    return [Nest("{", [*given, *framed(node.body, inner)])]


def autoescape(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.ScopedEvalContextModifier)
    option = node.options[0].value
    if not (isinstance(option, nodes.Const) and option.value is True):
        raise frame.refuse(
            "template-autoescape",
            "escaping cannot be turned off",
            node,
            hint="mark the one value that is HTML with |safe",
        )
    return body(node.body, frame)


def scope(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Scope)
    return [Nest("{", framed(node.body, frame.inner(scope_of_body(frame.scope, node.body))))]
