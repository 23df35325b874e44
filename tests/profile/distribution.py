"""A pytest plugin: how a run in several processes divides its tests.

The tests of a file stay in one process, so that the fixtures that they share are set up once. In many files, such a
fixture runs pytest over a workspace. The files that take longest come first, as far as the tiers of their tests tell:
a long file at the end would leave the other processes idle. A run that names files divides their tests as pytest-xdist
does.
"""

import os
from collections import Counter
from typing import Any

import pytest
from tiers import SECONDS, tier_of

from awning_harness.runs.processes import DISTRIBUTION

NUMBER_OF_PROCESSES = "PYTEST_XDIST_AUTO_NUM_WORKERS"


class Distribution:
    """The plugin; one per process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Return a scheduler that keeps files whole, in the order that the workers collected.

        In a run that names files, it divides their tests. With `--dist`, None leaves the choice to pytest-xdist.
        """
        if config.getoption("dist") != "load":
            return None
        from xdist.scheduler import (  # noqa: PLC0415  a run may be without pytest-xdist
            LoadFileScheduling,
            LoadScheduling,
        )

        if names_files(config):
            return LoadScheduling(config, log)
        config.option.loadscopereorder = False
        return LoadFileScheduling(config, log)

    @pytest.hookimpl(optionalhook=True, trylast=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell the workers that they share the tests of a named file, so that none makes all visits of a widget."""
        if names_files(node.config):
            node.workerinput[DISTRIBUTION] = "divided"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order the tests of a worker. `--random-order` shuffles them afterwards."""
        if hasattr(self._config, "workerinput"):
            seconds: Counter[str] = Counter()
            for item in items:
                seconds[file_of(item.nodeid)] += SECONDS[tier_of(item)]
            items.sort(key=lambda item: (-seconds[file_of(item.nodeid)], file_of(item.nodeid)))


def number_of_processes() -> int | None:
    """Return the number of processes of `-n auto`: one more than processors, because tests often wait.

    None leaves the number to pytest-xdist, if its variable is set.
    """
    return None if os.environ.get(NUMBER_OF_PROCESSES) else (os.cpu_count() or 1) + 1


def names_files(config: pytest.Config) -> bool:
    """Return whether the command line names a file, or a test in a file."""
    folder = config.invocation_params.dir
    return any((folder / file_of(argument)).is_file() for argument in config.args)


def file_of(name: str) -> str:
    """Return the path in a test's name."""
    return name.partition("::")[0]
