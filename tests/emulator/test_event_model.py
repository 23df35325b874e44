"""Random page lives in the emulator and in a plain model of the documentation have equal traces and equal DOM.

The test controls time: document-ready and timers happen at a step. So a life is deterministic, and one page can run
thousands of lives. test_deliveries.py tests the real document-ready.
"""

import random
from typing import Any

import pytest
from event_model import NESTED, play
from frames import JQUERY, SmallPages
from volumes import volume

from awning.contract.assumptions import ASSUMPTIONS, assumptions_of

AT_ONCE = 250

PLAYER = """([emulator, jquery, lives]) => lives.map(([answers, steps]) => {
  let state = "loading", nested = 0;
  const timers = [], escaped = [], seen = [], added = [], listen = EventTarget.prototype.addEventListener;
  Object.defineProperty(document, "readyState", { configurable: true, get: () => state });
  EventTarget.prototype.addEventListener = function (...args) { added.push([this, args]); listen.apply(this, args); };
  window.setTimeout = (work) => void timers.push(work);
  window.said = [];
  let logged = 0;
  console.error = () => void logged++;
  console.warn = () => {};
  document.body.innerHTML = '<div id="A" class="box"></div><div id="B" class="box"></div><div id="O"></div>';
  window.$ = window.jQuery = undefined;
  if (jquery) (0, eval)(jquery);
  (0, eval)(emulator);
  awningEmulator.configure(answers);

  const $ = () => { if (!window.$) throw new ReferenceError("$ is not defined"); return window.$; };
  const text = (error) => error instanceof Error ? error.message : typeof error === "object" ? "bare" : String(error);
  const guard = (work) => { try { work(); } catch (error) { escaped.push(text(error)); } };
  const name = (thing) => (seen.includes(thing) || seen.push(thing), seen.indexOf(thing));
  const child = (box, at) => document.getElementById(box).children[at];
  const thrown = { error: () => new Error("app"), number: () => 7, bare: () => Object.create(null) };
  const contents = {
    nothing: (block) => block.setContent(),
    undefined: (block) => block.setContent(undefined),
    function: (block) => block.setContent(() => undefined),
    null: (block) => block.setContent(null),
    old: (block) => block.setContent((index, old) => old + "+"),
  };
  const heard = (who, args) => {
    const [event, init] = args, named = init ? name(init) : null;
    said.push([who, [args.length, named], name(event)]);
    return { event, init: init ?? (() => { throw new Error("no init"); }), mine: [] };
  };
  const act = (actions, call) => actions.forEach(([what, ...rest]) => {
    const { init, mine, event } = call, block = mine[mine.length - 1];
    if (what === "init") mine.push(init());
    else if (what === "set") block && (contents[rest[0]] ?? ((at) => at.setContent(rest[0])))(block);
    else if (what === "throw") throw thrown[rest[0]]();
    else if (what === "stop") event.stopImmediatePropagation?.();
    else if (what === "later") setTimeout(() => act(rest[0], call));
    else if (what !== "fire" && what !== "trigger" || ++nested <= NESTED) page[what](...rest);
  });
  const page = {
    subscribe(names, actions) {
      try {
        svcPlugins.subscribeEvent(names?.text ? new String(names.text) : names, function () {
          "use strict";
          act(actions, heard(this === null, [...arguments]));
        });
      } catch (error) {
        throw error instanceof TypeError ? new Error("no event name") : error;
      }
    },
    host: (event, boxes) => awningEmulator.host(boxes.map((box) => "#" + box).join() || "#none", event, {}),
    fire: (event) => awningEmulator.fire(event, {}),
    ready: () => { state = "interactive"; document.dispatchEvent(new Event("DOMContentLoaded")); },
    turn: () => { for (let work; (work = timers.shift()); ) guard(work); },
    foreign: () => $()(() => { throw new Error("foreign"); }),
    second: () => (0, eval)(jquery),
    back: () => void $().noConflict(true),
    listen: (names, actions) => void $()(document).on(names, (...args) => act(actions, heard("listener", args))),
    off: (names) => void $()(document).off(names),
    trigger: (name) => void $()(document).trigger(name),
    put: (box, tag, order) => {
      const element = document.createElement(tag);
      element.setAttribute("data-order", order);
      document.getElementById(box).append(element);
    },
    take: (box, at) => child(box, at)?.remove(),
    move: (box, at, to) => { const one = child(box, at); one && document.getElementById(to).append(one); },
    wrap: (box, at, tag) => {
      const one = child(box, at), outer = document.createElement(tag);
      if (one) one.replaceWith(outer), outer.append(one);
    },
    order: (box, at, order) => child(box, at)?.setAttribute("data-order", order),
  };
  steps.forEach(([what, ...rest]) => guard(() => page[what](...rest)));
  EventTarget.prototype.addEventListener = listen;
  added.forEach(([target, [type, listener, options]]) => target.removeEventListener(type, listener, options));
  return {
    trace: awningEmulator.trace().map((one) => [one.kind, one.event, one.subscriber, one.position, one.detail]),
    dom: Object.fromEntries(["A", "B", "O"].map((id) => [id, document.getElementById(id).innerHTML])),
    escaped,
    said,
    logged,
  };
})""".replace("NESTED", str(NESTED))

PRICE, UPDATED, CART = "svc-content-after-price", "svc-content-after-price-updated", "svc-content-after-cart"
EVENTS = [PRICE, UPDATED, CART]
NAMES = [
    *EVENTS * 4,
    f"{PRICE}.app",
    f"{UPDATED}.app.other",
    f" {PRICE} ",
    f"{UPDATED} {PRICE}",
    f"{CART}.app {PRICE} {PRICE}",
    "toString",
    f"toString.app {CART}",
    5,
    True,
    "",
    [PRICE],
    {"text": UPDATED},
]
BOXES = [["A"], ["A"], ["A"], ["B"], ["A", "B"], []]
CONTENTS = ["nothing", "undefined", "function", "null", "old"]
STRINGS = ["nothing", "undefined", "null"]
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
    "set-content-argument",
    "set-content-returns",
    "live-event",
]


