"""Runs the trials of many checks ahead, side by side in several tabs.

A check is a coroutine that waits for trials (`Subject.observe`) and judges what was observed in them. The planner
begins every check of a widget, runs the trials that they wait for, each only once, and goes on with each check until it
ends. The tests then run the checks again, with what was observed. So the planner decides nothing: what it cannot run
ahead, a test runs itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import dropwhile, islice
from pathlib import Path

import pytest
from playwright.sync_api import Error

from awning_harness.checks.subject import Judgement, Wanted
from awning_harness.visit.laboratory import Laboratory
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.trial import Observed

MOST_AHEAD = 250
"""The most tests whose trials are run ahead at once. With `--matrix full`, a widget may have 20 times as many, and the
first test of a portion waits for all of them."""


@dataclass(slots=True, kw_only=True)
class Planner:
    """The tests of a session whose trials were run ahead, and the `widget.toml` of the widgets in which that failed."""

    done: set[pytest.Item] = field(default_factory=set)
    stuck: set[Path] = field(default_factory=set)

    def plan(
        self, test: pytest.Item, laboratory: Laboratory, begin: Callable[[pytest.Item], Judgement | None]
    ) -> None:
        """Run the trials of a test ahead, with those of the next tests of its widget, unless that is done.

        `begin` begins the check of a test; it returns None for a test that is no check. After a script that never ends,
        or a page that crashes, no further trials of the widget are run ahead: each test waits for its own.
        """
        if test in self.done or test.path in self.stuck:
            return
        following = dropwhile(lambda item: item is not test, test.session.items)
        tests = [*islice((item for item in following if item.path == test.path), MOST_AHEAD)]
        self.done.update(tests)
        begun = [check for item in tests if (check := begin(item))]
        try:
            run_ahead(laboratory, begun)
        except (Stuck, Error):
            self.stuck.add(test.path)
        for check in begun:
            check.close()


def run_ahead(laboratory: Laboratory, checks: Sequence[Judgement]) -> None:
    """Run the trials that checks wait for. Raises Stuck."""
    waiting = [(check, wanted) for check in checks if (wanted := _go_on(check, lambda: None))]
    while waiting:
        laboratory.observe_ahead([trial for _, wanted in waiting for trial in wanted.trials])
        waiting = [
            (check, further)
            for check, wanted in waiting
            if (further := _go_on(check, partial(laboratory.recall, *wanted.trials)))
        ]


def _go_on(check: Judgement, recall: Callable[[], list[Observed] | None]) -> Wanted | None:
    """Run a check until it waits for further trials. Returns None if it ends, or if they cannot be run ahead.

    `recall` returns what was observed in the trials that it waits for. How a check ends does not count: its test runs
    it again.
    """
    try:
        further = check.send(recall())  # type: ignore[arg-type]
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - also a defect of the check is left to its test
        return None
    return None if further.is_alone else further
