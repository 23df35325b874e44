"""Filters over Intl: a call of their helper with the value, what is the page's, and the rest."""

from jinja2 import nodes

from awning.diagnostics import did_you_mean
from awning.template import intl
from awning.template.expressions.core import handed
from awning.template.expressions.signature import arranged, wrong
from awning.template.frame import Frame
from awning.template.value import Js, Kind

MOST_DIGITS = 20
"""After the separator; all browsers of the last years know as many."""


def formatted(node: nodes.Filter, found: intl.IntlFilter, subject: Js, frame: Frame) -> Js:
    parameters = (*found.parameters, found.page)
    *own, page = arranged(f"the filter {node.name}", parameters, node.args, node.kwargs, node, frame, handed)
    check_literals(node, found, frame)
    defaults = [parameter.partition("=")[2] for parameter in found.parameters]
    while own and own[-1] == defaults[len(own) - 1]:
        own.pop()
    arguments = ", ".join([handed(subject, frame), page, *own])
    return Js(f"{frame.use(found.helper)}({arguments})", Kind.TEXT)


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
