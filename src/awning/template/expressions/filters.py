"""Lowers filters and tests. Most become a call of their helper; a few are written as code in place."""

from collections.abc import Collection

from jinja2 import nodes

from awning.diagnostics import did_you_mean
from awning.template import filters, own_filters, tests
from awning.template.emit import Js, ValueKind, js_string
from awning.template.expressions.calls import arguments_refusal, arrange_arguments, refuse_unpacking
from awning.template.expressions.operators import NUMERIC, comparison_code
from awning.template.frame import Frame
from awning.template.lowering import as_value, checked, expression, lower_expression, value, values
from awning.template.methods import DICT_METHODS, DUNDER, GLOBALS, OTHER_METHODS
from awning.template.own_filters import OwnFilter
from awning.template.tests import JinjaTest


@lower_expression.register
def lower_filter(node: nodes.Filter, frame: Frame) -> Js:
    if node.node is None:
        raise frame.refuse("template-unsupported", "a filter without a value", node)
    return apply_filter(node, expression(node.node, frame), frame)


def apply_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """Apply a filter to a value that is already lowered, such as the text of a filter block."""
    refuse_unpacking(f"the filter {node.name}", node, frame)
    special = SPECIAL.get(node.name)
    if special is not None:
        return special(node, subject, frame)
    spec = known_filter(node.name, node, frame)
    if isinstance(spec, OwnFilter):
        return own_filter(node, spec, subject, frame)
    arguments = arrange_arguments(
        f"the filter {node.name}", spec.parameters, node.args, node.kwargs, node, frame
    )
    kind = spec.kind if node.name != "float" or has_number(node) else ValueKind.ANY
    promise = ValueKind.TEXT if subject.promise is ValueKind.TEXT and keeps_strings(node) else None
    if promise:
        subject, kind = checked(subject, frame), ValueKind.TEXT
    code = f"{frame.use(spec.helper)}({', '.join([as_value(subject, frame), *arguments])})"
    return Js(code, kind, promise)


def keeps_strings(node: nodes.Filter) -> bool:
    """Return whether a filter returns a string for a string.

    All its arguments must be literals, because an argument could be Markup.
    """
    arguments = [*node.args, *(keyword.value for keyword in node.kwargs)]
    return filters.SUPPORTED[node.name].of_strings and all(
        isinstance(argument, nodes.Const) for argument in arguments
    )


def has_number(node: nodes.Filter) -> bool:
    """Return whether the default of the filter `float`, its only argument, is a number literal or left out."""
    arguments = [*node.args, *(keyword.value for keyword in node.kwargs)]
    return all(
        isinstance(argument, nodes.Const) and isinstance(argument.value, (int, float))
        for argument in arguments
    )


_NEAR = 0.75
"""A known filter is suggested for a misspelt name if their similarity (0 to 1) is at least this.

`curency` is similar to `currency`, but not to `urlencode`.
"""


def known_filter(name: str, node: nodes.Node, frame: Frame) -> filters.FilterSpec:
    """Return the filter of this name. Raises TemplateRefusal when it is not supported or does not exist."""
    spec = filters.SUPPORTED.get(name) or own_filters.FILTERS.get(name)
    if spec is not None:
        return spec
    reason = filters.REFUSED.get(name)
    if reason:
        raise frame.refuse("template-filter", f"the filter {name} is not supported: {reason}", node)
    close = did_you_mean(name, [*filters.SUPPORTED, *own_filters.FILTERS], cutoff=_NEAR)
    hint = close or (
        f"`awning explain template-filter` lists those of Jinja2; awning has {', '.join(own_filters.FILTERS)}; "
        "for anything else, make the text in the script"
    )
    raise frame.refuse("template-filter", f'there is no filter "{name}"', node, hint=hint)


