"""Which tests can fail because of files that differ: the one mapping of `awning test --affected` and `--watch`.

What a widget is made of is known to the build (`awning.pipeline.readers`). Here are the rules of what else tests
depend on. Where a rule cannot know it, it chooses more.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from awning.build_record import WHOLE_APP
from awning.diagnostics import first_few
from awning.pipeline.readers import find_readers
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.sources import is_source
from awning_harness.runs.python_files import CONFTEST, PythonFile, PythonFiles, module_name
from awning_harness.runs.run_plan import MOST_REASONS, ChosenTests, differ
from awning_harness.runs.run_settings import PROSE, WIDGETS, RunSettings

ContentsBefore = Callable[[Sequence[str]], Mapping[str, bytes | None] | None]
"""Returns the earlier contents of files by path, None for a file that was not there; None if they are not known."""


def choose_tests(
    root: Path,
    differing: Iterable[str],
    environ: Mapping[str, str] = os.environ,
    *,
    contents_before: ContentsBefore = lambda _: None,
) -> ChosenTests:
    """Return the tests that can fail because these files differ, are new or are gone.

    Paths are relative to the workspace. A folder stands for all its files. Raises as `read_workspace` and
    `find_readers` do.
    """
    workspace = read_workspace(root)
    choosing = _Choosing(workspace=workspace, environ=environ, contents_before=contents_before)
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
    contents_before: ContentsBefore
    everything: str = ""
    folders: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    app: str = ""
    unread: dict[str, None] = field(default_factory=dict)
    affected: dict[str, dict[str, None]] = field(default_factory=dict)
    """The widgets that may have changed, by name, each with the files that differ."""
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
        reaching = [(path, self.settings.reach_of_all(path)) for path in differing]
        self.everything = _joined([f"{path} differs{why}" for path, why in reaching if why is not None])
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
            self._affect(name, path)
        elif top == WIDGETS and inner == "widget.toml" and not (self.root / path).exists():
            self.app = "; ".join(filter(None, [self.app, f"{WIDGETS}/{name} is gone"]))
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

    def _affect(self, name: str, path: str) -> None:
        self.affected.setdefault(name, {})[path] = None

    def _why_affected(self, name: str) -> str:
        """Return what differs: files of the widget's folder, and those that it reads elsewhere."""
        folder = f"{WIDGETS}/{name}"
        inside = [path for path in self.affected[name] if f"{path}/".startswith(f"{folder}/")]
        own = [path.removeprefix(f"{folder}/") for path in inside if path != folder] or inside
        elsewhere = [path for path in self.affected[name] if path not in inside]
        reads = f"it reads {first_few(elsewhere, MOST_REASONS)}" if elsewhere else ""
        return "; ".join(filter(None, [differ(own) if own else "", reads]))

    def _add_readers(self, paths: Collection[str]) -> None:
        """Add the widgets that read files from outside of their folders."""
        asked = [path for path in paths if path.startswith(f"{WIDGETS}/")]
        before = self.contents_before([path for path in asked if path.startswith(f"{WIDGETS}/_")])
        readers = find_readers(self.workspace, asked, self.environ, before) if asked else {}
        if readers is None:
            self.everything = (
                f"{differ(asked)}, and the widgets do not build, so what reads them is not known"
            )
            return
        whole = [path for path, names in readers.items() if names == self.names]
        self.everything = _joined([f"{path} differs, which every widget may read" for path in whole])
        for path, names in readers.items():
            for name in sorted(names):
                self._affect(name, path)
        for name in self.affected:
            self.folders[f"{WIDGETS}/{name}"] = self._why_affected(name)

    def _add_tests(self, differing: Collection[str]) -> None:
        """Add the tests that name something that differs, and those outside of widgets/ if a widget may differ."""
        read = dict.fromkeys(path for paths in self.affected.values() for path in paths)
        if read:
            self.app = "; ".join(filter(None, [self.app, differ(read)]))
        if self.app:
            self._add_tests_of_widgets()
        for path in differing:
            top, _, rest = path.partition("/")
            is_of_widget = top == WIDGETS and rest.partition("/")[0] in {*self.affected, *self.gone}
            if is_of_widget and not path.endswith(".py"):
                continue  # the tests that name the widget are added
            is_named = self._add_naming(_parts(path), partial(_why_named, path=path), path)
            beside = None if path.startswith((f"{WIDGETS}/", "../")) else self.python.beside(path)
            if beside and not self.app:
                self.folders.setdefault(beside, f"{path} differs")
            is_used = path in read or is_named or beside or self._is_chosen(path)
            if not (is_used or (self.root / path).is_dir()):
                self.unread[path] = None

    def _add_tests_of_widgets(self) -> None:
        """Add the tests in other widgets' folders that name a widget that may have changed, or the whole app."""
        whole = {WIDGETS: f"it names {WIDGETS}/", WHOLE_APP: "it names the whole app"}
        names = frozenset({*whole, *self.affected, *self.gone})
        used = self.python.used_by(lambda path: path == CONFTEST or path.startswith(f"{WIDGETS}/"))
        self._add_naming(names, lambda name: whole.get(name) or f"it names the widget {name}", among=used)
        for file in used:
            if file.chooses_units:
                self._reach(file.path, "it chooses widgets")

    def _is_chosen(self, path: str) -> bool:
        return path in self.files or any(path.startswith(f"{folder}/") for folder in self.folders)

    def _add_naming(
        self,
        names: frozenset[str],
        why: Callable[[str], str],
        loaded: str = "",
        *,
        among: Collection[PythonFile] | None = None,
    ) -> bool:
        """Add the tests that name any of these parts of paths, themselves or through Python files that they load.

        `why` returns the reason for a part. `loaded` is a Python file that tests may load. `among` are the files that
        are looked at, by default all. Returns whether there is such a file.
        """
        files = [*(self.python if among is None else among)]
        reasons = {file.path: why(name) for file in files if (name := file.named(names))}
        newest = [file for file in files if file.path in reasons]
        if loaded.endswith(".py"):
            differing = PythonFile(loaded, "", self.python.packages_around(loaded))
            users = [file for file in files if file.path not in {*reasons, loaded} and file.loads(differing)]
            reasons |= {file.path: f"it imports {loaded}, which differs" for file in users}
            newest += users
        while newest:
            waiting, through = [], newest
            for file in files:
                used = None if file.path in reasons else next(filter(file.loads, through), None)
                if used:
                    chain = reasons[used.path].removeprefix("it ")
                    reasons[file.path] = f"it imports {used.path}, which {chain}"
                    waiting.append(file)
            newest = waiting
        for path, reason in reasons.items():
            self._reach(path, reason)
        return bool(reasons)

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


def _joined(reasons: Sequence[str]) -> str:
    """Return the first reasons, and how many more there are."""
    more = len(reasons) - MOST_REASONS
    return "; ".join(reasons[:MOST_REASONS]) + (f"; and {more} more" if more > 0 else "")


def _why_named(name: str, path: str) -> str:
    """Return that a test names a part of the path of a file that differs."""
    folders, _, last = path.rpartition("/")
    if name == last:
        return f"it names {path}" if not folders else f"it names {name} ({path} differs)"
    return f"it names {name}{'/' if name in folders.split('/') else ''} ({path} differs)"


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
        return frozenset([parts[-1], module_name(path)]) - {CONFTEST.removesuffix(".py")}
    if parts[0] == "..":
        return frozenset([part for part in parts if part != ".."][:1])
    if parts[0] == WIDGETS and len(parts) > 1 and parts[1][:1] != "_":
        parts = parts[-1:] if path.endswith(PROSE) else parts[1:2]
    return frozenset(parts) - {WIDGETS}
