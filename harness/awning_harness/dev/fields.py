"""The fields of the app data, made from the widgets' schemas. The inspector makes a form from the fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from awning.data_schema import (
    ABSENT,
    Field,
    FieldKind,
    Group,
    Misfit,
    Rows,
    SchemaPart,
    app_misfits,
    default_of,
    new_row,
    read_form,
    sentence_for,
)
from awning.data_schema.keywords import range_of
from awning.data_schema.value_formats import format_of
from awning.workspace.model import Widget
from awning.workspace.store.records import text

NO_SETTINGS = SchemaPart(types=("object",))
"""The data schema of a widget that has none."""


def widget_fields(widget: Widget, language: str) -> list[dict[str, Any]]:
    """Return a field for each property of the widget's schema (`Field` in `jsrc/inspector/server.ts`).

    The fields are those of the settings form. A property that has none there is edited as JSON.
    """
    part = widget.data_part or NO_SETTINGS
    app = read_form(SchemaPart(types=("object",), properties={widget.name: part}))
    return [field for group in app.members if isinstance(group, Group) for field in _fields(group, language)]


def data_problems(data: Mapping[str, Any], widgets: Iterable[Widget]) -> list[dict[str, Any]]:
    """Return the misfits of app data, with path and message.

    A missing required value is no misfit, because a new shop has no values.
    """
    app = SchemaPart(
        types=("object",), properties={widget.name: widget.data_part or NO_SETTINGS for widget in widgets}
    )
    if not app.properties:  # there is no schema while the workspace cannot be read
        return []
    return [
        {"path": list(misfit.path), "message": _field_message(misfit)}
        for misfit in app_misfits(data, app, partial=True)
    ]


def with_former_fields(
    data: Mapping[str, Any], former: Mapping[str, Any], problems: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return `data`, in which each field with one of `problems` has its value from `former`.

    Without a former value, the field is left out. A list with a problem is restored as a whole.
    """
    result = dict(data)
    for problem in problems:
        result = _with_former_field(result, former, problem["path"])
    return {owner: values for owner, values in result.items() if values or owner in former}


def _with_former_field(
    values: Mapping[str, Any], former: Mapping[str, Any], path: Sequence[Any]
) -> dict[str, Any]:
    key, *inside = path
    group, former_group = values.get(key), former.get(key, {})
    if inside and isinstance(group, Mapping) and isinstance(former_group, Mapping):
        return {**values, key: _with_former_field(group, former_group, inside)}
    return _restored(values, former, key)


def _restored(values: Mapping[str, Any], former: Mapping[str, Any], key: str) -> dict[str, Any]:
    others = {name: value for name, value in values.items() if name != key}
    return {**others, key: former[key]} if key in former else others


def _field_message(misfit: Misfit) -> str:
    """Return the message beside the field, without a path.

    A message about an unknown key contains the path, because an unknown key has no field.
    """
    if misfit.problem.code == "unknown":
        return sentence_for(misfit)
    return sentence_for(replace(misfit, path=()), of="This")


def _fields(group: Group, language: str) -> list[dict[str, Any]]:
    """Return the members of a group in the order of its schema, with those that have no field of their own as JSON."""
    members = {member.path[-1]: member for member in group.members}
    names = [name for name in group.part.properties if name in members or name in group.left_out]
    return [
        _field(members.get(name), group.part.properties[name], name, language, name in group.part.required)
        for name in names
    ]


def _field(
    member: Field | Rows | Group | None, part: SchemaPart, name: str, language: str, required: bool
) -> dict[str, Any]:
    field = {
        "name": name,
        "type": "json",
        "control": "text",
        "title": _text(part.title, language) or name,
        "description": _text(part.description, language),
        "required": required,
        "choices": [],
        "fields": [],
    }
    match member:
        case Group():
            field |= {"type": "group", "fields": _fields(member, language)}
        case Rows():
            low, high = range_of(part.schema, "array")
            limits = {"least": low.value if low else 0, "most": high.value if high else None}
            field |= {
                "type": "rows",
                "fields": _fields(member.row(0), language),
                "blank": new_row(member.item),
            }
            field |= limits
        case Field():
            field |= {"type": member.kind, "control": member.control, "choices": _choices(member, language)}
            if member.kind is FieldKind.LINES and member.item is not None:
                row = format_of(member.items)
                item = {
                    "name": "",
                    "title": "",
                    "type": member.item,
                    "control": row.control if row else "text",
                }
                field["item"] = {**field, **item, "description": "", "required": True}
    default = default_of(part) if member is None or isinstance(member, Group) else member.default
    return field if default is ABSENT else {**field, "default": default}


def _choices(field: Field, language: str) -> list[dict[str, Any]]:
    """Return the values of an option list, each with its title."""
    options = [(option.value, _text(option.title, language) or str(option.value)) for option in field.options]
    if field.part.nullable and field.kind is FieldKind.CHOICE:
        options.append((None, "null"))
    return [{"value": value, "title": title} for value, title in options]


def _text(value: Any, language: str) -> str:
    """Return a title or description, which may be a text or texts by language."""
    if isinstance(value, Mapping):
        return text(value, language, "en") if value else ""
    return value if isinstance(value, str) else ""
