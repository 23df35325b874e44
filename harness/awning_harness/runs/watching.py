"""`awning test --watch`: runs the tests once, then after each save those of the widgets whose files changed.

After a save of a file that belongs to no widget, all tests run again. Each run is a process of its own, so that it
reads every file again. After a save during a run, another run follows.
"""

import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from awning.pipeline.watch import signals
from awning_harness.runs.child_process import run_to_end

FOLDERS = ("widgets", "storefront", "tests")
FILES = ("manifest.toml", "pyproject.toml", "conftest.py")
NOT_SOURCES = frozenset({"__pycache__", "snapshots", "node_modules"})
"""Folders that are not watched. They have no sources, and a run of the tests may write into some of them."""

Stamps = Mapping[str, tuple[int, int]]
"""The modification time (ns) and size (bytes) of each file, by its path relative to the workspace."""


def watch_tests(root: Path, pytest_args: Sequence[str], *, has_paths: bool) -> None:
    """Run the tests now and after every save, until the user interrupts. That raises KeyboardInterrupt.

    `has_paths` tells whether `pytest_args` names paths. If so, each run tests these. Otherwise, the first run tests
    everything, and each later run what `paths_to_test` returns.
    """
    before = file_stamps(root)
    _run(root, pytest_args)
    for _ in signals(root, threading.Event()):
        now = file_stamps(root)
        changed = changed_paths(before, now)
        before = now
        if changed:
            paths = () if has_paths else paths_to_test(root, changed)
            click.echo(f"\n{_summary(changed)} changed: testing {', '.join(paths) or 'everything'}", err=True)
            _run(root, (*pytest_args, *paths))


def file_stamps(root: Path) -> Stamps:
    """Return the stamps of the files that tests depend on: the FILES, and all files below FOLDERS.

    Hidden files and folders are left out, and the folders in NOT_SOURCES.
    """
    stamps: dict[str, tuple[int, int]] = {}
    for path in _files(root):
        try:
            stat = path.stat()
        except OSError:  # it was deleted meanwhile
            continue
        stamps[path.relative_to(root).as_posix()] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def _files(root: Path) -> Iterator[Path]:
    yield from (root / name for name in FILES)
    for name in FOLDERS:
        for folder, folders, files in os.walk(root / name):
            folders[:] = [each for each in folders if each not in NOT_SOURCES and not each.startswith(".")]
            yield from (Path(folder, file) for file in files if not file.startswith("."))


def changed_paths(before: Stamps, now: Stamps) -> tuple[str, ...]:
    """Return the paths of files that are new, different or gone."""
    return tuple(sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path)))


def paths_to_test(root: Path, changed: Iterable[str]) -> tuple[str, ...]:
    """Return the folders of the widgets whose files changed.

    If a changed file belongs to no widget, returns an empty tuple, which stands for all tests.
    """
    widgets: dict[str, None] = {}
    for path in changed:
        folder, _, rest = path.partition("/")
        name, separator, _ = rest.partition("/")
        if folder != "widgets" or not separator or not (root / "widgets" / name / "widget.toml").is_file():
            return ()
        widgets[f"widgets/{name}"] = None
    return tuple(widgets)


def _summary(changed: Sequence[str]) -> str:
    return changed[0] if len(changed) == 1 else f"{len(changed)} files"


def _run(root: Path, pytest_args: Sequence[str]) -> None:
    """Run the tests in another process, and print that watching continues."""
    command = [sys.executable, "-c", "from awning.cli import main; main()", "test", *pytest_args]
    environ = {name: value for name, value in os.environ.items() if name != "AWNING_TEST_WATCH"}
    run_to_end(command, cwd=root, environ=environ)
    click.echo("watching, Ctrl+C stops", err=True)
