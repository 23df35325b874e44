"""The reference environment, which defines the meaning of a template: Jinja2 itself, with the documented deviations.

Numbers and mappings are converted to their JavaScript form where they arise: in the context, literals, operators, calls
and the filters that return numbers. Lists and mappings have neither a text nor an order (`reference_texts`):
wherever a value is printed, converted to text or ordered, it is made opaque first. Otherwise printing differs only for
None. An error names the template and the line.
"""

import math
import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import reduce, wraps
from traceback import walk_tb
from types import TracebackType
from typing import Any, ClassVar, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, operators
from jinja2.defaults import DEFAULT_NAMESPACE
from jinja2.filters import make_attrgetter, sync_do_join
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Undefined, markup_join
from jinja2.sandbox import SandboxedEnvironment

from awning.template import filters, own_filters, tests
from awning.template.html.html_context import START
from awning.template.numbers import as_javascript_holds_it, canonical, ordered
from awning.template.reference_texts import brace_format, of_opaque, opaque, percent, percent_filter
from awning.template.refusals import TemplateRefusal
from awning.template.regions import Region, RegionWalk

OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}

_ATTRIBUTE = re.compile(r"\{[^}]*\.")
"""Matches the beginning of a replacement field that has a dot, such as that of `"{0.name}".format(x)`."""

LARGEST_EXPONENT = 1100
"""The largest exponent that is computed. With a larger one, even a power of 2 does not fit into a double."""


def operate(sign: str, left: Any, right: Any) -> Any:
    """Return the result of an operator. If it is a number, it is rounded to a double, as in JavaScript.

    Raises OverflowError when it is too large for a double, and whatever Python's operator raises.
    """
    if sign == "**":
        return canonical(power(left, right))
    if sign == "%" and isinstance(left, str):
        return percent(left, tuple(map(opaque, right)) if isinstance(right, tuple) else opaque(right))
    return canonical(OPERATORS[sign](left, right))


def power(base: Any, exponent: Any) -> Any:
    """Return a power as Python does, except for complex numbers and integers too large for a double.

    Raises TypeError when the result is complex, OverflowError when it is too large.
    """
    result = base**exponent if not too_large(base, exponent) else math.inf
    if isinstance(result, complex):
        raise TypeError("the power is a complex number")
    if (
        result == math.inf
        and not isinstance(base, Undefined)
        and math.isfinite(base)
        and math.isfinite(exponent)
    ):
        raise OverflowError("the power is too large")
    return result


def too_large(base: Any, exponent: Any) -> bool:
    return (
        isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1 and exponent > LARGEST_EXPONENT
    )


ORDERS = frozenset({"lt", "lteq", "gt", "gteq"})


