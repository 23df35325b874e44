"""What other hosts answer arrives at the same moment in each recording of a page, however busy the machine is."""

import json
import time

import pytest

from awning_harness.comparison.recording import record
from awning_harness.storefront import FixedSnippets, FixedSource

ORDER = "const order = window.order = []; const took = (what) => () => order.push(what);"
GET = "fetch('https://api.example/' + Math.random()).then((answer) => answer.text())"
GET_NINE = f"[...'123456789'].reduce((before) => before.then(() => {GET}), Promise.resolve())"
LATE = "<script src='https://api.example/late.js'></script>"
COUNT = "let count = 0; setInterval(() => count++, 1);"
SYNCHRONOUS = (
    "const get = new XMLHttpRequest(); get.open('GET', 'https://api.example/now', false); get.send();"
)


def answer(route):
    if "late" in route.request.url:
        time.sleep(0.2)
    kind = "text/javascript" if route.request.resource_type == "script" else "text/plain"
    route.fulfill(status=200, body="", content_type=kind, headers={"access-control-allow-origin": "*"})


PAGES = {
    "an answer comes after the page is parsed": (
        f"<script>{ORDER} {GET}.then(took('answer'))</script>{LATE}<script>took('parsed')()</script>",
        ["parsed", "answer"],
    ),
    "answers to what a page asks as it is parsed come before the timers": (
        f"<script>{ORDER} {GET_NINE}.then(took('answers')); setTimeout(took('timer'), 0)</script>",
        ["answers", "timer"],
    ),
    "an answer comes after the timers": (
        f"<script>{ORDER} {COUNT} setTimeout(() => {GET}.then(() => took(count > 900)()), 9)</script>",
        [True],
    ),
    "each answer may lead to another": (
        f"<script>{ORDER} setTimeout(() => {GET}.then(took(1)).then(() => {GET}).then(took(2)), 100)</script>",
        [1, 2],
    ),
    "a page that stands still gets its answer": (
        f"<script>{ORDER} {GET}.then(took('answer')); {SYNCHRONOUS} took(get.status)()</script>",
        [200, "answer"],
    ),
    "a timer that stands still gets its answer": (
        f"<script>{ORDER} setTimeout(() => {{ {SYNCHRONOUS} took(get.status)() }}, 100)</script>",
        [200],
    ),
}


@pytest.mark.parametrize(("body", "order"), PAGES.values(), ids=PAGES)
def test_order_of_a_page_and_its_answers_is_fixed(browser, served, body, order):
    with served(FixedSource(snippets=(FixedSnippets(body=body),))) as url:
        recording = record(browser, f"{url}/en/product/1", answer, styles=False)
    names = recording["scripts"]["seen"]["after"]["names"]
    assert names["order"] == ["object", json.dumps(order, separators=(",", ":"))]
