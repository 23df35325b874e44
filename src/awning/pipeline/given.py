"""Which of the arguments that every render function gets a widget reads: the others are not made for it.

Told by the script's own words where they leave no doubt: each slot is called with an arrow function that takes its
argument apart at once, `afterPrice(({ item, t }) => ...)`, and keeps no rest of it. Any other way to call a slot, or to
name it, and the widget gets everything. So does one that takes scripts from another widget.
"""

import re
from collections.abc import Iterable, Mapping

from awning.pipeline.files import SourceFile
from awning.pipeline.reach import SCRIPTS, reaching
from awning.workspace import Widget

COMMON = frozenset({"data", "language", "page", "t"})
"""What the generated entry makes for a render function (jsrc/runtime/slot.ts, `Common`)."""

_IMPORT = re.compile(r"^\s*import\s*\{[^}]*\}\s*from\s*[\"']awning[\"']", re.MULTILINE)
_RENAMED = re.compile(r"\bas\b")
_NAMED = re.compile(r"\bafter(?:Price|Cart|Checkout)\b")
_PLAIN = r"[^{}\"'`]"
"""A text may hold braces that are none."""
_TYPE = r"(?::[^(){}=]*)?"
_TAKEN_APART = re.compile(
    r"\bafter(?:Price|Cart|Checkout)\s*(?:<[^(){}]*>)?\(\s*(?:async\s*)?"
    rf"\(\s*\{{((?:{_PLAIN}|\{{{_PLAIN}*\}})*)\}}\s*{_TYPE}\)\s*{_TYPE}=>"
)
_INNER = re.compile(r"\{[^{}]*\}")
_NAME = re.compile(r"\s*([A-Za-z_$][\w$]*)\s*(?:[:=].*)?", re.DOTALL)


def given(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> dict[str, frozenset[str]]:
    """By widget, what of `COMMON` its render functions can read."""
    scripts: dict[str, list[str]] = {}
    for path, file in files.items():
        if path.endswith(SCRIPTS):
            scripts.setdefault(path.split("/")[1], []).append(file.text)
    doubtful = reaching(widgets, files)
    shared = any(_NAMED.search(text) for name, texts in scripts.items() if name[0] == "_" for text in texts)
    return {
        widget.name: COMMON
        if shared or widget.name in doubtful
        else read("\n".join(scripts.get(widget.name, ())))
        for widget in widgets
    }


def read(text: str) -> frozenset[str]:
    """What of `COMMON` the render functions in a script's text can read."""
    imports = [match[0] for match in _IMPORT.finditer(text)]
    body = _IMPORT.sub("", text)
    patterns = _TAKEN_APART.findall(body)
    if (
        not patterns
        or len(patterns) != len(_NAMED.findall(body))
        or any(_RENAMED.search(one) for one in imports)
    ):
        return COMMON
    flat = [part for pattern in patterns for part in _INNER.sub("inner", pattern).split(",")]
    names = [_NAME.fullmatch(part) for part in flat if part.strip()]
    if not all(names):
        return COMMON
    return COMMON & {name[1] for name in names if name}
