"""CSS as component values, and as a list of rules, each with its prelude and its block (CSS Syntax Level 3, section 5).

tinycss2 reads the tokens. Here each gets its place in the text, so that all that is not changed is written as it was.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from awning.diagnostics import Diagnostic, Place

if TYPE_CHECKING:
    from tinycss2.ast import Node

CONDITIONS = ("@media", "@supports", "@container", "@layer", "@starting-style")
"""The at-rules whose block has rules for elements, as the style sheet itself has, also inside of a rule."""

MOST_LEVELS = 100
"""Blocks and brackets may be nested this deep. A style that people write has a few levels."""

_END = "awning-end"
"""A name that is read after the text: what holds it is never closed."""
_BRACKETS = {"{} block": "{}", "[] block": "[]", "() block": "()"}


@dataclass(slots=True, eq=False)
class Component:
    """A component value: a token, or a function or block with the parts in it.

    `kind` is tinycss2's name of it: `ident`, `function`, `{} block`, `literal`, ... `value` is its name without
    escapes, or the content of a string; for a `literal` its characters. `inner` is where the parts in it begin and end.
    """

    source: str
    kind: str
    value: str
    start: int
    end: int
    inside: tuple["Component", ...] = ()
    inner: tuple[int, int] = (0, 0)
    is_open: bool = False
    """Whether its closing bracket or the end of its comment is missing."""
    is_too_deep: bool = False
    """Whether it is nested too deeply. Then `inside` is empty."""

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    @property
    def opening(self) -> str:
        return self.source[self.start : self.inner[0]]

    @property
    def closing(self) -> str:
        return self.source[self.inner[1] : self.end]

    @property
    def is_blank(self) -> bool:
        return self.kind in {"whitespace", "comment"}

    def is_literal(self, text: str) -> bool:
        return self.kind == "literal" and self.value == text

    def is_block(self) -> bool:
        return self.kind == "{} block"


Components = Sequence[Component]


@dataclass(slots=True, kw_only=True)
class Rule:
    """A statement: `prelude { ... }`, or `prelude;` without a block. White space before it belongs to the prelude."""

    source: str
    start: int
    end: int
    """The offset after its block or its semicolon."""
    prelude: Components
    block: Component | None = None

    @property
    def words(self) -> list[Component]:
        """The prelude without white space and comments."""
        return [part for part in self.prelude if not part.is_blank]

    @property
    def at(self) -> str:
        """The at-rule's name in lower case without vendor prefix: `@keyframes`; empty for any other statement."""
        first = next((part for part in self.prelude if not part.is_blank), None)
        if first is None or first.kind != "at-keyword":
            return ""
        return "@" + re.sub(r"^-\w+-", "", first.value.lower())

    @property
    def declared(self) -> str:
        """The name of the property if this is a declaration; else empty."""
        words = self.words[:2]
        declares = self.block is None and len(words) > 1 and words[0].kind == "ident"
        return words[0].value if declares and words[1].is_literal(":") else ""

    @property
    def imported(self) -> str:
        """The address of an `@import`; empty for any other statement."""
        target = self.words[1:2] if self.at == "@import" else []
        if target and target[0].kind == "function":
            target = [part for part in target[0].inside if part.kind == "string"]
        return target[0].value.strip() if target and target[0].kind in {"string", "url"} else ""

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    @property
    def ended(self) -> str:
        """The text with the semicolon that the last statement may lack."""
        return self.text if self.block or self.text.endswith(";") else f"{self.text};"

    @property
    def lines(self) -> str:
        """The line breaks of the statement, which stand in its place where it is left out."""
        return "\n" * self.text.count("\n")


def joined(parts: Components) -> str:
    return parts[0].source[parts[0].start : parts[-1].end] if parts else ""


@lru_cache(maxsize=16)
def parse(css: str) -> tuple[Component, ...]:
    """Return the parts of a text. Together they are the whole text, with line ends as CSS reads them."""
    from tinycss2 import parse_component_value_list  # noqa: PLC0415 - needed only where a style is read

    source = re.sub(r"\r\n?|\f", "\n", css).replace("\0", "\ufffd")
    starts = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
    nodes = parse_component_value_list(f"{source}\n{_END}")
    return _Reader(source, starts).parts(nodes, len(source))


