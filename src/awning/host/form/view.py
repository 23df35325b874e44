"""The fields as a page shows them: with texts in the visitor's language, and with values.

The values are the posted ones, or the stored ones when nothing was posted. The value of a secret is never shown.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from awning.data_schema import ABSENT, ValueProblem
from awning.data_schema.keywords import Bound, bounds_of, is_number, range_of
from awning.data_schema.limits import shown_number, text_problem
from awning.data_schema.patterns import Patterns
from awning.data_schema.value_formats import VALUE_FORMATS
from awning.host.form.fields import Field, FieldKind, Group
from awning.host.form.filling import (
    group_fits,
    has_value,
    is_empty_entry,
    may_stay_empty,
    option_key,
    value_at,
)
from awning.host.languages import LocalizedText, text_in

Json = Any
MULTILINE_FROM = 120
NUMBERS = frozenset({FieldKind.WHOLE, FieldKind.NUMBER})
SIZES = {
    FieldKind.TEXT: ("string", "characters"),
    FieldKind.LINES: ("array", "entries"),
    FieldKind.CHOICES: ("array", "entries"),
}
"""The type of a value that has a length, and what the length is counted in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    key: str
    label: LocalizedText
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit of a field: the key of its sentence, and the words for the sentence's placeholders."""

    key: str
    named: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One field as the page shows it.

    `entry` is the text in the input. `fallback` is the default of the schema as text; None without one, and for a
    secret. `note` is the key of a sentence about the empty input of a
    secret; None without one.
    """

    id: str
    name: str
    kind: FieldKind
    label: LocalizedText
    hint: LocalizedText | None
    required: bool
    entry: str = ""
    checked: bool = False
    options: tuple[OptionView, ...] = ()
    input: str = "text"
    multiline: bool = False
    limits: tuple[Limit, ...] = ()
    fallback: str | None = None
    note: str | None = None
    problem: ValueProblem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    id: str
    label: LocalizedText
    hint: LocalizedText | None
    members: tuple["FieldView | GroupView", ...]
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FormContents:
    """The contents of a form. `posted` is None when the page shows the stored data.

    `decimal_mark` is the decimal mark of the numbers that the page shows.
    """

    languages: Sequence[str]
    stored: Json
    decimal_mark: str = "."
    posted: Mapping[str, Sequence[str]] | None = None
    problems: Mapping[str, ValueProblem] | None = None


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
        if isinstance(member, Group) and (not exists or group_fits(member, value)):
            yield from (f"{label} / {inner}" for inner in unshown(member, contents))
        elif isinstance(member, Group) or (exists and not member.secret and not _is_shown(member, value)):
            yield label


def _group(group: Group, contents: FormContents, group_id: str) -> GroupView:
    return GroupView(
        id=group_id,
        label=_label(group.part.schema, group.path, contents),
        hint=text_in(group.part.schema.get("description"), contents.languages),
        members=tuple(
            _group(member, contents, f"{group_id}-{place}")
            if isinstance(member, Group)
            else _field(member, contents, f"{group_id}-{place}")
            for place, member in enumerate(group.members)
        ),
        left_out=len(group.left_out),
    )


def _field(field: Field, contents: FormContents, field_id: str) -> FieldView:
    posted = None if contents.posted is None or field.secret else contents.posted.get(field.name, ())
    value = None if field.secret else _current(field, contents.stored)
    entry = _entry(field, value, contents) if posted is None else posted[-1] if posted else ""
    input_type = _input(field, entry)
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
    """Return the key of the sentence that explains why the input of a secret is empty; None without a reason."""
    if not field.secret:
        return None
    if not is_empty_entry(field, (contents.posted or {}).get(field.name, ())):
        return "secret-again"
    return "secret-kept" if has_value(field, contents.stored) else None


def _label(schema: Mapping[str, Any], path: Sequence[str], contents: FormContents) -> LocalizedText:
    name = path[-1] if path else ""
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


def _input(field: Field, entry: str) -> str:
    """Return the type of the `<input>`, for a field that has one.

    A text input shows an entry that is not a colour or not a date. A colour input cannot be empty (HTML, Colour state),
    and a date input would be empty.
    """
    if field.secret:
        return "password"
    row = VALUE_FORMATS.get(str(field.schema.get("format")))
    input_type = row.input if row else "text"
    is_strict = input_type == "color" or (input_type == "date" and entry)
    return "text" if is_strict and text_problem(entry, field.schema, Patterns()) else input_type


def _is_multiline(field: Field) -> bool:
    longest = field.schema.get("maxLength")
    long = isinstance(longest, int) and longest > MULTILINE_FROM
    return field.schema.get("format") == "multiline" or (long and "format" not in field.schema)


def _limits(field: Field, input_type: str, contents: FormContents) -> Iterator[Limit]:
    """Yield the limits that the page says beside the field. A pattern cannot be said in words."""

    def said(bound: Bound | None) -> str:
        return _scalar(bound.value, contents.decimal_mark) if bound else ""

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
    if field.schema.get("format") == "color" and input_type == "text":
        yield Limit(key="colour")


def _range(prefix: str, low: str, high: str) -> Iterator[Limit]:
    named = {name: limit for name, limit in (("low", low), ("high", high)) if limit}
    if named:
        key = "range" if len(named) == len(("low", "high")) else "from" if low else "up-to"
        yield Limit(key=f"{prefix}{key}", named=named)
