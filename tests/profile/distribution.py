"""A pytest plugin: how a run in several processes divides its tests.

The tests of a file stay in one process, so that what they share is set up once; in many files that is a run of pytest
over a workspace. The files that take longest come first, then those with the most tests: a long file at the end would
leave the other processes idle. A run that names files divides their tests as pytest-xdist does.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest

LONG_FILES = ("tests/harness/test_checks_catch.py",)
"""The longest first."""


class Distribution:
    """The plugin; one per process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Return a scheduler that keeps files whole, in the order of the workers; None for pytest-xdist's own."""
        if config.getoption("dist") != "load" or names_files(config):
            return None
        from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415  a run may be without pytest-xdist

        config.option.loadscopereorder = False
        return LoadFileScheduling(config, log)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order the tests of a worker. `--random-order` shuffles them afterwards."""
        if hasattr(self._config, "workerinput"):
            place = order_of_files(file_of(item.nodeid) for item in items)
            items.sort(key=lambda item: place(file_of(item.nodeid)))


def names_files(config: pytest.Config) -> bool:
    """Whether the command line names a file, or a test in a file."""
    folder = config.invocation_params.dir
    return any((folder / file_of(argument)).is_file() for argument in config.args)


def file_of(name: str) -> str:
    """Return the path in a test's name."""
    return name.partition("::")[0]


def order_of_files(
    files: Iterable[str], longest: tuple[str, ...] = LONG_FILES
) -> Callable[[str], tuple[int, int, str]]:
    """Return the key that files are sorted by. `files` has the file of each test."""
    counts = Counter(files)
    places = {file: place for place, file in enumerate(longest)}
    return lambda file: (places.get(file, len(longest)), -counts[file], file)