@dataclass(frozen=True, slots=True)
class _Reader:
    source: str
    starts: list[int]
    """The offset of each line."""

    def parts(self, nodes: "Sequence[Node]", end: int, level: int = 0) -> tuple[Component, ...]:
        """Return the parts of these nodes, the last of which ends at `end`."""
        places = [min(self.starts[node.source_line - 1] + node.source_column - 1, end) for node in nodes]
        spans = zip(nodes, pairwise([*places, end]), strict=True)
        return tuple(self._part(node, *span, level) for node, span in spans if span[0] < len(self.source))

    def _part(self, node: "Node", start: int, end: int, level: int) -> Component:
        kind = node.type
        value: Any = getattr(node, "name" if kind == "function" else "value", "")
        part = Component(self.source, kind, value if isinstance(value, str) else "", start, end)
        if kind == "comment":
            part.is_open = end == len(self.source) and _END in part.value
        content = getattr(node, "arguments" if kind == "function" else "content", None)
        if content is None or not (kind == "function" or kind in _BRACKETS):
            return part
        part.is_open = end == len(self.source) and _holds_end(content)
        inner_end = end - (not part.is_open)
        part.is_too_deep = level >= MOST_LEVELS
        if not part.is_too_deep:
            part.inside = self.parts(content, inner_end, level + 1)
        part.inner = (part.inside[0].start if part.inside else inner_end, inner_end)
        return part


def _holds_end(content: "Sequence[Node]") -> bool:
    """Return whether the name after the text is read as a part of this content."""
    while content:
        last: Any = content[-1]
        if last.type == "ident" and last.value == _END:
            return True
        content = getattr(last, "arguments", None) or getattr(last, "content", None) or ()
    return False


def rules(css: str) -> list[Rule]:
    """Return the statements of a style sheet, in order. White space and comments belong to the statement after them."""
    return split(parse(_without_html_comments(css)))


def _without_html_comments(css: str) -> str:
    """Return the text with blanks for `<!--` and `-->` before a statement: only a sheet itself may have them there."""
    if "<!--" not in css and "-->" not in css:
        return css
    parts, begins = [], True
    for part in parse(css):
        is_mark = begins and (part.is_literal("<!--") or part.is_literal("-->"))
        parts.append(" " * len(part.text) if is_mark else part.text)
        begins = is_mark or part.is_block() or part.is_literal(";") or (begins and part.is_blank)
    return "".join(parts)


def split(parts: Components) -> list[Rule]:
    """Return the statements in a style sheet or in the block of a rule."""
    statements: list[Rule] = []
    begin = 0
    for index, part in enumerate(parts):
        block = part if part.is_block() and not _is_custom_property(parts[begin:index]) else None
        if block or part.is_literal(";") or index + 1 == len(parts):
            last = index + 1 if not (block or part.is_literal(";")) else index
            rule = Rule(
                source=part.source,
                start=parts[begin].start,
                end=part.end,
                prelude=parts[begin:last],
                block=block,
            )
            statements += [rule] if block or part.is_literal(";") or rule.words else []
            begin = index + 1
    return statements


def _is_custom_property(prelude: Components) -> bool:
    """Return whether this is the beginning of `--name: ...`, whose value may have blocks."""
    words = [part for part in prelude if not part.is_blank][:2]
    return len(words) > 1 and words[0].value.startswith("--") and words[1].is_literal(":")


def divided(parts: Components) -> list[Components]:
    """Return the items of a list with commas."""
    commas = [index for index, part in enumerate(parts) if part.is_literal(",")]
    return [parts[start + 1 : end] for start, end in pairwise([-1, *commas, len(parts)])]


def walk(parts: Components) -> Iterator[Component]:
    """Yield the parts and all parts in them, in the order of the text."""
    for part in parts:
        yield part
        yield from walk(part.inside)


def without_depth(css: str) -> str:
    """Return the text without what is nested too deeply, which the bundler would read for gigabytes.

    `bracket_findings` reports it. The lines stay.
    """
    if css.count("{") <= MOST_LEVELS:
        return css
    text, end = [], 0
    for part in walk(parse(css)):
        if part.is_too_deep and part.is_block():
            text += [part.source[end : part.start], "{", "\n" * part.text.count("\n"), "}"]
            end = part.end
    return "".join(text) + part.source[end:] if text else css


def style_error(path: str, part: Component, message: str, hint: str) -> Diagnostic:
    """Return the error for a part of a style sheet."""
    return style_diagnostic(path, part, rule="style-error", message=message, hint=hint)


def style_diagnostic(path: str, part: Component, *, rule: str, message: str, hint: str) -> Diagnostic:
    """Return the diagnostic for a part of a style sheet."""
    before = part.source[: part.start]
    line = before.count("\n")
    return Diagnostic(
        rule=rule,
        message=message,
        place=Place(path=path, line=line + 1, column=part.start - (before.rfind("\n") + 1) + 1),
        hint=hint,
        excerpt=part.source.split("\n")[line],
    )
