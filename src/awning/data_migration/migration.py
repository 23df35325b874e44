"""The migrations of one build: what becomes of a shop's app data, or why they cannot be brought to its version."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from awning.data_migration.engine import MigrationEngine, MigrationFailed
from awning.data_schema import (
    SchemaPart,
    data_version,
    earlier_parts,
    later_parts,
    misfits,
    schema_version,
    sentence_for,
    with_version,
)
from awning.data_schema.misfits import EVERY_WIDGET
from awning.data_schema.versions import FIRST, MIGRATION_FILE
from awning.diagnostics import Diagnostic, Place

LEAST = {"enabled": False}
"""What a shop holds that has only switched the widget off. Any setting of a shop may be missing."""
STAYS = (
    "any setting of a shop may be missing; a shop for which the function fails keeps the old code and data"
)
LATER = '"{}" has data of version {}, and this code reads version {}'
NO_FUNCTION = '"{}" has data of version {}, and this release has no ' + MIGRATION_FILE + " for it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """App data of the wanted version, and the widgets whose part was migrated."""

    data: Mapping[str, Any] = field(repr=False)
    widgets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmigrated:
    """Why app data cannot be migrated. `place` is the author's line, if that is known."""

    message: str
    place: Place | None = None

    @property
    def reason(self) -> str:
        """The message, with the author's line."""
        return f"{self.message} ({self.place})" if self.place else self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class DataMigration:
    """The schema of one build's app data, and the functions that make them of earlier ones.

    `engine` is None when no widget has such a function.
    """

    schema: SchemaPart
    engine: MigrationEngine | None = None
    widgets: frozenset[str] = frozenset()
    """The widgets that have a function."""

    @property
    def is_versioned(self) -> bool:
        """Whether the schema describes a later version than the first of any widget's data."""
        return any(schema_version(part) > FIRST for part in self.schema.properties.values())

    def of(self, stored: Any) -> Migrated | Unmigrated | None:
        """Return what becomes of app data; None when they have the wanted version already.

        All widgets are migrated, or none is. Raises ConfigurationError when this machine has no engine.
        """
        for name in later_parts(stored, self.schema):
            wanted = schema_version(self.schema.properties[name])
            return Unmigrated(message=LATER.format(name, data_version(stored[name]), wanted))
        names = earlier_parts(stored, self.schema)
        if not names:
            return None
        data = dict(stored)
        for name in names:
            part = self._part(name, stored[name])
            if isinstance(part, Unmigrated):
                return part
            data[name] = part
        return Migrated(data=data, widgets=names)

    def _part(self, name: str, stored: Any) -> dict[str, Any] | Unmigrated:
        part, version = self.schema.properties[name], data_version(stored)
        if self.engine is None or name not in self.widgets:
            return Unmigrated(message=NO_FUNCTION.format(name, version))
        settings = with_version(stored, FIRST) if isinstance(stored, Mapping) else stored
        try:
            new = self.engine.migrate(name, settings, version)
        except MigrationFailed as error:
            return Unmigrated(message=f'"{name}": {error.message}', place=error.place)
        if not isinstance(new, dict):
            return Unmigrated(message=f'"{name}": {MIGRATION_FILE} must return an object')
        misfit = next(iter(misfits(new, part, path=(name,))), None)
        if misfit is not None:
            sentence = sentence_for(misfit, hidden=True)
            return Unmigrated(message=f"what {MIGRATION_FILE} returns does not fit the schema: {sentence}")
        # A shop that has switched the widget off must not see it again because a function forgets that.
        switch = {
            key: settings[key] for key in EVERY_WIDGET if isinstance(settings, Mapping) and key in settings
        }
        return with_version({**switch, **new}, schema_version(part))


def example_faults(migration: DataMigration) -> Iterator[Diagnostic]:
    """Yield an error for each example of earlier data that cannot be migrated.

    The examples are those that a file exports, and the data of a shop that has only switched the widget off.
    """
    for name in sorted(migration.widgets):
        yield from _of_widget(migration, name)


def _of_widget(migration: DataMigration, name: str) -> Iterator[Diagnostic]:
    path = f"widgets/{name}/{MIGRATION_FILE}"
    part = migration.schema.properties.get(name)
    if part is None or schema_version(part) == FIRST:
        yield _fault(
            path,
            "no data have an earlier version than the schema",
            hint='raise it in data.schema.json: "x-version": 2',
        )
        return
    assert migration.engine is not None, "a widget has a function"  # noqa: S101
    try:
        examples = migration.engine.examples(name)
    except MigrationFailed as error:
        yield _fault(path, error.message, place=error.place)
        return
    if not isinstance(examples, list):
        yield _fault(path, "examples must be a list of earlier data", hint="export const examples = [{...}]")
        return
    only = replace(migration, schema=SchemaPart(types=("object",), properties={name: part}))
    for number, example in enumerate([*examples, LEAST], 1):
        result = only.of({name: example}) if example else None
        if isinstance(result, Unmigrated):
            which = f"example {number}" if number <= len(examples) else f"the data {json.dumps(LEAST)}"
            message = f"{which} cannot be migrated: {result.message}"
            yield _fault(path, message, place=result.place, hint=STAYS)


def _fault(path: str, message: str, *, place: Place | None = None, hint: str | None = None) -> Diagnostic:
    return Diagnostic(rule="data-migration", message=message, place=place or Place(path=path), hint=hint)
