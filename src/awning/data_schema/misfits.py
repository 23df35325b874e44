"""Where data does not fit its schema, and why. Every place is looked at; the first reason at each is told.

A value is walked along its schema's parts, so the walk is as deep as the schema and never as deep as the data.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from awning.data_schema.defaults import default_of
from awning.data_schema.limits import identity, is_number, list_problem, number_problem, text_problem
from awning.data_schema.part import ABSENT, ANYTHING, Absent, Json, Part, Path
from awning.data_schema.problem import Problem

EVERY_WIDGET = {"enabled": Part(types=("boolean",))}
"""What the runtime itself reads of a widget's data, whatever the schema says (jsrc/runtime/data.ts)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """A value that does not fit: where it is, why, what it is. `part` is the schema of what would fit there."""

    path: Path
    problem: Problem
    part: Part
    value: Json | Absent = ABSENT
    known: tuple[str, ...] = field(default=())
    """Of a key that nothing reads: those that are read there."""


def app_misfits(data: Json, app: Part, *, partial: bool = False) -> Iterator[Misfit]:
    """Of the whole app data: one object, each widget's part under its name. `partial` as for `misfits`."""
    if not isinstance(data, Mapping):
        yield Misfit(path=(), problem=Problem(code="type"), part=app, value=data)
        return
    for name, value in data.items():
        if name in app.properties:
            yield from misfits(value, app.properties[name], path=(name,), partial=partial)
        else:
            yield _unknown((name,), app.properties, app)


def misfits(
    value: Json, part: Part, *, path: Path = (), partial: bool = False, top: bool = True
) -> Iterator[Misfit]:
    """Of one widget's data, or with `top=False` of a value in it.

    With `partial` a required key may be left out wherever the data lie over the defaults: a shop that has set nothing
    has none of these keys.
    """
    walk = _Walk(partial=partial)
    try:
        yield from walk.value(value, part, path, default_of(part), top=top)
    except RecursionError:
        yield Misfit(path=path, problem=Problem(code="deep"), part=part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    partial: bool

    def value(
        self, value: Json, part: Part, path: Path, default: Json | Absent, *, top: bool = False
    ) -> Iterator[Misfit]:
        """`default` is what the runtime lays under the value."""
        problem = _problem(value, part)
        if problem is not None:
            yield Misfit(path=path, problem=problem, part=part, value=value)
        elif isinstance(value, Mapping) and "object" in part.types:
            yield from self._object(value, part, path, default, top=top)
        elif isinstance(value, list) and part.items is not None and "array" in part.types:
            for index, item in enumerate(value):
                yield from self.value(item, part.items, (*path, index), ABSENT)

    def _object(
        self, value: Mapping[str, Json], part: Part, path: Path, default: Json | Absent, *, top: bool
    ) -> Iterator[Misfit]:
        under: Mapping[str, Any] = default if isinstance(default, Mapping) else {}
        known = part.properties if not top else {**EVERY_WIDGET, **part.properties}
        for name, inner in value.items():
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
                yield Misfit(path=(*path, name), problem=Problem(code="required"), part=wanted)


def _unknown(path: Path, known: Mapping[str, Part], part: Part) -> Misfit:
    return Misfit(path=path, problem=Problem(code="unknown"), part=part, known=tuple(known))


def _problem(value: Json, part: Part) -> Problem | None:
    if value is None:
        return None if part.nullable else Problem(code="type")
    if part.options is not None and identity(value) not in {identity(one.value) for one in part.options}:
        return Problem(code="choice")
    if not any(_IS[name](value) for name in part.types or _ANY):
        return Problem(code="type")
    return _limit_problem(value, part)


def _limit_problem(value: Json, part: Part) -> Problem | None:
    if isinstance(value, str):
        return text_problem(value, part.schema)
    if isinstance(value, list):
        return list_problem(value, part.schema)
    return number_problem(value, part.schema) if is_number(value) else None


_IS: Mapping[str, Callable[[Json], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
}
_ANY = tuple(_IS)
"""What is JSON at all: TOML also has dates, and numbers without an end."""
