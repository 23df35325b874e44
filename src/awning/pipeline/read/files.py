"""The author's files as values: bytes, hash, text."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError, Faulty
from awning.workspace import Workspace
from awning.workspace.document import json_limit
from awning.workspace.sources import encoding_error, find_sources, read_source

TEXT_ENDINGS = (".ts", ".js", ".mjs", ".mts", ".json", ".j2", ".css", ".toml", ".txt")
"""Endings of the files that are read as text. Other files may contain any bytes."""


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
        """The content without byte order mark and carriage returns. Files with `text_faults` have no text."""
        return self.content.decode("utf-8-sig").replace("\r\n", "\n")


def read_widget_files(workspace: Workspace) -> dict[str, SourceFile]:
    """Every file below widgets/, by path. A file that is deleted during the call is left out.

    Raises Faulty for a file that cannot be read, ConfigurationError when the script of a widget has been deleted.
    """
    paths = [path for path in find_sources(workspace.root).paths if path.startswith("widgets/")]
    for path in paths:
        try:
            path.encode()
        except UnicodeEncodeError:
            readable = os.fsencode(path).decode(errors="replace")
            hint = "rename it, or run awning in a UTF-8 locale (PYTHONUTF8=1)"
            raise ConfigurationError(
                f"{readable}: a name that is not in the locale's encoding", hint=hint
            ) from None
    files = {path: file for path in paths if (file := _read(workspace.root, path))}
    for widget in workspace.widgets:
        if f"widgets/{widget.name}/{widget.script.name}" not in files:
            raise ConfigurationError(
                f"widgets/{widget.name}/{widget.script.name} was deleted while it was read"
            )
    return files


def _read(root: Path, path: str) -> SourceFile | None:
    try:
        content = read_source(root / path, path)
    except FileNotFoundError:
        return None
    if isinstance(content, Diagnostic):
        raise Faulty([content])
    return SourceFile(path, content)


def text_faults(files: Iterable[SourceFile]) -> list[Diagnostic]:
    """A diagnostic for each text that is not UTF-8, and for each JSON file that is nested too deeply.

    The encoding is not guessed, because a wrong guess would show shoppers wrong letters.
    """
    texts = [file for file in files if file.path.endswith(TEXT_ENDINGS)]
    faults = [fault for file in texts if (fault := encoding_error(file.content, file.path))]
    if faults:
        return faults
    documents = [file for file in texts if file.path.endswith(".json")]
    return [fault for file in documents if (fault := json_limit(file.text, file.path))]
