"""The test that explores one slot of a widget. pytest collects it from `widget.toml` if `--explore` is used."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test
from playwright.sync_api import Error

from awning.workspace.model import Widget
from awning_harness.checks.collector import widget_at
from awning_harness.explore.machine import ExploredPage, World, machine_of
from awning_harness.explore.schedule import ExploredFailure, LostPage, Schedule
from awning_harness.visit.frames.widget import WidgetBench, open_bench
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import StepFailed

LONGEST = 10
"""The most actions of a schedule."""

DEPENDS_ON_TIME = (
    "Played again, the same schedule passed or took another course: its outcome depends on time."
)


class ExploredFile(pytest.Module):
    """The exploration of one widget, with a test for each of its slots."""

    @property
    def widget(self) -> Widget:
        return widget_at(self.path)

    def _getobj(self) -> ModuleType:
        """Return a module with the test, or without one for a widget that has no slot.

        `path` is not a Python file, so pytest cannot import it.
        """
        module = ModuleType("awning_explored")
        if not self.widget.slots:
            return module
        vars(module).update(test_explored=explore, pytest_generate_tests=each_slot)
        return module


def each_slot(metafunc: pytest.Metafunc) -> None:
    """Parametrise the test by the widget's slots."""
    file = metafunc.definition.getparent(ExploredFile)
    if file is not None:
        metafunc.parametrize("slot", file.widget.slots)


def explore(widget: WidgetBench, slot: str, request: pytest.FixtureRequest) -> None:
    """Play schedules, and fail with the shortest one that breaks something."""
    config = request.config
    world = World.of(widget_at(request.path), slot, widget.shop.workspace.store)
    machine = machine_of(widget, world)
    try:
        play(machine, count=config.getoption("--explore"), seeded_with=config.getoption("--seed"))
    except ExploredFailure as failure:
        text = _describe(failure)
    except LostPage as lost:
        text = _describe(reduced(lost, widget))
    except Flaky:
        if machine.failure is None:
            raise
        machine.failure.is_shortest = False
        text = f"{_describe(machine.failure)}\n{DEPENDS_ON_TIME}\n"
    else:
        return
    pytest.fail(text, pytrace=False)


def play(machine: type[ExploredPage], *, count: int, seeded_with: int) -> None:
    """Play schedules of a machine.

    Raises ExploredFailure with the shortest one that breaks something, and LostPage with the first one that loses its
    page.
    """
    limits = settings(
        max_examples=count,
        stateful_step_count=LONGEST,
        deadline=None,
        database=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=tuple(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    run_state_machine_as_test(seed(seeded_with)(machine), settings=limits)


def _describe(failure: ExploredFailure) -> str:
    schedule = "shortest schedule" if failure.is_shortest else "schedule"
    heading = f"The {schedule} that breaks it, as a test to paste beside the widget:"
    return f"{failure.why}\n\n{heading}\n\n{failure.test}\n"


MOST_EARLIER_CALLS = 2
"""How many calls a shorter schedule has at most before the last call. A schedule of 20 calls has 191 shorter ones."""


def reduced(lost: LostPage, bench: WidgetBench) -> ExploredFailure:
    """Return the failure with the shortest schedule that loses the page; with the whole schedule if none is found.

    Hypothesis does not reduce it: it plays many schedules that fail, and each of these takes the whole time limit of a
    page. Here the shortest are played first, up to the first that fails, so only one takes the time limit.

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
