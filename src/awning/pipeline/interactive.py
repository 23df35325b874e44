"""Which widgets hold something that a redraw must not disturb: what can be focused, typed into, opened, scrolled.

The runtime then patches a change into the content instead of replacing it; the code for that is shipped with these
widgets only. Templates and styles are searched as text, scripts by their facts, and both generously: a needless patch
costs bytes, a missing one costs a shopper their caret. Two more facts that an entry needs are here: whether a widget
may render later, and whether it can fail while it is loaded.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from awning.pipeline.files import SourceFile
from awning.pipeline.reach import of_folders, reaching, users
from awning.script import ScriptFacts, ScriptFile
from awning.workspace import Widget

_MARKUP = re.compile(
    r"<(?:a|button|input|select|textarea|details|dialog|iframe|video|audio|object|embed|area|canvas)\b"
    r"|\btabindex\b|\bcontenteditable\b|\bpopover\b|<[a-z]+-[a-z]|\blive\b",
    re.IGNORECASE,
)
_SCROLLS = re.compile(r"overflow(?:-[xy])?\s*:[^;}]*\b(?:auto|scroll)\b", re.IGNORECASE)
_IN_SCRIPTS = frozenset({"contenteditable", "live", "popover", "tabindex"})
"""Names, in lower case, by which a script itself makes content interactive: `element.tabIndex = 0`, `live(...)`."""


def interactive_widgets(
    widgets: Iterable[Widget], files: Mapping[str, SourceFile], scripts: Mapping[str, ScriptFile]
) -> frozenset[str]:
    """The names of widgets with something that a redraw must not disturb."""
    folders = _leaving_and(widgets, scripts, _is_interactive)
    for path, file in files.items():
        pattern = _MARKUP if path.endswith(".j2") else _SCROLLS if path.endswith(".css") else None
        if pattern and path.split("/")[1] not in folders and pattern.search(file.text):
            folders |= users(path, files, scripts)
    return of_folders(folders, widgets)


def asynchronous_widgets(widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile]) -> frozenset[str]:
    """The names of widgets whose render function may return a promise: the code that waits is theirs only."""
    return of_folders(_leaving_and(widgets, scripts, lambda facts: facts.asynchronous), widgets)


def fragile_widgets(widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile]) -> frozenset[str]:
    """The names of widgets whose modules can fail while they are loaded, where there are others to disturb."""
    every = tuple(widgets)
    heads = {f"widgets/{widget.name}/{widget.head.name}" for widget in every if widget.head}
    folders = {
        path.split("/")[1]
        for path, script in scripts.items()
        if len(every) > 1 and path not in heads and script.facts.can_fail_while_loaded
    }
    return of_folders(folders, every)


def _leaving_and(
    widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile], condition: Callable[[ScriptFacts], bool]
) -> set[str]:
    """The folders with a script that fulfils the condition, and those that may take one from another widget."""
    folders = set(reaching(widgets, scripts))
    return folders | {path.split("/")[1] for path, script in scripts.items() if condition(script.facts)}


def _is_interactive(facts: ScriptFacts) -> bool:
    return (
        facts.broken
        or not _IN_SCRIPTS.isdisjoint(name.lower() for name in facts.names)
        or any(map(_MARKUP.search, facts.texts))
    )
