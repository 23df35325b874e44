"""`{% filter upper %}...{% endfilter %}`."""

from jinja2 import nodes

from awning.template.emit import Line, Nest, Statement
from awning.template.frame import Frame
from awning.template.scope import scope_of_body
from awning.template.statements.assign import filtered_html
from awning.template.statements.core import framed, write
from awning.template.value import Kind


def filter_block(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.FilterBlock)
    buffer = frame.session.temporary()
    inner = frame.inner(scope_of_body(frame.scope, node.body), buffer=buffer, buffered=True)
    statements = framed(node.body, inner)
    html = filtered_html(node.filter, buffer, inner)
    code = html.code if html.kind in {Kind.HTML, Kind.TEXT} else f"{frame.use('str')}({html.code})"
    return [Line(f'let {buffer} = "";'), Nest("{", [*statements, write(frame, code, node)])]
