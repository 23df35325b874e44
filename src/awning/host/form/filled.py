"""The whole form at once: what was posted, over what is stored.

Only what has a field is changed. Data that the form does not know (another version's, another tool's) stays.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from awning.data_schema import ABSENT, Problem
from awning.host.form.entry import read_entry
from awning.host.form.fields import Group, Path, fields_of

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """New data, and problems by the name of their field. With a problem the data is not for storing."""

    data: dict[str, Json]
    problems: Mapping[str, Problem]


def fill(form: Group, posted: Mapping[str, Sequence[str]], stored: Json) -> Filled:
    data: dict[str, Json] = deepcopy(stored) if isinstance(stored, dict) else {}
    problems: dict[str, Problem] = {}
    for field in fields_of(form):
        value = read_entry(field, posted.get(field.name, ()))
        if isinstance(value, Problem):
            problems[field.name] = value
        elif value is ABSENT:
            _drop(data, field.path)
        else:
            _put(data, field.path, value)
    return Filled(data=data, problems=problems)


def found_at(data: Json, path: Path) -> tuple[bool, Json]:
    """Whether there is a value at `path`, and which."""
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return False, None
        data = data[step]
    return True, data


def _put(data: dict[str, Json], path: Path, value: Json) -> None:
    for step in path[:-1]:
        inner = data.get(step)
        if not isinstance(inner, dict):
            inner = data[step] = {}
        data = inner
    data[path[-1]] = value


def _drop(data: dict[str, Json], path: Path) -> None:
    there, holder = found_at(data, path[:-1])
    if there and isinstance(holder, dict):
        holder.pop(path[-1], None)
