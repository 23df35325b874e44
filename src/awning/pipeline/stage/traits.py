"""The traits of widgets: properties that their entry points depend on.

A trait adds code to the snippets of the widgets that have it. Templates and styles are searched as text, scripts by
their facts. An uncertain trait is assumed, because a needless trait costs bytes and a missing trait breaks a widget.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from awning.pipeline.read import SourceSet
from awning.script import ScriptFacts

_INTERACTIVE_HTML = re.compile(
    r"<(?:a|button|input|select|textarea|details|dialog|iframe|video|audio|object|embed|area|canvas)\b"
    r"|\btabindex\b|\bcontenteditable\b|\bpopover\b|<[a-z]+-[a-z]|\blive\b",
    re.IGNORECASE,
)
_SCROLLS = re.compile(r"overflow(?:-[xy])?\s*:[^;}]*\b(?:auto|scroll)\b", re.IGNORECASE)
_INTERACTIVE_NAMES = frozenset({"contenteditable", "live", "popover", "tabindex"})
"""Names, in lower case, by which a script makes content interactive: `element.tabIndex = 0`, `live(...)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetTraits:
    """The names of the widgets with each trait."""

    interactive: frozenset[str] = frozenset()
    """Widgets whose content can be focused, typed into, opened or scrolled, which a redraw must not disturb.

    The runtime then patches changes into the content instead of replacing it.
    """
    asynchronous: frozenset[str] = frozenset()
    """Widgets whose render function may return a promise."""
    fragile: frozenset[str] = frozenset()
    """Widgets whose script can fail while it is loaded. Empty if there is only one widget: it cannot stop another."""
    raw: frozenset[str] = frozenset()
    """Widgets that do not use the runtime (`SourceSet.raw`)."""


def find_widget_traits(sources: SourceSet) -> WidgetTraits:
    return WidgetTraits(
        interactive=_interactive(sources),
        asynchronous=sources.widgets_in(
            sources.importing_others | _folders_where(sources, lambda facts: facts.asynchronous)
        ),
        fragile=_fragile(sources),
        raw=sources.raw,
    )


def _interactive(sources: SourceSet) -> frozenset[str]:
    folders = set(sources.importing_others) | _folders_where(sources, _is_interactive)
    for path, file in sources.files.items():
        pattern = _INTERACTIVE_HTML if path.endswith(".j2") else _SCROLLS if path.endswith(".css") else None
        if pattern and path.split("/")[1] not in folders and pattern.search(file.text):
            folders |= sources.using(path)
    return sources.widgets_in(folders)


def _is_interactive(facts: ScriptFacts) -> bool:
    return (
        facts.broken
        or not _INTERACTIVE_NAMES.isdisjoint(name.lower() for name in facts.names)
        or any(map(_INTERACTIVE_HTML.search, facts.texts))
    )


def _fragile(sources: SourceSet) -> frozenset[str]:
    if len(sources.widgets) <= 1:
        return frozenset()
    folders = {
        path.split("/")[1]
        for path, script in sources.scripts.items()
        if not script.head and script.facts.can_fail_while_loaded
    }
    return sources.widgets_in(folders)


def _folders_where(sources: SourceSet, condition: Callable[[ScriptFacts], bool]) -> set[str]:
    """Return the folders with a script for which the condition is true."""
    return {path.split("/")[1] for path, script in sources.scripts.items() if condition(script.facts)}
