"""Lists and reads a workspace's source files, and reports unreadable ones.

A source is a regular file below `widgets/`, a TOML file in `storefront/`, or one of three files at the root. Python,
hidden and temporary files are not sources, nor are the folders `node_modules` and `__pycache__` and a widget's folder
`snapshots`, into which its tests write. A link that leads out
of the workspace is refused, because its target would be copied into `dist/`. There are two exceptions: tsconfig.json,
and the folder of a widget, which may be a link to a widget elsewhere (a folder with a `widget.toml`). Links inside of
such a folder must lead into it or into the workspace. A link in `.awning` is refused, too: a build would write there.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from awning.diagnostics import Diagnostic, Place

MEGABYTE = 1_000_000

LARGEST: Mapping[str, int] = MappingProxyType(
    {
        ".toml": 1 * MEGABYTE,
        ".json": 4 * MEGABYTE,
        ".j2": 4 * MEGABYTE,
        **dict.fromkeys((".ts", ".js", ".mts", ".mjs", ".css", ".txt", ".html"), 4 * MEGABYTE),
    }
)
"""The most bytes of a source file, by the ending of its name."""

LARGEST_OTHER = 32 * MEGABYTE
"""The most bytes of any other file, such as pictures and fonts."""

MOST_LINKS = 2_000
"""The most links to folders that are followed, because each link to a folder of links can double the number of paths.
"""

TSCONFIG = "tsconfig.json"
ROOT_FILES = ("manifest.toml", "pyproject.toml", TSCONFIG)
STORE_FOLDER = "storefront"
"""The folder with the files of the simulated shop's store."""

OWN_FOLDERS = (".awning", ".awning/cache", ".awning/types", ".awning/types/widgets")
"""Folders in which a build writes. No link in them may lead out of the workspace."""

STATE_FOLDER = ".awning/state"

TESTS_FOLDER = "tests"
"""The folder with the workspace's own tests."""

PACKAGES_FOLDER = "node_modules"
NOT_BUILT = frozenset({"__pycache__", PACKAGES_FOLDER})
_SNAPSHOTS = re.compile(r"widgets/[^/]+/snapshots(/|\Z)")
"""Matches the path of the folder that `awning test --update-snapshots` writes, and of all in it."""

_IGNORED_ENDINGS = (".py", ".pyc", "~", ".tmp", ".swp", "___jb_tmp___", "___jb_old___")
"""Endings of the names of Python files, such as tests, and of temporary files that editors write."""

_TEMPORARY = re.compile(r"sed\w{6}|4913|#.*#")
"""Matches the names of temporary files of `sed -i`, Vim and Emacs."""

_TEST = re.compile(r"(?:test_.*|.*_test|conftest)\.py")
"""Matches the names of the files that pytest reads by default."""

_FILES_ONLY = (
    *("widget.toml", "widget.ts", "style.css", "states.toml", "data.schema.json"),
    *("data.migrate.ts", "head.html", "body.html"),
)
_FILE_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
"""The flags for opening a source. With O_NONBLOCK a build does not wait for a named pipe in place of a file."""


def size_limit(path: str) -> int:
    """Return the most bytes that a source with this name may have."""
    return LARGEST.get(path[path.rfind(".") :], LARGEST_OTHER)


_NONE: Mapping[str, bytes] = MappingProxyType({})


def read_source(file: Path, path: str, unsaved: Mapping[str, bytes] = _NONE) -> bytes | Diagnostic:
    """Return the content of a source, or a diagnostic that explains why it cannot be read.

    `unsaved` has what an editor shows in place of files, by path. The function reads at most the allowed number of
    bytes, and does not wait for a pipe. Raises FileNotFoundError when the file is missing.
    """
    if (text := unsaved.get(path)) is not None:
        return _too_large(path) if len(text) > size_limit(path) else text
    try:
        kind = os.stat(file).st_mode  # noqa: PTH116 - before opening: opening a device may have effects
        if not stat.S_ISREG(kind):
            return _no_file(path, kind)
        with os.fdopen(os.open(file, _OPEN), "rb") as opened:
            size = os.fstat(opened.fileno()).st_size
            content = b"" if size > size_limit(path) else opened.read(size_limit(path) + 1)
    except FileNotFoundError:
        if os.path.islink(file):  # noqa: PTH114 - `os` throughout this function
            return _dangling(file, path)
        raise
    except OSError as error:
        return _unreadable(path, error)
    return _too_large(path) if max(size, len(content)) > size_limit(path) else content


