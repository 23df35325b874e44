"""The fields of the app data, made from the widgets' schemas. The inspector makes a form from the fields."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from awning.data_schema import ABSENT, Misfit, SchemaPart, app_misfits, default_of, read_schema, sentence_for
from awning.workspace import Widget
from awning.workspace.store.records import text

_SCALARS = {"boolean", "number", "integer", "string"}


def widget_fields(widget: Widget, language: str) -> list[dict[str, Any]]:
    """Return a field for each property of the widget's schema (`Field` in `jsrc/inspector/server.ts`).

    A property that is not a simple value, a choice, a list or a group is edited as JSON.
    """
    return _fields(_settings(widget), language)


def data_problems(data: Mapping[str, Any], widgets: Iterable[Widget]) -> list[dict[str, Any]]:
    """Return the misfits of app data, with path and message.

    A missing required value is no misfit, because a new shop has no values.
    """
    app = SchemaPart(types=("object",), properties={widget.name: _settings(widget) for widget in widgets})
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


def _settings(widget: Widget) -> SchemaPart:
    return read_schema(widget.data_schema or {"properties": {}})[0]


def _fields(part: SchemaPart, language: str) -> list[dict[str, Any]]:
    return [
        _field(name, inner, language, required=name in part.required)
        for name, inner in part.properties.items()
    ]


def _field(name: str, part: SchemaPart, language: str, *, required: bool = False) -> dict[str, Any]:
    kind = _kind(part)
    default = default_of(part)
    field = {
        "name": name,
        "type": kind,
        "title": _text(part.title, language) or name,
        "description": _text(part.description, language),
        "required": required,
        "choices": _choices(part.items if kind == "choices" and part.items else part, language),
        "fields": _fields(part, language) if kind == "group" else [],
    }
    if kind == "list" and part.items is not None:
        field["item"] = _field("", part.items, language, required=True)
    return field if default is ABSENT else {**field, "default": default}


def _kind(part: SchemaPart) -> str:
    if part.options:
        return "choice"
    if part.type == "object":
        return "group" if part.properties and part.others is None else "json"
    if part.type == "array" and part.items is not None:
        inner = _kind(part.items)
        return "json" if inner == "json" else "choices" if inner == "choice" else "list"
    return part.type if part.type in _SCALARS else "json"


def _choices(part: SchemaPart, language: str) -> list[dict[str, Any]]:
    """Return the values of an option list, each with its title."""
    options = [
        (option.value, _text(option.title, language) or str(option.value)) for option in part.options or ()
    ]
    if part.nullable and options:
        options.append((None, "null"))
    return [{"value": value, "title": title} for value, title in options]


def _text(value: Any, language: str) -> str:
    """Return a title or description, which may be a text or texts by language."""
    if isinstance(value, Mapping):
        return text(value, language, "en") if value else ""
    return value if isinstance(value, str) else ""
