"""Phase 1: Jinja2's own lexer and parser, with columns added, and the limit of nesting.

The raw tokens of the lexer are pieces of the source, in order. So the search for each token starts at the end of the
previous one. A `Position` then replaces the token's line number, and the parser copies it into the nodes that it makes.

Jinja2's parser and the compiler's phases recurse into a template. A template that overflows Python's usual stack is
compiled again on a larger stack. There it is refused if anything is nested more than `DEEPEST` deep: brackets in one
expression, steps of one expression (operators, attributes, filters, calls), or tags in tags. A comparison with
more than `DEEPEST` operators is refused, too. Several `~` or `elif` in a row do not count as nested.
"""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import jinja2
from jinja2 import nodes
from jinja2.lexer import TokenStream

from awning.template.refusals import Position, TemplateRefusal, TemplateSource

LARGEST = 4 * 1024 * 1024
"""The maximum size of a template in bytes. A larger one is refused."""

Token = tuple[int, str, str]
"""The line, the kind and the text of a token of Jinja2's lexer."""

NEWLINE = re.compile(r"\r\n|\r|\n")

BYTE_ORDER_MARK = "\ufeff"
"""Some editors write this character at the beginning of a file."""


def read_source(text: str, *, name: str, path: str) -> TemplateSource:
    """Normalise newlines as Jinja2's lexer does, and drop a final newline, so that the lexer changes nothing more.

    Raises TemplateRefusal when the text is larger than `LARGEST`.
    """
    lines = NEWLINE.split(text)
    if lines[-1] == "":
        del lines[-1]
    source = TemplateSource(name=name, path=path, text="\n".join(lines))
    if len(text) > LARGEST // 4 and len(text.encode(errors="surrogatepass")) > LARGEST:
        raise TemplateRefusal(
            "template-too-large",
            f"a template is at most {LARGEST // 1024**2} MB large",
            at=source.at(0),
            hint="pass data to it from the script: view({...})",
        )
    return source


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment of a template."""

    text: str
    at: Position
    """The position of the text."""
    leads: bool
    """Whether only white space and comments come before it."""


def add_positions(source: TemplateSource, raw: Iterator[Token]) -> Iterator[Token]:
    """Give each raw token the position of its text."""
    text = source.text
    offset, line_start, number = 0, 0, 1
    for line, kind, value in raw:
        start = text.find(value, offset)
        if start < 0:  # never observed; the token would keep its line and have no column
            yield Position(source, line), kind, value
            continue
        if start > offset and "\n" in text[offset:start]:
            number += text.count("\n", offset, start)
            line_start = text.rfind("\n", offset, start) + 1
        yield Position(source, number, start - line_start + 1, start), kind, value
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
        self.comments: list[Comment] = []
        """The comments of the template, once it is parsed."""

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        tokens = add_positions(self._source, self.lexer.tokeniter(source, name, filename, state))
        if self._bounded:
            tokens = within_depth(tokens)
        if "{#" in source:
            tokens = with_comments(tokens, self.comments)
        wrapped = self.lexer.wrap(tokens, name, filename)
        return TokenStream(wrapped, name, filename)


def with_comments(tokens: Iterator[Token], comments: list[Comment]) -> Iterator[Token]:
    """Add the comments, which Jinja2's parser never gets, to `comments`, and pass all tokens on."""
    leads = True
    for at, kind, text in tokens:
        if kind == "comment":
            assert isinstance(at, Position)
            comments.append(Comment(text=text, at=at, leads=leads))
        elif leads and not kind.startswith("comment"):
            leads = not text.removeprefix(BYTE_ORDER_MARK).strip()
        yield at, kind, text


def parse(source: TemplateSource, *, bounded: bool = False) -> tuple[nodes.Template, tuple[Comment, ...]]:
    """Parse a template. Return its syntax tree, and its comments, which the tree lacks.

    Raises TemplateRefusal for a syntax error and, if `bounded`, for deep nesting.
    """
    environment = ParsingEnvironment(source, bounded=bounded)
    try:
        tree = environment._parse(source.text, source.name, None)  # noqa: SLF001 - `parse` would rewrite the traceback and lose the position
    except jinja2.TemplateSyntaxError as error:
        message = (error.message or "syntax error").rstrip(".")
        at = place_of(source, error)
        hint = unclosed(source, message, at) or next(
            (hint for sign, hint in HINTS if sign in message), COVERAGE
        )
        raise TemplateRefusal("template-syntax", message, at=at, hint=hint) from error
    tree.lineno = source.at(0)
    if bounded:
        check_depth(tree)
    return tree, tuple(environment.comments)


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


