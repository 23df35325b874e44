"""Reads a posted form: puts the posted values into the stored data, and collects the problems.

Only data with a field are changed. Data without a field (from another version or another tool) stay. When a value is
`ABSENT`, its key is removed, so that the schema's default applies. A group's value that is no object becomes an empty
object, except a null that the schema allows. An empty entry of a secret changes nothing, because the page does not show
the stored value.

Rows are posted as `LIST`, then for each row its origin in the shown list, or `NEW`. So values without a
field stay with their row when rows change places. Without any text, the page did not show the rows, and they stay.

A row posts its place in the list that the page showed, and a mark of its value: `2.0f3a91c4be07`. When somebody else
has changed the list meanwhile, the mark finds a row that was moved. A row that was changed is taken from its old place,
unless another posted row comes from there. Without a key for marks, the place is all there is.
"""

import hmac
import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from awning.data_schema import ABSENT, Absent, Field, FieldKind, Group, Rows, ValueProblem, new_row
from awning.data_schema.limits import Schema, list_problem, number_problem, text_problem
from awning.data_schema.patterns import Patterns
from awning.data_schema.schema_part import Path

MARK_DIGITS = 12
_ORIGIN = re.compile(r"([0-9]{1,4})(?:\.([0-9a-f]{1,64}))?")


def origin_of(place: int, row: Any, key: bytes) -> str:
    """Return what the row at a place posts. The mark is keyed, so nobody guesses a short secret in the row from it."""
    return f"{place}.{_mark(row, key)}" if key else str(place)


def places_of(listed: Sequence[Any], origins: Sequence[str], key: bytes) -> list[int | None]:
    """Return the place in `listed` of each posted row; None for a new one."""
    marks = [_mark(row, key) if key else "" for row in listed]
    posted = [_read(origin) for origin in origins]
    places = [_marked(marks, *each) if each else None for each in posted]
    taken = {place for place in places if place is not None}
    for index, each in enumerate(posted):
        if each and places[index] is None and each[0] < len(listed) and each[0] not in taken:
            places[index] = each[0]
    return places


def _read(origin: str) -> tuple[int, str] | None:
    match = _ORIGIN.fullmatch(origin)
    return (int(match[1]), match[2] or "") if match else None


def _marked(marks: Sequence[str], place: int, mark: str) -> int | None:
    """Return the place of the row with this mark: the posted place if it is there, else the first one."""
    if place < len(marks) and (not mark or marks[place] == mark):
        return place
    return marks.index(mark) if mark in marks else None


def _mark(row: Any, key: bytes) -> str:
    return hmac.new(key, json.dumps(row, sort_keys=True).encode(), "sha256").hexdigest()[:MARK_DIGITS]


Json = Any
LIST, NEW = "list", "new"
MOST_ROWS = 100
"""The most rows that a page shows, with the rows in them. A longer list stays as it is stored."""
_WITHOUT_SECONDS = re.compile(r"T[0-9]{2}:[0-9]{2}\Z")
_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}(?:\.[0-9]{1,40})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,4000}(?:\.0{1,2})?")
"""Not 1.000 or 1,000: that may be a thousand."""
_SPACES = str.maketrans("", "", " \u00a0\u2009\u202f")

