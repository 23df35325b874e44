"""Visits of widgets: a visit gives the same record alone and among others; equal visits of checks are made once."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest
from volumes import volume

from awning.workspace import WidgetState
from awning_harness.checks.planner import run_ahead
from awning_harness.checks.situation import states_of
from awning_harness.checks.subject import Judgement, Wanted, judge
from awning_harness.visit.laboratory import Laboratories, Laboratory
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import PageLeft
from awning_harness.visit.trial import Trial

ALONE = 12
"""How many visits are made alone, each in a new tab, to be compared."""


@pytest.fixture(scope="module")
def laboratories(awning_shop, browser) -> Iterator[Laboratories]:
    tabs = Laboratories.of(browser, awning_shop, count=2)
    yield tabs
    tabs.close()


def kinds_of_visits(laboratory: Laboratory, state: WidgetState) -> list[Trial]:
    """Return the state's own page with its steps, among other apps, on a phone with a preference, and replaced."""
    own = laboratory.trial_of(state, "en")
    crowded = {"theme": "crowded", "scenario": "late-neighbour"}
    return [
        own,
        Trial(state=state, language="en", options=crowded),
        Trial(state=state, language="en", width=360, preference="reduced-motion"),
        Trial(
            state=state, language="en", moves=("page", "loaded", "restored", "look"), is_storage_blocked=True
        ),
    ]


def record_of(laboratories: Laboratories, key: str) -> dict[str, Any]:
    return {name: value for name, value in laboratories.results[key].items() if name != "ms"}


def test_visit_gives_the_same_record_alone_and_among_others(laboratories, browser):
    chance = random.Random(3)
    shop = laboratories.shop
    visits: list[tuple[str, Trial]] = []
    for widget in shop.workspace.widgets:
        laboratory = Laboratory(all=laboratories, unit=widget.name)
        visits += [
            (widget.name, trial)
            for state in states_of(widget)
            for trial in kinds_of_visits(laboratory, state)
        ]
    among = [
        (unit, replace(trial, repetition=number))
        for number in range(volume("visits-among-others"))
        for unit, trial in [chance.choice(visits)]
    ]
    for unit, group in groupby(sorted(among, key=lambda _: chance.random()), key=itemgetter(0)):
        Laboratory(all=laboratories, unit=unit).observe_ahead([trial for _, trial in group])
    for unit, trial in chance.sample(among, ALONE):
        alone = Laboratories.of(browser, shop)
        alone.websites = laboratories.websites
        Laboratory(all=alone, unit=unit).observe_ahead([trial])
        (key,) = alone.results
        assert record_of(alone, key) == record_of(laboratories, key)
        alone.close()


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
