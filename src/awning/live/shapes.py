"""Infers the shape of events from many of them, and writes it as TypeScript."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_NAMES = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Shape:
    """What was seen in one place: the types of plain values, and the fields and elements of objects and lists.

    `objects` is how many objects were seen: a field that fewer of them have is optional.
    """

    plain: set[str] = field(default_factory=set)
    objects: int = 0
    fields: dict[str, "Shape"] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    lists: int = 0
    element: "Shape | None" = None

    def learn(self, value: Any) -> None:
        """Add a value of JSON."""
        if isinstance(value, Mapping):
            self.objects += 1
            for name, inner in value.items():
                self.counts[name] += 1
                self.fields.setdefault(name, Shape()).learn(inner)
        elif isinstance(value, list):
            self.lists += 1
            self.element = self.element or Shape()
            for inner in value:
                self.element.learn(inner)
        else:
            self.plain.add(_NAMES[type(value)])

    def type(self, indent: str = "") -> str:
        """Return the type in TypeScript; `never` when nothing was seen, as in a list that was always empty."""
        types = []
        if self.objects:
            types.append("{\n" + "".join(self._lines(indent + "  ")) + f"{indent}}}")
        if self.element is not None:
            types.append(f"Array<{self.element.type(indent)}>")
        return " | ".join([*types, *sorted(self.plain, key=lambda name: (name == "null", name))]) or "never"

    def _lines(self, indent: str) -> Iterator[str]:
        for name, inner in self.fields.items():
            key = name if _IDENTIFIER.fullmatch(name) else f'"{name}"'
            mark = "?" if self.counts[name] < self.objects else ""
            yield f"{indent}{key}{mark}: {inner.type(indent)};\n"


def typescript_of(events: Iterable[Mapping[str, Any]]) -> str:
    """Return an interface for each event: its arguments by name, as they came."""
    shapes: dict[str, Shape] = {}
    for event in events:
        values = {name: value for name, value in event.items() if name != "event"}
        shapes.setdefault(str(event["event"]), Shape()).learn(values)
    return "\n".join(
        f"/** {name}, seen {shape.objects} times. */\nexport type {_type_name(name)} = {shape.type()};\n"
        for name, shape in shapes.items()
    )


def _type_name(event: str) -> str:
    return "".join(word.capitalize() for word in re.findall("[A-Za-z0-9]+", event))
