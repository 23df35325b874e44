"""pytest's options for snapshots."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest

PICTURE_FOLDER = "pictures"
"""The folder with the pictures for the report, in the folder of the results."""


class PictureChoice(StrEnum):
    """The languages in which a run takes pictures."""

    FIRST = "first"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotOptions:
    """What a run does with snapshots. `picture_folder` gets the pictures for the report; None without a report."""

    update: bool
    pictures: PictureChoice
    picture_folder: Path | None

    @classmethod
    def by(cls, config: pytest.Config) -> "SnapshotOptions":
        output = Path(config.getoption("--output"))
        return cls(
            update=config.getoption("--update-snapshots"),
            pictures=PictureChoice(config.getoption("--pictures")),
            picture_folder=output / PICTURE_FOLDER if config.getoption("--awning-report") else None,
        )


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--update-snapshots",
        action="store_true",
        help="store what every state looks like now, and delete the snapshots of states that are gone",
    )
    group.addoption(
        "--pictures",
        choices=[choice.value for choice in PictureChoice],
        default=PictureChoice.FIRST.value,
        help="the languages that get pictures, stored and in the report: the widget's first (the default), all or none",
    )
