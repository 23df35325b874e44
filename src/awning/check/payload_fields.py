"""Fields that a record does not have: read in a script, or in a template that is given the record.

What the service sends is not promised field by field: a warning, not an error. What is in `data` is the widget's own to
say (data_keys.py).
"""

import posixpath
from collections.abc import Iterator, Mapping

from awning.check.data_keys import is_of_data, unknown_key
from awning.check.variables import Reads
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.script import ScriptFile
from awning.script.record_reads import record_reads
from awning.script.records import LABELS, RECORDS, Fields, RecordValue
from awning.template.types import Type, Variable, VariableUse

_HINT = "docs/payloads.md lists what there is"


def payload_findings(
    script: ScriptFile,
    reads: Reads,
    templates: Mapping[str, str],
    *,
    records: Mapping[str, Fields] = RECORDS,
) -> Iterator[Diagnostic]:
    """What is read of records that have no such field. `reads` and `templates` as for `variable_findings`.

    `records` are those of payloads, or with a widget's data beside them.
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
                yield from _in_template(variable.type, argument.value, templates, records)


def _in_template(
    wanted: Type, value: RecordValue, templates: Mapping[str, str], records: Mapping[str, Fields]
) -> Iterator[Diagnostic]:
    if value.is_list:
        if wanted.element is not None:
            yield from _in_template(wanted.element, value.item, templates, records)
        return
    for one in wanted.fields if wanted.use is VariableUse.FIELDS else ():
        known = records[value.record]
        inside = known.get(one.name)
        if inside is not None:
            yield from _in_template(one.type, inside, templates, records)
        elif one.name not in known and (one.required or did_you_mean(one.name, known)):
            yield _diagnostic(value.record, one.name, one.place, _line(one, templates), records)


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
        hint=did_you_mean(name, known) or _HINT,
        severity=Severity.WARNING,
        excerpt=line,
    )


def _line(one: Variable, templates: Mapping[str, str]) -> str | None:
    lines = templates.get(one.place.path, "").splitlines()
    return lines[one.place.line - 1] if 0 < one.place.line <= len(lines) else None
