"""Handlers of `live` that no event reaches, and what the check says about them."""

import pytest

from awning.check.files import check_text
from awning.check.running.dom_events import BUBBLING, NOT_BUBBLING, OTHERS
from awning.contract import Dialect

PROPERTIES = """() => Object.getOwnPropertyNames(window)
  .filter((name) => /^(HTML|SVG|MathML)?[A-Za-z]*Element$|^Document$/.test(name))
  .flatMap((name) => Object.getOwnPropertyNames(window[name]?.prototype ?? {}))
  .concat(Object.getOwnPropertyNames(window))
  .filter((name) => name.startsWith("on"))
  .map((name) => name.slice(2))"""

CASES = {
    "imput .text": 'no element fires "imput": did you mean "input"?',
    "clik button": 'no element fires "clik": did you mean "click"?',
    "Submit form": 'no element fires "Submit": did you mean "submit"?',
    "focus input": '"focus" does not bubble, so that the handler is never called: use "focusin"',
    "toggle details": '"toggle" does not bubble, so that the handler is never called: listen to the element itself',
    "scrollend div": '"scrollend" does not bubble, so that the handler is never called: listen to the element itself',
    "pause video": '"pause" does not bubble, so that the handler is never called: listen to the element itself',
    "click": '"click" has no selector: write "click .more"',
}


def findings_of(key):
    code = f"""import {{ afterPrice, live, remembered }} from "awning";
export default afterPrice(live(() => "", remembered({{
  on: {{ "{key}": (event, field) => field.remove() }},
}})));
"""
    return check_text("widget.ts", code, Dialect()).diagnostics


@pytest.mark.parametrize(("key", "message"), CASES.items())
def test_handler_that_is_never_called_is_reported_in_its_line(key, message):
    [diagnostic] = findings_of(key)
    assert (diagnostic.rule, str(diagnostic.severity), diagnostic.place.line) == (
        "dead-handler",
        "warning",
        3,
    )
    assert message in diagnostic.message


@pytest.mark.parametrize(
    "key",
    [
        "input .text",
        "click .a, .b",
        "slot-chosen select",
        "pointerdown button",
        "cancel input",
        "webkitTransitionEnd div",
    ],
)
def test_handler_for_an_event_that_bubbles_or_is_the_scripts_own_is_not_reported(key):
    assert findings_of(key) == ()


def test_no_event_of_chromium_is_said_to_be_unknown(browser):
    """The properties are in lower case, which some of the events are not."""
    page = browser.new_page()
    names = page.evaluate(PROPERTIES)
    page.close()
    assert {"click", "waitingforkey", "visibilitychange", "pageshow"} <= set(names)
    known = {name.lower() for name in (*BUBBLING, *NOT_BUBBLING, *OTHERS)}
    assert sorted(set(names) - known) == []


def test_each_event_is_in_one_list():
    assert len(BUBBLING | NOT_BUBBLING.keys() | OTHERS) == len(BUBBLING) + len(NOT_BUBBLING) + len(OTHERS)
