"""Fields that a record does not have: read in a script, or in a template that is given the record.

What the service sends is not promised field by field: a warning, not an error. What is in `data` is the widget's own to
say (data_keys.py).
"""

import posixpath
from collections.abc import Iterator, Mapping

from awning.check.data_keys import is_of_data, unknown_key
from awning.check.script.fields import READS, Reader
from awning.check.script.records import RECORDS, SAID, Fields, Held
from awning.check.script.source import Source
from awning.check.variables import Reads
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.template.types import Type, Use, Variable

_HINT = "docs/payloads.md lists what there is"


def payload_findings(
    path: str,
    script: str,
    dialect: Dialect,
    reads: Reads,
    templates: Mapping[str, str],
    *,
    records: Mapping[str, Fields] = RECORDS,
) -> Iterator[Diagnostic]:
    """What is read of records that have no such field. `reads` and `templates` as for `variable_findings`.

    `records` are those of payloads, or with a widget's data beside them.
    """
    if not READS.search(script):
        return
    source = Source(path=path, text=script, dialect=dialect)
    reader = Reader(source=source, records=records)
    reader.read()
    for one in reader.reads:
        if one.name not in records[one.record]:
            place = source.place(one.at)
            yield _diagnostic(one.record, one.name, place, source.line(place.line), records)
    for given in reader.given:
        view = posixpath.normpath(posixpath.join(posixpath.dirname(path), given.source))
        for variable in reads.get(view, ()):
            if variable.name == given.name:
                yield from _in_template(variable.type, given.held, templates, records)


def _in_template(
    wanted: Type, held: Held, templates: Mapping[str, str], records: Mapping[str, Fields]
) -> Iterator[Diagnostic]:
    if held.many:
        if wanted.element is not None:
            yield from _in_template(wanted.element, held.one, templates, records)
        return
    for one in wanted.fields if wanted.use is Use.FIELDS else ():
        known = records[held.record]
        inside = known.get(one.name)
        if inside is not None:
            yield from _in_template(one.type, inside, templates, records)
        elif one.name not in known and (one.required or did_you_mean(one.name, known)):
            yield _diagnostic(held.record, one.name, one.place, _line(one, templates), records)


def _diagnostic(
    record: str, name: str, place: Place, line: str | None, records: Mapping[str, Fields]
) -> Diagnostic:
    if is_of_data(record):
        return unknown_key(record, name, place, line, records)
    known = records[record]
    return Diagnostic(
        rule="payload-field",
        message=f'{SAID[record]} has no "{name}"',
        place=place,
        hint=did_you_mean(name, known) or _HINT,
        severity=Severity.WARNING,
        excerpt=line,
    )


def _line(one: Variable, templates: Mapping[str, str]) -> str | None:
    lines = templates.get(one.place.path, "").splitlines()
    return lines[one.place.line - 1] if 0 < one.place.line <= len(lines) else None
