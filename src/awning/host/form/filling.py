"""Reads a posted form: puts the posted values into the stored data, and collects the problems.

Only data with a field are changed. Data without a field (from another version or another tool) stay. When a value is
`ABSENT`, its key is removed, so that the schema's default applies. A group's value that is no object becomes an empty
object, except a null that the schema allows. An empty entry of a secret changes nothing, because the page does not show
the stored value.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from awning.data_schema import ABSENT, Absent, ValueProblem
from awning.data_schema.limits import Schema, list_problem, number_problem, text_problem
from awning.data_schema.patterns import Patterns
from awning.host.form.fields import Field, FieldKind, Group, Path, fields_of

Json = Any
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}(?:\.0+)?")
_SPACES = str.maketrans("", "", " \u00a0\u2009\u202f")

Posted = Sequence[str]
"""The posted texts of one field, in order. Empty when the browser sent no text for the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledForm:
    """The new data, and the problems by field name. Data with problems must not be stored."""

    data: dict[str, Json]
    problems: Mapping[str, ValueProblem]


def fill(form: Group, posted: Mapping[str, Sequence[str]], stored: Json) -> FilledForm:
    """Return the stored data with the posted values. An invalid text does not raise an error: it is in `problems`."""
    data: dict[str, Json] = deepcopy(stored) if isinstance(stored, dict) else {}
    _empty_misfits(form, data)
    problems: dict[str, ValueProblem] = {}
    patterns = Patterns()
    for field in fields_of(form):
        texts = posted.get(field.name, ())
        if field.secret and is_empty_entry(field, texts):
            if field.required and not may_stay_empty(field, stored):
                problems[field.name] = ValueProblem(code="required")
            continue
        value = read_value(field, texts, patterns)
        if isinstance(value, ValueProblem):
            problems[field.name] = value
        elif value is ABSENT:
            exists, parent = value_at(data, field.path[:-1])
            if exists and isinstance(parent, dict):
                parent.pop(field.path[-1], None)
        else:
            _put(data, field.path, value)
    return FilledForm(data=data, problems=problems)


def value_at(data: Json, path: Path) -> tuple[bool, Json]:
    """Return whether `data` has a value at `path`, and the value."""
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return False, None
        data = data[step]
    return True, data


def has_value(field: Field, stored: Json) -> bool:
    """Return whether `stored` has a non-empty value for the field."""
    exists, value = value_at(stored, field.path)
    return exists and value not in ("", None, [])


def may_stay_empty(field: Field, stored: Json) -> bool:
    """Return whether the visitor may leave a secret's input empty: there is a stored value, or a default."""
    return has_value(field, stored) or "default" in field.schema


def is_empty_entry(field: Field, posted: Posted) -> bool:
    """Return whether the visitor left a field empty. White space alone is an entry only in a text field."""
    text = posted[-1] if posted else ""
    return not (text if field.kind is FieldKind.TEXT else text.strip())


def group_fits(group: Group, value: Json) -> bool:
    return isinstance(value, Mapping) or (value is None and group.part.nullable)


def _empty_misfits(group: Group, data: dict[str, Json]) -> None:
    """Put an empty object in the place of each value of an inner group that does not fit."""
    for member in group.members:
        name = member.path[-1]
        if isinstance(member, Group) and name in data:
            if not group_fits(member, data[name]):
                data[name] = {}
            if isinstance(data[name], dict):
                _empty_misfits(member, data[name])


def _put(data: dict[str, Json], path: Path, value: Json) -> None:
    for step in path[:-1]:
        inner = data.get(step)
        if not isinstance(inner, dict):
            inner = data[step] = {}
        data = inner
    data[path[-1]] = value


def read_value(field: Field, posted: Posted, patterns: Patterns) -> Json | Absent | ValueProblem:
    """Return the value of the posted texts, or the problem with them."""
    match field.kind:
        case FieldKind.TEXT:
            return _text(field, posted, patterns)
        case FieldKind.LINES:
            return _lines(field, posted, patterns)
    return _READERS[field.kind](field, posted)


