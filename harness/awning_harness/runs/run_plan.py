"""What a run tests and leaves out, and why: the plan that `awning test` prints.

`choice.py` makes it from files that differ. `chosen_tests.py` gives it to pytest.
"""

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

import msgspec

from awning.diagnostics import first_few
from awning_harness.runs.run_settings import WIDGETS

MOST_NAMES = 20
MOST_REASONS = 10
"""The most files that the reason for one part names."""
MOST_ALIKE = 3
"""More files that are chosen for the same reason are one line."""


@dataclass(frozen=True, kw_only=True)
class ChosenTests:
    """The tests of one run, with a reason for each part. Paths are relative to the workspace.

    `everything` is the reason to run all tests; empty if the other fields say what runs: all tests in `folders`, those
    in `files` and, if `app` has a reason, all tests outside of widgets/.
    """

    root: str
    """The absolute path of the workspace."""
    compared: str = ""
    """How many files differ, and from which commit; empty if no commit was compared."""
    paths: tuple[str, ...] = ()
    """The paths of the command line, to which the choice is limited; empty for the whole workspace."""
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
    only: tuple[str, ...] | None = None
    """The ids of the tests that run in `files`, because they failed; None if all tests of what is chosen run."""
    whole: tuple[str, ...] = ()
    """The ids of files and folders that could not be read. All their tests run, too."""
    note: str = ""
    """The last line of the plan."""

    @property
    def is_empty(self) -> bool:
        return not (self.everything or self.folders or self.files or self.app)

    @property
    def widgets(self) -> frozenset[str]:
        """The names of the folders of widgets/ with chosen tests."""
        inside = (path.split("/") for path in (*self.folders, *self.files))
        return frozenset(parts[1] for parts in inside if parts[0] == WIDGETS and len(parts) > 1)

    @property
    def options(self) -> str:
        """The options of `awning test` that leave tests out; empty if all tests run."""
        if self.everything:
            return ""
        is_watching = not self.compared and self.only is None
        options = {
            "--affected": self.compared,
            "--watch": is_watching,
            "--failed": self.only is not None,
        }
        return " ".join(option for option, is_set in options.items() if is_set)

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

    def has_test(self, name: str, file: Path) -> bool:
        """Return whether a test is chosen. `name` is its id."""
        if self.only is None or not self.has_file(file):
            return self.has_file(file)
        return name in self._only or any(name.startswith((f"{each}::", f"{each}/")) for each in self.whole)

    @cached_property
    def _only(self) -> frozenset[str]:
        return frozenset(self.only or ())

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

    def lines(self) -> Iterator[str]:
        """Yield the lines that say what differs, what runs, what is left out, and why."""
        yield from map(printable, self._lines())

    def _lines(self) -> Iterator[str]:
        yield from self._reasons()
        yield from filter(None, [self.note])

    def _reasons(self) -> Iterator[str]:
        only = f"only {first_few(self.paths, MOST_NAMES)} is looked at" if self.paths else ""
        yield from filter(None, ["; ".join(filter(None, [self.compared, only]))])
        if self.everything:
            yield f"test all{' of it' if self.paths else ''}: {self.everything}"
            return
        reasons: dict[str, list[str]] = {}
        for path, why in (*self.folders.items(), *self.files.items()):
            reasons.setdefault(why, []).append(path)
        for why, paths in reasons.items():
            together = paths if len(paths) <= MOST_ALIKE else [first_few(paths, MOST_NAMES)]
            yield from (f"test {path}: {why}" for path in together)
        if self.app and self.has_app_tests:
            yield f"test what is outside of widgets/: {self.app}"
        if self.unread:
            yield f"no test reads {first_few(self.unread, MOST_NAMES)}"
        if self.paths and self.is_empty:
            yield f"no test runs, because nothing that differs reaches {first_few(self.paths, MOST_NAMES)}"
        elif self.all_left_out:
            yield f"left out, because nothing that differs reaches them: {first_few(self.all_left_out, MOST_NAMES)}"

    @property
    def all_left_out(self) -> list[str]:
        """The widgets of which no test runs, and what is left out of the tests outside of widgets/."""
        if not self.has_app_tests or self.app:
            return [*self.left_out]
        some = any(not path.startswith(f"{WIDGETS}/") for path in (*self.folders, *self.files))
        return [*self.left_out, f"the {'other ' if some else ''}tests outside of widgets/"]

    def within(self, paths: Collection[str]) -> "ChosenTests":
        """Return what is chosen in these paths of the workspace, or around them. Without paths, all of it."""
        tops = tuple(dict.fromkeys(self._relative(Path(self.root, path)) for path in paths))
        if not tops or "." in tops:
            return self

        is_inside = partial(_is_inside, tops)

        def is_near(path: str) -> bool:
            return is_inside(path) or any(top.startswith(f"{path}/") for top in tops)

        has_outside = any(top.split("/")[0] != WIDGETS for top in tops)
        return replace(
            self,
            paths=tops,
            folders={path: why for path, why in self.folders.items() if is_near(path)},
            files={path: why for path, why in self.files.items() if is_inside(path)},
            app=self.app if has_outside else "",
            has_app_tests=self.has_app_tests and has_outside,
            left_out=tuple(name for name in self.left_out if is_near(f"{WIDGETS}/{name}")),
            unread=tuple(path for path in self.unread if is_inside(path)),
        )

    def only_failed(self, failed: Mapping[str, str], unread: Mapping[str, str]) -> "ChosenTests":
        """Return, of what is chosen, the tests that failed, and the files and folders of tests that could not be read.

        The arguments have their ids with their paths.
        """
        if self.paths:
            failed, unread = (
                {name: path for name, path in each.items() if _is_inside(self.paths, path)}
                for each in (failed, unread)
            )
        again = {name: path for name, path in failed.items() if self._has(path)}
        whole = {name: path for name, path in unread.items() if self._has(path)}
        counts = Counter(again.values())
        files = {path: f"{count} of its tests failed when last run" for path, count in counts.items()}
        files |= dict.fromkeys(whole.values(), "it could not be read")
        chosen = {*again.values(), *whole.values()}
        return ChosenTests(
            root=self.root,
            compared=self.compared,
            paths=self.paths,
            folders={path: why for path, why in files.items() if Path(self.root, path).is_dir()},
            files={path: why for path, why in files.items() if not Path(self.root, path).is_dir()},
            left_out=tuple(sorted({*failed.values(), *unread.values()} - chosen)),
            only=tuple(again),
            whole=tuple(whole),
        )

    def write(self, file: Path) -> None:
        file.write_text(
            json.dumps(asdict(self)), encoding="ascii"
        )  # msgspec refuses names that are not UTF-8

    @classmethod
    def read(cls, file: Path) -> "ChosenTests":
        return msgspec.convert(json.loads(file.read_bytes()), type=cls)


def _is_inside(tops: Collection[str], path: str) -> bool:
    """Return whether a path is one of `tops`, or in one of them."""
    return any(f"{path}/".startswith(f"{top}/") for top in tops)


def printable(text: str) -> str:
    """Return a text with escapes in place of control characters and bytes that are not UTF-8, as names may have."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def differ(paths: Collection[str]) -> str:
    """Return that files differ, with their names."""
    return f"{first_few(paths, MOST_REASONS)} {'differs' if len(paths) == 1 else 'differ'}"
