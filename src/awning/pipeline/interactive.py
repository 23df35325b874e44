"""Which widgets hold something that a redraw must not disturb: what can be focused, typed into, opened, scrolled.

The runtime then patches a change into the content instead of replacing it; the code for that is shipped with these
widgets only. Judged by the text of templates, scripts and styles, generously: a needless patch costs bytes, a
missing one costs a shopper their caret. What else an entry has to know of its widgets' sources is here too: whether
they may render later, and whether they can fail while they are loaded.
"""

import re
from collections.abc import Iterable, Mapping

from awning.pipeline.files import SCRIPTS, SourceFile
from awning.pipeline.reach import of_folders, reaching, users
from awning.script import ScriptFile
from awning.workspace import Widget

_MARKUP = re.compile(
    r"<(?:a|button|input|select|textarea|details|dialog|iframe|video|audio|object|embed|area|canvas)\b"
    r"|\btabindex\b|\bcontenteditable\b|\bpopover\b|<[a-z]+-[a-z]|\blive\b",
    re.IGNORECASE,
)
_SCROLLS = re.compile(r"overflow(?:-[xy])?\s*:[^;}]*\b(?:auto|scroll)\b", re.IGNORECASE)


_ASYNC = re.compile(r"\basync\b|\bawait\b|\bPromise\b|\bthen\b|\bfetch\b|\bimport\s*\(")
_ASYNCHRONOUS = dict.fromkeys(SCRIPTS, _ASYNC)
_NAMED = frozenset({".j2", ".css"})
"""Endings of what is taken by its whole name only; a script may be taken without its ending, or with its folder."""
_INTERACTIVE = {**dict.fromkeys(SCRIPTS, _MARKUP), ".j2": _MARKUP, ".css": _SCROLLS}


def interactive_widgets(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> frozenset[str]:
    """The names of widgets with something that a redraw must not disturb."""
    return _matching(widgets, files, _INTERACTIVE)


def asynchronous_widgets(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> frozenset[str]:
    """The names of widgets whose render function may return a promise: the code that waits is theirs only."""
    return _matching(widgets, files, _ASYNCHRONOUS)


def fragile_widgets(widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile]) -> frozenset[str]:
    """The names of widgets whose modules can fail while they are loaded, where there are others to disturb."""
    every = tuple(widgets)
    heads = {f"widgets/{widget.name}/{widget.head.name}" for widget in every if widget.head}
    found = {
        path.split("/")[1]
        for path, script in scripts.items()
        if len(every) > 1 and path not in heads and script.facts.can_fail_while_loaded
    }
    return of_folders(found, every)


def _matching(
    widgets: Iterable[Widget], files: Mapping[str, SourceFile], patterns: Mapping[str, re.Pattern[str]]
) -> frozenset[str]:
    """Widgets with a file that matches the pattern of its ending, or that a script takes from another widget."""
    found = set(reaching(widgets, files))
    for path, file in files.items():
        folder, ending = path.split("/")[1], path[path.rfind(".") :]
        pattern = patterns.get(ending)
        if folder not in found and pattern and pattern.search(file.text):
            found |= users(path, files) if ending in _NAMED else {folder}
    return of_folders(found, widgets)
