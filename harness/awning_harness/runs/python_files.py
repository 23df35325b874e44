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
_WORD = re.compile(r"\w+")
_TESTS = re.compile(r"^\s*(?:(?:async )?def test|class Test|class \w+\(.*TestCase)", re.MULTILINE)
_ENVIRONMENT = "pyvenv.cfg"


@dataclass(frozen=True)
class PythonFile:
    """A Python file. `path` is relative to the workspace."""

    path: str
    text: str

    @property
    def stem(self) -> str:
        """The name by which other files import it."""
        return module_name(self.path)

    @property
    def has_tests(self) -> bool:
        """Whether pytest may find tests in it, also if it is told of other names of files."""
        name = self.path.rpartition("/")[2]
        return name != CONFTEST and (is_test(name) or _TESTS.search(self.text) is not None)

    def has_any(self, names: Collection[str], modules: Collection[str]) -> bool:
        """Return whether it names any of these parts of paths, or any of these modules.

        A file with a syntax error counts as one that does.
        """
        # Parsing a file takes long, and few files have any of the words.
        if not any(word in self.text for word in (*names, *modules)):
            return False
        if self._tree is None:
            return True
        return not (self._names.isdisjoint(names) and self.modules.isdisjoint(modules))

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
    def modules(self) -> frozenset[str]:
        """The words in its imports, and in its strings, which may name a module or a program."""
        words = {word for text in self._strings for word in _WORD.findall(text)}
        for node in ast.walk(self._tree) if self._tree else ():
            if isinstance(node, ast.Import | ast.ImportFrom):
                imported = [alias.name for alias in node.names]
                base = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
                words |= {word for name in (base, *imported) for word in name.split(".")}
        return frozenset(words)

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
                self._read[path] = PythonFile(path, text)
            yield self._read[path]

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
            words = frozenset[str]().union(*(file.modules for file in waiting))
            known = {file.path for file in used}
            waiting = [file for file in self if file.stem in words and file.path not in known]
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
