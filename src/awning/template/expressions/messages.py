"""`t("key", name=value)`: a call of the context's `t`, or the text itself where the compiler was given it.

What stands in for the call is what `oneLanguage` (jsrc/runtime/messages.ts) would give: a text with its `{name}`s
filled in, `{name}` itself for a value that is null or undefined. Where that cannot be said without evaluating an
argument in another order, twice, or not at all, the call stays.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from jinja2 import nodes

from awning.template.emit import js_string, js_template
from awning.template.expressions.core import as_value, expression, handed
from awning.template.expressions.signature import refuse_unpacking
from awning.template.frame import Frame
from awning.template.result import MessageUse
from awning.template.value import Js, Kind, Piece

NAME = re.compile(r"\{(\w+)\}", re.ASCII)
"""As in jsrc/runtime/messages.ts."""

PROTOTYPE = "__proto__"
"""An argument of this name would be the prototype of the others."""


def message(node: nodes.Call, frame: Frame) -> Js:
    refuse_unpacking("t", node, frame)
    if len(node.args) != 1:
        raise frame.refuse(
            "template-message-call",
            "t takes the message's key, then named arguments",
            node,
            hint='t("key", name=value)',
        )
    frame.session.variables.add("t")
    key = node.args[0]
    if isinstance(key, nodes.Const) and isinstance(key.value, str):
        given = tuple(keyword.key for keyword in node.kwargs)
        frame.session.messages.append(MessageUse(key=key.value, place=frame.place(key), arguments=given))
        text = frame.session.options.messages.get(key.value)
        if text is not None and can_stand(text, node.kwargs):
            return filled(node, text, frame)
    arguments = [handed(expression(key, frame), frame), *named(node, frame, handed)]
    return Js(f"{frame.from_context('t')}({', '.join(arguments)})", Kind.TEXT)


def named(node: nodes.Call, frame: Frame, code: Callable[[Js, Frame], str] = as_value) -> list[str]:
    """Keyword arguments as one object, where there are any."""
    if not node.kwargs:
        return []
    pairs = ", ".join(
        f"{js_string(keyword.key)}: {code(expression(keyword.value, frame), frame)}"
        for keyword in node.kwargs
    )
    return [f"{{{pairs}}}"]


def can_stand(text: str, given: list[nodes.Keyword]) -> bool:
    """Whether the text can stand for the call: what is more than read is evaluated once, and in the same order."""
    if any(keyword.key == PROTOTYPE for keyword in given):
        return False
    evaluated = [keyword.key for keyword in given if not isinstance(keyword.value, (nodes.Const, nodes.Name))]
    return [name for name in NAME.findall(text) if name in evaluated] == evaluated


def filled(node: nodes.Call, text: str, frame: Frame) -> Js:
    values = {keyword.key: expression(keyword.value, frame) for keyword in node.kwargs}
    pieces = tuple(pieces_of(text, values, frame))
    if pieces == ((text, None),):
        return Js(js_string(text), Kind.TEXT)
    frame.session.filled[id(node)] = pieces
    return Js(js_template((before, js.code if js else "") for before, js in pieces), Kind.TEXT)


def pieces_of(text: str, values: Mapping[str, Js], frame: Frame) -> Iterator[Piece]:
    at = 0
    for match in NAME.finditer(text):
        found = values.get(match[1])
        if found is None:
            continue
        if found.kind is Kind.HTML:
            found = Js(as_value(found, frame))
        elif found.known in {Kind.ANY, Kind.UNDEFINED}:
            found = Js(f"{handed(found, frame)} ?? {js_string(match[0])}")
        yield text[at : match.start()], found
        at = match.end()
    yield text[at:], None
