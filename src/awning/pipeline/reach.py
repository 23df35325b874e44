"""Whose sources say something about which widget: its own, and those of folders that all share (`widgets/_shared/`).

What an entry need not carry is told from a widget's sources (given.py, interactive.py). A script may take another from
a second widget's folder: what is in the first says too little then, and the widget counts as one that needs everything.
"""

import re
from collections.abc import Iterable, Mapping

from awning.pipeline.files import SourceFile
from awning.workspace import Widget

SCRIPTS = (".ts", ".js", ".mts", ".mjs")

_BESIDE = re.compile(r"\.\./(?![_.])")
"""A path out of its folder, and not into a shared one. Also one up from a folder within a widget: a needless doubt."""


def reaching(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> frozenset[str]:
    """The names of widgets with a script that may take something from another widget's folder."""
    folders = {
        path.split("/")[1]
        for path, file in files.items()
        if path.endswith(SCRIPTS) and _BESIDE.search(file.text)
    }
    return of_folders(folders, widgets)


def of_folders(folders: Iterable[str], widgets: Iterable[Widget]) -> frozenset[str]:
    """The widgets among the folders; all of them when a folder that they share is."""
    found = frozenset(folders)
    names = frozenset(widget.name for widget in widgets)
    return names if any(name[0] == "_" for name in found) else names & found
