"""The author's files as values: bytes, hash, text."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from awning.diagnostics import Diagnostic
from awning.workspace.document import json_limit
from awning.workspace.sources import encoding_error

TEXT_ENDINGS = (
    ".ts",
    ".js",
    ".mjs",
    ".mts",
    ".json",
    ".j2",
    ".css",
    ".toml",
    ".txt",
    "/body.html",
    "/head.html",
)
"""Endings of the files that are read as text. Other files may contain any bytes."""


@dataclass(frozen=True)
class SourceFile:
    """A file of the author. `path` is relative to the workspace, with forward slashes."""

    path: str
    content: bytes

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def text(self) -> str:
        """The content as text, without a byte order mark, and with LF for each CR LF.

        Raises UnicodeDecodeError when the content is not UTF-8: look at `encoding_fault` first.
        """
        return self.content.decode("utf-8-sig").replace("\r\n", "\n")

    @property
    def verbatim(self) -> str:
        """The content as text, with its line ends as they are. Raises UnicodeDecodeError as `text` does."""
        return self.content.decode("utf-8-sig")

    @cached_property
    def encoding_fault(self) -> Diagnostic | None:
        """A diagnostic when the content is not UTF-8; else None."""
        return encoding_error(self.content, self.path)

    @cached_property
    def depth_fault(self) -> Diagnostic | None:
        """A diagnostic for a JSON file that is nested too deeply; None for any other file."""
        return json_limit(self.text, self.path) if self.path.endswith(".json") else None


def text_faults(files: Iterable[SourceFile]) -> list[Diagnostic]:
    """Return a diagnostic for each text that is not UTF-8.

    If all texts are UTF-8, return a diagnostic for each JSON file that is nested too deeply.

    The encoding is not guessed, because a wrong guess would show shoppers wrong letters.
    """
    texts = [file for file in files if file.path.endswith(TEXT_ENDINGS)]
    faults = [fault for file in texts if (fault := file.encoding_fault)]
    return faults or [fault for file in texts if (fault := file.depth_fault)]
