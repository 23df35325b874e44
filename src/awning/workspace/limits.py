"""How much a TOML or JSON file may hold: what its parser would take too long or go too deep for is refused before.

Counted by the characters that make structure, outside of strings and comments: in one pass, whatever the text is.
"""

import re

from awning.diagnostics import Diagnostic, Place

MOST_ENTRIES = 20_000
"""Keys, elements of arrays and tables of a TOML file."""

MOST_PARTS = 16
"""Parts of one dotted key."""

DEEPEST = 64
"""Arrays and tables, or objects, inside each other."""

_TOML = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|$)|\'\'\'(?:[^\']++|\'(?!\'\'))*+(?:\'\'\'|$)'
    r'|"(?:[^"\\\n]++|\\.)*+"?|\'[^\'\n]*\'?|#[^\n]*|[\[\]{}=,.\n]',
    re.DOTALL,
)
_JSON = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def toml_limit(text: str, path: str) -> Diagnostic | None:
    """What of a TOML text is over a limit, at its place."""
    depth = parts = entries = 0
    for match in _TOML.finditer(text):
        mark = match[0]
        if mark == ".":
            parts += 1
            if parts >= MOST_PARTS:
                return _over(f"a key of more than {MOST_PARTS} parts", text, match.start(), path)
            continue
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if mark in "[{=,\n":
            parts = 0
        if mark in "[{=,":
            entries += 1
        if depth > DEEPEST:
            return _over(f"more than {DEEPEST} arrays or tables inside each other", text, match.start(), path)
        if entries > MOST_ENTRIES:
            return _over(f"more than {MOST_ENTRIES} keys and elements", text, match.start(), path)
    return None


def json_limit(text: str, path: str) -> Diagnostic | None:
    """Where a JSON text goes too deep."""
    depth = 0
    for match in _JSON.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                return _over(
                    f"more than {DEEPEST} arrays or objects inside each other", text, match.start(), path
                )
        elif match[0] in "]}":
            depth -= 1
    return None


def _over(message: str, text: str, offset: int, path: str) -> Diagnostic:
    line = text.count("\n", 0, offset) + 1
    return Diagnostic(
        rule="source-limit",
        message=message,
        place=Place(path=path, line=line, column=offset - text.rfind("\n", 0, offset)),
        hint="split the file; docs/widget.md has the limits",
    )
