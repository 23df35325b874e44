"""Random lives of a page, in the emulator and in a plain model of the prose: equal traces, equal DOM.

Time is in the hands of the test: document-ready and timers happen when a step says so, which makes a life exact and
lets one page live thousands of them. That the emulator meets the real document-ready is test_deliveries.py's matter.
"""

import random
from typing import Any

import pytest
from event_model import play
from frames import JQUERY, SmallPages
from volumes import volume

from awning.contract.events import EVENT_ASSUMPTIONS

AT_ONCE = 250

PLAYER = """([emulator, jquery, lives]) => lives.map(([answers, steps]) => {
  let state = "loading";
  Object.defineProperty(document, "readyState", { configurable: true, get: () => state });
  const timers = [], escaped = [];
  window.setTimeout = (work) => void timers.push(work);
  document.body.innerHTML = '<div id="A"></div><div id="B"></div>';
  if (jquery) (0, eval)(jquery);
  (0, eval)(emulator);
  awningEmulator.configure(answers);
  const guard = (work) => { try { work(); } catch (error) { escaped.push(error.message); } };
  const act = (actions, init, mine) => actions.forEach(([what, ...rest]) => ({
    init: () => mine.push(init()),
    set: () => mine.length && mine[mine.length - 1].setContent(rest[0]),
    throw: () => { throw new Error("app"); },
    subscribe: () => subscribe(...rest),
    fire: () => fire(...rest),
    later: () => setTimeout(() => act(rest[0], init, mine)),
  })[what]());
  const subscribe = (event, actions) => svcPlugins.subscribeEvent(event, (_, init) => act(actions, init, []));
  const fire = (event) => awningEmulator.fire(event, {});
  const steps_ = {
    subscribe, fire,
    host: (event, box) => awningEmulator.host("#" + box, event, {}),
    ready: () => { state = "interactive"; document.dispatchEvent(new Event("DOMContentLoaded")); },
    turn: () => { for (let work; (work = timers.shift()); ) guard(work); },
    foreign: () => jQuery(() => { throw new Error("foreign"); }),
  };
  steps.forEach(([what, ...rest]) => guard(() => steps_[what](...rest)));
  return {
    trace: awningEmulator.trace().map((one) => [one.kind, one.event, one.subscriber, one.position, one.detail]),
    dom: { A: document.getElementById("A").innerHTML, B: document.getElementById("B").innerHTML },
    escaped,
  };
})"""

EVENTS = ["svc-content-after-price", "svc-content-after-price-updated", "svc-content-after-cart"]
VARIED = [
    "before-ready",
    "after-ready",
    "replay",
    "replay-exception",
    "repeat-first-update",
    "repeat-later-updates",
    "isolation",
    "position",
    "wrapper-enters",
    "second-init",
    "init-in-updated",
    "late-init",
]


class Lives:
    """Makes up lives: answers to what is assumed, and steps."""

    def __init__(self, seed: str, *, jquery: bool) -> None:
        self.chance = random.Random(seed)
        self.jquery = jquery
        self.contents = 0

    def life(self) -> tuple[dict[str, str], list[list[Any]]]:
        before = [self.step() for _ in range(self.chance.randint(0, 6))]
        after = [self.step() for _ in range(self.chance.randint(0, 6))]
        return self.answers(), [*before, ["ready"], *after, ["turn"]]

    def answers(self) -> dict[str, str]:
        profile = self.chance.choice(["documented", "observed", "observed", "hostile"])
        answers = {a.id: getattr(a, profile) for a in EVENT_ASSUMPTIONS.values()}
        for varied in self.chance.sample(VARIED, self.chance.randint(0, 3)):
            answers[varied] = self.chance.choice(EVENT_ASSUMPTIONS[varied].alternatives)
        answers |= {"replay-timing": "now", "foreign-ready-throw": "vanish", "scripts-run": "on"}
        if self.jquery and answers["isolation"] == "none":
            answers["isolation"] = "delivery"
        return answers

    def step(self) -> list[Any]:
        kinds = ["subscribe"] * 5 + ["host"] * 3 + ["fire"] * 3 + ["turn"]
        kind = self.chance.choice(kinds + (["foreign"] if self.jquery and self.chance.random() < 0.1 else []))
        if kind == "subscribe":
            return [kind, self.chance.choice(EVENTS), self.actions(depth=2)]
        if kind == "host":
            return [kind, self.chance.choice([EVENTS[0], EVENTS[0], EVENTS[2]]), self.chance.choice("AAB")]
        return [kind, self.chance.choice(EVENTS)] if kind == "fire" else [kind]

    def actions(self, depth: int) -> list[list[Any]]:
        return [self.action(depth) for _ in range(self.chance.randint(0, 4))]

    def action(self, depth: int) -> list[Any]:
        kinds = ["init"] * 5 + ["set"] * 6 + ["throw"]
        if depth:
            kinds += ["later", "later", "subscribe"]
        kind = self.chance.choice(kinds)
        if kind == "set":
            self.contents += 1
            return [kind, f"<b>{self.contents}</b>"]
        if kind == "later":
            return [kind, self.actions(depth - 1)]
        return [kind, self.chance.choice(EVENTS), self.actions(depth - 1)] if kind == "subscribe" else [kind]


@pytest.mark.parametrize("jquery", [False, True], ids=["no-jquery", "jquery"])
def test_emulator_and_model_live_the_same_lives(
    small_pages: SmallPages, emulator_code: str, jquery: bool
) -> None:
    lives = Lives("awning", jquery=jquery)
    page = small_pages.page.context.new_page()
    page.goto("about:blank")
    left = volume("event-model-jquery") if jquery else volume("event-model")
    seen: set[str] = set()
    while left > 0:
        batch = [lives.life() for _ in range(min(left, AT_ONCE))]
        left -= len(batch)
        found = page.evaluate(PLAYER, [emulator_code, JQUERY.read_text() if jquery else "", batch])
        for (answers, steps), emulated in zip(batch, found, strict=True):
            assert emulated == play(answers, steps, jquery=jquery), (answers, steps)
            seen |= {entry[0] for entry in emulated["trace"]}
    page.close()
    assert seen == {"subscribe", "deliver", "init", "content", "exception", "violation"}
