"""`if`, `elif`, `else`: not a frame of its own, so that a `set` inside is seen after it."""

from jinja2 import nodes

from awning.template.emit import ChoicePart, Nest, Statement, Write, written_only
from awning.template.expressions.choice import test
from awning.template.frame import Frame
from awning.template.statements.core import body


def condition_statement(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.If)
    bodies = [(node.test, body(node.body, frame)), *((arm.test, body(arm.body, frame)) for arm in node.elif_)]
    other = body(node.else_, frame)
    chosen = None if frame.session.options.dev else choice(bodies, other, frame)
    if chosen is not None:
        return [Write(frame.buffer, (chosen,))]
    arms: list[Statement] = [
        Nest(f"{'else if' if at else 'if'} ({test(found, frame)}) {{", inside, at=found.lineno)
        for at, (found, inside) in enumerate(bodies)
    ]
    if node.else_:
        arms.append(Nest("else {", other))
    return arms


def choice(
    bodies: list[tuple[nodes.Node, list[Statement]]], other: list[Statement], frame: Frame
) -> ChoicePart | None:
    """Where the arms only write, a choice between their texts; else None."""
    last = written_only(other, frame.buffer)
    arms = []
    for found, inside in bodies:
        parts = written_only(inside, frame.buffer)
        if parts is None or last is None:
            return None
        arms.append((found, parts))
    return ChoicePart(tuple((test(found, frame), found.lineno, parts) for found, parts in arms), last or ())
