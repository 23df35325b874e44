"""The time from a save to the screen, of `awning preview` on the second shop of the tests beside `awning dev`.

    .venv/bin/python -m benchmarks.preview.measure [--widgets 10] [--saves 20] [--json]

Both show the same widgets, one of them is edited, and both are measured in turns in one run:

    text      a save of its template: redrawn in place
    style     a save of its style sheet
    reload    a save of its head script, for which the page loads again

The page itself notes the time at which the DOM shows a save (benchmarks/dev/page.js). The figures are medians and the
best, in milliseconds. The shop is that of tests/profile/live_shop.py, on loopback, under a policy with nonces.

Goal: at most 1.5 x `awning dev`.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.dev.servers import awning_dev
from benchmarks.dev.workspaces import Edits, awning_workspace
from playwright.async_api import Page, async_playwright

from awning.pipeline.build_session import build_session
from awning.pipeline.live import LiveWorkspace
from awning_harness.browser import Browser, find_browser, launch_arguments
from awning_harness.dev.command import open_session
from awning_harness.live.page_gate import GateRules
from awning_harness.live.preview import open_preview
from awning_harness.live.window import PreviewWindow, follow_saves

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks/dev/page.js"
KINDS = {"text": "text", "style": "colour", "reload": "head"}
PATIENCE_S = 60.0
QUIET_S = 0.4
"""The pause between two saves, in seconds, as of a person."""
POLICY = {"Content-Security-Policy": "script-src 'nonce-n'; style-src 'nonce-n'"}


@dataclass(slots=True)
class Tab:
    """An open page that follows a workspace."""

    page: Page
    edits: Edits
    count: int = 0

    async def save(self, kind: str) -> float:
        """Save one change. Returns the milliseconds until the page shows it."""
        self.count += 1
        value = f"rgb({self.count}, 2, 7)" if kind == "style" else f"save {self.count}"
        write = {"text": self.edits.text, "style": self.edits.colour, "reload": self.edits.head}[kind]
        begun = time.time() * 1000
        write(value)
        mark = f"{KINDS[kind]} {value}"
        async with asyncio.timeout(PATIENCE_S):
            await self.page.wait_for_selector(f'[data-benchmark~="{self.count}"]', state="attached")
            return float(await self.page.evaluate("(what) => benchmarkTimes[what]", mark)) - begun


NOTES = """addEventListener("DOMContentLoaded", () => {
  const number = (name) => /rgb\\((\\d+), 2|save (\\d+)/.exec(name)?.slice(1).join("");
  const noted = () => Object.keys(benchmarkTimes).map(number);
  setInterval(() => document.documentElement.setAttribute("data-benchmark", noted().join(" ")), 5);
})"""
"""Names the saves that the page shows, for a wait that no Content Security Policy refuses."""


@asynccontextmanager
async def previewed(root: Path, edits: Edits, address: str, chromium: Browser) -> AsyncIterator[Tab]:
    with build_session(root) as builds:
        live = LiveWorkspace(builds, types=False)
        session = open_session(live)
        with closing(session.service), follow_saves(live, session) as saves:
            rules = GateRules(allow_private=True)
            async with open_preview(address, saves.first(), rules, chromium, quiet, follows=True) as opened:
                await prepare(opened.page)
                window = PreviewWindow(opened=opened, saves=saves, say=quiet, show=lambda _: None)
                window.connect()
                await opened.load()
                following = asyncio.ensure_future(window.follow())
                yield Tab(opened.page, edits)
                await opened.page.close()
                await following


@asynccontextmanager
async def served(root: Path, edits: Edits, chromium: Browser) -> AsyncIterator[Tab]:
    with awning_dev(root) as running:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium.path, args=launch_arguments())
            page = await browser.new_page()
            await prepare(page)
            await page.goto(f"{running.url}1/en/product/2?csp=nonce", timeout=PATIENCE_S * 1000)
            yield Tab(page, edits)
            await browser.close()


def quiet(_line: str) -> None:
    pass


async def prepare(page: Page) -> None:
    await page.add_init_script(path=SCRIPT)
    await page.add_init_script(NOTES)


async def measure(folder: Path, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    sys.path.insert(0, str(ROOT / "tests/profile"))
    from live_shop import ITEM, Reply, live_shop, product_page  # type: ignore[import-not-found]  # noqa: PLC0415

    chromium = find_browser()
    assert chromium is not None, "no Chromium"
    edits = {name: awning_workspace(folder / name, options.widgets) for name in ("preview", "dev")}
    with live_shop() as shop:
        page = product_page(nonce="n", item={**ITEM, "price_undiscounted": 80.0})
        address = shop.add("/product", Reply(page, headers=POLICY))
        async with (
            previewed(folder / "preview", edits["preview"], address, chromium) as preview,
            served(folder / "dev", edits["dev"], chromium) as dev,
        ):
            tabs = {"preview": preview, "dev": dev}
            await asyncio.sleep(2)  # both build once more after the first page
            figures: dict[str, dict[str, float]] = {name: {} for name in tabs}
            for kind in KINDS:
                times = await save_all(tabs, kind, options.saves)
                for name, taken in times.items():
                    figures[name] |= {kind: statistics.median(taken), f"{kind} best": min(taken)}
    return figures


async def save_all(tabs: dict[str, Tab], kind: str, saves: int) -> dict[str, list[float]]:
    """Save on each tab in turns, the first two times without counting. Returns the milliseconds of each save."""
    times: dict[str, list[float]] = {name: [] for name in tabs}
    for number in range(saves + 2):
        for name, tab in tabs.items():
            taken = await tab.save(kind)
            if number > 1:
                times[name].append(taken)
            await asyncio.sleep(QUIET_S)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--widgets", type=int, default=10)
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = round(os.getloadavg()[0], 1)
    with tempfile.TemporaryDirectory() as name:
        figures = asyncio.run(measure(Path(name).resolve(), options))
    if options.json:
        document: dict[str, Any] = {"schema_version": 1, "load": load, **figures}
        print(json.dumps(document, indent=2))
        return
    print(f"{'':16}{'preview':>10}{'dev':>10}{'ratio':>8}")
    for kind, value in figures["preview"].items():
        other = figures["dev"][kind]
        print(f"{kind:16}{value:>10.1f}{other:>10.1f}{value / other:>7.2f}x")
    print(f"load {load} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
