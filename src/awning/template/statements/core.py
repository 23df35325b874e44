"""What the statements share: lower a body, declare a frame's variables, write to a buffer."""

from collections.abc import Iterable
from dataclasses import replace

from jinja2 import nodes

from awning.template.emit import Line, Nest, Statement, TextPart, ValuePart, Write, js_string
from awning.template.expressions.access import macro_value
from awning.template.expressions.access import name as read_name
from awning.template.expressions.core import as_value
from awning.template.frame import Frame, MacroShape, context_name
from awning.template.js_value import Js
from awning.template.names import variable
from awning.template.refusals import At
from awning.template.scope import Start


def body(found: Iterable[nodes.Node], frame: Frame) -> list[Statement]:
    """Compile statements one after another in the same frame."""
    lower = frame.compilation.lowering.statement
    return [
        statement for node in found for statement in marked(node, placed(node, lower(node, frame)), frame)
    ]


def placed(node: nodes.Node, compiled: list[Statement]) -> list[Statement]:
    """For the source map: what has no place of its own has its statement's."""
    return [placed_at(node.lineno, one) for one in compiled]


def placed_at(at: int, one: Statement) -> Statement:
    if isinstance(one, Write) or one.at:
        return one
    return Line(one.code, at) if isinstance(one, Line) else Nest(one.head, one.body, one.tail, at)


def marked(node: nodes.Node, compiled: list[Statement], frame: Frame) -> list[Statement]:
    """In dev builds each statement says where it is, for errors at run time. (A `Scope` stands nowhere.)"""
    silent = isinstance(node, (nodes.Output, nodes.Macro, nodes.Scope))
    if not frame.compilation.options.dev or silent or not compiled:
        return compiled
    return [Line(f"$at = {position(node.lineno)};"), *compiled]


def position(at: int) -> str:
    path = at.path if isinstance(at, At) else ""
    return js_string(f"{path}:{int(at)}")


def framed(found: Iterable[nodes.Node], frame: Frame) -> list[Statement]:
    """Compile the body of a new frame: its variables first."""
    frame = known(frame)
    statements = body(found, frame)
    return [*declarations(frame), *statements]


def declarations(frame: Frame) -> list[Statement]:
    """The variables of a frame that something in it writes, told when its body is compiled.

    Parameters are declared by who gives them.

    One that begins as an outer macro holds it as a value: what is written to it later may be another.
    """
    out: list[Statement] = []
    scope = frame.scope
    for name, start in scope.starts.items():
        if name not in scope.stores or start is Start.PARAMETER:
            continue
        initial = frame.start_of(name)
        if initial is not None and initial in frame.macros:
            initial = macro_value(initial, frame)
        held = variable(name, scope.level)
        out.append(Line(f"let {held}{f' = {initial}' if initial else ''};"))
        if name in scope.late:
            out.append(Line(f"let {was_set(held)} = false;"))
    return out


def was_set(held: str) -> str:
    """The variable that says whether another one was written already."""
    return f"{held}$"


def known(frame: Frame) -> Frame:
    """The frame, knowing which of its variables only ever hold one macro or one imported template."""
    names = {variable(name, frame.scope.level): name for name in frame.scope.stores}
    writers = {held: frame.scope.only_writer(name) for held, name in names.items()}
    gone = {held for held in names if held in frame.macros or held in frame.modules}
    macros = {held: shape_of(writer) for held, writer in writers.items() if isinstance(writer, nodes.Macro)}
    modules = {held for held, writer in writers.items() if isinstance(writer, nodes.Import)}
    if not (gone or macros or modules):
        return frame
    return replace(
        frame,
        macros={held: shape for held, shape in frame.macros.items() if held not in gone} | macros,
        modules=frozenset(frame.modules - gone | modules),
    )


def shape_of(node: nodes.Macro | nodes.CallBlock) -> MacroShape:
    from jinja2.compiler import find_undeclared  # noqa: PLC0415 - 20 ms that a template without macros need not pay

    implicit = find_undeclared(node.body, ("caller", "kwargs", "varargs"))
    names = tuple(argument.name for argument in node.args)
    return MacroShape(
        name=node.name if isinstance(node, nodes.Macro) else None,
        parameters=names,
        optional=frozenset(names[len(names) - len(node.defaults) :]) if node.defaults else frozenset(),
        varargs="varargs" in implicit and "varargs" not in names,
        kwargs="kwargs" in implicit and "kwargs" not in names,
        caller="caller" in implicit and "caller" not in names,
    )


def text(frame: Frame, literal: str) -> Write:
    return Write(frame.buffer, (TextPart(literal),))


def write(frame: Frame, code: str, node: nodes.Node) -> Write:
    """Write a string; in dev builds it says first where it is."""
    if frame.compilation.options.dev:
        code = f"($at = {position(node.lineno)}, {code})"
    return Write(frame.buffer, (ValuePart(code, node.lineno),))


def store(name: str, js: Js | str, frame: Frame) -> list[Statement]:
    """Give a variable its value; at the top level of a template with blocks they see it too."""
    code = js if isinstance(js, str) else as_value(js, frame)
    held = frame.variable_of(name)
    frame.scope.assigned.add(name)
    return [Line(f"{held} = {code};"), *told_set(name, frame), *shared(name, frame)]


def told_set(name: str, frame: Frame) -> list[Statement]:
    """That a variable was written, where something before asks for that."""
    held, owner = frame.variable_of(name), frame.scope.owner(name)
    return [Line(f"{was_set(held)} = true;")] if held and owner and name in owner.late else []


def shared(name: str, frame: Frame) -> list[Statement]:
    if not (frame.toplevel and frame.shared):
        return []
    if frame.variable_of(name) in frame.modules:
        return [Line(f"{context_name(name)} = {frame.variable_of(name)};")]
    return [Line(f"{context_name(name)} = {read_name(nodes.Name(name, 'load'), frame).code};")]
