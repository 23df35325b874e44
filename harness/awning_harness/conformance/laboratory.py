"""The laboratory: a browser tab in which checks open many pages of the simulated shop as frames, in one call.

A check describes `Trial`s: a page, the moves on it, the answers of other hosts. `jsrc/laboratory` runs them in
the tab and returns what each page showed. A frame takes a tenth of the time of a page. A call from Python takes as
long as a frame, so one call runs all trials.

A frame isolates globals, timers, listeners and styles. All frames have one origin, so what a page stores is deleted
before the next frame. The tab's script clears local and session storage itself. After a page that has stored a cookie,
a database or a cache, it returns to Python, which deletes them: a script cannot delete a cookie without its path.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from playwright.sync_api import Browser, Error, Page

from awning.contract import SLOTS
from awning.workspace import WidgetState
from awning_harness.frames.sent_pages import open_sent_pages
from awning_harness.hosts.other_hosts import OtherHosts
from awning_harness.hosts.responses import read_host_response
from awning_harness.pages.address import page_address, state_options
from awning_harness.pages.causes import PAGE_LEFT
from awning_harness.pages.problems import stacks_by_error, with_known_stack
from awning_harness.pages.stacks import ScriptOnPage, script_name, with_author_places
from awning_harness.pages.store_names import NotInTheStore
from awning_harness.pages.tabs import Stuck, clear_site_storage, open_page
from awning_harness.pages.visibility import CLIPPED, TEXTS, TOO_WIDE
from awning_harness.pages.watchdog import Debugger, NeverEnds, ends_within
from awning_harness.shop import InstalledApp, Shop
from awning_harness.steps.failures import PageLeft
from awning_harness.storefront.json_values import thaw
from awning_harness.storefront.scenarios import NEIGHBOUR_FAILURE
from awning_harness.storefront.scripts import bundle_scripts, dialect_defines

Move = str | Mapping[str, Any]
"""One thing that happens on a page, as `jsrc/laboratory/trial.ts` describes it."""

PHONE = 360
WIDE = 1280
TIME_LIMIT_MS = 60_000
"""The time limit for the trials of one call. It is far above what they take, also on a busy machine."""
SEARCH_MS = 20_000
"""How many milliseconds the trials run again with a debugger, before the script that never ends is paused."""

ENTER = "if (parent !== self) try { parent.awningLaboratory?.enter(self) } catch {}"
"""JavaScript that runs at the beginning of each page in a frame. It lets the laboratory control the window."""

SCRIPT_END = 200
"""The number of characters by which the end of the app's script is recognized in a page."""

RUN = "([trials, measures]) => awningLaboratory.run(trials, measures)"

EXPECTED = (NEIGHBOUR_FAILURE, "TrustedHTML", "a foreign app failed")
"""Parts of errors that are not the widget's; compare `awning_harness.pages.console_errors`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One page with the moves on it.

    `options` override those of the state's page. `params` replaces the event parameter. `data` is the app data of the
    whole website, `answers` has the responses of other hosts; if one of them is None, that of the state is used.
    `delays` has the delays of the responses in milliseconds; after the last one, the first is used again. With
    `is_late`, the app's snippet is left out of the page until the move `snippet` runs it. With `is_loaded`, the frame
    loads the page from its address, because its policy is in a header. Otherwise the laboratory writes the HTML into
    the frame. Without `has_app`, no app is installed. With `is_traced`, the result has the stacks of what has begun.
    """

    state: WidgetState
    language: str
    moves: Sequence[Move] = ("page",)
    width: int = WIDE
    options: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] | None = None
    data: Any = None
    answers: Mapping[str, Any] | None = None
    delays: Sequence[int] = ()
    is_storage_blocked: bool = False
    is_late: bool = False
    is_loaded: bool = False
    has_app: bool = True
    is_traced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLook:
    """What the app's blocks looked like at one moment. The fields are those of `Look` in `jsrc/laboratory/look.ts`."""

    blocks: int
    form: str
    text: str
    content: str
    is_seen: bool
    others: str
    too_wide: Mapping[str, Any] | None
    clipped: Sequence[str]
    planted: Sequence[str]
    violations: Sequence[str]
    exceptions: Sequence[str]
    counts: Mapping[str, int]
    trial: Trial | None = None
    """The trial with its moves up to this look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The result of a trial, as `TrialResult` in `jsrc/laboratory/trial.ts`. The last look is after all moves."""

    params: Mapping[str, Any]
    looks: Sequence[BlockLook]
    errors: Sequence[str]
    shortest: float | None
    lost: Sequence[Mapping[str, Any]]
    """What an update has undone (`what`), and the update."""
    inserted: Sequence[str]
    """What became of a text that was typed into a field."""
    ran: Sequence[str]
    asked: Sequence[str]
    jump: Mapping[str, Any] | None
    surroundings: Sequence[str]
    """What the move `surroundings` saw outside of the slots: each element with its attributes and style."""
    begun: Mapping[str, str]
    """What has begun on the page and has not ended, by kind as in `BlockLook.counts`: the stack that most of them have.
    Empty unless the trial is traced.
    """

    @property
    def last(self) -> BlockLook:
        return self.looks[-1]

    def problems(self) -> list[str]:
        """Return the broken rules, exceptions and errors, each once, without those that are not the widget's."""
        stacks = stacks_by_error(self.errors)
        exceptions = [with_known_stack(text, stacks) for text in self.last.exceptions]
        texts = [*self.last.violations, *exceptions, *self.errors]
        return list(dict.fromkeys(text for text in texts if not any(part in text for part in EXPECTED)))

    def errors_of(self, problems: Sequence[str]) -> list[str]:
        """Return the problems; the names of broken rules come last, because an exception says more."""
        return sorted(problems, key=lambda text: text in self.last.violations)


