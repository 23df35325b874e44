"""`awning add widget --split`: builds the app with each version of the widget elsewhere, and compares the pages."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from awning.cli.report import say
from awning.cli.verbs import find_part
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.phases import build_workspace
from awning.workspace.handwritten.split import split
from awning.workspace.handwritten.widget import BroughtWidget, HandwrittenSnippet
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.sources import PACKAGES_FOLDER, find_sources, read_source

if TYPE_CHECKING:
    from awning.cli.verbs import Compare, PageComparer


def split_widget(
    root: Path, name: str, widget: BroughtWidget, snippets: Sequence[HandwrittenSnippet]
) -> BroughtWidget:
    """Return the widget with parts of its body snippet in files of their own. Nothing is written in the workspace.

    Raises ConfigurationError when pages cannot be compared: the harness or a browser is missing. Raises Faulty when the
    app does not build with the widget as it is.
    """
    comparer = _page_comparer()
    body = next(snippet for snippet in snippets if snippet.place == "body")
    with tempfile.TemporaryDirectory(prefix="awning-split-") as folder:
        try:
            versions = Versions(root, Path(folder).resolve(), name)
            first = versions.build(widget.files)
        except Faulty as error:
            hint = "nothing was written; --split builds the whole app: mend this first, or leave --split out"
            raise Faulty(error.diagnostics, hint=hint) from error
        slots = next(each.slots for each in first.workspace.widgets if each.name == name)
        with comparer(say, first.workspace, slots) as compare:

            def differs(files: Mapping[str, str]) -> str | None:
                return versions.difference(files, first.html, compare)

            return split(widget, body, differs, has_slot=bool(slots))


def _page_comparer() -> "PageComparer":
    """Return the harness's function that compares pages. Raises ConfigurationError when it is not installed."""
    otherwise = "; or leave --split out; nothing was written"
    comparer: PageComparer = find_part("page_comparer", "--split", otherwise)
    return comparer


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltVersion:
    """The workspace with a version of the widget, and the app's snippets by place."""

    workspace: Workspace
    html: Mapping[str, str]


class Versions:
    """A copy of the workspace, in which versions of one widget are built one after the other.

    Raises Faulty when a source cannot be read.
    """

    def __init__(self, workspace: Path, copy: Path, name: str) -> None:
        self._copy, self._folder = copy, copy / "widgets" / name
        self._built: dict[frozenset[tuple[str, str]], BuiltVersion] = {}
        _copy_what_builds_read(workspace, copy)

    def difference(
        self, files: Mapping[str, str], expected: Mapping[str, str], compare: "Compare"
    ) -> str | None:
        """Return how the pages with a version differ from those with the snippets in `expected`; None if not at all."""
        try:
            return compare(self.build(files).html, expected)
        except Faulty as error:
            return f"it would not build: {error.diagnostics[0].message}"

    def build(self, files: Mapping[str, str]) -> BuiltVersion:
        """Build the app with a version of the widget, once. Raises Faulty when it does not build."""
        key = frozenset(files.items())
        if key not in self._built:
            self._built[key] = self._build(files)
        return self._built[key]

    def _build(self, files: Mapping[str, str]) -> BuiltVersion:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        for path, text in files.items():
            (self._folder / path).write_text(text, encoding="utf-8", newline="")
        workspace = read_workspace(self._copy)
        build_workspace(workspace)
        html = {place: (workspace.dist / f"{place}.html").read_bytes().decode() for place in ("head", "body")}
        return BuiltVersion(workspace=workspace, html=html)


def _copy_what_builds_read(workspace: Path, copy: Path) -> None:
    """Copy the sources, the other files at the root and the packages. A build refuses links that lead out of its root.

    Raises Faulty when a source cannot be read.
    """
    for entry in workspace.iterdir():
        if entry.is_file():
            shutil.copy2(entry, copy / entry.name)
    sources = find_sources(workspace)
    contents = {path: read_source(workspace / path, path) for path in sources.paths}
    unread = [content for content in contents.values() if isinstance(content, Diagnostic)]
    if sources.diagnostics or unread:
        raise Faulty((*sources.diagnostics, *unread))
    for path, content in contents.items():
        if isinstance(content, bytes):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(content)
    if (workspace / PACKAGES_FOLDER).is_dir():
        shutil.copytree(workspace / PACKAGES_FOLDER, copy / PACKAGES_FOLDER, symlinks=True)
