"""Finds style sheets of other hosts: in `@import`, also of a template's `<style>`, and in `<link rel="stylesheet">`.

The build cannot restrict such a sheet to the widget: its rules apply to the whole page, and to no shadow root. It is
not in the snippet either: when the host does not answer, or the page's policy forbids it, the widget has no style.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from awning.check.template_code import Code, is_no_text, without_code
from awning.diagnostics import Diagnostic, Place
from awning.markup import Piece, read_markup
from awning.pipeline.style.css import rules, style_diagnostic
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
