"""Records a page of the simulated shop in Chromium, with scripts and without them, before and after the events.

Timers run only as far as the recording lets them, so that two recordings of one page are equal.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Request, Route
from playwright.sync_api import TimeoutError as PlaywrightTimeout

BEFORE, NOW = "2026-03-02T09:59:59", "2026-03-02T10:00:00"

_LOOK_FUNCTIONS = r"""
const known = new Set(Object.getOwnPropertyNames(window));
const { stringify } = JSON;
const look = () => ({
  html: document.documentElement.outerHTML,
  elements: withoutOwn(),
  rules: [...document.styleSheets].filter((sheet) => !sheet.href).flatMap(rulesOf),
  shadows: [...document.querySelectorAll("*")].filter((one) => one.shadowRoot).map((one) => one.shadowRoot.innerHTML),
  styles: withStyles ? [...document.querySelectorAll("html, body, body *:not(script, style)")].map(changes({})) : [],
  names: Object.fromEntries(ownNames().map((name) => {
    const value = window[name];
    return [name, [typeof value, typeof value === "function" ? null : JSON.stringify(value, shallow()) ?? null]];
  })),
  functions: Object.fromEntries(
    ownNames().filter((name) => typeof window[name] === "function").map((name) => [name, String(window[name])]),
  ),
  stored: [document.cookie, JSON.stringify({ ...localStorage }), location.hash],
});
const still = () => document.getAnimations().forEach((one) => {
  if (one.effect.getComputedTiming().endTime < Infinity) return one.finish();
  one.pause();
  one.currentTime = 0;
});
const withoutOwn = () => {
  const copy = document.documentElement.cloneNode(true);
  copy.querySelectorAll("style, script").forEach((one) => one.remove());
  const inBody = () => [...copy.querySelectorAll("body")].flatMap((body) => [...body.childNodes]);
  const isStamp = (one) => one.nodeType === Node.COMMENT_NODE && /^awning [0-9a-f]{12}$/.test(one.data);
  inBody().filter(isStamp).forEach((one) => one.remove());
  copy.normalize();
  inBody().filter((one) => one.nodeType === Node.TEXT_NODE && !one.data.trim()).forEach((one) => one.remove());
  return copy.outerHTML;
};
const rulesOf = (sheet) => [...sheet.cssRules].map((rule) => rule.cssText);
const changes = (last) => (one) => {
  const style = styleOf(one);
  const names = Object.keys({ ...last, ...style }).filter((name) => style[name] !== last[name]);
  last = style;
  const path = one.id ? `${one.localName}#${one.id}` : [one.localName, ...one.classList].join(".");
  return [path, Object.fromEntries(names.map((name) => [name, style[name] ?? null]))];
};
const styleOf = (one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const all = { box: [x, y, width, height].join(" ") };
  for (const part of ["", "::before", "::after"]) {
    const style = getComputedStyle(one, part || null);
    if (part && style.content === "none") continue;
    for (const name of style) all[part + name] = style.getPropertyValue(name);
  }
  return all;
};
const ownNames = () => {
  const names = Object.getOwnPropertyNames(window).filter((name) => !known.has(name));
  return names.filter((name) => !/^(looks|__pw.*|\d+)$/.test(name));
};
const shallow = () => {
  const seen = new Set();
  return (_key, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Node || value === window || seen.has(value)) return String(value);
    seen.add(value);
    return value;
  };
};
"""
"""JavaScript that declares `look`, which returns what a script can notice on the page, and `still`.

`still` ends transitions and animations: no clock of a test stops them.

`elements` is `html` without the elements of styles and scripts, and without the blank texts between elements of the
body. `styles` has, for each element, the computed values that the element before it has not, if `withStyles` is true.
`functions` has the texts of functions on the window, `names` all values there but these texts.
"""
_LOOK = """
window.looks = { look, still, stringify, fetch: window.fetch.bind(window) };
document.addEventListener("readystatechange", () => {
  if (document.readyState === "interactive") window.looks.before = look();
});
"""
"""Runs before the scripts of the page. It looks at the page as it is parsed, before `DOMContentLoaded`."""
_AFTER = """(address) => {
  if (!window.looks || location.href.split("#")[0] !== address.split("#")[0]) {
    return JSON.stringify({ before: null, after: null, trace: null, left: location.href });
  }
  const { before, look, still, stringify } = window.looks;
  still();
  const trace = window.awningEmulator.trace().map(({ t, ...entry }) => entry);
  return stringify({ before: before ?? null, after: look(), trace, left: null });
}"""
"""JavaScript that returns what was seen as JSON: Playwright takes seconds for so large an object."""
_CHOOSE = """() => {
  for (const name of ["L", "Blue"]) {
    const option = document.querySelector(`[data-option] [value=${name}]`);
    if (option) option.selected = true;
    option?.parentNode.dispatchEvent(new Event("change", { bubbles: true }));
  }
}"""

_BLOCKING = frozenset({"document", "script", "stylesheet"})
"""The types of requests that parsing may wait for. The answers to all others wait for the end of parsing.

