"""The Python files of a workspace, and what each names: modules that it imports, and parts of paths in its strings.

A test of one's own may read any file. One that names neither a file nor a folder around it is taken not to read it.
"""

import ast
import os
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from awning.workspace.sources import NOT_BUILT, is_test

CONFTEST = "conftest.py"
_SEPARATORS = re.compile(r"[/\\]")
_MODULE = re.compile(r"\w+(?:\.\w+)*")
_PROGRAM = re.compile(r"(?:^|\s)-[mp]\s+(\w+(?:\.\w+)*)")
"""Matches a module in a command, such as `-m tools.generate`."""
_LOADERS = re.compile(
    r"pytest_plugins|import_module|__import__|run_module|run_path|spec_from_file_location|[\"']-[mp][\"']"
)
"""Matches what loads a module by its name in a string. In such a file, a string of one word may be a module."""
_TESTS = re.compile(r"^\s*(?:(?:async )?def test|class Test|class \w+\(.*TestCase)", re.MULTILINE)
_ENVIRONMENT = "pyvenv.cfg"


@dataclass(frozen=True)
class PythonFile:
    """A Python file. `path` is relative to the workspace. `packages` is the number of packages around it."""

    path: str
    text: str
    packages: int = 0

    @property
    def stem(self) -> str:
        """The last part of the name by which other files import it."""
        return module_name(self.path)

    @cached_property
    def endings(self) -> frozenset[tuple[str, ...]]:
        """Its name as a module, from any folder around its packages: of `a/b.py`, `("b",)` and `("a", "b")`.

        A `conftest.py` is loaded for its folder. Other files import it by a longer name.
        """
        parts = tuple(self.path.removesuffix(".py").removesuffix("/__init__").split("/"))
        least = max(self.packages + (not self.path.endswith("/__init__.py")), 1 + (self.stem == "conftest"))
        return frozenset(parts[start:] for start in range(len(parts) - least + 1))

    @property
    def has_tests(self) -> bool:
        """Whether pytest may find tests in it, also if it is told of other names of files."""
        name = self.path.rpartition("/")[2]
        return name != CONFTEST and (is_test(name) or _TESTS.search(self.text) is not None)

    def named(self, names: Collection[str]) -> str:
        """Return the part of a path, one of these, that its strings name; empty if they name none.

        A file with a syntax error counts as one that names what is in its text.
        """
        # Parsing a file takes long, and few files have any of the words.
        mentioned = sorted(name for name in names if name in self.text)
        if not mentioned or self._tree is None:
            return "".join(mentioned[:1])
        return next((name for name in mentioned if name in self._names), "")

    def loads(self, other: "PythonFile") -> bool:
        """Return whether it imports another file, or names it as a module or by its file's name.

        A file with a syntax error counts as one that does if it has the word.
        """
        if other.stem not in self.text:
            return False
        if self._tree is None or not self._loaded.isdisjoint(other.endings):
            return True
        name = other.path.rpartition("/")[2]
        return name not in (CONFTEST, "__init__.py") and name in self._names

    @cached_property
    def _tree(self) -> ast.Module | None:
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError):
            return None

    @cached_property
    def _strings(self) -> list[str]:
        """Its strings, also those in f-strings, without docstrings."""
        nodes = [*ast.walk(self._tree)] if self._tree else []
        prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        return [
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        ]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(part for text in self._strings for part in _SEPARATORS.split(text))

    @cached_property
    def _loaded(self) -> frozenset[tuple[str, ...]]:
        """The names of the modules that it imports, with those around them, and of those that its strings may name."""
        names: set[tuple[str, ...]] = set()
        for node in ast.walk(self._tree) if self._tree else ():
            if isinstance(node, ast.Import):
                names |= {start for alias in node.names for start in _starts(alias.name.split("."))}
            elif isinstance(node, ast.ImportFrom):
                around = self.path.split("/")[: -node.level] if node.level else []
                module = [*around, *(node.module or "").split(".")] if node.module else around
                names |= {start for alias in node.names for start in _starts([*module, alias.name])}
        least = 1 if _LOADERS.search(self.text) else 2
        for text in self._strings:
            words = [text] if _MODULE.fullmatch(text) else []
            names |= {start for word in words for start in _starts(word.split(".")) if len(start) >= least}
            names |= {start for word in _PROGRAM.findall(text) for start in _starts(word.split("."))}
        return frozenset(names)

    @cached_property
    def chooses_units(self) -> bool:
        """Whether it chooses the unit of a test by a value that is not written there: `mark.unit(name)`."""
        calls = (node for node in ast.walk(self._tree) if isinstance(node, ast.Call)) if self._tree else ()
        return any(
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "unit"
            and not all(isinstance(argument, ast.Constant) for argument in call.args)
            for call in calls
        )


