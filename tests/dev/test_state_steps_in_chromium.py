"""The page of a state takes its steps in the widget's block, with the same events as in tests, and reports failures."""

import json

import pytest
from playwright.sync_api import Page, expect
from tests.profile.block_actions import ACTIONS, BLOCK, REFUSED

SNIPPET = """<script>
svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => {
  const root = document.createElement("div");
  init().setContent(root);
  (%s)(root);
});
svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init, params, updated) => {
  document.querySelector("[data-order] > div").dataset.variant = updated.selectedVariantId;
});
</script>"""
FORM = "[data-order] > div"


@pytest.fixture
def states(workshop, served, tab: Page):
    """`states(steps_by_state)` writes states with these steps, and further lines of TOML.

    It returns a function that opens the page of a state.
    """

    def write(steps_by_state, more=""):
        workshop.session.apply(workshop.shows("hi"))
        workshop.session.unit = lambda name: {f"widgets/{name}/body.html": SNIPPET % BLOCK}
        texts = "".join(
            f'[[state]]\nname = "{name}"\ntitle = "T"\npayload = "P1"\nsteps = {json.dumps(list(steps))}\n{more}\n'
            for name, steps in steps_by_state.items()
        )
        (workshop.root / "widgets/hello/states.toml").write_text(texts)
        return lambda name: tab.goto(f"{served.url}/_awning/state/hello/{name}/en")

    return write


def test_page_of_a_state_causes_the_events_that_tests_cause(states, tab):
    names = {f"s{number}": name for number, name in enumerate(ACTIONS)}
    open_state = states({state: ACTIONS[name][0] for state, name in names.items()})
    caused = {}
    for state, name in names.items():
        open_state(state)
        tab.locator("html[data-staged]").wait_for(state="attached")
        expect(tab.locator(FORM)).to_have_attribute("data-events", ACTIONS[name][1])
        caused[name] = tab.locator("[role=alert]").count()
    assert caused == dict.fromkeys(ACTIONS, 0)


SOON = "const now = performance.now.bind(performance); performance.now = () => now() * 20;"
"""Makes the 5 s that the page waits for a step a quarter of a second."""


def test_page_of_a_state_names_a_step_that_is_not_possible(states, tab):
    tab.add_init_script(SOON)
    words = 'click "#nothing"'
    states({"waiting": [words]})("waiting")
    expect(tab.get_by_role("alert")).to_have_text(f"The step {words}: {REFUSED[words]}")


def test_steps_in_the_block_and_on_the_page_keep_their_order(states, tab):
    states({"mixed": ("select M/Blue", 'type "#note" "Hi"', "select L/Blue")})("mixed")
    expect(tab.locator(FORM)).to_have_attribute("data-variant", "106")
    expect(tab.locator(FORM)).to_have_attribute("data-events", "input note Hi; change note Hi")


def test_page_of_a_state_moves_its_clock_between_its_other_steps(states, tab):
    clock = """() => {
      const form = document.querySelector("[data-order] > div");
      const show = () => form.dataset.seen = [form.dataset.variant, new Date().toISOString().slice(11, 19)].join(" ");
      setInterval(show, 1000);
    }"""
    tab.add_init_script(f"addEventListener('load', {clock})")
    steps = ["select M/Blue", "wait 10 minutes", "select L/Blue"]
    states({"late": steps}, 'now = "2026-03-02T10:30:00"')("late")
    expect(tab.locator(FORM)).to_have_attribute("data-variant", "106")
    expect(tab.locator(FORM)).to_have_attribute("data-seen", "104 10:40:00")
    assert tab.get_by_role("alert").count() == 0


def test_page_of_a_state_names_a_wait_that_its_timers_do_not_let_end(states, tab):
    tab.add_init_script(SOON)
    tab.add_init_script(
        "addEventListener('load', () => { const again = () => setTimeout(again, 0); again(); })"
    )
    states({"busy": ["wait 1 hour"]}, 'now = "2026-03-02T10:30:00"')("busy")
    expect(tab.get_by_role("alert")).to_have_text(
        "The step wait 1 hour: the page's timers take more than 5 s"
    )