def known_test(name: str, node: nodes.Node, frame: Frame) -> JinjaTest:
    """Return the test of this name. Raises TemplateRefusal when it is not supported or does not exist."""
    spec = tests.SUPPORTED.get(name)
    if spec is None:
        raise frame.refuse(
            "template-test", f'there is no test "{name}"', node, hint=did_you_mean(name, tests.SUPPORTED)
        )
    return spec


def default_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """Lower the filter `default`. Its argument is always evaluated, as in Python."""
    other, boolean = arrange_arguments(
        "default", filters.SUPPORTED["default"].parameters, node.args, node.kwargs, node, frame
    )
    code = as_value(subject, frame)
    if boolean == "false":
        return Js(f"{frame.use('filter_default')}({code}, {other})")
    return Js(f"{frame.use('filter_default')}({code}, {other}, {boolean})")


def safe_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    arrange_arguments("safe", (), node.args, node.kwargs, node, frame)
    literal = subject.kind is ValueKind.TEXT and isinstance(node.node, nodes.Const)
    if subject.kind is ValueKind.HTML or literal:
        return Js(subject.code, ValueKind.HTML)
    return Js(f"{frame.use('filter_safe')}({subject.code})")


def escape_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    arrange_arguments("escape", (), node.args, node.kwargs, node, frame)
    if subject.kind is ValueKind.HTML:
        return subject
    return Js(f"{frame.use('filter_escape')}({subject.code})")


def plain_texts(node: nodes.Filter) -> bool:
    """Return whether all items and the separator of a `join` are literal strings.

    An item may also be an `if` expression whose branches are literal strings. Its `else` branch may be missing.
    """
    separators = [*node.args, *(keyword.value for keyword in node.kwargs)]
    listed = isinstance(node.node, (nodes.List, nodes.Tuple)) and all(
        map(is_text_or_missing, node.node.items)
    )
    return listed and all(map(is_text, separators))


def is_text_or_missing(node: nodes.Node) -> bool:
    if isinstance(node, nodes.CondExpr):
        return is_text(node.expr1) and (node.expr2 is None or is_text(node.expr2))
    return is_text(node)


def is_text(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) and isinstance(node.value, str)


def join_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """Lower the filter `join`. The helper that reads attributes is imported only if `attribute` is passed.

    A literal list of strings, such as the classes of an element, is joined by JavaScript itself.
    """
    parameters = filters.SUPPORTED["join"].parameters
    separator, attribute = arrange_arguments(
        "the filter join", parameters, node.args, node.kwargs, node, frame
    )
    if attribute == "null" and plain_texts(node):
        assert isinstance(node.node, (nodes.List, nodes.Tuple))
        return Js(f"[{values(node.node.items, frame)}].join({separator})", ValueKind.TEXT)
    key = [] if attribute == "null" else [f"{frame.use('attribute_getter')}({attribute}, null)"]
    return Js(f"{frame.use('filter_join')}({', '.join([as_value(subject, frame), separator, *key])})")


def attr_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """Lower the filter `attr`. It reads attributes, never keys.

    Raises TemplateRefusal when its argument is the literal name of a method or of an attribute that is internal to
    Python.
    """
    arguments = arrange_arguments(
        "the filter attr", filters.SUPPORTED["attr"].parameters, node.args, node.kwargs, node, frame
    )
    argument = [*node.args, *(keyword.value for keyword in node.kwargs)][0]
    if isinstance(argument, nodes.Const) and argument.value in DICT_METHODS | OTHER_METHODS | DUNDER:
        raise frame.refuse(
            "template-method", f"attr reads the method {argument.value}, which is not a value here", node
        )
    return Js(f"{frame.use('filter_attr')}({', '.join([as_value(subject, frame), *arguments])})")


def format_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    if node.args and node.kwargs:
        raise frame.refuse("template-arguments", "format takes positional or named arguments, not both", node)
    pairs = ", ".join(f"[{js_string(str(k.key))}]: {value(k.value, frame)}" for k in node.kwargs)
    arguments = f"{{{pairs}}}" if node.kwargs else f"{frame.use('tuple')}({values(node.args, frame)})"
    return Js(f"{frame.use('filter_format')}({as_value(subject, frame)}, {arguments})")


