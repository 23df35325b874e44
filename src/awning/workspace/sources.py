"""Which files are a workspace's sources, and what keeps one of them from being read.

A source is a regular file below `widgets/`, or one of the two files at the root. It lies in the workspace: a link that
leads out of it is refused, because what it leads to would end in `dist/`. One exception is named: the folder of a
widget may be a link to a widget (a folder with a `widget.toml`) elsewhere; what is in it stays in it.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from awning.diagnostics import Diagnostic, Place

MEGABYTE = 1_000_000

LARGEST: Mapping[str, int] = MappingProxyType(
    {
        ".toml": 1 * MEGABYTE,
        ".json": 4 * MEGABYTE,
        ".j2": 4 * MEGABYTE,
        **dict.fromkeys((".ts", ".js", ".mts", ".mjs", ".css", ".txt"), 4 * MEGABYTE),
    }
)
"""Most bytes of a source, by the ending of its name."""

LARGEST_OTHER = 32 * MEGABYTE
"""Most bytes of any other file: pictures, fonts, what no build reads."""

MOST_LINKS = 2_000
"""Links to folders that are followed: links that lead to links double the paths with each."""

ROOT_FILES = ("manifest.toml", "pyproject.toml")
NOT_BUILT = frozenset({"__pycache__", "node_modules"})

_NEVER = (".py", ".pyc", "~", ".tmp", ".swp", "___jb_tmp___", "___jb_old___")
"""Tests are no part of a build, nor is what editors put beside a file while they write it."""

_PASSING = re.compile(r"sed\w{6}|4913|#.*#")
"""The names that `sed -i`, Vim and Emacs give to such files."""

_FILES_ONLY = ("widget.toml", "widget.ts", "style.css", "states.toml", "data.schema.json")
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""Without waiting: a named pipe that takes a file's place must not hold a build up."""


def largest(path: str) -> int:
    """Most bytes that a source of this name may have."""
    return LARGEST.get(path[path.rfind(".") :], LARGEST_OTHER)


def read_source(file: Path, path: str) -> bytes | Diagnostic:
    """The content of a source, or what keeps it from being read. Raises FileNotFoundError where there is none.

    Never reads more than the file may have, never waits for a pipe.
    """
    try:
        kind = os.stat(file).st_mode  # noqa: PTH116 - a device is not opened to see that it is one
        if not stat.S_ISREG(kind):
            return _no_file(path, kind)
        with os.fdopen(os.open(file, _OPEN), "rb") as opened:
            size = os.fstat(opened.fileno()).st_size
            content = b"" if size > largest(path) else opened.read(largest(path) + 1)
    except FileNotFoundError:
        if os.path.islink(file):  # noqa: PTH114 - as above
            return _dangling(file, path)
        raise
    except OSError as error:
        return _unreadable(path, error)
    return _too_large(path) if max(size, len(content)) > largest(path) else content


@dataclass(slots=True)
class Sources:
    """What `find_sources` found. `paths` are relative to the workspace, sorted; those with a fault are among them."""

    paths: list[str] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    links: int = 0
    """Links to folders that were followed."""


def find_sources(root: Path) -> Sources:
    """Every file of a workspace that a build may depend on. No file is opened."""
    found, root = Sources(), root.resolve()
    for name in ROOT_FILES:
        file = root / name
        if file.is_symlink():
            found.faults += _of_link(file, name, (root,))
        if file.exists() or file.is_symlink():
            found.paths.append(name)
    widgets = root / "widgets"
    if widgets.is_symlink() and not _inside(os.path.realpath(widgets), (root,)):
        found.faults.append(_outside("widgets", os.path.realpath(widgets)))
    elif widgets.is_dir():
        _walk(
            found,
            str(widgets),
            "widgets",
            _Around((root,), frozenset({str(root), os.path.realpath(widgets)})),
        )
    found.paths.sort()
    return found


@dataclass(frozen=True, slots=True)
class _Around:
    """What is around a folder. `homes` are the folders that a link may lead into.

    `folders` are those on the way to the folder, with links followed: a link back to one of them would never end.
    """

    homes: tuple[Path, ...]
    folders: frozenset[str]


