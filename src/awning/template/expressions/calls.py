"""Lowers calls of macros, methods, Jinja2's globals, blocks, and of `t` for messages, and orders their arguments."""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template import methods
from awning.template.compiled_template import MessageUse
from awning.template.emit import Js, ValueKind, js_string
from awning.template.expressions.access import is_loop, is_module, refuse_placeholder
from awning.template.frame import Frame, MacroShape
from awning.template.lowering import (
    condition,
    lower_expression,
    self_value,
    super_depth,
    super_value,
    value,
    values,
)
from awning.template.methods import GLOBALS
from awning.template.refusals import place_at


@lower_expression.register
def call(node: nodes.Call, frame: Frame) -> Js:
    if isinstance(node.node, nodes.Name):
        return call_name(node, node.node, frame)
    if isinstance(node.node, nodes.Getattr):
        return call_attribute(node, node.node, frame)
    return call_value(node, value(node.node, frame), frame)


def call_name(node: nodes.Call, callee: nodes.Name, frame: Frame) -> Js:
    refuse_placeholder(callee, frame)
    variable = frame.variable_of(callee.name)
    if variable is None:
        if callee.name in GLOBALS:
            return call_global(node, callee.name, frame)
        return call_context(node, callee, frame)
    if is_loop(callee, frame) and frame.loop and frame.loop.recursive:
        refuse_unpacking("loop", node, frame)
        items = ", ".join(arrange_arguments("loop", ("iterable",), node.args, node.kwargs, node, frame))
        return Js(f"{frame.loop.recursive}({items}, {frame.loop.value}.depth)", ValueKind.HTML)
    if callee.name == "super" and frame.is_reserved("super"):
        return super_value(node, frame)
    shape = frame.macros.get(variable)
    if shape is not None and node.dyn_args is None and node.dyn_kwargs is None:
        return call_macro(node, variable, shape, frame)
    return call_value(node, value(callee, frame), frame)


def call_context(node: nodes.Call, callee: nodes.Name, frame: Frame) -> Js:
    """Lower a call of a variable of the context: `t` for messages, or a function of the script.

    In an included template or a block, the variable may also be a macro.
    """
    if callee.name == "t":
        return message(node, frame)
    return call_value(node, frame.from_context(callee.name), frame)


def call_macro(
    node: nodes.Call, variable: str, shape: MacroShape, frame: Frame, caller: str = "undefined"
) -> Js:
    """Lower a direct call of a macro whose parameters are known."""
    return Js(f"{variable}({', '.join(macro_arguments(node, shape, frame, caller))})", ValueKind.HTML)


def macro_arguments(node: nodes.Call, shape: MacroShape, frame: Frame, caller: str) -> list[str]:
    """Return the code of a macro call's arguments, in the order of its parameters.

    Raises TemplateRefusal when they do not fit the parameters.
    """
    known = {keyword.key: value(keyword.value, frame) for keyword in node.kwargs}
    positional = [value(argument, frame) for argument in node.args]
    surplus = positional[len(shape.parameters) :]
    by_position = dict(zip(shape.parameters, positional, strict=False))
    twice = sorted(set(by_position) & set(known))
    extra = {key: code for key, code in known.items() if key not in shape.parameters}
    if "caller" in extra and shape.caller:
        caller = extra.pop("caller")
    if twice or (surplus and not shape.varargs) or (extra and not shape.kwargs):
        wrong = [*twice, *sorted(extra)]
        problem = f"takes no argument {wrong[0]}" if wrong else f"takes {len(shape.parameters)} arguments"
        raise frame.refuse("template-arguments", f"macro {shape.name} {problem}", node)
    all_given = {**by_position, **known}
    absent = {
        name: frame.use("missing") if name in shape.optional else "undefined" for name in shape.parameters
    }
    out = [all_given.get(name, absent[name]) for name in shape.parameters]
    tail = [
        *([f"{frame.use('tuple')}({', '.join(surplus)})"] if shape.varargs else []),
        *([f"{{{', '.join(f'[{js_string(k)}]: {c}' for k, c in extra.items())}}}"] if shape.kwargs else []),
        *([caller] if shape.caller else []),
    ]
    arguments = out + tail
    while arguments and arguments[-1] == "undefined":
        arguments.pop()
    return arguments


