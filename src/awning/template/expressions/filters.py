"""Filters and tests. Most are a call of their helper; a few are so small or so special that they are written out."""

from jinja2 import nodes
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from awning.diagnostics import did_you_mean
from awning.template import filters, intl, tests
from awning.template.emit import js_string
from awning.template.expressions.arguments import arranged, refuse_unpacking, wrong
from awning.template.expressions.core import (
    as_value,
    expression,
    handed,
    plainly,
    sure,
    value,
    values,
)
from awning.template.frame import Frame
from awning.template.js_value import Js, ValueKind
from awning.template.names import DICT_METHODS, DUNDER, GLOBALS, OTHER_METHODS
from awning.template.scope import names_set
from awning.template.tests import COMPILED


def lower_filter(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Filter)
    if node.node is None:
        raise frame.refuse("template-unsupported", "a filter without a value", node)
    return applied(node, expression(node.node, frame), frame)


ONE_UNDEFINED = frozenset({"float", "int", "items"})
"""Filters that ask whether a value is undefined, beside `default`."""


def applied(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """Apply a filter to a value that is already compiled (a filter block's text too)."""
    refuse_unpacking(f"the filter {node.name}", node, frame)
    special = SPECIAL.get(node.name)
    if special is not None:
        return special(node, subject, frame)
    if node.name in intl.FILTERS:
        return intl_filter(node, intl.FILTERS[node.name], subject, frame)
    found = known_filter(node.name, node, frame)
    arguments = arranged(f"the filter {node.name}", found.parameters, node.args, node.kwargs, node, frame)
    kind = found.kind if node.name != "float" or has_number(node) else ValueKind.ANY
    promise = ValueKind.TEXT if subject.promise is ValueKind.TEXT and keeps_strings(node) else None
    if promise:
        subject, kind = sure(subject, frame), ValueKind.TEXT
    given = plainly(subject, frame) if node.name in ONE_UNDEFINED else as_value(subject, frame)
    code = f"{frame.use(found.helper)}({', '.join([given, *arguments])})"
    return Js(code, kind, promise)


def keeps_strings(node: nodes.Filter) -> bool:
    """Whether a filter gives a string for a string: no argument that makes HTML of it can come."""
    given = [*node.args, *(keyword.value for keyword in node.kwargs)]
    return node.name in filters.OF_STRINGS and all(isinstance(one, nodes.Const) for one in given)


def has_number(node: nodes.Filter) -> bool:
    """Whether the default of `float`, if there is one, is a number."""
    given = [*node.args, *(keyword.value for keyword in node.kwargs)]
    return all(isinstance(one, nodes.Const) and isinstance(one.value, (int, float)) for one in given)


_NEAR = 0.75
"""A filter is a guess only where a letter or two differ: `curency` is no `urlencode`."""


def known_filter(name: str, node: nodes.Node, frame: Frame) -> filters.FilterSpec:
    found = filters.SUPPORTED.get(name)
    if found is not None:
        return found
    if name in intl.FILTERS:
        raise frame.refuse("template-filter-block", f"{name} formats a value, not a block", node)
    reason = filters.REFUSED.get(name)
    if reason:
        raise frame.refuse("template-filter", f"the filter {name} is not supported: {reason}", node)
    close = did_you_mean(name, [*filters.SUPPORTED, *intl.FILTERS], cutoff=_NEAR)
    hint = close or "filters: see docs/template-coverage.md; what else a text needs is made in the script"
    raise frame.refuse("template-filter", f"there is no filter {name}", node, hint=hint)


def known_test(name: str, node: nodes.Node, frame: Frame) -> tuple[str, tuple[str, ...]]:
    found = tests.SUPPORTED.get(name)
    if found is None:
        raise frame.refuse(
            "template-test", f"there is no test {name}", node, hint=did_you_mean(name, tests.SUPPORTED)
        )
    return found


def default(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """`default` evaluates its argument in any case, as Python does; an own helper only for the boolean form."""
    other, boolean = arranged(
        "default", filters.SUPPORTED["default"].parameters, node.args, node.kwargs, node, frame
    )
    code = plainly(subject, frame)
    if boolean == "false":
        return Js(f"{frame.use('filter_default')}({code}, {other})")
    return Js(f"{frame.use('filter_default')}({code}, {other}, {boolean})")


def safe(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    arranged("safe", (), node.args, node.kwargs, node, frame)
    literal = subject.kind is ValueKind.TEXT and isinstance(node.node, nodes.Const)
    if subject.kind is ValueKind.HTML or literal:
        return Js(subject.code, ValueKind.HTML)
    return Js(f"{frame.use('filter_safe')}({subject.code})")


def escape(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    arranged("escape", (), node.args, node.kwargs, node, frame)
    if subject.kind is ValueKind.HTML:
        return subject
    return Js(f"{frame.use('filter_escape')}({subject.code})")


def plain_texts(node: nodes.Filter) -> bool:
    """Whether a literal text joins a list of literal texts, some of them behind an inline `if`."""
    separators = [*node.args, *(keyword.value for keyword in node.kwargs)]
    listed = isinstance(node.node, (nodes.List, nodes.Tuple)) and all(map(maybe_text, node.node.items))
    return listed and all(map(is_text, separators))


def maybe_text(node: nodes.Node) -> bool:
    if isinstance(node, nodes.CondExpr):
        return is_text(node.expr1) and (node.expr2 is None or is_text(node.expr2))
    return is_text(node)


def is_text(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) and isinstance(node.value, str)


def joined(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """What reads an attribute of each item comes along only where one is asked for.

    A list of texts that is written there, such as that of an element's classes, JavaScript joins itself.
    """
    parameters = filters.SUPPORTED["join"].parameters
    separator, attribute = arranged("the filter join", parameters, node.args, node.kwargs, node, frame)
    if attribute == "null" and plain_texts(node):
        assert isinstance(node.node, (nodes.List, nodes.Tuple))
        return Js(f"[{values(node.node.items, frame)}].join({separator})", ValueKind.TEXT)
    key = [] if attribute == "null" else [f"{frame.use('attribute_getter')}({attribute}, null)"]
    return Js(f"{frame.use('filter_join')}({', '.join([as_value(subject, frame), separator, *key])})")


def attribute(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """`attr` never gives a key; what it gives of strings, lists and mappings are methods, which are no values here."""
    arguments = arranged(
        "the filter attr", filters.SUPPORTED["attr"].parameters, node.args, node.kwargs, node, frame
    )
    given = [*node.args, *(keyword.value for keyword in node.kwargs)][0]
    if isinstance(given, nodes.Const) and given.value in DICT_METHODS | OTHER_METHODS | DUNDER:
        raise frame.refuse(
            "template-method", f"attr gives the method {given.value}, which is no value here", node
        )
    return Js(f"{frame.use('filter_attr')}({', '.join([as_value(subject, frame), *arguments])})")


def formatted(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    if node.args and node.kwargs:
        raise frame.refuse("template-arguments", "format takes positional or named arguments, not both", node)
    pairs = ", ".join(f"[{js_string(str(k.key))}]: {value(k.value, frame)}" for k in node.kwargs)
    arguments = f"{{{pairs}}}" if node.kwargs else f"{frame.use('tuple')}({values(node.args, frame)})"
    return Js(f"{frame.use('filter_format')}({as_value(subject, frame)}, {arguments})")


def named_function(node: nodes.Filter, args: list[nodes.Expr], frame: Frame, *, test: bool) -> str:
    """A filter or a test that is named by a literal, as a JavaScript function of one value."""
    name = args[0]
    if not isinstance(name, nodes.Const) or not isinstance(name.value, str):
        raise frame.refuse(
            "template-dynamic-name", f"{node.name} needs the literal name of a filter or test", node
        )
    item = frame.compilation.temporary()
    held = held_arguments([*args[1:], *(keyword.value for keyword in node.kwargs)], frame)
    parts = (None, name.value, args[1:], node.kwargs, None, None)
    if test:
        body = tested_value(nodes.Test(*parts, lineno=name.lineno), Js(item), frame).code
    else:
        body = as_value(applied(nodes.Filter(*parts, lineno=name.lineno), Js(item), frame), frame)
    if not held:
        return f"{item} => {body}"
    return f"(({', '.join(held)}) => {item} => {body})({', '.join(held.values())})"


def held_arguments(found: list[nodes.Expr], frame: Frame) -> dict[str, str]:
    """Arguments are evaluated once, before the first item: the variable that holds each, and its code."""
    held: dict[str, str] = {}
    for node in found:
        if not isinstance(node, nodes.Const):
            js = expression(node, frame)
            name = frame.compilation.temporary()
            held[name] = as_value(js, frame)
            frame.compilation.held[id(node)] = Js(
                name, ValueKind.ANY if js.kind is ValueKind.HTML else js.kind
            )
    return held


def mapped(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    code = as_value(subject, frame)
    if node.args:
        return Js(
            f"{frame.use('filter_map')}({code}, {named_function(node, node.args, frame, test=False)})",
            ValueKind.GENERATOR,
        )
    attribute, default = arranged("map", ("attribute", "default=null"), [], node.kwargs, node, frame)
    return Js(
        f"{frame.use('filter_map')}({code}, {frame.use('attribute_getter')}({attribute}, {default}))",
        ValueKind.GENERATOR,
    )


def selected(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """`select`, `reject`, `selectattr`, `rejectattr`: one helper, a function that decides, and which way."""
    args = list(node.args)
    keep = str(not node.name.startswith("reject")).lower()
    getter = ""
    if node.name.endswith("attr"):
        if not args:
            raise frame.refuse("template-arguments", f"{node.name} needs the argument attribute", node)
        getter = f", {frame.use('attribute_getter')}({value(args.pop(0), frame)}, null)"
    decide = named_function(node, args, frame, test=True) if args else frame.use("truth")
    return Js(
        f"{frame.use('filter_select')}({as_value(subject, frame)}, {decide}, {keep}{getter})",
        ValueKind.GENERATOR,
    )


SPECIAL = {
    "attr": attribute,
    "d": default,
    "default": default,
    "e": escape,
    "escape": escape,
    "format": formatted,
    "join": joined,
    "map": mapped,
    "reject": selected,
    "rejectattr": selected,
    "safe": safe,
    "select": selected,
    "selectattr": selected,
}
"""The filters that are more than a call of their helper."""


INLINE = {
    "defined": "({0} !== undefined)",
    "undefined": "({0} === undefined)",
    "none": "({0} === null)",
    "true": "({0} === true)",
    "false": "({0} === false)",
}

UNDEFINED = frozenset({"defined", "undefined"})
"""Tests for which there is one undefined."""


def lower_test(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Test)
    if node.name in UNDEFINED and is_global(node.node, frame):
        refuse_other(node, frame)
        return Js("true" if node.name == "defined" else "false", ValueKind.BOOL)
    return tested_value(node, expression(node.node, frame), frame)


def refuse_other(node: nodes.Test, frame: Frame) -> None:
    """What is set to nothing elsewhere is no global any more, and is not defined."""
    assert isinstance(node.node, nodes.Name)
    name = node.node.name
    if any(name in names_set(unit.everything) for unit in frame.compilation.regions.units.found.values()):
        message = (
            f"{name} is Jinja2's own, and a variable elsewhere: which of them is asked for cannot be told"
        )
        raise frame.refuse("template-unsupported", message, node, hint="give the variable another name")


def is_global(node: nodes.Node, frame: Frame) -> bool:
    """A global of Jinja2 is always defined: by itself, or by a variable of its name."""
    return isinstance(node, nodes.Name) and node.name in GLOBALS and frame.variable_of(node.name) is None


def tested_value(node: nodes.Test, subject: Js, frame: Frame) -> Js:
    refuse_unpacking(f"the test {node.name}", node, frame)
    if node.name in COMPILED:
        return registered(node, frame)
    code = as_value(subject, frame)
    if node.name in UNDEFINED:
        code = plainly(subject, frame)
    if node.name in INLINE:
        arranged(f"the test {node.name}", (), node.args, node.kwargs, node, frame)
        return Js(INLINE[node.name].format(code), ValueKind.BOOL)
    if node.name in {"float", "integer"} and subject.kind is ValueKind.FLOAT:
        raise frame.refuse(
            "template-number-kind",
            "JavaScript has one kind of number: a whole float is an integer here",
            node,
            hint="test the value with % 1 == 0",
        )
    helper, parameters = known_test(node.name, node, frame)
    arguments = arranged(f"the test {node.name}", parameters, node.args, node.kwargs, node, frame)
    if helper == "ne":
        return Js(f"(!{frame.use('eq')}({', '.join([code, *arguments])}))", ValueKind.BOOL)
    return Js(f"{frame.use(helper)}({', '.join([code, *arguments])})", ValueKind.BOOL)


def registered(node: nodes.Test, frame: Frame) -> Js:
    """`"upper" is filter`: Jinja2's own registry is the answer, also for a filter that we refuse."""
    if not isinstance(node.node, nodes.Const):
        raise frame.refuse("template-dynamic-name", f"is {node.name} needs a literal name", node)
    registry = FILTERS if node.name == "filter" else TESTS
    return Js("true" if node.node.value in registry else "false", ValueKind.BOOL)


MOST_DIGITS = 20
"""After the separator; all browsers of the last years know as many."""


def intl_filter(node: nodes.Filter, found: intl.IntlFilter, subject: Js, frame: Frame) -> Js:
    parameters = (*found.parameters, found.page)
    *own, page = arranged(f"the filter {node.name}", parameters, node.args, node.kwargs, node, frame, handed)
    check_literals(node, found, frame)
    defaults = [parameter.partition("=")[2] for parameter in found.parameters]
    while own and own[-1] == defaults[len(own) - 1]:
        own.pop()
    arguments = ", ".join([handed(subject, frame), page, *own])
    return Js(f"{frame.use(found.helper)}({arguments})", ValueKind.TEXT)


def check_literals(node: nodes.Filter, found: intl.IntlFilter, frame: Frame) -> None:
    """What is written in the template and Intl would refuse."""
    for name, argument in intl.given(node, found).items():
        if not isinstance(argument, (nodes.Const, nodes.Neg)):
            continue
        try:
            literal = argument.as_const()
        except nodes.Impossible:
            continue
        allowed = found.choices.get(name, ())
        if allowed and not intl.fits(literal, allowed):
            hint = did_you_mean(literal, allowed) or f"{name} is one of: {', '.join(allowed)}"
            raise frame.refuse(
                "template-arguments", f'{node.name} has no {name} "{literal}"', argument, hint=hint
            )
        if name == "digits" and not is_digits(literal):
            message = f"{node.name} takes from 0 to {MOST_DIGITS} digits, not {literal!r}"
            raise wrong(frame, argument, message)


def is_digits(value: object) -> bool:
    return value is None or (type(value) is int and 0 <= value <= MOST_DIGITS)
