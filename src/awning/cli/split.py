"""`awning add widget --split`: builds the app with each version of the widget elsewhere, and compares the pages."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from awning.cli.report import say
from awning.cli.verbs import joined_verbs
from awning.errors import ConfigurationError, Faulty
from awning.handwritten import BroughtWidget, HandwrittenSnippet, split
from awning.pipeline import build_workspace
from awning.workspace import Workspace, read_workspace

_MADE = frozenset({"dist", ".awning", ".git"})
"""Folders that a build makes or does not read."""

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
        versions = Versions(root, Path(folder).resolve(), name)
        try:
            expected = versions.build(widget.files)
        except Faulty as error:
            hint = "nothing was written; --split builds the whole app: mend this first, or leave --split out"
            raise Faulty(error.diagnostics, hint=hint) from error
        workspace = versions.read(widget.files)
        slots = next(each.slots for each in workspace.widgets if each.name == name)
        with comparer(say, workspace, slots) as compare:

            def differs(files: Mapping[str, str]) -> str | None:
                return versions.difference(files, expected, compare)

            return split(widget, body, differs, has_slot=bool(slots))


def _page_comparer() -> "PageComparer":
    """Return the harness's function that compares pages. Raises ConfigurationError when it is not installed."""
    comparers = (verb.load_page_comparer() for verb in joined_verbs().values())
    comparer = next((comparer for comparer in comparers if comparer is not None), None)
    if comparer is None:
        raise ConfigurationError(
            "--split needs the harness, which is not installed",
            hint="install the harness: pip install 'awning[harness]'; or leave --split out; nothing was written",
        )
    return comparer


class Versions:
    """The workspace with versions of one widget, each in a folder of its own."""

    def __init__(self, workspace: Path, folder: Path, name: str) -> None:
        self._workspace, self._folder, self._name = workspace, folder, name
        self._count = 0

    def read(self, files: Mapping[str, str]) -> Workspace:
        """Write a version of the widget beside copies of the others, and return the workspace."""
        self._count += 1
        root = self._folder / str(self._count)
        root.mkdir()
        for entry in self._workspace.iterdir():
            if entry.name == "widgets":
                shutil.copytree(entry, root / "widgets")
            elif entry.is_file():
                shutil.copy2(entry, root / entry.name)
            elif entry.name not in _MADE:
                (root / entry.name).symlink_to(entry)
        folder = root / "widgets" / self._name
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            (folder / path).write_text(text, encoding="utf-8", newline="")
        return read_workspace(root)

    def difference(
        self, files: Mapping[str, str], expected: Mapping[str, str], compare: "Compare"
    ) -> str | None:
        """Return how the pages with a version differ from those with the snippets in `expected`; None if not at all."""
        try:
            return compare(self.build(files), expected)
        except Faulty as error:
            return f"it would not build: {error.diagnostics[0].message}"

    def build(self, files: Mapping[str, str]) -> Mapping[str, str]:
        """Return the app's snippets with a version, by place. Raises Faulty when it does not build."""
        workspace = self.read(files)
        build_workspace(workspace)
        return {place: (workspace.dist / f"{place}.html").read_bytes().decode() for place in ("head", "body")}