def call_attribute(node: nodes.Call, callee: nodes.Getattr, frame: Frame) -> Js:
    owner = callee.node
    if is_loop(owner, frame) and callee.attr in {"cycle", "changed"}:
        return call_loop(node, callee.attr, frame)
    if super_depth(callee) and frame.is_reserved("super"):
        return super_value(node, frame)
    if isinstance(owner, nodes.Name) and owner.name == "self" and frame.is_reserved("self"):
        return self_value(node, callee.attr, frame)
    if is_module(owner, frame):
        return call_value(node, value(callee, frame), frame)
    return call_named(node, callee, frame)


def call_named(node: nodes.Call, callee: nodes.Getattr, frame: Frame) -> Js:
    """Lower a call of an attribute that may be a method of Python's types.

    Raises TemplateRefusal when the method is not supported, or does not take such arguments.
    """
    if callee.attr == "format":
        return call_format(node, callee, frame)
    if (
        callee.attr in {"cycle", "changed"}
        and not node.kwargs
        and node.dyn_args is None
        and node.dyn_kwargs is None
    ):
        helper = frame.use(f"method_{callee.attr}")
        arguments = [value(callee.node, frame), f"[{values(node.args, frame)}]"]
        return Js(f"{helper}({', '.join(arguments)})")
    if callee.attr in methods.SUPPORTED:
        return call_method(node, callee, frame)
    if callee.attr in methods.REFUSED:
        raise frame.refuse(
            "template-method", f".{callee.attr}() is not supported: {methods.REFUSED[callee.attr]}", node
        )
    return call_value(node, value(callee, frame), frame)


def call_loop(node: nodes.Call, attr: str, frame: Frame) -> Js:
    """Lower a call of `loop.cycle` or `loop.changed`. Raises TemplateRefusal for named arguments, `*` and `**`."""
    assert frame.loop is not None
    refuse_unpacking(f"loop.{attr}", node, frame)
    if node.kwargs:
        raise frame.refuse("template-arguments", f"loop.{attr} takes no named arguments", node)
    arguments = values(node.args, frame)
    if attr == "cycle":
        index = frame.loop.index if frame.loop.simple else f"{frame.loop.value}.index0"
        return Js(f"{frame.use('cycle')}({index}, [{arguments}])")
    return Js(
        f"{frame.use('changed')}({frame.loop.value}, {frame.use('tuple')}({arguments}))", ValueKind.BOOL
    )


def call_method(node: nodes.Call, callee: nodes.Getattr, frame: Frame) -> Js:
    refuse_unpacking(f".{callee.attr}()", node, frame)
    if callee.attr == "update" and node.kwargs and not node.args:
        return Js(
            f"{frame.use('method_update')}({value(callee.node, frame)}, {keyword_object(node, frame)[0]})"
        )
    arguments = arrange_arguments(
        f".{callee.attr}()", methods.SUPPORTED[callee.attr], node.args, node.kwargs, node, frame
    )
    while arguments and arguments[-1] == methods.LEFT_OUT:
        arguments.pop()
    owner = value(callee.node, frame)
    return Js(f"{frame.use(f'method_{callee.attr}')}({', '.join([owner, *arguments])})")


def call_format(node: nodes.Call, callee: nodes.Getattr, frame: Frame) -> Js:
    refuse_unpacking(".format()", node, frame)
    keywords = (keyword_object(node, frame) or ["{}"])[0]
    return Js(
        f"{frame.use('method_format')}({value(callee.node, frame)}, [{values(node.args, frame)}], {keywords})"
    )


def call_value(node: nodes.Call, callee: str, frame: Frame, caller: str | None = None) -> Js:
    """Lower a call of a value that is known only at run time."""
    positional = [value(argument, frame) for argument in node.args]
    if node.dyn_args is not None:
        positional.append(f"...{frame.use('iterate')}({value(node.dyn_args, frame)})")
    pairs = keyword_pairs(node, frame)
    if caller is not None:
        pairs.append(f"caller: {caller}")
    arguments = [f"[{', '.join(positional)}]", *([f"{{{', '.join(pairs)}}}"] if pairs else [])]
    return Js(f"{frame.use('call')}({', '.join([callee, *arguments])})")


