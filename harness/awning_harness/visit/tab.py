"""A browser tab of the laboratory: `jsrc/laboratory` runs trials in it, each on a fresh page in a frame.

A frame isolates globals, timers, listeners and styles. All frames have one origin, so what a page stores is deleted
before the next frame. The tab's script clears local and session storage itself. After a page that has stored a cookie,
a database or a cache, it returns to Python, which deletes them: a script cannot delete a cookie without its path. It
also returns after a page that poses, which is looked at from here and removed before the next trial.

Blocks are examined with axe-core, and with the style sheets of each theme of the shop. axe-core comes from the package
`axe-playwright-python`. It is removed from the page after each examination.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path
from secrets import token_hex
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error

from awning.bundle.emulator import dialect_defines
from awning.check.repeated_ids import REFERENCES
from awning.contract.shop import THEMES
from awning_harness.shop import Shop
from awning_harness.storefront.scripts import bundle_scripts
from awning_harness.storefront.themes import SHOP_SHEET, sheet_names, theme_sheets
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages.console_errors import is_of_the_page
from awning_harness.visit.pages.tabs import Stuck, clear_site_storage, open_page
from awning_harness.visit.pages.visibility import CLIPPED, TEXTS, TOO_WIDE
from awning_harness.visit.pages.watchdog import Debugger, NeverEnds, TimeLimit, ends_within
from awning_harness.visit.posing import measures as posing_measures
from awning_harness.visit.posing import photograph, take_trees
from awning_harness.visit.trial import PREFERENCES

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
"""axe-core's tags for the rules of the Web Content Accessibility Guidelines, levels A and AA."""


