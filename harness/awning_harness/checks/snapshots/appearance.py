"""The appearance of a state: the structure of its blocks and, on request, their accessibility tree and a picture.

The structure is what can be seen of a block, as text that is stored, compared and read by people. A line is an element
or a text, indented below the element that contains it:

    p.note  0,24 231x19; color #333333; font 13.13px/19.03px system-ui
      "Only 3 left"  0,0 71x19

The numbers are CSS pixels: the position within the containing line, then the size. A property is left out where it is
inherited or has its initial value. Colours are `#rrggbb`, with `/40%` where they are partly transparent, or `none`.

The accessibility tree has the roles, names and states that a screen reader gets. It is Playwright's aria snapshot, a
line for each element or text, indented below what contains it:

    - group:
      - heading "Delivery" [level=3]
      - button "More" [expanded=false]

Playwright leaves out a state that is false. For `expanded` and `pressed` it is added here, because a button that loses
`aria-expanded="false"` no longer says that it opens something. Addresses of links are left out: they differ between
websites of the simulated shop.
"""

import base64
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Browser

from awning_harness.visit.posing import corner
from awning_harness.visit.trial import Observed

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


HEADING = "# Accessibility tree"
"""The line above the tree in a snapshot. The tree is below it, without lines when a screen reader gets nothing."""

AriaTree = tuple[str, ...]
"""The lines of the trees of all blocks."""

_ARIA_LINE = re.compile(r"(?P<indent>(?:  )*)- (?P<key>'(?:[^']|'')*'|.+?)(?P<rest>:(?: .*)?)?")
_ADDRESS = re.compile(r" *- /url: .*")


def aria_tree(trees: Iterable[Mapping[str, Any]]) -> AriaTree:
    """Return the lines of the trees of all blocks, as `take_trees` of `visit/posing` has taken them."""
    return tuple(line for taken in trees for line in _tree_of(taken))


def _tree_of(taken: Mapping[str, Any]) -> AriaTree:
    """Return the tree of a block, with the states that are false."""
    tree = plain_tree(taken["tree"])
    for state, elements in taken["false"].items():
        tree = with_false_states(tree, state, (plain_tree(element)[0] for element in elements if element))
    return tree


def plain_tree(yaml: str) -> AriaTree:
    """Return the lines of an aria snapshot, without the addresses of links."""
    lines = [line for line in yaml.split("\n") if line and not _ADDRESS.fullmatch(line)]
    depths = [*map(_depth, lines), 0]
    return tuple(
        line.removesuffix(":") if depths[number + 1] <= depths[number] else line
        for number, line in enumerate(lines)
    )


def with_false_states(tree: AriaTree, state: str, elements: Iterable[str]) -> AriaTree:
    """Return the tree with a state that is false at each of `elements`, which are lines of it in their order."""
    lines = list(tree)
    for element in elements:
        same = (number for number, line in enumerate(lines) if line.strip() == element)
        if (number := next(same, None)) is not None:
            lines[number] = _with_state(lines[number], f"[{state}=false]")
    return tuple(lines)


def _with_state(line: str, state: str) -> str:
    match = _ARIA_LINE.fullmatch(line)
    if match is None:
        return line
    key = match["key"]
    key = f"{key[:-1]} {state}'" if key.startswith("'") else f"{key} {state}"
    return f"{match['indent']}- {key}{match['rest'] or ''}"


def read_aria_tree(lines: Sequence[str], *, first: int) -> AriaTree:
    """Return the stored lines of a tree. Raises Unreadable for any other line. `first` is the number of the first."""
    for number, line in enumerate(lines, first):
        if not _ARIA_LINE.fullmatch(line):
            raise Unreadable(f"line {number} is no line of an accessibility tree: {line.strip()[:60]!r}")
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a tree, with the line that contains it."""

    depth: int
    words: str
    container: str


def describe_aria_differences(before: AriaTree, after: AriaTree) -> list[str]:
    """Return a sentence for each line that differs. Empty when nothing differs."""
    olds, news = _lines_of(before), _lines_of(after)
    old_keys, new_keys = ([(line.depth, line.words) for line in lines] for lines in (olds, news))
    matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    return [
        f"for a screen reader, {sentence}"
        for kind, start, end, new_start, new_end in matcher.get_opcodes()
        if kind != "equal"
        for sentence in _changes(olds[start:end], news[new_start:new_end])
    ]


def _changes(olds: Sequence[_Line], news: Sequence[_Line]) -> Iterator[str]:
    if len(olds) == len(news):
        yield from (f"{old.words} is now {new.words}" for old, new in zip(olds, news, strict=True))
        return
    for old in olds:
        yield f"{old.words} is gone" + (f" from {old.container}" if old.container else "")
    for new in news:
        yield f"{new.words} is new" + (f" in {new.container}" if new.container else "")


def _lines_of(tree: AriaTree) -> list[_Line]:
    lines: list[_Line] = []
    containers: list[str] = []
    for line in tree:
        depth, words = _depth(line), line.strip().removeprefix("- ").removesuffix(":")
        del containers[depth:]
        lines.append(_Line(depth, words, containers[-1] if containers else ""))
        containers.append(words)
    return lines


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip(" "))) // 2


FROZEN_NOW = "2026-03-02T10:30:00"
"""The clock of a state without `now`, in UTC: a Monday morning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """What a state looks like. `picture` is a PNG of the block; None if nothing can be seen or it was not requested.

    `browser` is the version of the browser, and its operating system, which also affects the pixels.
    """

    structure: Structure
    aria: AriaTree
    """The accessibility tree; empty if it was not requested."""
    area: Mapping[str, float] | None
    """The rectangle in the document that holds all visible elements; None when nothing can be seen."""
    origin: Mapping[str, float]
    """The position in the document of the first block, to which the structure's positions are relative."""
    picture: bytes | None
    browser: str

    @property
    def corner(self) -> tuple[int, int]:
        """The position of the picture's left upper corner, relative to the first block, as in the structure.

        It is negative where content sticks out of a block.
        """
        left, top = corner(self.area) if self.area else (0, 0)
        return left - round(self.origin["x"]), top - round(self.origin["y"])


def read_appearance(observed: Observed, browser: Browser) -> Appearance:
    """Return the appearance of a page that has posed in a trial."""
    pose = observed.pose
    assert pose is not None  # the trial has the move
    return Appearance(
        structure=nodes_of(pose["lines"]),
        aria=aria_tree(pose["trees"]),
        area=pose["area"] or None,
        origin=pose["origin"],
        picture=base64.b64decode(pose["picture"]) if pose["picture"] else None,
        browser=f"Chromium {browser.version}, {platform.system()} {platform.machine()}",
    )
