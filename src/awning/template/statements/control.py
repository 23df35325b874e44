"""Lowering of conditions, loops, statements that only open a scope, `set`, and filter blocks."""

from collections.abc import Iterable
from dataclasses import replace

from jinja2 import nodes

from awning.template.emit import Js, Line, Nest, Statement, ValueKind, js_string
from awning.template.expressions.access import LOOP_SIMPLE
from awning.template.expressions.filters import apply_filter, known_filter
from awning.template.expressions.operators import test
from awning.template.frame import (
    Frame,
    LoopContents,
    LoopFrame,
    scope_of_body,
    scope_of_loop,
    scope_of_loop_test,
    scope_of_with,
)
from awning.template.html.html_context import START
from awning.template.lowering import (
    as_value,
    body,
    declarations,
    expression,
    frame_body,
    function_body,
    lower_statement,
    placed,
    store,
    value,
    with_known_macros,
    write,
)


@lower_statement.register
def condition_statement(node: nodes.If, frame: Frame) -> list[Statement]:
    bodies = [(node.test, body(node.body, frame)), *((arm.test, body(arm.body, frame)) for arm in node.elif_)]
    other = body(node.else_, frame)
    arms: list[Statement] = [
        Nest(f"{head} ({placed(test(condition, frame), condition, frame)}) {{", inside, at=condition.lineno)
        for head, (condition, inside) in zip(["if", *["else if"] * len(node.elif_)], bodies, strict=True)
    ]
    if node.else_:
        arms.append(Nest("else {", other))
    return arms


@lower_statement.register
def with_(node: nodes.With, frame: Frame) -> list[Statement]:
    inner = frame.inner(scope_of_with(frame.scope, node))
    assignments: list[Statement] = []
    for target, given_value in zip(node.targets, node.values, strict=True):
        assignments.extend(unpack_target(target, value(given_value, frame), inner))
    return [Nest("{", [*assignments, *frame_body(node.body, inner)])]


@lower_statement.register
def autoescape(node: nodes.ScopedEvalContextModifier, frame: Frame) -> list[Statement]:
    """Lower an `autoescape` block. Raises TemplateRefusal unless its option is the literal `true`."""
    option = node.options[0].value
    if not (isinstance(option, nodes.Const) and option.value is True):
        raise frame.refuse(
            "template-autoescape",
            "escaping cannot be turned off",
            node,
            hint="mark the one value that is HTML with |safe",
        )
    return body(node.body, frame)


@lower_statement.register
def scope(node: nodes.Scope, frame: Frame) -> list[Statement]:
    return [Nest("{", frame_body(node.body, frame.inner(scope_of_body(frame.scope, node.body))))]


@lower_statement.register
def for_loop(node: nodes.For, frame: Frame) -> list[Statement]:
    """Lower a loop. Raises TemplateRefusal when it assigns to `loop`."""
    assignment = loop_contents(node, frame).assignment
    if assignment is not None:
        raise frame.refuse("template-loop-name", "loop cannot be assigned to", assignment)
    if node.recursive:
        return recursive_loop(node, frame)
    return loop_statements(node, value(node.iter, frame), frame, "0", None)


def recursive_loop(node: nodes.For, frame: Frame) -> list[Statement]:
    """Lower a loop with `recursive`. Raises TemplateRefusal when it does not stand in text."""
    if frame.region.places.get(id(node), START) != START:
        raise frame.refuse(
            "template-loop-in-tag", "a recursive loop must stand in text, not inside a tag", node
        )
    function = frame.compilation.temporary()
    inside = replace(frame, buffer="$out", buffered=True)
    statements = loop_statements(node, "$items", inside, "$depth", function)
    head = f"const {function} = ($items, $depth) => {{"
    bound = Line(f"{frame.use('within')}($depth);")
    return [
        Nest(head, [bound, *function_body(statements, frame)], tail="};"),
        write(frame, f"{function}({value(node.iter, frame)}, 0)", node),
    ]


