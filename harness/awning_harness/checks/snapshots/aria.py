"""The accessibility tree of a state's blocks: the roles, names and states that a screen reader gets.

It is Playwright's aria snapshot, a line for each element or text, indented below what contains it:

    - group:
      - heading "Delivery" [level=3]
      - button "More" [expanded=false]

Playwright leaves out a state that is false. For `expanded` and `pressed` it is added here, because a button that loses
`aria-expanded="false"` no longer says that it opens something. Addresses of links are left out: they differ between
websites of the simulated shop.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from awning_harness.checks.snapshots.structure import Unreadable

HEADING = "# Accessibility tree"
"""The line above the tree in a snapshot. The tree is below it, without lines when a screen reader gets nothing."""

AriaTree = tuple[str, ...]
"""The lines of the trees of all blocks."""

_LINE = re.compile(r"(?P<indent>(?:  )*)- (?P<key>'(?:[^']|'')*'|.+?)(?P<rest>:(?: .*)?)?")
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
    match = _LINE.fullmatch(line)
    if match is None:
        return line
    key = match["key"]
    key = f"{key[:-1]} {state}'" if key.startswith("'") else f"{key} {state}"
    return f"{match['indent']}- {key}{match['rest'] or ''}"


def read_aria_tree(lines: Sequence[str], *, first: int) -> AriaTree:
    """Return the stored lines of a tree. Raises Unreadable for any other line. `first` is the number of the first."""
    for number, line in enumerate(lines, first):
        if not _LINE.fullmatch(line):
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
