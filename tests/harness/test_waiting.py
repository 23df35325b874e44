"""Time that passes with `visit.wait` on a page and in a frame whose clock stands still.

test_rules_catch.py has a state after a wait.
"""

import re

import pytest

from awning_harness.visit.steps.failures import StepFailed

pytestmark = pytest.mark.unit("delivery-estimate")

NOW = "2026-03-02T11:30:00"

LOG = """() => {
  document.seen = [];
  document.log = (name) => document.seen.push(`${name} ${new Date().toISOString().slice(11, 23)}`);
}"""
"""JavaScript that makes the function `log`, which notes a name and the time of the page's clock in `seen`."""


@pytest.fixture(params=["storefront"])
def visit(request, storefront, widget):
    """A page whose clock stands still at NOW, in a tab or in a frame.

    Both have the same clock. A frame is tried where it is called in another way.
    """
    show = storefront.product if request.param == "storefront" else widget.show
    visit = show("P2", language="en", now=NOW)
    visit.evaluate(LOG)
    return visit


IN_BOTH = pytest.mark.parametrize("visit", ["storefront", "widget"], indirect=True)


def seen(visit):
    return visit.evaluate("() => document.seen.splice(0)")


@IN_BOTH
def test_timers_run_in_order_at_their_times(visit):
    visit.evaluate("""() => {
      setTimeout(document.log, 90_000, "once");
      setInterval(document.log, 60_000, "minute");
      setTimeout(() => { document.log("outer"); setTimeout(document.log, 30_000, "inner"); }, 30_000);
      setTimeout(document.log, 60_000, "same time as the minute, but later");
      setTimeout(document.log, 3_600_000, "too late");
    }""")
    visit.wait(minutes=2)
    assert seen(visit) == [
        "outer 11:30:30.000",
        "minute 11:31:00.000",
        "same time as the minute, but later 11:31:00.000",
        "inner 11:31:00.000",
        "once 11:31:30.000",
        "minute 11:32:00.000",
    ]
    visit.evaluate("() => document.log('now')")
    assert seen(visit) == ["now 11:32:00.000"]


def test_promises_settle_between_timers(visit):
    visit.evaluate("""() => {
      const settle = async () => { for (let n = 0; n < 20; n++) await 0; };
      const then = () => { document.log("promise"); setTimeout(document.log, 500, "then"); };
      setTimeout(() => settle().then(then), 10_000);
      setTimeout(document.log, 20_000, "timer");
    }""")
    visit.wait(seconds=20)
    assert seen(visit) == ["promise 11:30:10.000", "then 11:30:10.500", "timer 11:30:20.000"]


def test_cleared_timers_do_not_run(visit):
    visit.evaluate("""() => {
      clearTimeout(setTimeout(document.log, 10_000, "cleared"));
      clearTimeout(setInterval(document.log, 10_000, "cleared by the other function"));
      let count = 0;
      const id = setInterval(() => { document.log("interval"); if (++count === 2) clearInterval(id); }, 10_000);
    }""")
    visit.wait(minutes=1)
    assert seen(visit) == ["interval 11:30:10.000", "interval 11:30:20.000"]


def test_animation_frame_sees_the_new_time(visit):
    visit.evaluate(
        "() => { const again = () => { document.last = Date.now(); requestAnimationFrame(again); }; again(); }"
    )
    visit.wait(minutes=10)
    assert visit.evaluate("() => new Date(document.last).toISOString().slice(11, 16)") == "11:40"


def test_timers_run_in_real_time_until_the_first_wait(visit):
    assert visit.evaluate("() => new Promise((done) => setTimeout(done, 500, 'timer'))") == "timer"
    visit.evaluate("() => setTimeout(document.log, 450, 'first')")
    visit.evaluate("() => new Promise((done) => setTimeout(done, 600))")
    assert seen(visit) == ["first 11:30:00.000"]
    visit.wait(seconds=1)
    assert seen(visit) == []


def test_after_a_wait_only_short_timers_run_in_real_time(visit):
    visit.evaluate("() => setInterval(document.log, 2000, 'older')")
    visit.wait(seconds=3)
    assert seen(visit) == ["older 11:30:02.000"]
    visit.evaluate("() => setTimeout(document.log, 500, 'newer')")
    visit.evaluate("""async () => {
      for (let n = 0; n < 7; n++) await new Promise((done) => setTimeout(done, 300));
      document.log("short");
    }""")
    assert seen(visit) == ["short 11:30:03.000"]
    visit.wait(seconds=1)
    assert seen(visit) == ["newer 11:30:03.500", "older 11:30:04.000"]


@IN_BOTH
def test_wait_leaves_no_global_on_the_page(visit):
    visit.wait(hours=1)
    assert visit.leaked_globals() == []


@IN_BOTH
@pytest.mark.allow_problems("no luck", reason="the timer throws")
def test_exception_of_a_timer_is_reported_and_the_next_timer_runs(visit):
    visit.evaluate(
        "() => { setTimeout(() => { throw new Error('no luck') }, 10_000); setTimeout(document.log, 20_000, 'next'); }"
    )
    visit.wait(seconds=30)
    assert seen(visit) == ["next 11:30:20.000"]
    assert [text for text in visit.errors if "no luck" in text]


@IN_BOTH
def test_timers_without_an_end_are_reported(visit, monkeypatch):
    monkeypatch.setattr("awning_harness.visit.steps.page_steps.WITHIN_MS", 300)
    visit.evaluate("() => { const again = () => setTimeout(again, 0); again(); }")
    with pytest.raises(StepFailed, match=re.escape("the page's timers take more than 0.3 s")):
        visit.wait(hours=1)


@pytest.mark.parametrize("duration", [{}, {"hours": 2}, {"minutes": -1}])
def test_impossible_duration_is_refused(visit, duration):
    with pytest.raises(StepFailed, match="seconds"):
        visit.wait(**duration)


def test_frame_without_now_does_not_wait(widget):
    with pytest.raises(StepFailed, match="open the page with `now`"):
        widget.show("P2", language="en").wait(minutes=10)
