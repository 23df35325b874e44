"""Checks the limits that a JSON Schema has for numbers, texts and lists. Each check returns the first problem, or None.

No validator library is used: a form shows one sentence per field in the shop owner's language, and finds it by the code
of the problem.
"""

from collections.abc import Hashable, Mapping
from decimal import Decimal
from typing import Any

from awning.data_schema.keywords import bounds_of, is_number
from awning.data_schema.patterns import Match, Patterns, pattern_fault
from awning.data_schema.schema_part import ValueProblem
from awning.data_schema.value_formats import format_of

Json = Any
Schema = Mapping[str, Any]

SAFEST = 2**53 - 1
"""The largest whole number that JavaScript numbers represent safely (`Number.MAX_SAFE_INTEGER`)."""
MATCHED = 2000
"""The maximum length of a text that is matched with a pattern. A longer text is a misfit.

Even `\\s+$` takes quadratic time: for a longer text, an ordinary pattern would run out of time.
"""


def limit_problem(value: Json, schema: Schema, patterns: Patterns) -> ValueProblem | None:
    """Check the limits that the schema has for a value of this type."""
    match value:
        case str():
            return text_problem(value, schema, patterns)
        case list():
            return list_problem(value, schema)
        case Mapping():
            return _bound_problem(len(value), "object", schema)
    return number_problem(value, schema) if is_number(value) else None


def number_problem(value: float, schema: Schema) -> ValueProblem | None:
    """Check `SAFEST` and the limits of numbers."""
    return ValueProblem(code="too-large") if abs(value) > SAFEST else _bound_problem(value, "number", schema)


def text_problem(value: str, schema: Schema, patterns: Patterns) -> ValueProblem | None:
    """Check the length, the pattern and the format. With a pattern, a text may have `MATCHED` characters at most."""
    if problem := _bound_problem(len(value), "string", schema):
        return problem
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and (problem := _pattern_problem(value, pattern, patterns)):
        return problem
    row = format_of(schema)
    return ValueProblem(code=f"format-{row.name}") if row and row.fits and not row.fits(value) else None


def list_problem(values: list[Json], schema: Schema) -> ValueProblem | None:
    """Check the length of a list, and uniqueItems."""
    if problem := _bound_problem(len(values), "array", schema):
        return problem
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


def _bound_problem(measure: float, kind: str, schema: Schema) -> ValueProblem | None:
    """Check a number, or the length of a value of another type."""
    exact = Decimal(str(measure))
    for _, limit, bound in bounds_of(schema, kind):
        if not limit.holds(exact, Decimal(str(bound))):
            named = {"limit": shown_number(bound), "count": shown_number(measure)}
            return ValueProblem(code=limit.problem, named=named)
    return None


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
