"""The author's files, read once per build: bytes, hash, text."""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError
from awning.workspace import Workspace
from awning.workspace.encoding import encoding_fault

TEXT_ENDINGS = (".ts", ".js", ".mjs", ".mts", ".json", ".j2", ".css", ".toml", ".txt")
"""What is read as text. Everything else may be any bytes."""

NOT_BUILT = frozenset({"__pycache__", "node_modules"})

_NEVER = (".py", ".pyc", "~", ".tmp", ".swp", "___jb_tmp___", "___jb_old___")
"""Tests are no part of a build, nor is what editors put beside a file while they write it."""

_PASSING = re.compile(r"sed\w{6}|4913|#.*#")
"""The names that `sed -i`, Vim and Emacs give to such files."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`path` is relative to the workspace, with forward slashes."""

    path: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def text(self) -> str:
        """Only of a file that is UTF-8: see `encoding_faults`."""
        return self.content.decode("utf-8-sig").replace("\r\n", "\n")


def source_paths(root: Path) -> list[str]:
    """Every file of a workspace that a build may depend on, sorted: widgets/, manifest.toml, pyproject.toml."""
    found = [name for name in ("manifest.toml", "pyproject.toml") if (root / name).is_file()]
    for parent, folders, files in os.walk(root / "widgets", followlinks=True):
        folders[:] = [name for name in folders if _descends(f"{parent}/{name}", name)]
        here = Path(parent).relative_to(root).as_posix()
        found += [f"{here}/{name}" for name in files if _is_source(name)]
    return sorted(found)


def _is_source(name: str) -> bool:
    return name[0] != "." and not name.endswith(_NEVER) and not _PASSING.fullmatch(name)


def _descends(folder: str, name: str) -> bool:
    """A link that leads back to where it stands would never end."""
    if name in NOT_BUILT or name[0] == ".":
        return False
    return not Path(folder).is_symlink() or not Path(folder).absolute().is_relative_to(Path(folder).resolve())


def widget_files(workspace: Workspace) -> dict[str, SourceFile]:
    """The content of everything below widgets/, by path. A file that goes away meanwhile is as if it never was."""
    paths = [path for path in source_paths(workspace.root) if path.startswith("widgets/")]
    for path in paths:
        _refuse_unreadable_name(path)
    files = {path: file for path in paths if (file := _read(workspace.root, path))}
    for widget in workspace.widgets:
        if f"widgets/{widget.name}/{widget.script.name}" not in files:
            raise ConfigurationError(
                f"widgets/{widget.name}/{widget.script.name} went away while it was read"
            )
    return files


def _read(root: Path, path: str) -> SourceFile | None:
    try:
        return SourceFile(path, (root / path).read_bytes())
    except FileNotFoundError:
        return None


def _refuse_unreadable_name(path: str) -> None:
    try:
        path.encode()
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode(errors="replace")
        hint = "rename it, or run awning in a UTF-8 locale (PYTHONUTF8=1)"
        raise ConfigurationError(f"{shown}: a name that is not in the locale's encoding", hint=hint) from None


def encoding_faults(files: Iterable[SourceFile]) -> list[Diagnostic]:
    """Text that is not UTF-8: guessing would show shoppers the wrong letters."""
    found = (encoding_fault(file.content, file.path) for file in files if file.path.endswith(TEXT_ENDINGS))
    return [fault for fault in found if fault is not None]


def by_widget(files: Mapping[str, SourceFile]) -> dict[str, dict[str, SourceFile]]:
    """The files of each folder below widgets/, by the folder's name."""
    grouped: dict[str, dict[str, SourceFile]] = {}
    for path, file in files.items():
        grouped.setdefault(path.split("/")[1], {})[path] = file
    return grouped
