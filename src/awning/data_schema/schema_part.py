"""One part of a schema (a plain value, an object or a list), its objects, and the reason why a value does not fit.

Its defaults are what the runtime uses where the stored data has no value.
"""

import re
from collections.abc import Iterator, Mapping
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

HIDDEN = "••••"
"""What stands for a text that is a secret."""


def with_hidden_secrets(part: SchemaPart, value: Json) -> Json | Absent:
    """Return a value of the part in which each secret text is `HIDDEN`. Other secrets are left out."""
    if part.secret:
        return HIDDEN if isinstance(value, str) else ABSENT
    if isinstance(value, Mapping):
        others = part.others or ANYTHING
        inner = {key: with_hidden_secrets(part.properties.get(key, others), it) for key, it in value.items()}
        return {key: it for key, it in inner.items() if it is not ABSENT}
    if isinstance(value, list) and part.items is not None:
        return [it for entry in value if (it := with_hidden_secrets(part.items, entry)) is not ABSENT]
    return value


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


DATA = "data"
"""The path of the whole data. Objects inside it are named by their path: `data.rows`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataObject:
    """An object at a path such as `data.rows`. `type_name` is the name of its type, `keys` are its keys."""

    path: str
    type_name: str
    keys: tuple[str, ...]


def data_objects(schema: SchemaPart) -> tuple[DataObject, ...]:
    """Return the objects of a schema, without those that allow any keys."""
    objects: list[DataObject] = []
    taken: set[str] = set()
    for path, part in _objects(schema, DATA):
        name = _type_name(path, taken)
        taken.add(name)
        objects.append(DataObject(path=path, type_name=name, keys=tuple(part.properties)))
    return tuple(objects)


def _objects(part: SchemaPart, path: str) -> Iterator[tuple[str, SchemaPart]]:
    if part.type != "object" or part.options is not None or part.others is not None:
        return
    yield path, part
    for key, inner in part.properties.items():
        is_list = inner.type == "array" and inner.items is not None
        yield from _objects(inner.items if is_list and inner.items else inner, f"{path}.{key}")


def _type_name(path: str, taken: set[str]) -> str:
    words = re.findall(r"[A-Za-z0-9]+", path)
    name = "".join(word[0].upper() + word[1:] for word in words)
    number = 2
    unique = name
    while unique in taken:
        unique, number = f"{name}{number}", number + 1
    return unique


def defaults_of(part: SchemaPart) -> dict[str, Json]:
    """Return the defaults of an object and of the objects in it; an empty dict when there are none.

    An object's own `default` takes precedence over the defaults of its properties.
    """
    value = default_of(part)
    return value if isinstance(value, dict) else {}


def default_of(part: SchemaPart) -> Json | Absent:
    """Return the default of a part's value, or ABSENT when there is none.

    The entries of a list have no defaults, because the runtime fills in only objects.
    """
    inner = {
        name: value
        for name, property_ in part.properties.items()
        if (value := default_of(property_)) is not ABSENT
    }
    if isinstance(part.default, Mapping):
        return merge_values(inner, part.default)
    return part.default if part.default is not ABSENT else inner or ABSENT


def merge_values(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Json]:
    """Merge two objects as the runtime does (`under` in jsrc/runtime/data.ts).

    Where both have a value, that of `over` is used; two objects are merged.
    """
    merged = dict(under)
    for name, value in over.items():
        standard = merged.get(name)
        both = isinstance(standard, Mapping) and isinstance(value, Mapping)
        merged[name] = merge_values(standard, value) if both else value  # type: ignore[arg-type]
    return merged
