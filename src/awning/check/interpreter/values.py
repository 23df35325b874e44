"""Abstract values. A primitive of JavaScript is represented by a primitive of Python.

null is None; undefined is the value UNDEFINED.
"""

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from awning.script.tree import Node

Value = Any
"""A str, float, int, bool, None, or an instance of one of the classes below."""
Steps = Generator[None, None, Value]
"""The execution of some code, as a generator. It pauses at `await`, and returns the value."""


class Undefined(Enum):
    IT = "undefined"


UNDEFINED = Undefined.IT


class Unset(Enum):
    IT = "not declared yet"


UNSET = Unset.IT
"""The value of a variable before its `let`, `const` or `class` is executed. Reading it throws."""


@dataclass(slots=True, eq=False)
class Environment:
    """The variables of a block. `function` marks the environment in which `var` declares."""

    parent: "Environment | None" = None
    function: bool = False
    names: dict[str, Value] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    """The names of the variables that are declared with `const`."""

    def holder(self, name: str) -> "Environment | None":
        scope: Environment | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope

    def outer_function(self) -> "Environment":
        scope = self
        while not scope.function and scope.parent is not None:
            scope = scope.parent
        return scope


@dataclass(slots=True, eq=False)
class ObjectValue:
    props: dict[str, Value] = field(default_factory=dict)
    getters: dict[str, "FunctionValue"] = field(default_factory=dict)
    setters: dict[str, "FunctionValue"] = field(default_factory=dict)
    proto: "ObjectValue | None" = None
    taint: bool = False
    kind: str = "object"


@dataclass(slots=True, eq=False)
class ArrayValue:
    items: list[Value] = field(default_factory=list)
    props: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class FunctionValue:
    """A function or class of the script.

    `base` is the base class of a class. For a method, it is the object whose members `super` reads.
    """

    node: Node
    scope: Environment
    this: Value = UNDEFINED
    arrow: bool = False
    props: dict[str, Value] = field(default_factory=dict)
    name: str = ""
    fields: tuple[tuple[Node, Environment], ...] = ()
    base: Value = None
    is_class: bool = False


@dataclass(slots=True, eq=False)
class BoundFunction:
    """The result of `f.bind(this, ...first)`."""

    target: Value
    this: Value
    first: list[Value]


@dataclass(slots=True, eq=False)
class NativeFunction:
    """A function of the page or the language."""

    name: str
    call: Callable[..., Steps]
    props: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Delivery:
    """One call of a subscriber with an event. `kind` is `base`, `updated` or `unknown`."""

    event: str
    kind: str
    calls: int = 0
    returned: bool = False
    doubtful: bool = False
    callback: object = None
    """The subscriber; None if the event's name is not known."""


@dataclass(slots=True, eq=False)
class InitHandler:
    """The initContentHandler of one delivery."""

    delivery: Delivery
    props: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class PromiseValue:
    """A promise.

    `rejected` means that the promise is certainly rejected, `settled` that it certainly has its value already.
    """

    value: Value = UNDEFINED
    rejected: bool | None = False
    key: str = ""
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A value that is not known. Symbolic values with the same `key` are the same value.

    With `view`, it is a function of the symbolic value with the key `base`, so a decision about one also restricts the
    other. `taint` is the key of the value of the payload or the address that is in it and is not escaped, such as
    `item.name`; empty without one. `text` means that the value is a string; `head` and `tail` are its known beginning
    and end.
    """

    key: str
    taint: str = ""
    base: str | None = None
    view: Callable[[Value], Value] | None = None
    head: str = ""
    tail: str = ""
    text: bool = False
    views: int = 0
    """The number of functions that `view` is composed of."""


CALLABLE = (FunctionValue, NativeFunction, InitHandler, BoundFunction)
"""The types of values that can be called, except `Symbolic`."""


def truthy(value: Value) -> bool:
    """Return whether a known value is truthy in JavaScript."""
    if value is None or value is UNDEFINED:
        return False
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - NaN is not itself
        return False
    return bool(value) if isinstance(value, (str, int, float, bool)) else True


def symbol_key(value: Value) -> str:
    """Return a text that stands for a value in the keys of symbolic values that depend on it."""
    if isinstance(value, Symbolic):
        return value.key
    if isinstance(value, str):
        return repr(value[:300])
    if isinstance(value, (int, float)) or value is None:
        return repr(value)
    return type(value).__name__


class BigInt(int):
    """A big integer. Arithmetic that mixes it with a number throws."""

    __slots__ = ()


def type_of(value: Value) -> str:
    if value is UNDEFINED:
        return "undefined"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, BigInt):
        return "bigint"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "function" if isinstance(value, CALLABLE) else "object"


def as_number(value: float) -> int | float:
    """Return a number of JavaScript. A whole number that is exact is an int, so that it can be an index."""
    return int(value) if abs(value) <= 2**53 and value.is_integer() else value


def as_same_number(value: Value, like: Value) -> Value:
    """Return `value` unchanged, or as a big integer if `like` is a big integer and `value` is whole."""
    return BigInt(value) if isinstance(like, BigInt) and isinstance(value, int) else value


def whole(value: Value) -> int:
    """Return a known primitive as an index: ToIntegerOrInfinity, limited to the range of a length."""
    number = number_of(value)
    return 0 if math.isnan(number) else int(max(-(2**32), min(number, 2**32)))


def number_of(value: Value) -> float:
    """Return a known primitive as a number."""
    if isinstance(value, str):
        try:
            return float(value.strip() or 0)
        except ValueError:
            return math.nan
    return math.nan if value is UNDEFINED else float(value or 0)


def as_text(value: Value) -> str:
    """Return a known primitive as JavaScript prints it."""
    if value is UNDEFINED:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
    return str(value)


def is_primitive(value: Value) -> bool:
    return value is None or value is UNDEFINED or isinstance(value, (str, int, float))


def strictly_equal(left: Value, right: Value) -> bool:
    if is_primitive(left) and is_primitive(right):
        return type_of(left) == type_of(right) and left == right and (left is None) == (right is None)
    return left is right


def loosely_equal(left: Value, right: Value) -> bool:
    nothing = (None, UNDEFINED)
    if left in nothing or right in nothing:
        return left in nothing and right in nothing
    if is_primitive(left) and is_primitive(right) and type_of(left) != type_of(right):
        return as_text(left) == as_text(right)
    return strictly_equal(left, right)
