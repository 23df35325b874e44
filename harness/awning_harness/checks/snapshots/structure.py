"""The structure of a block: what can be seen of it, as text that is stored, compared and read by people.

A line is an element or a text, indented below the element that contains it:

    p.note  0,24 231x19; color #333333; font 13.13px/19.03px system-ui
      "Only 3 left"  0,0 71x19

The numbers are CSS pixels: the position within the containing line, then the size. A property is left out where it is
inherited or has its initial value. Colours are `#rrggbb`, with `/40%` where they are partly transparent, or `none`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

FORMAT = 1
NOTHING = "nothing"
"""The only line below the header when the widget shows nothing."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_LINE = re.compile(
    rf"(?P<indent> *)(?P<name>{_STRING}|\S+)  (?P<box>-?\d+,-?\d+ \d+x\d+)"
    rf'(?P<properties>(?:; [a-z]+ (?:{_STRING}|[^;"])+)*)'
)
_PROPERTY = re.compile(rf'; ([a-z]+) ((?:{_STRING}|[^;"])+)')


class Unreadable(ValueError):
    """A stored structure is damaged, or of another format. The message has the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in CSS pixels, relative to the box that contains it."""

    x: int
    y: int
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.x},{self.y} {self.width}x{self.height}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenNode:
    """One element (`p.note`) or text (`"Only 3 left"`), with what it contains."""

    name: str
    box: Box
    properties: Mapping[str, str]
    children: tuple["SeenNode", ...] = ()

    @property
    def is_text(self) -> bool:
        return self.name.startswith('"')

    @property
    def words(self) -> str:
        """All texts in the node, in quotes."""
        return self.name if self.is_text else " ".join(child.words for child in self.children if child.words)

    def lines(self, depth: int = 0) -> Iterator[str]:
        properties = "".join(f"; {key} {value}" for key, value in self.properties.items())
        yield f"{'  ' * depth}{self.name}  {self.box}{properties}"
        for child in self.children:
            yield from child.lines(depth + 1)


Structure = tuple[SeenNode, ...]


def write_structure(structure: Structure, *, state: str, language: str) -> str:
    """Return the text of a structure: a header, then a line for each node."""
    lines = [line for node in structure for line in node.lines()] or [NOTHING]
    return "\n".join([_header(state, language), *lines, ""])


def _header(state: str, language: str) -> str:
    return f"# Snapshot {FORMAT}: {state} in {language}, written by awning test --update-snapshots"


def read_structure(text: str) -> Structure:
    """Return the structure that `write_structure` wrote. Raises Unreadable for any other text."""
    header, *lines = text.removesuffix("\n").split("\n")
    if not header.startswith(f"# Snapshot {FORMAT}: "):
        raise Unreadable(f'its first line is not "# Snapshot {FORMAT}: ..."')
    if lines == [NOTHING]:
        return ()
    return nest(_read_line(number, line) for number, line in enumerate(lines, 2))


def _read_line(number: int, line: str) -> tuple[int, SeenNode]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise Unreadable(f"line {number} is no element and no text: {line.strip()[:60]!r}")
    x, y, width, height = (int(part) for part in re.findall(r"-?\d+", match["box"]))
    properties = dict(_PROPERTY.findall(match["properties"]))
    node = SeenNode(
        name=match["name"],
        box=Box(x=x, y=y, width=width, height=height),
        properties=MappingProxyType(properties),
    )
    return len(match["indent"]) // 2, node


def nodes_of(lines: Iterable[Sequence[Any]]) -> Structure:
    """Return the structure that `capture.js` measured: lines of depth, name, box and properties."""
    return nest(
        (
            depth,
            SeenNode(
                name=name,
                box=Box(x=x, y=y, width=width, height=height),
                properties=MappingProxyType(dict(properties)),
            ),
        )
        for depth, name, x, y, width, height, properties in lines
    )


def nest(lines: Iterable[tuple[int, SeenNode]]) -> Structure:
    """Return the nodes as a tree, by the depth of each line. Raises Unreadable when a depth is skipped."""
    remaining = list(lines)
    nodes, end = _nest(remaining, 0, 0)
    if end != len(remaining):
        raise Unreadable(f"line {end + 2} is indented too far")
    return nodes


def _nest(lines: Sequence[tuple[int, SeenNode]], start: int, depth: int) -> tuple[Structure, int]:
    """Return the siblings at `depth` from `start` on, and the index of the line after them."""
    nodes: list[SeenNode] = []
    index = start
    while index < len(lines) and lines[index][0] == depth:
        node = lines[index][1]
        children, index = _nest(lines, index + 1, depth + 1)
        nodes.append(SeenNode(name=node.name, box=node.box, properties=node.properties, children=children))
    return tuple(nodes), index
