"""Which widgets do without the runtime: their scripts call the service themselves."""

from collections.abc import Iterable, Mapping

from awning.script import ScriptFile
from awning.workspace import Widget


def raw_widgets(
    widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile], global_object: str
) -> frozenset[str]:
    """Return the names of verbatim widgets, and of those with a script that names the service's global object.

    A widget whose `widget.ts` has a default export is not among them.
    """
    calling = {path.split("/")[1] for path, script in scripts.items() if _names(script, global_object)}
    return frozenset(
        widget.name
        for widget in widgets
        if widget.script is None
        or (
            widget.name in calling
            and not scripts[f"widgets/{widget.name}/{widget.script.name}"].facts.exports_default
        )
    )


def _names(script: ScriptFile, name: str) -> bool:
    """Return whether a name occurs as an identifier, or as a word in a string literal. Comments do not count."""
    return name in script.text and (
        name in script.facts.names or any(name in _words(text) for text in script.facts.texts if name in text)
    )


def _words(text: str) -> list[str]:
    """Return the parts of a text that could be identifiers in JavaScript."""
    return "".join(char if char.isalnum() or char in "_$" else " " for char in text).split()
