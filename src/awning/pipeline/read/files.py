"""The author's files as values: bytes, hash, text. They stay in memory between builds, so only changed ones are read.

A file is read again when its size, modification time or inode differs, or when its modification time is so recent that
it may have changed again without a new time. An unchanged file is the same object as before. Later phases rely on this.
"""

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError, Faulty
from awning.pipeline.cache.shared_files import TICK_NS, file_stats
from awning.script.file import ScriptFile
from awning.workspace.document import json_limit
from awning.workspace.sources import Sources, encoding_error, find_sources, read_source
from awning.workspace.widgets import KnownWidgets

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


_READ_FOR_WIDGETS = (".toml", ".json")
"""The endings of the files whose content is in `Widget`. For other files, `Widget` depends only on their existence."""

Stamp = tuple[int, ...]


@dataclass(slots=True)
class KnownSources:
    """The files of the workspace at `root` as they were at the last `look` or `look_at`."""

    root: Path
    listed: Sources = field(default_factory=Sources)
    widgets: KnownWidgets = field(default_factory=KnownWidgets)
    unsaved: Mapping[str, bytes] = field(default_factory=dict)
    """What an editor shows in place of files, by path. It takes effect at the next `look`."""
    _stamps: dict[str, Stamp] = field(default_factory=dict)
    _folders: dict[str, list[str]] = field(default_factory=dict)
    """The paths of all files below each folder directly in widgets/, by the folder's name."""
    _files: dict[str, tuple[Stamp, SourceFile]] = field(default_factory=dict)
    _scripts: dict[str, tuple[SourceFile, ScriptFile]] = field(default_factory=dict)

    def look(self) -> set[str]:
        """List the files, and return the paths that are new, gone, or may have changed. No file is opened."""
        before = self._stamps
        self.listed = find_sources(self.root)
        self.listed.unsaved = self.unsaved
        self._stamps = {path: self._stamp_of(path) for path in self.listed.inputs}
        self._folders = {}
        for path in self.listed.paths:
            if path.startswith("widgets/"):
                self._folders.setdefault(path.split("/", 2)[1], []).append(path)
        for known in (self._files, self._scripts):
            for path in known.keys() - self._stamps.keys():
                del known[path]
        self._stamp_widgets(self._folders)
        return {
            path for path in before.keys() | self._stamps.keys() if before.get(path) != self._stamps.get(path)
        }

    def look_at(self, paths: Iterable[str]) -> None:
        """Look for changes of these files, which a `look` has listed before."""
        folders = set()
        for path in paths:
            self._stamps[path] = self._stamp_of(path)
            folders.add(path.split("/", 2)[1])
        self._stamp_widgets(folders)

    def are_as_read(self, files: Mapping[str, SourceFile]) -> bool:
        """Return whether these are the files that were read last, with the size and modification time of then.

        A file in whose place an editor shows a text was read from that text, which does not change.
        """
        for path, stat in file_stats(self.root, files.keys() - self.listed.unsaved.keys()).items():
            stamp, file = self._files.get(path, ((), None))
            if file is not files[path] or stamp[:2] != stat:
                return False
        return True

    def stats(self) -> dict[str, tuple[int, int]]:
        """Return the size (bytes) and modification time (ns) of each file, by path."""
        return {path: (stamp[0], stamp[1]) for path, stamp in self._stamps.items()}

    def is_known(self, path: str) -> bool:
        """Return whether there was a source at `path` at the last `look` or `look_at`."""
        return path in self._stamps

    def has_below(self, folder: str) -> bool:
        """Return whether a source was below `folder` at the last `look`."""
        return any(path.startswith(f"{folder}/") for path in self._stamps)

    def paths_in(self, folders: Iterable[str]) -> list[str]:
        """Return the sorted paths of all files below these folders. `folders` are names of folders in widgets/."""
        return sorted(path for folder in folders for path in self._folders.get(folder, ()))

    def folder_names(self) -> Iterable[str]:
        return self._folders

    def files(self, paths: Iterable[str]) -> dict[str, SourceFile]:
        """Return the files at listed paths, by path. A file that is gone is left out.

        Raises Faulty for a file that cannot be read. Raises ConfigurationError for a file name that is not in the
        locale's encoding.
        """
        files = {}
        for path in paths:
            try:
                path.encode()
            except UnicodeEncodeError:
                readable = os.fsencode(path).decode(errors="replace")
                hint = "rename it, or run awning in a UTF-8 locale (PYTHONUTF8=1)"
                raise ConfigurationError(
                    f"{readable}: a name that is not in the locale's encoding", hint=hint
                ) from None
            if file := self.file(path):
                files[path] = file
        return files

    def file(self, path: str) -> SourceFile | None:
        """Return the file at a listed path; None if it is gone. Raises Faulty when it cannot be read."""
        stamp = self._stamps[path]
        known = self._files.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            content = read_source(self.root / path, path, self.listed.unsaved)
        except FileNotFoundError:
            return None
        if isinstance(content, Diagnostic):
            raise Faulty([content])
        file = known[1] if known is not None and known[1].content == content else SourceFile(path, content)
        self._files[path] = (stamp, file)
        return file

    def script(self, file: SourceFile, dialect: Dialect, *, head: bool) -> ScriptFile:
        """Return the file as a script. An unchanged file gives the same object, so its facts are read only once."""
        known = self._scripts.get(file.path)
        if known is not None and known[0] is file and known[1].dialect == dialect and known[1].head == head:
            return known[1]
        script = ScriptFile(path=file.path, text=file.text, dialect=dialect, head=head)
        self._scripts[file.path] = (file, script)
        return script

    def _stamp_of(self, path: str) -> Stamp:
        if (text := self.listed.unsaved.get(path)) is not None:
            return (len(text), hash(text))
        try:
            stat = os.stat(f"{self.root}/{path}")  # noqa: PTH116 - thousands of them: pathlib takes twice the time
        except OSError:
            return (-1, time.monotonic_ns())
        if stat.st_mtime_ns > time.time_ns() - TICK_NS:
            return (stat.st_size, stat.st_mtime_ns, time.monotonic_ns())
        return (stat.st_size, stat.st_mtime_ns, stat.st_ino)

    def _stamp_widgets(self, folders: Iterable[str]) -> None:
        stamps = self.widgets.stamps
        for gone in stamps.keys() - self._folders.keys():
            del stamps[gone]
        for folder in folders:
            stamps[folder] = tuple(
                (path, self._stamps[path] if path.endswith(_READ_FOR_WIDGETS) else None)
                for path in self._folders.get(folder, ())
            )
