"""The checks of a widget are run ahead: equal trials once, and a check that cannot go on is left to its test."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from awning.workspace.model import WidgetState
from awning_harness.checks import planner
from awning_harness.checks.planner import Planner, run_ahead
from awning_harness.checks.subject import Judgement, Wanted, judge
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import PageLeft
from awning_harness.visit.trial import Trial


class CountingLaboratory:
    """Stands in for a laboratory: it notes which trials run. `lost` are what trials raise, by their width."""

    def __init__(self, lost: dict[int, Exception] | None = None) -> None:
        self.ran: list[Trial] = []
        self.lost = lost or {}

    def observe_ahead(self, trials: Sequence[Trial]) -> None:
        for trial in trials:
            if trial not in self.ran:
                self.ran.append(trial)
                if isinstance(error := self.lost.get(trial.width), Stuck):
                    raise error

    def recall(self, *trials: Trial) -> list[Any]:
        for trial in trials:
            if trial.width in self.lost:
                raise self.lost[trial.width]
        return [trial.width for trial in trials]

    def observe(self, *trials: Trial) -> list[Any]:
        self.observe_ahead(trials)
        return self.recall(*trials)


def trial(width: int) -> Trial:
    state = WidgetState(name="any", title="Any", slot="after-price", payload="P1")
    return Trial(state=state, language="en", width=width)


async def check(seen: list[Any], *widths: int, fails: bool = False, is_alone: bool = False) -> None:
    """Wait for one trial after another, and note what is observed."""
    for width in widths:
        seen += await Wanted([trial(width)], is_alone=is_alone)
        if fails:
            pytest.fail("a defect")


def test_equal_trials_of_checks_are_run_once():
    laboratory, seen = CountingLaboratory(), list[Any]()
    run_ahead(laboratory, [check(seen, 1, 2), check(seen, 2, 1), check(seen, 1)])
    assert [each.width for each in laboratory.ran] == [1, 2]
    assert sorted(seen) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("ends", "laboratory"),
    [
        (check([], 1, 9, fails=True), CountingLaboratory()),
        (check([], 1, 9), CountingLaboratory({1: PageLeft("left")})),
        (check([], 9, is_alone=True), CountingLaboratory()),
    ],
    ids=["fails", "leaves its page", "needs the machine for itself"],
)
def test_other_checks_go_on_when_a_check_cannot_be_run_ahead(ends: Judgement, laboratory):
    seen: list[Any] = []
    run_ahead(laboratory, [ends, check(seen, 2, 3)])
    assert seen == [2, 3]
    assert 9 not in [each.width for each in laboratory.ran]


def test_script_that_never_ends_ends_the_planning():
    laboratory = CountingLaboratory({2: Stuck("never ends")})
    with pytest.raises(Stuck):
        run_ahead(laboratory, [check([], 1, 3), check([], 2)])
    assert [each.width for each in laboratory.ran] == [1, 2]


def test_check_is_judged_with_what_was_run_ahead_and_runs_the_rest_itself():
    laboratory, seen = CountingLaboratory(), list[Any]()
    laboratory.observe_ahead([trial(1)])
    judge(check(seen, 1, 2), laboratory.observe)
    assert seen == [1, 2]
    assert [each.width for each in laboratory.ran] == [1, 2]


def test_page_that_is_left_is_raised_where_the_check_waits():
    with pytest.raises(PageLeft):
        judge(check([], 1), CountingLaboratory({1: PageLeft("left")}).observe)


def test_check_that_waits_for_nothing_passes():
    judge(check([]), CountingLaboratory().observe)


class Item:
    """Stands in for a test of a session. Its file is the first letter of its name, its trial the number in it."""

    def __init__(self, name: str, session: SimpleNamespace) -> None:
        self.path, self.width, self.session = Path(name[0]), int(name[1:]), session


def items(*names: str) -> list[Any]:
    session = SimpleNamespace(items=[])
    session.items += [Item(name, session) for name in names]
    return list(session.items)


@pytest.mark.parametrize(
    ("lost", "widths"),
    [({}, [[1, 3], [1, 3, 2], [1, 3, 2, 4, 5]]), ({1: Stuck("never ends")}, [[1], [1, 2], [1, 2]])],
    ids=["run ahead in portions", "not after one that is stuck"],
)
def test_tests_of_a_widget_are_planned_from_the_first_that_runs(monkeypatch, lost, widths):
    monkeypatch.setattr(planner, "MOST_AHEAD", 2)
    laboratory, planned = CountingLaboratory(lost), Planner()
    first, other, _, next_portion, _ = items("a1", "b2", "a3", "a4", "a5")
    ran = []
    for test in (first, other, next_portion):
        planned.plan(test, laboratory, lambda item: check([], item.width))
        ran.append([each.width for each in laboratory.ran])
    assert ran == widths
