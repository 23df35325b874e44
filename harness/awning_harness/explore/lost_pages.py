"""Reduces a schedule after which a page no longer responds.

Hypothesis does not reduce it, because this would take too long: Hypothesis plays many schedules that fail, and each of
these takes the whole time limit of a page. This module plays the shortest schedules first, and stops at the first that
fails. So only one takes the time limit.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from playwright.sync_api import Error

from awning_harness.explore.schedule import ExploredFailure, LostPage, Schedule
from awning_harness.visit.frames.widget import WidgetBench, open_bench
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import StepFailed

MOST_EARLIER_CALLS = 2
"""How many calls a shorter schedule has at most before the last call. A schedule of 20 calls has 191 shorter ones."""


def reduced(lost: LostPage, bench: WidgetBench) -> ExploredFailure:
    """Return the failure with the shortest schedule that loses the page; with the whole schedule if none is found.

    The schedule of a closed page is not reduced, because the browser may have ended.
    """
    if not bench.tab.is_stuck:
        return ExploredFailure(lost.why, lost.schedule, is_shortest=False)
    schedules = (schedule for schedule in _shorter(lost.schedule) if _loses_page(schedule, bench))
    shortest = next(schedules, None)
    has_played_all = len(lost.schedule.calls) <= MOST_EARLIER_CALLS + 2
    is_shortest = shortest is not None or has_played_all
    return ExploredFailure(lost.why, shortest or lost.schedule, is_shortest=is_shortest)


def _shorter(schedule: Schedule) -> Iterator[Schedule]:
    """Yield the shorter schedules with the same last call, the shortest first."""
    earlier, last = schedule.calls[:-1], schedule.calls[-1:]
    for count in range(min(len(earlier), MOST_EARLIER_CALLS + 1)):
        for calls in combinations(earlier, count):
            yield replace(schedule, calls=(*calls, *last))


def _loses_page(schedule: Schedule, bench: WidgetBench) -> bool:
    """Play a schedule on a website of its own. Returns whether its page no longer responds."""
    with open_bench(bench.shop, bench.globals_without_apps, unit=bench.unit) as other:
        try:
            schedule.perform(other)
        except (StepFailed, Error):  # a page that closes is another failure
            return False
        except Stuck:
            return True
    return False