def option_key(value: Json) -> str:
    """Return the text of an option in a form: its value as JSON, so that 1 and "1" differ."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _flag(_field: Field, posted: Posted) -> Json:
    return bool(posted)


def _text(field: Field, posted: Posted, patterns: Patterns) -> Json | Absent | ValueProblem:
    text = _normalize_line_ends(posted[-1] if posted else "")
    if text:
        return text_problem(text, field.schema, patterns) or text
    if field.required:
        return ValueProblem(code="required")
    return _cleared(field, "", text_problem("", field.schema, patterns))


def _cleared(field: Field, empty: Json, problem: ValueProblem | None) -> Json | Absent:
    """Return the value of an optional text or list that the visitor left empty. `problem` is the problem of `empty`.

    The key is removed, unless a default would then apply although the visitor cleared the field. In that case `empty`
    is stored, if it is valid.
    """
    if field.part.nullable:
        return None
    has_default = field.default is not ABSENT and bool(field.default)
    return empty if has_default and problem is None else ABSENT


def _number(field: Field, posted: Posted) -> Json | Absent | ValueProblem:
    text = posted[-1].strip() if posted else ""
    if not text:
        return _empty(field)
    return _of_number(field.kind, text, field.schema)


def _choice(field: Field, posted: Posted) -> Json | Absent | ValueProblem:
    text = posted[-1] if posted else ""
    if not text:
        return _empty(field)
    known = {option_key(option.value): option.value for option in field.options}
    return known[text] if text in known else ValueProblem(code="choice")


def _empty(field: Field) -> Json | Absent | ValueProblem:
    if field.required:
        return ValueProblem(code="required")
    return None if field.part.nullable else ABSENT


def _lines(field: Field, posted: Posted, patterns: Patterns) -> Json | Absent | ValueProblem:
    """Return a list with one value for each non-empty line, or the first problem."""
    values: list[Json] = []
    lines = _normalize_line_ends(posted[-1] if posted else "").split("\n")
    for line, text in enumerate(lines, start=1):
        if text.strip():
            kind = field.item or FieldKind.TEXT
            value = _scalar(kind, text.strip(), field.items, patterns)
            if isinstance(value, ValueProblem):
                return value.at(line)
            values.append(value)
    return _list(field, values)


def _choices(field: Field, posted: Posted) -> Json | Absent | ValueProblem:
    """Return the values of the checked options in the schema's order, or a problem."""
    values = [option.value for option in field.options if option_key(option.value) in posted]
    if set(posted) - {option_key(option.value) for option in field.options}:
        return ValueProblem(code="choice")
    return _list(field, values)


def _list(field: Field, values: list[Json]) -> Json | Absent | ValueProblem:
    problem = list_problem(values, field.schema)
    return problem or values if values or field.required else _cleared(field, [], problem)


def _scalar(kind: FieldKind, text: str, schema: Schema, patterns: Patterns) -> Json | ValueProblem:
    if kind is FieldKind.TEXT:
        return text_problem(text, schema, patterns) or text
    return _of_number(kind, text, schema)


def _of_number(kind: FieldKind, text: str, schema: Schema) -> Json | ValueProblem:
    plain = text.translate(_SPACES).replace(",", ".").replace("\u2212", "-")
    if kind is FieldKind.WHOLE:
        if not _WHOLE.fullmatch(plain):
            return ValueProblem(code="whole")
        whole = int(plain.partition(".")[0])
        return number_problem(whole, schema) or whole
    if not _NUMBER.fullmatch(plain):
        return ValueProblem(code="number")
    number = float(plain)
    problem = number_problem(number, schema)
    return problem or (int(number) if number.is_integer() else number)


def _normalize_line_ends(text: str) -> str:
    """Return the text with LF as line end. Browsers post CR LF (HTML, Constructing the entry list)."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


_READERS: Mapping[FieldKind, Callable[[Field, Posted], Json | Absent | ValueProblem]] = {
    FieldKind.FLAG: _flag,
    FieldKind.WHOLE: _number,
    FieldKind.NUMBER: _number,
    FieldKind.CHOICE: _choice,
    FieldKind.CHOICES: _choices,
}
