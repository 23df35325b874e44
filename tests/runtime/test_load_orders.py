"""Two apps, a host, two updates and document-ready, in every order they can happen, in every profile.

If the service delivers any event to an app, the content of the app appears once, up to date, and in the order in which
the apps were loaded.
"""

import json
from itertools import permutations

import pytest
from frames import SmallPages
from shop_scripts import SHOP, Snippet
from volumes import volume

STEPS = ("app a", "app b", "host", "update 2", "update 3", "ready")
WIDGET = "({ variant }) => NAME + (variant ? variant.id : '')"

DO = """
window.errors = [];
addEventListener("error", (event) => errors.push(event.message));
const [steps, apps] = JSON.parse(document.getElementById("data").textContent);
const load = (name) => {
  const script = document.createElement("script");
  script.text = apps[name];
  document.head.append(script);
};
const act = {
  host: () => product(), "update 2": () => select("2"), "update 3": () => select("3"),
  "app a": () => load("a"), "app b": () => load("b"),
};
// A delivery by timer, and its repeat by another, are over before the next step.
const turns = async () => { for (let left = 4; left--; ) await turn(); };
const at = steps.indexOf("ready");
steps.slice(0, at).forEach((step) => act[step]());
window.settled = new Promise((done) => addEventListener("load", async () => {
  await turns();
  for (const step of steps.slice(at + 1)) {
    act[step]();
    await turns();
  }
  done();
}));
"""
RESULT = """[box().textContent, errors,
  awningEmulator.trace().filter((entry) => entry.kind === "violation").map((entry) => entry.detail)]"""


def is_possible(steps: tuple[str, ...]) -> bool:
    """Whether an order is possible: an update before its host is no event, and the second update comes second."""
    return steps.index("host") < steps.index("update 2") < steps.index("update 3")


ORDERS = [steps for steps in permutations(STEPS) if is_possible(steps)]


def expected(steps: tuple[str, ...], profile: str) -> str:
    """The final text of the box, derived from the profile's answers alone."""
    ready, host, last = (steps.index(step) for step in ("ready", "host", "update 3"))
    # Without a replay, an app that is loaded after the delivery gets no event.
    delivered = [
        step[-1]
        for at, step in enumerate(steps)
        if step.startswith("app") and (profile != "documented" or at < max(host, ready))
    ]
    # Observed: a timer repeats the first update. If both updates wait for ready, it does so after the second one.
    repeated_last = profile == "observed" and last < ready
    return "".join(f"{app}{'2' if repeated_last else '3'}" for app in delivered)


@pytest.mark.parametrize(
    ("profile", "jquery"),
    [("documented", False), ("observed", False), ("observed", True), ("hostile", False)],
)
def test_content_appears_once_up_to_date_and_in_app_order(
    small_pages: SmallPages, snippet: Snippet, profile: str, jquery: bool
) -> None:
    apps = {name: snippet(WIDGET.replace("NAME", f"'{name}'"), name=name) for name in "ab"}
    orders = ORDERS[:: len(ORDERS) // volume("load-orders")]
    pages = [
        small_pages.html(
            SHOP + DO, jquery=jquery, configure=f"'{profile}'", body=BOX + data_script([steps, apps])
        )
        for steps in orders
    ]
    texts = small_pages.gather(pages, RESULT)
    wrong = {
        steps: text
        for steps, text in zip(orders, texts, strict=True)
        if text != [expected(steps, profile), [], []]
    }
    assert wrong == {}
    assert len(ORDERS) == 120


BOX = '<div id="box"></div>'


def data_script(value: object) -> str:
    return f'<script type="application/json" id="data">{json.dumps(value)}</script>'
