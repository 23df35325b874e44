"""Lowering of text and printed values. `awning.template.regions` has already chosen the escaper of each value."""

import re

from jinja2 import nodes

from awning.template.emit import Js, Statement, TextPart, ValueKind, Write
from awning.template.frame import Frame
from awning.template.html.css import CSS_VALUES
from awning.template.html.html_context import ContextKind, Interpolation
from awning.template.lowering import as_value, block_call, checked, expression, lower_statement, text, write
from awning.template.refusals import Position


@lower_statement.register
def output(node: nodes.Output, frame: Frame) -> list[Statement]:
    out: list[Statement] = []
    for child in node.nodes:
        if isinstance(child, nodes.TemplateData):
            out.append(verbatim(child, frame))
        elif id(child) in frame.region.places:
            out.extend(super_in_place(child, frame))
        elif id(child) in frame.region.interpolations:
            out.extend(interpolation(child, expression(child, frame), frame))
    return out


def verbatim(node: nodes.TemplateData, frame: Frame) -> Write:
    """Write the author's text, with the quotes that the tokenizer added, and a mark for each line of the template."""
    literal = frame.region.texts.get(id(node), "")
    at = node.lineno
    if not isinstance(at, Position):
        return text(frame, literal)
    marks = [(0, at)]
    for line, match in enumerate(re.finditer("\n", literal), start=int(at) + 1):
        marks.append((match.end(), Position(at.source, line, 1)))
    return Write(frame.buffer, (TextPart(literal, tuple(marks)),))


def super_in_place(node: nodes.Expr, frame: Frame) -> list[Statement]:
    assert frame.block is not None
    name, depth = frame.block
    call = write(frame, block_call(name, depth + 1, frame.region.places[id(node)], node, frame), node)
    return [text(frame, "\n"), call] if id(node) in frame.region.lines else [call]


def interpolation(node: nodes.Node, js: Js, frame: Frame) -> list[Statement]:
    """Write a printed value, and the text that its interpolation needs around it."""
    target = frame.region.interpolations[id(node)]
    before = [text(frame, target.before)] if target.before else []
    after = [text(frame, target.after)] if target.after else []
    return [*before, *printed_code(node, js, target, frame), *after]


def printed_code(node: nodes.Node, js: Js, target: Interpolation, frame: Frame) -> list[Statement]:
    """Write a printed value. Raises TemplateRefusal when it is a generator."""
    if js.kind is ValueKind.GENERATOR:
        raise frame.refuse(
            "template-prints-generator",
            "this prints a generator, not its items",
            node,
            hint="add |join(', ') to print the items",
        )
    return [write(frame, string_code(node, js, target, frame), node)]


def string_code(node: nodes.Node, js: Js, target: Interpolation, frame: Frame) -> str:
    """Return the code of a printed value as a string that is escaped for its HTML context."""
    encoded = isinstance(node, nodes.Filter) and node.name == "urlencode"
    escaper = target.encoded if encoded else target.escaper
    in_text = target.kind in {ContextKind.TEXT, ContextKind.RCDATA, ContextKind.ATTRIBUTE}
    if js.kind is ValueKind.HTML:
        return html_code(js.code, escaper, target, in_text=in_text, frame=frame)
    if ValueKind.TEXT in {js.kind, js.promise}:
        return escape_code(js, escaper, frame)
    known = known_string(js, frame)
    if known is not None:
        safe = in_text or (escaper in CSS_VALUES and js.promise is ValueKind.NUMBER)
        return known if safe else f"{frame.use(escaper)}({known})"
    if target.kind is ContextKind.TEXT:
        return f"{frame.use('put')}({as_value(js, frame)})"
    markup = [frame.use(target.markup)] if target.markup else []
    return f"{frame.use('putIn')}({', '.join([as_value(js, frame), frame.use(escaper), *markup])})"


def html_code(html: str, escaper: str, target: Interpolation, *, in_text: bool, frame: Frame) -> str:
    """Return code that prints HTML. Where HTML has no meaning, as in a URL, the text that it stands for is escaped."""
    if target.markup:
        return f"{frame.use(target.markup)}({html})"
    return html if in_text else f"{frame.use(escaper)}({frame.use('decode')}({html}))"


def escape_code(js: Js, escaper: str, frame: Frame) -> str:
    """Return code that escapes a string.

    A declared type is checked first, unless the escaper is `escapeText`, which itself throws for any other type.
    """
    string = js if escaper == "escapeText" else checked(js, frame)
    return f"{frame.use(escaper)}({string.code})"


def known_string(js: Js, frame: Frame) -> str | None:
    """Return code that prints a value whose text needs no escaping, such as a number; None for any other value."""
    match js.known:
        case ValueKind.COUNT:
            return f"`${{{js.code}}}`"
        case ValueKind.NUMBER | ValueKind.FLOAT:  # `num` itself throws for a value of another type
            return f"{frame.use('num')}({js.code})"
        case ValueKind.BOOL:
            return f'({js.code} ? "True" : "False")'
        case _:
            return '""' if js.code in {"null", "undefined"} else None
