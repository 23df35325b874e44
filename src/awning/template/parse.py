"""Phase 1: Jinja2's own lexer and parser, with columns added.

The raw tokens of the lexer are pieces of the source, in order. So the search for each token starts at the end of the
previous one. A `Position` then replaces the token's line number, and the parser copies it into the nodes that it makes.
"""

import re
from collections.abc import Iterator

import jinja2
from jinja2 import nodes
from jinja2.lexer import TokenStream

from awning.template.nesting import check_depth, within_depth
from awning.template.refusals import Position, TemplateRefusal, TemplateSource

NEWLINE = re.compile(r"\r\n|\r|\n")


def read_source(text: str, *, name: str, path: str) -> TemplateSource:
    """Normalise newlines as Jinja2's lexer does, and drop a final newline, so that the lexer changes nothing more."""
    lines = NEWLINE.split(text)
    if lines[-1] == "":
        del lines[-1]
    return TemplateSource(name=name, path=path, text="\n".join(lines))


def add_positions(
    source: TemplateSource, raw: Iterator[tuple[int, str, str]]
) -> Iterator[tuple[int, str, str]]:
    """Give each raw token the position of its text."""
    text, path = source.text, source.path
    offset, line_start, number = 0, 0, 1
    for line, kind, value in raw:
        start = text.find(value, offset)
        if start < 0:  # never observed; the token would keep its line and have no column
            yield Position(line, path=path), kind, value
            continue
        if start > offset and "\n" in text[offset:start]:
            number += text.count("\n", offset, start)
            line_start = text.rfind("\n", offset, start) + 1
        yield Position(number, start - line_start + 1, start, path), kind, value
        offset = start + len(value)
        if "\n" in value:
            number += value.count("\n")
            line_start = text.rfind("\n", start, offset) + 1


class ParsingEnvironment(jinja2.Environment):
    """An environment with Jinja2's default syntax, whose tokens have positions. It parses a text of `read_source`."""

    def __init__(self, source: TemplateSource, *, bounded: bool = False) -> None:
        super().__init__(autoescape=True, keep_trailing_newline=True)
        self._source = source
        self._bounded = bounded

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        tokens = add_positions(self._source, self.lexer.tokeniter(source, name, filename, state))
        if self._bounded:
            tokens = within_depth(tokens, self._source)
        wrapped = self.lexer.wrap(tokens, name, filename)
        return TokenStream(wrapped, name, filename)


def parse(source: TemplateSource, *, bounded: bool = False) -> nodes.Template:
    """Parse a template. Raises TemplateRefusal for a syntax error and, if `bounded`, for deep nesting."""
    try:
        tree = ParsingEnvironment(source, bounded=bounded)._parse(source.text, source.name, None)  # noqa: SLF001 - `parse` would rewrite the traceback and lose the position
    except jinja2.TemplateSyntaxError as error:
        message = (error.message or "syntax error").rstrip(".")
        at = place_of(source, error)
        hint = unclosed(source, message, at) or next(
            (hint for sign, hint in HINTS if sign in message), COVERAGE
        )
        refused = TemplateRefusal("template-syntax", message, at=at, hint=hint)
        raise refused.inside(source) from error
    if bounded:
        check_depth(tree, source)
    return tree


COVERAGE = "`awning explain template-syntax` shows what a template can contain"
HINTS = (
    ("unknown tag 'end", "there is no open tag that it closes"),
    ("unknown tag 'el", "it stands inside {% if %} or {% for %}"),
    (
        "unknown tag",
        "tags: if, for, set, macro, call, include, import, from, extends, block, filter, with, raw",
    ),
    ("end of print statement", "{{ }} holds one expression: {{ value }}, {{ a if test else b }}"),
    ("unexpected '}'", "two braces close an expression: {{ value }}"),
    ("end of template", "a {% or {{ is not closed: {% if test %}, {{ value }}"),
    ("end of statement block", "compare with ==, and join conditions with `and`, `or`, `not`"),
)
"""Pairs of a text and a hint. If the text occurs in Jinja2's message, the hint fits. The first such pair is used."""

ELSE_IF = re.compile(r"unknown tag '(?:elsif|elseif)'")
UNCLOSED = re.compile(r"needs to be closed is '(\w+)'")


def unclosed(source: TemplateSource, message: str, at: int) -> str | None:
    """Return the hint for a tag that is not closed; None for any other message.

    It names the missing end tag and the line of the open tag. For `elsif` or `elseif` inside an `if` it names `elif`.
    """
    match = UNCLOSED.search(message)
    if match is None:
        return None
    name = match[1]
    if ELSE_IF.search(message) and "'elif'" in message:
        return "write {% elif test %}"
    opened = opening(source, name, at)
    where = f" in line {opened}" if opened else ""
    return f"{{% {name} %}}{where} is still open: {{% end{name} %}} closes it"


def opening(source: TemplateSource, name: str, before: int) -> int | None:
    """Return the line of the last `name` tag without an end tag. Only tags up to the position `before` count.

    Returns None when each of them has its end tag. A `set` with a value needs no end tag.
    """
    open_: list[int] = []
    begun = inside = False
    for line, kind, value in tokens_of(source):
        if isinstance(before, Position) and isinstance(line, Position) and line.offset > before.offset:
            break
        if kind == "whitespace":
            continue
        if begun and value == name:
            open_.append(line)
            inside = True
        elif begun and value == f"end{name}" and open_:
            open_.pop()
        elif inside and name == "set" and (kind, value) == ("operator", "=") and open_:
            open_.pop()
            inside = False
        begun = kind == "block_begin"
        inside = inside and kind != "block_end"
    return open_[-1] if open_ else None


def tokens_of(source: TemplateSource) -> Iterator[tuple[int, str, str]]:
    """Yield Jinja2's raw tokens, up to the first token with a syntax error."""
    try:
        raw = ParsingEnvironment(source).lexer.tokeniter(source.text, source.name)
        yield from add_positions(source, raw)
    except jinja2.TemplateSyntaxError:
        return


UNEXPECTED = re.compile(r"unexpected (?:char )?'(.+?)'")


def place_of(source: TemplateSource, error: jinja2.TemplateSyntaxError) -> int:
    """Return the position of a syntax error: that of the token, if it is known.

    Otherwise it is that of the unexpected text behind the last token, else in the error's line: at a tag, else at the
    beginning.
    """
    if isinstance(error.lineno, Position):
        return error.lineno
    if named := UNEXPECTED.match(error.message or ""):
        read = [(at, value) for at, _, value in tokens_of(source) if isinstance(at, Position)][-1:]
        offset = source.text.find(named[1], read[0][0].offset + len(read[0][1]) if read else 0)
        if offset >= 0:
            return source.at(offset)
    text = source.line(error.lineno) or ""
    column = next((text.find(mark) for mark in ("{%", "{{", "{#") if mark in text), 0)
    return Position(error.lineno, column + 1, path=source.path)
