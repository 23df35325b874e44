"""The time from a save to the screen, of `awning dev` beside Vite's dev server on the same page in the same Chromium.

    python -m benchmarks.dev.measure [--widgets 1 10 200 1000] [--saves 20] [--memory-saves 500] [--json]

Both servers show the same product page with the same widgets (workspaces.py), and one widget is edited:

    text      its template: redrawn in place; with Vite a module that accepts its own change
    style     its style sheet
    reload    what forces the page to load again: the head script, with Vite index.html
    start     from the command to the page that shows the widget; `again`: the second start
    memory    the resident memory of the server after the first saves, and after 500 more

The page itself notes the time at which the DOM shows a save (page.js). The clock of the page is compared with that
of this process first. The figures of saves are their median and their best, in milliseconds; those of starts are in
seconds. Both servers are measured in turns in one run, so a ratio is more exact than a time.

Goals: text and reload at most 1.2 x Vite's, style under 10 ms, the first page 1.5 s with 1000 widgets, memory flat.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.dev.servers import Running, awning_dev, install_vite, vite
from benchmarks.dev.workspaces import Edits, awning_workspace, vite_workspace
from playwright.sync_api import Browser, Page, sync_playwright

from awning_harness.browser import find_browser, launch_arguments

SHOP_PAGE = "1/en/product/2"
SCRIPT = Path(__file__).parent / "page.js"
PATIENCE_MS = 120_000
QUIET_S = 0.4
"""The pause between two saves, in seconds. Like a person's pause, it gives the server time to finish its work."""

MEMORY_PAUSE_S = 0.06
"""The pause between the saves that only fill the memory. Vite ignores a change of a file that comes within 50 ms of
the one before, so without a pause the page waits for a text that never comes."""

Figures = dict[str, float]


@dataclass(slots=True)
class Tab:
    """An open page of a server. `skew` is the page's clock less this process's, in milliseconds."""

    page: Page
    edits: Edits
    skew: float = 0.0
    count: int = 0

    def shown(self, what: str, since: float) -> float:
        """Return the milliseconds from `since` (seconds since the epoch) until the page first showed `what`."""
        self.page.wait_for_function("what => window.benchmarkTimes?.[what]", arg=what, timeout=PATIENCE_MS)
        at: float = self.page.evaluate("what => window.benchmarkTimes[what]", what)
        return at - self.skew - since * 1000

    def compare_clocks(self) -> None:
        """Set the skew. It is measured several times; the quickest measurement counts, because it is most exact."""
        answers = []
        for _ in range(30):
            before = time.time() * 1000
            theirs = self.page.evaluate("() => performance.timeOrigin + performance.now()")
            after = time.time() * 1000
            answers.append((after - before, theirs - (before + after) / 2))
        self.skew = min(answers)[1]

    def save(self, kind: str) -> float:
        """Save one change of `kind`. Returns the milliseconds until the page shows it."""
        self.count += 1
        value = f"save {self.count}"
        if kind == "style":
            value = f"rgb({self.count % 250}, {self.count // 250}, 7)"
        prefix, write = {
            "text": ("text", self.edits.text),
            "style": ("colour", self.edits.colour),
            "reload": ("head", self.edits.head),
        }[kind]
        begun = time.time()
        write(value)
        return self.shown(f"{prefix} {value}", begun)


def open_tab(browser: Browser, running: Running, path: str, edits: Edits) -> tuple[Tab, float]:
    """Open the page at `path`. Returns its tab, and the seconds from the server's start until it showed the widget."""
    page = browser.new_page()
    page.add_init_script(path=SCRIPT)
    page.goto(running.url + path, timeout=PATIENCE_MS)
    tab = Tab(page, edits)
    page.wait_for_function("() => document.querySelector('.mark')", timeout=PATIENCE_MS)
    start = time.time() - running.started
    page.wait_for_timeout(
        1000
    )  # both servers prepare in the background after the first page, and may load it again
    tab.compare_clocks()
    return tab, start


