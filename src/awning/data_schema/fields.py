"""The groups, rows and fields of a form for app data, in the order of the data schema.

The settings form of the host and the form of `awning dev` are made from this one description.

    boolean                        a check box
    integer, number                a number
    string                         a text field, or the control of its format
    enum, oneOf of constants       a choice
    array of strings or numbers    a text field with one entry per line
    array of a choice              check boxes
    array of objects               rows, each with the fields of the object
    object                         a group

Any other schema has no field: for example a constant, or an object with free keys. A form does not change the stored
value of such a schema. So a list of objects has no rows where a new row would lack a required value that has no field.

A page never shows the value of a secret (a password or a write-only value). Its field is empty, and an empty entry
keeps the stored value. With check boxes, an empty entry would be a new value: no box is checked. So a secret that would
be check boxes has no field.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from awning.data_schema.schema_part import (
    ABSENT,
    Absent,
    Json,
    Path,
    SchemaOption,
    SchemaPart,
    default_of,
    has_secrets,
)
from awning.data_schema.value_formats import Control, format_of

Schema = Mapping[str, Any]

SCALARS = ("boolean", "integer", "number", "string")


class FieldKind(StrEnum):
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    LINES = "lines"
    CHOICES = "choices"


SWITCH = ("enabled",)
"""The key in a widget's data that turns the widget off. Without a value, the widget is on (jsrc/runtime/data.ts)."""
CHECK_BOXES = frozenset({FieldKind.FLAG, FieldKind.CHOICES})


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One setting. `item` is the kind of a list's entries; `options` are the options of a choice.

    `default` is the value that applies while none is stored. It may come from an object around the setting. `secret` is
    whether the value, its entries or an object around it is a password or write-only.
    """

    path: Path
    kind: FieldKind
    part: SchemaPart
    default: Json | Absent = ABSENT
    required: bool = False
    item: FieldKind | None = None
    options: tuple[SchemaOption, ...] = ()
    secret: bool = False

    @property
    def name(self) -> str:
        """The field's name in the HTML form: the JSON Pointer of the value (RFC 6901)."""
        return pointer(self.path)

    @property
    def schema(self) -> Schema:
        return self.part.schema

    @property
    def is_switch(self) -> bool:
        return self.kind is FieldKind.FLAG and self.path[1:] == SWITCH

    @property
    def items(self) -> Schema:
        return self.part.items.schema if self.part.items is not None else {}

    @property
    def control(self) -> Control:
        """The control of a text: that of its format. A secret is a password."""
        row = format_of(self.schema)
        return "password" if self.secret else row.control if row else "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A list of objects. `default` is the list that applies while none is stored."""

    path: Path
    part: SchemaPart
    item: SchemaPart
    default: Json | Absent = ABSENT
    required: bool = False
    secret: bool = False

    @property
    def name(self) -> str:
        """The name in the HTML form: the JSON Pointer of the list."""
        return pointer(self.path)

    def row(self, place: int) -> "Group":
        """Return the fields of the row at a place, from 0. They have no defaults: the runtime fills in only objects."""
        return _group(self.item, (*self.path, place), default=ABSENT, secret=self.secret or self.part.secret)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The members of an object. `left_out` holds the names of its properties that have no field."""

    path: Path
    part: SchemaPart
    members: tuple["Field | Rows | Group", ...] = ()
    left_out: tuple[str, ...] = ()
    required: bool = False


def pointer(path: Path) -> str:
    """Return a path as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def read_form(part: SchemaPart) -> Group:
    """Return the form of an object schema. An object without properties gives an empty group."""
    return _group(part, (), default=default_of(part), secret=False)


def _group(
    part: SchemaPart, path: Path, *, default: Json | Absent, secret: bool, required: bool = False
) -> Group:
    """Return the group of an object. With `secret`, all its fields are secret, even when the schema does not say so."""
    members: list[Field | Rows | Group] = []
    left_out: list[str] = []
    defaults: Mapping[str, Json] = default if isinstance(default, Mapping) else {}
    for name, inner in part.properties.items():
        member = _member(
            inner,
            (*path, name),
            default=defaults.get(name, ABSENT),
            required=name in part.required,
            secret=secret or part.secret,
        )
        if member is None:
            left_out.append(name)
        elif not isinstance(member, Group) or member.members or member.left_out:
            members.append(member)
    return Group(path=path, part=part, members=tuple(members), left_out=tuple(left_out), required=required)


def fields_of(group: Group) -> Iterator[Field | Rows]:
    """Yield all fields and rows of a group, including those of inner groups, but not the fields of each row."""
    for member in group.members:
        if isinstance(member, Group):
            yield from fields_of(member)
        else:
            yield member


def new_row(part: SchemaPart) -> dict[str, Json]:
    """Return the values that a new row of an object schema begins with: its defaults and constants."""
    default = default_of(part)
    row = dict(default) if isinstance(default, Mapping) else {}
    for name, inner in part.properties.items():
        if name not in row and name in part.required:
            if "const" in inner.schema:
                row[name] = inner.schema["const"]
            elif inner.type == "object" and not inner.nullable:
                row[name] = new_row(inner)
    return row


def _can_be_made(group: Group) -> bool:
    """Return whether a new row has, or gets from its fields, every value that is required."""
    begun = new_row(group.part)
    fields = {member.path[-1]: member for member in group.members}
    return all(name in begun or name in fields for name in group.part.required) and all(
        _can_be_made(member) for member in group.members if isinstance(member, Group)
    )


def _member(
    part: SchemaPart, path: Path, *, default: Json | Absent, required: bool, secret: bool
) -> Field | Rows | Group | None:
    # An object with free keys has no fields, but it may hold data. So the page says that it leaves out a setting.
    has_free_keys = part.type == "object" and not part.properties and part.others is not None
    if "const" in part.schema or has_free_keys:
        return None
    if part.type == "object":
        return _group(part, path, default=default, secret=secret, required=required)
    if part.type == "array" and part.items is not None and part.items.type == "object":
        rows = Rows(path=path, part=part, item=part.items, default=default, required=required, secret=secret)
        row = rows.row(0)
        is_shown = not part.items.nullable and bool(row.members) and _can_be_made(row)
        return rows if is_shown else None
    kind, options = _scalar(part)
    item = None
    if part.type == "array" and part.items is not None:
        item, options = _scalar(part.items)
        if item is FieldKind.CHOICE:
            kind = FieldKind.CHOICES
        elif item in {FieldKind.TEXT, FieldKind.WHOLE, FieldKind.NUMBER}:
            kind = FieldKind.LINES
        else:
            kind = None
    secret = secret or has_secrets(part)
    if kind is None or (secret and kind in CHECK_BOXES):
        return None
    if kind is FieldKind.FLAG and path[1:] == SWITCH and default is ABSENT:
        default = True
    return Field(
        path=path,
        kind=kind,
        part=part,
        default=default,
        required=required,
        item=item,
        options=options,
        secret=secret,
    )


def _scalar(part: SchemaPart) -> tuple[FieldKind | None, tuple[SchemaOption, ...]]:
    if part.options:
        return FieldKind.CHOICE, part.options
    kinds = dict(
        zip(SCALARS, (FieldKind.FLAG, FieldKind.WHOLE, FieldKind.NUMBER, FieldKind.TEXT), strict=True)
    )
    return kinds.get(part.type or ""), ()
