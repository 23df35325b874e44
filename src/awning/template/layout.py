"""Last phase: a tree of JavaScript statements becomes the text of a module, with its source map.

What is written in one go becomes one template literal: each text, value and arm of a choice has a line of its own, so
that the map can point back at the template. Line breaks stand inside `${ }`, where they are nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from awning.template.emit import (
    ChoicePart,
    Line,
    Nest,
    OutputPart,
    Statement,
    TextPart,
    ValuePart,
    Write,
    in_template,
    js_string,
    merged,
)
from awning.template.refusals import At
from awning.template.sourcemap import Mapping, source_map_comment

Placed = tuple[str, int]
"""A line of output and the template line it comes from (an `At`, or 0)."""


def lines_of(statements: Iterable[Statement], depth: int) -> Iterator[Placed]:
    indent = "  " * depth
    for statement in begun([*merged(statements)]):
        if isinstance(statement, Line):
            yield indent + statement.code, statement.at
        elif isinstance(statement, Nest):
            yield indent + statement.head, statement.at
            yield from lines_of(statement.body, depth + 1)
            yield indent + statement.tail, 0
        else:
            yield from write_lines(statement, indent)


def write_lines(write: Write, indent: str) -> Iterator[Placed]:
    parts = write.parts
    lead = write.lead and write.lead + as_text(parts)
    return around(indent + (lead or f"{write.buffer} += "), text_lines(parts, indent), ";")


def as_text(parts: Sequence[OutputPart]) -> str:
    """What makes a text of what stands alone and may be none: a script's own `t` may return anything."""
    return '"" + ' if may_be_no_text(parts) else ""


def may_be_no_text(parts: Sequence[OutputPart]) -> bool:
    """Several parts are a text in any case."""
    if len(parts) != 1:
        return False
    (part,) = parts
    if isinstance(part, ChoicePart):
        return any(may_be_no_text(arm) for arm in (*(arm for _, _, arm in part.arms), part.other))
    return isinstance(part, ValuePart) and "context.t(" in part.code


def around(lead: str, lines: Sequence[Placed], tail: str) -> Iterator[Placed]:
    """The lines of an expression, with what stands before the first and behind the last."""
    for number, (line, at) in enumerate(lines):
        yield (lead if number == 0 else "") + line + (tail if number == len(lines) - 1 else ""), at


def text_lines(parts: Sequence[OutputPart], indent: str) -> list[Placed]:
    """An expression for what is written. Its first line is not indented."""
    if not parts:
        return [('""', 0)]
    if len(parts) > 1:
        return list(template_lines(parts, indent))
    (part,) = parts
    if isinstance(part, ChoicePart):
        return list(choice_lines(part, indent + "  "))
    return [(js_string(part.text) if isinstance(part, TextPart) else part.code, place(part))]


PRINTED = re.compile(r"`\$\{([^`{}]+)\}`")
"""A value made a text, which a place in a template literal does by itself."""


def template_lines(parts: Sequence[OutputPart], indent: str) -> Iterator[Placed]:
    open_, at = "`", place(parts[0])
    for part in parts:
        if isinstance(part, TextPart):
            open_, at = open_ + in_template(part.text), at or place(part)
            continue
        yield open_ + "${", at
        yield from around(indent + "    ", value_lines(part, indent + "  "), "")
        open_, at = f"{indent}  }}", 0
    yield open_ + "`", at


def value_lines(part: ValuePart | ChoicePart, indent: str) -> list[Placed]:
    printed = isinstance(part, ValuePart) and PRINTED.fullmatch(part.code)
    return [(printed[1], place(part))] if printed else text_lines([part], indent)


def choice_lines(choice: ChoicePart, indent: str) -> Iterator[Placed]:
    for number, (test, at, parts) in enumerate(choice.arms):
        yield (f"{indent}  : {test}" if number else f"({test}"), at
        yield from around(f"{indent}  ? ", text_lines(parts, indent + "  "), "")
    yield from around(f"{indent}  : ", text_lines(choice.other, indent + "  "), ")")


def place(part: OutputPart) -> int:
    if isinstance(part, ChoicePart):
        return part.arms[0][1]
    return part.at if isinstance(part, ValuePart) else next((at for _, at in part.marks), 0)


def begun(statements: Sequence[Statement]) -> Iterator[Statement]:
    """What is written first begins the buffer, and what is written alone is returned: neither needs an empty text."""
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
