"""pytest's options for snapshots, and the counts of their outcomes in the last lines of a run.

A worker process puts the outcome of each snapshot into the report of its test; the main process counts them.
"""

from collections import Counter
from collections.abc import Generator
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


class SnapshotOutcome(StrEnum):
    """The outcome of one snapshot. There is no outcome for a difference, because a difference fails the test."""

    SAME = "same"
    OTHER_BROWSER = "other browser"
    """The structure is the same, and the picture was not compared."""
    WITHOUT_TREE = "without an accessibility tree"
    """The stored snapshot has no accessibility tree, so that of the page was not compared."""
    MISSING = "missing"
    UPDATED = "updated"
    DELETED = "deleted"


OUTCOMES = pytest.StashKey[tuple[SnapshotOutcome, ...]]()
ATTRIBUTE = "awning_snapshots"

SENTENCES = {
    SnapshotOutcome.OTHER_BROWSER: (
        "{states} compared without the picture, which another browser drew; --update-snapshots draws it anew"
    ),
    SnapshotOutcome.WITHOUT_TREE: (
        "{states} compared without the accessibility tree, which the snapshot does not have; "
        "--update-snapshots adds it"
    ),
    SnapshotOutcome.MISSING: (
        "{states} without a snapshot; awning test --update-snapshots stores what they look like now"
    ),
    SnapshotOutcome.UPDATED: "{states} written; look at the changes before you commit them",
    SnapshotOutcome.DELETED: "{states} gone, and their snapshots deleted",
}


class SnapshotOutcomes:
    """A plugin of pytest that counts outcomes."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.when == "call" and OUTCOMES in item.stash:
            setattr(report, ATTRIBUTE, [outcome.value for outcome in item.stash[OUTCOMES]])
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.counts.update(getattr(report, ATTRIBUTE, ()))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for outcome, sentence in SENTENCES.items():
            if count := self.counts[outcome]:
                states = "1 state" if count == 1 else f"{count} states"
                terminalreporter.write_line(f"snapshots: {sentence.format(states=states)}")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(SnapshotOutcomes(), "awning-snapshot-outcomes")
