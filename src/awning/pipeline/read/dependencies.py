"""What the scripts tell of widgets: which files can affect which widget, and which widgets do without the runtime.

The files in its folder can affect a widget, and those in shared folders (`widgets/_shared/`). A script may also import
from another widget's folder. Then any file of the workspace may affect its widget.
"""

from collections.abc import Iterable, Mapping

from awning.pipeline.read.files import SourceFile
from awning.script import ScriptFile
from awning.workspace import Widget

_NAMING_FILES = (".j2", ".css")
"""The endings of the files whose whole text is searched for a file name. In scripts, `_has_text` searches for it."""


def widgets_importing_others(widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile]) -> frozenset[str]:
    """Return the names of widgets with a script that may import from another widget's folder.

    If a script of a shared folder may do so, the result has all widgets.
    """
    folders = {path.split("/")[1] for path, script in scripts.items() if _leaves_its_widget(path, script)}
    names = frozenset(widget.name for widget in widgets)
    return names if any(folder.startswith("_") for folder in folders) else names & folders


def _leaves_its_widget(path: str, script: ScriptFile) -> bool:
    """Return whether a path in the script may lead to another widget's folder. A script without `../` is not parsed."""
    depth = path.count("/") - 2
    return "../" in script.text and script.facts.levels_up > depth


def widgets_using(path: str, files: Mapping[str, SourceFile], scripts: Mapping[str, ScriptFile]) -> set[str]:
    """Return the folders of the widgets that use a file directly or through other files.

    A file in a widget's folder is used by that widget. If a script in a shared folder names a shared file, every widget
    may use the file through this script. The result is then only the file's folder, which stands for all widgets.
    """
    folders: set[str] = set()
    waiting, seen = [path], {path}
    while waiting:
        current = waiting.pop()
        folder, name = current.split("/")[1], current.rpartition("/")[2]
        if folder[0] != "_":
            folders.add(folder)
            continue
        naming = {other for other, script in scripts.items() if _has_text(script, name)}
        naming |= {
            other for other, file in files.items() if other.endswith(_NAMING_FILES) and name in file.text
        }
        naming -= seen
        if any(other.split("/")[1][0] == "_" and other in scripts for other in naming):
            return {folder}
        seen |= naming
        waiting += naming
    return folders


def _has_text(script: ScriptFile, name: str) -> bool:
    """Return whether a string literal in the script, such as the path of an import, contains a name.

    A script with a syntax error has no reliable literals, so the name counts anywhere in it.
    """
    return name in script.text and (script.facts.broken or any(name in text for text in script.facts.texts))


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
