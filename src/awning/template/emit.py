"""Last phase: a tree of JavaScript statements becomes the text of a module, with its source map.

The other phases build values (`Line`, `Nest`, `Write`); only this module knows about layout. Consecutive writes
become one concatenation, each part on a line of its own so that the map can point back at the template's hole.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from awning.template.faults import At
from awning.template.sourcemap import Literal, Mapping, source_map_comment


@dataclass(frozen=True, slots=True)
class Text:
    """Literal output. `marks` say from which offset on it comes from which place of a template."""

    text: str
    marks: tuple[tuple[int, At], ...] = ()


@dataclass(frozen=True, slots=True)
class Hole:
    """An expression whose value, a string, is output."""

    code: str
    at: int


@dataclass(frozen=True, slots=True)
class Write:
    """Output, appended to a buffer variable."""

    buffer: str
    parts: tuple[Text | Hole, ...]


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


def js_string(text: str) -> str:
    """A JavaScript string literal, safe inside `<script>` too (esbuild keeps `<\\/script`)."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("</", "<\\/")


def merged(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Join neighbouring writes to one buffer, and neighbouring texts."""
    waiting: Write | None = None
    for statement in statements:
        if isinstance(statement, Write) and waiting and waiting.buffer == statement.buffer:
            waiting = Write(waiting.buffer, joined(waiting.parts, statement.parts))
            continue
        if waiting:
            yield waiting
        waiting = statement if isinstance(statement, Write) else None
        if waiting is None:
            yield statement
    if waiting:
        yield waiting


def joined(left: tuple[Text | Hole, ...], right: tuple[Text | Hole, ...]) -> tuple[Text | Hole, ...]:
    parts = list(left)
    for part in right:
        if isinstance(part, Text) and parts and isinstance(parts[-1], Text):
            parts[-1] = both(parts[-1], part)
        else:
            parts.append(part)
    return tuple(part for part in parts if not isinstance(part, Text) or part.text)


def both(left: Text, right: Text) -> Text:
    length = len(left.text)
    return Text(
        left.text + right.text, left.marks + tuple((length + offset, at) for offset, at in right.marks)
    )


def literals(statements: Iterable[Statement]) -> Iterator[Literal]:
    """The texts of several lines, for maps that lead to each of them (`awning.template.sourcemap`)."""
    for statement in merged(statements):
        if isinstance(statement, Nest):
            yield from literals(statement.body)
        elif isinstance(statement, Write):
            before = 0
            for part in joined((), statement.parts):
                if isinstance(part, Text):
                    yield from literal(part, before)
                before = part.at if isinstance(part, Hole) and part.code.startswith("`") else 0


def literal(text: Text, before: int) -> Iterator[Literal]:
    if len(text.marks) > 1:
        (_, at), *rest = text.marks
        marks = tuple((offset, int(mark), mark.column) for offset, mark in rest if offset)
        lead = (int(before), before.column) if isinstance(before, At) else None
        yield Literal(path=at.path, at=(int(at), at.column), lead=lead, marks=marks)


Placed = tuple[str, int]
"""A line of output and the template line it comes from (an `At`, or 0)."""


def lines_of(statements: Iterable[Statement], depth: int) -> Iterator[Placed]:
    indent = "  " * depth
    for statement in merged(statements):
        if isinstance(statement, Line):
            yield indent + statement.code, statement.at
        elif isinstance(statement, Nest):
            yield indent + statement.head, statement.at
            yield from lines_of(statement.body, depth + 1)
            yield indent + statement.tail, 0
        else:
            yield from write_lines(statement, indent)


def write_lines(write: Write, indent: str) -> Iterator[Placed]:
    parts = joined((), write.parts)
    for number, part in enumerate(parts):
        code = js_string(part.text) if isinstance(part, Text) else part.code
        lead = f"{indent}{write.buffer} += " if number == 0 else f"{indent}  + "
        end = ";" if number == len(parts) - 1 else ""
        yield lead + code + end, part.at if isinstance(part, Hole) else next((at for _, at in part.marks), 0)


def returning(buffer: str, statements: Sequence[Statement]) -> list[Statement]:
    """The body of a function that returns what is written: a single concatenation needs no buffer."""
    flat = list(merged(statements))
    declared = [Line(f'let {buffer} = "";')]
    return [*declared, *flat, Line(f"return {buffer};")]


def module_text(statements: Iterable[Statement], sources: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The module's text, and its source map as a comment to put behind it.

    `sources` are (path, text) of every template that went into it.
    """
    placed = list(lines_of(statements, 0))
    text = "\n".join(line for line, _ in placed) + "\n"
    index = {path: number for number, (path, _) in enumerate(sources)}
    mappings = [
        mapping(number, line, at, index) for number, (line, at) in enumerate(placed) if isinstance(at, At)
    ]
    return text, source_map_comment(mappings, sources) + "\n"


def mapping(number: int, line: str, at: At, index: dict[str, int]) -> Mapping:
    return Mapping(
        line=number,
        column=len(line) - len(line.lstrip()),
        source=index.get(at.path, 0),
        source_line=int(at),
        source_column=at.column or 1,
    )
