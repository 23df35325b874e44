"""Jinja2's default globals: `range`, `dict`, `cycler`, `joiner`, `namespace`; `lipsum` is refused (it is random)."""

from jinja2 import nodes

from awning.template.emit import js_string
from awning.template.expressions.core import value, values
from awning.template.expressions.signature import arranged, refuse_unpacking
from awning.template.frame import Frame
from awning.template.value import Js


def call(node: nodes.Call, name: str, frame: Frame) -> Js:
    if name not in {"dict", "namespace"} or node.dyn_args is not None:
        refuse_unpacking(name, node, frame)
    if name == "lipsum":
        raise frame.refuse("template-random", "lipsum is random: no two renderings agree", node)
    if name in {"dict", "namespace"}:
        return Js(f"{frame.use(name + '_of')}([{values(node.args, frame)}], {keywords(node, frame)})")
    if name == "joiner":
        separator = arranged("joiner", ('sep=", "',), node.args, node.kwargs, node, frame)[0]
        return Js(f"{frame.use('joiner')}({separator})")
    if node.kwargs:
        raise frame.refuse("template-arguments", f"{name} takes no named arguments", node)
    return Js(f"{frame.use(name)}({values(node.args, frame)})")


def keywords(node: nodes.Call, frame: Frame) -> str:
    pairs = [f"[{js_string(k.key)}]: {value(k.value, frame)}" for k in node.kwargs]
    if node.dyn_kwargs is not None:
        pairs.append(unpacked(node, node.dyn_kwargs, frame))
    return "{" + ", ".join(pairs) + "}"


def unpacked(node: nodes.Call, mapping: nodes.Expr, frame: Frame) -> str:
    """`**mapping`: none of the arguments that are named may be in it."""
    named = "".join(f", {js_string(k.key)}" for k in node.kwargs)
    return f"...{frame.use('keywords')}({value(mapping, frame)}{named})"
