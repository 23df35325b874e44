"""Finds where data that fit an earlier schema may not fit a later one: without a migration, such data stay as they are.

Words for people, defaults and new settings do not count, nor limits that only become wider. What cannot be decided,
such as two patterns, counts.
"""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from awning.data_schema.keywords import TYPES, bounds_of
from awning.data_schema.limits import SAFEST
from awning.data_schema.misfits import EVERY_WIDGET, misfits
from awning.data_schema.schema_part import ANYTHING, Json, Path, SchemaPart, default_of
from awning.data_schema.versions import schema_version

_FORMS = {"string": ("pattern", "format"), "array": ("uniqueItems",)}
"""The keywords about the form of a value, by its type. None is wider than another of the same keyword."""
_NUMBERS = {"number", "integer"}


def unversioned_changes(old: SchemaPart, new: SchemaPart) -> Iterator[Path]:
    """Yield the settings of which stored values may not fit the new schema of the app data, which has no new version.

    A widget that only one schema has does not count: nothing reads its data, or there are none.
    """
    for name in old.properties.keys() & new.properties.keys():
        before, after = old.properties[name], new.properties[name]
        if before.schema != after.schema and schema_version(before) == schema_version(after):
            yield from narrowed(before, after, (name,))


def narrowed(old: SchemaPart, new: SchemaPart, path: Path = ()) -> Iterator[Path]:
    """Yield the paths at which a value that fits `old` may not fit `new`."""
    if old.options is not None:
        values = [option.value for option in old.options] + [None] * old.nullable
        if any(misfit for value in values for misfit in misfits(value, new, top=False)):
            yield path
        return
    if _has_fewer_values(old, new):
        yield path
        return
    if "object" in old.types:
        yield from _narrowed_keys(old, new, path)
    if new.items is not None and "array" in old.types:
        yield from narrowed(old.items or ANYTHING, new.items, path)


def _narrowed_keys(old: SchemaPart, new: SchemaPart, path: Path) -> Iterator[Path]:
    for name, part in old.properties.items():
        other = new.properties.get(name, new.others)
        if other is None:
            is_switch = len(path) == 1 and name in EVERY_WIDGET
            yield from () if is_switch else [(*path, name)]
        else:
            yield from narrowed(part, other, (*path, name))
    default = default_of(new)
    has_default = default.keys() if isinstance(default, Mapping) else ()
    yield from ((*path, name) for name in sorted(new.required - old.required - {*has_default}))
    if old.others is None:
        return
    if new.others is None:
        yield path
    else:
        yield from narrowed(old.others, new.others, path)


def _has_fewer_values(old: SchemaPart, new: SchemaPart) -> bool:
    """Return whether the new part allows fewer types, numbers, lengths, or forms of a text or a list."""
    if new.options is not None or (old.nullable and not new.nullable):
        return True
    types = set(old.types or TYPES)
    if new.types and not types <= {*new.types, *_NUMBERS, "null"}:
        return True
    if any(
        _has_another_form(old.schema, new.schema, keyword)
        for kind in types
        for keyword in _FORMS.get(kind, ())
    ):
        return True
    kinds = {"number" if kind in _NUMBERS else kind for kind in types}
    return any(not _amounts(new, kind).hold(_amounts(old, kind)) for kind in kinds)


def _has_another_form(old: Mapping[str, Json], new: Mapping[str, Json], keyword: str) -> bool:
    return bool(new.get(keyword)) and new[keyword] != old.get(keyword)


class _Amounts(NamedTuple):
    """The numbers from `low` to `high` that are multiples of `step`; without a step, all of them.

    The second value of an end is 0. Where the end itself does not count, it is 1 for `low` and -1 for `high`. With a
    step, and with a single number, the ends count. There is no number when `low` is greater than `high`.
    """

    low: tuple[Fraction, int]
    high: tuple[Fraction, int]
    step: Fraction | None = None

    def hold(self, other: "_Amounts") -> bool:
        """Return whether all numbers of `other` are in these."""
        if other.low > other.high:
            return True
        is_single = other.low == other.high
        step = other.low[0] if is_single else other.step
        has_steps = self.step is None or (step is not None and step % self.step == 0)
        return has_steps and self.low <= other.low and self.high >= other.high


_NONE = _Amounts((Fraction(1), 0), (Fraction(0), 0))
"""No number: the least is above the greatest."""


def _amounts(part: SchemaPart, kind: str) -> _Amounts:
    """Return the numbers that a part allows, or the lengths of values of another type."""
    low, high = (Fraction(-SAFEST if kind == "number" else 0), 0), (Fraction(SAFEST), 0)
    steps = [] if kind == "number" and (not part.types or "number" in part.types) else [Fraction(1)]
    for name, limit, value in bounds_of(part.schema, kind):
        end = Fraction(str(value))
        if name == "multipleOf":
            steps += [end] if end > 0 else []
        elif limit.side == "low" or name == "exclusiveMinimum":
            low = max(low, (end, int(limit.side is None)))
        else:
            high = min(high, (end, -int(limit.side is None)))
    if kind == "number" and part.types and not _NUMBERS.intersection(part.types):
        return _NONE
    if not steps:
        return _Amounts(low, high)
    step = Fraction(
        math.lcm(*(step.numerator for step in steps)), math.gcd(*(step.denominator for step in steps))
    )
    first, last = math.ceil(low[0] / step) * step, math.floor(high[0] / step) * step
    first += step if (first, 0) < low else 0
    last -= step if (last, 0) > high else 0
    return _Amounts((first, 0), (last, 0), step)
