"""Functions that all statements share: they lower a body, declare a frame's variables, and write to a buffer."""

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
from awning.template.refusals import Position
from awning.template.scope import Start


def body(children: Iterable[nodes.Node], frame: Frame) -> list[Statement]:
    """Lower statements one after another in one frame."""
    return [
        statement
        for node in children
        for statement in with_dev_position(node, with_positions(node, lowered(node, frame)), frame)
    ]


def lowered(node: nodes.Node, frame: Frame) -> list[Statement]:
    statements = frame.compilation.lowering.statement(node, frame)
    return [text(frame, "\n"), *statements] if id(node) in frame.region.lines else statements


def with_positions(node: nodes.Node, compiled: list[Statement]) -> list[Statement]:
    """Give the position of a node to each statement that has no position, for the source map."""
    return [with_position(node.lineno, statement) for statement in compiled]


def with_position(at: int, statement: Statement) -> Statement:
    if isinstance(statement, Write) or statement.at:
        return statement
    return (
        Line(statement.code, at)
        if isinstance(statement, Line)
        else Nest(statement.head, statement.body, statement.tail, at)
    )


def with_dev_position(node: nodes.Node, compiled: list[Statement], frame: Frame) -> list[Statement]:
    """In dev builds, record the position of each statement for errors at run time.

    Printed values record their own position, the definition of a macro does not fail, and a `Scope` has no position.
    """
    silent = isinstance(node, (nodes.Output, nodes.Macro, nodes.Scope))
    if not frame.compilation.options.dev or silent or not compiled:
        return compiled
    return [Line(f"$at = {position(node.lineno)};"), *compiled]


def position(at: int) -> str:
    path = at.path if isinstance(at, Position) else ""
    return js_string(f"{path}:{int(at)}")


def function_body(statements: Iterable[Statement], frame: Frame) -> list[Statement]:
    """Return the body of a function that returns its output.

    In dev builds, it restores the position at its end, because the expression that calls the function goes on there.
    """
    before, after = [Line('let $out = "";')], [Line("return $out;")]
    if frame.compilation.options.dev:
        before, after = [Line("const $from = $at;"), *before], [Line("$at = $from;"), *after]
    return [*before, *statements, *after]


def frame_body(children: Iterable[nodes.Node], frame: Frame) -> list[Statement]:
    """Lower the body of a new frame, with the declarations of its variables first."""
    frame = with_known_macros(frame)
    statements = body(children, frame)
    return [*declarations(frame), *statements]


def declarations(frame: Frame) -> list[Statement]:
    """Return the declarations of the variables that a frame writes. Its body must already be lowered.

    Parameters are declared by the function or loop that they belong to. A variable that starts as a copy of an outer
    macro gets the macro as a value, because another value may be written to it later.
    """
    out: list[Statement] = []
    scope = frame.scope
    for name, start in scope.starts.items():
        if name not in scope.stores or start is Start.PARAMETER:
            continue
        initial = frame.start_of(name)
        if initial is not None and initial in frame.macros:
            initial = macro_value(initial, frame)
        js_name = variable(name, scope.level)
        out.append(Line(f"let {js_name}{f' = {initial}' if initial else ''};"))
        if name in scope.late:
            out.append(Line(f"let {set_flag(js_name)} = false;"))
    return out


def set_flag(js_name: str) -> str:
    """Return the name of the flag that records whether a variable has been written."""
    return f"{js_name}$"


def with_known_macros(frame: Frame) -> Frame:
    """Return the frame, with a record of which variables hold the same macro or imported template at every read."""
    names = {variable(name, frame.scope.level): name for name in frame.scope.stores}
    writers = {js_name: frame.scope.only_writer(name) for js_name, name in names.items()}
    shadowed = {js_name for js_name in names if js_name in frame.macros or js_name in frame.modules}
    macros = {
        js_name: shape_of(writer) for js_name, writer in writers.items() if isinstance(writer, nodes.Macro)
    }
    modules = {js_name for js_name, writer in writers.items() if isinstance(writer, nodes.Import)}
    if not (shadowed or macros or modules):
        return frame
    return replace(
        frame,
        macros={js_name: shape for js_name, shape in frame.macros.items() if js_name not in shadowed}
        | macros,
        modules=frozenset(frame.modules - shadowed | modules),
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
    """Write a string."""
    return Write(frame.buffer, (ValuePart(placed(code, node, frame), node.lineno),))


def placed(code: str, node: nodes.Node, frame: Frame) -> str:
    """Return the code of an expression. In dev builds, it records the position of its node first."""
    return f"($at = {position(node.lineno)}, {code})" if frame.compilation.options.dev else code


def store(name: str, js: Js | str, frame: Frame) -> list[Statement]:
    """Assign a value to a variable.

    At the top level of a template with blocks, also put it where the blocks read it.
    """
    code = js if isinstance(js, str) else as_value(js, frame)
    js_name = frame.variable_of(name)
    frame.scope.assigned.add(name)
    return [Line(f"{js_name} = {code};"), *set_flag_statement(name, frame), *share_with_blocks(name, frame)]


def set_flag_statement(name: str, frame: Frame) -> list[Statement]:
    """Return the statement that sets a variable's flag; none if the variable has no flag (`Scope.late`)."""
    js_name, owner = frame.variable_of(name), frame.scope.owner(name)
    return [Line(f"{set_flag(js_name)} = true;")] if js_name and owner and name in owner.late else []


def share_with_blocks(name: str, frame: Frame) -> list[Statement]:
    if not (frame.toplevel and frame.shared):
        return []
    if frame.variable_of(name) in frame.modules:
        return [Line(f"{context_name(name)} = {frame.variable_of(name)};")]
    return [Line(f"{context_name(name)} = {read_name(nodes.Name(name, 'load'), frame).code};")]