@cache
def axe() -> str:
    """Return axe-core's script."""
    return (package_files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@cache
def examination() -> str:
    """Return JavaScript that examines the elements of a selector, as `examine.js` says. The page has `axe` before."""
    script = Path(__file__).with_name("examine.js").read_text(encoding="utf-8").strip()
    constants = {"themes": _themes(), "tags": TAGS, "references": sorted(REFERENCES)}
    return f"(selector) => ({script})({{ selector, ...{json.dumps(constants)} }})"


def _themes() -> list[dict[str, str]]:
    """Return the style and the direction of each theme that can be shown on an open page.

    A crowded theme is left out, because its other apps can only be added when a page is opened.
    """
    shop = (package_files("awning_harness.storefront") / "assets" / SHOP_SHEET).read_text(encoding="utf-8")
    sheets = theme_sheets(shop)
    return [
        {
            "name": theme.name,
            "style": "\n".join(sheets[name] for name in sheet_names(theme)),
            "direction": theme.direction,
        }
        for theme in THEMES.values()
        if not theme.crowded
    ]


TIME_LIMIT_MS = 20_000
"""The time limit for one trial up to its first step, and for each of its steps.

It is far above what they take, also on a busy machine.
"""
SEARCH_MS = 10_000
"""How many milliseconds a trial runs again with a debugger, before the script that never ends is paused."""

ENTER = "if (parent !== self) try { parent.awningLaboratory?.enter(self) } catch {}"
"""JavaScript that runs at the beginning of each page in a frame. It lets the laboratory control the window."""

BEGIN = "([trials, measures, mark]) => awningLaboratory.begin(JSON.parse(trials), measures, mark)"
"""Begins to run trials, which are one text: Playwright checks and copies each value of an object on its own."""
RESUME = "(first) => awningLaboratory.resume(first)"
FINISH = "() => awningLaboratory.finish()"
NO_PREFERENCE: Mapping[str, Any] = {"reduced_motion": "null", "forced_colors": "null"}
MARK = "awning: trial"
"""The beginning of the console's message before each trial and each of its steps.

A text that pages cannot know, and the index follow.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Trials to run one after another in a tab, as JSON. `answers` and `folder` are the responses of other hosts.

    `preference` is what the shopper prefers on all of their pages.
    """

    trials: Sequence[Mapping[str, Any]]
    preference: str | None = None
    answers: Mapping[str, Any]
    folder: Path


@dataclass(slots=True, kw_only=True)
class LaboratoryTab:
    """A tab. It is opened at its first use, and again after a page whose script never ended."""

    browser: Browser
    shop: Shop
    _page: Any = None
    _devtools: Any = None
    _running: ExitStack = field(default_factory=ExitStack)
    """What lasts while trials run: the time limit, the responses of other hosts."""
    _batch: Batch | None = None
    _measures: set[str] = field(default_factory=set)
    """The names of the scripts that the tab's script has got."""
    _preference: str | None = None
    _mark: str = MARK
    _current: int = 0
    """The index of the trial that runs."""
    _errors: dict[int, list[str]] = field(default_factory=dict)
    """The errors that the browser has reported, by the index of the trial."""
    _limit: TimeLimit | None = None
    results: list[dict[str, Any]] = field(default_factory=list)
    """The results of the trials that have ended, since `begin`."""

    def run(self, batch: Batch) -> list[dict[str, Any]]:
        """Run trials and return their results. Raises Stuck when a script never ends."""
        self.begin(batch)
        return self.finish()

    def begin(self, batch: Batch, debugger: Debugger | None = None) -> None:
        """Begin to run trials. `go_on` or `finish` has to be called next."""
        page = self._page or self._open()
        self._prefer(batch.preference)
        self._batch, self._current = batch, 0
        self._errors.clear()
        self.results = []
        with ExitStack() as stack:
            other_hosts = stack.enter_context(self._other_hosts(batch))
            ms = SEARCH_MS if debugger else TIME_LIMIT_MS
            self._limit = limit = stack.enter_context(ends_within(page.context, ms=ms, debugger=debugger))
            self._mark = f"{MARK} {token_hex(8)} "

            def on_console(message: ConsoleMessage) -> None:
                if message.text.startswith(self._mark):
                    self._current = int(message.text.removeprefix(self._mark))
                    is_over = self._current == len(batch.trials)
                    (limit.end if is_over else limit.begin_anew)()
                # The laboratory records what a page writes itself, with the stack. The rest only the browser reports.
                elif not message.args and is_of_the_page(message, other_hosts):
                    self._report(message.text)

            page.on("console", on_console)
            stack.callback(page.remove_listener, "console", on_console)
            trials = json.dumps([*batch.trials])
            self._page.evaluate(BEGIN, [trials, self._new_measures(batch), self._mark])
            self._running = stack.pop_all()

    def finish(self) -> list[dict[str, Any]]:
        """Wait for the end of the trials and return their results. Raises what `go_on` raises."""
        while self.go_on():
            pass
        return self.results

    def go_on(self) -> bool:
        """Wait for the trials that have begun, and begin those after them. Returns whether there are any.

        Raises Stuck when a script never ends, and Playwright's Error when the tab is lost. The next trials have a new
        tab.
        """
        batch = self._batch
        assert batch is not None  # noqa: S101 - `begin` was called
        try:
            return self._go_on(batch)
        except NeverEnds as error:
            self._page = None
            raise Stuck(self._found_again(batch) or str(error)) from None
        except Error:  # such as a page that crashes
            self.close()
            raise

    def _go_on(self, batch: Batch) -> bool:
        """As `go_on`, but raises NeverEnds."""
        with self._running.pop_all() as running:
            self.results += json.loads(self._page.evaluate(FINISH))
            last = self.results[-1]
            if last["pose"]:
                self._look_at(last, batch.trials[len(self.results) - 1])
            if last["hasStored"]:
                clear_site_storage(self._page, self._devtools, self.shop.running.storefront_url)
            if len(self.results) < len(batch.trials):
                self._page.evaluate(RESUME, len(self.results))
                self._running = running.pop_all()
                return True
        for index, result in enumerate(self.results):
            result["errors"] += self._errors.get(index, [])
        return False

    def _look_at(self, result: dict[str, Any], trial: Mapping[str, Any]) -> None:
        """Add the tree and the picture of the page that poses to its result, if the trial asks for them; remove it."""
        asked = next(move["pose"] for move in trial["moves"] if isinstance(move, Mapping) and "pose" in move)
        pose = result["pose"]
        if self._limit:
            self._limit.begin_anew()
        frame = self._page.main_frame.child_frames[-1]
        pose["trees"] = take_trees(frame.locator(asked["blocks"])) if asked["tree"] else []
        has_picture = asked["picture"] and pose["area"]
        pose["picture"] = photograph(self._page, self._devtools, pose["area"]) if has_picture else None
        result["hasStored"] = self._page.evaluate("() => awningLaboratory.dismiss()")
        if self._limit:
            self._limit.end()

    def _prefer(self, preference: str | None) -> None:
        if preference != self._preference:
            self._page.emulate_media(**{**NO_PREFERENCE, **PREFERENCES.get(preference or "", {})})
            self._preference = preference

    def _new_measures(self, batch: Batch) -> Mapping[str, Any]:
        """Return the scripts, and what they need, that a batch needs and that the tab does not have yet."""
        moves = [move for trial in batch.trials for move in trial["moves"]]
        measures: dict[str, Any] = {"texts": TEXTS, "tooWide": TOO_WIDE, "clipped": CLIPPED}
        if "examine" in moves:
            measures |= {"axe": axe(), "examine": examination()}
        if any(isinstance(move, Mapping) and "pose" in move for move in moves):
            measures |= posing_measures()
        new = {name: value for name, value in measures.items() if name not in self._measures}
        self._measures.update(new)
        return new

    def _found_again(self, batch: Batch) -> str | None:
        """Run the trial that did not end, in a tab with a debugger. Returns the message with the stack of the script.

        Returns None if it ends this time.
        """
        if self._current >= len(batch.trials):
            return None
        alone = replace(batch, trials=[batch.trials[self._current]])
        try:
            self.begin(alone, debugger=Debugger(self._open()))
            while self._go_on(alone):
                pass
        except NeverEnds as found:
            self._page = None
            return str(found)
        except Error:  # such as a page that crashes: the caller has the first failure
            return None
        finally:
            self.close()
        return None

    def evaluate(self, script: str, value: Any = None) -> Any:
        """Return the value of a function in the tab, outside of any page of the shop."""
        page = self._page or self._open()
        return page.evaluate(script, value)

    def close(self) -> None:
        """Close the tab. The next trial opens another."""
        if self._page:
            with suppress(Error):  # the browser may be gone
                self._page.context.close()
            self._page = None

    def _open(self) -> Any:
        self._page = page = open_page(self.browser)
        self._preference = None
        self._measures.clear()
        # Without `Page.enable`, which would send nine events for each frame.
        self._devtools = page.context.new_cdp_session(page)
        page.add_init_script(ENTER)
        page.goto(self.shop.running.storefront_url + "/assets/none")
        page.add_script_tag(content=laboratory_script(self.shop))
        return page

    def _report(self, error: str) -> None:
        self._errors.setdefault(self._current, []).append(error)

    @contextmanager
    def _other_hosts(self, batch: Batch) -> Iterator[OtherHosts]:
        """Respond, while the block runs, to requests that `fetch` does not make: images, styles, XMLHttpRequest."""
        hosts = OtherHosts(
            context=self._page.context,
            folder=batch.folder,
            beacon=self.shop.workspace.beacon,
            report=self._report,
        )
        hosts.listen()
        for url, answer in batch.answers.items():
            hosts.answer(url, answer)
        try:
            yield hosts
        finally:
            hosts.stop_listening()


@cache
def _bundled(defines: tuple[tuple[str, str], ...]) -> str:
    return bundle_scripts({"laboratory": "laboratory/index.ts"}, dict(defines))["laboratory.js"].decode()


def laboratory_script(shop: Shop) -> str:
    """Return the bundled script of the laboratory."""
    return _bundled(tuple(dialect_defines(shop.dialect).items()))
