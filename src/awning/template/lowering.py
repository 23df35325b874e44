"""Lowering: nodes of Jinja2's syntax tree become JavaScript. This file has what the lowering of all nodes shares.

`expression` and `statement` lower any node. The function for a kind of node is in `expressions` or `statements`, and is
registered here, so that these files need not import each other. A test walks the concrete classes of `jinja2.nodes`:
each is registered, or refused by name in `REFUSED`.

Blocks become functions; the version of each is known at compile time. A block stands at its place, or its
text is a value: `super()` and `self.name()`. A `{{ super() }}` on its own does not become a value: the output statement
writes the parent's text directly.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from types import MappingProxyType

from jinja2 import nodes

from awning.template.emit import (
    Js,
    Line,
    Nest,
    Statement,
    TextPart,
    ValueKind,
    ValuePart,
    Write,
    js_string,
)
from awning.template.frame import Frame, MacroShape, Start, context_name, scope_of_body
from awning.template.html.html_context import START, HtmlContext
from awning.template.refusals import Position, TemplateRefusal

REFUSED: Mapping[type[nodes.Node], str] = MappingProxyType(
    {
        nodes.Break: "it needs the loopcontrols extension",
        nodes.ContextReference: "only extensions make it",
        nodes.Continue: "it needs the loopcontrols extension",
        nodes.DerivedContextReference: "only extensions make it",
        nodes.EnvironmentAttribute: "only extensions make it",
        nodes.EvalContextModifier: "only extensions make it",
        nodes.ExprStmt: "it needs the do extension",
        nodes.ExtensionAttribute: "only extensions make it",
        nodes.ImportedName: "only extensions make it",
        nodes.InternalName: "only extensions make it",
        nodes.MarkSafe: "only extensions make it",
        nodes.MarkSafeIfAutoescape: "only extensions make it",
        nodes.NSRef: "a target of set, compiled with it",
        nodes.OverlayScope: "only extensions make it",
        nodes.Slice: "a subscript, compiled with it",
        nodes.Template: "a template is compiled by its include, import or extends",
        nodes.TemplateData: "text, compiled with its output",
    }
)


@singledispatch
def lower_expression(node: nodes.Node, frame: Frame) -> Js:
    """Lower an expression that is not evaluated yet.

    Raises TemplateRefusal when its kind is not supported, or the function for its kind refuses it.
    """
    raise unsupported(node, frame)


@singledispatch
def lower_statement(node: nodes.Node, frame: Frame) -> list[Statement]:
    """Lower one statement. Raises TemplateRefusal as `lower_expression` does."""
    raise unsupported(node, frame)


def unsupported(node: nodes.Node, frame: Frame) -> TemplateRefusal:
    reason = REFUSED.get(type(node), "it is not known to the compiler")
    return frame.refuse("template-unsupported", f"{type(node).__name__} cannot be compiled: {reason}", node)


def expression(node: nodes.Node, frame: Frame) -> Js:
    """Lower any expression."""
    return frame.compilation.stored.get(id(node)) or lower_expression(node, frame)


def value(node: nodes.Node, frame: Frame) -> str:
    """Return the code of a value. An expression that is certain to be HTML is wrapped as a Markup value."""
    return as_value(expression(node, frame), frame)


def as_value(js: Js, frame: Frame) -> str:
    return f"{frame.use('markup')}({js.code})" if js.kind is ValueKind.HTML else js.code


def values(expressions: Iterable[nodes.Node], frame: Frame) -> str:
    return ", ".join(value(node, frame) for node in expressions)


def named_value(name: str, frame: Frame) -> str:
    """Return the code of the value of a name."""
    return expression(nodes.Name(name, "load", lineno=frame.template.tree.lineno), frame).code


def condition(node: nodes.Node, frame: Frame) -> str:
    """Return the code of a condition. It is true in JavaScript if and only if it is true in Python."""
    return truth(expression(node, frame), frame)


def truth(js: Js, frame: Frame) -> str:
    if js.promise is not None or js.kind in {
        ValueKind.BOOL,
        ValueKind.TEXT,
        ValueKind.HTML,
        ValueKind.UNDEFINED,
    }:
        return js.code
    return f"{frame.use('truth')}({js.code})"


CHECKS = {ValueKind.TEXT: "declared_string", ValueKind.NUMBER: "declared_number"}


def checked(js: Js, frame: Frame) -> Js:
    """Add the run-time check that a value has its declared type.

    Nothing is added without a declared type, for a boolean, or if the code already has the check.
    """
    if js.promise not in CHECKS or js.kind is js.promise:
        return js
    return Js(f"{frame.use(CHECKS[js.promise])}({js.code})", js.promise, js.promise)


def body(children: Iterable[nodes.Node], frame: Frame) -> list[Statement]:
    """Lower statements one after another in one frame. Each gets a position, for the source map."""
    out: list[Statement] = []
    for node in children:
        statements = lower_statement(node, frame)
        if id(node) in frame.region.lines:
            statements = [text(frame, "\n"), *statements]
        if statements and frame.compilation.options.dev and not isinstance(node, _PLACED):
            out.append(Line(f"$at = {position(node.lineno)};"))
        out += (with_position(node.lineno, statement) for statement in statements)
    return out


_PLACED = (nodes.Output, nodes.Macro, nodes.Scope)
"""Statements whose position a dev build does not record for errors at run time.

