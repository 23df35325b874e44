"""The tabs that are kept for the next test: at most one of a kind, so that a long run opens no more than it needs."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from awning_harness.visit.frames.tab import FrameTabs
from awning_harness.visit.hosts.other_hosts import PROBE
from awning_harness.visit.pages.tabs import ReusedTab, Tabs, WatchedLocator


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


class RecordedPage:
    """A Playwright page that has a video. It records the calls of its own methods and of the video's."""

    def __init__(self):
        self.calls = []
        self.context = self.video = self

    def close(self):
        self.calls.append("close")

    def save_as(self, file):
        self.calls.append(f"save as {file.name}")

    def delete(self):
        self.calls.append("delete")


@pytest.mark.parametrize(
    ("file", "calls"),
    [
        (None, ["close", "delete"]),
        (Path("video.webm"), ["close", "save as video.webm", "delete"]),
    ],
    ids=["dropped", "wanted"],
)
def test_video_is_written_after_its_tab_is_closed(file, calls):
    page = RecordedPage()
    ReusedTab(page=page, devtools=None, video=file).close()
    assert page.calls == calls


def test_page_that_a_test_takes_from_a_locator_is_not_used_again(origin, browser):
    tabs = Tabs(browser=browser, storefront_url=origin)
    tab = tabs.take()
    block = WatchedLocator(tab.page.locator("body"), tab)
    expect(block).to_be_visible()
    assert not tab.handed_out
    assert block.page is tab.page
    tabs.give_back(tab)
    assert (tabs.free, tab.page.is_closed()) == (None, True)


LATE_TIMERS = """() => {
  const later = window.setTimeout;
  window.setTimeout = (work, ms, ...rest) => later(work, ms || 60, ...rest);
}"""
"""JavaScript that lets the timers of a tab run late, as on a busy machine."""


def delayed(route) -> None:
    """Respond so late that the late timers of the tab have run."""
    time.sleep(0.15)
    route.fulfill(status=204)


@pytest.mark.parametrize("is_intercepted", [False, True])
def test_next_page_is_the_only_one_when_the_tab_prepares_its_frame_late(widget, is_intercepted):
    visit = widget.show("P1", language="en")
    widget.leave_page()
    visit.tab.run(LATE_TIMERS, {})
    visit.tab.leave()
    if is_intercepted:
        visit.tab.page.route(PROBE, delayed)
        widget.answer("https://points.example.com/near.json", {})
    visit = widget.show("P1", language="en")
    visit.tab.handed_out = True  # the next test gets a tab without late timers
    visit.tab.page.wait_for_timeout(100)
    visit.settle()
    assert visit.tab.page.locator("iframe").count() == 1


def test_look_at_a_page_that_is_not_intercepted_sends_no_request(widget):
    visit = widget.show("P1", language="en")
    sent = []
    visit.tab.page.on("request", lambda request: sent.append(request.url))
    visit.settle()
    assert sent == []
