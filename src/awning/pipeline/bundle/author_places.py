"""Moves the bundler's diagnostics to their places in the author's files. The bundler itself reads only the stage."""

import os
import posixpath
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from awning.check.imports import default_export
from awning.diagnostics import Diagnostic, Place, did_you_mean
from awning.pipeline.read import SourceFile
from awning.workspace.model import Widget
from awning.workspace.widgets import TEMPLATE_ENDING

_GENERATED = "(generated)/"
_NO_DEFAULT = re.compile(r'No matching export in "(widgets/[^"]+)" for import "default"')
_UNRESOLVED = re.compile(r'Could not resolve "(\.[^"]*)"')
_FRAGMENT = 20
"""At most this many characters of a staged line are looked for in the author's line, to find the column there."""


def author_path(files: Container[str], path: str) -> str:
    """Return the path of the author's file for a file of the stage; `(generated)/...` if it is not an author's.

    In the source map of a compiled template, the paths of templates begin at the workspace's root. The bundler takes
    such a path as relative to the staged file: `widgets/a/widgets/a/view.html.j2`,
    `widgets/a/widgets/_shared/row.html.j2`.
    """
    if path.endswith(TEMPLATE_ENDING) and path not in files:
        ends = (path[match.start() + 1 :] for match in re.finditer("/widgets/", path))
        return next((end for end in ends if end in files), path)
    return path if path.startswith("widgets/") else _GENERATED + path


def in_author_line(diagnostic: Diagnostic, files: Mapping[str, SourceFile]) -> Diagnostic:
    """Return a style's diagnostic with the column and the text of the author's line.

    The staged line has the same number, but the rule of the scope may be added to it, or moved rules. All others are
    returned as they are, also when their place is in a package.
    """
    place = diagnostic.place
    if (
        place is None
        or diagnostic.excerpt is None
        or place.path not in files
        or not place.path.endswith(".css")
    ):
        return diagnostic
    lines = files[place.path].text.split("\n")
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    fragment = diagnostic.excerpt[place.column - 1 :][:_FRAGMENT].partition("}")[0].rstrip()
    column, number = line.find(fragment) + 1, place.line
    if fragment and not column:  # the scope moves at-rules such as `@font-face` behind the last rule
        number = next((at for at, each in enumerate(lines, 1) if fragment in each), place.line)
        line = lines[number - 1] if number <= len(lines) else ""
        column = line.find(fragment) + 1
    if not (fragment and column):
        column = len(line)  # the bundler's place is in what the scope adds, at the line's end
    return replace(diagnostic, place=replace(place, line=number, column=column), excerpt=line)


def in_workspace(diagnostic: Diagnostic, root: Path, stage: Path) -> Diagnostic:
    """Return a diagnostic with its path relative to the workspace, if it is in a package of the workspace.

    The bundler's path of such a file is relative to the stage: `../../../node_modules/...`.
    """
    place = diagnostic.place
    if place is None or not place.path.startswith("../"):
        return diagnostic
    top = os.path.realpath(root)
    file = os.path.normpath(os.path.join(os.path.realpath(stage), place.path))  # noqa: PTH118
    if not file.startswith(f"{top}/node_modules/"):
        return diagnostic
    return replace(diagnostic, place=replace(place, path=file.removeprefix(f"{top}/")))


def with_missing_exports(
    diagnostics: Iterable[Diagnostic], widgets: Iterable[Widget]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics, with each missing default export reported once, at the widget's script.

    The bundler reports a missing default export in each entry point that imports the script.
    """
    slots = {f"widgets/{widget.name}": widget.slots for widget in widgets}
    return tuple(dict.fromkeys(_missing_export(diagnostic, slots) for diagnostic in diagnostics))


def with_style_imports(
    diagnostics: Iterable[Diagnostic], reported: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics, with those of the check about scripts that import style sheets in place of the bundler's.

    The bundler reports such an import for each entry point that leads to it. The check has the place of the import, but
    does not see scripts of packages.
    """
    own = [item for item in reported if item.rule == "style-import" and not _is_in(item, ".css")]
    imports = own or [replace(item, place=None) for item in diagnostics if item.rule == "style-import"][:1]
    others = [item for item in diagnostics if item.rule != "style-import"]
    return (*others, *imports) if len(others) < len(tuple(diagnostics)) else tuple(others)


def with_near_files(diagnostic: Diagnostic, files: Mapping[str, SourceFile]) -> Diagnostic:
    """Return a diagnostic about an import that leads to no file with the name of a similar file in its hint."""
    place, named = diagnostic.place, _UNRESOLVED.match(diagnostic.message)
    if not place or not named:
        return diagnostic
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(place.path), posixpath.dirname(named[1])))
    beside = [path.rpartition("/")[2] for path in files if posixpath.dirname(path) == folder]
    near = did_you_mean(
        posixpath.basename(named[1]), [*beside, *(name.removesuffix(".ts") for name in beside)]
    )
    return replace(diagnostic, hint=near) if near else diagnostic


def _is_in(diagnostic: Diagnostic, ending: str) -> bool:
    return diagnostic.place is not None and diagnostic.place.path.endswith(ending)


def _missing_export(diagnostic: Diagnostic, slots: Mapping[str, Sequence[str]]) -> Diagnostic:
    missing = _NO_DEFAULT.match(diagnostic.message)
    if not missing or not diagnostic.place or not diagnostic.place.path.startswith(_GENERATED + "entries/"):
        return diagnostic
    return Diagnostic(
        rule="missing-export",
        message="the widget's script has no default export",
        place=Place(path=missing[1], line=1, column=1),
        hint=f"export the render function of its slot: {default_export(slots[posixpath.dirname(missing[1])])}",
    )