@dataclass(slots=True, kw_only=True)
class LaboratoryTab:
    """The tab of a test session. It is opened at its first use, and again after a page whose script never ended."""

    browser: Browser
    shop: Shop
    websites: dict[str, InstalledApp] = field(default_factory=dict)
    """The websites by unit and app data."""
    observed: dict[str, Observed] = field(default_factory=dict)
    """The results of trials that several checks use, by the trial as JSON text."""
    _page: Any = None
    _devtools: Any = None
    _errors: list[str] = field(default_factory=list)

    def run(
        self, trials: Sequence[Mapping[str, Any]], answers: Mapping[str, Any], folder: Path
    ) -> list[dict[str, Any]]:
        """Run trials. Raises Stuck when they take longer than TIME_LIMIT_MS, because a script never ends."""
        try:
            results = self._run_within(TIME_LIMIT_MS, trials, answers, folder)
        except NeverEnds as error:
            message = self._found_again(trials, answers, folder) or str(error)
            self._errors.clear()  # those of the pages that never ended
            raise Stuck(message) from None
        refused, self._errors = self._errors, []
        for trial, result in zip(trials, results, strict=True):
            result["errors"] += refused if trial["loads"] else []
        return results

    def _found_again(
        self, trials: Sequence[Mapping[str, Any]], answers: Mapping[str, Any], folder: Path
    ) -> str | None:
        """Run trials that did not end, in a tab with a debugger. Returns the message with the stack of the script.

        Returns None if they end this time.
        """
        try:
            self._run_within(SEARCH_MS, trials, answers, folder, Debugger(self._open()))
        except NeverEnds as found:
            return str(found)
        except Error:  # such as a page that crashes: the caller has the first failure
            return None
        finally:
            self.close()
        return None

    def _run_within(
        self,
        ms: int,
        trials: Sequence[Mapping[str, Any]],
        answers: Mapping[str, Any],
        folder: Path,
        debugger: Debugger | None = None,
    ) -> list[dict[str, Any]]:
        """Run trials. Raises NeverEnds, and closes the tab, when they take longer than `ms`."""
        page = self._page or self._open()
        with self._other_hosts(answers, folder):
            try:
                with ends_within(page.context, ms=ms, debugger=debugger):
                    return self._run_each(page, trials)
            except NeverEnds:
                self._page = None
                raise

    def _run_each(self, page: Page, trials: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Run trials, and delete what their pages stored. The tab's script returns after a page that did so."""
        measures = {"texts": TEXTS, "tooWide": TOO_WIDE, "clipped": CLIPPED}
        results: list[dict[str, Any]] = []
        while len(results) < len(trials):
            results += json.loads(page.evaluate(RUN, [trials[len(results) :], measures]))
            if results[-1]["hasStored"]:
                clear_site_storage(page, self._devtools, self.shop.running.storefront_url)
        return results

    def evaluate(self, script: str, value: Any = None) -> Any:
        """Return the value of a function in the tab, outside of any page of the shop."""
        page = self._page or self._open()
        return page.evaluate(script, value)

    def close(self) -> None:
        """Close the tab. The next trial opens another."""
        if self._page:
            self._page.context.close()
            self._page = None

    def website(self, unit: str, data: Any) -> InstalledApp:
        """Return a website with the unit installed and this app data. It is made at its first use."""
        key = f"{unit} {json.dumps(data, sort_keys=True, default=str)}"
        if key not in self.websites:
            self.websites[key] = installed = self.shop.open(unit)
            if data is not None:
                self.shop.service.set_data(installed.auth_code, data)
        return self.websites[key]

    def website_without_apps(self) -> str:
        """Return the address of a website on which no app is installed."""
        if "" not in self.websites:
            website = self.shop.service.create_website(languages=self.shop.workspace.languages)
            url = self.shop.service.website_url(website.id).rstrip("/") + "/"
            self.websites[""] = InstalledApp(url=url, auth_code="")
        return self.websites[""].url

    def _open(self) -> Any:
        self._page = page = open_page(self.browser)
        self._devtools = devtools = page.context.new_cdp_session(page)
        devtools.send("Page.enable")
        devtools.send("Page.addScriptToEvaluateOnNewDocument", {"source": ENTER})
        page.goto(self.shop.running.storefront_url + "/assets/none")
        page.on(
            "console", lambda message: self._errors.append(message.text) if message.type == "error" else None
        )
        page.add_script_tag(content=laboratory_script(self.shop))
        return page

    @contextmanager
    def _other_hosts(self, answers: Mapping[str, Any], folder: Path) -> Iterator[None]:
        """Respond, while the block runs, to requests that `fetch` does not make: images, styles, XMLHttpRequest."""
        hosts = OtherHosts(
            context=self._page.context,
            folder=folder,
            beacon=self.shop.workspace.beacon,
            report=self._errors.append,
        )
        hosts.listen()
        for url, answer in answers.items():
            hosts.answer(url, answer)
        try:
            yield
        finally:
            if self._page:
                hosts.stop_listening()


@dataclass(frozen=True, slots=True, kw_only=True)
class Laboratory:
    """The laboratory for one widget."""

    tab: LaboratoryTab
    unit: str

    @property
    def shop(self) -> Shop:
        return self.tab.shop

    def observe(self, *trials: Trial) -> list[Observed]:
        """Run trials, each on a fresh page. Raises Stuck when they do not end.

        Raises PageLeft when a page goes to another one.

        All trials must have the same state, because requests for images and styles, and those of XMLHttpRequest, get
        the responses of the first trial's state.
        """
        folder = self.shop.folder_of(self.unit)
        answers = answers_of(self.shop, self.unit, trials[0].state)
        try:
            results = self.tab.run([self._written(trial, folder) for trial in trials], answers, folder)
        except Stuck as stuck:
            find_script = partial(self._find_script, trials[0])
            raise Stuck(with_author_places(str(stuck), find_script)) from stuck
        if any(result["isLeft"] for result in results):
            raise PageLeft(
                f"{PAGE_LEFT}, and nobody has clicked: a script leads to another page, or loads it again"
            )
        for result, trial in zip(results, trials, strict=True):
            find_script = partial(self._find_script, trial)
            result["errors"] = [with_author_places(text, find_script) for text in result["errors"]]
            begun = result["begun"].items()
            result["begun"] = {kind: with_author_places(stack, find_script) for kind, stack in begun}
        return [_read(result, trial) for result, trial in zip(results, trials, strict=True)]

    def observe_once(self, trial: Trial) -> Observed:
        """Return the result of a trial. An equal trial is run only once in the session, because checks share it.

        Raises Stuck when the trial does not end, and PageLeft when its page goes to another one.
        """
        key = json.dumps(self._written(trial, self.shop.folder_of(self.unit)))
        if key not in self.tab.observed:
            (self.tab.observed[key],) = self.observe(trial)
        return self.tab.observed[key]

    def _find_script(self, trial: Trial, name: str) -> ScriptOnPage | None:
        """Return the app's script for the name of a script in a stack; None for the name of another script.

        In a page that the frame loads, the name is the page's address.
        """
        script = self.shop.script(self.unit, trial.language)
        if not trial.is_loaded or script is None or not name.startswith(self.shop.running.storefront_url):
            return self.shop.find_script(name)
        with open_sent_pages(self.shop.running.storefront_url) as pages:
            return ScriptOnPage.within(pages.fetch(name).html, script)

    def _script_name(self, trial: Trial) -> dict[str, str] | None:
        script = self.shop.script(self.unit, trial.language) if trial.has_app else None
        if script is None:
            return None
        return {"name": script_name(self.unit, trial.language), "end": script.code[-SCRIPT_END:]}

    def _written(self, trial: Trial, folder: Path) -> dict[str, Any]:
        answers = answers_of(self.shop, self.unit, trial.state) if trial.answers is None else trial.answers
        return {
            "url": self._address(trial),
            "slot": trial.state.slot,
            "event": SLOTS[trial.state.slot].event(self.shop.dialect),
            "moves": [*trial.moves],
            "width": trial.width,
            "loads": trial.is_loaded,
            **({"params": thaw(trial.params)} if trial.params is not None else {}),
            "answers": {url: _response(answer, folder) for url, answer in answers.items()},
            **({"delays": [*trial.delays]} if trial.delays else {}),
            **({"script": script} if (script := self._script_name(trial)) else {}),
            "storageBlocked": trial.is_storage_blocked,
            "late": trial.is_late,
            **({"traced": True} if trial.is_traced else {}),
        }

    def _address(self, trial: Trial) -> str:
        """Return the path of the trial's page on the storefront's origin."""
        state = trial.state
        own = {self.unit: thaw(state.data)} if state.data else None
        data = own if trial.data is None else trial.data
        url = self.tab.website(self.unit, data).url if trial.has_app else self.tab.website_without_apps()
        path, options = page_of(self.shop, state)
        query = urlencode({**options, **trial.options})
        whole = f"{url}{trial.language}/{path}" + (f"?{query}" if query else "")
        return whole.removeprefix(self.shop.running.storefront_url)


def page_of(shop: Shop, state: WidgetState) -> tuple[str, dict[str, str]]:
    """Return the path of a state's page, without the language before it, and the options of the page."""
    name, options = state_options(state)
    known = {key: value for key, value in options.items() if key not in ("data", "csp")}
    try:
        address = page_address(shop.workspace.store, state.slot, name, "", known)
    except NotInTheStore:  # the shop answers that there is no such page
        return f"{SLOTS[state.slot].page.name}/{name}", {}
    path, _, query = address.path.removeprefix("/").partition("?")
    return path, dict(parse_qsl(query))


def answers_of(shop: Shop, unit: str, state: WidgetState) -> dict[str, Any]:
    """Return the responses of other hosts for a state, by address.

    An address without a response in this state has the response of the first of the widget's states that has one.
    """
    states = [w.states for w in shop.workspace.widgets if w.name == unit]
    answers = {
        url: answer for own in states for other in reversed(own) for url, answer in other.fetch.items()
    }
    return {**answers, **state.fetch}


def _response(answer: Any, folder: Path) -> dict[str, Any] | None:
    if answer is None:
        return None
    response = read_host_response(answer, folder)
    body = response.body.decode("utf-8", "replace")
    return {"status": response.status, "body": body, "type": response.type_for("fetch")}


def _read(result: Mapping[str, Any], trial: Trial) -> Observed:
    ends = [at for at, move in enumerate(trial.moves) if move == "look"]
    looks = [
        replace(_read_look(look), trial=replace(trial, moves=trial.moves[:end]))
        for look, end in zip(result["looks"], [*ends, len(trial.moves)], strict=True)
    ]
    names = (
        "params",
        "errors",
        "shortest",
        "lost",
        "inserted",
        "ran",
        "asked",
        "jump",
        "surroundings",
        "begun",
    )
    return Observed(looks=looks, **{name: result[name] for name in names})


def _read_look(look: Mapping[str, Any]) -> BlockLook:
    other_names = {"isSeen": "is_seen", "tooWide": "too_wide"}
    return BlockLook(**{other_names.get(name, name): value for name, value in look.items()})


@cache
def _bundled(defines: tuple[tuple[str, str], ...]) -> str:
    return bundle_scripts({"laboratory": "laboratory/index.ts"}, dict(defines))["laboratory.js"].decode()


def laboratory_script(shop: Shop) -> str:
    """Return the bundled script of the laboratory."""
    return _bundled(tuple(dialect_defines(shop.dialect).items()))
