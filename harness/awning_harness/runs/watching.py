"""`awning test --watch`: runs the tests once, then after each save those that the saved files can reach.

Each run is a process of its own, so that it reads every file again. After a save during a run, another run follows.
"""

import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from awning.errors import AwningError
from awning.pipeline.watch import signals
from awning_harness.runs.child_process import run_to_end
from awning_harness.runs.choice import choose_tests
from awning_harness.runs.chosen_tests import written_choice
from awning_harness.runs.run_plan import ChosenTests, printable

FOLDERS = ("widgets", "storefront", "tests")
FILES = ("manifest.toml", "pyproject.toml", "conftest.py")
NOT_SOURCES = frozenset({"__pycache__", "snapshots", "node_modules"})
"""Folders that are not watched. They have no sources, and a run of the tests may write into some of them."""

_OF_THIS_VERB = ("AWNING_TEST_WATCH", "AWNING_TEST_AFFECTED")
"""Variables that would make a run watch, or choose, too."""

Stamps = Mapping[str, tuple[int, int]]
"""The modification time (ns) and size (bytes) of each file, by its path relative to the workspace."""


def watch_tests(
    root: Path, pytest_args: Sequence[str], *, has_paths: bool, first: ChosenTests | None = None
) -> None:
    """Run the tests now and after every save, until the user interrupts. That raises KeyboardInterrupt.

    `has_paths` tells whether `pytest_args` names paths. If so, each run tests these. Otherwise, the first run tests
    `first`, by default everything, and each later run what `choose_tests` returns.
    """
    before = file_stamps(root)
    _run_chosen(root, pytest_args, first)
    for _ in signals(root, threading.Event()):
        now = file_stamps(root)
        changed = changed_paths(before, now)
        before = now
        if changed:
            choice = None if has_paths else _choice(root, changed)
            names = choice.names if choice else "everything"
            what = printable(changed[0]) if len(changed) == 1 else f"{len(changed)} files"
            click.echo(f"\n{what} changed: testing {names}", err=True)
            _run_chosen(root, pytest_args, choice)


def _choice(root: Path, changed: Sequence[str]) -> ChosenTests | None:
    """Return what the changed files reach; None, for everything, when the workspace cannot be read."""
    try:
        return choose_tests(root, changed)
    except AwningError:  # the run reports it
        return None


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


def _run_chosen(root: Path, pytest_args: Sequence[str], choice: ChosenTests | None) -> None:
    """Run the chosen tests, or without a choice all, and print that watching continues."""
    if choice is None or not choice.is_empty:
        with written_choice(choice) as arguments:
            _run(root, (*pytest_args, *arguments))
    click.echo("watching, Ctrl+C stops", err=True)


def _run(root: Path, pytest_args: Sequence[str]) -> None:
    """Run the tests in another process."""
    command = [sys.executable, "-c", "from awning.cli import main; main()", "test", *pytest_args]
    environ = {name: value for name, value in os.environ.items() if name not in _OF_THIS_VERB}
    run_to_end(command, cwd=root, environ=environ)
