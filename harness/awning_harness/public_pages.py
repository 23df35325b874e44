"""Opens public pages in Chromium for `publish verify --browser`: which widgets render, and which errors there are.

A public page has no emulator. So JavaScript of awning (WATCH) runs before the page's own and wraps `subscribeEvent`. It
watches only the callbacks of the published snippets, and detects violations of three rules: `init-once`, `updated-pair`
and `unhandled-error`. On a page of the simulated shop, the violations that the emulator found are read, too. There the
globals that the published widgets may leave are allowed.

A widget is expected only on a page with its slot. A page has a slot when it delivers the slot's event.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.contract import Dialect
from awning.contract.slots import SLOTS
from awning.publish.verify.page_content import wanted_parts
from awning.publish.verify.verified_cell import BrowserView, ShownSnippets
from awning_harness.browser import ensure_browser, launch_arguments

LOAD_MS, RENDER_MS = 20_000, 3_000
"""The most milliseconds for a page to load, and for its widgets to render."""

_WIDGET = re.compile(r"""["'`]([a-z0-9-]+)["'`],\s*["'`](aw-[0-9a-f]{6})["'`]""")
"""Matches, in a built snippet, a widget's name and the class of the element around its HTML."""

WATCH = """(([name, scripts, globals]) => {
  const rules = new Set(), events = new Set();
  let subscribes = false;
  const watched = (event, callback) => function (delivered, init, ...rest) {
    let calls = 0;
    events.add(event);
    const counted = typeof init != "function" ? init : function (...words) {
      calls += 1;
      if (event.endsWith("-updated")) rules.add("updated-pair");
      else if (calls > 1) rules.add("init-once");
      return init.apply(this, words);
    };
    try {
      return callback.call(this, delivered, counted, ...rest);
    } catch (error) {
      rules.add("unhandled-error");
      throw error;
    }
  };
  const wrap = (plugins) => {
    const original = plugins?.subscribeEvent;
    if (typeof original == "function") {
      plugins.subscribeEvent = function (event, callback, ...rest) {
        const own = typeof callback == "function" && scripts.includes(document.currentScript?.textContent.trim());
        subscribes ||= own;
        return original.call(this, event, own ? watched(String(event), callback) : callback, ...rest);
      };
    }
    return plugins;
  };
  let value;
  Object.defineProperty(window, name, {
    configurable: true, enumerable: true, get: () => value, set: (plugins) => {
      value = wrap(plugins);
      queueMicrotask(() => window.awningEmulator?.allowGlobals(globals));
    },
  });
  Object.defineProperty(window, Symbol.for("awning.rules"), { value: rules });
  Object.defineProperty(window, Symbol.for("awning.events"), { value: () => subscribes ? [...events] : null });
})"""
"""A JavaScript function that is called before the page's own JavaScript runs.

Its argument is an array: the name of the service's global object, the texts of the published `<script>` elements, and
the names of the globals that the published widgets may leave. The script that sets the service's global object is the
emulator's on a page with an emulator. So the globals are allowed when that script has ended, before the next one runs.
"""

RENDERED = """(classes) => {
  const shows = (element) => element.checkVisibility() &&
    (element.shadowRoot || element.innerText.trim() || element.querySelector("*"));
  return classes.filter((name) => [...document.querySelectorAll("." + name)].some(shows));
}"""
"""JavaScript that returns those of the classes that are on a visible element with content."""

EVENTS = """() => window[Symbol.for("awning.events")]?.() ?? null"""
"""JavaScript that returns the events that the page delivered to the published snippets.

Returns null when they subscribed to nothing that WATCH could see: then nothing is known of the page's slots.
"""

RULES = """() => {
  const broken = (window.awningEmulator?.trace() ?? []).filter((entry) => entry.kind == "violation");
  return [...new Set([...window[Symbol.for("awning.rules")] ?? [], ...broken.map((entry) => entry.detail)])].sort();
}"""
"""JavaScript that returns the rules that were broken on the page."""

