"""The version of a widget's stored data, beside its settings, and the version that a schema describes.

    {"free-shipping-bar": {"_version": 2, "from": 75}}

A schema of the version 2 has `"x-version": 2`. Data without a version have the first one, 1. Whatever writes data of a
later version also writes the version, in the same call, so no data can be taken for those of another version.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from awning.data_schema.schema_part import Json, SchemaPart

VERSION_KEYWORD: Final = "x-version"
VERSION_KEY: Final = "_version"
"""The key of a widget's data that has their version. Every schema allows it."""
FIRST: Final = 1
MIGRATION_FILE: Final = "data.migrate.ts"
"""The file of a widget whose function makes data of the schema's version of earlier ones."""
_DIGITS = re.compile(r"[0-9]{1,9}")


def schema_version(part: SchemaPart) -> int:
    """Return the version of the data that a widget's schema describes."""
    return _version(part.schema.get(VERSION_KEYWORD))


def data_version(own: Json) -> int:
    """Return the version of one widget's stored data."""
    return _version(own.get(VERSION_KEY)) if isinstance(own, Mapping) else FIRST


def earlier_parts(data: Json, app: SchemaPart) -> tuple[str, ...]:
    """Return the widgets whose stored data have an earlier version than the schema of the app data describes."""
    return _parts(data, app, lambda stored, wanted: stored < wanted)


def later_parts(data: Json, app: SchemaPart) -> tuple[str, ...]:
    """Return the widgets whose stored data have a later version than the schema of the app data describes."""
    return _parts(data, app, lambda stored, wanted: stored > wanted)


def with_version(own: Mapping[str, Json], version: int) -> dict[str, Json]:
    """Return one widget's data with their version."""
    settings = {name: value for name, value in own.items() if name != VERSION_KEY}
    return settings if version == FIRST else {VERSION_KEY: version, **settings}


def with_new_versions(data: Json, stored: Json, app: SchemaPart) -> Json:
    """Return app data in which the widgets that had stored nothing have the version of the schema."""
    if not isinstance(data, Mapping):
        return data
    new = {
        name: with_version(data[name], schema_version(part))
        for name, part in app.properties.items()
        if has_settings(data.get(name)) and isinstance(data[name], Mapping) and not _has_part(stored, name)
    }
    return {**data, **new}


def with_versions_of(stored: Json, data: Json, app: SchemaPart) -> Json:
    """Return app data in which each widget's part without a version has that of what is stored for the widget."""
    if not isinstance(data, Mapping):
        return data
    parts = {
        name: with_version(data[name], data_version(stored[name]))
        for name in app.properties
        if isinstance(data.get(name), Mapping) and VERSION_KEY not in data[name] and _has_part(stored, name)
    }
    return {**data, **parts}


def has_settings(own: Json) -> bool:
    """Return whether a widget's part of the app data holds anything."""
    return own not in (None, "", [], {})


def _has_part(stored: Json, name: str) -> bool:
    return isinstance(stored, Mapping) and has_settings(stored.get(name))


def _parts(data: Json, app: SchemaPart, differs: Callable[[int, int], bool]) -> tuple[str, ...]:
    if not isinstance(data, Mapping):
        return ()
    return tuple(
        name
        for name, part in app.properties.items()
        if has_settings(data.get(name)) and differs(data_version(data[name]), schema_version(part))
    )


def _version(value: Json) -> int:
    """Return the version that a value names. A client that has read `2` may write `2.0` or `"2"` back."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    is_whole = isinstance(value, float) and value.is_integer()
    is_number = is_whole or (isinstance(value, int) and not isinstance(value, bool))
    return int(value) if is_number and value > FIRST else FIRST
