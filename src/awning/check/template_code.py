"""Jinja2's code in the text of a template: statements, outputs and comments, found in linear time.

It is a reading of the text. Jinja2's syntax tree has neither the places nor the markup between them, and a template
that Jinja2 refuses has none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

RAW = "raw"
_OPENING = re.compile(r"\{[{%#]")
_CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
_STATEMENT = re.compile(r"\{%[-+]?\s*(\w*)(.*?)[-+]?%\}", re.DOTALL)
_END_RAW = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")


@dataclass(frozen=True, slots=True)
class Code:
    """A statement such as `{% if a %}` with its keyword and the rest, an output (`{{`) or a comment (`{#`).

    The content of `{% raw %}`, which is text, has the opening RAW.
    """

    opening: str
    start: int
    end: int
    keyword: str = ""
    rest: str = ""


def code_in(template: str) -> Iterator[Code]:
    """Yield the code in order. Unclosed code is text."""
    at = 0
    unclosed: set[str] = set()
    while match := _OPENING.search(template, at):
        opening, start = match[0], match.start()
        closed = -1 if opening in unclosed else template.find(_CLOSING[opening], match.end())
        if closed < 0:
            unclosed.add(opening)
            at = start + 1
            continue
        at = closed + 2
        statement = _STATEMENT.match(template, start, at)
        keyword, rest = (statement[1], statement[2].strip()) if statement else ("", "")
        yield Code(opening, start, at, keyword, rest)
        if keyword == "raw" and "endraw" not in unclosed:
            end = _END_RAW.search(template, at)
            if end is None:
                unclosed.add("endraw")
            else:
                yield Code(RAW, at, end.start())
                yield Code("{%", end.start(), end.end(), "endraw")
                at = end.end()


def is_no_text(code: Code) -> bool:
    return code.opening != RAW


def without_code(
    template: str, filler: str = " ", *, is_left_out: Callable[[Code], bool] = is_no_text
) -> str:
    """Return the template with a filler for each character of its code but newlines."""
    parts: list[str] = []
    end = 0
    for code in code_in(template):
        if is_left_out(code):
            parts += [template[end : code.start], re.sub(r"[^\n]", filler, template[code.start : code.end])]
            end = code.end
    return "".join((*parts, template[end:]))