def loop_statements(
    node: nodes.For, items: str, frame: Frame, depth: str, function: str | None
) -> list[Statement]:
    uses = list(loop_uses(node.body))
    contents = loop_contents(node, frame)
    names_loop = any(loop_contents(inner, frame).names_loop for inner in node.body)
    plain = not (node.recursive or names_loop or contents.scoped_block)
    scope = scope_of_loop(frame.scope, node, loop=not plain)
    items_variable, index = frame.compilation.temporary(), frame.compilation.temporary()
    loop = LoopFrame(
        index=index,
        items=items_variable,
        value=scope.variable("loop"),
        simple=not node.recursive and is_simple(contents, uses),
        recursive=function,
    )
    inner = with_known_macros(frame.inner(scope, loop=frame.loop if plain else loop))
    items_code = filtered_items(node, items, frame, whole=plain or loop.simple)
    out: list[Statement] = [Line(f"const {items_variable} = {items_code};", at=node.lineno)]
    statements = body(node.body, inner)
    inside = [*declarations(inner), *statements]
    if plain:
        out.append(
            Nest(
                f"for (const {index} of {items_variable}) {{",
                [*unpack_target(node.target, index, inner), *inside],
            )
        )
    elif loop.simple:
        head = f"for (let {index} = 0; {index} < {items_variable}.length; {index}++) {{"
        out.append(Nest(head, [*unpack_target(node.target, f"{items_variable}[{index}]", inner), *inside]))
    else:
        recursion = f", {function}" if function else ""
        out.append(
            Line(f"const {loop.value} = {frame.use('loop_of')}({items_variable}, {depth}{recursion});")
        )
        head = f"for (const {index} of {items_variable}) {{"
        step = Line(f"{frame.use('step')}({loop.value});")
        out.append(Nest(head, [step, *unpack_target(node.target, index, inner), *inside]))
    if node.else_:
        other = frame.inner(scope_of_body(frame.scope, node.else_))
        out.append(Nest(f"if (!{items_variable}.length) {{", frame_body(node.else_, other)))
    return [Nest("{", out)] if function is None else out


def filtered_items(node: nodes.For, items: str, frame: Frame, *, whole: bool) -> str:
    """Return the code of the loop's items, without those that fail its test.

    Without `whole`, a tested item that is unpacked into several names is rebuilt from these names, as in Jinja2.
    """
    code = f"{frame.use('iterate')}({items})"
    if node.test is None:
        return code
    inner = with_known_macros(frame.inner(scope_of_loop_test(frame.scope, node)))
    item = frame.compilation.temporary()
    lines = [line.code for line in unpack_target(node.target, item, inner) if isinstance(line, Line)]
    if whole or isinstance(node.target, nodes.Name):
        return f"{code}.filter({item} => {{ {' '.join(lines)} return {test(node.test, inner)}; }})"
    result = f"{test(node.test, inner)} ? [{rebuilt_item(node.target, inner)}] : []"
    return f"{code}.flatMap({item} => {{ {' '.join(lines)} return {result}; }})"


def rebuilt_item(target: nodes.Node, inner: Frame) -> str:
    if isinstance(target, nodes.Name):
        return inner.scope.variable(target.name)
    assert isinstance(target, (nodes.Tuple, nodes.List)), "the parser takes nothing else"
    return f"{inner.use('tuple')}({', '.join(rebuilt_item(item, inner) for item in target.items)})"


def unpack_target(target: nodes.Node, item: str, inner: Frame) -> Iterable[Statement]:
    if isinstance(target, nodes.Name):
        yield Line(f"let {inner.scope.variable(target.name)} = {item};")
        return
    assert isinstance(target, (nodes.Tuple, nodes.List)), "the parser takes nothing else"
    temporary = inner.compilation.temporary()
    yield Line(f"const {temporary} = {inner.use('unpack')}({item}, {len(target.items)});")
    for number, part in enumerate(target.items):
        yield from unpack_target(part, f"{temporary}[{number}]", inner)


def loop_contents(node: nodes.Node, frame: Frame) -> LoopContents:
    """Return the contents of a node that decide how the loop around it is compiled.

    The result is stored, so each node is visited once, however deeply loops are nested.
    """
    known = frame.compilation.loop_contents
    if id(node) not in known:
        parts = [loop_contents(child, frame) for child in node.iter_child_nodes()]
        loop = node if isinstance(node, nodes.Name) and node.name == "loop" else None
        assignments = [loop if loop and loop.ctx == "store" else None, *(part.assignment for part in parts)]
        known[id(node)] = LoopContents(
            assignment=next(filter(None, assignments), None),
            names_loop=loop is not None
            or (not isinstance(node, nodes.Block) and any(part.names_loop for part in parts)),
            scoped_block=(isinstance(node, nodes.Block) and node.scoped)
            or any(part.scoped_block for part in parts),
            includes=isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport))
            or any(part.includes for part in parts),
        )
    return known[id(node)]