Browse = Callable[[str, ShownSnippets], BrowserView]


@contextmanager
def open_browser(say: Callable[[str], None], dialect: Dialect) -> Iterator[Browse]:
    """Start Chromium, and yield a function that calls `look_at` with an address and the snippets there.

    `say` gets messages about an installation of Chromium. `dialect` has the names of the service.

    Raises ConfigurationError when there is no Chromium and none can be installed.
    """
    chromium = ensure_browser(say, os.environ)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium.path), args=launch_arguments())
        try:
            yield lambda address, snippets: look_at(browser, address, snippets, dialect)
        finally:
            browser.close()


def look_at(browser: Browser, address: str, snippets: ShownSnippets, dialect: Dialect) -> BrowserView:
    """Open a page in a new browser context, which has no cookies, and observe the widgets of the snippets there.

    Disabled widgets are not counted, nor those whose slot the page does not have. If the page cannot be opened, the
    only error in the result is the reason.
    """
    widgets = widget_classes(snippets.texts)
    off = tuple(sorted(widgets.keys() & snippets.disabled))
    context = browser.new_context(accept_downloads=False)
    try:
        page = context.new_page()
        errors = _errors_of(page, widgets)
        page.add_init_script(watching_script(snippets, dialect))
        page.goto(address, timeout=LOAD_MS)
        classes = {widget: name for widget, name in widgets.items() if widget not in snippets.disabled}
        with suppress(PlaywrightTimeout):
            page.wait_for_function(
                f"(classes) => ({RENDERED})(classes).length == classes.length",
                arg=[*classes.values()],
                timeout=RENDER_MS,
            )
        events, rules = page.evaluate(EVENTS), page.evaluate(RULES)
        elsewhere = () if events is None else widgets_elsewhere(snippets, classes.keys(), events, dialect)
        expected = [name for widget, name in classes.items() if widget not in elsewhere]
        return BrowserView(
            rendered=len(page.evaluate(RENDERED, expected)),
            widgets=len(expected),
            disabled=off,
            elsewhere=elsewhere,
            rules=tuple(rules),
            errors=tuple(errors),
        )
    except Error as failure:
        message = (
            "it does not load in time"
            if isinstance(failure, PlaywrightTimeout)
            else failure.message.splitlines()[0]
        )
        return BrowserView(rendered=0, widgets=len(widgets) - len(off), disabled=off, errors=(message,))
    finally:
        context.close()


def widget_classes(texts: Iterable[str]) -> dict[str, str]:
    """Return the class of each widget's element, by the name of the widget, from the texts of built snippets."""
    return {match[1]: match[2] for text in texts for match in _WIDGET.finditer(text)}


def watching_script(snippets: ShownSnippets, dialect: Dialect) -> str:
    """Return the JavaScript that watches the snippets' callbacks. It runs before the page's own."""
    scripts = [part.text for text in snippets.texts for part in wanted_parts(text) if part.kind == "script"]
    return f"{WATCH}({json.dumps([dialect.global_object, scripts, sorted(snippets.globals)])})"


def widgets_elsewhere(
    snippets: ShownSnippets, widgets: Iterable[str], events: Sequence[str], dialect: Dialect
) -> tuple[str, ...]:
    """Return the widgets whose slots the page does not have. `events` are the events that it delivered."""
    slots = {name for name, slot in SLOTS.items() if slot.event(dialect) in events}
    return tuple(
        sorted(name for name in widgets if name in snippets.slots and not slots & set(snippets.slots[name]))
    )


def _errors_of(page: Page, widgets: dict[str, str]) -> list[str]:
    """Return a list to which each error of a widget in the page's console is added.

    The runtime begins such an error with the widget's name.
    """
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and message.text.split(" ", 1)[0] in widgets:
            errors.append(message.text.splitlines()[0])

    page.on("console", note)
    return errors
