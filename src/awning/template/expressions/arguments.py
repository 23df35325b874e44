"""How the arguments of a call are put in order: Python's keyword arguments become positions.

A specification is a tuple such as `("length=255", "killwords?=false", "end=...")`: names in Python's order, with the
JavaScript code of a default where Python has one. Of an argument marked `?` Python asks only whether it is true.
"""

from collections.abc import Callable, Sequence

from jinja2 import nodes

from awning.template.expressions.core import as_value, condition, expression
from awning.template.frame import Frame
from awning.template.js_value import Js

Parameters = Sequence[str]


def arranged(
    what: str,
    parameters: Parameters,
    args: Sequence[nodes.Expr],
    kwargs: Sequence[nodes.Node],
    node: nodes.Node,
    frame: Frame,
    code: Callable[[Js, Frame], str] = as_value,
) -> list[str]:
    """Arguments in the order of the parameters, each made by `code`.

    A refusal where Python would raise a TypeError.
    """

    def valued(argument: nodes.Node, frame: Frame) -> str:
        return code(expression(argument, frame), frame)

    asks = {name_of(parameter): condition if flag(parameter) else valued for parameter in parameters}
    names = list(asks)
    given: dict[str, str] = {}
    if len(args) > len(names):
        raise wrong(frame, node, f"{what} takes at most {len(names)} arguments, not {len(args)}")
    for name, argument in zip(names, args, strict=False):
        given[name] = asks[name](argument, frame)
    for keyword in kwargs:
        assert isinstance(keyword, nodes.Keyword)
        if keyword.key not in names:
            raise wrong(frame, node, f"{what} has no argument {keyword.key}")
        if keyword.key in given:
            raise wrong(frame, node, f"{what} is given {keyword.key} twice")
        given[keyword.key] = asks[keyword.key](keyword.value, frame)
    return [filled(what, parameter, given, node, frame) for parameter in parameters]


def name_of(parameter: str) -> str:
    return parameter.partition("=")[0].removesuffix("?")


def flag(parameter: str) -> bool:
    return parameter.partition("=")[0].endswith("?")


def filled(what: str, parameter: str, given: dict[str, str], node: nodes.Node, frame: Frame) -> str:
    _, has_default, default = parameter.partition("=")
    name = name_of(parameter)
    if name in given:
        return given[name]
    if not has_default:
        raise wrong(frame, node, f"{what} needs the argument {name}")
    return default


def wrong(frame: Frame, node: nodes.Node, message: str) -> Exception:
    return frame.refuse("template-arguments", message, node)


def refuse_unpacking(what: str, node: nodes.Call | nodes.Filter | nodes.Test, frame: Frame) -> None:
    if node.dyn_args is not None or node.dyn_kwargs is not None:
        raise frame.refuse("template-unpacking", f"* and ** cannot be used in the arguments of {what}", node)
