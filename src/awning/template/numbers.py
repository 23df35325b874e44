"""Decides which numbers are integers. `isInteger` of jsrc/runtime/template/thing.ts is the same rule in the browser.

JavaScript has one kind of number. So a whole number between -1e16 and 1e16 is an int here, and any other number is a
float. `str`, `repr`, `json.dumps` and `%s` then print whole numbers without `.0`, and others as the repr of the double.
"""

import math
from typing import Any

FIRST_EXPONENT = 1e16
"""Python's repr of a double has an exponent from this number on."""


def canonical(value: Any) -> Any:
    """Return a number rounded to a double; anything else unchanged.

    The double becomes an int if it is whole and between -1e16 and 1e16. Raises OverflowError when an integer is too
    large for a double.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    double = float(value)
    if math.isfinite(double) and double == math.floor(double) and abs(double) < FIRST_EXPONENT:
        return int(double)
    return double


def number_literal(value: float) -> str:
    """Return a number as JavaScript source. Raises OverflowError when an integer is too large for a double."""
    number = canonical(value)
    if isinstance(number, float) and not math.isfinite(number):
        return "Infinity"
    return repr(number)


INDEX_LIMIT = 2**32 - 1


def index_of(key: Any) -> int | None:
    """Return a key that is an array index (`7`, `"7"`) as an integer; None for any other key.

    JavaScript iterates indices before other keys.
    """
    if isinstance(key, bool):
        return None
    if isinstance(key, int):
        return key if 0 <= key < INDEX_LIMIT else None
    if isinstance(key, str) and key.isascii() and key.isdigit() and (key == "0" or key[0] != "0"):
        return int(key) if int(key) < INDEX_LIMIT else None
    return None


def ordered(mapping: dict[Any, Any]) -> dict[Any, Any]:
    """Return a mapping in JavaScript's order: array indices first, ascending, then the other keys as added."""
    indices = sorted(
        (key for key in mapping if index_of(key) is not None), key=lambda key: index_of(key) or 0
    )
    rest = [key for key in mapping if index_of(key) is None]
    return {key: mapping[key] for key in [*indices, *rest]}


def as_javascript_holds_it(value: Any) -> Any:
    """Return a copy of a JSON value, with numbers and mappings as in JavaScript.

    Raises OverflowError when an integer is too large for a double.
    """
    if isinstance(value, dict):
        return ordered({key: as_javascript_holds_it(item) for key, item in value.items()})
    if type(value) in {list, tuple}:
        return type(value)(as_javascript_holds_it(item) for item in value)
    return canonical(value)