def encoding_error(content: bytes, path: str) -> Diagnostic | None:
    """Return a diagnostic for the first byte of a text file that is not UTF-8; None when the text is UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        begin = max(content.rfind(b"\n", 0, at), content.rfind(b"\r", 0, at)) + 1
        line = content[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
        before = content[begin:at].decode("utf-8").removeprefix("\ufeff")
        return Diagnostic(
            rule="file-encoding",
            message=f"not UTF-8 (byte 0x{content[at]:02x})",
            place=Place(path=path, line=line, column=len(before) + 1),
            hint="save it as UTF-8",
            excerpt=before + content[at:].splitlines()[0].decode("utf-8", "replace"),
        )
    return None


@dataclass(slots=True)
class Sources:
    """The source files of a workspace. `paths` are sorted, and relative to its root.

    They include files that have a diagnostic.
    """

    paths: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    """The sorted paths of the Python files that pytest reads. They are not sources."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unsaved: Mapping[str, bytes] = field(default_factory=dict)
    """What an editor shows in place of files that exist, by path."""
    links: int = 0
    """How many links to folders were followed."""

    @property
    def inputs(self) -> list[str]:
        """The paths of all files that a build or its diagnostics depend on."""
        return self.paths + self.tests


def find_sources(root: Path) -> Sources:
    """Return the sources of a workspace. No file is opened."""
    sources, root = Sources(), root.resolve()
    for name in ROOT_FILES:
        file = root / name
        if file.is_symlink() and name != TSCONFIG:  # dist/ gets no copy of tsconfig.json
            sources.diagnostics += _check_link(file, name, (root,))
        if file.exists() or file.is_symlink():
            sources.paths.append(name)
    _list_store(sources, root)
    sources.diagnostics += _links_of_own_folders(root)
    widgets = root / "widgets"
    if widgets.is_symlink() and not _inside(os.path.realpath(widgets), (root,)):
        sources.diagnostics.append(_outside("widgets", os.path.realpath(widgets)))
    elif widgets.is_dir():
        parents = frozenset({str(root), os.path.realpath(widgets)})
        _list_folder(sources, str(widgets), "widgets", _FolderContext((root,), parents))
    _list_tests(sources, root / TESTS_FOLDER)
    sources.paths.sort()
    sources.tests.sort()
    return sources


def _links_of_own_folders(root: Path) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each link in the folders where a build writes, if it leads out of the workspace.

    A build would write, and delete files, where the link leads. `.awning/state` is the user's, and may be a link.
    """
    own = [root / OWN_FOLDERS[0]]
    for folder in map(root.joinpath, OWN_FOLDERS):
        if os.path.realpath(folder) == str(folder) and folder.is_dir():  # else a link above it is reported
            own += sorted(folder.iterdir())
    for entry in own:
        target, path = os.path.realpath(entry), entry.relative_to(root).as_posix()
        if entry.is_symlink() and path != STATE_FOLDER and not _inside(target, (root,)):
            hint = "remove the link; a build makes the file or folder again"
            yield replace(_outside(path, target), hint=hint)


def _list_tests(sources: Sources, folder: Path) -> None:
    """Add the files that pytest reads in the workspace's folder of tests. Links are not followed."""
    for parent, folders, names in os.walk(folder) if not folder.is_symlink() else ():
        folders[:] = [name for name in folders if name[0] != "." and name not in NOT_BUILT]
        inside = os.path.relpath(parent, folder.parent).replace(os.sep, "/")
        sources.tests += [
            f"{inside}/{name}" for name in names if is_test(name) and _is_own_file(f"{parent}/{name}")
        ]


def _is_own_file(file: str) -> bool:
    return os.path.isfile(file) and not os.path.islink(file)  # noqa: PTH113, PTH114 - hundreds of them


def _list_store(sources: Sources, root: Path) -> None:
    """Add the TOML files of storefront/, but not those in folders inside it."""
    folder = root / STORE_FOLDER
    if folder.is_symlink() and not _inside(os.path.realpath(folder), (root,)):
        sources.diagnostics.append(_outside(STORE_FOLDER, os.path.realpath(folder)))
    elif folder.is_dir():
        for file in sorted(folder.glob("*.toml")):
            path = f"{STORE_FOLDER}/{file.name}"
            if file.name[0] != "." and is_source(file.name):
                sources.paths.append(path)
                sources.diagnostics += _check_link(file, path, (root,)) if file.is_symlink() else ()


@dataclass(frozen=True, slots=True)
class _FolderContext:
    """The context of a folder. `homes` are the folders into which links in this folder may lead.

    `parents` are the enclosing folders, with links resolved. A link to one of them is not followed, because the
    listing would never end.
    """

    homes: tuple[Path, ...]
    parents: frozenset[str]


