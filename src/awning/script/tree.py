"""The syntax tree of a script as plain values: a rule walks it many times, and each step into the parser is slow.

Comments are left out of the tree and stand beside it. tree-sitter is imported here and nowhere else, and only when a
script is parsed: an unchanged build does not pay for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as Parsed
    from tree_sitter import Parser

_HOLES = {"array", "array_pattern"}
_MARKS = {"async", "*", "default", "get", "set", "static", "type", "?."}
"""Tokens without a name of their own that change what a node means."""


@dataclass(slots=True, eq=False)
class Node:
    """`kids` are the named children (a gap in an array is a node of type `hole`), `fields` those with a role."""

    type: str
    start: int
    end: int
    code: bytes
    kids: list["Node"] = field(default_factory=list)
    fields: dict[str, "Node"] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    quiet: bool | None = None
    """Kept by `page.quiet`: whether running it can change anything that a rule looks at."""
    lexical: tuple[str, ...] | None = None
    """Kept by `page.statements`: the names that it declares in its block."""
    splits: bool = False
    """Kept by `page.joined`: both ways of the condition in it cannot be run as one."""

    _text: str | None = None

    @property
    def text(self) -> str:
        """Decoded when it is asked for: the texts of nodes inside one another would be as large as their depth."""
        if self._text is None:
            self._text = self.code[self.start : self.end].decode("utf-8", "replace")
        return self._text

    def walk(self) -> Iterator["Node"]:
        """Itself and everything in it, in the order of the text."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.kids))


NodesByType = Mapping[str, Sequence[Node]]
"""All nodes of a tree by their type, each list in the order of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A parsed script. `comments` are (byte offset, text).

    `broken_at` is the byte offset where the parser first stumbles, at the mistake or before it; None of a script that
    is read as a whole.
    """

    root: Node
    comments: tuple[tuple[int, str], ...]
    broken_at: int | None

    def nodes_by_type(self) -> NodesByType:
        grouped: dict[str, list[Node]] = {}
        for node in self.root.walk():
            grouped.setdefault(node.type, []).append(node)
        return grouped


@lru_cache(maxsize=2)
def _parser(*, typed: bool) -> "Parser":
    import tree_sitter  # noqa: PLC0415 - only a run that parses pays for it
    import tree_sitter_typescript  # noqa: PLC0415

    language = tree_sitter_typescript.language_typescript if typed else tree_sitter_typescript.language_tsx
    return tree_sitter.Parser(tree_sitter.Language(language()))


def parse(code: bytes, *, typed: bool) -> Tree:
    """The tree of a script. `typed`: `<T>x` is a cast in it, as in .ts; in the other files it opens an element."""
    parsed = _parser(typed=typed).parse(code)
    comments: list[tuple[int, str]] = []
    root = _plain(parsed.root_node, code, comments)
    return Tree(root=root, comments=tuple(comments), broken_at=_broken_at(parsed.root_node))


def _broken_at(root: "Parsed") -> int | None:
    if not root.has_error:
        return None
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            return node.start_byte
        stack.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return root.start_byte


def _plain(top: "Parsed", code: bytes, comments: list[tuple[int, str]]) -> Node:
    """Without recursion: a sum of a thousand texts is a tree as deep."""
    root = _node(top, code)
    waiting = [(top, root)]
    while waiting:
        parsed, node = waiting.pop()
        waiting.extend(_kids(parsed, node, code, comments))
    comments.sort()
    return root


def _node(parsed: "Parsed", code: bytes) -> Node:
    return Node(parsed.type, parsed.start_byte, parsed.end_byte, code)


def _kids(
    parsed: "Parsed", node: Node, code: bytes, comments: list[tuple[int, str]]
) -> "Iterator[tuple[Parsed, Node]]":
    """Fill in a node's children; the caller fills in theirs."""
    marks = set()
    holes = node.type in _HOLES
    after_comma = True
    for index, child in enumerate(parsed.children):
        kind = child.type
        if kind == "comment":
            comments.append(
                (child.start_byte, code[child.start_byte : child.end_byte].decode("utf-8", "replace"))
            )
            continue
        name = parsed.field_name_for_child(index)
        if not child.is_named:
            if kind in _MARKS:
                marks.add(kind)
            if holes and kind == ",":
                if after_comma:
                    node.kids.append(Node("hole", child.start_byte, child.start_byte, code))
                after_comma = True
            if name is not None:
                node.fields.setdefault(name, Node(kind, child.start_byte, child.end_byte, code))
            continue
        after_comma = False
        kid = _node(child, code)
        node.kids.append(kid)
        if name is not None:
            node.fields.setdefault(name, kid)
        yield child, kid
    if marks:
        node.marks = frozenset(marks)
