"""The fields as a page shows them: with texts in the visitor's language, and with values.

The values are the posted ones, or the stored ones when nothing was posted. The value of a secret is never shown.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from awning.data_schema import ABSENT, Field, FieldKind, Group, Rows, fields_of
from awning.data_schema.fields import pointer
from awning.data_schema.keywords import Bound, bounds_of, is_number, range_of
from awning.data_schema.limits import shown_number
from awning.data_schema.schema_part import Path
from awning.data_schema.value_formats import format_of
from awning.host.form.arranging import most_rows, posted_rows
from awning.host.form.filling import (
    MOST_ROWS,
    NEW,
    begun_rows,
    group_fits,
    has_value,
    is_empty_entry,
    may_stay_empty,
    option_key,
    origin_of,
    places_of,
    posted_text,
    shown_rows,
    value_at,
)
from awning.host.form.shown import (
    FieldView,
    FormContents,
    GroupView,
    Limit,
    Moment,
    OptionView,
    RowsView,
    RowView,
    is_shown_by,
)
from awning.host.languages import LocalizedText, text_in

Json = Any
MULTILINE_FROM = 120
LONGEST_SUMMARY = 60
TYPED = "/typed"
"""The end of the name with which the form says that a secret was typed. Rows that move take it along."""
NUMBERS = frozenset({FieldKind.WHOLE, FieldKind.NUMBER})
SIZES = {
    FieldKind.TEXT: ("string", "characters"),
    FieldKind.LINES: ("array", "entries"),
    FieldKind.CHOICES: ("array", "entries"),
}
"""The type of a value that has a length, and what the length is counted in."""


def view_of(form: Group, contents: FormContents) -> GroupView:
    return _group(form, contents, "f")


def unshown(group: Group, contents: FormContents) -> Iterator[str]:
    """Yield the labels of the stored values that do not fit, such as `Stock note / Few left`.

    The page shows the defaults in their places, and the wrong entries of a list as text. Saving replaces them. Secrets
    are left out, because the page shows none.
    """
    for member in group.members:
        label = str(_label(member.part.schema, member.path, contents))
        exists, value = value_at(contents.stored, member.path)
        if isinstance(member, Rows):
            yield from (f"{label}{inner}" for inner in _unshown_rows(member, contents))
        elif isinstance(member, Group) and (not exists or group_fits(member, value)):
            yield from (f"{label} / {inner}" for inner in unshown(member, contents))
        elif isinstance(member, Group) or (exists and not member.secret and not _is_shown(member, value)):
            yield label


def _unshown_rows(rows: Rows, contents: FormContents) -> Iterator[str]:
    exists, value = value_at(contents.stored, rows.path)
    if not exists or (value is None and rows.part.nullable) or _is_too_long(rows, value):
        return
    if not isinstance(value, list):
        yield ""
        return
    for place, row in enumerate(value):
        if not isinstance(row, Mapping):
            yield f" {place + 1}"
        else:
            yield from (f" {place + 1} / {inner}" for inner in unshown(rows.row(place), contents))


def _is_too_long(rows: Rows, value: Json) -> bool:
    return _count_rows(rows, value) > MOST_ROWS


def _count_rows(rows: Rows, value: Json) -> int:
    """Return the number of a list's rows, with the rows in them."""
    if not isinstance(value, list) or len(value) > MOST_ROWS:
        return len(value) if isinstance(value, list) else 0
    inner = [member for member in fields_of(rows.row(0)) if isinstance(member, Rows)]
    depth = len(rows.path) + 1
    return len(value) + sum(
        _count_rows(each, shown_rows(each, row, above=depth)) for each in inner for row in value
    )


