"""Lowers blocks to functions. The version of each block is known at compile time.

A block stands at its place, or its text is a value: `super()` and `self.name()`. A `{{ super() }}` on its own does not
become a value: the output statement writes the parent's text directly.
"""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template.emit import Nest, Statement
from awning.template.frame import Frame
from awning.template.html import START, HtmlContext
from awning.template.js_value import Js, ValueKind
from awning.template.lowering import frame_body, function_body
from awning.template.scope import scope_of_body


def super_depth(callee: nodes.Node) -> int:
    """Return how many parents up an expression refers to: 1 for `super`, 2 for `super.super`; 0 for any other."""
    if isinstance(callee, nodes.Name):
        return 1 if callee.name == "super" else 0
    if isinstance(callee, nodes.Getattr) and callee.attr == "super":
        below = super_depth(callee.node)
        return below + 1 if below else 0
    return 0


def super_value(node: nodes.Call, frame: Frame) -> Js:
    assert frame.block is not None
    name, depth = frame.block
    return Js(block_call(name, depth + super_depth(node.node), START, node, frame), ValueKind.HTML)


def self_value(node: nodes.Call, name: str, frame: Frame) -> Js:
    """Return the value of `self.name()`. Raises TemplateRefusal when there is no such block."""
    if name not in frame.chain.lineages:
        raise frame.refuse("template-no-block", f"there is no block {name}", node)
    return Js(block_call(name, 0, START, node, frame), ValueKind.HTML)


def block_call(
    name: str, depth: int, start: HtmlContext, node: nodes.Node, frame: Frame, scope: str = "context"
) -> str:
    """Return code that renders a version of a block in the HTML context `start`.

    Raises TemplateRefusal when there is no version at this depth.
    """
    layers = frame.chain.lineages[name]
    if depth >= len(layers):
        raise frame.refuse("template-no-super", f"there is no parent block called {name!r}", node)
    return f"{block_function(name, depth, start, frame)}({scope})"


def block_function(name: str, depth: int, start: HtmlContext, frame: Frame) -> str:
    compilation = frame.compilation
    key = (id(frame.chain), name, depth, start)
    if key in compilation.blocks:
        return compilation.blocks[key]
    compilation.blocks[key] = function = compilation.function_name("block")
    compilation.functions[function] = []
    walked = compilation.regions.block(frame.chain, name, depth, start)
    assert walked is not None, "contexts are known before code is made"
    layer = frame.chain.lineages[name][depth]
    scope = scope_of_body(None, layer.node.body, parameters(layer.node.body, ("self", "super")))
    inner = Frame(
        compilation=compilation,
        template=layer.template,
        chain=frame.chain,
        scope=scope,
        region=walked.regions[0],
        block=(name, depth),
    )
    inside = function_body(frame_body(layer.node.body, inner), inner)
    before, behind = compilation.bounded(id(layer.node), f"the block {name}")
    compilation.functions[function] = [module_function(function, inside, before, behind)]
    return function


def module_function(name: str, statements: list[Statement], before: str, behind: str) -> Statement:
    """Return a function of the module, with the code around it that limits its recursion."""
    if not before:
        return Nest(f"function {name}(context) {{", statements)
    return Nest(f"const {name} = {before}(context) => {{", statements, tail=f"}}{behind};")


def parameters(body_nodes: Sequence[nodes.Node], implicit: tuple[str, ...]) -> list[str]:
    """Return the implicit names that a body uses."""
    used = {name.name for node in body_nodes for name in node.find_all(nodes.Name)}
    used |= {node.name for node in body_nodes if isinstance(node, nodes.Name)}
    return [name for name in implicit if name in used]
