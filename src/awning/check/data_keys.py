"""Finds keys of `data` that a script or a template reads, but that data.schema.json does not have.

Settings that fit the schema have no other keys, so reading another key is an error. `data` and the objects in it are
records, like the records of a payload, and reads of their fields are found in the same way (payload_fields.py).
"""

from collections.abc import Iterator, Mapping

from awning.data_schema import SchemaPart
from awning.diagnostics import Diagnostic, Place, did_you_mean
from awning.script import SLOT_FUNCTIONS, ScriptFile
from awning.script.records import RECORDS, Fields, RecordValue

DATA = "data"
"""The name of the record of a widget's data. Records inside it are named by their path: `data.rows`."""


def records_with_data(settings: SchemaPart | None) -> Mapping[str, Fields]:
    """Return the records of payloads, and the record `data` with the fields of the widget's schema.

    Without a schema, `data` has no fields. If the schema allows any keys, there is no record `data`.
    """
    own = dict(_records(settings, DATA)) if settings is not None else {DATA: {}}
    data = RecordValue(DATA) if DATA in own else None
    return {**RECORDS, **own, **{slot: {**RECORDS[slot], DATA: data} for slot in SLOT_FUNCTIONS}}


def is_of_data(record: str) -> bool:
    return record == DATA or record.startswith(f"{DATA}.")


def unknown_key(
    record: str, name: str, place: Place, line: str | None, records: Mapping[str, Fields]
) -> Diagnostic:
    """Return the diagnostic for a key `name` that `record` does not have."""
    known = records[record]
    if known:
        hint = did_you_mean(name, known) or f"data.schema.json has: {', '.join(sorted(known))}"
    elif record == DATA:
        hint = "describe it in data.schema.json, beside widget.ts: the widget has no settings yet"
    else:
        hint = f'add "{name}" to {record} in data.schema.json, which describes no properties there'
    message = f'{record} has no "{name}"'
    return Diagnostic(rule="data-key", message=message, place=place, hint=hint, excerpt=line)


def schema_findings(script: ScriptFile) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each import of the type of `data`, in a script of a widget without a schema.

    The type does not exist then, so an editor accepts any key.
    """
    for statement in script.facts.imports:
        if statement.module == "./data.schema":
            place = script.place(statement.at)
            yield Diagnostic(
                rule="unresolved-import",
                message="the type of `data` is made from data.schema.json, but there is none beside this script",
                place=place,
                hint="describe the settings in data.schema.json, or remove the import",
                excerpt=script.line(place.line),
            )


def _records(part: SchemaPart, name: str) -> Iterator[tuple[str, Fields]]:
    """Yield the path and the fields of an object and of each object inside it.

    Yields nothing for a value that is not an object, or for an object that allows any keys.
    """
    if part.type != "object" or part.others is not None:
        return
    fields: dict[str, RecordValue | None] = {}
    for key, inner in part.properties.items():
        many = inner.type == "array" and inner.items is not None
        property_ = inner.items if many and inner.items is not None else inner
        path = f"{name}.{key}"
        records = dict(_records(property_, path))
        fields[key] = RecordValue(path, many) if path in records else None
        yield from records.items()
    yield name, fields
