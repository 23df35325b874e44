"""What a script or style brings in from elsewhere: packages of the workspace's node_modules may be, nothing else."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awning.bundle import Foreign
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.files import SourceFile
from awning.workspace.offsets import line_and_column

_HINT = (
    "copy the file into the widget's folder or widgets/_shared and import it with a path from there; "
    "packages may come from the workspace's own node_modules"
)


def packages(foreign: Iterable[Foreign], root: Path) -> frozenset[str]:
    """The files of the workspace's packages, relative to it, with what led to them.

    That is each package.json around them, and the one that an import finds by the package's name: it is another one
    when the package is another version, also where its folder is a link into a store (pnpm).
    """
    top = os.path.realpath(root)
    home = f"{top}/node_modules/"
    own = [one for one in foreign if one.path.startswith(home)]
    leading = {
        file
        for one in own
        for file in (*_around(one.path, home), *_named(one, top))
        if os.path.isfile(file)  # noqa: PTH113 - thousands of them
    }
    return frozenset(file.removeprefix(f"{top}/") for file in {one.path for one in own} | leading)


def _around(path: str, home: str) -> Iterator[str]:
    """Where a package.json may be that says what `path` is."""
    folder = os.path.dirname(path)  # noqa: PTH120 - thousands of them
    while folder.startswith(home):
        yield f"{folder}/package.json"
        folder = os.path.dirname(folder)  # noqa: PTH120


def _named(one: Foreign, top: str) -> Iterator[str]:
    """Where an import by name may find its package: in a node_modules above the importer, or in the workspace's."""
    if one.specifier.startswith((".", "/")):
        return
    name = "/".join(one.specifier.split("/")[: 2 if one.specifier.startswith("@") else 1])
    parts = os.path.normpath(one.importer).split("/")
    above = parts.index("node_modules") if "node_modules" in parts else len(parts)
    for length in range(above + 1, len(parts)):
        yield "/".join((top, *parts[above:length], "node_modules", name, "package.json"))
    yield f"{top}/node_modules/{name}/package.json"


def foreign_faults(
    foreign: Iterable[Foreign], root: Path, stage: Path, files: Mapping[str, SourceFile]
) -> Iterator[Diagnostic]:
    """A file from outside of the workspace, where it is imported: its content would end in a snippet.

    What such a file imports in turn is not told of.
    """
    allowed = f"{os.path.realpath(root)}/node_modules/"
    refused = {one: None for one in foreign if not one.path.startswith(allowed)}
    paths = {one.path for one in refused}
    for one in refused:
        if os.path.normpath(stage / one.importer) not in paths:
            yield _fault(one, files.get(one.importer))


def _fault(one: Foreign, importer: SourceFile | None) -> Diagnostic:
    text = importer.text if importer else ""
    at = text.find(one.specifier)
    line, column = line_and_column(text, at) if at >= 0 else (0, 0)
    return Diagnostic(
        rule="file-outside",
        message=f'"{one.specifier}" leads to {one.path}, which is not one of the sources in widgets/',
        place=Place(path=one.importer, line=line, column=column),
        hint=_HINT,
        excerpt=text.split("\n")[line - 1] if line else None,
    )
