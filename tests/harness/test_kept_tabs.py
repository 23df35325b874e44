"""The tabs that are kept for the next test: at most one of a kind, so that a long run opens no more than it needs."""

import pytest

from awning_harness.frames.tab import FrameTabs
from awning_harness.pages.tabs import Tabs


@pytest.fixture
def origin(awning_shop) -> str:
    return awning_shop.running.storefront_url


@pytest.mark.parametrize("kind", [Tabs, FrameTabs])
def test_second_tab_that_is_given_back_is_closed(kind, origin, browser):
    place = {"storefront_url": origin} if kind is Tabs else {"origin": origin}
    tabs = kind(browser=browser, **place)
    first, second = tabs.take(), tabs.take()
    tabs.give_back(first)
    tabs.give_back(second)
    assert tabs.free is first
    assert (first.page.is_closed(), second.page.is_closed()) == (False, True)
    first.page.context.close()
