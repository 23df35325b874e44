"""Finds where data does not fit its schema, and why. It reports all values with a problem, each with its first one.

The values inside of a value with a problem are not checked.

The recursion follows the parts of the schema. So the depth of the schema limits it, not the depth of the data. Only
`identity`, which compares choices and the entries of a list, follows the data.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from awning.data_schema.keywords import is_number
from awning.data_schema.limits import identity, limit_problem
from awning.data_schema.patterns import Patterns
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
from awning.data_schema.versions import RESERVED_KEY, VERSION_KEY

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
