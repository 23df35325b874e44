"""What throws without a `throw`: reading from nothing, calling what is no function, names that are not declared.

Only what `try` guards is asked about where it is not certain: elsewhere an exception ends the callback, and breaks no
rule. What the payload's fields can be is the contract's (`contract.payloads`); other unknown values are taken for
something, unless the way they were come by says that there may be nothing, as `querySelector` does.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache

from awning.check.page.browser_names import GLOBALS, SAFE_CONSTRUCTORS, SAFE_FUNCTIONS, SAFE_METHODS
from awning.check.page.run import Run, Thrown
from awning.check.page.values import UNDEFINED, Func, Obj, Sym, Value
from awning.contract import payloads

NULLABLE_RESULTS = frozenset({
    "querySelector", "getElementById", "closest", "find", "findLast", "match", "exec", "getItem", "getAttribute",
    "pop", "shift", "at", "namedItem", "elementFromPoint", "getContext",
})  # fmt: skip
NULLABLE_PROPERTIES = frozenset({
    "firstChild", "firstElementChild", "lastChild", "lastElementChild", "nextSibling", "nextElementSibling",
    "previousSibling", "previousElementSibling", "parentElement", "activeElement", "currentScript", "offsetParent",
})  # fmt: skip
_ROOTS = {
    "item": "Item", "page": "Page", "cartData": "CartData", "currency": "Currency", "selectedVariant": "Variant",
}  # fmt: skip
_STEP = re.compile(r"\.([\w$]+)|\[(\d+)\]")
_RESULT = re.compile(r"\.([\w$]+)\((?:[^()]|\([^()]*\))*\)(?:#\d+)?\Z")
_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z")
MOST_DIGITS = 100


def is_something(value: Value) -> bool:
    return value is not None and value is not UNDEFINED


def is_not_null(value: Value) -> bool:
    return value is not None


def is_declared(value: Value) -> bool:
    return value is not UNDEFINED


def error(run: Run) -> Thrown:
    return Thrown(run.symbol("error"))


def require_something(run: Run, value: Value) -> None:
    """Of a value whose property is read or written, or that is taken apart. Raises Thrown."""
    if value is None or value is UNDEFINED:
        raise error(run)
    if not is_present(run, value):
        raise error(run)


def is_present(run: Run, value: Value) -> bool:
    """Whether there is something in this run. Of what is not known, that is asked in `try` alone."""
    if not isinstance(value, Sym):
        return is_something(value)
    if not run.guarded or not may_be_nothing(value):
        return True
    return run.choices.holds(value, _presence(value.key))


def _presence(key: str) -> Callable[[Value], bool]:
    """What is to be asked of it: `!== null` is all that a field asks for that may be null, and never undefined."""
    types = types_of(key)
    if (_NAME.match(key) and types is None) or (types and "null" not in types):
        return is_declared
    return is_not_null if types and "undefined" not in types else is_something


def require_iterable(run: Run, value: Value) -> None:
    """Of what `...`, `for`-`of` and `[a, b] =` go over. Raises Thrown."""
    require_something(run, value)
    if isinstance(value, (int, float, Func)) or (isinstance(value, Obj) and not _iterates(value)):
        raise error(run)


def _iterates(owner: Obj | None) -> bool:
    while owner is not None:
        if owner.kind != "object" or any("Symbol.iterator" in key for key in owner.props):
            return True
        owner = owner.proto
    return False


def require_declared(run: Run, name: str) -> None:
    """Of a name that no scope has. Raises Thrown."""
    known = name in GLOBALS or name.startswith(("this", "super", "arguments", "__"))
    if run.guarded and not known and not run.choices.holds(Sym(name), is_declared):
        raise error(run)


@lru_cache(maxsize=4096)
def _nothing(key: str) -> bool:
    types = types_of(key)
    if types is not None:
        return bool(types & {"null", "undefined"})
    if _NAME.match(key):
        return key not in GLOBALS
    if (result := _RESULT.search(key)) is not None:
        return result[1] in NULLABLE_RESULTS
    return key.rpartition(".")[2] in NULLABLE_PROPERTIES


def may_be_nothing(symbol: Sym) -> bool:
    """Whether it may be null or undefined."""
    return symbol.view is None and not symbol.text and _nothing(symbol.key)


@lru_cache(maxsize=4096)
def types_of(key: str) -> frozenset[str] | None:
    """What a path into the payload, `item.variants.0.price`, can be; None of what is no such path."""
    root = re.match(r"[\w$]+", key)
    if root is None or root[0] not in _ROOTS:
        return None
    types = frozenset({"object", "null"} if root[0] == "selectedVariant" else {"object"})
    record: str | None = _ROOTS[root[0]]
    at = root.end()
    while at < len(key):
        step = _STEP.match(key, at)
        if step is None:
            return None
        at = step.end()
        types, record = _inside(types, record, step[1] or step[2], exists=step[1] is None)
        if not types:
            return None
    return types


def _inside(
    types: frozenset[str], record: str | None, name: str, *, exists: bool
) -> tuple[frozenset[str], str | None]:
    """Of a property: what it can be, and its record. No types where nothing is known."""
    if "array" in types:
        if name.isdecimal():
            return frozenset({"object"} if exists else {"object", "undefined"}), record
        return frozenset({"number"} if name == "length" else ()), None
    if "object" not in types or record is None:
        return frozenset({"number"} if name == "length" else ()), None
    for field in payloads.RECORDS[record]:
        if field.name == name:
            return frozenset(field.types), field.record
    return frozenset(), None


def holds_text_or_number(value: Value) -> bool:
    """Whether it is a primitive for sure: `in` throws with one on its right."""
    if isinstance(value, Sym):
        types = types_of(value.key)
        return value.text or bool(types and types <= {"string", "number", "null"})
    return not isinstance(value, Obj) and (
        value is None or value is UNDEFINED or isinstance(value, (str, int, float))
    )


def call_may_throw(name: str, args: list[Value]) -> bool:
    """Whether a function that is not here can throw, by its name and what it is given."""
    if name.startswith("new ") and "(" not in name:
        return name[4:] not in SAFE_CONSTRUCTORS and not (name == "new URL" and _is_address(args))
    if name == "JSON.parse":
        return not _is_json(args[0] if args else UNDEFINED)
    last = name.rpartition(".")[2]
    if last in {"toFixed", "toPrecision", "toString"} and args:
        return not (isinstance(args[0], int) and 0 <= args[0] <= MOST_DIGITS)
    return name not in SAFE_FUNCTIONS and not ("." in name and last in SAFE_METHODS)


def _is_address(args: list[Value]) -> bool:
    first = args[-1] if args else None
    return isinstance(first, str) and re.match(r"https?://[\w.-]+(?:[:/?#]|\Z)", first) is not None


def _is_json(text: Value) -> bool:
    if not isinstance(text, str):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
