"""The fields as a page shows them: with texts in the visitor's language, and with values.

The values are the posted ones, or the stored ones when nothing was posted. The value of a secret is never shown.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awning.data_schema import ABSENT, ValueProblem
from awning.data_schema.limits import shown_number, text_problem
from awning.host.form.fields import Field, FieldKind, Group
from awning.host.form.filling import has_value, is_empty_entry, may_stay_empty, option_key, value_at
from awning.host.languages import LocalizedText, text_in

Json = Any
MULTILINE_FROM = 120
INPUTS = {"email": "email", "uri": "url", "date": "date", "color": "color"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    key: str
    label: LocalizedText
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One field as the page shows it.

    `entry` is the text in the input. `fallback` is the default of the schema as text; None without one, and for a
    secret. `low` and `high` are the limits of the value. `note` is the key of a sentence about the empty input of a
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
    low: str | None = None
    high: str | None = None
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
    """The contents of a form. `posted` is None when the page shows the stored data."""

    languages: Sequence[str]
    stored: Json
    posted: Mapping[str, Sequence[str]] | None = None
    problems: Mapping[str, ValueProblem] | None = None


def view_of(form: Group, contents: FormContents) -> GroupView:
    return _group(form, contents, "f")


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
    entry = _entry(field, value) if posted is None else posted[-1] if posted else ""
    return FieldView(
        id=field_id,
        name=field.name,
        kind=field.kind,
        label=_label(field.schema, field.path, contents),
        hint=text_in(field.schema.get("description"), contents.languages),
        required=_must_be_entered(field, contents),
        entry=entry,
        checked=bool(value) if posted is None else bool(posted),
        options=_option_views(field, value, posted, contents.languages),
        input=_input(field, entry),
        multiline=_is_multiline(field),
        low=_bound(field, "minimum"),
        high=_bound(field, "maximum"),
        fallback=_fallback(field),
        note=_note(field, contents),
        problem=(contents.problems or {}).get(field.name),
    )


def _must_be_entered(field: Field, contents: FormContents) -> bool:
    is_kept = field.secret and may_stay_empty(field, contents.stored)
    return field.required and field.kind is not FieldKind.FLAG and not is_kept


def _fallback(field: Field) -> str | None:
    is_shown = field.default is not ABSENT and not field.secret
    return _entry(field, field.default) if is_shown else None


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


def _fits(field: Field, value: Json) -> bool:
    if value is None:
        return field.part.nullable
    if field.kind is FieldKind.CHOICE:
        return value in [option.value for option in field.options]
    types = {FieldKind.FLAG: bool, FieldKind.TEXT: str, FieldKind.LINES: list, FieldKind.CHOICES: list}
    if field.kind in types:
        return isinstance(value, types[field.kind])
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _entry(field: Field, value: Json) -> str:
    """Return the text that shows a value in the field's input."""
    if value is None:
        return ""
    match field.kind:
        case FieldKind.CHOICE:
            return option_key(value)
        case FieldKind.LINES if isinstance(value, list):
            return "\n".join(_scalar(item) for item in value)
        case _:
            return _scalar(value)


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return shown_number(value)
    return json.dumps(value, ensure_ascii=False)


def _option_views(
    field: Field, value: Json, posted: Sequence[str] | None, languages: Sequence[str]
) -> tuple[OptionView, ...]:
    listed = value if isinstance(value, list) and field.kind is FieldKind.CHOICES else [value]
    chosen = [option_key(item) for item in listed] if posted is None else list(posted)
    return tuple(
        OptionView(
            key=option_key(option.value),
            label=text_in(option.title, languages) or LocalizedText(value=_scalar(option.value)),
            chosen=option_key(option.value) in chosen,
        )
        for option in field.options
    )


def _input(field: Field, entry: str) -> str:
    """Return the type of the `<input>`, for a field that has one.

    A colour input cannot be empty (HTML, Colour state), so a text input shows an entry that is not a colour.
    """
    if field.secret:
        return "password"
    input_type = INPUTS.get(str(field.schema.get("format")), "text")
    return "text" if input_type == "color" and text_problem(entry, field.schema) else input_type


def _is_multiline(field: Field) -> bool:
    longest = field.schema.get("maxLength")
    long = isinstance(longest, int) and longest > MULTILINE_FROM
    return field.schema.get("format") == "multiline" or (long and "format" not in field.schema)


def _bound(field: Field, keyword: str) -> str | None:
    value = field.schema.get(keyword)
    return shown_number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
