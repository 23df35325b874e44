"""`awning add widget --split`: builds each version of the widget in a temporary folder, and compares the pages."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from awning.cli.report import say
from awning.cli.verbs import joined_verbs
from awning.errors import ConfigurationError, Faulty
from awning.handwritten import BroughtWidget, HandwrittenSnippet, split
from awning.pipeline import build_workspace
from awning.workspace import Workspace, read_workspace
from awning.workspace.document import Findings
from awning.workspace.widgets import read_widget

if TYPE_CHECKING:
    from awning.cli.verbs import Compare, PageComparer


def split_widget(
    root: Path, name: str, widget: BroughtWidget, snippets: Sequence[HandwrittenSnippet]
) -> BroughtWidget:
    """Return the widget with parts of its body snippet in files of their own. Nothing is written in the workspace.

    Raises ConfigurationError when pages cannot be compared: the harness or a browser is missing. Raises Faulty when the
    workspace has errors.
    """
    comparer = _page_comparer()
    workspace = read_workspace(root)
    expected = {snippet.place: snippet.html for snippet in snippets}
    body = next(snippet for snippet in snippets if snippet.place == "body")
    with tempfile.TemporaryDirectory(prefix="awning-split-") as folder:
        versions = Versions(workspace, Path(folder).resolve(), name)
        slots = versions.read(widget.files).widgets[0].slots
        with comparer(say, workspace, slots) as compare:
            return split(widget, body, lambda files: versions.difference(files, expected, compare))


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
    """The workspace with only the new widget, in a temporary folder."""

    def __init__(self, workspace: Workspace, root: Path, name: str) -> None:
        self._workspace, self._root, self._name = workspace, root, name
        self._count = 0

    def read(self, files: Mapping[str, str]) -> Workspace:
        """Write a version of the widget, and return the workspace with it. Raises Faulty when it has errors."""
        self._count += 1
        root = self._root / str(self._count)
        folder = root / "widgets" / self._name
        folder.mkdir(parents=True)
        for path, text in files.items():
            (folder / path).write_text(text, encoding="utf-8", newline="")
        findings = Findings()
        widget = read_widget(folder, self._workspace.languages, findings)
        if widget is None or findings.diagnostics:
            raise Faulty(tuple(findings.diagnostics))
        return replace(self._workspace, root=root, widgets=(widget,), baseline=None, diagnostics=())

    def difference(
        self, files: Mapping[str, str], expected: Mapping[str, str], compare: "Compare"
    ) -> str | None:
        """Return how the page of a version differs from that of the snippets in `expected`; None if it does not."""
        try:
            return compare(self.build(files), expected)
        except Faulty as error:
            return f"it would not build: {error.diagnostics[0].message}"

    def build(self, files: Mapping[str, str]) -> Mapping[str, str]:
        """Return the snippets of a version by place. Raises Faulty when it does not build."""
        workspace = self.read(files)
        build_workspace(workspace)
        names = ("head", "body")
        return {place: (workspace.dist / f"{place}.html").read_bytes().decode() for place in names}
