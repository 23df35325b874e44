"""Operators on abstract values, and decisions about symbolic conditions."""

import math
import operator
from collections.abc import Callable

from awning.check.interpreter.exceptions import thrown_error
from awning.check.interpreter.execution import Execution, taint_of
from awning.check.interpreter.values import (
    UNDEFINED,
    BigInt,
    ObjectValue,
    Symbolic,
    Value,
    as_number,
    as_same_number,
    as_text,
    is_primitive,
    loosely_equal,
    strictly_equal,
    symbol_key,
    truthy,
    type_of,
)


def _divide(left: float, right: float) -> float:
    if right:
        return left / right
    return math.nan if not left or math.isnan(left) else math.copysign(math.inf, left)


def _remainder(left: float, right: float) -> float:
    return math.fmod(left, right) if right and not math.isinf(left) else math.nan


def _raise_to_power(left: float, right: float) -> float:
    try:
        return math.pow(left, right)
    except OverflowError:
        return math.inf
    except ValueError:  # the root of a negative number has no real value
        return math.nan


_ORDER: dict[str, Callable[[Value, Value], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EQUAL: dict[str, Callable[[Value, Value], bool]] = {"===": strictly_equal, "==": loosely_equal}
_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "===": "===", "==": "=="}
_ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": _remainder,
    "**": _raise_to_power,
}

_BITS: dict[str, Callable[[int, int], int]] = {"&": operator.and_, "|": operator.or_, "^": operator.xor}


MOST_VIEWS = 30
"""The maximum number of functions (views) between a symbolic value and the value from which it is derived."""


def is_nullish(value: Value) -> bool:
    return value is None or value is UNDEFINED


def decide(run: Execution, value: Value) -> bool:
    """Return whether a value is true in this execution. For a symbolic value this is a decision."""
    return run.path.holds(value) if isinstance(value, Symbolic) else truthy(value)


def decide_nullish(run: Execution, value: Value) -> bool:
    if isinstance(value, Symbolic):
        return run.path.holds(value, is_nullish)
    return is_nullish(value)


def derive(symbol: Symbolic, key: str, view: Callable[[Value], Value]) -> Symbolic:
    """Return a symbolic value that is a function (`view`) of `symbol`, so that a decision about either binds both.

    With more than `MOST_VIEWS` functions, the two are independent.
    """
    inner = symbol.view
    if symbol.views >= MOST_VIEWS:
        return Symbolic(key)
    seen = view if inner is None else lambda value: view(inner(value))
    return Symbolic(key, base=symbol.base or symbol.key, view=seen, views=symbol.views + 1)


def negate(value: Value) -> Value:
    if isinstance(value, Symbolic):
        return derive(value, f"!{value.key}", lambda operand: not truthy(operand))
    return not truthy(value)


def typed(value: Value) -> Value:
    if isinstance(value, Symbolic):
        return "string" if value.text else derive(value, f"typeof {value.key}", type_of)
    return type_of(value)


def binary(run: Execution, sign: str, left: Value, right: Value) -> Value:
    if sign in {"!==", "!="}:
        return (
            negate(binary(run, sign[:-1] if sign == "!=" else "===", left, right))
            if sign == "!=="
            else (negate(binary(run, "==", left, right)))
        )
    if sign in _EQUAL or sign in _ORDER:
        return _compare_values(run, sign, left, right)
    if _mixes_numbers(left, right) and sign in {"+", *_ARITHMETIC, *_BITS, "<<", ">>", ">>>"}:
        raise thrown_error(run)
    if sign == "+":
        return add(run, left, right)
    if sign == "in" and is_primitive(left) and isinstance(right, ObjectValue) and right.kind == "object":
        return _has(right, as_text(left))
    if _number(left) and _number(right):
        if sign in _BITS and isinstance(left, int) and isinstance(right, int):
            return as_same_number(_BITS[sign](left, right), left)
        if sign in _ARITHMETIC:
            return as_same_number(as_number(_ARITHMETIC[sign](float(left), float(right))), left)
    return Symbolic(f"({symbol_key(left)}{sign}{symbol_key(right)})"[:300])