Posted = Sequence[str]
"""The posted texts of one field, in order. Empty when the browser sent no text for the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledForm:
    """The new data, and the problems by field name. Data with problems must not be stored."""

    data: dict[str, Json]
    problems: Mapping[str, ValueProblem]


def fill(form: Group, posted: Mapping[str, Sequence[str]], stored: Json, *, key: bytes = b"") -> FilledForm:
    """Return the stored data with the posted values. An invalid text does not raise an error: it is in `problems`.

    `key` is that of the marks in the origins of rows.
    """
    filling = _Filling(posted, deepcopy(stored) if isinstance(stored, dict) else {}, key)
    _empty_misfits(form, filling.data)
    filling.group(form)
    return FilledForm(data=filling.data, problems=filling.problems)


@dataclass(slots=True)
class _Filling:
    """One reading of a form. `data` begins as the stored data."""

    posted: Mapping[str, Sequence[str]]
    data: dict[str, Json]
    key: bytes
    problems: dict[str, ValueProblem] = dataclass_field(default_factory=dict)
    patterns: Patterns = dataclass_field(default_factory=Patterns)

    def group(self, group: Group) -> None:
        for member in group.members:
            match member:
                case Group():
                    self.group(member)
                    if member.required and not value_at(self.data, member.path)[0]:
                        _put(self.data, member.path, {})
                case Rows():
                    self._rows(member)
                case Field():
                    self._field(member)

    def _field(self, field: Field) -> None:
        texts = self.posted.get(field.name, ())
        if field.secret and is_empty_entry(field, texts):
            if field.required and not may_stay_empty(field, self.data):
                self.problems[field.name] = ValueProblem(code="required")
            return
        value = read_value(field, texts, self.patterns)
        if isinstance(value, ValueProblem):
            self.problems[field.name] = value
        else:
            _put(self.data, field.path, value)

    def _rows(self, rows: Rows) -> None:
        """Put the rows in their posted order, and fill each. A problem of the whole list has the name of the list."""
        if rows.name not in self.posted:
            return
        values = begun_rows(rows, self.data, self.posted[rows.name][1:], self.key)
        if values:
            _put(self.data, rows.path, values)
        for place in range(len(values)):
            self.group(rows.row(place))
        value = _list(rows, values)
        if isinstance(value, ValueProblem):
            self.problems[rows.name] = value
        else:
            _put(self.data, rows.path, value)


def shown_rows(rows: Rows, data: Json, *, above: int = 0) -> list[Json]:
    """Return the rows that a page shows: the stored list, else the default. `data` are at `above` steps of the path."""
    exists, value = value_at(data, rows.path[above:])
    if exists and isinstance(value, list):
        return value
    is_empty = (exists and value is None and rows.part.nullable) or not isinstance(rows.default, list)
    return [] if is_empty else list(rows.default)  # type: ignore[arg-type]  # it is a list


def begun_rows(rows: Rows, data: Json, origins: Sequence[str], key: bytes) -> list[Json]:
    """Return the values with which posted rows begin: those of their origins, or those of a new row."""
    listed = shown_rows(rows, data)
    return [_begun_row(rows, listed, place) for place in places_of(listed, origins, key)]


def _begun_row(rows: Rows, listed: Sequence[Json], place: int | None) -> dict[str, Json]:
    if place is None:
        return deepcopy(new_row(rows.item))
    row = deepcopy(listed[place]) if isinstance(listed[place], dict) else {}
    _empty_misfits(rows.row(place), row)
    return row


def value_at(data: Json, path: Path) -> tuple[bool, Json]:
    """Return whether `data` has a value at `path`, and the value."""
    for step in path:
        if isinstance(data, list):
            if not isinstance(step, int) or step >= len(data):
                return False, None
            data = data[step]
        elif isinstance(data, Mapping) and step in data:
            data = data[step]
        else:
            return False, None
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
        name = str(member.path[-1])
        if isinstance(member, Group) and name in data:
            if not group_fits(member, data[name]):
                data[name] = {}
            if isinstance(data[name], dict):
                _empty_misfits(member, data[name])


def _put(data: Any, path: Path, value: Json | Absent) -> None:
    """Put a value at a path, and make the objects on the way. ABSENT removes the key, and makes none."""
    for step in path[:-1]:
        if isinstance(data, list):
            data = data[int(step)]
            continue
        if not isinstance(data.get(step), dict | list):
            if value is ABSENT:
                return
            data[step] = {}
        data = data[step]
    if value is ABSENT:
        data.pop(path[-1], None)
    else:
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
    text = posted_text(field, posted)
    if text:
        return text_problem(text, field.schema, patterns) or text
    if field.required:
        return ValueProblem(code="required")
    return _cleared(field, "", text_problem("", field.schema, patterns))


def posted_text(field: Field, posted: Posted) -> str:
    """Return the text of a text field. A date and time is posted as two texts: without its offset, and the offset."""
    if field.control != "datetime-local" or len(posted) != len(("local", "offset")):
        return _normalize_line_ends(posted[-1] if posted else "")
    local, offset = (text.strip() for text in posted)
    return local and f"{local}{':00' if _WITHOUT_SECONDS.search(local) else ''}{offset}"


def _cleared(field: Field | Rows, empty: Json, problem: ValueProblem | None) -> Json | Absent:
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


def _list(field: Field | Rows, values: list[Json]) -> Json | Absent | ValueProblem:
    problem = list_problem(values, field.part.schema)
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
