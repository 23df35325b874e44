"""Functions that all expressions share. They lower a child node, as a value or as a condition."""

from collections.abc import Iterable

from jinja2 import nodes

from awning.template.frame import Frame
from awning.template.js_value import Js, ValueKind


def expression(node: nodes.Node, frame: Frame) -> Js:
    """Lower any expression."""
    return frame.compilation.lowering.expression(node, frame)


def value(node: nodes.Node, frame: Frame) -> str:
    """Return the code of a value. An expression that is certain to be HTML is wrapped as a Markup value."""
    return as_value(expression(node, frame), frame)


def as_value(js: Js, frame: Frame) -> str:
    return f"{frame.use('markup')}({js.code})" if js.kind is ValueKind.HTML else js.code


def values(expressions: Iterable[nodes.Node], frame: Frame) -> str:
    return ", ".join(value(node, frame) for node in expressions)


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


def either_of(code: str, left: Js, right: Js) -> Js:
    """Return the result of an expression whose value is `left` or `right`.

    If both have the same kind, the result has this kind. If the kind of one of them is only declared (`Js.promise`),
    the kind of the result is only declared, too.
    """
    if left.promise is right.promise is None:
        return Js(code, left.kind if left.kind is right.kind else ValueKind.ANY)
    return Js(code, promise=left.known if left.known is right.known else None)