def _starts(parts: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the name of a module, and those of the packages around it: Python runs these, too."""
    yield from (tuple(parts[:end]) for end in range(1, len(parts) + 1))


def module_name(path: str) -> str:
    """Return the name by which a Python file is imported; of `__init__.py`, the name of its folder."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".py")
    return folder.rpartition("/")[2] if stem == "__init__" else stem


@dataclass(frozen=True)
class PythonFiles:
    """The Python files of the workspace at `root`, without those of environments and of other repositories.

    Folders whose absolute paths are in `without` are left out, too.
    """

    root: Path
    without: Collection[str] = ()
    _read: dict[str, PythonFile] = field(default_factory=dict)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._listed()))

    def __iter__(self) -> Iterator[PythonFile]:
        for path in self.paths:
            if path not in self._read:
                try:
                    text = (self.root / path).read_text(encoding="utf-8", errors="replace")
                except OSError:
                    continue
                self._read[path] = PythonFile(path, text, self.packages_around(path))
            yield self._read[path]

    def packages_around(self, path: str) -> int:
        """Return the number of packages around a file, one in another: of folders with an `__init__.py`."""
        folders = path.split("/")[:-1]
        count = 0
        while folders and "/".join([*folders, "__init__.py"]) in self._known:
            folders.pop()
            count += 1
        return count

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.paths)

    @cached_property
    def tests(self) -> frozenset[str]:
        """The paths of the files that may have tests."""
        return frozenset(file.path for file in self if file.has_tests)

    def used_by(self, is_first: Callable[[str], bool]) -> list[PythonFile]:
        """Return the files whose paths `is_first` accepts, and those that they import, directly or through others."""
        used: list[PythonFile] = []
        waiting = [file for file in self if is_first(file.path)]
        while waiting:
            used += waiting
            known = {file.path for file in used}
            waiting = [
                file for file in self if file.path not in known and any(user.loads(file) for user in waiting)
            ]
        return used

    def beside(self, path: str) -> str | None:
        """Return the nearest folder around a file that directly has tests; None if at most the root has."""
        folders = {file.rpartition("/")[0] for file in self.tests}
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folder = folder.rpartition("/")[0]
        return folder or None

    def _listed(self) -> Iterator[str]:
        widgets = self.root / "widgets"
        links = [entry for entry in widgets.iterdir() if entry.is_symlink()] if widgets.is_dir() else []
        for top in (self.root, *links):
            for folder, folders, names in os.walk(top):
                inside = Path(folder).relative_to(self.root).as_posix()
                folders[:] = [name for name in folders if self._is_own(Path(folder, name))]
                yield from (f"{inside}/{name}".removeprefix("./") for name in names if name.endswith(".py"))

    def _is_own(self, folder: Path) -> bool:
        """Return whether a folder may have Python files of the workspace."""
        return not (
            folder.name.startswith(".")
            or folder.name in NOT_BUILT
            or str(folder) in self.without
            or (folder / _ENVIRONMENT).exists()
            or (folder / ".git").exists()
        )
