"""Lowers `super()` and `self.name()` as values: the block's text, rendered as Markup.

A `{{ super() }}` on its own does not become a value: the output statement writes the parent's text directly.
"""

from jinja2 import nodes

from awning.template.frame import Frame
from awning.template.js_value import Js, ValueKind


def super_depth(callee: nodes.Node) -> int:
    """Return how many parents up an expression refers to: 1 for `super`, 2 for `super.super`; 0 for any other."""
    if isinstance(callee, nodes.Name):
        return 1 if callee.name == "super" else 0
    if isinstance(callee, nodes.Getattr) and callee.attr == "super":
        below = super_depth(callee.node)
        return below + 1 if below else 0
    return 0


def is_reserved(name: str, frame: Frame) -> bool:
    """Return whether a name is the `super` of a block or the `self` of a template."""
    return name in {"super", "self"} and frame.variable_of(name) == f"{name}_0" and frame.reserves(name)


def super_value(node: nodes.Call, frame: Frame) -> Js:
    assert frame.block is not None
    name, depth = frame.block
    return Js(
        frame.compilation.lowering.block(name, depth + super_depth(node.node), node, frame), ValueKind.HTML
    )


def self_value(node: nodes.Call, name: str, frame: Frame) -> Js:
    """Return the value of `self.name()`. Raises TemplateRefusal when there is no such block."""
    if name not in frame.chain.lineages:
        raise frame.refuse("template-no-block", f"there is no block {name}", node)
    return Js(frame.compilation.lowering.block(name, 0, node, frame), ValueKind.HTML)