class Lives:
    """Makes random lives: answers to assumptions, and steps."""

    def __init__(self, seed: str, *, jquery: bool) -> None:
        self.chance = random.Random(seed)
        self.jquery = jquery
        self.content_count = 0
        self.kinds: list[str] = []
        self.contents: list[str] = []

    def life(self) -> tuple[dict[str, str], list[list[Any]]]:
        answers = self.answers()
        self.contents = CONTENTS if answers["set-content-argument"] == "html" else STRINGS
        self.kinds = ["subscribe"] * 6 + ["host"] * 4 + ["fire"] * 4 + ["turn"] * 2
        self.kinds += ["take", "move", "order", "wrap"] * (self.chance.random() < 0.4) + ["put"]
        if self.jquery and self.chance.random() < 0.4:
            self.kinds += ["listen", "listen", "off", "trigger"]
            answers["live-event"] = "jquery"
        if self.jquery and self.chance.random() < 0.15:
            self.kinds += ["second", "back"]
            answers["live-event"] = "jquery"
        if self.jquery and self.chance.random() < 0.1:
            self.kinds += ["foreign"]
        before = [self.step() for _ in range(self.chance.randint(0, 8))]
        after = [self.step() for _ in range(self.chance.randint(0, 8))]
        return answers, [*before, ["ready"], *after, ["turn"]]

    def answers(self) -> dict[str, str]:
        profile = self.chance.choice(["documented", "observed", "observed", "observed", "hostile"])
        answers = {a.id: a.sets[profile] for a in assumptions_of("browser").values()}
        for varied in self.chance.sample(VARIED, self.chance.randint(0, 3)):
            answers[varied] = self.chance.choice(list(ASSUMPTIONS[varied].alternatives))
        answers |= {"replay-timing": "now", "foreign-ready-throw": "vanish", "scripts-run": "on"}
        if self.jquery and answers["isolation"] == "none":
            answers["isolation"] = "delivery"
        return answers

    def step(self) -> list[Any]:
        kind = self.chance.choice(self.kinds)
        match kind:
            case "subscribe":
                return [kind, self.chance.choice(NAMES), self.actions(depth=2)]
            case "listen":
                names = self.chance.choice([PRICE, UPDATED, f"{PRICE}.app", f"{PRICE} {CART}"])
                return [kind, names, self.actions(depth=1)]
            case "host":
                return [kind, self.chance.choice([PRICE, PRICE, CART]), self.chance.choice(BOXES)]
            case "off":
                return [kind, self.chance.choice([PRICE, ".app", f"{PRICE}.app"])]
            case "put":
                return [
                    kind,
                    self.chance.choice("AB"),
                    *self.chance.choice([("p", "2"), ("div", "2x"), ("div", "x")]),
                ]
            case _:
                return self.small(kind)

    def small(self, kind: str) -> list[Any]:
        """Make a step that a page can take and that an app's callback can take too."""
        match kind:
            case "fire":
                return [kind, self.chance.choice(EVENTS)]
            case "trigger":
                return [kind, self.chance.choice([PRICE, UPDATED, f"{PRICE}.app"])]
            case "take":
                return [kind, self.chance.choice("ABO"), self.chance.randint(0, 2)]
            case "move":
                return [kind, self.chance.choice("ABO"), self.chance.randint(0, 2), self.chance.choice("ABO")]
            case "order" | "wrap":
                value = self.chance.choice(
                    ["0", "1", "3", "2x", "x"] if kind == "order" else ["section", "div"]
                )
                return [kind, self.chance.choice("AB"), self.chance.randint(0, 2), value]
            case _:
                return [kind]

    def actions(self, depth: int) -> list[list[Any]]:
        return [self.action(depth) for _ in range(self.chance.randint(0, 5))]

    def action(self, depth: int) -> list[Any]:
        kinds = ["init"] * 6 + ["set"] * 8 + ["throw", "stop"]
        kinds += [kind for kind in ("take", "order", "trigger", "fire") if kind in self.kinds]
        if depth:
            kinds += ["later", "later", "subscribe"]
        kind = self.chance.choice(kinds)
        match kind:
            case "set":
                return [kind, self.content()]
            case "throw":
                return [kind, self.chance.choice(["error", "error", "number", "bare"])]
            case "later":
                return [kind, self.actions(depth - 1)]
            case "subscribe":
                return [kind, self.chance.choice(NAMES), self.actions(depth - 1)]
            case _:
                return self.small(kind)

    def content(self) -> str:
        self.content_count += 1
        what = self.chance.random()
        if what < 0.3:
            return self.chance.choice(self.contents)
        html = f"<b>{self.content_count}</b>"
        if what < 0.45:
            html += f'<script>said.push("s{self.content_count}")</script>'
        if what < 0.35:
            html += '<script>said.push("throws");throw new Error("inline")</script><i></i>'
        return html


@pytest.mark.parametrize("jquery", [False, True], ids=["no-jquery", "jquery"])
def test_emulator_agrees_with_the_event_model(
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
        results = page.evaluate(PLAYER, [emulator_code, JQUERY.read_text() if jquery else "", batch])
        for (answers, steps), emulated in zip(batch, results, strict=True):
            assert emulated == play(answers, steps, jquery=jquery), (answers, steps)
            seen |= {entry[0] for entry in emulated["trace"]}
    page.close()
    assert seen == {"subscribe", "deliver", "init", "content", "exception", "violation"}