def _mixes_numbers(left: Value, right: Value) -> bool:
    """Return whether one operand is a big integer and the other operand is a number."""
    return _number(left) and _number(right) and isinstance(left, BigInt) != isinstance(right, BigInt)


def _has(owner: ObjectValue | None, key: str) -> bool:
    while owner is not None:
        if key in owner.props or key in owner.getters:
            return True
        owner = owner.proto
    return False


def _compare_values(run: Execution, sign: str, left: Value, right: Value) -> Value:
    compare = _EQUAL.get(sign) or _order_operator(_ORDER[sign])
    if isinstance(left, Symbolic) and isinstance(right, Symbolic):
        return _both_unknown(sign, left, right)
    if isinstance(left, Symbolic):
        return _with_constant(run, left, sign, right, lambda operand: compare(operand, right))
    if isinstance(right, Symbolic):
        return _with_constant(run, right, _MIRROR[sign], left, lambda operand: compare(left, operand))
    return compare(left, right)


def _both_unknown(sign: str, left: Symbolic, right: Symbolic) -> Value:
    if left.key == right.key:
        return sign in {"===", "==", "<=", ">="}
    if sign in {">", ">="}:  # `a > b` gets the key of `b < a`; `a <= b` is the negation of `b < a`
        sign, left, right = _MIRROR[sign], right, left
    if sign == "<=":
        return negate(Symbolic(f"({right.key}<{left.key})"[:300]))
    first, second = sorted((left.key, right.key)) if sign in _EQUAL else (left.key, right.key)
    return Symbolic(f"({first}{sign[:2]}{second})"[:300])


def _with_constant(
    run: Execution, symbol: Symbolic, sign: str, constant: Value, holds: Callable[[Value], bool]
) -> Value:
    if symbol.tail and isinstance(constant, str) and sign in _EQUAL and not constant.endswith(symbol.tail):
        return False
    if is_primitive(constant) and symbol.view is None:
        run.path.sample(symbol.key, constant)
    return derive(symbol, f"({symbol.key}{sign}{symbol_key(constant)})"[:300], holds)


def _order_operator(compare: Callable[[Value, Value], bool]) -> Callable[[Value, Value], bool]:
    def ordered(left: Value, right: Value) -> bool:
        if isinstance(left, str) and isinstance(right, str):
            return compare(left, right)
        first, second = _compared_as(left), _compared_as(right)
        return first is not None and second is not None and compare(first, second)

    return ordered


def _compared_as(value: Value) -> float | None:
    if value is None:
        return 0
    if isinstance(value, (bool, int, float)):
        return float(value)
    try:
        return float(value) if isinstance(value, str) and value else 0 if value == "" else None
    except ValueError:
        return None


def _number(value: Value) -> bool:
    return isinstance(value, (int, float))


def add(run: Execution, left: Value, right: Value) -> Value:
    """Return the sum of two values. Known beginnings and ends of strings stay known."""
    if _number(left) and _number(right):
        return as_same_number(as_number(float(left) + float(right)), left)
    if is_primitive(left) and is_primitive(right):
        return run.known_text(as_text(left) + as_text(right))
    texts = any(
        isinstance(operand, str) or (isinstance(operand, Symbolic) and operand.text)
        for operand in (left, right)
    )
    return Symbolic(
        f"({symbol_key(left)}+{symbol_key(right)})"[:300],
        taint=taint_of(left, right),
        head=_head(left),
        tail=_tail(right) if is_primitive(right) or isinstance(right, Symbolic) else "",
        text=texts,
    )


def _head(value: Value) -> str:
    return value.head if isinstance(value, Symbolic) else as_text(value) if is_primitive(value) else ""


def _tail(value: Value) -> str:
    return value.tail if isinstance(value, Symbolic) else as_text(value) if is_primitive(value) else ""
