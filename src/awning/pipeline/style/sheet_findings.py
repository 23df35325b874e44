"""Finds what a style sheet does not close or nests too deeply, and style sheets of other hosts.

Braces, brackets, texts, comments and `url(` are to be closed. Browsers read on to the end of the sheet, and ignore what
they have swallowed. Only the first such mistake is reported after which nothing is certain.

Sheets of other hosts are in `@import`, also of a template's `<style>`, and in `<link rel="stylesheet">`. The build
cannot restrict such a sheet to the widget: its rules apply to the whole page, and to no shadow root. It is not in the
snippet either: when the host does not answer, or the page's policy forbids it, the widget has no style.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from awning.check.template_code import Code, is_no_text, without_code
from awning.diagnostics import Diagnostic, Place
from awning.markup import Piece, read_markup
from awning.pipeline.style.css import (
    MOST_LEVELS,
    Component,
    Components,
    parse,
    rules,
    style_diagnostic,
    style_error,
)
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import line_and_column

_ADDRESS = re.compile(r"(?:https?:|//)", re.IGNORECASE)
_NO_ADDRESS = re.compile("[<>\"']")
"""Matches what an output that is a part of an address does not have."""
_OTHER_HOST = re.compile(r"\s*(?:https?:)?//", re.IGNORECASE)


def foreign_sheet_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each `@import` of a style sheet from another host."""
    for rule in rules(css) if "import" in css.lower() else ():
        if _ADDRESS.match(rule.imported):
            yield style_diagnostic(
                path,
                rule.words[0],
                rule="style-import",
                message=f"a style sheet of another host: {rule.imported} applies to the whole page, "
                "and the widget depends on that host",
                hint="copy the rules that the widget needs into its style.css; of a font, copy the @font-face",
            )


def template_sheet_findings(path: str, template: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each style sheet of another host that a template names."""

    def is_left_out(code: Code) -> bool:
        is_in_address = code.opening == "{{" and not _NO_ADDRESS.search(template, code.start, code.end)
        return is_no_text(code) and not is_in_address

    text = without_code(template, is_left_out=is_left_out)
    element = ""
    for piece in read_markup(text):
        line, column = line_and_column(template, piece.start)
        if piece.kind == "raw" and element == "style" and "import" in piece.text.lower():
            before = "\n" * (line - 1) + " " * (column - 1)
            for finding in foreign_sheet_findings(path, before + piece.text):
                found_at = finding.place.line if finding.place else line
                yield replace(finding, excerpt=excerpt_of(template, found_at))
        elif _is_foreign_link(piece):
            yield Diagnostic(
                rule="style-import",
                message="a style sheet of another host applies to the whole page, and the widget depends on that host",
                place=Place(path=path, line=line, column=column),
                hint="copy the rules that the widget needs into its style.css",
                excerpt=excerpt_of(template, line),
            )
        element = piece.text if piece.kind == "start" else ""


def _is_foreign_link(piece: Piece) -> bool:
    return (
        (piece.kind, piece.text) == ("start", "link")
        and "stylesheet" in piece.attributes.get("rel", "").lower().split()
        and bool(_OTHER_HOST.match(piece.attributes.get("href", "")))
    )


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
