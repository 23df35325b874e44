"""Checks the limits that a JSON Schema has for numbers, texts and lists. Each check returns the first problem, or None.

No validator library is used: a form shows one sentence per field in the shop owner's language, and finds it by the code
of the problem.
"""

import re
from collections.abc import Callable, Hashable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from awning.data_schema.patterns import Match, Patterns, pattern_fault
from awning.data_schema.schema_part import ValueProblem

Json = Any
Schema = Mapping[str, Any]

SAFEST = 2**53 - 1
"""The largest whole number that JavaScript numbers represent safely (`Number.MAX_SAFE_INTEGER`)."""
MATCHED = 2000
"""The maximum length of a text that is matched with a pattern. A longer text is a misfit.

Even `\\s+$` takes quadratic time: for a longer text, an ordinary pattern would run out of time.
"""
_NOT_IN_ADDRESSES = re.compile(r"[\s\x00-\x1f\x7f<>\"\\]")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?", re.ASCII)
_WITH_ZONE = re.compile(r".*:\d\d:\d\d(\.\d+)?([Zz]|[+-].*)", re.DOTALL)
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def number_problem(value: float, schema: Schema) -> ValueProblem | None:
    """Check `SAFEST`, minimum, maximum, their exclusive forms, and multipleOf."""
    if abs(value) > SAFEST:
        return ValueProblem(code="too-large")
    exact = Decimal(str(value))
    for keyword, code, holds in _BOUNDS:
        bound = schema.get(keyword)
        if is_number(bound) and not holds(exact, Decimal(str(bound))):
            return ValueProblem(code=code, named={"limit": shown_number(bound)})
    step = schema.get("multipleOf")
    if is_number(step) and step > 0 and Fraction(exact) % Fraction(str(step)) != 0:
        return ValueProblem(code="step", named={"limit": shown_number(step)})
    return None


def text_problem(value: str, schema: Schema, patterns: Patterns) -> ValueProblem | None:
    """Check minLength, maxLength, pattern and format. With a pattern, a text may have `MATCHED` characters at most."""
    least, most = _count(schema, "minLength") or 0, _count(schema, "maxLength")
    if len(value) < least:
        return ValueProblem(code="short", named={"limit": str(least)})
    if most is not None and len(value) > most:
        return ValueProblem(code="long", named={"limit": str(most), "count": str(len(value))})
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and (problem := _pattern_problem(value, pattern, patterns)):
        return problem
    name = str(schema.get("format", ""))
    check = FORMATS.get(name)
    return ValueProblem(code=f"format-{name}") if check and not check(value) else None


def list_problem(values: list[Json], schema: Schema) -> ValueProblem | None:
    """Check minItems, maxItems and uniqueItems."""
    least, most = _count(schema, "minItems") or 0, _count(schema, "maxItems")
    if len(values) < least:
        return ValueProblem(code="few", named={"limit": str(least)})
    if most is not None and len(values) > most:
        return ValueProblem(code="many", named={"limit": str(most)})
    if schema.get("uniqueItems"):
        seen: set[Hashable] = set()
        for place, value in enumerate(values):
            key = identity(value)
            if key in seen:
                return ValueProblem(code="twice").at(place + 1)
            seen.add(key)
    return None


def shown_number(value: float) -> str:
    """Return a number as text. A whole number has no `.0`."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def is_number(value: Json) -> TypeGuard[float]:
    """Return whether the value is a JSON number. Booleans, infinity and NaN are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0


def identity(value: Json) -> Hashable:
    """Return a key that is equal for equal JSON values: 1 equals 1.0, but not "1" or true.

    Raises RecursionError when the value is nested too deeply.
    """
    match value:
        case bool():
            return ("boolean", value)
        case list():
            return ("array", tuple(identity(item) for item in value))
        case Mapping():
            return ("object", frozenset((name, identity(inner)) for name, inner in value.items()))
    return value if isinstance(value, str | int | float | None) else str(value)


def _count(schema: Schema, keyword: str) -> int | None:
    value = schema.get(keyword)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _pattern_problem(value: str, pattern: str, patterns: Patterns) -> ValueProblem | None:
    if pattern_fault(pattern) is not None:
        return None
    if len(value) > MATCHED:
        return ValueProblem(code="long", named={"limit": str(MATCHED), "count": str(len(value))})
    match patterns.match(pattern, value):
        case Match.NO:
            return ValueProblem(code="pattern")
        case Match.SLOW:
            return ValueProblem(code="slow")
    return None


def _is_uri(value: str) -> bool:
    try:
        parts = urlsplit(value)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        return has_host and not _NOT_IN_ADDRESSES.search(value)
    except ValueError:
        return False


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_time(value: str) -> bool:
    """Return whether a text is a time such as `10:30`, with or without seconds and an offset from UTC.

    JSON Schema requires seconds and an offset, which the opening hours of a shop do not have.
    """
    return _TIME.fullmatch(value) is not None


def _is_date_time(value: str) -> bool:
    """Return whether a text is a date and a time with seconds and an offset from UTC (RFC 3339)."""
    day, mark, time = value[:10], value[10:11], value[11:]
    return _is_date(day) and mark in ("T", "t") and _is_time(time) and _WITH_ZONE.fullmatch(value) is not None


_BOUNDS: tuple[tuple[str, str, Callable[[Decimal, Decimal], bool]], ...] = (
    ("minimum", "minimum", lambda value, bound: value >= bound),
    ("exclusiveMinimum", "above", lambda value, bound: value > bound),
    ("maximum", "maximum", lambda value, bound: value <= bound),
    ("exclusiveMaximum", "below", lambda value, bound: value < bound),
)
FORMATS: Mapping[str, Callable[[str], bool]] = {
    "email": lambda value: _EMAIL.fullmatch(value) is not None,
    "uri": _is_uri,
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_date_time,
    "color": lambda value: _COLOUR.fullmatch(value) is not None,
}
