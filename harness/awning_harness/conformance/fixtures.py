"""The fixtures of the checks: the laboratory of the session, and the widget in the situation of a test.

pytest loads this module in every run, so it imports other modules only when a fixture is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from awning_harness.conformance.laboratory import LaboratoryTab, Trial
    from awning_harness.conformance.situation import Situation
    from awning_harness.conformance.subject import Subject
    from awning_harness.frames.globals import GlobalsWithoutApps
    from awning_harness.frames.widget import WidgetBench
    from awning_harness.shop import Shop
    from awning_harness.testing import Storefront


@pytest.fixture(scope="session")
def laboratory_tab(awning_shop: Shop, browser: Browser) -> Iterator[LaboratoryTab]:
    """The tab in which the checks open frames, for the whole test session."""
    from awning_harness.conformance.laboratory import LaboratoryTab  # noqa: PLC0415

    tab = LaboratoryTab(browser=browser, shop=awning_shop)
    try:
        yield tab
    finally:
        tab.close()


@pytest.fixture
def subject(laboratory_tab: LaboratoryTab, situation: Situation, request: pytest.FixtureRequest) -> Subject:
    """The tested widget in the situation of a check. After a failure, its page is opened again for the report."""
    from awning_harness.conformance.failing_page import open_failing_page  # noqa: PLC0415
    from awning_harness.conformance.laboratory import Laboratory  # noqa: PLC0415
    from awning_harness.conformance.subject import Subject  # noqa: PLC0415

    def show(trial: Trial) -> None:
        storefront: Storefront = request.getfixturevalue("storefront")
        has_updates = any(isinstance(move, dict) and "update" in move for move in trial.moves)
        open_failing_page(storefront, trial, tested.usual.params if has_updates else {})

    unit = laboratory_tab.shop.unit_of(request.path)
    laboratory = Laboratory(tab=laboratory_tab, unit=unit)
    is_thorough = request.config.getoption("--matrix") == "full"
    tested = Subject(laboratory=laboratory, situation=situation, show=show, is_thorough=is_thorough)
    return tested


@pytest.fixture
def dev_widget(
    awning_dev_shop: Shop,
    awning_globals: GlobalsWithoutApps,
    request: pytest.FixtureRequest,
    output_path: str,
) -> Iterator[WidgetBench]:
    """The tested widget in a dev build, which checks types, in a frame. `errors` of a visit also has type errors."""
    from awning_harness.fixtures.widget import bench_for  # noqa: PLC0415

    unit = awning_dev_shop.unit_of(request.path)
    with bench_for(request.node, awning_dev_shop, awning_globals, unit=unit, folder=output_path) as bench:
        yield bench


@pytest.fixture
def pseudo_language(widget: WidgetBench) -> str:
    """The code of the pseudo-language, which is added to the shop of the tested widget."""
    return widget.with_pseudo_language()
