"""One part of a schema: a value that can be set, an object of such, or a list."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

Json = Any
Path = tuple[str | int, ...]
"""The way to a value: names of keys, and places in lists from 0."""


class Absent(Enum):
    """The one value of it says: there is no value. (None is JSON's null.)"""

    ABSENT = 0


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One answer of a choice; `title` is a text or texts by language, None where the value speaks for itself."""

    value: Json
    title: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A JSON Schema with its references followed.

    `types` are JSON Schema's names of what is allowed, without `null`; none of them means that anything is.
    `schema` has the keywords that are read where they are needed: limits, texts.
    """

    types: tuple[str, ...] = ()
    nullable: bool = False
    options: tuple[Option, ...] | None = None
    """The values of an `enum`, a `const` or a `oneOf` of constants; None where any value of the types will do."""
    properties: Mapping[str, "Part"] = field(default_factory=lambda: MappingProxyType({}))
    required: frozenset[str] = frozenset()
    others: "Part | None" = None
    """What keys that have no name in `properties` hold; None where there must be no others."""
    items: "Part | None" = None
    """What each value of a list is; None where anything may be in it."""
    default: Json | Absent = ABSENT
    secret: bool = False
    """Marked as a password or as write-only: its value is never shown."""
    schema: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def type(self) -> str | None:
        """The one type beside null; None for none or several."""
        return self.types[0] if len(self.types) == 1 else None

    @property
    def title(self) -> Json:
        """A text, or texts by language; None where there is none."""
        return self.schema.get("title")

    @property
    def description(self) -> Json:
        return self.schema.get("description")


def has_secrets(part: Part) -> bool:
    """Whether a value in it is one that is never shown."""
    inner = (*part.properties.values(), part.items, part.others)
    return part.secret or any(has_secrets(one) for one in inner if one is not None)


ANYTHING = Part(nullable=True)
"""The schema that allows every value."""