def named_function(node: nodes.Filter, args: list[nodes.Expr], frame: Frame, *, test: bool) -> str:
    """Return a filter or test with a literal name, as a JavaScript function of one argument.

    Raises TemplateRefusal when the name is not a literal, or the filter or test is refused.
    """
    name = args[0]
    if not isinstance(name, nodes.Const) or not isinstance(name.value, str):
        raise frame.refuse(
            "template-dynamic-name", f"{node.name} needs the literal name of a filter or test", node
        )
    item = frame.compilation.temporary()
    stored = store_arguments([*args[1:], *(keyword.value for keyword in node.kwargs)], frame)
    parts = (None, name.value, args[1:], node.kwargs, None, None)
    if test:
        body = tested_value(nodes.Test(*parts, lineno=name.lineno), Js(item), frame).code
    else:
        body = as_value(apply_filter(nodes.Filter(*parts, lineno=name.lineno), Js(item), frame), frame)
    if not stored:
        return f"{item} => {body}"
    return f"(({', '.join(stored)}) => {item} => {body})({', '.join(stored.values())})"


def store_arguments(arguments: list[nodes.Expr], frame: Frame) -> dict[str, str]:
    """Store the arguments in variables, so that they are evaluated once, before the first item.

    Return the code of the value of each variable. Literals are not stored.
    """
    stored: dict[str, str] = {}
    for node in arguments:
        if not isinstance(node, nodes.Const):
            js = expression(node, frame)
            name = frame.compilation.temporary()
            stored[name] = as_value(js, frame)
            frame.compilation.stored[id(node)] = Js(
                name, ValueKind.ANY if js.kind is ValueKind.HTML else js.kind
            )
    return stored


def map_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    code = as_value(subject, frame)
    if node.args:
        return Js(
            f"{frame.use('filter_map')}({code}, {named_function(node, node.args, frame, test=False)})",
            ValueKind.GENERATOR,
        )
    attribute, default = arrange_arguments("map", ("attribute", "default=null"), [], node.kwargs, node, frame)
    return Js(
        f"{frame.use('filter_map')}({code}, {frame.use('attribute_getter')}({attribute}, {default}))",
        ValueKind.GENERATOR,
    )


def select_filter(node: nodes.Filter, subject: Js, frame: Frame) -> Js:
    """Lower `select`, `reject`, `selectattr` and `rejectattr`. One helper keeps or drops each item by a predicate.

    Raises TemplateRefusal when the attribute is missing, or the test is refused.
    """
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
    "attr": attr_filter,
    "d": default_filter,
    "default": default_filter,
    "e": escape_filter,
    "escape": escape_filter,
    "format": format_filter,
    "join": join_filter,
    "map": map_filter,
    "reject": select_filter,
    "rejectattr": select_filter,
    "safe": safe_filter,
    "select": select_filter,
    "selectattr": select_filter,
}
"""For each filter that is not just a call of its helper, by its name: the function that lowers it."""


@lower_expression.register
def lower_test(node: nodes.Test, frame: Frame) -> Js:
    if node.name in {"defined", "undefined"} and is_global(node.node, frame):
        refuse_ambiguous_global(node, frame)
        return Js("true" if node.name == "defined" else "false", ValueKind.BOOL)
    return tested_value(node, expression(node.node, frame), frame)


def refuse_ambiguous_global(node: nodes.Test, frame: Frame) -> None:
    """Refuse a test such as `range is defined` if some template also sets a variable with the name of the global.

    Raises TemplateRefusal for such a name.
    """
    assert isinstance(node.node, nodes.Name)
    name = node.node.name
    if any(
        name in template.defined_names() for template in frame.compilation.regions.templates.by_name.values()
    ):
        message = f"{name} is a global of Jinja2 and also the name of a variable: the test is ambiguous"
        raise frame.refuse("template-unsupported", message, node, hint="give the variable another name")


