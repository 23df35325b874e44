"""Whose sources say something about which widget: its own, and those of folders that all share (`widgets/_shared/`).

What an entry need not carry is told from a widget's sources (interactive.py). A script may take another from
a second widget's folder: what is in the first says too little then, and the widget counts as one that needs everything.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from awning.pipeline.files import SCRIPTS, SourceFile
from awning.workspace import Widget

_NAMING = (*SCRIPTS, ".j2", ".css")

_UP = re.compile(r"((?:\.\./)+)(?![_.])")
"""The way up of a path that does not go into a shared folder."""


def reaching(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> frozenset[str]:
    """The names of widgets with a script that may take something from another widget's folder."""
    return of_folders((path.split("/")[1] for path in _leaving(files)), widgets)


def users(path: str, files: Mapping[str, SourceFile]) -> set[str]:
    """The folders of the widgets that a file is of, or that name a shared one, themselves or by way of others."""
    found: set[str] = set()
    waiting, seen = [path], {path}
    while waiting:
        one = waiting.pop()
        folder, name = one.split("/")[1], one.rpartition("/")[2]
        if folder[0] != "_":
            found.add(folder)
            continue
        naming = {
            other for other, file in files.items() if other.endswith(_NAMING) and name in file.text
        } - seen
        if any(other.split("/")[1][0] == "_" and other.endswith(SCRIPTS) for other in naming):
            return {folder}
        seen |= naming
        waiting += naming
    return found


def _leaving(files: Mapping[str, SourceFile]) -> Iterator[str]:
    """The scripts with a path that leads to another widget's folder."""
    for path, file in files.items():
        if path.endswith(SCRIPTS) and _leaves(path.count("/") - 2, file.text):
            yield path


def _leaves(depth: int, text: str) -> bool:
    """Whether a path in a script, so many folders below its widget's own, leads out of that."""
    return any(match[1].count("/") > depth for match in _UP.finditer(text))


def of_folders(folders: Iterable[str], widgets: Iterable[Widget]) -> frozenset[str]:
    """The widgets among the folders; all of them when a folder that they share is."""
    found = frozenset(folders)
    names = frozenset(widget.name for widget in widgets)
    return names if any(name[0] == "_" for name in found) else names & found
