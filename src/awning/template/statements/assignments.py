"""`set` with a value or a body, and filter blocks."""

from jinja2 import nodes

from awning.template.emit import Line, Nest, Statement, js_string
from awning.template.expressions.core import as_value, expression
from awning.template.expressions.filters import applied, known_filter
from awning.template.frame import Frame
from awning.template.js_value import Js, ValueKind
from awning.template.scope import scope_of_body
from awning.template.statements.core import framed, store, write


def assign(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Assign)
    return assigned(node.target, expression(node.node, frame), frame)


def assigned(target: nodes.Node, js: Js, frame: Frame) -> list[Statement]:
    """Give a target its value: a name, a namespace's attribute, or several of them."""
    if isinstance(target, nodes.Name):
        return store(target.name, js, frame)
    if isinstance(target, nodes.NSRef):
        owner = frame.variable_of(target.name) or frame.from_context(target.name)
        return [
            Line(f"{frame.use('set_attribute')}({owner}, {js_string(target.attr)}, {as_value(js, frame)});")
        ]
    assert isinstance(target, (nodes.Tuple, nodes.List))
    held = frame.compilation.temporary()
    out: list[Statement] = [
        Line(f"const {held} = {frame.use('unpack')}({as_value(js, frame)}, {len(target.items)});")
    ]
    for number, item in enumerate(target.items):
        out.extend(assigned(item, Js(f"{held}[{number}]"), frame))
    return out


def assign_block(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.AssignBlock)
    buffer = frame.compilation.temporary()
    inner = frame.inner(scope_of_body(frame.scope, node.body), buffer=buffer, buffered=True)
    statements = framed(node.body, inner)
    html = (
        filtered_html(node.filter, buffer, frame) if node.filter is not None else Js(buffer, ValueKind.HTML)
    )
    if html.kind is not ValueKind.HTML:
        html = Js(f"{frame.use('str')}({html.code})", ValueKind.HTML)
    return [Line(f'let {buffer} = "";'), Nest("{", statements), *assigned(node.target, html, frame)]


def filtered_html(node: nodes.Filter, buffer: str, frame: Frame) -> Js:
    """Filters over a block's text. Only those that leave HTML safe: the result is not escaped again."""
    found = known_filter(node.name, node, frame)
    if not found.keeps_markup:
        raise frame.refuse(
            "template-filter-block", f"the filter {node.name} cannot be used on a block of HTML", node
        )
    subject = Js(buffer, ValueKind.HTML) if node.node is None else filtered_html(node.node, buffer, frame)  # type: ignore[arg-type]
    return applied(node, subject, frame)


def filter_block(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.FilterBlock)
    buffer = frame.compilation.temporary()
    inner = frame.inner(scope_of_body(frame.scope, node.body), buffer=buffer, buffered=True)
    statements = framed(node.body, inner)
    html = filtered_html(node.filter, buffer, inner)
    code = html.code if html.kind in {ValueKind.HTML, ValueKind.TEXT} else f"{frame.use('str')}({html.code})"
    return [Line(f'let {buffer} = "";'), Nest("{", [*statements, write(frame, code, node)])]