Printed values record their own position, the definition of a macro does not fail, and a `Scope` has no position.
"""


def with_position(at: int, statement: Statement) -> Statement:
    if isinstance(statement, Write) or statement.at:
        return statement
    return (
        Line(statement.code, at)
        if isinstance(statement, Line)
        else Nest(statement.head, statement.body, statement.tail, at)
    )


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
        js_name = scope.variable(name)
        out.append(Line(f"let {js_name}{f' = {initial}' if initial else ''};"))
        if name in scope.late:
            out.append(Line(f"let {set_flag(js_name)} = false;"))
    return out


def set_flag(js_name: str) -> str:
    """Return the name of the flag that records whether a variable has been written."""
    return f"{js_name}$"


def with_known_macros(frame: Frame) -> Frame:
    """Return the frame, with a record of which variables hold the same macro or imported template at every read."""
    names = {frame.scope.variable(name): name for name in frame.scope.stores}
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


def macro_value(variable: str, frame: Frame) -> str:
    """Return the code of a macro as a value. The value is undefined before the macro's definition."""
    return f"({variable} && {wrapped_macro(variable, frame.macros[variable], frame)})"


def wrapped_macro(function: str, shape: MacroShape, frame: Frame) -> str:
    """Return code that attaches a macro's parameters to its function. Calls that are resolved at run time need them."""
    names = ", ".join(js_string(name) for name in shape.parameters)
    flags = ", ".join(str(flag).lower() for flag in (shape.varargs, shape.kwargs, shape.caller))
    name = "null" if shape.name is None else js_string(shape.name)
    return f"{frame.use('macro')}({function}, {name}, [{names}], {len(shape.optional)}, {flags})"


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
    return [Line(f"{context_name(name)} = {named_value(name, frame)};")]


def super_depth(callee: nodes.Node) -> int:
    """Return how many parents up an expression refers to: 1 for `super`, 2 for `super.super`; 0 for any other."""
    if isinstance(callee, nodes.Name):
        return 1 if callee.name == "super" else 0
    if isinstance(callee, nodes.Getattr) and callee.attr == "super":
        below = super_depth(callee.node)
        return below + 1 if below else 0
    return 0


def super_value(node: nodes.Call, frame: Frame) -> Js:
    assert frame.block is not None
    name, depth = frame.block
    return Js(block_call(name, depth + super_depth(node.node), START, node, frame), ValueKind.HTML)


def self_value(node: nodes.Call, name: str, frame: Frame) -> Js:
    """Return the value of `self.name()`. Raises TemplateRefusal when there is no such block."""
    if name not in frame.chain.lineages:
        raise frame.refuse("template-no-block", f"there is no block {name}", node)
    return Js(block_call(name, 0, START, node, frame), ValueKind.HTML)


def block_call(
    name: str, depth: int, start: HtmlContext, node: nodes.Node, frame: Frame, scope: str = "context"
) -> str:
    """Return code that renders a version of a block in the HTML context `start`.

    Raises TemplateRefusal when there is no version at this depth.
    """
    layers = frame.chain.lineages[name]
    if depth >= len(layers):
        raise frame.refuse("template-no-super", f"there is no parent block called {name!r}", node)
    return f"{block_function(name, depth, start, frame)}({scope})"


def block_function(name: str, depth: int, start: HtmlContext, frame: Frame) -> str:
    compilation = frame.compilation
    key = (id(frame.chain), name, depth, start)
    if key in compilation.blocks:
        return compilation.blocks[key]
    compilation.blocks[key] = function = compilation.function_name("block")
    compilation.functions[function] = []
    walked = compilation.regions.block(frame.chain, name, depth, start)
    assert walked is not None, "contexts are known before code is made"
    layer = frame.chain.lineages[name][depth]
    scope = scope_of_body(None, layer.node.body, parameters(layer.node.body, ("self", "super")))
    inner = Frame(
        compilation=compilation,
        template=layer.template,
        chain=frame.chain,
        scope=scope,
        region=walked.regions[0],
        block=(name, depth),
    )
    inside = function_body(frame_body(layer.node.body, inner), inner)
    before, behind = compilation.bounded(id(layer.node), f"the block {name}")
    compilation.functions[function] = [module_function(function, inside, before, behind)]
    return function


def module_function(name: str, statements: list[Statement], before: str, behind: str) -> Statement:
    """Return a function of the module, with the code around it that limits its recursion."""
    if not before:
        return Nest(f"function {name}(context) {{", statements)
    return Nest(f"const {name} = {before}(context) => {{", statements, tail=f"}}{behind};")


def parameters(body_nodes: Sequence[nodes.Node], implicit: tuple[str, ...]) -> list[str]:
    """Return the implicit names that a body uses."""
    used = {name.name for node in body_nodes for name in node.find_all(nodes.Name)}
    used |= {node.name for node in body_nodes if isinstance(node, nodes.Name)}
    return [name for name in implicit if name in used]
