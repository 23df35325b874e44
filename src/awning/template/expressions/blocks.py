"""`super()` and `self.name()` as values: the block's text, rendered as Markup.

Written alone, `{{ super() }}` is not a value but the parent's text in its place; the output statement does that.
"""

from jinja2 import nodes

from awning.template.frame import Frame
from awning.template.value import Js, Kind


def super_value(node: nodes.Call, frame: Frame) -> Js:
    from awning.template.statements.blocks import block_call  # noqa: PLC0415 - statements import expressions

    assert frame.block is not None
    name, depth = frame.block
    return Js(block_call(name, depth + 1, None, node, frame), Kind.HTML)


def self_value(node: nodes.Call, name: str, frame: Frame) -> Js:
    from awning.template.statements.blocks import block_call  # noqa: PLC0415

    if name not in frame.session.units.lineages:
        raise frame.refuse("template-no-block", f"there is no block {name}", node)
    return Js(block_call(name, 0, None, node, frame), Kind.HTML)