def _group(group: Group, contents: FormContents, group_id: str) -> GroupView:
    members = [
        (member, f"{group_id}-{place}")
        for place, member in enumerate(group.members)
        if not isinstance(member, Rows) or _has_rows(member, contents)
    ]
    return GroupView(
        id=group_id,
        label=_label(group.part.schema, group.path, contents),
        hint=text_in(group.part.schema.get("description"), contents.languages),
        members=tuple(
            _group(member, contents, member_id)
            if isinstance(member, Group)
            else _rows(member, contents, member_id)
            if isinstance(member, Rows)
            else _field(member, contents, member_id)
            for member, member_id in members
        ),
        left_out=len(group.left_out) + len(group.members) - len(members),
    )


def _has_rows(rows: Rows, contents: FormContents) -> bool:
    """Return whether the page shows a list as rows: it is not too long, and a form that was sent showed it."""
    if contents.posted is not None:
        return rows.name in contents.posted or contents.is_fresh(rows.name)
    return not _is_too_long(rows, shown_rows(rows, contents.stored))


def _rows(rows: Rows, contents: FormContents, rows_id: str) -> RowsView:
    posted = contents.posted
    if posted is None:
        listed = shown_rows(rows, contents.stored)
        origins = [origin_of(place, row, contents.key) for place, row in enumerate(listed)]
    else:
        origins = _present_origins(rows, posted.get(rows.name, ())[1:], contents)
    # The rows in their posted order, so that a secret of a row is known to be stored.
    values = begun_rows(rows, contents.stored, origins, contents.key)
    room = contents.room
    if room is None:
        stored_rows = shown_rows(rows, contents.stored)
        room = MOST_ROWS - (_count_rows(rows, stored_rows) if posted is None else posted_rows(rows, posted))
    inside = replace(contents, stored=_with(contents.stored, rows.path, values), room=room)
    lines = tuple(
        _row(rows.row(place), inside, f"{rows_id}-r{place}", origin) for place, origin in enumerate(origins)
    )
    low, high = (_limit_text(bound, contents) for bound in range_of(rows.part.schema, "array"))
    return RowsView(
        id=rows_id,
        name=rows.name,
        label=_label(rows.part.schema, rows.path, contents),
        hint=text_in(rows.part.schema.get("description"), contents.languages),
        required=rows.required,
        lines=lines,
        limits=tuple(_range("entries-", "" if low in {"0", "1"} else low, high)),
        can_grow=room > 0 and len(lines) < most_rows(rows),
        problem=(contents.problems or {}).get(rows.name),
        rows=_row_numbers(rows.path),
    )


def _present_origins(rows: Rows, origins: Sequence[str], contents: FormContents) -> list[str]:
    """Return the origins of posted rows in the list as it is stored now, which may have changed since."""
    listed = shown_rows(rows, contents.stored)
    return [
        NEW if place is None else origin_of(place, listed[place], contents.key)
        for place in places_of(listed, origins, contents.key)
    ]


def _row(row: Group, contents: FormContents, row_id: str, origin: str) -> RowView:
    fields = _group(row, contents, row_id)
    return RowView(
        name=pointer(row.path),
        number=int(row.path[-1]) + 1,
        origin=origin,
        summary=next(filter(None, map(_summary, fields.members)), ""),
        fields=fields,
    )


def _summary(member: FieldView | RowsView | GroupView) -> str:
    """Return what a field shows as one line, for the name of its row; "" for a field that is no text or choice."""
    if not isinstance(member, FieldView) or member.kind in {
        FieldKind.FLAG,
        FieldKind.CHOICES,
        FieldKind.LINES,
    }:
        return ""
    chosen = [str(option.label) for option in member.options if option.chosen]
    text = "".join(chosen) if member.options else " ".join(member.entry.split())
    return text if len(text) <= LONGEST_SUMMARY else f"{text[: LONGEST_SUMMARY - 1]}…"


def _row_numbers(path: Path) -> tuple[int, ...]:
    return tuple(step + 1 for step in path if isinstance(step, int))


