"""Counts the outcomes of a run's snapshots, and prints the counts in the last lines of the run.

A worker process puts the outcome of each snapshot into the report of its test; the main process counts them.
"""

from collections import Counter
from collections.abc import Generator
from enum import StrEnum

import pytest


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