def _list_folder(sources: Sources, folder: str, path: str, context: _FolderContext) -> None:
    try:
        with os.scandir(folder) as iterator:
            entries = list(iterator)
    except OSError as error:
        sources.diagnostics.append(_unreadable(path, error))
        return
    for entry in entries:
        name, entry_path = entry.name, f"{path}/{entry.name}"
        if name[0] == ".":
            continue
        if entry.is_symlink():
            _follow_link(sources, entry, entry_path, context)
        elif entry.is_dir():
            _add_folder(sources, entry, entry_path, context)
        elif is_source(name):
            sources.paths.append(entry_path)
            if not entry.is_file():
                sources.diagnostics.append(_no_file(entry_path, entry.stat().st_mode))
        elif is_test(name) and entry.is_file():
            sources.tests.append(entry_path)


def _follow_link(sources: Sources, entry: "os.DirEntry[str]", path: str, context: _FolderContext) -> None:
    target, homes = os.path.realpath(entry.path), context.homes
    if os.path.isdir(target):  # noqa: PTH112 - thousands of them
        if path.count("/") == 1 and os.path.isfile(f"{target}/widget.toml"):  # noqa: PTH113 - thousands of them
            homes = (*homes, Path(target))
        elif not _inside(target, homes) and entry.name not in NOT_BUILT:
            sources.diagnostics.append(_outside(path, target))
            return
        if target not in context.parents and _count_link(sources, path):
            _add_folder(sources, entry, path, _FolderContext(homes, context.parents))
    elif is_source(entry.name):
        sources.paths.append(path)
        sources.diagnostics += _check_link(Path(entry.path), path, homes)


def _count_link(sources: Sources, path: str) -> bool:
    """Count a link to a folder. Returns whether it may be followed. The first link over the limit is reported."""
    sources.links += 1
    if sources.links == MOST_LINKS + 1:
        message = f"more than {MOST_LINKS} links to folders; this link and later ones are not followed"
        hint = "replace links by copies of their targets, or remove them"
        sources.diagnostics.append(
            Diagnostic(rule="source-limit", message=message, place=Place(path=path), hint=hint)
        )
    return sources.links <= MOST_LINKS


def _add_folder(sources: Sources, entry: "os.DirEntry[str]", path: str, context: _FolderContext) -> None:
    if entry.name in NOT_BUILT or is_snapshot(path):
        return
    if entry.name.endswith(".html.j2") or (path.count("/") == 2 and entry.name in _FILES_ONLY):  # noqa: PLR2004
        sources.paths.append(path)
        sources.diagnostics.append(_no_file(path, stat.S_IFDIR))
        return
    parents = context.parents | {os.path.realpath(entry.path)}
    _list_folder(sources, entry.path, path, _FolderContext(context.homes, parents))


def is_source(name: str) -> bool:
    """Return whether a file of this name is a source: neither a Python file nor a temporary file of an editor."""
    return not name.endswith(_IGNORED_ENDINGS) and not _TEMPORARY.fullmatch(name)


def is_test(name: str) -> bool:
    """Return whether pytest reads a file of this name."""
    return _TEST.fullmatch(name) is not None


def is_snapshot(path: str) -> bool:
    """Return whether a path relative to the workspace is a widget's folder of snapshots, or in it."""
    return _SNAPSHOTS.match(path) is not None


def _check_link(link: Path, path: str, homes: tuple[Path, ...]) -> Iterator[Diagnostic]:
    """Yield a diagnostic if a link leads outside of `homes`, to nothing, or to something that is not a file."""
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
        hint="copy the target into the workspace; only the folder of a widget may be a link out of it",
    )


def _dangling(link: Path, path: str) -> Diagnostic:
    try:
        target = os.readlink(link)  # noqa: PTH115 - the target as it is written
    except OSError:
        target = "a file"
    return Diagnostic(
        rule="file-missing",
        message=f"a link to {target}, which does not exist",
        place=Place(path=path),
        hint="remove the link, or restore its target",
    )


def _no_file(path: str, mode: int) -> Diagnostic:
    kind = next((name for is_kind, name in _FILE_KINDS if is_kind(mode)), "no regular file")
    return Diagnostic(
        rule="file-unreadable",
        message=f"{kind} in place of a file",
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
        hint="check its permissions (ls -l)",
    )


def _too_large(path: str) -> Diagnostic:
    return Diagnostic(
        rule="source-limit",
        message=f"larger than {size_limit(path) // MEGABYTE} MB, the limit for this file",
        place=Place(path=path, line=1, column=1),
        hint="make it smaller, or move files that no build needs out of widgets/",
    )
