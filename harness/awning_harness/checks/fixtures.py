"""The fixtures of the checks: the laboratory of the session, and the widget in the situation of a test.

pytest loads this module in every run, so it imports other modules only when a fixture is used.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from playwright.sync_api import Browser

    from awning_harness.checks.planner import Planner
    from awning_harness.checks.situation import Situation
    from awning_harness.checks.subject import Judgement, Subject
    from awning_harness.shop import Shop
    from awning_harness.testing import Storefront
    from awning_harness.visit.laboratory import LaboratorySession
    from awning_harness.visit.trial import Trial


SECONDS = pytest.StashKey["dict[str, Callable[[], float]]"]()
"""What returns the seconds to add to the duration of a phase of a test, by phase."""


@pytest.fixture(scope="session")
def laboratories(
    awning_shop: Shop,
    browser: Browser,
    pytestconfig: pytest.Config,
    request: pytest.FixtureRequest,
) -> Iterator[LaboratorySession]:
    """The tabs in which the checks open frames, for the whole test session."""
    from awning_harness.runs.processes import number_of_tabs  # noqa: PLC0415
    from awning_harness.visit.laboratory import LaboratorySession  # noqa: PLC0415

    tabs = LaboratorySession.of(
        browser,
        awning_shop,
        make_dev_shop=lambda: request.getfixturevalue("awning_dev_shop"),
        count=number_of_tabs(pytestconfig),
    )
    try:
        yield tabs
    finally:
        tabs.close()


@pytest.fixture(scope="session")
def awning_planner() -> Planner:
    """What was run ahead in this session."""
    from awning_harness.checks.planner import Planner  # noqa: PLC0415

    return Planner()


@pytest.fixture
def subject(
    laboratories: LaboratorySession,
    awning_planner: Planner,
    situation: Situation,
    request: pytest.FixtureRequest,
) -> Subject:
    """The tested widget in the situation of a check. After a failure, its page is opened again for the report.

    The first test of a widget also runs the trials of the widget's next tests in this process, ahead of them.
    """
    from awning_harness.checks.failing_page import open_failing_page  # noqa: PLC0415
    from awning_harness.checks.outcomes import note_failing_page  # noqa: PLC0415
    from awning_harness.checks.subject import Subject  # noqa: PLC0415
    from awning_harness.runs.processes import runs_whole_files  # noqa: PLC0415
    from awning_harness.visit.laboratory import Laboratory  # noqa: PLC0415

    def show(trial: Trial, text: str | None) -> None:
        note_failing_page(request.node, trial)
        storefront: Storefront = request.getfixturevalue("storefront")
        open_failing_page(storefront, trial, text)

    def subject_in(own: Situation) -> Subject:
        return Subject(
            laboratory=laboratory,
            situation=own,
            show=lambda *_: None,
            request=request,
            is_thorough=request.config.getoption("--matrix") == "full",
        )

    laboratory = Laboratory(session=laboratories, unit=laboratories.shop.unit_of(request.path))
    began = perf_counter()
    if runs_whole_files(request.config):
        awning_planner.plan(request.node, laboratory, lambda test: begin_check(test, subject_in))
    planning, spent = perf_counter() - began, laboratories.spent
    request.node.stash[SECONDS] = {"setup": lambda: -planning, "call": lambda: laboratories.spent - spent}
    return replace(subject_in(situation), show=show)


def begin_check(test: pytest.Item, subject_in: Callable[[Situation], Subject]) -> Judgement | None:
    """Begin the check of a test for its situation; None for a test that waits for no trials."""
    from awning_harness.checks.collector import coroutine_of  # noqa: PLC0415

    check = coroutine_of(test) if isinstance(test, pytest.Function) else None
    if check is None:
        return None
    situation: Any = test.callspec.params["situation"]  # type: ignore[attr-defined]
    return check(subject_in(situation))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count what was run ahead in the duration of the test that uses it, and not in that of the widget's first test."""
    report = yield
    if seconds := item.stash.get(SECONDS, {}).get(call.when):
        report.duration += seconds()
    return report
