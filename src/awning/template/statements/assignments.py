"""Lowering of `set`, with a value or with a body, and of filter blocks."""

from jinja2 import nodes

from awning.template.emit import Line, Nest, Statement, js_string
from awning.template.expressions.filters import apply_filter, known_filter
from awning.template.frame import Frame
from awning.template.js_value import Js, ValueKind
from awning.template.lowering import as_value, expression, frame_body, lower_statement, store, write
from awning.template.scope import scope_of_body


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
