"""One part of a schema (for a plain value, an object or a list), and the reason why a value does not fit."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

Json = Any
Path = tuple[str | int, ...]
"""The path to a value: keys of objects, and indexes of lists from 0."""


class Absent(Enum):
    """The type of ABSENT, which stands for a missing value. None stands for JSON's null."""

    ABSENT = 0


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaOption:
    """One value of a choice. `title` is a text, or texts by language; None when there is no title."""

    value: Json
    title: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaPart:
    """A JSON Schema with its references followed.

    `types` are JSON Schema's names of the allowed types, without `null`; an empty tuple allows every type.
    `schema` has all keywords: limits and texts are read from it where they are needed.
    """

    types: tuple[str, ...] = ()
    nullable: bool = False
    options: tuple[SchemaOption, ...] | None = None
    """The values of `enum`, `const`, or of constants in `oneOf` or `anyOf`, without null.

    None when all values are allowed, empty when only null is allowed.
    """
    properties: Mapping[str, "SchemaPart"] = field(default_factory=lambda: MappingProxyType({}))
    required: frozenset[str] = frozenset()
    others: "SchemaPart | None" = None
    """The schema of keys that `properties` does not contain; None when such keys are not allowed."""
    items: "SchemaPart | None" = None
    """The schema of each entry of a list; None when every entry is allowed."""
    default: Json | Absent = ABSENT
    secret: bool = False
    """Whether the value is a password or write-only. Diagnostics, generated types and the form then hide it."""
    schema: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def type(self) -> str | None:
        """The only type besides null; None when there is no type or more than one."""
        return self.types[0] if len(self.types) == 1 else None

    @property
    def title(self) -> Json:
        """The title: a text, or texts by language; None without a title."""
        return self.schema.get("title")

    @property
    def description(self) -> Json:
        return self.schema.get("description")


def has_secrets(part: SchemaPart) -> bool:
    """Return whether the part is `secret`, or has such a part in it."""
    inner = (*part.properties.values(), part.items, part.others)
    return part.secret or any(has_secrets(child) for child in inner if child is not None)


ANYTHING = SchemaPart(nullable=True)
"""The schema that allows every value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueProblem:
    """The reason why a value does not fit: a code, and the words for the placeholders of its sentence.

    `line` is the number of the wrong entry of a list, from 1; 0 means the whole value.
    """

    code: str
    named: Mapping[str, str] = field(default_factory=dict)
    line: int = 0

    def at(self, line: int) -> "ValueProblem":
        return replace(self, line=line)
