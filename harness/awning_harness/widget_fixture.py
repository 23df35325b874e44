"""The fixtures `widget` and `render`. The modules that they need are imported when a test uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from awning_harness.page_globals import GlobalsWithoutApps
    from awning_harness.render import Renderer
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
def awning_globals(awning_shop: Shop, browser: Browser) -> Iterator[GlobalsWithoutApps]:
    """The globals of the shop's pages without apps, and the tab with frames that shows them."""
    from awning_harness.page_globals import open_globals  # noqa: PLC0415

    with open_globals(awning_shop, browser) as without_apps:
        yield without_apps


@pytest.fixture
def widget(
    awning_shop: Shop,
    awning_globals: GlobalsWithoutApps,
    request: pytest.FixtureRequest,
) -> Iterator[WidgetBench]:
    """The widget in whose folder the test is, else the whole app, in a frame: `widget.show("P1").text()`.

    `@pytest.mark.unit("app")` chooses another unit.
    """
    from awning_harness.widget import open_bench  # noqa: PLC0415

    marker = request.node.get_closest_marker("unit")
    unit = marker.args[0] if marker else awning_shop.unit_of(request.path)
    with open_bench(awning_shop, awning_globals, unit=unit) as bench:
        request.node.stash[BENCH] = bench
        yield bench
        del request.node.stash[BENCH]


@pytest.fixture(scope="session")
def awning_renderers() -> dict[str, Renderer]:
    """The renderers by widget, which keep the compiled templates."""
    return {}


@pytest.fixture
def render(
    awning_renderers: dict[str, Renderer], request: pytest.FixtureRequest, pytestconfig: pytest.Config
) -> Renderer:
    """The templates and messages of the widget in whose folder the test is, without a browser.

    `@pytest.mark.unit("name")` chooses another widget.
    """
    from awning_harness.render import open_renderer  # noqa: PLC0415

    marker = request.node.get_closest_marker("unit")
    key = marker.args[0] if marker else str(request.path.parent)
    if key not in awning_renderers:
        awning_renderers[key] = open_renderer(
            pytestconfig.rootpath, test=request.path, name=marker.args[0] if marker else None
        )
    return awning_renderers[key]
