"""Finds what is not closed in a style sheet (braces, brackets, texts, comments, `url(`), and what is nested too deeply.

Browsers read on to the end of the sheet, and ignore what they have swallowed. Only the first such mistake is reported
after which nothing is certain.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import MOST_LEVELS, Component, Components, parse, style_error

_LINE_COMMENT = re.compile(r"^\s*//.*", re.DOTALL)


def bracket_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each mistake: what is not closed or too deep, and what closes nothing."""
    for part, message, hint in _Search().faults(parse(css), ()):
        yield style_error(path, part, message, hint)


Fault = tuple[Component, str, str]
"""Where a mistake is, the message and the hint."""


@dataclass(slots=True)
class _Search:
    ended: bool = field(default=False)
    """Whether a mistake was found after which nothing is certain."""

    def faults(self, parts: Components, around: Sequence[Component]) -> Iterator[Fault]:
        """Yield the mistakes in these parts, which are in the blocks `around`, the innermost last."""
        for part in parts:
            if self.ended:
                return
            if part.kind == "error":
                yield self._error(part, around)
            elif part.is_too_deep:
                self.ended = True
                message = f"rules and brackets are nested more than {MOST_LEVELS} deep here"
                yield part, message, "write the inner rules apart"
            elif part.kind == "comment" and part.is_open:
                self.ended = True
                yield (
                    part,
                    "this comment is never closed",
                    "close it with */: browsers ignore all that follows",
                )
            yield from self.faults(part.inside, [*around, part])
            if part.is_open and not self.ended:
                self.ended = True
                yield _never_closed(part)

    def _error(self, part: Component, around: Sequence[Component]) -> Fault:
        opened = around[-1] if around else None
        if part.text == "}" and opened and any(outer.is_block() for outer in around):
            self.ended = True
            return _never_closed(opened)
        if part.text == "}":
            hint = "remove it: the rules after it would apply to the whole page"
            return part, "this brace has no opening brace", hint
        if part.text in {")", "]"}:
            hint = "remove it: browsers ignore the declaration"
            return part, "this bracket has no opening bracket", hint
        self.ended = True
        if part.text[:1] in {'"', "'"}:
            return part, "this text is never closed", _text_hint(part)
        return (
            part,
            "this url( is not closed, or its address has a blank, a quote or a bracket",
            'close it with ")"; an address with such a character stands in quotes',
        )


def _text_hint(part: Component) -> str:
    line = part.source[part.source.rfind("\n", 0, part.start) + 1 : part.start]
    if _LINE_COMMENT.match(line):
        return "a comment in CSS is /* ... */, not // ..."
    return f"close it with {part.text[0]} on the same line"


def _never_closed(part: Component) -> Fault:
    """Return the fault of a block, at its bracket, or of a function, at the bracket after its name."""
    what = "brace" if part.is_block() else "bracket"
    at = replace(part, start=part.inner[0] - 1) if part.kind == "function" else part
    return at, f"this {what} is never closed", "close it: the rules after it count as part of it"
