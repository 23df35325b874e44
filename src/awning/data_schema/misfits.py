"""Finds where data does not fit its schema, and why. It reports all values with a problem, each with its first one.

The values inside of a value with a problem are not checked.

The recursion follows the parts of the schema. So the depth of the schema limits it, not the depth of the data. Only
`identity`, which compares choices and the entries of a list, follows the data.

`unversioned_changes` finds where data that fit an earlier schema may not fit a later one: without a migration, such
data stay as they are. Words for people, defaults and new settings do not count, nor limits that only become wider. What
cannot be decided, such as two patterns, counts.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from awning.data_schema.keywords import TYPES, bounds_of, is_number
from awning.data_schema.limits import SAFEST, identity, limit_problem
from awning.data_schema.patterns import Patterns
from awning.data_schema.reserved_key import RESERVED_KEY
from awning.data_schema.schema_part import (
    ABSENT,
    ANYTHING,
    Absent,
    Json,
    Path,
    SchemaPart,
    ValueProblem,
    default_of,
)
from awning.data_schema.versions import VERSION_KEY, schema_version

EVERY_WIDGET = {"enabled": SchemaPart(types=("boolean",))}
"""The keys that the runtime reads from every widget's data. All schemas allow them (jsrc/runtime/data.ts)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """A value that does not fit the schema `part`.

    `value` is ABSENT for a missing or an unknown key, and for data that are nested too deeply.
    """

    path: Path
    problem: ValueProblem
    part: SchemaPart
    value: Json | Absent = ABSENT
    known: tuple[str, ...] = field(default=())
    """For an unknown key, the known keys of the same object; else empty."""


def app_misfits(data: Json, app: SchemaPart, *, partial: bool = False) -> Iterator[Misfit]:
    """Yield the misfits of the whole app data: an object with each widget's part under its name.

    The reserved key is not checked, because it belongs to no widget and has no schema.
    """
    if not isinstance(data, Mapping):
        yield Misfit(path=(), problem=ValueProblem(code="type"), part=app, value=data)
        return
    for name, value in data.items():
        if name in app.properties:
            yield from misfits(
                settings_in(value, app, name), app.properties[name], path=(name,), partial=partial
            )
        elif name != RESERVED_KEY:
            yield _unknown((name,), app.properties, app)


def settings_in(value: Json, app: SchemaPart, name: str) -> Json:
    """Return a widget's part of the app data, with an empty object for an empty list.

    The runtime reads it so, too: PHP makes an empty list of an empty object. Without a schema, no part is a list.
    """
    is_list = name in app.properties and "array" in app.properties[name].types
    return {} if value == [] and not is_list else value


def misfits(
    value: Json, part: SchemaPart, *, path: Path = (), partial: bool = False, top: bool = True
) -> Iterator[Misfit]:
    """Yield the misfits of one widget's data, or with `top=False` of a value inside it.

    With `partial`, a required key may be missing in an object that the runtime fills with defaults, because a shop that
    has set nothing has none of these keys.
    """
    checker = _Checker(partial=partial)
    try:
        yield from checker.value(value, part, path, default_of(part), top=top)
    except RecursionError:
        yield Misfit(path=path, problem=ValueProblem(code="deep"), part=part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checker:
    partial: bool
    patterns: Patterns = field(default_factory=Patterns)

    def value(
        self, value: Json, part: SchemaPart, path: Path, default: Json | Absent, *, top: bool = False
    ) -> Iterator[Misfit]:
        """Yield the misfits of a value. `default` is the default that the runtime merges with the value."""
        problem = _problem(value, part, self.patterns)
        if problem is not None:
            yield Misfit(path=path, problem=problem, part=part, value=value)
        elif isinstance(value, Mapping) and "object" in part.types:
            yield from self._object(value, part, path, default, top=top)
        elif isinstance(value, list) and part.items is not None and "array" in part.types:
            for index, item in enumerate(value):
                yield from self.value(item, part.items, (*path, index), ABSENT)

    def _object(
        self, value: Mapping[str, Json], part: SchemaPart, path: Path, default: Json | Absent, *, top: bool
    ) -> Iterator[Misfit]:
        under: Mapping[str, Any] = default if isinstance(default, Mapping) else {}
        known = part.properties if not top else {**EVERY_WIDGET, **part.properties}
        for name, inner in value.items():
            if top and name == VERSION_KEY:
                continue
            if name in known:
                yield from self.value(inner, known[name], (*path, name), under.get(name, ABSENT))
            elif part.others is None:
                yield _unknown((*path, name), known, part)
            else:
                yield from self.value(inner, part.others, (*path, name), ABSENT)
        laid = top or isinstance(default, Mapping)
        for name in sorted(part.required - value.keys() - under.keys()):
            if not (self.partial and laid):
                wanted = part.properties.get(name, ANYTHING)
                yield Misfit(path=(*path, name), problem=ValueProblem(code="required"), part=wanted)


def _unknown(path: Path, known: Mapping[str, SchemaPart], part: SchemaPart) -> Misfit:
    return Misfit(path=path, problem=ValueProblem(code="unknown"), part=part, known=tuple(known))


def _problem(value: Json, part: SchemaPart, patterns: Patterns) -> ValueProblem | None:
    if value is None:
        return None if part.nullable else ValueProblem(code="type")
    if part.options is not None and identity(value) not in {
        identity(option.value) for option in part.options
    }:
        return ValueProblem(code="choice")
    if not any(_IS[name](value) for name in part.types or _ANY):
        return ValueProblem(code="type")
    return limit_problem(value, part.schema, patterns)


_IS: Mapping[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
}
_ANY = tuple(_IS)
"""The names of all types that a value can have, except null."""


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
