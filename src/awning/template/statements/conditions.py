"""`if`, `elif`, `else`: not a frame of its own, so that a `set` inside is seen after it."""

from jinja2 import nodes

from awning.template.emit import Nest, Statement
from awning.template.expressions.choice import test
from awning.template.frame import Frame
from awning.template.statements.core import body


def condition_statement(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.If)
    arms: list[Statement] = [
        Nest(f"if ({test(node.test, frame)}) {{", body(node.body, frame), tail="}", at=node.lineno)
    ]
    arms.extend(
        Nest(f"else if ({test(arm.test, frame)}) {{", body(arm.body, frame), at=arm.lineno)
        for arm in node.elif_
    )
    if node.else_:
        arms.append(Nest("else {", body(node.else_, frame)))
    return arms
