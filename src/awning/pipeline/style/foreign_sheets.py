"""Finds the `@import` of a style sheet from another host.

The build cannot restrict such a sheet to the widget: its rules apply to the whole page, and to no shadow root. It is
not in the snippet either: when the host does not answer, or the page's policy forbids it, the widget has no style.
"""

import re
from collections.abc import Iterator

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import rules, style_diagnostic

_ADDRESS = re.compile(r"(?:https?:|//)", re.IGNORECASE)


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
