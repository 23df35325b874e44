"""What the expressions share: lower a child, as a value or as a condition."""

from collections.abc import Iterable

from jinja2 import nodes

from awning.template.frame import Frame
from awning.template.js_value import Js, ValueKind


def expression(node: nodes.Node, frame: Frame) -> Js:
    """Lower any expression."""
    return frame.compilation.lowering.expression(node, frame)


def value(node: nodes.Node, frame: Frame) -> str:
    """Code of the value itself: HTML known at compile time becomes a Markup value."""
    return as_value(expression(node, frame), frame)


def as_value(js: Js, frame: Frame) -> str:
    return f"{frame.use('markup')}({js.code})" if js.kind is ValueKind.HTML else js.code


def handed(js: Js, frame: Frame) -> str:
    """Code of a value for a script, which knows one undefined."""
    return _without_missing_branch("handed", js, frame)


def plainly(js: Js, frame: Frame) -> str:
    """Code of a value for a helper that knows one undefined."""
    return _without_missing_branch("plainly", js, frame)


def _without_missing_branch(helper: str, js: Js, frame: Frame) -> str:
    code = as_value(js, frame)
    kept = (
        frame.compilation.missing_branches.lasting
        and code != "undefined"
        and js.known in {ValueKind.ANY, ValueKind.LIST}
    )
    return f"{frame.use(helper)}({code})" if kept else code


def values(found: Iterable[nodes.Node], frame: Frame) -> str:
    return ", ".join(value(node, frame) for node in found)


def condition(node: nodes.Node, frame: Frame) -> str:
    """Code that JavaScript finds true where Python does."""
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


def sure(js: Js, frame: Frame) -> Js:
    """A value as its declaration says, for what JavaScript would do to any: the code raises where it is not that."""
    if js.promise not in CHECKS or js.kind is js.promise:
        return js
    return Js(f"{frame.use(CHECKS[js.promise])}({js.code})", js.promise, js.promise)


def same_kind(code: str, one: Js, other: Js) -> Js:
    """A value that is one of two: what is known of both is known of it."""
    if one.promise is other.promise is None:
        return Js(code, one.kind if one.kind is other.kind else ValueKind.ANY)
    return Js(code, promise=one.known if one.known is other.known else None)
