"""What a browser posted for one field, as a value, as nothing, or as a problem.

Nothing (`ABSENT`) means that the key is left out of the data, so that the schema's default holds.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from awning.data_schema import ABSENT, Absent, Problem
from awning.data_schema.limits import Schema, list_problem, number_problem, text_problem
from awning.host.form.fields import Field, Kind

Json = Any
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}(?:\.0+)?")
_SPACES = str.maketrans("", "", " \u00a0\u2009\u202f")

Posted = Sequence[str]
"""The texts of one name, in their order; empty where the browser sent none."""


def read_entry(field: Field, posted: Posted) -> Json | Absent | Problem:
    """The value that was entered. Never raises, whatever was posted."""
    return _READERS[field.kind](field, posted)


def option_key(value: Json) -> str:
    """A choice's value in a form: its JSON, so that 1 and "1" differ."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _flag(_field: Field, posted: Posted) -> Json:
    return bool(posted)


def _text(field: Field, posted: Posted) -> Json | Absent | Problem:
    text = _lines_joined(posted[-1] if posted else "")
    if not text:
        return _empty_text(field)
    return text_problem(text, field.schema) or text


def _empty_text(field: Field) -> Json | Absent | Problem:
    """An emptied text is a text of its own where leaving it out would bring the default back."""
    if field.required:
        return Problem(code="required")
    if field.part.nullable:
        return None
    if not field.schema.get("default"):
        return ABSENT
    return "" if text_problem("", field.schema) is None else ABSENT


def _number(field: Field, posted: Posted) -> Json | Absent | Problem:
    text = posted[-1].strip() if posted else ""
    if not text:
        return _nothing(field)
    return _scalar(field.kind, text, field.schema)


def _choice(field: Field, posted: Posted) -> Json | Absent | Problem:
    text = posted[-1] if posted else ""
    if not text:
        return _nothing(field)
    known = {option_key(option.value): option.value for option in field.options}
    return known[text] if text in known else Problem(code="choice")


def _nothing(field: Field) -> Json | Absent | Problem:
    if field.required:
        return Problem(code="required")
    return None if field.part.nullable else ABSENT


def _lines(field: Field, posted: Posted) -> Json | Problem:
    """One entry per line; empty lines are none."""
    values: list[Json] = []
    lines = _lines_joined(posted[-1] if posted else "").split("\n")
    for line, text in enumerate(lines, start=1):
        if text.strip():
            value = _scalar(field.item or Kind.TEXT, text.strip(), field.items)
            if isinstance(value, Problem):
                return value.at(line)
            values.append(value)
    return list_problem(values, field.schema) or values


def _choices(field: Field, posted: Posted) -> Json | Problem:
    """In the schema's order, whatever the browser's."""
    known = [option.value for option in field.options if option_key(option.value) in posted]
    if set(posted) - {option_key(option.value) for option in field.options}:
        return Problem(code="choice")
    return list_problem(known, field.schema) or known


def _scalar(kind: Kind, text: str, schema: Schema) -> Json | Problem:
    if kind is Kind.TEXT:
        return text_problem(text, schema) or text
    plain = text.translate(_SPACES).replace(",", ".").replace("\u2212", "-")
    if kind is Kind.WHOLE:
        if not _WHOLE.fullmatch(plain):
            return Problem(code="whole")
        whole = int(plain.partition(".")[0])
        return number_problem(whole, schema) or whole
    if not _NUMBER.fullmatch(plain):
        return Problem(code="number")
    number = float(plain)
    problem = number_problem(number, schema)
    return problem or (int(number) if number.is_integer() else number)


def _lines_joined(text: str) -> str:
    """Browsers post line ends as CR LF (HTML, Constructing the entry list)."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


_READERS: Mapping[Kind, Callable[[Field, Posted], Json | Absent | Problem]] = {
    Kind.FLAG: _flag,
    Kind.TEXT: _text,
    Kind.WHOLE: _number,
    Kind.NUMBER: _number,
    Kind.CHOICE: _choice,
    Kind.LINES: _lines,
    Kind.CHOICES: _choices,
}