def _with(data: Json, path: Path, value: Json) -> Json:
    """Return a copy of the data with another value at a path."""
    if not path:
        return value
    step, *rest = path
    if isinstance(data, list) and isinstance(step, int):
        return [*data[:step], _with(data[step], tuple(rest), value), *data[step + 1 :]]
    inner = data if isinstance(data, Mapping) else {}
    return {**inner, step: _with(inner.get(step), tuple(rest), value)}


def _field(field: Field, contents: FormContents, field_id: str) -> FieldView:
    is_fresh = contents.is_fresh(field.name)
    has_posted = contents.posted is not None and not field.secret and not is_fresh
    posted = (contents.posted or {}).get(field.name, ()) if has_posted else None
    value = None if field.secret else _current(field, contents.stored)
    entry = _entry(field, value, contents) if posted is None else _posted_entry(field, posted)
    input_type = _input(field, entry)
    is_picture = input_type == "picture" and bool(entry) and _fits_format(field, entry)
    return FieldView(
        id=field_id,
        name=field.name,
        kind=field.kind,
        label=_label(field.schema, field.path, contents),
        hint=text_in(field.schema.get("description"), contents.languages),
        required=_must_be_entered(field, contents),
        entry=entry,
        checked=_is_checked(field, value) if posted is None else bool(posted),
        options=_option_views(field, value, posted, contents),
        input=input_type,
        multiline=_is_multiline(field),
        moment=Moment.of(entry) if input_type == "datetime-local" else None,
        picture=entry if is_picture else "",
        rows=_row_numbers(field.path),
        limits=tuple(_limits(field, input_type, contents)),
        fallback=_fallback(field, contents),
        note=_note(field, contents),
        problem=(contents.problems or {}).get(field.name),
    )


def _is_checked(field: Field, value: Json) -> bool:
    """Return whether the box of a flag is ticked. Only `false` turns a widget off, so null leaves it on."""
    return value is not False if field.is_switch else bool(value)


def _must_be_entered(field: Field, contents: FormContents) -> bool:
    is_kept = field.secret and may_stay_empty(field, contents.stored)
    return field.required and field.kind is not FieldKind.FLAG and not is_kept


def _fallback(field: Field, contents: FormContents) -> str | None:
    is_shown = field.default is not ABSENT and not field.secret
    return _entry(field, field.default, contents) if is_shown else None


def _note(field: Field, contents: FormContents) -> str | None:
    """Return the key of the sentence that explains why the input of a secret is empty; None without a reason.

    A form that is sent several times, for its rows, says each time that the secret was typed.
    """
    if not field.secret:
        return None
    posted = contents.posted or {}
    if f"{field.name}{TYPED}" in posted or not is_empty_entry(field, posted.get(field.name, ())):
        return "secret-again"
    return "secret-kept" if has_value(field, contents.stored) else None


def _label(schema: Mapping[str, Any], path: Path, contents: FormContents) -> LocalizedText:
    name = str(path[-1]) if path else ""
    plain = name.replace("_", " ").replace("-", " ").strip()
    return text_in(schema.get("title"), contents.languages) or LocalizedText(
        value=plain[:1].upper() + plain[1:]
    )


def _current(field: Field, stored: Json) -> Json:
    """Return the stored value if it fits the field, else the default."""
    exists, value = value_at(stored, field.path)
    if exists and _fits(field, value):
        return value
    return None if field.default is ABSENT else field.default


def _is_shown(field: Field, stored: Json) -> bool:
    """Return whether the page shows the stored value. A list must have no entry that the field would change."""
    return _fits(field, stored) and (
        not isinstance(stored, list) or all(_entry_fits(field, entry) for entry in stored)
    )


def _entry_fits(field: Field, entry: Json) -> bool:
    """Return whether an entry of a list is an option of its check boxes, or of the kind of its lines."""
    if field.kind is FieldKind.CHOICES:
        return option_key(entry) in [option_key(option.value) for option in field.options]
    return is_number(entry) if field.item in NUMBERS else isinstance(entry, str)


