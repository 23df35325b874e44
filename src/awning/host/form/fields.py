"""The groups and fields of a settings form, in the order of the data schema.

    boolean                        a check box
    integer, number                a number
    string                         a text field; with several lines for a long text
    enum, oneOf of constants       a choice
    array of strings or numbers    a text field with one entry per line
    array of a choice              check boxes
    object                         a group

Any other schema has no field: for example a constant, an array of objects, or an object with free keys. The form does
not change the stored value of such a schema.

A page never shows the value of a secret (a password or a write-only value). Its field is empty, and an empty entry
keeps the stored value. With check boxes, an empty entry would be a new value: no box is checked. So a secret that would
be check boxes has no field.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from awning.data_schema import ABSENT, Absent, SchemaOption, SchemaPart, default_of, has_secrets

Json = Any
Schema = Mapping[str, Any]
Path = tuple[str, ...]

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
        return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in self.path)

    @property
    def schema(self) -> Schema:
        return self.part.schema

    @property
    def is_switch(self) -> bool:
        return self.kind is FieldKind.FLAG and self.path[1:] == SWITCH

    @property
    def items(self) -> Schema:
        return self.part.items.schema if self.part.items is not None else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The fields and groups of an object. `left_out` holds the names of its properties that have no field."""

    path: Path
    part: SchemaPart
    members: tuple["Field | Group", ...] = ()
    left_out: tuple[str, ...] = ()


def read_form(part: SchemaPart) -> Group:
    """Return the form of an object schema. An object without properties gives an empty group."""
    return _group(part, (), default=default_of(part), secret=False)


def _group(part: SchemaPart, path: Path, *, default: Json | Absent, secret: bool) -> Group:
    """Return the group of an object. With `secret`, all its fields are secret, even when the schema does not say so."""
    members: list[Field | Group] = []
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
        elif isinstance(member, Field) or member.members or member.left_out:
            members.append(member)
    return Group(path=path, part=part, members=tuple(members), left_out=tuple(left_out))


def fields_of(group: Group) -> Iterator[Field]:
    """Yield all fields of a group, including the fields of inner groups."""
    for member in group.members:
        if isinstance(member, Group):
            yield from fields_of(member)
        else:
            yield member


def _member(
    part: SchemaPart, path: Path, *, default: Json | Absent, required: bool, secret: bool
) -> Field | Group | None:
    # An object with free keys has no fields, but it may hold data. So the page says that it leaves out a setting.
    has_free_keys = part.type == "object" and not part.properties and part.others is not None
    if "const" in part.schema or has_free_keys:
        return None
    if part.type == "object":
        return _group(part, path, default=default, secret=secret)
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
