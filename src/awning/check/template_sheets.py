"""Finds style sheets of other hosts in a template: `<link rel="stylesheet">`, and `@import` in `<style>`.

They apply to the whole page, like those that a style sheet imports (pipeline/style/foreign_sheets.py).
"""

import re
from collections.abc import Iterator

from awning.diagnostics import Diagnostic, Place
from awning.workspace.offsets import line_and_column

_COMMENT = re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"<link\b(?=[^>]*\brel\s*=\s*[\"']?[^\"'>]*\bstylesheet\b)[^>]*>", re.IGNORECASE)
_HREF = re.compile(r"\bhref\s*=\s*[\"']?\s*((?:https?:)?//[^\s\"'>]+)", re.IGNORECASE)
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)
_IMPORT = re.compile(r"@import\s+(?:url\(\s*)?[\"']?\s*((?:https?:)?//[^\s\"')]+)", re.IGNORECASE)


def template_sheet_findings(path: str, template: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each style sheet of another host."""
    text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), template)
    links = (match.start() for match in _LINK.finditer(text) if _HREF.search(match[0]))
    imports = (
        style.start(1) + match.start()
        for style in _STYLE.finditer(text)
        for match in _IMPORT.finditer(style[1])
    )
    for at in sorted((*links, *imports)):
        line, column = line_and_column(template, at)
        yield Diagnostic(
            rule="style-import",
            message="a style sheet of another host applies to the whole page, and the widget depends on that host",
            place=Place(path=path, line=line, column=column),
            hint="copy the rules that the widget needs into its style.css",
            excerpt=template.split("\n")[line - 1],
        )
