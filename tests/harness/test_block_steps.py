"""The steps of a shopper in the widget's block: what they cause, and how impossible steps fail."""

import re

import pytest
from tests.profile.block_actions import ACTIONS, BLOCK, REFUSED

from awning_harness.visit.steps import page_steps as steps
from awning_harness.visit.steps.failures import StepFailed

pytestmark = pytest.mark.unit("delivery-estimate")


WITH_OBSTACLE = [words for words, why in REFUSED.items() if why.startswith("a shopper cannot")]
WAITED_FOR = {'click "#nothing"': 300, 'click "#hidden"': 300, **dict.fromkeys(WITH_OBSTACLE, 600)}
"""The steps that fail only after a wait, and the wait in milliseconds.

With an obstacle it is longer, so that even a slow machine finds the element before the wait ends.
"""


@pytest.fixture(params=["storefront", "widget"])
def open_form(request, browser):
    """Opens a product page whose block has a form, in a tab of its own and in a frame."""
    opener = request.getfixturevalue(request.param)

    def open_page():
        visit = opener.product("P2", language="en") if request.param == "storefront" else opener.show("P2")
        visit.block.evaluate(BLOCK)
        return visit

    return open_page


@pytest.fixture
def visit(open_form):
    return open_form()


def test_steps_in_the_block_cause_the_events_of_a_shopper(open_form):
    caused = {}
    for name, (words, _) in ACTIONS.items():
        visit = open_form()
        for step in words:
            visit.step(step)
        caused[name] = visit.block.get_attribute("data-events")
    assert caused == {name: events for name, (_, events) in ACTIONS.items()}


def test_an_impossible_or_useless_step_in_the_block_is_refused(visit, monkeypatch):
    for words, why in REFUSED.items():
        monkeypatch.setattr(steps, "WITHIN_MS", WAITED_FOR.get(words, 5000))
        with pytest.raises(StepFailed, match=re.escape(why)):
            visit.step(words)


def test_a_covered_element_is_reported_with_what_covers_it(visit, monkeypatch):
    monkeypatch.setattr(steps, "WITHIN_MS", 1000)
    visit.evaluate(
        "document.body.insertAdjacentHTML('beforeend',"
        """'<div class="veil" style="position:fixed;inset:0"></div>')"""
    )
    with pytest.raises(StepFailed, match='reach the element: <div class="veil"></div> covers it'):
        visit.step('check "#agree"')


def test_an_element_below_a_fixed_header_is_scrolled_to_where_nothing_covers_it(visit):
    visit.block.evaluate(
        """(block) => {
          document.body.style.paddingBlock = "3000px";
          document.body.insertAdjacentHTML("beforeend",
            "<div style='position:fixed;inset:0 0 auto;height:120px'></div>");
          block.insertAdjacentHTML("beforeend",
            "<button type=button id=low onclick='this.textContent = `pressed`'>Low</button>");
          document.getElementById("low").scrollIntoView({ block: "start" });
        }"""
    )
    visit.step('click "#low"')
    assert "pressed" in visit.text()


def test_a_click_hits_an_element_whose_first_box_is_empty(visit):
    visit.block.evaluate(
        """(block) => block.insertAdjacentHTML("beforeend", "<p style='width:5ch'>aaaa <a id=wraps href='#there'>\
        <span></span><br>here</a></p>")"""
    )
    visit.step('click "#wraps"')
    assert visit.evaluate("location.hash") == "#there"


def test_a_click_may_do_what_the_browser_allows_after_a_click(visit):
    visit.block.evaluate(
        """(block) => block.insertAdjacentHTML("beforeend", "<button type=button id=copy onclick=\'\
        navigator.clipboard.writeText(`X`).then(() => this.textContent = `copied`, (e) => this.textContent = e)\
        \'>Copy</button>")"""
    )
    visit.step('click "#copy"')
    visit.block.get_by_text("copied").wait_for()


def test_a_field_behind_a_modal_dialog_is_refused(visit, monkeypatch):
    monkeypatch.setattr(steps, "WITHIN_MS", 600)
    visit.evaluate("document.body.appendChild(document.createElement('dialog')).showModal()")
    with pytest.raises(StepFailed, match="reach the element: it is inert"):
        visit.step('type "#note" "Hi"')


def test_a_step_waits_until_its_obstacle_has_gone(visit):
    visit.block.evaluate("() => setTimeout(() => document.querySelector('#readonly').readOnly = false, 100)")
    visit.step('type "#readonly" "B"')
    assert visit.evaluate("document.querySelector('#readonly').value") == "B"


def test_a_step_waits_for_an_element_that_comes_late(visit):
    visit.block.evaluate(
        """(block) => setTimeout(() => block.insertAdjacentHTML("beforeend",
        "<button type=button id=late onclick='this.textContent = `pressed`'>Late</button>"), 100)"""
    )
    visit.step('click "#late"')
    assert "pressed" in visit.text()


def test_selector_that_the_browser_cannot_read_is_refused(visit, monkeypatch):
    monkeypatch.setattr(steps, "WITHIN_MS", 300)
    with pytest.raises(StepFailed, match=re.escape("p[")):
        visit.step("click 'p['")
