"""Reports reads of fields that a payload does not have, in scripts and templates.

This is a warning, because the specification does not list all fields. Keys of `data` are checked against the widget's
own schema (data_keys.py).
"""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace

from awning.check.data_keys import is_of_data, unknown_key
from awning.check.variables import Reads
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.script import ScriptFile
from awning.script.record_reads import record_reads
from awning.script.records import LABELS, RECORDS, Fields, RecordValue
from awning.template.types import Type, VariableUse


def payload_findings(
    script: ScriptFile,
    reads: Reads,
    templates: Mapping[str, str],
    *,
    records: Mapping[str, Fields] = RECORDS,
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each read of a field that its record does not have.

    In a template, an optional field is reported only if its name resembles a field of the record.

    `reads` are the variables that the templates read, `templates` their texts, both by path. `records` are the records
    of payloads, with or without the widget's data.
    """
    of_records = record_reads(script, records)
    for read in of_records.fields:
        if read.name not in records[read.record]:
            place = script.place(read.at)
            yield _diagnostic(read.record, read.name, place, script.line(place.line), records)
    for argument in of_records.arguments:
        template = posixpath.normpath(posixpath.join(posixpath.dirname(script.path), argument.source))
        for variable in reads.get(template, ()):
            if variable.name == argument.name:
                passed_at = script.place(argument.at)
                yield from _in_template(variable.type, argument.value, passed_at, templates, records)


def _in_template(
    type_: Type,
    value: RecordValue,
    passed_at: Place,
    templates: Mapping[str, str],
    records: Mapping[str, Fields],
) -> Iterator[Diagnostic]:
    if value.is_list:
        if type_.element is not None:
            yield from _in_template(type_.element, value.item, passed_at, templates, records)
        return
    for variable in type_.fields if type_.use is VariableUse.FIELDS else ():
        known = records[value.record]
        inside = known.get(variable.name)
        if inside is not None:
            yield from _in_template(variable.type, inside, passed_at, templates, records)
        elif variable.name not in known and (variable.required or did_you_mean(variable.name, known)):
            lines = templates.get(variable.place.path, "").splitlines()
            excerpt = lines[variable.place.line - 1] if 0 < variable.place.line <= len(lines) else None
            diagnostic = _diagnostic(value.record, variable.name, variable.place, excerpt, records)
            yield replace(diagnostic, passed_at=(passed_at,)) if variable.required else diagnostic


def _diagnostic(
    record: str, name: str, place: Place, line: str | None, records: Mapping[str, Fields]
) -> Diagnostic:
    if is_of_data(record):
        return unknown_key(record, name, place, line, records)
    known = records[record]
    return Diagnostic(
        rule="payload-field",
        message=f'{LABELS[record]} has no "{name}"',
        place=place,
        hint=did_you_mean(name, known) or f"the fields are {', '.join(sorted(known))}",
        severity=Severity.WARNING,
        excerpt=line,
    )
