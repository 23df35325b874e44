"""The app in the pseudo-language, for `awning dev --pseudo`: built apart, so that `dist/` stays what is shipped."""

from pathlib import Path
from tempfile import TemporaryDirectory

from awning.build_record import Place
from awning.errors import Faulty
from awning.pipeline import build_workspace
from awning.workspace import pseudo_workspace, read_workspace

Spot = tuple[str | None, Place]
"""A language (None: every one) and `head` or `body`."""


def pseudo_snippets(root: Path) -> dict[Spot, str]:
    """The app's snippets in that language; none while the workspace cannot be built."""
    with TemporaryDirectory(prefix="awning-") as folder:
        out = Path(folder) / "dist"
        try:
            record = build_workspace(pseudo_workspace(read_workspace(root)), out=out, dev=True)
        except Faulty:
            return {}
        return {
            (snippet.language, snippet.place): (out / snippet.path).read_text(encoding="utf-8")
            for snippet in record.snippets
            if snippet.unit == "app" and snippet.language is not None
        }
