"""Shows pages of the shop in fresh frames of one tab. A frame takes a fraction of the time of a navigation.

The HTML is what the storefront sends. It is written into an empty frame that has the page's address, so the page has
its real scripts, styles, events and requests. At the first script whose file the browser does not have in memory, the
parser waits and `document.write` returns. From there on, the page is parsed while no other script runs, as in a page
that is loaded, so promises settle between its scripts. If all files are in memory, the whole page runs before `write`
returns, and promises and observers run after it (`awning explain early-dom`).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from playwright.sync_api import Browser, Error, Frame

from awning_harness.visit.frames.sent_pages import SentPage
from awning_harness.visit.hosts.other_hosts import HAS_RECEIVED, PROBE
from awning_harness.visit.pages import tabs
from awning_harness.visit.pages.causes import NEVER_ENDS, PAGE_LEFT
from awning_harness.visit.pages.problems import TraceEntry
from awning_harness.visit.pages.tabs import (
    VIEWPORT,
    Recording,
    ReusedTab,
    Stuck,
    clear_site_storage,
    open_page,
)
from awning_harness.visit.pages.visibility import ROOTS
from awning_harness.visit.pages.watchdog import Debugger, NeverEnds, ends_within
from awning_harness.visit.steps import page_steps
from awning_harness.visit.steps.failures import PageLeft, StepFailed
from awning_harness.visit.steps.visit_script import VISIT, visit_script

LEAVE_MS = 3000
"""The most milliseconds to wait for the next page when a page is being left."""

_LOOK = f"""
const look = (page, slot) => {{ {ROOTS}
  const container = page.document.querySelector(`.placeholder-${{slot}}`);
  const blocks = [...(container?.querySelectorAll("[data-order]:not(:has(> [data-foreign]))") ?? [])];
  return JSON.stringify({{
    hasPlace: Boolean(container),
    title: page.document.title,
    texts: blocks.map(text),
    html: blocks.map((block) => block.innerHTML),
    trace: page.awningEmulator.trace(),
    globals: Object.getOwnPropertyNames(page).join(),
  }});
}};
const left = async (frame, mayReturn) => {{
  for (const end = performance.now() + {LEAVE_MS}; frame.leaves && frame.contentDocument === frame.shown; ) {{
    if (performance.now() > end) frame.leaves = false; // a download, or an address of another program
    await new Promise((done) => setTimeout(done, 5));
  }}
  if (frame.contentDocument === frame.shown) return null;
  while (mayReturn && frame.contentDocument?.URL === frame.url) {{
    if (frame.contentDocument.readyState === "complete") {{
      if (!frame.contentWindow.awningEmulator) break; // the text of an address such as `javascript:"text"`
      frame.shown = frame.contentDocument;
      frame.leaves = false;
      return null;
    }}
    await new Promise((done) => setTimeout(done, 5));
  }}
  return JSON.stringify({{ left: frame.contentDocument?.location.pathname ?? "another site" }});
}};
"""
"""JavaScript that looks at a slot, with a function for the time before.

`left` says which page the frame has instead of the one that was shown; null if it still has it. It waits while the
page is being left. With `mayReturn`, the same page may be loaded again: a frame loads a page that is gone back to in
its history.
"""

LEFT = (
    f"{PAGE_LEFT} for {{address}}, and a widget test stays on its page. A link, a form or a script leads there; "
    "a <button> without a type sends the form around it"
)
LEFT_AT_ONCE = f"{PAGE_LEFT} for {{address}} while it loaded: a script leads there"
CONTEXT_LEFT = "Execution context was destroyed"
"""A part of Playwright's error when the whole tab goes to another page."""
WEBSITE = re.compile(r"\A/\d+/")
"""Matches the beginning of an address on the simulated storefront. The number differs from test to test."""

