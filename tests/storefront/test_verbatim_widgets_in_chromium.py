"""A snippet that is brought in does on the page what it did when it was pasted, beside another widget of the app.

Each snippet of `snippets/` is a kind that shops have. Two pages are compared: one with the snippet as it is and with
the other widget's own snippet, one with the app of both. Timers run only as far as the test lets them.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

import pytest
from project import Project

from awning.contract import Dialect
from awning.handwritten import bring_in, read_snippet
from awning.pipeline import build_workspace
from awning.snippet.compose import without_stamp
from awning_harness.storefront import FixedSnippets, FixedSource

SNIPPETS = sorted(Path(__file__).with_name("snippets").glob("*.html"))
LANGUAGE = "en"
APP_DATA = '{"text": "set by the shop"}'
BEFORE, NOW = "2026-03-02T09:59:59", "2026-03-02T10:00:00"

LOOK = r"""
const known = new Set(Object.getOwnPropertyNames(window));
const look = () => ({
  html: document.documentElement.outerHTML,
  shadows: [...document.querySelectorAll("*")].filter((one) => one.shadowRoot).map((one) => one.shadowRoot.innerHTML),
  styles: [...document.querySelectorAll("body, body *")].map((one) => {
    const style = getComputedStyle(one), { x, y, width, height } = one.getBoundingClientRect();
    return [one.tagName, style.display, style.visibility, style.color, style.position, x, y, width, height].join();
  }),
  names: Object.fromEntries(ownNames().map((name) => {
    const value = window[name];
    const text = typeof value === "function" ? String(value) : JSON.stringify(value, shallow());
    return [name, `${typeof value} ${text}`];
  })),
  stored: [document.cookie, JSON.stringify({ ...localStorage }), location.hash],
});
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
window.looks = { look };
document.addEventListener("readystatechange", () => {
  if (document.readyState === "interactive") window.looks.before = look();
});
"""
AFTER = """() => {
  const { before, look } = window.looks;
  const trace = window.awningEmulator.trace().map(({ t, ...entry }) => entry);
  return { before, after: look(), trace };
}"""
CHOOSE = """() => {
  for (const name of ["L", "Blue"]) {
    const option = document.querySelector(`[data-option] [value=${name}]`);
    if (option) option.selected = true;
    option?.parentNode.dispatchEvent(new Event("change", { bubbles: true }));
  }
}"""
WITHOUT_SCRIPTS = """() => [
  document.documentElement.outerHTML,
  [...document.querySelectorAll("body *")].map((one) => one.tagName + getComputedStyle(one).display),
]"""

FILES = {
    "say.js": "function say(what) { return 'said ' + what; }",
    "writes.js": "document.write('<p>Written by a library</p>');",
    "reviews.js": "gotReviews({ count: 3 });",
    "js": "initMap();",
    "reviews.json": "4.5",
    "stars.json": "5",
    "consent.js": "window.consent = { initialise: ({ palette }) => { window.colour = palette.popup.background; } };",
    "jquery-3.6.0.min.js": "window.fakeJquery = 3;",
    "more.css": ".icons { color: rgb(4, 5, 6) }",
    "consent.css": "body { outline: 0 }",
}


@dataclass
class Shown:
    """A source whose snippets the test chooses for each page."""

    snippets: tuple[FixedSnippets, ...] = ()

    def website(self, website_id):
        return FixedSource().website(website_id)

    def websites(self):
        return FixedSource().websites()

    def page_snippets(self, website_id, language):
        return self.snippets


@pytest.fixture(scope="module")
def shown():
    return Shown()


@pytest.fixture(scope="module")
def plain_pages():
    """What pages do without the snippet, by address."""
    return {}


@pytest.fixture(scope="module")
def url(shown, served):
    with served(shown) as url:
        yield url


@pytest.fixture(scope="module")
def brought(tmp_path_factory):
    """A workspace with every snippet as a widget, and the widget `zz-neighbour`."""
    project = Project(tmp_path_factory.mktemp("brought"), languages=(LANGUAGE,))
    for file in SNIPPETS:
        widget = bring_in([read_snippet(file, "body", Dialect())], title=file.stem)
        for path, text in widget.files.items():
            project.add_file(f"widgets/{file.stem}/{path}", text)
    return project.add_widget("zz-neighbour", style_css=".text { color: rgb(7, 7, 7) }")


def filled(html):
    return html.replace("{{svc_language}}", LANGUAGE).replace("{{svc_app_data}}", APP_DATA)


def answer(route):
    name = route.request.url.partition("?")[0].rpartition("/")[2]
    kind = "text/css" if name.endswith("css") else "text/javascript" if name.endswith("js") else "text/plain"
    headers = {"access-control-allow-origin": "*"}
    route.fulfill(status=200, body=FILES.get(name, ""), content_type=kind, headers=headers)


def is_of_another_host(address):
    return not address.startswith(("http://127.0.0.1", "data:", "blob:"))


def page_of(html):
    slots = re.findall(r"svc-content-after-(\w+)", html)
    if "cart" in slots or "checkout" in slots:
        return f"{LANGUAGE}/{'cart' if 'cart' in slots else 'checkout'}?cart=C1"
    return f"{LANGUAGE}/product/1"


class Visit:
    """A page in a fresh context, with what it asks for and says."""

    def __init__(self, browser, *, scripts):
        self.context = browser.new_context(java_script_enabled=scripts)
        self.page = self.context.new_page()
        self.requests, self.said, self.pending = Counter(), [], set()
        self.context.route(is_of_another_host, answer)
        self.page.on("request", self.ask)
        self.page.on("requestfinished", self.answered)
        self.page.on("requestfailed", self.answered)
        self.page.on("console", lambda message: self.said.append((message.type, message.text)))
        self.page.on("pageerror", lambda error: self.said.append(("error", str(error))))
        self.page.on("dialog", self.dismiss)

    def ask(self, request):
        self.requests[f"{request.method} {request.url} {request.resource_type}"] += 1
        self.pending.add(request)

    def answered(self, request):
        self.pending.discard(request)

    def dismiss(self, dialog):
        self.said.append(("dialog", dialog.message))
        dialog.dismiss()

    def settle(self):
        """Let timers run for a second, and wait for the answers to what they ask for."""
        self.page.clock.run_for(1000)
        while self.pending:
            self.page.evaluate("() => null")

    def close(self, seen):
        self.context.close()
        return {"seen": seen, "requests": self.requests, "said": self.said}


def with_scripts(browser, address):
    visit = Visit(browser, scripts=True)
    visit.context.add_init_script(LOOK)
    visit.page.clock.install(time=BEFORE)
    visit.page.clock.pause_at(NOW)
    visit.page.goto(address, wait_until="load")
    visit.settle()
    visit.page.evaluate(CHOOSE)
    visit.settle()
    return visit.close(visit.page.evaluate(AFTER))


def without_scripts(browser, address):
    visit = Visit(browser, scripts=False)
    visit.page.goto(address, wait_until="load")
    return visit.close(visit.page.evaluate(WITHOUT_SCRIPTS))


def both(browser, address):
    seen = {"scripts": with_scripts(browser, address), "no scripts": without_scripts(browser, address)}
    return json.loads(re.sub(r"<!--awning [0-9a-f]{12}-->", "", json.dumps(seen)))


def differences(actual, expected, path=""):
    """Yield each value that differs, with its path and the first place of a text where it differs."""
    if type(actual) is type(expected) is dict and actual.keys() == expected.keys():
        for key in actual:
            yield from differences(actual[key], expected[key], f"{path}/{key}")
    elif type(actual) is type(expected) is list and len(actual) == len(expected):
        for index, pair in enumerate(zip(actual, expected, strict=True)):
            yield from differences(*pair, f"{path}/{index}")
    elif actual != expected:
        texts = json.dumps(actual), json.dumps(expected)
        at = max(
            0, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))) - 40
        )
        yield path, *(text[at : at + 120] for text in texts)


@pytest.mark.parametrize("file", SNIPPETS, ids=lambda file: file.stem)
def test_snippet_does_in_the_app_what_it_did_when_it_was_pasted(
    browser, shown, url, plain_pages, brought, tmp_path, file
):
    html = file.read_bytes().decode()
    workspace = brought.read()
    chosen = tuple(widget for widget in workspace.widgets if widget.name in (file.stem, "zz-neighbour"))
    build_workspace(replace(workspace, widgets=chosen), out=tmp_path / "dist")
    body, neighbour = (
        (tmp_path / "dist" / path / "body.html").read_bytes().decode()
        for path in (".", "widgets/zz-neighbour")
    )
    address = f"{url}/{page_of(html)}"
    other = FixedSnippets(body=without_stamp(neighbour))
    if address not in plain_pages:
        shown.snippets = (other,)
        plain_pages[address] = both(browser, address)
    shown.snippets = (FixedSnippets(body=filled(html)), other)
    expected = both(browser, address)
    assert expected != plain_pages[address]
    shown.snippets = (FixedSnippets(body=filled(body)),)
    assert list(differences(both(browser, address), expected)) == []