Else the look at the parsed page would have an answer or not, whichever was first.
"""
_MOST_MS_OF_PARSING = 20_000
"""After this time, parsing waits for a request that is held back, of a type for which it usually does not wait."""

_MOST_ANSWERS = 1000
"""How often a recording looks for answers. A page that requests something after each answer would never end."""

_TAKE_ANSWERS = """window.looks?.fetch("data:,").then((answer) => answer.text()).catch(() => null)"""
"""JavaScript that ends when the page has taken what has arrived: its own answer goes the same way."""

_MEANING = """(rules) => {
  const sheet = document.head.appendChild(document.createElement("style"));
  sheet.textContent = rules.join("\\n");
  const hidden = document.body.appendChild(document.createElement("div"));
  hidden.style.display = "none";
  const probe = hidden.appendChild(document.createElement("i"));
  const declarations = (style) => {
    probe.style.cssText = style.cssText;
    const computed = getComputedStyle(probe);
    const value = (name) => `${computed.getPropertyValue(name)} ${style.getPropertyPriority(name)}`;
    return [...style].sort().map((name) => `${name}: ${value(name)}`);
  };
  const meaning = (rule) => {
    const inner = [...rule.cssRules ?? []].map(meaning);
    const of = rule.selectorText ?? rule.keyText;
    if (of !== undefined && rule.style) return `${of} { ${[...declarations(rule.style), ...inner].join("; ")} }`;
    return rule.cssRules ? `${rule.cssText.split("{")[0].trim()} { ${inner.join(" ")} }` : rule.cssText;
  };
  return [...sheet.sheet.cssRules].map(meaning);
}"""
"""JavaScript that returns rules in one form for all ways to write them: `#f00` and `red` are `rgb(255, 0, 0)`."""

Answer = Callable[[Route], None]
"""Answers a request to another host."""


def record(browser: Browser, address: str, answer: Answer, *, styles: bool = True) -> dict[str, Any]:
    """Return what is seen on a page, requested by it and said in its console, with scripts and without.

    `answer` answers what the page requests from other hosts. The stamps of builds are left out. Without `styles`, the
    computed styles of elements are left out, which take most of the time.
    """
    functions = f"const withStyles = {json.dumps(styles)};\n{_LOOK_FUNCTIONS}"
    scripts = _with_scripts(browser, address, answer, functions)
    with closing(_RecordedVisit(browser, answer, scripts=False)) as visit:
        visit.open(address)
        quiet = visit.recorded(f"() => {{ {functions} still(); return stringify(look()); }}")
        seen = {"scripts": scripts, "no scripts": quiet}
        _write_rules_alike(visit, seen)
    recording: dict[str, Any] = json.loads(re.sub(r"<!--awning [0-9a-f]{12}-->", "", json.dumps(seen)))
    return recording


def _write_rules_alike(visit: "_RecordedVisit", seen: dict[str, Any]) -> None:
    """Give the rules of all looks one form, on an empty page of the visit, which then has no network."""
    visit.context.set_offline(True)
    scripts = seen["scripts"]["seen"]
    alike: dict[str, Any] = {"[]": []}
    for look in filter(None, (scripts["before"], scripts["after"], seen["no scripts"]["seen"])):
        written = json.dumps(look["rules"] or [])
        if written not in alike:
            visit.page.goto("about:blank")
            alike[written] = visit.page.evaluate(_MEANING, look["rules"])
        look["rules"] = alike[written]


class _RecordedVisit:
    """A page in a fresh context, with what it requests and says."""

    def __init__(self, browser: Browser, answer: Answer, *, scripts: bool) -> None:
        self.context = browser.new_context(java_script_enabled=scripts)
        self.page = self.context.new_page()
        self.requests: Counter[str] = Counter()
        self.messages: list[tuple[str, str]] = []
        self._pending = set[str]()
        """What the page has requested and not yet received, by the numbers of Chromium."""
        self._answer, self._held = answer, list[Route]()
        self._holds: Callable[[Request], bool] = lambda request: request.resource_type not in _BLOCKING
        self._synchronous = set[str]()
        self._chromium = self.context.new_cdp_session(self.page)
        self._chromium.on("Network.requestWillBeSent", self._begin)
        self._chromium.on("Network.loadingFinished", self._end)
        self._chromium.on("Network.loadingFailed", self._end)
        self._chromium.send("Network.enable")
        self.context.route(_is_of_another_host, self._route)
        self.page.on("request", self._count)
        self.page.on("console", self._hear)
        self.page.on("pageerror", self._fail)
        self.page.on("dialog", self._dismiss)

    def open(self, address: str) -> None:
        """Open a page, and answer what it has requested but for its parsing once it is parsed."""
        self.page.goto(address, wait_until="commit")
        with suppress(PlaywrightTimeout):
            self.page.wait_for_load_state("domcontentloaded", timeout=_MOST_MS_OF_PARSING)
        self._release()
        self.page.wait_for_load_state("load")
        self._take_answers()

    def _route(self, route: Route) -> None:
        if self._holds(route.request) and route.request.url not in self._synchronous:
            self._held.append(route)
        else:
            self._synchronous.discard(route.request.url)
            self._answer(route)

    def _begin(self, event: dict[str, Any]) -> None:
        """Note a request. Answer a synchronous one, for which the page stands still: Chromium gives it its priority."""
        request = event["request"]
        if request["url"].startswith("http"):
            self._pending.add(event["requestId"])
        if event["type"] == "XHR" and request["initialPriority"] == "VeryHigh":
            self._synchronous.add(request["url"])
            for route in [route for route in self._held if route.request.url == request["url"]]:
                self._held.remove(route)
                self._route(route)

    def _end(self, event: dict[str, Any]) -> None:
        self._pending.discard(event["requestId"])

    def _release(self) -> None:
        """Answer what is held back, in the order of the requests, and from now on at once."""
        self._holds = lambda _request: False
        while self._held:
            self._answer(self._held.pop(0))

    def _take_answers(self) -> None:
        """Wait until the page has taken the answers to all requests, and to those that it then makes.

        Chromium tells a request before it tells the end of a script that runs after it.
        """
        for _ in range(_MOST_ANSWERS):
            was_pending = bool(self._pending)
            with suppress(Error):
                self._chromium.send("Runtime.evaluate", {"expression": _TAKE_ANSWERS, "awaitPromise": True})
            if not was_pending and not self._pending:
                return

    def _count(self, request: Request) -> None:
        self.requests[f"{request.method} {request.url} {request.resource_type}"] += 1

    def _hear(self, message: ConsoleMessage) -> None:
        self.messages.append((message.type, message.text))

    def _fail(self, error: Error) -> None:
        self.messages.append(("error", str(error)))

    def _dismiss(self, dialog: Dialog) -> None:
        self.messages.append(("dialog", dialog.message))
        dialog.dismiss()

    def settle(self) -> None:
        """Let timers run for a second, and then answer what they ask for: no answer arrives between two timers."""
        self._holds = lambda _request: True
        self.page.clock.run_for(1000)
        self._release()
        self._take_answers()

    def recorded(self, look: str, address: str = "") -> dict[str, Any]:
        """Return what the page has requested and said so far, and what `look`, a function of the page, then sees.

        The look may itself request pictures again, so it comes last.
        """
        requests, messages = Counter(self.requests), [*self.messages]
        return {"seen": json.loads(self.page.evaluate(look, address)), "requests": requests, "said": messages}

    def close(self) -> None:
        self.context.close()


def _is_of_another_host(address: str) -> bool:
    return not address.startswith(("http://127.0.0.1", "data:", "blob:"))


def _with_scripts(browser: Browser, address: str, answer: Answer, functions: str) -> dict[str, Any]:
    with closing(_RecordedVisit(browser, answer, scripts=True)) as visit:
        visit.context.add_init_script(functions + _LOOK)
        visit.page.clock.install(time=BEFORE)
        visit.page.clock.pause_at(NOW)
        visit.open(address)
        visit.settle()
        visit.page.evaluate(_CHOOSE)
        visit.settle()
        return visit.recorded(_AFTER, address)