PREPARE = """() => {
  document.head.innerHTML = "<style>body { margin: 0 } iframe { border: 0; display: block }</style>";
  document.body.replaceChildren();
}"""
"""JavaScript that empties a page of the shop, which then holds the frames."""

SHOW = f"""async ({{ url, html, slot, width, height, within, probe }}) => {{ {_LOOK}
  // A frame is intercepted if this window is when the frame is made. The browser tells the window at any later time.
  for (const end = performance.now() + within; probe && performance.now() < end; ) {{
    if (await fetch(probe).then(() => true, () => false)) break;
  }}
  let frame = document.querySelector("iframe");
  if (probe || !frame?.dataset.empty) {{
    frame?.remove();
    frame = document.createElement("iframe");
    document.body.append(frame);
  }}
  delete frame.dataset.empty;
  frame.width = width;
  frame.height = height;
  const page = frame.contentWindow;
  const later = page.setTimeout.bind(page);
  page.document.open();
  frame.shown = page.document;
  page.addEventListener("beforeunload", () => frame.leaves = true);
  page.history.replaceState(null, "", url);
  frame.url = page.document.URL;
  const isLoaded = await new Promise((done) => {{
    setTimeout(done, within, false);
    page.addEventListener("beforeunload", () => setTimeout(done, {LEAVE_MS}, false)); // a download ends the loading
    frame.addEventListener("load", () => done(true), {{ once: true }});
    page.document.write(html);
    page.document.close();
  }});
  if (!isLoaded && frame.contentDocument === frame.shown) {{
    return frame.leaves ? JSON.stringify({{ left: "a download, or an address of another program" }}) : null;
  }}
  // A timer of the page never fires when a script leaves it. Then the frame fires `load` for the next page.
  if (frame.contentDocument === frame.shown) {{
    await new Promise((done) => {{
      later(done, 0);
      frame.addEventListener("load", done, {{ once: true }});
    }});
  }}
  return (await left(frame, false)) ?? look(page, slot);
}}"""
"""JavaScript that shows a page in a fresh frame and looks at its slot; null when the page does not load in time."""

LOOK = f"""async ({{ slot, step, within }}) => {{ {_LOOK}
  const frame = document.querySelector("iframe");
  if (!frame) return JSON.stringify({{ left: location.pathname }}); // a link with target="_top"
  const page = frame.contentWindow;
  const before = step && (await left(frame, true));
  if (before) return before;
  try {{
    // A promise of the page is never settled when a script leaves it. Then the frame fires `load` for the next page.
    const isLeft = new Promise((done) => step && frame.addEventListener("load", done, {{ once: true }}));
    if (step) await Promise.race([{VISIT}.take(page, slot, step, within), isLeft]);
  }} catch (reason) {{
    if (frame.contentDocument !== frame.shown) return left(frame, false);
    if (typeof reason == "string") return JSON.stringify({{ refused: reason }});
    throw reason;
  }}
  await new Promise((done) => setTimeout(done, 0));
  return (await left(frame, !step)) ?? look(page, slot);
}}"""
"""JavaScript that takes a step, if there is one, and looks at the slot of the open page, after queued events."""

LEAVE = """async () => {
  const frame = document.querySelector("iframe");
  const page = frame?.contentDocument;
  const cookie = page?.cookie;
  const isHovered = Boolean(page?.querySelector(":hover"));
  // It ends the listeners of the page. A cookie that one writes while the frame goes would arrive at any later time.
  if (page) Document.prototype.open.call(page);
  frame?.remove();
  localStorage.clear();
  sessionStorage.clear();
  const left = await Promise.all([indexedDB.databases(), caches.keys()]);
  const cookies = cookie || document.cookie;
  setTimeout(() => {
    if (document.querySelector("iframe")) return; // the next page is shown already
    const next = document.createElement("iframe");
    next.dataset.empty = "yes";
    document.body.append(next);
  }, 0);
  return [!cookies && !left.flat().length, Object.getOwnPropertyNames(window).length, isHovered];
}"""
"""JavaScript that removes the frame, clears local and session storage, and makes the next frame while the test ends.

It returns an array: whether there is no cookie, database or cache (it deletes none); the number of the tab's own
globals; and whether the pointer was over the page.
"""

