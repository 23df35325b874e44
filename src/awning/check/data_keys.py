"""Keys of `data` that data.schema.json does not have: read in a script, or in a template that is given `data`.

A key that no schema has is never there, so it is an error. The records here are followed as those of payloads are
(payload_fields.py).
"""

import re
from collections.abc import Iterator, Mapping

from awning.check.comments import without_comments
from awning.check.script.records import RECORDS, Fields, Held
from awning.data_schema import Part
from awning.diagnostics import Diagnostic, Place, did_you_mean

DATA = "data"
"""The record of a widget's data; those in it are called by their way there: `data.rows`."""

_IMPORT = re.compile(r"\bfrom\s*(\"\./data\.schema\"|'\./data\.schema')")
_SLOTS = ("afterPrice", "afterCart", "afterCheckout")


def records_with_data(settings: Part | None) -> Mapping[str, Fields]:
    """The records of payloads, and `data` as the widget's schema describes it; empty without a schema."""
    own = dict(_records(settings, DATA)) if settings is not None else {DATA: {}}
    held = Held(DATA) if DATA in own else None
    return {**RECORDS, **own, **{slot: {**RECORDS[slot], DATA: held} for slot in _SLOTS}}


def is_of_data(record: str) -> bool:
    return record == DATA or record.startswith(f"{DATA}.")


def unknown_key(
    record: str, name: str, place: Place, line: str | None, records: Mapping[str, Fields]
) -> Diagnostic:
    """`record` has no `name`."""
    known = records[record]
    if known:
        hint = did_you_mean(name, known) or f"data.schema.json has: {', '.join(sorted(known))}"
    elif record == DATA:
        hint = "describe it in data.schema.json, beside widget.ts: the widget has no settings yet"
    else:
        hint = "data.schema.json has no properties there"
    message = f'{record} has no "{name}"'
    return Diagnostic(rule="data-key", message=message, place=place, hint=hint, excerpt=line)


def schema_findings(path: str, script: str) -> Iterator[Diagnostic]:
    """The type of `data` is imported in a widget that has no schema: an editor then takes it for anything."""
    code = without_comments(script)
    for found in _IMPORT.finditer(code):
        line = code.count("\n", 0, found.start(1)) + 1
        column = found.start(1) - (code.rfind("\n", 0, found.start(1)) + 1) + 1
        yield Diagnostic(
            rule="unresolved-import",
            message="there is no data.schema.json beside this script, which the type of `data` is made from",
            place=Place(path=path, line=line, column=column),
            hint="describe the settings in data.schema.json, or take the import out",
            excerpt=script.split("\n")[line - 1],
        )


def _records(part: Part, name: str) -> Iterator[tuple[str, Fields]]:
    """The record of an object, and those in it. None of one that may have any keys."""
    if part.type != "object" or part.others is not None:
        return
    fields: dict[str, Held | None] = {}
    for key, inner in part.properties.items():
        many = inner.type == "array" and inner.items is not None
        one = inner.items if many and inner.items is not None else inner
        path = f"{name}.{key}"
        found = dict(_records(one, path))
        fields[key] = Held(path, many) if path in found else None
        yield from found.items()
    yield name, fields