def loop_uses(body_nodes: Iterable[nodes.Node]) -> Iterable[nodes.Node]:
    """Yield the uses of this loop's `loop`: attributes that are read, the name itself, and scoped blocks."""
    for node in body_nodes:
        if isinstance(node, nodes.Name):
            if node.name == "loop":
                yield node
        elif (
            isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "loop"
        ):
            yield node
        elif isinstance(node, nodes.For):
            yield from loop_uses([node.iter, *([node.test] if node.test else []), *node.else_])
        elif isinstance(node, nodes.Block) and node.scoped:
            yield node
        else:
            yield from loop_uses(node.iter_child_nodes())


def is_simple(contents: LoopContents, uses: Iterable[nodes.Node]) -> bool:
    """Return whether a counter and the list are enough for all uses of `loop`.

    An included template or a scoped block could use more.
    """
    placed = contents.scoped_block or contents.includes
    attributes = {*LOOP_SIMPLE, "cycle"}
    return not placed and all(isinstance(use, nodes.Getattr) and use.attr in attributes for use in uses)


@lower_statement.register
def assign(node: nodes.Assign, frame: Frame) -> list[Statement]:
    return assign_target(node.target, expression(node.node, frame), frame)


def assign_target(target: nodes.Node, js: Js, frame: Frame) -> list[Statement]:
    """Assign a value to a target: a name, a namespace's attribute, or several of them."""
    if isinstance(target, nodes.Name):
        return store(target.name, js, frame)
    if isinstance(target, nodes.NSRef):
        owner = frame.variable_of(target.name) or frame.from_context(target.name)
        return [
            Line(f"{frame.use('set_attribute')}({owner}, {js_string(target.attr)}, {as_value(js, frame)});")
        ]
    assert isinstance(target, (nodes.Tuple, nodes.List))
    temporary = frame.compilation.temporary()
    out: list[Statement] = [
        Line(f"const {temporary} = {frame.use('unpack')}({as_value(js, frame)}, {len(target.items)});")
    ]
    for number, item in enumerate(target.items):
        out.extend(assign_target(item, Js(f"{temporary}[{number}]"), frame))
    return out


@lower_statement.register
def assign_block(node: nodes.AssignBlock, frame: Frame) -> list[Statement]:
    buffer = frame.compilation.temporary()
    inner = frame.inner(scope_of_body(frame.scope, node.body), buffer=buffer, buffered=True)
    statements = frame_body(node.body, inner)
    html = filter_html(node.filter, buffer, frame) if node.filter is not None else Js(buffer, ValueKind.HTML)
    if html.kind is not ValueKind.HTML:
        html = Js(f"{frame.use('str')}({html.code})", ValueKind.HTML)
    return [Line(f'let {buffer} = "";'), Nest("{", statements), *assign_target(node.target, html, frame)]


def filter_html(node: nodes.Filter, buffer: str, frame: Frame) -> Js:
    """Apply the filters of a `filter` block or a `set` block to its text.

    The result is not escaped, so only filters that return HTML for HTML are allowed. Raises TemplateRefusal for any
    other filter.
    """
    spec = known_filter(node.name, node, frame)
    if not spec.keeps_markup:
        raise frame.refuse(
            "template-filter-block", f"the filter {node.name} cannot be used on a block of HTML", node
        )
    subject = Js(buffer, ValueKind.HTML) if node.node is None else filter_html(node.node, buffer, frame)  # type: ignore[arg-type]
    return apply_filter(node, subject, frame)


@lower_statement.register
def filter_block(node: nodes.FilterBlock, frame: Frame) -> list[Statement]:
    buffer = frame.compilation.temporary()
    inner = frame.inner(scope_of_body(frame.scope, node.body), buffer=buffer, buffered=True)
    statements = frame_body(node.body, inner)
    html = filter_html(node.filter, buffer, inner)
    code = html.code if html.kind in {ValueKind.HTML, ValueKind.TEXT} else f"{frame.use('str')}({html.code})"
    return [Line(f'let {buffer} = "";'), Nest("{", [*statements, write(frame, code, node)])]