class ReferenceGenerator(CodeGenerator):
    """Jinja2's code generator without constant folding, and with JavaScript's numbers and order of keys."""

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802, ARG002 - jinja2's name and signature
        value = canonical(node.value)
        self.write('float("inf")' if value == math.inf else repr(value))

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        self.write("environment.concatenated(")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write(")")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        opened = "environment.opaque(" if ORDERS & {operand.op for operand in node.ops} else "("
        self.write(f"({opened}")
        self.visit(node.expr, frame)
        for operand in node.ops:
            self.write(f") {operators[operand.op]} {opened}")
            self.visit(operand.expr, frame)
        self.write("))")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        frame = frame.soft()
        self.write("(")
        self.visit(node.expr1, frame)
        self.write(" if ")
        self.visit(node.test, frame)
        self.write(" else ")
        self.visit(node.expr2, frame) if node.expr2 else self.write("undefined()")
        self.write(")")

    def visit_With(self, node: nodes.With, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        self.newline(node)  # which jinja2 leaves out, so that an error would name an earlier line
        super().visit_With(node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - jinja2's name
        self.write("environment.javascript_order(")
        super().visit_Dict(node, frame)
        self.write(")")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


def _operator_visitor(sign: str) -> Callable[[ReferenceGenerator, nodes.BinExpr, Frame], None]:
    def visit(self: ReferenceGenerator, node: nodes.BinExpr, frame: Frame) -> None:
        self.write(f"environment.operate({sign!r}, ")
        self.visit(node.left, frame)
        self.write(", ")
        self.visit(node.right, frame)
        self.write(")")

    return visit


for _name, _sign in {
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "FloorDiv": "//",
    "Mod": "%",
    "Pow": "**",
}.items():
    setattr(ReferenceGenerator, f"visit_{_name}", _operator_visitor(_sign))

MUTATORS = frozenset({"update", "setdefault"})
TEXT_METHODS = frozenset({"join", "replace"})
"""Methods of texts that convert other values to text, if the text is Markup. `format` is in `wrap_str_format`."""


class ReferenceContext(Context):
    """A context whose calls return numbers and mappings as in JavaScript."""

    def call(self, callee: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        owner, name = getattr(callee, "__self__", None), getattr(callee, "__name__", "")
        if isinstance(owner, str) and name in TEXT_METHODS:
            args = tuple(map(opaque, args))
        result = super().call(callee, *args, **kwargs)
        if isinstance(owner, dict) and name in MUTATORS:
            pairs = ordered(owner)
            owner.clear()
            owner.update(pairs)
        return ordered(result) if isinstance(result, dict) and callee is dict else canonical(result)


class ReferenceTemplate(jinja2.Template):
    """A template that renders a JSON context with numbers and mappings as in JavaScript."""

    def new_context(  # jinja2 passes the arguments by name
        self,
        vars: dict[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> Context:
        converted = as_javascript_holds_it(vars) if vars and not shared else vars
        return super().new_context(converted, shared, locals)


def with_canonical_result(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a filter, so that it returns numbers as in JavaScript. The wrapper has the attributes that jinja2 set."""

    @wraps(filter_)
    def normalised(*args: Any, **kwargs: Any) -> Any:
        return canonical(filter_(*args, **kwargs))

    return normalised


@jinja2.pass_eval_context
def joined(context: EvalContext, value: Any, d: Any = "", attribute: str | int | None = None) -> str:
    """Join the items. An undefined item is an empty text; as a ChainableUndefined it would make the result Markup."""
    items = value if attribute is None else map(make_attrgetter(context.environment, attribute), value)
    texts = ("" if isinstance(item, Undefined) else opaque(item) for item in items)
    return sync_do_join(context, texts, opaque(d))


@jinja2.pass_environment
def sum_by_addition(
    environment: jinja2.Environment, iterable: Any, attribute: str | int | None = None, start: Any = 0
) -> Any:
    """Return the sum of the items, by repeated addition.

    Since Python 3.12, the built-in `sum` adds floats more exactly than JavaScript.
    """
    items = iterable if attribute is None else map(make_attrgetter(environment, attribute), iterable)
    return reduce(lambda left, right: operate("+", left, right), items, start)


def keep_first_newlines(tree: nodes.Template) -> None:
    """Print a newline before each value at the beginning of a textarea or pre, as the compiler does.

    A template that the compiler refuses is left as it is.
    """
    region = Region()
    walk = RegionWalk(region=region)
    with suppress(TemplateRefusal):
        walk.body(tree.body, START)
    for parent in [tree, *tree.find_all(nodes.Node)]:
        for name, children in parent.iter_fields():
            if isinstance(children, list) and any(id(child) in region.lines for child in children):
                setattr(parent, name, list(_with_lines(children, region)))
    for node in tree.find_all(nodes.Output):
        node.nodes = [
            written
            for child in node.nodes
            for written in (
                [nodes.TemplateData("\n", lineno=child.lineno), child]
                if id(child) in region.interpolations
                and region.interpolations[id(child)].before.endswith("\n")
                else [child]
            )
        ]


def _with_lines(body: list[nodes.Node], region: Region) -> Iterator[nodes.Node]:
    for node in body:
        if id(node) in region.lines:
            yield nodes.Output([nodes.TemplateData("\n", lineno=node.lineno)], lineno=node.lineno)
        yield node


def failing_place(traceback: TracebackType | None) -> tuple[str, int] | None:
    """Return the name of the innermost template that a traceback leads through, and the line in it."""
    place = None
    for frame, line in walk_tb(traceback):
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            place = template.name or "<template>", template.get_corresponding_lineno(line)
    return place


def name_place(error: BaseException, name: str, line: int) -> None:
    """Put template and line at the beginning of an error's message, as a dev build does in the browser."""
    error.name, error.lineno = name, line  # type: ignore[attr-defined]
    if error.args and isinstance(error.args[0], str) and not error.args[0].startswith(f"{name}:{line}: "):
        error.args = (f"{name}:{line}: {error.args[0]}", *error.args[1:])


class ReferenceEnvironment(SandboxedEnvironment):
    """Jinja2 with the deviations of `awning.template.deviations`.

    It is sandboxed, because a template may come from somebody else: a computed name such as `"__cl" ~ "ass__"` passes
    the compiler, and would lead to Python's modules. In a browser, such a name is undefined, too.
    """

    code_generator_class = ReferenceGenerator
    context_class = ReferenceContext
    template_class = ReferenceTemplate

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        keep_first_newlines(source)
        return super()._generate(source, name, filename, defer_init)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Return `str.format` with opaque arguments and without signs of zeros; None if `value` is another function.

        It is the sandboxed one only for a text that reads an attribute, because that gives an undefined value where
        Python raises KeyError or IndexError.
        """
        sandboxed = super().wrap_str_format(value)
        if sandboxed is None:
            return None
        text = value.__self__
        reads_attribute = _ATTRIBUTE.search(text) is not None
        if value.__name__ == "format" and ":" in text:
            write = brace_format(text, self if reads_attribute else None)
        else:
            write = sandboxed if reads_attribute else value
        return lambda *args, **kwargs: write(
            *map(opaque, args), **{name: opaque(argument) for name, argument in kwargs.items()}
        )

    def handle_exception(self, source: str | None = None) -> NoReturn:
        """Raise the exception that is handled, with the template and the line in its message.

        They are also its attributes `name` and `lineno`, as those of a TemplateSyntaxError.
        """
        error = sys.exception()
        place = failing_place(error.__traceback__ if error else None)
        if error and place and not isinstance(error, jinja2.TemplateSyntaxError):
            name_place(error, *place)
        if isinstance(error, RecursionError):
            raise error  # Jinja2 would rewrite the traceback, which takes quadratic time in its length
        super().handle_exception(source)

    concatenated: ClassVar[Callable[..., str]] = staticmethod(lambda *parts: markup_join(map(opaque, parts)))
    opaque: ClassVar[Callable[[Any], Any]] = staticmethod(opaque)
    operate: ClassVar[Callable[[str, Any, Any], Any]] = staticmethod(operate)
    javascript_order: ClassVar[Callable[[dict[Any, Any]], dict[Any, Any]]] = staticmethod(ordered)


def printed(value: Any) -> Any:
    return "" if value is None else opaque(value)


def reference_environment() -> jinja2.Environment:
    """Return a new environment. It has no loader; the caller may set one."""
    environment: jinja2.Environment = ReferenceEnvironment(
        autoescape=True, undefined=jinja2.ChainableUndefined, finalize=printed, optimized=False
    )
    for name in ("round", "int", "float", "abs"):
        environment.filters[name] = with_canonical_result(environment.filters[name])
    environment.filters["join"] = joined
    environment.filters["format"] = percent_filter
    environment.filters["sum"] = sum_by_addition
    for name, spec in {**filters.SUPPORTED, **own_filters.FILTERS}.items():
        if spec.twin is not None:
            environment.filters[name] = with_canonical_result(spec.twin)
        if name in environment.filters and (spec.reads_text or spec.orders):
            environment.filters[name] = of_opaque(environment.filters[name])
    for name, test in tests.SUPPORTED.items():
        if test.twin is not None:
            environment.tests[name] = test.twin
        if test.reads_text or test.orders:
            environment.tests[name] = of_opaque(environment.tests[name])  # type: ignore[arg-type]
    environment.globals["range"] = DEFAULT_NAMESPACE["range"]  # the sandbox's own ends at 100,000
    return environment
