"""`macro` and `call`: functions that return HTML."""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template.emit import Line, Nest, Statement
from awning.template.expressions.access import wrapped_macro
from awning.template.expressions.calls import call_macro, call_value
from awning.template.expressions.core import value
from awning.template.frame import Frame, MacroShape
from awning.template.js_value import Js
from awning.template.names import variable
from awning.template.scope import scope_of_macro
from awning.template.statements.core import body, declarations, known, shape_of, shared, told_set
from awning.template.statements.output import interpolation


def macro(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Macro)
    held = frame.variable_of(node.name)
    assert held is not None, "the scope pass has stored it"
    shape = shape_of(node)
    if held in frame.macros:
        return [function(node, shape, f"{held} = ", frame), *shared(node.name, frame)]
    made = frame.compilation.temporary()
    wrapped = f"{held} = {wrapped_macro(made, shape, frame)};"
    written = [Line(wrapped), *told_set(node.name, frame), *shared(node.name, frame)]
    return [function(node, shape, f"const {made} = ", frame), *written]


def function(node: nodes.Macro | nodes.CallBlock, shape: MacroShape, target: str, frame: Frame) -> Statement:
    extra = [name for name in ("varargs", "kwargs", "caller") if getattr(shape, name)]
    scope = scope_of_macro(frame.scope, node, extra)
    inner = known(frame.inner(scope, buffer="$out", buffered=True, loop=frame.loop))
    names = [*shape.parameters, *extra]
    arguments = ", ".join(variable(name, scope.level) for name in names)
    defaults = defaulted(node.args, node.defaults, inner)
    statements = body(node.body, inner)
    start, end = Line('let $out = "";'), Line("return $out;")
    inside = [start, *declarations(inner), *defaults, *statements, end]
    what = f"the macro {node.name}" if isinstance(node, nodes.Macro) else "a call's body"
    before, behind = frame.compilation.bounded(id(node), what)
    return Nest(f"{target}{before}({arguments}) => {{", inside, tail=f"}}{behind};", at=node.lineno)


def defaulted(args: Sequence[nodes.Name], defaults: Sequence[nodes.Expr], inner: Frame) -> list[Statement]:
    """A parameter that was not given (which is not the same as given undefined) takes its default.

    A default that reads its own parameter or a later one finds it undefined.
    """
    optional = list(zip(args[len(args) - len(defaults) :], defaults, strict=True))
    out: list[Statement] = []
    late = read_early(optional)
    for argument in late:
        held = variable(argument.name, inner.scope.level)
        out.append(Line(f"const {held}$ = {held} === {inner.use('missing')};"))
        out.append(Line(f"if ({held}$) {held} = undefined;"))
    for argument, default in optional:
        held = variable(argument.name, inner.scope.level)
        absent = f"{held}$" if argument in late else f"{held} === {inner.use('missing')}"
        out.append(Line(f"if ({absent}) {held} = {value(default, inner)};"))
    return out


def read_early(optional: Sequence[tuple[nodes.Name, nodes.Expr]]) -> list[nodes.Name]:
    """The arguments that a default up to their own reads."""
    early: list[nodes.Name] = []
    read: set[str] = set()
    for argument, default in optional:
        read |= names_in(default)
        if argument.name in read:
            early.append(argument)
    return early


def names_in(node: nodes.Node) -> set[str]:
    found = {name.name for name in node.find_all(nodes.Name)}
    return found | {node.name} if isinstance(node, nodes.Name) else found


def call_block(node: nodes.Node, frame: Frame) -> list[Statement]:
    """The body becomes `caller`, a macro of its own, and the call's value is written."""
    assert isinstance(node, nodes.CallBlock)
    shape = shape_of(node)
    made = frame.compilation.temporary()
    statements: list[Statement] = [function(node, shape, f"const {made} = ", frame)]
    called = with_caller(node, wrapped_macro(made, shape, frame), frame)
    return [Nest("{", [*statements, *interpolation(node, called, frame)])]


def with_caller(node: nodes.CallBlock, caller: str, frame: Frame) -> Js:
    callee = node.call.node
    held = frame.variable_of(callee.name) if isinstance(callee, nodes.Name) else None
    target = frame.macros.get(held) if held else None
    if held and target and node.call.dyn_args is None and node.call.dyn_kwargs is None:
        if not target.caller and not target.kwargs and "caller" not in target.parameters:
            raise frame.refuse("template-arguments", f"macro {target.name} does not use caller", node)
        if target.caller:
            return call_macro(node.call, held, target, frame, caller)
    return call_value(node.call, value(callee, frame), frame, caller)
