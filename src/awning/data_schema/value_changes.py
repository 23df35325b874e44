"""What a write of app data changes, which values differ between two states, and how to take a change back.

The service stores one text or object for each shop, with all widgets' settings, and others may write beside a change.

Objects are compared key by key; a list is one value. The reserved key is left out, because only `awning publish
disable` and `enable` change it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awning.data_schema.limits import identity
from awning.data_schema.reserved_key import keep_reserved, without_reserved
from awning.data_schema.schema_part import ABSENT, Absent, Json, Path, merge_values

WHOLE: Path = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueChange:
    """One value that differs. The path is empty for data that are not objects; ABSENT is a value that is not there."""

    path: Path
    old: Json | Absent
    new: Json | Absent


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """App data with a change taken back. `changed_since` are the paths that somebody else has changed since."""

    wanted: Json
    changed_since: tuple[Path, ...]


def value_changes(old: Json, new: Json) -> Iterator[ValueChange]:
    """Yield the values in which two states of app data differ, without the reserved key."""
    old, new = without_reserved(old), without_reserved(new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _in_objects(old, new, ())
    elif not are_same(old, new):
        yield ValueChange(path=WHOLE, old=old, new=new)


def are_same(first: Json | Absent, other: Json | Absent) -> bool:
    """Return whether two JSON values are equal: 1 equals 1.0, but not true. Values nested too deeply are not."""
    if first is ABSENT or other is ABSENT:
        return first is other
    try:
        return identity(first) == identity(other)
    except RecursionError:
        return False


def value_at(data: Json, path: Path) -> Json | Absent:
    """Return the value at a path of object keys; ABSENT when there is none."""
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return ABSENT
        data = data[step]
    return data


def take_back(current: Json, writes: Sequence[tuple[Json, Json]]) -> TakenBack:
    """Return `current` with writes taken back: of each write the data before and after it, oldest first.

    Each write takes back only what it changed itself, the newest first, so what others changed between two writes
    stays. A value that is neither as it was before a write nor as it was written is in `changed_since`, and still
    becomes what it was before: the caller decides.
    """
    wanted, reserved = _copy(without_reserved(current)), current
    changed: dict[Path, None] = {}
    for before, after in reversed(writes):
        for change in list(value_changes(before, after)):
            is_whole = change.path == WHOLE or not isinstance(wanted, dict)
            path = WHOLE if is_whole else change.path
            old, new = (before, after) if is_whole else (change.old, change.new)
            now = wanted if is_whole else value_at(wanted, path)
            if are_same(now, without_reserved(old)):
                continue
            if not are_same(now, without_reserved(new)):
                changed[path] = None
            if is_whole:
                reserved = reserved if isinstance(reserved, Mapping) else before
                wanted = _copy(without_reserved(before))
            else:
                _put(wanted, path, old, before)
    return TakenBack(wanted=_keeping(wanted, reserved), changed_since=tuple(changed))


def _in_objects(old: Mapping[str, Json], new: Mapping[str, Json], path: Path) -> Iterator[ValueChange]:
    for name in (*old, *(name for name in new if name not in old)):
        at = (*path, name)
        before, after = old.get(name, ABSENT), new.get(name, ABSENT)
        inner = [value if isinstance(value, Mapping) else {} for value in (before, after)]
        is_object = [isinstance(value, Mapping) or value is ABSENT for value in (before, after)]
        if all(is_object) and any(inner):
            yield from _in_objects(inner[0], inner[1], at)
        elif not are_same(before, after):
            yield ValueChange(path=at, old=before, new=after)


def _keeping(data: Json, stored: Json) -> Json:
    return keep_reserved(data, stored) if isinstance(data, Mapping) else data


def _copy(value: Json) -> Json:
    """Return a copy with new objects. Lists are shared, because they are replaced whole."""
    return {name: _copy(inner) for name, inner in value.items()} if isinstance(value, Mapping) else value


def _put(data: dict[str, Any], path: Path, value: Json | Absent, before: Json) -> None:
    """Set the value at a path, or remove it if it is ABSENT, with the objects around it that `before` did not have."""
    parents: list[dict[str, Any]] = [data]
    for step in path[:-1]:
        inner = parents[-1].get(str(step))
        if not isinstance(inner, dict):
            if value is ABSENT:
                return
            inner = parents[-1][str(step)] = {}
        parents.append(inner)
    if value is not ABSENT:
        parents[-1][str(path[-1])] = value
        return
    for depth in range(len(path) - 1, -1, -1):
        parents[depth].pop(str(path[depth]), None)
        if parents[depth] or value_at(before, path[:depth]) is not ABSENT:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class DataChange:
    """`wanted` is what is stored after the change. `checked` is the part of it that the change is about.

    `lost` are the paths of stored settings that are then gone, `staying` of those that the change does not name. The
    empty path is that of a text.
    """

    wanted: Json
    checked: Json
    lost: tuple[Path, ...]
    staying: tuple[Path, ...]


def change_of(stored: Json, data: Json, *, alone: bool) -> DataChange:
    """Return the change from `stored` to `data`. Two objects are merged, unless `data` are stored alone.

    A merge is about the widgets that `data` names.
    """
    if alone or not isinstance(data, Mapping) or not isinstance(stored, Mapping):
        return DataChange(wanted=data, checked=data, lost=tuple(_lost(stored, data)), staying=())
    wanted = merge_values(stored, data)
    return DataChange(
        wanted=wanted,
        checked={widget: wanted[widget] for widget in data},
        lost=tuple(_lost(stored, wanted)),
        staying=tuple(_lost(stored, data)),
    )


def _lost(stored: Json, wanted: Json) -> Iterator[Path]:
    """Yield the paths of the stored settings that `wanted` lacks. Settings of the reserved key are nobody's."""
    stored = without_reserved(stored)
    if isinstance(stored, Mapping):
        yield from _missing(stored, wanted, ())
    elif isinstance(wanted, Mapping) and stored not in ("", None, []):
        yield ()


def _missing(stored: Mapping[str, Json], wanted: Json, path: Path) -> Iterator[Path]:
    """Yield the paths of an object's values that `wanted` lacks. A value that becomes another one is not missing."""
    for name, value in stored.items():
        at = (*path, name)
        if not isinstance(wanted, Mapping) or name not in wanted:
            yield at
        elif isinstance(value, Mapping):
            yield from _missing(value, wanted[name], at)
