"""Finds where data that fit an earlier schema may not fit a later one: without a migration, such data stay as they are.

Words for people, defaults and new settings do not count, nor limits that only become wider. What cannot be decided,
such as two patterns, counts.
"""

from collections.abc import Iterator, Mapping

from awning.data_schema.defaults import default_of
from awning.data_schema.keywords import COUNT, KEYWORDS
from awning.data_schema.misfits import EVERY_WIDGET, misfits
from awning.data_schema.schema_part import ANYTHING, Json, Path, SchemaPart
from awning.data_schema.versions import schema_version

_FORMS = ("pattern", "format")
"""The keywords about the form of a text, of which none is wider than another."""


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
    if _has_fewer_values(old, new) or any(_is_narrower(row, old.schema, new.schema) for row in KEYWORDS):
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
    if old.nullable and not new.nullable:
        return True
    if new.options is not None:
        return True
    wider = {*new.types, *(("integer",) if "number" in new.types else ())}
    return bool(new.types) and (not old.types or not wider.issuperset(old.types))


def _is_narrower(keyword: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    """Return whether a limit, or the form of a text, lets fewer values through than before."""
    row = KEYWORDS[keyword]
    before, after = old.get(keyword), new.get(keyword)
    if after is None or before == after:
        return False
    if keyword in _FORMS:
        return True
    if keyword == "uniqueItems":
        return after is True
    if row.limit is None or not row.value.fits(after):
        return False
    if before is None and row.limit.side == "low" and row.value is COUNT:
        before = 0
    if row.limit.side is None or before is None or not row.value.fits(before):
        return True
    return bool(after > before) if row.limit.side == "low" else bool(after < before)