def tokens_of(source: TemplateSource) -> Iterator[Token]:
    """Yield Jinja2's raw tokens, up to the first token with a syntax error."""
    try:
        raw = ParsingEnvironment(source).lexer.tokeniter(source.text, source.name)
        yield from add_positions(source, raw)
    except jinja2.TemplateSyntaxError:
        return


def comments_of(source: TemplateSource) -> tuple[Comment, ...]:
    """Return the comments up to the first token with a syntax error, without parsing: nesting needs no stack."""
    comments: list[Comment] = []
    for _ in with_comments(tokens_of(source), comments):
        pass
    return tuple(comments)


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
    return Position(source, error.lineno, column + 1)


DEEPEST = 500
NESTING = "template-nesting"

_STACK = 256 * 1024 * 1024
"""The size of the larger stack in bytes. The system allocates only the used part."""
_FRAMES = 40_000
"""The recursion limit. `DEEPEST` tags around an expression of `DEEPEST` steps and brackets need about half of it."""
_ONE_AT_A_TIME = threading.Lock()
"""Held while the stack size and the recursion limit are changed, because they are settings of the whole process."""

_BODIES = frozenset({"autoescape", "block", "call", "filter", "for", "if", "macro", "set", "with"})
_SPLIT_TAGS = "move the inner part into a macro, or into an included template"
_SPLIT_EXPRESSION = "name its parts with {% set %}; join texts with ~"

_WITH_BODIES = (
    nodes.AssignBlock,
    nodes.Block,
    nodes.CallBlock,
    nodes.FilterBlock,
    nodes.For,
    nodes.If,
    nodes.Macro,
    nodes.ScopedEvalContextModifier,
    nodes.With,
)

Result = TypeVar("Result")


def on_large_stack(act: Callable[[], Result]) -> Result:
    """Call `act` in a thread with a larger stack, and return its result.

    Raises whatever `act` raises.
    """
    outcome: list[Result] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(act())
        except BaseException as error:  # noqa: BLE001 - it is raised again where it was asked for
            raised.append(error)

    with _ONE_AT_A_TIME:
        frames, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
        sys.setrecursionlimit(max(frames, _FRAMES))
        try:
            thread = threading.Thread(target=run, name="large stack")
            thread.start()
            thread.join()
        finally:
            threading.stack_size(stack)
            sys.setrecursionlimit(frames)
    if raised:
        raise raised[0]
    return outcome[0]


def within_depth(tokens: Iterator[Token]) -> Iterator[Token]:
    """Yield Jinja2's raw tokens unchanged. Raises TemplateRefusal when brackets or tags are nested too deeply."""
    brackets = tags = 0
    begun = setting = False
    for token in tokens:
        at, kind, value = token
        if kind == "operator":
            brackets += (value in {"(", "[", "{"}) - (value in {")", "]", "}"})
            if setting and value == "=" and not brackets:
                tags, setting = tags - 1, False
        elif kind in {"block_begin", "variable_begin"}:
            brackets, begun, setting = 0, kind == "block_begin", False
        elif begun and kind == "name":
            begun, setting = False, value == "set"
            tags += (value in _BODIES) - (value.startswith("end"))
        if brackets > DEEPEST:
            raise _refused("brackets", _SPLIT_EXPRESSION, at)
        if tags > DEEPEST:
            raise _refused("tags", _SPLIT_TAGS, at)
        yield token


def check_depth(tree: nodes.Template) -> None:
    """Check a tree. Raises TemplateRefusal when tags or expressions are too deep, or a comparison is too long."""
    waiting: list[tuple[nodes.Node, int, int]] = [(tree, 0, 0)]
    while waiting:
        node, tags, steps = waiting.pop()
        if tags > DEEPEST:
            raise _refused("tags", _SPLIT_TAGS, node.lineno)
        if steps > DEEPEST or (isinstance(node, nodes.Compare) and len(node.ops) > DEEPEST):
            raise _refused("the steps of an expression", _SPLIT_EXPRESSION, node.lineno)
        arms = {id(arm) for arm in node.elif_} if isinstance(node, nodes.If) else ()
        for child in node.iter_child_nodes():
            if isinstance(child, nodes.Stmt):
                deeper = isinstance(child, _WITH_BODIES) and id(child) not in arms
                waiting.append((child, tags + deeper, 0))
            else:
                waiting.append((child, tags, steps + isinstance(child, nodes.Expr)))


def too_deep(source: TemplateSource) -> TemplateRefusal:
    """Return the refusal of a template that is nested too deeply at an unknown place."""
    return _refused("tags or expressions", _SPLIT_TAGS, source.at(0))


def _refused(what: str, hint: str, at: int) -> TemplateRefusal:
    return TemplateRefusal(NESTING, f"{what} are nested more than {DEEPEST} deep", at=at, hint=hint)