def save_all(tabs: dict[str, Tab], kind: str, saves: int) -> dict[str, list[float]]:
    """Save `saves` times on each tab, in turns. Returns the milliseconds of each save."""
    times: dict[str, list[float]] = {name: [] for name in tabs}
    for _ in range(saves):
        for name, tab in tabs.items():
            if kind == "reload":
                tab.compare_clocks()
            times[name].append(tab.save(kind))
            time.sleep(QUIET_S)
    return times


def measure(folder: Path, browser: Browser, widgets: int, options: argparse.Namespace) -> dict[str, Figures]:
    """Return the figures of each server by the server's name."""
    binary: Path | None = options.vite
    figures: dict[str, Figures] = {"awning": {}}
    with ExitStack() as stack:
        ours = folder / "awning"
        edits = awning_workspace(ours, widgets)
        with awning_dev(ours) as running:
            tab, figures["awning"]["start"] = open_tab(browser, running, SHOP_PAGE, edits)
            tab.page.close()
        servers = {"awning": stack.enter_context(awning_dev(ours))}
        tab, figures["awning"]["start again"] = open_tab(browser, servers["awning"], SHOP_PAGE, edits)
        tabs = {"awning": tab}
        if binary is not None:
            figures["vite"] = {}
            edits = vite_workspace(folder / "vite", widgets, servers["awning"].url + SHOP_PAGE)
            servers["vite"] = stack.enter_context(vite(folder / "vite", binary))
            tabs["vite"], figures["vite"]["start"] = open_tab(browser, servers["vite"], "", edits)
        for kind in ("text", "style", "reload"):
            save_all(tabs, kind, 2)
            for name, times in save_all(tabs, kind, options.saves).items():
                figures[name] |= {kind: statistics.median(times), f"{kind} best": min(times)}
        if options.memory_saves and widgets == options.memory_widgets:
            for name, server in servers.items():
                figures[name] |= memory(tabs[name], server, options.memory_saves)
        for tab in tabs.values():
            tab.page.close()
    return figures


def memory(tab: Tab, server: Running, saves: int) -> Figures:
    before = server.memory_mb()
    for number in range(saves):
        tab.save("style" if number % 2 else "text")
        time.sleep(MEMORY_PAUSE_S)
    time.sleep(2)
    return {"memory MB": before, f"after {saves}": server.memory_mb()}


def table(figures: dict[int, dict[str, Figures]]) -> Iterable[str]:
    for widgets, servers in figures.items():
        yield f"{widgets} widget{'s' if widgets > 1 else ''}"
        anchor = servers.get("vite", {})
        yield f"  {'':16}{'awning':>10}{'vite':>10}{'ratio':>8}"
        for name, value in servers["awning"].items():
            scale: Callable[[float], str] = (
                (lambda v: f"{v:.2f} s") if "start" in name else (lambda v: f"{v:.1f}")
            )
            other = anchor.get(name)
            beside = f"{scale(other):>10}{value / other:>7.2f}x" if other else ""
            yield f"  {name:16}{scale(value):>10}{beside}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--widgets", type=int, nargs="+", default=[1, 10, 200, 1000])
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--memory-saves", type=int, default=500)
    parser.add_argument(
        "--memory-widgets", type=int, default=10, help="measure memory with this many widgets"
    )
    parser.add_argument("--without-vite", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = round(os.getloadavg()[0], 1)
    browser_found = find_browser()
    assert browser_found is not None, "no Chromium"
    figures: dict[int, dict[str, Figures]] = {}
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name).resolve()
        options.vite = None if options.without_vite else install_vite(folder)
        browser = playwright.chromium.launch(executable_path=browser_found.path, args=launch_arguments())
        for widgets in options.widgets:
            (folder / str(widgets)).mkdir()
            figures[widgets] = measure(folder / str(widgets), browser, widgets, options)
        browser.close()
    if options.json:
        document: dict[str, Any] = {"schema_version": 1, "load": load, "widgets": figures}
        print(json.dumps(document, indent=2))
        return
    print("\n".join(table(figures)))
    print(
        f"load {load} on {os.cpu_count()} cores" + ("" if options.vite else "; Vite cannot be installed here")
    )


if __name__ == "__main__":
    main()
