"""Explores a widget: plays random sequences of events, of other apps' actions and of a shopper's actions.

pytest loads this module wherever awning is installed, so it imports the rest only if `--explore` is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from awning_harness.explore.explored import ExploredFile


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--explore",
        type=int,
        metavar="N",
        default=0,
        help="also play N schedules of events, other apps and a shopper's actions on each widget",
    )
    group.addoption(
        "--seed",
        type=int,
        metavar="S",
        default=0,
        help="the seed of --explore; the same seed plays the same schedules",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExploredFile | None:
    """Collect the exploration of a widget from its `widget.toml`, if `--explore` is used."""
    if file_path.name != "widget.toml" or not parent.config.getoption("--explore", default=0):
        return None
    from awning_harness.explore.explored import ExploredFile  # noqa: PLC0415

    return ExploredFile.from_parent(parent, path=file_path)
