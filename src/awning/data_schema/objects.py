"""The objects of a data schema, each with the name of its TypeScript type.

Only objects with known keys are listed: `data` itself, objects in it, and the items of its lists.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from awning.data_schema.schema_part import SchemaPart

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