ANSWERED = f"({{ urls }}) => ({HAS_RECEIVED})(document.querySelector('iframe').contentWindow, urls)"

GROW = """({ height }) => {
  const frame = document.querySelector("iframe");
  const before = frame.height;
  const page = frame.contentDocument.documentElement;
  frame.height = height ?? Math.max(before, page.scrollHeight);
  return before;
}"""
"""JavaScript that makes the frame as high as its page, or as `height` says. It returns the height before."""


class FrameLook(TypedDict):
    """What the page of a frame shows. `globals` are the names of the window's properties, joined by commas."""

    title: str
    hasPlace: bool
    texts: list[str]
    html: list[str]
    trace: list[TraceEntry]
    globals: str


@dataclass(slots=True, kw_only=True)
class FrameTab(ReusedTab):
    """A tab whose page shows pages of the shop in frames, one at a time.

    Raises Stuck, from every method that calls the page, when a script never ends. The tab is then closed. `show` also
    raises it when the page does not load in time.
    """

    global_count: int = 0
    """The number of globals of the tab's own page, which holds the frames."""
    is_stuck: bool = False
    debugger: Debugger | None = None
    """The debugger of a tab that is opened to find a script that never ends. Its calls have SEARCH_MS."""

    def show(
        self, sent: SentPage, slot: str, *, width: int | None = None, is_intercepted: bool = False
    ) -> FrameLook:
        """Show a page in a fresh frame, and remove the frame of the page before.

        With `is_intercepted`, wait first until the requests of the frame are intercepted. Raises Stuck when the page
        does not load in time, and PageLeft when it leaves for another page.
        """
        arguments = {
            "url": sent.url,
            "html": sent.html,
            "slot": slot,
            "width": width or VIEWPORT["width"],
            "height": VIEWPORT["height"],
            "within": tabs.LOAD_TIMEOUT_MS,
            "probe": PROBE if is_intercepted else None,
        }
        seen = self.run(SHOW, arguments)
        if seen is None:
            seconds = tabs.LOAD_TIMEOUT_MS // 1000
            raise Stuck(
                f"the page has not loaded within {seconds} s: it waits for a file that does not arrive"
            )
        return _look_of(seen, LEFT_AT_ONCE)

    def leave(self) -> bool:
        """Remove the frame, and clear local and session storage. Returns whether the tab is as it was before."""
        is_clean, global_count, is_hovered = self.run(LEAVE, {})
        if is_hovered:
            self.reset_pointer()
        return bool(is_clean) and global_count == self.global_count

    def forget(self) -> None:
        """Remove the frame, and delete all that its pages stored, cookies and databases included."""
        self.leave()
        clear_site_storage(self.page, self.devtools, self.run("() => location.origin", {}))

    def look(self, slot: str, step: Mapping[str, Any] | None = None) -> FrameLook:
        """Take a step, if there is one, and look at the slot.

        Raises StepFailed when the step is not possible, and PageLeft when the frame has another page.
        """
        arguments = {"slot": slot, "step": step, "within": page_steps.WITHIN_MS}
        within_ms = max(tabs.LOAD_TIMEOUT_MS, page_steps.WITHIN_MS if step else 0) + tabs.MARGIN_MS
        return _look_of(self.run(LOOK, arguments, within_ms=within_ms), LEFT)

    def run(self, script: str, arguments: Mapping[str, Any], *, within_ms: int | None = None) -> Any:
        """Return the value of a script of the tab's page, which holds the frame."""
        with self._ending(within_ms or tabs.LOAD_TIMEOUT_MS + tabs.MARGIN_MS):
            return self.page.evaluate(script, arguments)

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Return the value of a script of the page in the frame."""
        with self._ending(tabs.LOAD_TIMEOUT_MS):
            return self.frame.evaluate(script, argument)

    @contextmanager
    def _ending(self, within_ms: int) -> Iterator[None]:
        try:
            within_ms = tabs.SEARCH_MS if self.debugger else within_ms
            with ends_within(self.page.context, ms=within_ms, debugger=self.debugger):
                yield
        except NeverEnds as error:
            self.is_stuck = True
            raise Stuck(str(error)) from None
        except Error as error:
            if CONTEXT_LEFT in str(error):
                raise PageLeft(f"{PAGE_LEFT}, and its tab with it: a script leads there") from error
            raise

    def has_received(self, urls: Sequence[str]) -> bool:
        """Wait until the page has the responses of other hosts, at most ROUND_MS. Returns whether it has them."""
        return bool(self.run(ANSWERED, {"urls": list(urls)}) == "received")

    @contextmanager
    def grown(self) -> Iterator[None]:
        """Make the frame as high as its page while the block runs, because the browser draws only what fits."""
        height = self.run(GROW, {"height": None})
        try:
            yield
        finally:
            self.run(GROW, {"height": height})

    def require_responsive(self, *, within_ms: int) -> None:
        self.run("() => null", {}, within_ms=within_ms)

    @property
    def frame(self) -> Frame:
        """Playwright's frame with the open page. Frames inside that page are its own children, not the tab's."""
        return self.page.main_frame.child_frames[-1]


def _look_of(written: str, left: str) -> FrameLook:
    """Read the JSON of SHOW or LOOK. Raises StepFailed when it has no look, but a reason, and PageLeft with `left`."""
    seen = json.loads(written)
    if "refused" in seen:
        raise StepFailed(seen["refused"])
    if "left" in seen:
        raise PageLeft(left.format(address=WEBSITE.sub("", seen["left"])))
    return cast("FrameLook", seen)


@dataclass(slots=True, kw_only=True)
class FrameTabs:
    """Hands out the tab of the frames, and replaces it when it cannot be used again."""

    browser: Browser
    origin: str
    """The origin of the storefront."""
    recording: Recording = field(default_factory=Recording)
    free: FrameTab | None = None

    def take(self, title: str = "") -> FrameTab:
        """Return a tab for the test with this title."""
        tab, self.free = self.free or self._new(), None
        tab.handed_out, tab.is_lent = bool(self.recording.videos), False
        if self.recording.tracing:
            tab.begin_trace(title)
        return tab

    def give_back(self, tab: FrameTab) -> None:
        """Keep the tab for the next test, unless a test left something in it, used its page, or made it stuck."""
        with suppress(Error, Stuck):  # the test closed the page, or a script on it never ends
            tab.end_trace()
            is_left = tab.page.url != self.origin + "/"
            if self.free is None and not (tab.handed_out or tab.is_stuck or is_left) and tab.leave():
                self.free = tab
        if self.free is not tab:
            tab.close()

    def explain(self, stuck: Stuck, play: Callable[[FrameTab], object]) -> Stuck:
        """Call `play`, which does what has made a tab stuck, with a new tab that has a debugger.

        Returns a Stuck with the stack of the script that never ends; `stuck` if the page only waits for a file, or is
        not stuck again.
        """
        if str(stuck) != NEVER_ENDS:
            return stuck
        with suppress(Error, StepFailed), closing(self._new()) as tab:
            tab.debugger = Debugger(tab.page)
            try:
                play(tab)
            except Stuck as found:
                return found
        return stuck

    def _new(self) -> FrameTab:
        page = open_page(self.browser, self.recording)
        page.goto(self.origin + "/")
        page.evaluate(PREPARE)
        page.evaluate(visit_script())
        tab = FrameTab(page=page, devtools=page.context.new_cdp_session(page))
        tab.global_count = tab.run(LEAVE, {})[1]
        return tab
