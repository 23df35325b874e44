"""The test that explores one slot of a widget. pytest collects it from `widget.toml` if `--explore` is used."""

from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from awning.workspace import Widget
from awning_harness.checks.collector import widget_at
from awning_harness.explore.lost_pages import reduced
from awning_harness.explore.machine import ExploredPage, World, machine_of
from awning_harness.explore.schedule import ExploredFailure, LostPage
from awning_harness.visit.frames.widget import WidgetBench

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
