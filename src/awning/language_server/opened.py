"""The documents that an editor shows: in which workspace each is, by which path, and with which text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pygls.uris import to_fs_path, urlparse

from awning.check.files import ENDINGS, NOT_CHECKED
from awning.pipeline.targets import path_in_workspace, workspace_around


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDocument:
    """A document of an editor. `root` is the workspace around it; None outside of all workspaces.

    `path` is relative to the workspace, with forward slashes, or else the whole path.
    """

    uri: str
    file: Path
    root: Path | None
    path: str
    text: str

    @property
    def is_script(self) -> bool:
        """Whether the rules for scripts can be asked about the document: `awning check FILE` would accept it."""
        return self.path.endswith(ENDINGS) and NOT_CHECKED.isdisjoint(self.path.split("/"))

    @property
    def widget(self) -> str | None:
        """The name of the widget in whose folder the document is; None in a shared folder and elsewhere."""
        parts = self.path.split("/") if self.root else []
        is_below = len(parts) > 2 and parts[0] == "widgets"  # noqa: PLR2004 - widgets/, the folder, a file
        return parts[1] if is_below and not parts[1].startswith("_") else None

    @classmethod
    def read(cls, uri: str, text: str) -> "OpenDocument | None":
        """Return the document at an address; None when it is no file, such as one that was never saved."""
        name = to_fs_path(uri) if urlparse(uri)[0] == "file" else None
        if not name:
            return None
        file = Path(name)
        root = workspace_around(file)
        path = path_in_workspace(file, root) if root else file
        return cls(uri=uri, file=file, root=root, path=path.as_posix(), text=text)


def unsaved_texts(documents: Iterable[OpenDocument], root: Path) -> Mapping[str, bytes]:
    """Return what the editor shows in place of the files of a workspace, by path."""
    return {
        document.path: document.text.encode("utf-8", "surrogatepass")
        for document in documents
        if document.root == root
    }
