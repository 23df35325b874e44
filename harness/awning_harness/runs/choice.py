"""Which tests can fail because of files that differ: the one mapping of `awning test --affected` and `--watch`.

What a widget is made of is known to the build (`awning.pipeline.find_readers`). Here are the rules of what else tests
depend on. Where a rule cannot know it, it chooses more.
"""

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path

import msgspec

from awning.build_record import WHOLE_APP
from awning.pipeline import find_readers
from awning.workspace import Workspace, read_workspace
from awning.workspace.sources import is_source
from awning_harness.runs.python_files import CONFTEST, PythonFile, PythonFiles, module_name
from awning_harness.runs.run_settings import PROSE, WIDGETS, RunSettings


@dataclass(frozen=True, kw_only=True)
class ChosenTests:
    """The tests of one run, with a reason for each part. Paths are relative to the workspace.

    `everything` is the reason to run all tests; empty if the other fields say what runs: all tests in `folders`, those
    in `files` and, if `app` has a reason, all tests outside of widgets/.
    """

    root: str
    """The absolute path of the workspace."""
    everything: str = ""
    folders: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    app: str = ""
    has_app_tests: bool = False
    """Whether there are Python tests outside of widgets/."""
    left_out: tuple[str, ...] = ()
    """The names of the widgets of which no test runs."""
    unread: tuple[str, ...] = ()
    """The differing files that no test reads."""

    @property
    def is_empty(self) -> bool:
        return not (self.everything or self.folders or self.files or self.app)

    @property
    def widgets(self) -> frozenset[str]:
        """The names of the folders of widgets/ with chosen tests."""
        inside = (path.split("/") for path in (*self.folders, *self.files))
        return frozenset(parts[1] for parts in inside if parts[0] == WIDGETS and len(parts) > 1)

    @property
    def names(self) -> str:
        """What runs, in one line."""
        if self.everything:
            return "everything"
        outside = ["the tests outside of widgets/"] if self.app and self.has_app_tests else []
        return printable(", ".join([*self.folders, *self.files, *outside])) or "nothing"

    def has_file(self, file: Path) -> bool:
        """Return whether the tests of a file are chosen."""
        return self._has(self._relative(file))

    def may_be_in(self, folder: Path) -> bool:
        """Return whether the tests of a file in a folder may be chosen."""
        inside = f"{self._relative(folder)}/".removeprefix("./")
        return self._has(inside) or any(path.startswith(inside) for path in (*self.folders, *self.files))

    def _relative(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.root)).as_posix()

    def _has(self, path: str) -> bool:
        return bool(
            self.everything
            or path in self.files
            or (self.app and not path.startswith(f"{WIDGETS}/"))
            or any(path == folder or path.startswith(f"{folder}/") for folder in self.folders)
        )

    def report(self, base: str, count: int) -> Iterator[str]:
        """Yield the lines that say what differs from `base`, what runs, what is left out, and why."""
        yield from map(printable, self._report(base, count))

    def _report(self, base: str, count: int) -> Iterator[str]:
        yield f"{count} {'file differs' if count == 1 else 'files differ'} from {base}"
        if self.everything:
            yield f"all: {self.everything}"
            return
        yield from (f"test {path}: {why}" for path, why in (*self.folders.items(), *self.files.items()))
        if self.app and self.has_app_tests:
            yield f"test what is outside of widgets/: {self.app}"
        if self.unread:
            yield f"no test reads {_listed(self.unread)}"
        outside = ["the tests outside of widgets/"] if self.has_app_tests and not self.app else []
        if self.left_out or outside:
            yield f"left out, because nothing that differs reaches them: {_listed([*self.left_out, *outside])}"

    def write(self, file: Path) -> None:
        file.write_text(
            json.dumps(asdict(self)), encoding="ascii"
        )  # msgspec refuses names that are not UTF-8

    @classmethod
    def read(cls, file: Path) -> "ChosenTests":
        return msgspec.convert(json.loads(file.read_bytes()), type=cls)


