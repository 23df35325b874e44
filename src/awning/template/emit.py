"""The JavaScript of a template as values, and the last phase: the text of its module and the source map.

The other phases make expressions (`Js`) and build a tree of statements (`Line`, `Nest`, `Write`). Consecutive writes to
the same buffer become one. Each write becomes one expression: with several parts, a template literal. Each text and
value has a line of its own, so that the source map can point to the template. Line breaks stand inside `${ }`, where
they have no effect.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from awning.source_map import vlq
from awning.template.compiled_template import Literal
from awning.template.refusals import Position


class ValueKind(Enum):
    """The kind of a value, as far as it is certain at compile time. It decides which code is emitted."""

    ANY = auto()
    TEXT = auto()
    """A JavaScript string that is not Markup."""
    HTML = auto()
    """The value is Markup, but the code is an expression for a JavaScript string, the HTML of the Markup."""
    NUMBER = auto()
    BOOL = auto()
    LIST = auto()
    """An array: list or tuple."""
    GENERATOR = auto()
    """The result of `map`, `select` and similar filters. It can be iterated once. Printing it is refused."""
    COUNT = auto()
    """A small whole number, such as a loop's index. JavaScript prints it as Python does."""
    UNDEFINED = auto()
    FLOAT = auto()
    """A number that is a float in Python, even if it is whole, such as `4 / 2`. A template prints that as `2`."""


@dataclass(frozen=True, slots=True)
class Js:
    """A lowered expression. `code` has parentheses where they are needed for an operand or an argument."""

    code: str
    kind: ValueKind = ValueKind.ANY
    promise: ValueKind | None = None
    """The declared kind: TEXT, NUMBER or BOOL; None if there is no declaration.

    If it equals `kind`, the code already checks the value at run time.
    """

    @property
    def is_number(self) -> bool:
        return self.kind in {ValueKind.NUMBER, ValueKind.COUNT, ValueKind.FLOAT}

    @property
    def known(self) -> ValueKind:
        """The declared kind; without a declaration, `kind`."""
        return self.promise or self.kind

    @property
    def is_declared_number(self) -> bool:
        """Whether the value is a number, if the declarations hold."""
        return self.is_number or self.promise is ValueKind.NUMBER


@dataclass(frozen=True, slots=True)
class TextPart:
    """A literal text of the output.

    Each mark is an offset in the text, with the place in the template from which the text at this offset comes.
    """

    text: str
    marks: tuple[tuple[int, Position], ...] = ()


@dataclass(frozen=True, slots=True)
class ValuePart:
    """An expression whose value, a string, is written. `at` is its place in the template."""

    code: str
    at: int


OutputPart = TextPart | ValuePart


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that writes output.

    Without `lead` the output is appended to the variable `buffer`. `lead` is the code before the output: `return`, or
    the declaration of the buffer.
    """

    buffer: str
    parts: tuple[OutputPart, ...]
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One statement."""

    code: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Nest:
    """A statement with a body: `head body tail`."""

    head: str
    body: "Sequence[Statement]"
    tail: str = "}"
    at: int = 0


Statement = Line | Nest | Write


UNSAFE = re.compile("[\u2028\u2029\ud800-\udfff]")
"""Matches U+2028 and U+2029, which may end a line in JavaScript, and lone surrogates, which UTF-8 cannot encode."""


CONTROL = re.compile("[\0-\x1f\u2028\u2029\ud800-\udfff]")


def js_string(text: str) -> str:
    """Return a JavaScript string literal that cannot end a script element: `</` is escaped.

    esbuild writes the literal again, and itself escapes `</script` in it.
    """
    quoted = json.dumps(text, ensure_ascii=False).replace("</", "<\\/")
    return UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def template_literal_text(text: str) -> str:
    """Return the code of a text inside a template literal.

    It is escaped as in `js_string`, except that backticks and `${` are escaped instead of double quotes.
    """
    inside = text.replace("\\", "\\\\").replace("</", "<\\/").replace("`", "\\`").replace("${", "\\${")
    return CONTROL.sub(lambda match: js_string(match[0])[1:-1], inside.replace("\n", "\\n"))


