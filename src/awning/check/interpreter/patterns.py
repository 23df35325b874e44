"""Binds the names in patterns: in declarations, parameters, destructuring and assignments."""

from collections.abc import Callable

from awning.check.budget import NESTING
from awning.check.interpreter.exceptions import require_iterable, require_something, thrown_error
from awning.check.interpreter.execution import Execution
from awning.check.interpreter.properties import elements, get, put
from awning.check.interpreter.values import (
    UNDEFINED,
    UNSET,
    ArrayValue,
    Environment,
    ObjectValue,
    Steps,
    Value,
)
from awning.script.tree import Node

Store = Callable[[str, Value], None]


def bind(run: Execution, target: Node, value: Value, scope: Environment, store: Store) -> Steps:
    """Bind the names of a pattern to the parts of `value`. `store` declares or assigns a name."""
    nesting = run.nesting
    if nesting >= NESTING:
        run.too_deep(target)
        return
    run.nesting = nesting + 1
    try:
        yield from _bind(run, target, value, scope, store)
    finally:
        run.nesting = nesting


def _bind(run: Execution, target: Node, value: Value, scope: Environment, store: Store) -> Steps:
    kind = target.type
    if kind in {"identifier", "shorthand_property_identifier_pattern", "type_identifier", "undefined"}:
        store(target.text, value)
    elif kind in {"required_parameter", "optional_parameter"}:
        yield from _with_default(run, target, value, scope, store, target.fields.get("pattern"))
    elif kind in {"assignment_pattern", "object_assignment_pattern"}:
        yield from _with_default(run, target, value, scope, store, target.fields.get("left"))
    elif kind in {"object_pattern", "object"}:
        yield from _object(run, target, value, scope, store)
    elif kind in {"array_pattern", "array"}:
        yield from _array(run, target, value, scope, store)
    elif kind in {"member_expression", "subscript_expression"}:
        yield from assign_member(run, target, value, scope)
    elif target.kids:
        yield from bind(run, target.kids[0], value, scope, store)


def _with_default(
    run: Execution, target: Node, value: Value, scope: Environment, store: Store, inner: Node | None
) -> Steps:
    default = target.fields.get("value") or target.fields.get("right")
    if value is UNDEFINED and default is not None:
        value = yield from run.evaluate(run, default, scope)
    if inner is not None:
        yield from bind(run, inner, value, scope, store)


def _object(run: Execution, target: Node, value: Value, scope: Environment, store: Store) -> Steps:
    require_something(run, value)
    used: set[str] = set()
    for kid in target.kids:
        if kid.type == "rest_pattern":
            rest = (
                {k: v for k, v in value.props.items() if k not in used}
                if isinstance(value, ObjectValue)
                else None
            )
            left = ObjectValue(rest) if rest is not None else value
            yield from bind(run, kid.kids[0], left, scope, store)
            continue
        inner = kid
        if kid.type in {"pair_pattern", "pair"}:
            name = yield from property_name(run, kid.fields["key"], scope)
            inner = kid.fields["value"]
        elif kid.type in {"object_assignment_pattern", "assignment_pattern", "assignment_expression"}:
            name = kid.fields["left"].text
        else:
            name = kid.text
        used.add(name if isinstance(name, str) else "")
        part = yield from get(run, value, name, kid)
        yield from bind(run, inner, part, scope, store)


def _array(run: Execution, target: Node, value: Value, scope: Environment, store: Store) -> Steps:
    require_iterable(run, value)
    items = elements(value)
    for index, kid in enumerate(target.kids):
        if kid.type == "hole":
            continue
        if kid.type in {"rest_pattern", "spread_element"}:
            rest: Value = ArrayValue(items[index:]) if items is not None else value
            yield from bind(run, kid.kids[0], rest, scope, store)
        elif items is not None:
            yield from bind(run, kid, items[index] if index < len(items) else UNDEFINED, scope, store)
        else:
            part = yield from get(run, value, index, kid)
            yield from bind(run, kid, part, scope, store)


def property_name(run: Execution, key: Node, scope: Environment) -> Steps:
    """Return the name of a property in `{name: ...}`, `{"name": ...}` or `{[name]: ...}`."""
    if key.type == "computed_property_name":
        return (yield from run.evaluate(run, key.kids[0], scope))
    if key.type in {"string", "number"}:
        return (yield from run.evaluate(run, key, scope))
    return key.text


def assign_member(run: Execution, target: Node, value: Value, scope: Environment) -> Steps:
    owner, name = yield from _owner_and_name(run, target, scope)
    yield from put(run, owner, name, value, target)


def remove_member(run: Execution, target: Node, scope: Environment) -> Steps:
    """Execute `delete owner.name`."""
    owner, name = yield from _owner_and_name(run, target, scope)
    yield from put(run, owner, name, UNDEFINED, target)
    if isinstance(owner, ObjectValue) and isinstance(name, str):
        owner.props.pop(name, None)


def _owner_and_name(run: Execution, target: Node, scope: Environment) -> Steps:
    owner = yield from run.evaluate(run, target.fields["object"], scope)
    if target.type == "member_expression":
        return owner, target.fields["property"].text
    return owner, (yield from run.evaluate(run, target.fields["index"], scope))


def declare_in(scope: Environment) -> Store:
    return scope.names.__setitem__


def assign_from(run: Execution, scope: Environment) -> Store:
    """Return a function that assigns to an existing name, or to a new global.

    The returned function raises ThrownException for a constant or a name before its declaration.
    """

    def store(name: str, value: Value) -> None:
        holder = scope.holder(name)
        if holder is not None and (name in holder.constants or holder.names[name] is UNSET):
            raise thrown_error(run)
        if holder is None:
            holder = scope
            while holder.parent is not None:
                holder = holder.parent
        run.write(holder, name, value)

    return store


def declare_var(run: Execution, holder: Environment) -> Store:
    """Return a function that declares a name with `var`, in the environment of the enclosing function."""
    return lambda name, value: run.write(holder, name, value)
