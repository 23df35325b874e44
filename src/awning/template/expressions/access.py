"""Lowers names, attributes, subscripts and slices. A template never gets the value of a property of a prototype."""

import re

from jinja2 import nodes

from awning.template.emit import Js, ValueKind, js_string
from awning.template.frame import Frame
from awning.template.lowering import as_value, expression, lower_expression, macro_value, value
from awning.template.methods import (
    DICT_METHODS,
    DUNDER,
    GLOBALS,
    OTHER_METHODS,
    types_with,
)

LOOP_SIMPLE = {
    "index": ("({index} + 1)", ValueKind.COUNT),
    "index0": ("{index}", ValueKind.COUNT),
    "first": ("({index} === 0)", ValueKind.BOOL),
    "last": ("({index} === {items}.length - 1)", ValueKind.BOOL),
    "length": ("{items}.length", ValueKind.COUNT),
    "revindex": ("({items}.length - {index})", ValueKind.COUNT),
    "revindex0": ("({items}.length - {index} - 1)", ValueKind.COUNT),
}
"""Attributes of `loop` that can be computed from a counter and the list, without an object for `loop`."""

SIMPLE_OWNER = re.compile(r"[^\W\d][\w$]*(?:\.[\w$]+)?")
"""Matches the code of a variable, or of one property of a variable.

Such code may be emitted twice, because it is cheap to evaluate and has no side effect.
"""

JS_NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


@lower_expression.register
def name(node: nodes.Name, frame: Frame) -> Js:
    """Lower the name of a variable.

    Raises TemplateRefusal when it is a placeholder, `self`, `super` or an imported template.
    """
    refuse_placeholder(node, frame)
    variable = frame.variable_of(node.name)
    if variable is None:
        return context_value(node, frame)
    if frame.is_reserved(node.name):
        raise frame.refuse(
            "template-block-value", f"{node.name} can only be called: super(), self.title()", node
        )
    shape = frame.macros.get(variable)
    if shape is not None:
        return Js(macro_value(variable, frame))
    if variable in frame.modules:
        raise frame.refuse(
            "template-import-value", f"{node.name} is an imported template: use its macros and names", node
        )
    return Js(variable)


def context_value(node: nodes.Name, frame: Frame) -> Js:
    plain = frame.from_context(node.name)
    if node.name in GLOBALS:
        return Js(f"{frame.use('shadowed')}({plain}, {js_string(node.name)})")
    return Js(plain, promise=frame.compilation.promises.kind(node.name, frame.template))


def refuse_placeholder(node: nodes.Name, frame: Frame) -> None:
    """Refuse a name such as `svc_language`: it is a placeholder of the service.

    Source: Apps Integration API, Code snippet. Raises TemplateRefusal for such a name.
    """
    prefix = frame.compilation.options.dialect.placeholder_prefix
    if node.name.startswith(prefix):
        use = {"language": "page.language", "app_data": "data"}.get(node.name.removeprefix(prefix))
        raise frame.refuse(
            "template-placeholder",
            f"{node.name} is a placeholder of the service: it is not replaced inside a template",
            node,
            hint=f"use {use}, which the widget's script passes to the view"
            if use
            else "names with this prefix belong to the service",
        )


def is_loop(node: nodes.Node, frame: Frame) -> bool:
    """Return whether an expression is the variable `loop` of the innermost loop."""
    if not isinstance(node, nodes.Name) or node.name != "loop" or frame.loop is None:
        return False
    return frame.variable_of("loop") == frame.loop.value


@lower_expression.register
def attribute(node: nodes.Getattr, frame: Frame) -> Js:
    if frame.loop and frame.loop.simple and is_loop(node.node, frame) and node.attr in LOOP_SIMPLE:
        code, kind = LOOP_SIMPLE[node.attr]
        return Js(code.format(index=frame.loop.index, items=frame.loop.items), kind)
    if node.attr in {"cycle", "changed"} and is_loop(node.node, frame):
        raise frame.refuse("template-method", f"loop.{node.attr} can only be called", node)
    if is_module(node.node, frame):
        assert isinstance(node.node, nodes.Name)
        return Js(f"{frame.use('get')}({frame.variable_of(node.node.name)}, {js_string(node.attr)})")
    if node.attr in DUNDER:
        raise frame.refuse("template-private-attribute", f"{node.attr} is internal to Python", node)
    return field(value(node.node, frame), node.attr, node, frame)


def is_module(node: nodes.Node, frame: Frame) -> bool:
    return isinstance(node, nodes.Name) and frame.variable_of(node.name) in frame.modules


def field(owner: str, attr: str, node: nodes.Node, frame: Frame) -> Js:
    """Lower the read of an attribute: a key of a mapping, or a field of a loop, macro, namespace or group."""
    if attr in DICT_METHODS:
        frame.warn(
            "template-method-name",
            f".{attr} is a method of mappings in Jinja2, not the key",
            node,
            hint=f'write ["{attr}"] for the key, or .{attr}() to call it',
        )
    if attr in DICT_METHODS or attr in OTHER_METHODS:
        call = f"{frame.use('field')}({owner}, {js_string(attr)}, {js_string(types_with(attr))})"
        return Js(call if attr in DICT_METHODS else read_in_place(owner, attr, call))
    if attr == "length":
        return Js(f"{frame.use('item')}({owner}, {js_string(attr)})")
    return Js(own_property(owner, attr, frame))


def own_property(owner: str, key: str, frame: Frame) -> str:
    """Return code that reads an own property, never one of a prototype."""
    return read_in_place(owner, key, f"{frame.use('get')}({owner}, {js_string(key)})")


def read_in_place(owner: str, key: str, call: str) -> str:
    """Return code that reads a property of a plain object directly, and evaluates `call` for any other owner.

    JavaScript engines cache the position of a property for each place in the code that reads it. If all places called
    one function, the cache would not work (benchmarks/render). Properties that a page may have added to
    `Object.prototype` are never read directly.
    """
    if not (SIMPLE_OWNER.fullmatch(owner) and JS_NAME.fullmatch(key)):
        return call
    plain = f"{owner}?.__proto__ == Object.prototype && !({js_string(key)} in {{}})"
    return f"({plain} ? {owner}.{key} : {call})"


@lower_expression.register
def item(node: nodes.Getitem, frame: Frame) -> Js:
    if isinstance(node.arg, nodes.Slice):
        return slice_of(node, node.arg, frame)
    if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        return keyed(node, node.arg.value, frame)
    owner, key = value(node.node, frame), expression(node.arg, frame)
    helper = frame.use("item" if key.is_number else "entry")
    return Js(f"{helper}({owner}, {as_value(key, frame)})")


def keyed(node: nodes.Getitem, key: str, frame: Frame) -> Js:
    owner = value(node.node, frame)
    if key in DICT_METHODS or key in OTHER_METHODS:
        return Js(f"{frame.use('keyed')}({owner}, {js_string(key)}, {js_string(types_with(key))})")
    special = key in DUNDER or key == "length"
    # Some values have properties with such names from JavaScript or the library. `item` never reads these.
    if special or key[:1].isdigit() or key[:1] == "$":
        return Js(f"{frame.use('item')}({owner}, {js_string(key)})")
    return Js(own_property(owner, key, frame))


def slice_of(node: nodes.Getitem, slice_node: nodes.Slice, frame: Frame) -> Js:
    bounds = [
        value(bound, frame) if bound is not None else "null"
        for bound in (slice_node.start, slice_node.stop, slice_node.step)
    ]
    owner = value(node.node, frame)
    return Js(f"{frame.use('sliced')}({', '.join([owner, *bounds])})")
