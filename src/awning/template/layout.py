"""The last phase of the compiler: the text of a module and its source map, from a tree of JavaScript statements.

Each write becomes one expression: with several parts, a template literal. Each text and value has a line of its own,
so that the source map can point to the template. Line breaks stand inside `${ }`, where they have no effect.
"""

from collections.abc import Iterable, Iterator, Sequence

from awning.template.emit import (
    Line,
    Nest,
    OutputPart,
    Statement,
    TextPart,
    ValuePart,
    Write,
    js_string,
    merge_writes,
    template_literal_text,
)
from awning.template.refusals import Position
from awning.template.sourcemap import Mapping, source_map_comment

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
    """Return the text of the module, and its source map as a comment to append.

    `sources` are the path and the text of each template that the module was compiled from.
    """
    placed = list(lines_of(statements, 0))
    text = "\n".join(line for line, _ in placed) + "\n"
    index = {path: number for number, (path, _) in enumerate(sources)}
    mappings = [
        mapping(number, line, at, index)
        for number, (line, at) in enumerate(placed)
        if isinstance(at, Position)
    ]
    return text, source_map_comment(mappings, sources) + "\n"


def mapping(number: int, line: str, at: Position, index: dict[str, int]) -> Mapping:
    return Mapping(
        line=number,
        column=len(line) - len(line.lstrip()),
        source=index.get(at.path, 0),
        source_line=int(at),
        source_column=at.column or 1,
    )
