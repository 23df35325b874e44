"""A JSON Schema as groups and fields, in the schema's order.

    boolean                        a check box
    integer, number                a number
    string                         a text; long ones in several lines
    enum, oneOf of constants       a choice
    array of a scalar              one entry per line
    array of a choice              check boxes
    object                         a group

What is none of these (an array of objects, a `$ref`) is no field: its stored value is left as it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Json = Any
Schema = Mapping[str, Any]
Path = tuple[str, ...]

SCALARS = ("boolean", "integer", "number", "string")


class Kind(StrEnum):
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    LINES = "lines"
    CHOICES = "choices"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer of a choice; `title` is a text or a languages object, None where the value speaks for itself."""

    value: Json
    title: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing to set. `item` is the kind of a list's entries; `options` those of a choice."""

    path: Path
    kind: Kind
    schema: Schema
    required: bool = False
    nullable: bool = False
    item: Kind | None = None
    options: tuple[Option, ...] = ()

    @property
    def name(self) -> str:
        """Its name in a form: the JSON Pointer of its value (RFC 6901)."""
        return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in self.path)

    @property
    def items(self) -> Schema:
        found: Schema = self.schema.get("items", {})
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """An object: its fields and groups. `left_out` names what it holds that is no field."""

    path: Path
    schema: Schema
    members: tuple["Field | Group", ...] = ()
    left_out: tuple[str, ...] = ()


def read_form(schema: Schema, path: Path = ()) -> Group:
    """The form of an object's schema; an empty group for an empty schema."""
    required = schema.get("required", ())
    members: list[Field | Group] = []
    left_out: list[str] = []
    for name, part in _properties(schema):
        member = _member(part, (*path, name), required=name in required)
        if member is None:
            left_out.append(name)
        elif isinstance(member, Field) or member.members or member.left_out:
            members.append(member)
    return Group(path=path, schema=schema, members=tuple(members), left_out=tuple(left_out))


def fields_of(group: Group) -> Iterator[Field]:
    """Every field, groups opened."""
    for member in group.members:
        if isinstance(member, Group):
            yield from fields_of(member)
        else:
            yield member


def defaults_of(group: Group) -> dict[str, Json]:
    """The `default` of every property, as the runtime puts it under the stored data."""
    return _defaults(group.schema)


def _defaults(schema: Schema) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, part in _properties(schema):
        if "default" in part:
            found[name] = part["default"]
        elif inner := _defaults(part):
            found[name] = inner
    return found


def _properties(schema: Schema) -> Iterator[tuple[str, Schema]]:
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(part, Mapping):
            yield name, part


def _member(schema: Schema, path: Path, *, required: bool) -> Field | Group | None:
    declared, nullable = _declared(schema)
    if "const" in schema or "$ref" in schema or _is_open(schema, declared):
        return None
    if declared == "object" or (declared is None and "properties" in schema):
        return read_form(schema, path)
    kind, options = _scalar(schema, declared)
    item = None
    if declared == "array" and isinstance(schema.get("items"), Mapping):
        item, options = _scalar(schema["items"], _declared(schema["items"])[0])
        kind = _list_kind(item)
    if kind is None:
        return None
    return Field(
        path=path,
        kind=kind,
        schema=schema,
        required=required,
        nullable=nullable,
        item=item,
        options=options,
    )


def _is_open(schema: Schema, declared: str | None) -> bool:
    """An object of any names: it has no fields to show, and yet may hold something."""
    return (
        declared == "object"
        and "properties" not in schema
        and schema.get("additionalProperties") is not False
    )


def _declared(schema: Schema) -> tuple[str | None, bool]:
    """The one type that is not null, and whether null is another. None for none or several."""
    given = schema.get("type")
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, list) else []
    others = [name for name in names if name != "null"]
    return (others[0] if len(others) == 1 else None), "null" in names


def _scalar(schema: Schema, declared: str | None) -> tuple[Kind | None, tuple[Option, ...]]:
    options = _options(schema)
    if options:
        return Kind.CHOICE, options
    kinds = dict(zip(SCALARS, (Kind.FLAG, Kind.WHOLE, Kind.NUMBER, Kind.TEXT), strict=True))
    return kinds.get(declared or ""), ()


def _options(schema: Schema) -> tuple[Option, ...]:
    listed = schema.get("enum")
    if isinstance(listed, list):
        return tuple(Option(value=value) for value in listed if value is not None)
    either = schema.get("oneOf")
    if isinstance(either, list) and all(isinstance(one, Mapping) and "const" in one for one in either):
        return tuple(Option(value=one["const"], title=one.get("title")) for one in either)
    return ()


def _list_kind(item: Kind | None) -> Kind | None:
    if item is Kind.CHOICE:
        return Kind.CHOICES
    return Kind.LINES if item in {Kind.TEXT, Kind.WHOLE, Kind.NUMBER} else None