def is_global(node: nodes.Node, frame: Frame) -> bool:
    """Return whether a name is a global of Jinja2 and no variable of the template.

    Such a name is always defined: as the global, or as a variable of the context.
    """
    return isinstance(node, nodes.Name) and node.name in GLOBALS and frame.variable_of(node.name) is None


def tested_value(node: nodes.Test, subject: Js, frame: Frame) -> Js:
    refuse_unpacking(f"the test {node.name}", node, frame)
    spec = known_test(node.name, node, frame)
    if spec.names is not None:
        return registry_test(node, spec.names, frame)
    code = as_value(subject, frame)
    if spec.by_number_kind and subject.kind is ValueKind.FLOAT:
        raise frame.refuse(
            "template-number-kind",
            "JavaScript has one kind of number: a whole float is an integer here",
            node,
            hint="test the value with % 1 == 0",
        )
    arguments = arrange_arguments(
        f"the test {node.name}", spec.parameters, node.args, node.kwargs, node, frame
    )
    if spec.helper in NUMERIC:
        return Js(comparison_code(Js(code), spec.helper, Js(arguments[0]), frame), ValueKind.BOOL)
    return Js(f"{frame.use(spec.helper)}({', '.join([code, *arguments])})", ValueKind.BOOL)


def registry_test(node: nodes.Test, names: Collection[str], frame: Frame) -> Js:
    """Lower a test of a name, as in `"upper" is filter`.

    The result comes from Jinja2's registry, which also has the filters that awning refuses. Raises TemplateRefusal when
    the name is not a literal.
    """
    if not isinstance(node.node, nodes.Const):
        raise frame.refuse("template-dynamic-name", f'the test "is {node.name}" needs a literal name', node)
    return Js("true" if node.node.value in names else "false", ValueKind.BOOL)


MOST_DIGITS = 20
"""The largest number of fraction digits that all recent browsers support."""


def own_filter(node: nodes.Filter, spec: OwnFilter, subject: Js, frame: Frame) -> Js:
    pages = (spec.page,) if spec.page else ()
    parameters = (*spec.parameters, *pages)
    own = arrange_arguments(f"the filter {node.name}", parameters, node.args, node.kwargs, node, frame)
    page = [own.pop() for _ in pages]
    check_literals(node, spec, frame)
    defaults = [parameter.partition("=")[2] for parameter in spec.parameters]
    while own and own[-1] == defaults[len(own) - 1]:
        own.pop()
    arguments = ", ".join([as_value(subject, frame), *page, *own])
    return Js(f"{frame.use(spec.helper)}({arguments})", spec.kind)


def check_literals(node: nodes.Filter, spec: OwnFilter, frame: Frame) -> None:
    """Refuse literal arguments that the filter would refuse at run time.

    Raises TemplateRefusal for such an argument.
    """
    for name, argument in own_filters.arguments_by_name(node, spec).items():
        if not isinstance(argument, (nodes.Const, nodes.Neg)):
            continue
        try:
            literal = argument.as_const()
        except nodes.Impossible:
            continue
        allowed = spec.choices.get(name, ())
        if allowed and not own_filters.is_allowed(literal, allowed):
            hint = did_you_mean(literal, allowed) or f"{name} is one of: {', '.join(allowed)}"
            raise frame.refuse(
                "template-arguments", f'{node.name} has no {name} "{literal}"', argument, hint=hint
            )
        if name == "digits" and not is_digits(literal):
            message = f"{node.name} takes from 0 to {MOST_DIGITS} digits, not {literal!r}"
            raise arguments_refusal(frame, argument, message)


def is_digits(value: object) -> bool:
    return value is None or (type(value) is int and 0 <= value <= MOST_DIGITS)
