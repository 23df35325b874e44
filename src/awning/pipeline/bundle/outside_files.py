"""Checks the files outside of `widgets/` that a script or style imports.

Packages of the workspace's own node_modules are allowed. Anything else is refused.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awning.bundle import OutsideFile
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.read import SourceFile
from awning.workspace.offsets import line_and_column

_HINT = (
    "copy the file into the widget's folder or widgets/_shared and import it with a path from there; "
    "packages may come from the workspace's own node_modules"
)


def find_packages(outside: Iterable[OutsideFile], root: Path) -> frozenset[str]:
    """Return the paths of package files that the build depends on, relative to the workspace.

    These are the bundled files, and each package.json that decides which files are bundled: those in the folders around
    a bundled file, and those of packages that are imported by name. The package.json of a package changes with its
    version, even if the package is a link into a store (pnpm).
    """
    top = os.path.realpath(root)
    home = f"{top}/node_modules/"
    own = [file for file in outside if file.path.startswith(home)]
    leading = {
        path
        for file in own
        for path in (*_packages_around(file.path, home), *_packages_by_name(file, top))
        if os.path.isfile(path)  # noqa: PTH113 - thousands of them
    }
    return frozenset(path.removeprefix(f"{top}/") for path in {file.path for file in own} | leading)


def _packages_around(path: str, home: str) -> Iterator[str]:
    """Yield the path of a package.json in each folder around a file. Whether it exists is not checked."""
    folder = os.path.dirname(path)  # noqa: PTH120 - thousands of them
    while folder.startswith(home):
        yield f"{folder}/package.json"
        folder = os.path.dirname(folder)  # noqa: PTH120


def _packages_by_name(file: OutsideFile, top: str) -> Iterator[str]:
    """Yield the paths of package.json that an import by name may lead to.

    These paths are in each node_modules folder above the importing file, and in the workspace's node_modules.
    """
    if file.specifier.startswith((".", "/")):
        return
    name = "/".join(file.specifier.split("/")[: 2 if file.specifier.startswith("@") else 1])
    parts = os.path.normpath(file.importer).split("/")
    above = parts.index("node_modules") if "node_modules" in parts else len(parts)
    for length in range(above + 1, len(parts)):
        yield "/".join((top, *parts[above:length], "node_modules", name, "package.json"))
    yield f"{top}/node_modules/{name}/package.json"


def find_outside_faults(
    outside: Iterable[OutsideFile], root: Path, stage: Path, files: Mapping[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield a diagnostic, at the import, for each imported file that is neither a source nor in node_modules.

    The content of such a file would be in a snippet. Files that it imports are not reported.
    """
    allowed = f"{os.path.realpath(root)}/node_modules/"
    refused = {file: None for file in outside if not file.path.startswith(allowed)}
    paths = {file.path for file in refused}
    for file in refused:
        if os.path.normpath(stage / file.importer) not in paths:
            importer = files.get(file.importer)
            text = importer.text if importer else ""
            at = text.find(file.specifier)
            line, column = line_and_column(text, at) if at >= 0 else (0, 0)
            yield Diagnostic(
                rule="file-outside",
                message=f'"{file.specifier}" leads to {file.path}, which is not one of the sources in widgets/',
                place=Place(path=file.importer, line=line, column=column),
                hint=_HINT,
                excerpt=text.split("\n")[line - 1] if line else None,
            )
