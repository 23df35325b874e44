"""Orders the arguments of a call: Python's keyword arguments become positional ones.

The parameters are a tuple such as `("length=255", "killwords?=false", 'end="..."')`: names in Python's order, with the
JavaScript code of the default. A name with `?` is a flag: only its truth matters.
"""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template.frame import Frame
from awning.template.lowering import condition, value

Parameters = Sequence[str]


def arrange_arguments(
    what: str,
    parameters: Parameters,
    args: Sequence[nodes.Expr],
    kwargs: Sequence[nodes.Node],
    node: nodes.Node,
    frame: Frame,
) -> list[str]:
    """Return the code of the arguments in the order of the parameters.

    Raises TemplateRefusal where Python would raise a TypeError.
    """
    asks = {name_of(parameter): condition if is_flag(parameter) else value for parameter in parameters}
    names = list(asks)
    codes: dict[str, str] = {}
    if len(args) > len(names):
        raise arguments_refusal(frame, node, f"{what} takes at most {len(names)} arguments, not {len(args)}")
    for name, argument in zip(names, args, strict=False):
        codes[name] = asks[name](argument, frame)
    for keyword in kwargs:
        assert isinstance(keyword, nodes.Keyword)
        if keyword.key not in names:
            raise arguments_refusal(frame, node, f"{what} has no argument {keyword.key}")
        if keyword.key in codes:
            raise arguments_refusal(frame, node, f"{what} is given {keyword.key} twice")
        codes[keyword.key] = asks[keyword.key](keyword.value, frame)
    return [argument_or_default(what, parameter, codes, node, frame) for parameter in parameters]


def name_of(parameter: str) -> str:
    return parameter.partition("=")[0].removesuffix("?")


def is_flag(parameter: str) -> bool:
    return parameter.partition("=")[0].endswith("?")


def argument_or_default(
    what: str, parameter: str, codes: dict[str, str], node: nodes.Node, frame: Frame
) -> str:
    """Return the code of an argument or of its default. Raises TemplateRefusal when both are missing."""
    _, has_default, default = parameter.partition("=")
    name = name_of(parameter)
    if name in codes:
        return codes[name]
    if not has_default:
        raise arguments_refusal(frame, node, f"{what} needs the argument {name}")
    return default


def arguments_refusal(frame: Frame, node: nodes.Node, message: str) -> Exception:
    return frame.refuse("template-arguments", message, node)


def refuse_unpacking(what: str, node: nodes.Call | nodes.Filter | nodes.Test, frame: Frame) -> None:
    """Refuse `*` and `**` in the arguments. Raises TemplateRefusal when there is one."""
    if node.dyn_args is not None or node.dyn_kwargs is not None:
        raise frame.refuse("template-unpacking", f"* and ** cannot be used in the arguments of {what}", node)
