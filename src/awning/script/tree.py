"""The syntax tree of a script as plain Python values.

Rules walk the tree many times, and tree-sitter's own tree is slow to read.

Comments are stored beside the tree, not in it. tree-sitter is imported only here, and only when a script is parsed,
because an unchanged build does not need it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as Parsed
    from tree_sitter import Parser

_HOLES = {"array", "array_pattern"}
MOST_LEVELS = 200
"""The most levels of nodes inside each other. Scripts that people write, and minified libraries, have at most 50.

The facts of a script with more levels are not read, so functions that follow the tree by recursion always end.
"""

_CHAINS = frozenset(
    {
        ("binary_expression", "left"),
        ("member_expression", "object"),
        ("subscript_expression", "object"),
        ("call_expression", "function"),
        ("ternary_expression", "alternative"),
        ("if_statement", "alternative"),
        ("assignment_expression", "right"),
        ("sequence_expression", "right"),
    }
)
"""Children that are no further level, by the type of their parent: a sum of a thousand strings, a chain of calls."""

_MARKS = {"async", "*", "default", "get", "set", "static", "type", "?."}
"""Unnamed tokens that change the meaning of a node."""


@dataclass(slots=True, eq=False)
class Node:
    """A node of the tree.

    `start` and `end` are byte offsets in `code`. `kids` are the named children, `fields` the children that have a field
    name in tree-sitter's grammar, `marks` the unnamed tokens of `_MARKS`. A gap in an array is a node of type `hole`.
    """

    type: str
    start: int
    end: int
    code: bytes
    kids: list["Node"] = field(default_factory=list)
    fields: dict[str, "Node"] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    _text: str | None = None

    @property
    def text(self) -> str:
        """The code of the node.

        It is decoded only on access, because the texts of all nested nodes together would need too much memory.
        """
        if self._text is None:
            self._text = self.code[self.start : self.end].decode("utf-8", "replace")
        return self._text

    def walk(self) -> Iterator["Node"]:
        """Yield the node and all nodes in it, in the order of the text."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.kids))


NodesByType = Mapping[str, Sequence[Node]]
"""All nodes of a tree by their type, each list in the order of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A parsed script. `comments` are pairs of byte offset and text.

    `broken_at` is the byte offset of the first syntax error, as the parser reports it: at the author's mistake or
    before it. None without an error.
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
    import tree_sitter  # noqa: PLC0415 - slow to import, and needed only to parse
    import tree_sitter_typescript  # noqa: PLC0415

    language = tree_sitter_typescript.language_typescript if typed else tree_sitter_typescript.language_tsx
    return tree_sitter.Parser(tree_sitter.Language(language()))


def parse(code: bytes, *, typed: bool) -> Tree:
    """Parse a script. With `typed`, `<T>x` is a cast, as in .ts; else `<T>` opens an element."""
    parsed = _parser(typed=typed).parse(code)
    comments: list[tuple[int, str]] = []
    root = _plain(parsed.root_node, code, comments)
    return Tree(root=root, comments=tuple(comments), broken_at=_broken_at(parsed.root_node))


def first_too_deep(root: Node) -> Node | None:
    """Return a node that is nested deeper than `MOST_LEVELS`; None if there is none."""
    waiting = [(root, 0)]
    while waiting:
        node, level = waiting.pop()
        if level > MOST_LEVELS:
            return node
        chained = [kid for name, kid in node.fields.items() if (node.type, name) in _CHAINS]
        is_else = node.type == "else_clause"  # an `else if` is as deep as its `if`
        waiting.extend((kid, level + (not is_else and kid not in chained)) for kid in node.kids)
    return None


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
    """Return the tree as plain values.

    It is built without recursion, because a sum of a thousand strings is a tree with a thousand levels.
    """
    root = _node(top, code)
    waiting = [(top, root)]
    while waiting:
        parsed, node = waiting.pop()
        kids = _kids(parsed, node, code, comments)
        waiting.extend((child, kid) for child, kid in kids if child.child_count)
    comments.sort()
    return root


def _node(parsed: "Parsed", code: bytes) -> Node:
    return Node(parsed.type, parsed.start_byte, parsed.end_byte, code)


def _kids(
    parsed: "Parsed", node: Node, code: bytes, comments: list[tuple[int, str]]
) -> "Iterator[tuple[Parsed, Node]]":
    """Fill `kids`, `fields` and `marks` of `node`, and add its comments to `comments`.

    Yield each named child that is not a comment, with its copy, which has no children yet.
    """
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
