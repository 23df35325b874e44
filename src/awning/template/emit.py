"""The tree of JavaScript statements that the other phases build (`Line`, `Nest`, `Write`), without any layout.

Consecutive writes to the same buffer become one. `awning.template.layout` makes the text of a module from the tree.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from awning.template.refusals import Position
from awning.template.sourcemap import Literal


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
    """Yield the texts that span several lines, for source maps (`awning.template.sourcemap`)."""
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
