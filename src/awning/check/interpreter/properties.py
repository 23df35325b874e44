"""Reads and writes properties."""

import re

from awning.check.interpreter import builtins, early_dom
from awning.check.interpreter.arrays import array_method
from awning.check.interpreter.exceptions import require_something
from awning.check.interpreter.execution import Execution, is_tainted, part_of, unescaped
from awning.check.interpreter.strings import text_method
from awning.check.interpreter.tasks import add_listener, promise_method
from awning.check.interpreter.values import (
    CALLABLE,
    UNDEFINED,
    ArrayValue,
    FunctionValue,
    InitHandler,
    NativeFunction,
    ObjectValue,
    PromiseValue,
    Steps,
    Symbolic,
    Value,
    as_text,
    is_primitive,
    symbol_key,
)
from awning.script.tree import Node

MARKUP_PROPERTIES = {"innerHTML", "outerHTML", "srcdoc"}
_OPEN = {"document", "window"}
"""Kinds of objects that have more properties than the interpreter knows."""
PLAIN = frozenset(
    [
        "id",
        "price",
        "price_undiscounted",
        "weight",
        "stock",
        "total",
        "total_no_discount",
        "quantity",
        "length",
        "currency",
        "language",
        "code",
        "symbol",
        "decimals",
        "position",
        "selectedVariantId",
        "variant_id",
        "discount_amount",
        "shipping_price",
        "taxes",
        "svc_language",
        "page",
    ]
)
"""Fields of the payload that are numbers, ids or codes. They contain no markup (observed)."""


ADDRESS = frozenset(
    [
        *(
            f"{page}location.{part}"
            for page in ("", "document.", "window.")
            for part in ("hash", "search", "href")
        ),
        "document.referrer",
        "document.URL",
        "document.documentURI",
        "document.baseURI",
    ]
)
"""Parts of the page's address. Any link can set them, so they are tainted."""


def elements(value: Value) -> list[Value] | None:
    """Return the items of an iterable; None if they are not known."""
    if isinstance(value, ArrayValue):
        return value.items
    if isinstance(value, str):
        return list(value)
    if isinstance(value, ObjectValue) and value.kind in {"map", "set"}:
        items: list[Value] = value.props["items"].items
        return items
    return None


def get(run: Execution, owner: Value, name: Value, node: Node) -> Steps:
    require_something(run, owner)
    if isinstance(owner, Symbolic):
        return _symbol_property(run, owner, name, node)
    if (
        isinstance(name, Symbolic)
        and name.key == "Symbol.iterator"
        and (items := elements(owner)) is not None
    ):
        return builtins.function_returning(ArrayValue(list(items)))
    if isinstance(name, Symbolic) and isinstance(owner, ObjectValue):
        return _property_by_unknown_name(run, owner, name)
    if isinstance(name, Symbolic):
        return run.symbol(
            f"{symbol_key(owner)}{node.start if not isinstance(owner, ObjectValue) else ''}[{name.key}]"
        )
    key = as_text(name)
    if isinstance(owner, ObjectValue):
        return (yield from _object_property(run, owner, key, node))
    if isinstance(owner, ArrayValue):
        return _array_property(run, owner, key)
    if isinstance(owner, str):
        return _text_property(owner, key)
    if isinstance(owner, CALLABLE):
        return _function_property(run, owner, key)
    if isinstance(owner, PromiseValue):
        return promise_method(key)
    return run.symbol(f"{symbol_key(owner)}.{key}")


def _property_by_unknown_name(run: Execution, owner: ObjectValue, name: Symbolic) -> Value:
    """Return a property with a symbolic name.

    If the object holds functions or objects, decisions choose one property or none; else the result is symbolic.
    """
    if name.key in owner.props:
        return owner.props[name.key]
    if not any(isinstance(value, (*CALLABLE, ObjectValue)) for value in owner.props.values()):
        return run.symbol(f"{owner.kind}[{name.key}]", *owner.props.values())
    for key, value in owner.props.items():
        if run.path.holds(name, lambda other, key=key: other == key, (key,)):  # type: ignore[misc]
            return value
    return UNDEFINED


