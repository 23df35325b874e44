"""Last phase: a tree of JavaScript statements becomes the text of a module, with its source map.

The other phases build values (`Line`, `Nest`, `Write`); only this module knows about layout. Consecutive writes
become one concatenation, each part on a line of its own so that the map can point back at the template's hole.
"""

import json
import re
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
class Choice:
    """One of several texts. `arms` are condition, its place, and what is then written; `other` is written else."""

    arms: "tuple[tuple[str, int, tuple[Part, ...]], ...]"
    other: "tuple[Part, ...]"


Part = Text | Hole | Choice


@dataclass(frozen=True, slots=True)
class Write:
    """Output, appended to a buffer variable, or what `lead` says: the beginning of the buffer, or all of it."""

    buffer: str
    parts: tuple[Part, ...]
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
"""Line ends for JavaScript, and halves of characters, which no file can hold."""


def js_string(text: str) -> str:
    """A JavaScript string literal, safe inside `<script>` too (esbuild keeps `<\\/script`)."""
    quoted = json.dumps(text, ensure_ascii=False).replace("</", "<\\/")
    return UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def js_template(pieces: Iterable[tuple[str, str]]) -> str:
    """A template literal: texts, each with the code of a value behind it, or none."""
    return f"`{''.join(in_template(text) + (code and f'${{{code}}}') for text, code in pieces)}`"


def in_template(text: str) -> str:
    """A text inside a template literal: as in a string, but for what ends either."""
    inside = js_string(text)[1:-1]
    return re.sub(r'\\"|\\.|`|\$\{', lambda found: '"' if found[0] == '\\"' else escaped(found[0]), inside)


def escaped(found: str) -> str:
    return found if found.startswith("\\") else "\\" + found


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


def joined(left: tuple[Part, ...], right: tuple[Part, ...]) -> tuple[Part, ...]:
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
            yield from literals_in(joined((), statement.parts))


def literals_in(parts: Iterable[Part]) -> Iterator[Literal]:
    before = 0
    for part in parts:
        if isinstance(part, Text):
            yield from literal(part, before)
        elif isinstance(part, Choice):
            for _, _, written in part.arms:
                yield from literals_in(written)
            yield from literals_in(part.other)
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
    parts = joined((), write.parts)
    lead = write.lead and write.lead + as_text(parts)
    found = list(sum_lines(parts, indent, lead or f"{write.buffer} += "))
    for number, (line, at) in enumerate(found):
        yield (line + ";" if number == len(found) - 1 else line), at


def as_text(parts: Sequence[Part]) -> str:
    """What makes a text of a beginning that is a value: a script's own `t` may return anything."""
    return '"" + ' if begins_with_value(parts) else ""


def begins_with_value(parts: Sequence[Part]) -> bool:
    """An arm of several parts is a text already."""
    first = parts[0]
    if isinstance(first, Choice):
        arms = [*(arm for _, _, arm in first.arms), first.other]
        return any(len(arm) == 1 and begins_with_value(arm) for arm in arms)
    return isinstance(first, Hole)


def sum_lines(parts: Sequence[Part], indent: str, lead: str) -> Iterator[Placed]:
    """A concatenation: each text, value and arm of a choice on a line of its own, for the map."""
    for number, part in enumerate(parts):
        begin = f"{indent}  + " if number else indent + lead
        if isinstance(part, Text):
            yield begin + js_string(part.text), next((at for _, at in part.marks), 0)
        elif isinstance(part, Hole):
            yield begin + part.code, part.at
        else:
            yield from choice_lines(part, begin, indent + "  ")


def choice_lines(choice: Choice, begin: str, indent: str) -> Iterator[Placed]:
    for number, (test, at, parts) in enumerate(choice.arms):
        yield (f"{indent}  : {test}" if number else f"{begin}({test}"), at
        yield from arm_lines(parts, indent, "  ? ")
    *lines, (line, at) = arm_lines(choice.other, indent, "  : ")
    yield from lines
    yield line + ")", at


def arm_lines(parts: Sequence[Part], indent: str, lead: str) -> Iterator[Placed]:
    if not parts:
        return iter([(f'{indent}{lead}""', 0)])
    return sum_lines(parts, indent, lead + (as_text(parts) if len(parts) > 1 else ""))


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
    return (
        isinstance(first, Write)
        and statement == Line(f'let {first.buffer} = "";')
        and bool(joined((), first.parts))
    )


def written_only(statements: Iterable[Statement], buffer: str) -> tuple[Part, ...] | None:
    """The parts of a body that does nothing but write to a buffer; None where it does more."""
    flat = [*merged(statements)]
    if not flat:
        return ()
    only = flat[0]
    if len(flat) > 1 or not isinstance(only, Write) or only.buffer != buffer:
        return None
    return joined((), only.parts)


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