def _walk(found: Sources, folder: str, shown: str, around: _Around) -> None:
    try:
        with os.scandir(folder) as listed:
            entries = list(listed)
    except OSError as error:
        found.faults.append(_unreadable(shown, error))
        return
    for entry in entries:
        name, path = entry.name, f"{shown}/{entry.name}"
        if name[0] == ".":
            continue
        if entry.is_symlink():
            _follow(found, entry, path, around)
        elif entry.is_dir():
            _folder(found, entry, path, around)
        elif _is_source(name):
            found.paths.append(path)
            if not entry.is_file():
                found.faults.append(_no_file(path, entry.stat().st_mode))


def _follow(found: Sources, entry: "os.DirEntry[str]", path: str, around: _Around) -> None:
    target, homes = os.path.realpath(entry.path), around.homes
    if os.path.isdir(target):  # noqa: PTH112 - thousands of them
        if path.count("/") == 1 and os.path.isfile(f"{target}/widget.toml"):  # noqa: PTH113 - thousands of them
            homes = (*homes, Path(target))
        elif not _inside(target, homes) and entry.name not in NOT_BUILT:
            found.faults.append(_outside(path, target))
            return
        if target not in around.folders and _may_follow(found, path):
            _folder(found, entry, path, _Around(homes, around.folders))
    elif _is_source(entry.name):
        found.paths.append(path)
        found.faults += _of_link(Path(entry.path), path, homes)


def _may_follow(found: Sources, path: str) -> bool:
    found.links += 1
    if found.links == MOST_LINKS + 1:
        message = f"over {MOST_LINKS} links to folders lead here and further"
        hint = "copy what they lead to, or remove them"
        found.faults.append(
            Diagnostic(rule="source-limit", message=message, place=Place(path=path), hint=hint)
        )
    return found.links <= MOST_LINKS


def _folder(found: Sources, entry: "os.DirEntry[str]", path: str, around: _Around) -> None:
    if entry.name in NOT_BUILT:
        return
    if entry.name.endswith(".html.j2") or (path.count("/") == 2 and entry.name in _FILES_ONLY):  # noqa: PLR2004
        found.paths.append(path)
        found.faults.append(_no_file(path, stat.S_IFDIR))
        return
    folders = around.folders | {os.path.realpath(entry.path)}
    _walk(found, entry.path, path, _Around(around.homes, folders))


def _is_source(name: str) -> bool:
    return not name.endswith(_NEVER) and not _PASSING.fullmatch(name)


def _of_link(link: Path, path: str, homes: tuple[Path, ...]) -> Iterator[Diagnostic]:
    """What is wrong with a link in the place of a file."""
    target = os.path.realpath(link)
    if not _inside(target, homes):
        yield _outside(path, target)
    elif not link.exists():
        yield _dangling(link, path)
    elif not link.is_file():
        yield _no_file(path, link.stat().st_mode)


def _inside(target: str, homes: tuple[Path, ...]) -> bool:
    return any(Path(target).is_relative_to(home) for home in homes)


def _outside(path: str, target: str) -> Diagnostic:
    return Diagnostic(
        rule="file-outside",
        message=f"a link to {target}, which is outside of the workspace",
        place=Place(path=path),
        hint="copy what it leads to into the workspace; only the folder of a widget may be a link to elsewhere",
    )


def _dangling(link: Path, path: str) -> Diagnostic:
    try:
        target = os.readlink(link)  # noqa: PTH115 - as it is written
    except OSError:
        target = "a file"
    return Diagnostic(
        rule="file-missing",
        message=f"a link to {target}, which is not there",
        place=Place(path=path),
        hint="remove the link, or bring back what it leads to",
    )


def _no_file(path: str, mode: int) -> Diagnostic:
    kind = next((words for holds, words in _KINDS if holds(mode)), "no regular file")
    return Diagnostic(
        rule="file-unreadable",
        message=f"{kind}, and a file is needed here",
        place=Place(path=path),
        hint="remove it, or give it another name"
        if kind == "a folder"
        else "remove it: builds read files only",
    )


def _unreadable(path: str, error: OSError) -> Diagnostic:
    return Diagnostic(
        rule="file-unreadable",
        message=f"cannot be read: {error.strerror or error}",
        place=Place(path=path),
        hint="see who may read it (ls -l)",
    )


def _too_large(path: str) -> Diagnostic:
    return Diagnostic(
        rule="source-limit",
        message=f"larger than {largest(path) // MEGABYTE} MB, the most that is read of such a file",
        place=Place(path=path, line=1, column=1),
        hint="make it smaller, or move what no build needs out of widgets/",
    )