def merge_writes(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements, with neighbouring writes to the same buffer joined into one write.

    In each write, neighbouring texts are joined, and empty texts are left out.
    """
    writes: list[Write] = []
    for statement in statements:
        write = statement if isinstance(statement, Write) else None
        if writes and (write is None or write.buffer != writes[0].buffer):
            yield join_writes(writes)
            writes = []
        if write is None:
            yield statement
        else:
            writes.append(write)
    if writes:
        yield join_writes(writes)


def join_writes(writes: Sequence[Write]) -> Write:
    return Write(writes[0].buffer, join_parts(part for write in writes for part in write.parts))


def join_parts(parts: Iterable[OutputPart]) -> tuple[OutputPart, ...]:
    """Return the parts with neighbouring texts joined and empty texts left out."""
    out: list[OutputPart] = []
    texts: list[TextPart] = []
    for part in parts:
        if isinstance(part, TextPart):
            texts.append(part)
            continue
        out += one_text(texts)
        texts = []
        out.append(part)
    out += one_text(texts)
    return tuple(out)


def one_text(texts: Sequence[TextPart]) -> Sequence[TextPart]:
    if len(texts) == 1:
        return texts if texts[0].text else ()
    marks: list[tuple[int, Position]] = []
    length = 0
    for text in texts:
        marks += [(length + offset, at) for offset, at in text.marks]
        length += len(text.text)
    return (TextPart("".join(text.text for text in texts), tuple(marks)),) if length else ()


def literals(statements: Iterable[Statement]) -> Iterator[Literal]:
    """Yield the texts that span several lines, for source maps."""
    for statement in merge_writes(statements):
        if isinstance(statement, Nest):
            yield from literals(statement.body)
        elif isinstance(statement, Write):
            for part in statement.parts:
                yield from literal(part) if isinstance(part, TextPart) else ()


def literal(text: TextPart) -> Iterator[Literal]:
    if len(text.marks) > 1:
        (_, at), *rest = text.marks
        marks = tuple((offset, int(mark), mark.column) for offset, mark in rest if offset)
        yield Literal(path=at.path, at=(int(at), at.column), marks=marks)


Placed = tuple[str, int]
"""A line of the module, and the place in the template that it comes from: a `Position`, or 0 if there is none."""


def lines_of(statements: Iterable[Statement], depth: int) -> Iterator[Placed]:
    indent = "  " * depth
    for statement in begin_buffers([*merge_writes(statements)]):
        if isinstance(statement, Line):
            yield indent + statement.code, statement.at
        elif isinstance(statement, Nest):
            yield indent + statement.head, statement.at
            yield from lines_of(statement.body, depth + 1)
            yield indent + statement.tail, 0
        else:
            yield from write_lines(statement, indent)


def write_lines(write: Write, indent: str) -> Iterator[Placed]:
    lead = indent + (write.lead or f"{write.buffer} += ")
    lines = text_lines(write.parts, indent)
    for number, (line, at) in enumerate(lines):
        yield (lead if number == 0 else "") + line + (";" if number == len(lines) - 1 else ""), at


def text_lines(parts: Sequence[OutputPart], indent: str) -> list[Placed]:
    """Return the lines of an expression for the output. The first line is not indented."""
    if not parts:
        return [('""', 0)]
    if len(parts) > 1:
        return list(template_lines(parts, indent))
    (part,) = parts
    return [(js_string(part.text) if isinstance(part, TextPart) else part.code, place(part))]


def template_lines(parts: Sequence[OutputPart], indent: str) -> Iterator[Placed]:
    open_, at = "`", place(parts[0])
    for part in parts:
        if isinstance(part, TextPart):
            open_, at = open_ + template_literal_text(part.text), at or place(part)
            continue
        yield open_ + "${", at
        yield f"{indent}    {part.code}", place(part)
        open_, at = f"{indent}  }}", 0
    yield open_ + "`", at


def place(part: OutputPart) -> int:
    return part.at if isinstance(part, ValuePart) else next((at for _, at in part.marks), 0)


def begin_buffers(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements, with each `let buffer = "";` merged into the write that follows it.

    The write becomes the declaration or, if the buffer is returned right after it, the return statement.
    """
    at = 0
    while at < len(statements):
        statement, *after = statements[at : at + 3]
        at += 1
        first = after[0] if after else None
        if not is_beginning(statement, first):
            yield statement
            continue
        assert isinstance(first, Write)
        whole = after[1:] == [Line(f"return {first.buffer};")]
        at += 2 if whole else 1
        yield Write(first.buffer, first.parts, "return " if whole else f"let {first.buffer} = ")


def is_beginning(statement: Statement, first: Statement | None) -> bool:
    return isinstance(first, Write) and statement == Line(f'let {first.buffer} = "";') and bool(first.parts)


def module_text(statements: Iterable[Statement], sources: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the text of the module, and its source map (ECMA-426, version 3) as a comment to append.

    `sources` are the path and the text of each template that the module was compiled from. esbuild composes the map
    with its own, so that the browser shows the template's line. Its map has only one segment per string literal, even
    if the string has several lines of the template: `awning.pipeline.write.maps` adds those of the `Literal`s.
    """
    placed = list(lines_of(statements, 0))
    text = "\n".join(line for line, _ in placed) + "\n"
    document = {
        "version": 3,
        "sources": [path for path, _ in sources],
        "sourcesContent": [text for _, text in sources],
        "names": [],
        "mappings": mappings(placed, [path for path, _ in sources]),
    }
    data = base64.b64encode(json.dumps(document, ensure_ascii=False, sort_keys=True).encode()).decode()
    return text, f"//# sourceMappingURL=data:application/json;base64,{data}\n"


def mappings(placed: Iterable[Placed], paths: Iterable[str]) -> str:
    """Return the `mappings` of a source map: at most one segment for each line, after those that `;` separates.

    The numbers of a segment are relative to the segment before it.
    """
    index = {path: number for number, path in enumerate(paths)}
    segments: list[str] = []
    before = (0, 0, 0)
    for line, at in placed:
        segment = ""
        if isinstance(at, Position):
            after = (index.get(at.path, 0), int(at) - 1, (at.column or 1) - 1)
            numbers = (new - old for new, old in zip(after, before, strict=True))
            segment = "".join(map(vlq, (len(line) - len(line.lstrip()), *numbers)))
            before = after
        segments.append(segment)
    return ";".join(segments).rstrip(";")
