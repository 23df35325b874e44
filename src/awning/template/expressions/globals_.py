"""Jinja2's default globals: `range`, `dict`, `cycler`, `joiner`, `namespace`; `lipsum` is refused (it is random)."""

from jinja2 import nodes

from awning.template.emit import js_string
from awning.template.expressions.core import value, values
from awning.template.expressions.signature import arranged, refuse_unpacking
from awning.template.frame import Frame
from awning.template.value import Js


def call(node: nodes.Call, name: str, frame: Frame) -> Js:
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
    return "{" + ", ".join(f"[{js_string(k.key)}]: {value(k.value, frame)}" for k in node.kwargs) + "}"
