"""The fixture `widget`. The modules that it needs are imported when a test uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from awning_harness.frames import FrameTabs
    from awning_harness.page_globals import GlobalsWithoutApps
    from awning_harness.shop import Shop
    from awning_harness.widget import WidgetBench

BENCH = pytest.StashKey["WidgetBench"]()
"""The bench of a test."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test after which the page of its widget has problems that no marker allows."""
    yield
    bench = item.stash.get(BENCH, None)
    if bench is not None:
        from awning_harness.page_problems import require_none  # noqa: PLC0415

        require_none(bench.problems(), item)


@pytest.fixture(scope="session")
def awning_frame_tabs(awning_shop: Shop, browser: Browser) -> FrameTabs:
    from awning_harness.frames import FrameTabs  # noqa: PLC0415

    return FrameTabs(browser=browser, origin=awning_shop.running.storefront_url)


@pytest.fixture(scope="session")
def awning_globals(awning_shop: Shop) -> Iterator[GlobalsWithoutApps]:
    from awning_harness.page_globals import GlobalsWithoutApps  # noqa: PLC0415
    from awning_harness.sent_pages import open_sent_pages  # noqa: PLC0415

    with open_sent_pages(awning_shop.running.storefront_url) as pages:
        yield GlobalsWithoutApps(shop=awning_shop, pages=pages)


@pytest.fixture
def widget(
    awning_shop: Shop,
    awning_frame_tabs: FrameTabs,
    awning_globals: GlobalsWithoutApps,
    request: pytest.FixtureRequest,
) -> Iterator[WidgetBench]:
    """The widget in whose folder the test is, else the whole app, in a frame: `widget.show("P1").text()`.

    `@pytest.mark.unit("app")` chooses another unit.
    """
    from awning_harness.widget import open_bench  # noqa: PLC0415

    marker = request.node.get_closest_marker("unit")
    unit = marker.args[0] if marker else awning_shop.unit_of(request.path)
    with open_bench(awning_shop, awning_frame_tabs, awning_globals, unit=unit) as bench:
        request.node.stash[BENCH] = bench
        yield bench
        del request.node.stash[BENCH]
