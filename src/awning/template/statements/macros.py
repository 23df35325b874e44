"""Lowering of `macro` and `call` to functions that return HTML."""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template.emit import Js, Line, Nest, Statement
from awning.template.expressions.calls import call_macro, call_value
from awning.template.frame import Frame, MacroShape, scope_of_macro
from awning.template.lowering import (
    body,
    declarations,
    function_body,
    lower_statement,
    placed,
    set_flag_statement,
    shape_of,
    share_with_blocks,
    value,
    with_known_macros,
    wrapped_macro,
)
from awning.template.statements.output import interpolation


@lower_statement.register
def macro(node: nodes.Macro, frame: Frame) -> list[Statement]:
    js_name = frame.variable_of(node.name)
    assert js_name is not None, "the scope pass has stored it"
    shape = shape_of(node)
    frame.scope.assigned.add(node.name)
    if js_name in frame.macros:
        return [function(node, shape, f"{js_name} = ", frame), *share_with_blocks(node.name, frame)]
    function_name = frame.compilation.temporary()
    wrapped = f"{js_name} = {wrapped_macro(function_name, shape, frame)};"
    written = [Line(wrapped), *set_flag_statement(node.name, frame), *share_with_blocks(node.name, frame)]
    return [function(node, shape, f"const {function_name} = ", frame), *written]


def function(node: nodes.Macro | nodes.CallBlock, shape: MacroShape, target: str, frame: Frame) -> Statement:
    extra = [name for name in ("varargs", "kwargs", "caller") if getattr(shape, name)]
    scope = scope_of_macro(frame.scope, node, extra)
    inner = with_known_macros(frame.inner(scope, buffer="$out", buffered=True, loop=frame.loop))
    names = [*shape.parameters, *extra]
    arguments = ", ".join(scope.variable(name) for name in names)
    defaults = default_parameters(node.args, node.defaults, inner)
    statements = body(node.body, inner)
    inside = function_body([*declarations(inner), *defaults, *statements], inner)
    what = f"the macro {node.name}" if isinstance(node, nodes.Macro) else "a call's body"
    before, behind = frame.compilation.bounded(id(node), what)
    return Nest(f"{target}{before}({arguments}) => {{", inside, tail=f"}}{behind};", at=node.lineno)


def default_parameters(
    args: Sequence[nodes.Name], defaults: Sequence[nodes.Expr], inner: Frame
) -> list[Statement]:
    """Assign the default to each parameter that is missing (a parameter that is undefined is not missing).

    If a default reads its own parameter, or a later one that is missing too, it reads undefined.
    """
    optional = list(zip(args[len(args) - len(defaults) :], defaults, strict=True))
    out: list[Statement] = []
    late = parameters_read_early(optional)
    for argument in late:
        js_name = inner.scope.variable(argument.name)
        out.append(Line(f"const {js_name}$ = {js_name} === {inner.use('missing')};"))
        out.append(Line(f"if ({js_name}$) {js_name} = undefined;"))
    for argument, default in optional:
        js_name = inner.scope.variable(argument.name)
        absent = f"{js_name}$" if argument in late else f"{js_name} === {inner.use('missing')}"
        out.append(Line(f"if ({absent}) {js_name} = {placed(value(default, inner), default, inner)};"))
    return out


def parameters_read_early(optional: Sequence[tuple[nodes.Name, nodes.Expr]]) -> list[nodes.Name]:
    """Return the parameters that are read by their own default or by the default of an earlier parameter."""
    early: list[nodes.Name] = []
    read: set[str] = set()
    for argument, default in optional:
        read |= names_in(default)
        if argument.name in read:
            early.append(argument)
    return early


def names_in(node: nodes.Node) -> set[str]:
    names = {name.name for name in node.find_all(nodes.Name)}
    return names | {node.name} if isinstance(node, nodes.Name) else names


@lower_statement.register
def call_block(node: nodes.CallBlock, frame: Frame) -> list[Statement]:
    """Lower a `call` block: its body becomes the macro `caller`, and the value of the call is written."""
    shape = shape_of(node)
    function_name = frame.compilation.temporary()
    statements: list[Statement] = [function(node, shape, f"const {function_name} = ", frame)]
    called = with_caller(node, wrapped_macro(function_name, shape, frame), frame)
    return [Nest("{", [*statements, *interpolation(node, called, frame)])]


def with_caller(node: nodes.CallBlock, caller: str, frame: Frame) -> Js:
    callee = node.call.node
    js_name = frame.variable_of(callee.name) if isinstance(callee, nodes.Name) else None
    target = frame.macros.get(js_name) if js_name else None
    if js_name and target and node.call.dyn_args is None and node.call.dyn_kwargs is None:
        if not target.caller and not target.kwargs and "caller" not in target.parameters:
            raise frame.refuse("template-arguments", f"macro {target.name} does not use caller", node)
        if target.caller:
            return call_macro(node.call, js_name, target, frame, caller)
    return call_value(node.call, value(callee, frame), frame, caller)
