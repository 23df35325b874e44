"""Which files can affect which widget: its own, and those of folders that all widgets share (`widgets/_shared/`).

What an entry can leave out is read from a widget's sources (interactive.py). A script may import from the folder of a
second widget: the first widget's own sources then say too little, and it counts as one that needs everything.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from awning.pipeline.files import SourceFile
from awning.script import ScriptFile
from awning.workspace import Widget

_NAMING = (".j2", ".css")
"""Endings of the files, beside scripts, that may name another file."""

_UP = re.compile(r"((?:\.\./)+)(?![_.])")
"""The way up of a path that does not go into a shared folder."""


def reaching(widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile]) -> frozenset[str]:
    """The names of widgets with a script that may take something from another widget's folder."""
    return of_folders((path.split("/")[1] for path in _leaving(scripts)), widgets)


def users(path: str, files: Mapping[str, SourceFile], scripts: Mapping[str, ScriptFile]) -> set[str]:
    """The folders of the widgets that a file belongs to, or that use a shared file, directly or through others."""
    folders: set[str] = set()
    waiting, seen = [path], {path}
    while waiting:
        current = waiting.pop()
        folder, name = current.split("/")[1], current.rpartition("/")[2]
        if folder[0] != "_":
            folders.add(folder)
            continue
        naming = {other for other, script in scripts.items() if _has_text(script, name)}
        naming |= {other for other, file in files.items() if other.endswith(_NAMING) and name in file.text}
        naming -= seen
        if any(other.split("/")[1][0] == "_" and other in scripts for other in naming):
            return {folder}
        seen |= naming
        waiting += naming
    return folders


def _has_text(script: ScriptFile, name: str) -> bool:
    """Whether a text of the script, such as the path of an import, holds a name."""
    return name in script.text and (script.facts.broken or any(name in text for text in script.facts.texts))


def _leaving(scripts: Mapping[str, ScriptFile]) -> Iterator[str]:
    """The scripts with a path that leads to another widget's folder."""
    for path, script in scripts.items():
        if "../" in script.text and _leaves(path.count("/") - 2, script):
            yield path


def _leaves(depth: int, script: ScriptFile) -> bool:
    """Whether a path in a script, so many folders below its widget's own, leads out of that."""
    texts = (script.text,) if script.facts.broken else script.facts.texts
    return any(match[1].count("/") > depth for text in texts for match in _UP.finditer(text))


def of_folders(folders: Iterable[str], widgets: Iterable[Widget]) -> frozenset[str]:
    """The widgets among the folders; all of them when a shared folder is among them."""
    chosen = frozenset(folders)
    names = frozenset(widget.name for widget in widgets)
    return names if any(name[0] == "_" for name in chosen) else names & chosen
