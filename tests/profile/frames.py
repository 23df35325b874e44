"""Small pages in Chromium, hundreds a second: each is an iframe of one page that stays open.

An iframe has globals, a parser and a document-ready of its own. To the scripts of the service and of a snippet it is
therefore the same as a whole page.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Frame, Page

ROOT = Path(__file__).parent.parent.parent
JQUERY = ROOT / "jsrc/vendor/jquery-2.2.4.min.js"

OPEN = """([html, name]) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.name = name;
  frame.width = 600;
  frame.height = 300;
  frame.onload = () => done();
  frame.srcdoc = html;
  document.body.replaceChildren(frame);
})"""

GATHER = """async ([htmls, result]) => {
  const open = (html) => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.srcdoc = html;
    frame.onload = async () => {
      const inside = frame.contentWindow;
      await inside.settled;
      done(inside.eval(result));
      frame.remove();
    };
    document.body.append(frame);
  });
  return Promise.all(htmls.map(open));
}"""

LATER = """async (arg) => {{
  await new Promise((done) => setTimeout(() => setTimeout(done, 0), 0));
  const value = ({expression});
  return typeof value === "function" ? value(arg) : value;
}}"""
"""Evaluates an expression after the waiting timers without a delay."""


@dataclass
class Small:
    """One small page. `log` is what its scripts wrote with `log(...)`."""

    frame: Frame
    errors: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def run(self, expression: str, arg: object = None) -> Any:
        """Return the value of a JavaScript expression, after the waiting timers without a delay have run."""
        return self.frame.evaluate(LATER.format(expression=expression), arg)

    @property
    def log(self) -> list[Any]:
        return self.run("() => window.__log")

    @property
    def trace(self) -> list[dict[str, Any]]:
        return self.run("() => awningEmulator.trace()")

    def kinds(self, *kinds: str) -> list[tuple[str, Any]]:
        return [(entry["kind"], entry["detail"]) for entry in self.trace if entry["kind"] in kinds]

    @property
    def violations(self) -> list[str]:
        return [entry["detail"] for entry in self.trace if entry["kind"] == "violation"]

    @property
    def html(self) -> str:
        return self.run("() => document.getElementById('box').innerHTML")


NOTING = """
window.__errors = [];
addEventListener("error", (event) => void __errors.push(event.message));
window.settled = new Promise((done) => addEventListener("load", () => {
  const wait = (turns) => setTimeout(() => (turns ? wait(turns - 1) : done()), 0);
  wait(20);
}));
"""
"""Notes errors, and waits for 20 timers, each set by the one before.

On a busy machine, the page's own timers are late in the same way.
"""
NOTED = '[__log, document.getElementById("box")?.innerHTML ?? null, __errors]'


@dataclass(frozen=True)
class Noted:
    """What a small page had when its timers had run. `html` is that of the element `box`."""

    log: list[Any]
    html: str | None
    errors: list[str]


@dataclass
class SmallPages:
    """Opens small pages. Where wanted, their head has jQuery and the emulator."""

    page: Page
    emulator: str
    opened: Small | None = None
    count: int = 0

    def load(
        self,
        *scripts: str,
        jquery: bool = False,
        configure: str = "",
        body: str = '<div id="box"></div>',
        head: str = "",
        emulator: bool = True,
    ) -> Small:
        """Open a small page in place of the one before.

        `scripts` is the code of `<script>` elements after `body`. `configure` is JavaScript: the argument for the
        emulator's `configure`.
        """
        self.count += 1
        name = f"small-{self.count}"
        self.opened = Small(frame=self.page.main_frame)
        html = self.html(
            *scripts, jquery=jquery, configure=configure, body=body, head=head, emulator=emulator
        )
        self.page.evaluate(OPEN, [html, name])
        frame = self.page.frame(name=name)
        assert frame is not None
        self.opened.frame = frame
        return self.opened

    def html(
        self, *scripts: str, jquery: bool, configure: str, body: str, head: str = "", emulator: bool = True
    ) -> str:
        """Return the source of a small page."""
        parts = [
            head,
            script(JQUERY.read_text()) if jquery else "",
            script(self.emulator) if emulator else "",
            script(f"awningEmulator.configure({configure})") if configure else "",
            script("window.__log = []; window.log = (...said) => void __log.push(...said);"),
        ]
        return (
            f"<!doctype html><html><head>{''.join(parts)}</head>"
            f"<body>{body}{''.join(map(script, scripts))}</body></html>"
        )

    def noted(self, pages: Mapping[Hashable, Mapping[str, Any]]) -> dict[Hashable, Noted]:
        """Open many small pages at once. A page has the arguments of `load`, with its only script as `script`."""
        defaults = {"jquery": False, "configure": "", "body": '<div id="box"></div>'}
        htmls = [
            self.html(code, head=script(NOTING), **{**defaults, **page})
            for code, page in ((page.pop("script"), page) for page in map(dict, pages.values()))
        ]
        return {case: Noted(*found) for case, found in zip(pages, self.gather(htmls, NOTED), strict=True)}

    def gather(self, htmls: Sequence[str], result: str, at_once: int = 20) -> list[Any]:
        """Return the value of `result` in each page, after the promise in `window.settled` is fulfilled."""
        self.opened = None
        results: list[Any] = []
        for start in range(0, len(htmls), at_once):
            results += self.page.evaluate(GATHER, [list(htmls[start : start + at_once]), result])
        return results


def script(code: str) -> str:
    return f"<script>{code}</script>"


def open_small_pages(browser: Browser, emulator: str) -> Iterator[SmallPages]:
    context = browser.new_context()
    page = context.new_page()
    page.goto("about:blank")
    pages = SmallPages(page, emulator)
    page.on("pageerror", lambda error: pages.opened and pages.opened.errors.append(str(error)))
    page.on(
        "console",
        lambda message: pages.opened and pages.opened.console.append(f"{message.type}: {message.text}"),
    )
    yield pages
    context.close()