def printable(text: str) -> str:
    """Return a text with escapes in place of control characters and bytes that are not UTF-8, as names may have."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


MOST_NAMES = 20


def _listed(names: Collection[str]) -> str:
    first = [*names][:MOST_NAMES]
    more = len(names) - len(first)
    return ", ".join(first) + (f" and {more} more" if more else "")


def choose_tests(
    root: Path, differing: Iterable[str], environ: Mapping[str, str] = os.environ
) -> ChosenTests:
    """Return the tests that can fail because these files differ, are new or are gone.

    Paths are relative to the workspace. A folder stands for all its files. Raises as `read_workspace` and
    `find_readers` do.
    """
    workspace = read_workspace(root)
    choosing = _Choosing(workspace=workspace, environ=environ)
    choosing.add([*_expanded(root, differing)])
    return choosing.choice()


def _expanded(root: Path, differing: Iterable[str]) -> Iterator[str]:
    """Yield the paths, and for a folder in widgets/ also the files in it."""
    for path in differing:
        folder = root / path
        yield path
        if path.startswith(f"{WIDGETS}/") and folder.is_dir():
            files = (Path(parent, name) for parent, _, names in os.walk(folder) for name in names)
            yield from (file.relative_to(root).as_posix() for file in files)


@dataclass(kw_only=True)
class _Choosing:
    """Collects what a choice has. The first reason for a part is kept."""

    workspace: Workspace
    environ: Mapping[str, str]
    everything: str = ""
    folders: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    app: str = ""
    unread: dict[str, None] = field(default_factory=dict)
    affected: dict[str, str] = field(default_factory=dict)
    """The widgets that may have changed, by name, each with a file that differs."""
    gone: set[str] = field(default_factory=set)
    """The names of deleted widgets."""

    @property
    def root(self) -> Path:
        return self.workspace.root

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(widget.name for widget in self.workspace.widgets)

    @cached_property
    def settings(self) -> RunSettings:
        return RunSettings(self.root)

    @cached_property
    def python(self) -> PythonFiles:
        return PythonFiles(self.root, without=self.settings.own_folders)

    def choice(self) -> ChosenTests:
        root = str(self.root)
        if self.everything:
            return ChosenTests(root=root, everything=self.everything)
        chosen = ChosenTests(
            root=root,
            folders=self.folders,
            files=self.files,
            app=self.app,
            has_app_tests=any(not path.startswith(f"{WIDGETS}/") for path in self.python.tests),
            unread=tuple(self.unread),
        )
        return replace(chosen, left_out=tuple(sorted(self.names - chosen.widgets)))

    def add(self, differing: Collection[str]) -> None:
        """Add what the files can reach."""
        self.everything = next(
            (
                f"{path} differs{why}"
                for path in differing
                if (why := self.settings.reach_of_all(path)) is not None
            ),
            "",
        )
        if self.everything:
            return
        for path in differing:
            self._add_own(path)
        self._add_readers([path for path in differing if path.count("/") > 1 and _is_built(path)])
        if not self.everything:
            self._add_tests(differing)

    def _add_own(self, path: str) -> None:
        """Add the widget in whose folder a file is, and the tests of a Python file."""
        top, _, rest = path.partition("/")
        name, _, inner = rest.partition("/")
        if top == WIDGETS and name in self.names and (not inner or self._is_read(name, path)):
            self._affect(name, path, f"{inner or name} differs")
        elif top == WIDGETS and inner == "widget.toml" and not (self.root / path).exists():
            self.app = self.app or f"{WIDGETS}/{name} is gone"
            self.gone.add(name)
        elif path.endswith(".py"):
            folder, _, file = path.rpartition("/")
            if file == CONFTEST:
                self.folders.setdefault(folder, f"{path} differs")
            elif path in self.python.tests:
                self.files[path] = "it differs"

    def _is_read(self, widget: str, path: str) -> bool:
        """Return whether the widget may read a file of its folder.

        Prose, hidden files and Python files count if a template or a table names them.
        """
        if _is_built(path) and not path.endswith(PROSE):
            return True
        name = path.rpartition("/")[2]
        folder = self.root / WIDGETS / widget
        files = [file for ending in ("*.j2", "*.toml") for file in folder.rglob(ending) if file.is_file()]
        return any(name in file.read_text(encoding="utf-8", errors="replace") for file in files)

    def _affect(self, name: str, path: str, why: str) -> None:
        self.affected.setdefault(name, path)
        self.folders.setdefault(f"{WIDGETS}/{name}", why)

    def _add_readers(self, paths: Collection[str]) -> None:
        """Add the widgets that read files from outside of their folders."""
        asked = [path for path in paths if path.startswith(f"{WIDGETS}/")]
        readers = find_readers(self.workspace, asked, self.environ) if asked else {}
        if readers is None:
            self.everything = (
                f"{asked[0]} differs, and the widgets do not build, so what reads it is not known"
            )
            return
        for path, names in readers.items():
            if names == self.names:
                self.everything = f"{path} differs, which every widget may read"
            for name in sorted(names):
                self._affect(name, path, f"it reads {path}")

    def _add_tests(self, differing: Collection[str]) -> None:
        """Add the tests that name something that differs, and those outside of widgets/ if a widget may differ."""
        if self.affected:
            self.app = self.app or f"{next(iter(self.affected.values()))} differs"
        if self.app:
            self._add_tests_of_widgets()
        for path in differing:
            top, _, rest = path.partition("/")
            is_of_widget = top == WIDGETS and rest.partition("/")[0] in {*self.affected, *self.gone}
            if is_of_widget and not path.endswith(".py"):
                continue  # the tests that name the widget are added
            modules = frozenset([module_name(path)]) if path.endswith(".py") else frozenset()
            is_named = self._add_naming(_parts(path), f"it names {path}", modules)
            beside = None if path.startswith((f"{WIDGETS}/", "../")) else self.python.beside(path)
            if beside and not self.app:
                self.folders.setdefault(beside, f"{path} differs")
            if not (is_named or beside or self._is_chosen(path) or (self.root / path).is_dir()):
                self.unread[path] = None

    def _add_tests_of_widgets(self) -> None:
        """Add the tests in other widgets' folders that name a widget that may have changed, or the whole app."""
        names = frozenset({WIDGETS, WHOLE_APP, *self.affected, *self.gone})
        used = self.python.used_by(lambda path: path == CONFTEST or path.startswith(f"{WIDGETS}/"))
        self._add_naming(names, f"it names a widget that may have changed, or {WIDGETS}/", among=used)
        for file in used:
            if file.chooses_units:
                self._reach(file.path, "it chooses widgets")

    def _is_chosen(self, path: str) -> bool:
        return path in self.files or any(path.startswith(f"{folder}/") for folder in self.folders)

    def _add_naming(
        self,
        names: frozenset[str],
        why: str,
        modules: frozenset[str] = frozenset(),
        among: Iterable[PythonFile] | None = None,
    ) -> bool:
        """Add the tests that name any of these parts of paths or modules, themselves or through other Python files.

        `among` are the Python files that are looked at, by default all. Returns whether there is such a file.
        """
        seen: dict[str, PythonFile] = {}
        while names or modules:
            files = [file for file in among or self.python if file.path not in seen]
            naming = [file for file in files if file.has_any(names, modules)]
            seen |= {file.path: file for file in naming}
            names, modules = frozenset(), frozenset(file.stem for file in naming)
        for path in seen:
            self._reach(path, why)
        return bool(seen)

    def _reach(self, path: str, why: str) -> None:
        folder, _, name = path.rpartition("/")
        if self.app and folder and not path.startswith(f"{WIDGETS}/"):
            return  # all tests outside of widgets/ are chosen
        if name != CONFTEST:
            if path in self.python.tests and not self._is_chosen(path):
                self.files[path] = why
        elif folder in ("", WIDGETS):
            self.everything = self.everything or f"{path}: {why}"
        else:
            self.folders.setdefault(folder, f"{path}: {why}")


def _is_built(path: str) -> bool:
    """Return whether a build or a check may read a file below widgets/, by its name."""
    name = path.rpartition("/")[2]
    return is_source(name) and name[:1] != "."


def _parts(path: str) -> frozenset[str]:
    """Return the parts of a path by which a test may name the file.

    They are its name and the folders around it. In a widget's folder, and outside of the workspace, most names are
    those of other files, too. A Python file is mostly named as a module.
    """
    parts = path.split("/")
    if path.endswith(".py"):
        return frozenset(parts[-1:])
    if parts[0] == "..":
        return frozenset([part for part in parts if part != ".."][:1])
    if parts[0] == WIDGETS and len(parts) > 1 and parts[1][:1] != "_":
        parts = parts[-1:] if path.endswith(PROSE) else parts[1:2]
    return frozenset(parts) - {WIDGETS}