def _symbol_property(run: Execution, owner: Symbolic, name: Value, node: Node) -> Value:
    if (
        owner.key in run.missing_elements
        and (known := early_dom.read_member(run, owner, name, node)) is not None
    ):
        return known
    key = name.key if isinstance(name, Symbolic) else as_text(name)
    written = run.written_properties.get(owner.key, {})
    if key in written:
        return written[key]
    path = f"{owner.key}.{key}"[:300]
    if path in ADDRESS:
        return Symbolic(path, taint=path)
    return Symbolic(path) if key in PLAIN else part_of(owner, path)


def _object_property(run: Execution, owner: ObjectValue, key: str, node: Node) -> Steps:
    holder: ObjectValue | None = owner
    while holder is not None:
        if key in holder.getters:
            return (yield from run.call(run, holder.getters[key], owner, [], node))
        if key in holder.props:
            return holder.props[key]
        if holder.kind == "open":
            return Symbolic(f"open.{key}"[:300])
        holder = holder.proto
    if owner.kind == "window":
        return run.page.names.get(key, Symbolic(key))
    if owner.kind == "document" and early_dom.is_early(run):
        if key == "body":
            return early_dom.body_value(run, node)
        if key == "readyState":
            return "loading"
    if owner.kind in _OPEN:
        path = f"{owner.kind}.{key}"
        return Symbolic(path, taint=path if path in ADDRESS else "")
    return builtins.object_method(owner, key)


def _array_property(run: Execution, owner: ArrayValue, key: str) -> Value:
    if key.isdigit():
        return owner.items[int(key)] if int(key) < len(owner.items) else UNDEFINED
    if key == "length":
        return len(owner.items)
    if key == "constructor":
        return run.page.names["Array"]
    return owner.props.get(key) or array_method(key)


def _text_property(owner: str, key: str) -> Value:
    if key.isdigit():
        return owner[int(key)] if int(key) < len(owner) else UNDEFINED
    return len(owner) if key == "length" else text_method(key)


def _function_property(run: Execution, owner: Value, key: str) -> Value:
    props = owner.props if isinstance(owner, (FunctionValue, NativeFunction, InitHandler)) else {}
    if key in props:
        return props[key]
    if key == "prototype" and isinstance(owner, FunctionValue):
        return owner.props.setdefault("prototype", ObjectValue())
    if key == "constructor":
        return run.page.names["Function"]
    if key == "name" and isinstance(owner, FunctionValue):
        return owner.name
    if isinstance(owner, FunctionValue) and isinstance(owner.base, FunctionValue) and key in owner.base.props:
        return owner.base.props[key]
    return builtins.function_method(key, known=isinstance(owner, FunctionValue))


def put(run: Execution, owner: Value, name: Value, value: Value, node: Node) -> Steps:
    key = as_text(name) if is_primitive(name) else symbol_key(name)
    if isinstance(owner, Symbolic) and owner.key in run.missing_elements:
        early_dom.write_member(run, owner, key, node)
    require_something(run, owner)
    run.side_effect()
    early_dom.remember_names(run, key, value)
    if key in MARKUP_PROPERTIES and is_tainted(value):
        run.report("raw-html", node, unescaped(value, key))
    foreign = isinstance(owner, Symbolic) or (isinstance(owner, ObjectValue) and owner.kind in _OPEN)
    if foreign and isinstance(value, CALLABLE) and re.fullmatch("on[a-z]+", key):
        add_listener(run, key[2:], value, node)
    if isinstance(owner, ObjectValue) and (setter := _setter(owner, key)) is not None:
        yield from run.call(run, setter, owner, [value], node)
    elif isinstance(owner, ObjectValue):
        if owner.kind == "window":
            run.page.names[key] = value
        owner.props[key] = value
    elif isinstance(owner, Symbolic):
        run.written_properties.setdefault(owner.key, {})[key] = value
    elif isinstance(owner, ArrayValue):
        _into_array(owner, key, value)
    elif isinstance(owner, (FunctionValue, NativeFunction, InitHandler)):
        owner.props[key] = value
    return UNDEFINED


def _setter(owner: ObjectValue | None, key: str) -> FunctionValue | None:
    while owner is not None:
        if key in owner.setters:
            return owner.setters[key]
        owner = owner.proto
    return None


def _into_array(owner: ArrayValue, key: str, value: Value) -> None:
    if key == "length" and isinstance(value, (int, float)):
        del owner.items[int(value) :]
    elif key.isdigit() and int(key) < 1000:
        while len(owner.items) <= int(key):
            owner.items.append(UNDEFINED)
        owner.items[int(key)] = value
    else:
        owner.props[key] = value
