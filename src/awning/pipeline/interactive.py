"""Which widgets hold something that a redraw must not disturb: what can be focused, typed into, opened, scrolled.

The runtime then patches a change into the content instead of replacing it; the code for that is shipped with these
widgets only. Judged by the text of templates, scripts and styles, generously: a needless patch costs bytes, a
missing one costs a shopper their caret.
"""

import re
from collections.abc import Iterable, Mapping

from awning.pipeline.files import SourceFile
from awning.workspace import Widget

_MARKUP = re.compile(
    r"<(?:a|button|input|select|textarea|details|dialog|iframe|video|audio|object|embed|area|canvas)\b"
    r"|\btabindex\b|\bcontenteditable\b|\bpopover\b|<[a-z]+-[a-z]|\blive\b",
    re.IGNORECASE,
)
_SCROLLS = re.compile(r"overflow(?:-[xy])?\s*:[^;}]*\b(?:auto|scroll)\b", re.IGNORECASE)


_ASYNC = re.compile(r"\basync\b|\bawait\b|\bPromise\b|\bthen\b|\bfetch\b|\bimport\s*\(")
_INTERACTIVE = {"j2": _MARKUP, "ts": _MARKUP, "js": _MARKUP, "css": _SCROLLS}
_ASYNCHRONOUS = {"ts": _ASYNC, "js": _ASYNC}


def interactive_widgets(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> frozenset[str]:
    """The names of widgets with something that a redraw must not disturb."""
    return _matching(widgets, files, _INTERACTIVE)


def asynchronous_widgets(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> frozenset[str]:
    """The names of widgets whose render function may return a promise: the code that waits is theirs only."""
    return _matching(widgets, files, _ASYNCHRONOUS)


def _matching(
    widgets: Iterable[Widget], files: Mapping[str, SourceFile], patterns: Mapping[str, re.Pattern[str]]
) -> frozenset[str]:
    """Widgets with a file that matches the pattern of its ending; all of them when that file is shared."""
    names = {widget.name for widget in widgets}
    found: set[str] = set()
    for path, file in files.items():
        folder, ending = path.split("/")[1], path.rsplit(".", 1)[-1]
        pattern = patterns.get(ending)
        if folder not in found and pattern and pattern.search(file.text):
            found.add(folder)
    return frozenset(found & names) if not any(name[0] == "_" for name in found) else frozenset(names)
