"""How a run in several processes divides the tests of widgets.

The tests of a widget stay in one process, which makes each visit of the widget once. So for tests of widgets alone,
`-n auto` starts no more processes than there are widgets, and one widget is tested in the process of pytest itself, in
as many tabs as the machine has processors.

pytest loads this module in every run, so it imports other modules only when it uses them.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

DISTRIBUTION = "awning_distribution"
"""The key of a worker's input: how pytest-xdist divides the tests among the workers."""
WHOLE_FILES = ("no", "load", "loadfile", "loadscope", "each")
"""The ways of dividing in which the tests of a file stay in one process. For `load`, this module sees to that."""
MOST_TABS = 8
NUMBER = "PYTEST_XDIST_AUTO_NUM_WORKERS"
"""The variable with which a user sets the number of processes of `-n auto`."""


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return the number of processes of `-n auto` for tests of widgets alone; None leaves it to pytest-xdist."""
    widgets = number_of_widgets(config)
    if os.environ.get(NUMBER) or not widgets:
        return None
    return min(widgets, number_of_processors()) if widgets > 1 else 0


def number_of_processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def number_of_widgets(config: pytest.Config) -> int:
    """Return the number of widgets in the paths of the run; 0 if a path is not in the folder of the widgets."""
    paths = [(config.invocation_params.dir / name.partition("::")[0]).resolve() for name in config.args]
    widgets = (config.rootpath / "widgets").resolve()
    if not all(path.is_relative_to(widgets) for path in paths):
        return 0
    folders = [file.parent.resolve() for file in config.rootpath.glob("widgets/*/widget.toml")]
    return sum(any(_overlap(folder, path) for path in paths) for folder in folders)


def _overlap(folder: Path, path: Path) -> bool:
    return folder.is_relative_to(path) or path.is_relative_to(folder)


@pytest.hookimpl(optionalhook=True, trylast=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler that keeps files whole; None if the user chooses another way with `--dist`."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]  # noqa: PLC0415

    return LoadFileScheduling(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput[DISTRIBUTION] = node.config.getoption("dist")


def runs_whole_files(config: pytest.Config) -> bool:
    """Return whether this process runs all collected tests of a file if it runs one of them."""
    return getattr(config, "workerinput", {}).get(DISTRIBUTION, "no") in WHOLE_FILES


def number_of_tabs(config: pytest.Config) -> int:
    """Return how many tabs run trials side by side: the processors, shared among the processes of the run."""
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    return max(1, min(MOST_TABS, number_of_processors() // int(processes)))
