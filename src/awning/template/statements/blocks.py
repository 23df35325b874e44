"""`block`, `extends`, `super()`: which version of a block stands where is known at compile time."""

from jinja2 import nodes

from awning.template.emit import Line, Statement, js_string
from awning.template.frame import Frame, scope_object
from awning.template.html import START, HtmlContext
from awning.template.scope import scope_of_template
from awning.template.statements.core import framed, write
from awning.template.statements.includes import seen
from awning.template.statements.roots import module_function, parameters


def extends(node: nodes.Node, frame: Frame) -> list[Statement]:  # noqa: ARG001 - a member's signature
    """Nothing at its place: the parent's root runs after this one."""
    return []


def block(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Block)
    if id(node) not in frame.region.places or is_silent(node, frame):
        return []
    if node.required and len(frame.chain.lineages[node.name]) == 1:
        raise frame.refuse("template-required-block", f"the required block {node.name!r} is not given", node)
    scope = derived(node.name, frame) if node.scoped else "context"
    return [write(frame, block_call(node.name, 0, frame.region.places[id(node)], node, frame, scope), node)]


def is_silent(node: nodes.Block, frame: Frame) -> bool:
    """Behind `extends` a block only gives its version; the parent places it."""
    return (
        frame.toplevel
        and frame.unit.extends is not None
        and int(node.lineno) >= int(frame.unit.extends.lineno)
    )


def derived(block: str, frame: Frame) -> str:
    """The context of a scoped block: what is set around it, as far as the block may read it."""
    read = names_read(block, frame)
    visible = (name for name in frame.scope.visible_stores() if read is None or name in read)
    return scope_object("...context", *(f"[{js_string(name)}]: {seen(name, frame)}" for name in visible))


def names_read(block: str, frame: Frame) -> set[str] | None:
    """The names that the versions of a block read; None where others in it see the whole context."""
    found = [node for layer in frame.chain.lineages[block] for node in layer.node.find_all(nodes.Node)]
    if any(isinstance(node, (nodes.Block, nodes.Include, nodes.Import, nodes.FromImport)) for node in found):
        return None
    read = {node.name for node in found if isinstance(node, (nodes.Name, nodes.NSRef))}
    return None if "self" in read else read


def block_call(
    name: str, depth: int, start: HtmlContext | None, node: nodes.Node, frame: Frame, scope: str = "context"
) -> str:
    """Code that renders a version of a block; `start` None is for its value, which begins and ends in text."""
    layers = frame.chain.lineages[name]
    if depth >= len(layers):
        raise frame.refuse("template-no-super", f"there is no parent block called {name!r}", node)
    return f"{block_function(name, depth, START if start is None else start, frame)}({scope})"


def block_value(name: str, depth: int, node: nodes.Node, frame: Frame) -> str:
    """Code of a block's text as a value."""
    return block_call(name, depth, None, node, frame)


def block_function(name: str, depth: int, start: HtmlContext, frame: Frame) -> str:
    session = frame.session
    key = (id(frame.chain), name, depth, start)
    if key in session.blocks:
        return session.blocks[key]
    session.blocks[key] = function = session.function_name("block")
    session.functions[function] = []
    region = session.regions.block(frame.chain, name, depth, start)
    assert region is not None, "contexts are known before code is made"
    layer = frame.chain.lineages[name][depth]
    scope = scope_of_template(layer.node.body, parameters(layer.node.body, ("self", "super")))
    inner = Frame(
        session=session, unit=layer.unit, chain=frame.chain, scope=scope, region=region, block=(name, depth)
    )
    inside = [Line('let $out = "";'), *framed(layer.node.body, inner), Line("return $out;")]
    before, behind = session.bounded(id(layer.node), f"the block {name}")
    session.functions[function] = [module_function(function, inside, before, behind)]
    return function