def call_global(node: nodes.Call, name: str, frame: Frame) -> Js:
    """Lower a call of a global function of Jinja2.

    Raises TemplateRefusal when the function returns random values, or does not take such arguments.
    """
    if name not in {"dict", "namespace"} or node.dyn_args is not None:
        refuse_unpacking(name, node, frame)
    if name == "lipsum":
        raise frame.refuse("template-random", "lipsum is random: no two renderings agree", node)
    if name in {"dict", "namespace"}:
        keywords = f"{{{', '.join(keyword_pairs(node, frame))}}}"
        return Js(f"{frame.use(name + '_of')}([{values(node.args, frame)}], {keywords})")
    if name == "joiner":
        separator = arrange_arguments("joiner", ('sep=", "',), node.args, node.kwargs, node, frame)[0]
        return Js(f"{frame.use('joiner')}({separator})")
    if node.kwargs:
        raise frame.refuse("template-arguments", f"{name} takes no named arguments", node)
    return Js(f"{frame.use(name)}({values(node.args, frame)})")


def keyword_pairs(node: nodes.Call, frame: Frame) -> list[str]:
    """Return the code of the keyword arguments, as properties of an object."""
    pairs = [f"[{js_string(keyword.key)}]: {value(keyword.value, frame)}" for keyword in node.kwargs]
    if node.dyn_kwargs is not None:
        pairs.append(unpacked_mapping(node, node.dyn_kwargs, frame))
    return pairs


def unpacked_mapping(node: nodes.Call, mapping: nodes.Expr, frame: Frame) -> str:
    """Return the code of `**mapping`. A key that is also a named argument is an error at run time."""
    named = "".join(f", {js_string(k.key)}" for k in node.kwargs)
    return f"...{frame.use('keywords')}({value(mapping, frame)}{named})"


def message(node: nodes.Call, frame: Frame) -> Js:
    """Lower a call of `t`.

    Raises TemplateRefusal when the call does not have exactly one positional argument, the key, or uses `*` or `**`.
    """
    refuse_unpacking("t", node, frame)
    if len(node.args) != 1:
        raise frame.refuse(
            "template-message-call",
            "t takes the message's key, then named arguments",
            node,
            hint='t("key", name=value)',
        )
    key = node.args[0]
    argument_names = tuple(keyword.key for keyword in node.kwargs)
    literals = literal_keys(key)
    keys = tuple(literal.value for literal in literals)
    for number, literal in enumerate(literals):
        others = (*keys[:number], *keys[number + 1 :])
        frame.compilation.messages.append(
            MessageUse(
                key=literal.value, place=place_at(literal.lineno), arguments=argument_names, others=others
            )
        )
    frame.compilation.computes_keys |= not keys
    arguments = [value(key, frame), *keyword_object(node, frame)]
    return Js(f"{frame.from_context('t')}({', '.join(arguments)})", ValueKind.TEXT)


def literal_keys(key: nodes.Expr) -> list[nodes.Const]:
    """Return the keys of which a call of `t` uses one: `t("new" if fresh else "old")`. Empty if one is not literal."""
    if isinstance(key, nodes.Const) and isinstance(key.value, str):
        return [key]
    if not isinstance(key, nodes.CondExpr) or key.expr2 is None:
        return []
    arms = [literal_keys(key.expr1), literal_keys(key.expr2)]
    return [literal for arm in arms for literal in arm] if all(arms) else []


def keyword_object(node: nodes.Call, frame: Frame) -> list[str]:
    """Return a list with the code of one object of all keyword arguments; an empty list if there are none."""
    pairs = keyword_pairs(node, frame)
    return [f"{{{', '.join(pairs)}}}"] if pairs else []


Parameters = Sequence[str]
"""The parameters of a callee, such as `("length=255", "killwords?=false", 'end="..."')`.

They are names in Python's order, with the JavaScript code of the default. A name with `?` is a flag: only its truth
matters.
"""


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