def _fits(field: Field, value: Json) -> bool:
    if value is None:
        return field.part.nullable
    if field.kind is FieldKind.CHOICE:
        return value in [option.value for option in field.options]
    types = {FieldKind.FLAG: bool, FieldKind.TEXT: str, FieldKind.LINES: list, FieldKind.CHOICES: list}
    if field.kind in types:
        return isinstance(value, types[field.kind])
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _entry(field: Field, value: Json, contents: FormContents) -> str:
    """Return the text that shows a value in the field's input."""
    if value is None:
        return ""
    match field.kind:
        case FieldKind.CHOICE:
            return option_key(value)
        case FieldKind.LINES if isinstance(value, list):
            mark = contents.decimal_mark if field.item in NUMBERS else "."
            return "\n".join(_scalar(item, mark) for item in value)
        case _:
            return _scalar(value, contents.decimal_mark)


def _scalar(value: Json, decimal_mark: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return shown_number(value).replace(".", decimal_mark)
    return json.dumps(value, ensure_ascii=False)


def _option_views(
    field: Field, value: Json, posted: Sequence[str] | None, contents: FormContents
) -> tuple[OptionView, ...]:
    listed = value if isinstance(value, list) and field.kind is FieldKind.CHOICES else [value]
    chosen = [option_key(item) for item in listed] if posted is None else list(posted)
    return tuple(
        OptionView(
            key=option_key(option.value),
            label=text_in(option.title, contents.languages)
            or LocalizedText(value=_scalar(option.value, contents.decimal_mark)),
            chosen=option_key(option.value) in chosen,
        )
        for option in field.options
    )


def _posted_entry(field: Field, posted: Sequence[str]) -> str:
    return posted_text(field, posted) if field.kind is FieldKind.TEXT else posted[-1] if posted else ""


def _input(field: Field, entry: str) -> str:
    """Return the type of the `<input>`, for a field that has one.

    A text input shows an entry that its control could not show. A colour input cannot be empty (HTML, Colour state).
    """
    return field.control if is_shown_by(field.control, entry) else "text"


def _fits_format(field: Field, entry: str) -> bool:
    row = format_of(field.schema)
    return row is not None and row.fits is not None and row.fits(entry)


def _is_multiline(field: Field) -> bool:
    longest = field.schema.get("maxLength")
    long = isinstance(longest, int) and longest > MULTILINE_FROM
    return field.control == "multiline" or (long and "format" not in field.schema)


def _limits(field: Field, input_type: str, contents: FormContents) -> Iterator[Limit]:
    """Yield the limits that the page says beside the field. A pattern cannot be said in words."""

    def said(bound: Bound | None) -> str:
        return _limit_text(bound, contents)

    if field.kind in NUMBERS:
        yield from _range("", *map(said, range_of(field.schema, "number")))
        for bound in bounds_of(field.schema, "number"):
            if not bound.limit.side:
                yield Limit(key=bound.limit.problem, named={"limit": said(bound)})
    elif field.kind in SIZES:
        kind, what = SIZES[field.kind]
        low, high = map(said, range_of(field.schema, kind))
        # A least size of 1 says only that the value is not empty.
        yield from _range(f"{what}-", "" if low in {"0", "1"} else low, high)
    row, problem = format_of(field.schema), (contents.problems or {}).get(field.name)
    if row and row.fits and input_type == "text" and row.control != "text" and problem is None:
        yield Limit(key=f"problem-format-{row.name}")


def _limit_text(bound: Bound | None, contents: FormContents) -> str:
    return _scalar(bound.value, contents.decimal_mark) if bound else ""


def _range(prefix: str, low: str, high: str) -> Iterator[Limit]:
    named = {name: limit for name, limit in (("low", low), ("high", high)) if limit}
    if named:
        key = "range" if len(named) == len(("low", "high")) else "from" if low else "up-to"
        yield Limit(key=f"{prefix}{key}", named=named)
