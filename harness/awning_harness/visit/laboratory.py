"""The laboratory: takes visits of one widget, many in one call, in several tabs side by side.

A check describes `Trial`s: a page, the moves on it, the answers of other hosts. A frame takes a tenth of the time of a
page. A call from Python takes as long as a frame, so one call runs many trials. What was observed is kept: an equal
trial is not run again.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from playwright.sync_api import Browser, Error

from awning.client import encode_app_data
from awning.contract import SLOTS
from awning.states.host_responses import read_host_response
from awning.states.json_values import thaw
from awning.workspace.model import WidgetState
from awning.workspace.store.records import ProductRecord
from awning.workspace.store.store import Store
from awning_harness.shop import InstalledApp, Shop
from awning_harness.visit.frames.globals import OF_PLAYWRIGHT, OPTIONS, leaked_names, with_places
from awning_harness.visit.frames.sent_pages import open_sent_pages
from awning_harness.visit.hosts.other_hosts import explain_missing
from awning_harness.visit.pages.address import NotInTheStore, ordinary_name, page_address, state_options
from awning_harness.visit.pages.causes import PAGE_LEFT
from awning_harness.visit.pages.stacks import ScriptOnPage, script_name, with_author_places
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import PageLeft, StepFailed
from awning_harness.visit.steps.page_steps import frame_step, read
from awning_harness.visit.tab import Batch, LaboratoryTab
from awning_harness.visit.trial import Move, Observed, Trial, data_to_set, is_step, poses, read_observed

KINDS = {"img": "image", "link": "stylesheet", "video": "media", "audio": "media", "iframe": "document"}
"""The types of requests by what has made them, where the two differ (Resource Timing, `initiatorType`)."""

SCRIPT_END = 200
"""The number of characters by which the end of the app's script is recognized in a page."""

MOST_IN_BATCH = 40
"""The most trials of one call. A script that never ends loses the results of its call."""


@dataclass(kw_only=True)
class LaboratorySession:
    """The laboratory of a test session: its tabs, and what was observed in them."""

    browser: Browser
    shop: Shop
    make_dev_shop: Callable[[], Shop]
    tabs: Sequence[LaboratoryTab]
    websites: dict[str, InstalledApp] = field(default_factory=dict)
    """The websites by build, unit and app data."""
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The results of trials, by the hash of the trial as JSON text."""
    ahead: dict[str, float] = field(default_factory=dict)
    """The seconds of the trials that were run ahead and that no test has used yet."""
    spent: float = 0.0
    """The seconds of the trials that were run ahead and that tests have used."""

    @classmethod
    def of(
        cls, browser: Browser, shop: Shop, *, make_dev_shop: Callable[[], Shop] | None = None, count: int = 1
    ) -> "LaboratorySession":
        """Return the laboratory of a session, with `count` tabs."""
        tabs = [LaboratoryTab(browser=browser, shop=shop) for _ in range(count)]
        make_dev_shop = make_dev_shop or shop.with_dev_build
        return cls(browser=browser, shop=shop, make_dev_shop=make_dev_shop, tabs=tabs)

    @cached_property
    def dev_shop(self) -> Shop:
        """The same shop with a dev build, which is made at its first use."""
        return self.make_dev_shop()

    def close(self) -> None:
        for tab in self.tabs:
            tab.close()

    def website(self, unit: str, data: Any, *, is_dev: bool = False, is_pseudo: bool = False) -> InstalledApp:
        """Return a website with the unit installed and this app data. It is made at its first use.

        With `is_dev`, the unit is of a dev build. With `is_pseudo`, the website also has the pseudo-language.
        """
        key = f"{is_dev} {is_pseudo} {unit} {json.dumps(data, sort_keys=True, default=str)}"
        if key not in self.websites:
            shop = self.dev_shop if is_dev else self.shop
            self.websites[key] = installed = shop.open(unit, pseudo=is_pseudo)
            if data is not None:
                self.shop.service.set_data(installed.auth_code, data_to_set(data))
        return self.websites[key]

    def website_without_apps(self) -> str:
        """Return the address of a website on which no app is installed."""
        if "" not in self.websites:
            website = self.shop.service.create_website(languages=self.shop.workspace.languages)
            url = self.shop.service.website_url(website.id).rstrip("/") + "/"
            self.websites[""] = InstalledApp(url=url, auth_code="")
        return self.websites[""].url


@dataclass(frozen=True, slots=True, kw_only=True)
class Laboratory:
    """The laboratory for one widget."""

    session: LaboratorySession
    unit: str

    @property
    def shop(self) -> Shop:
        return self.session.shop

    def _shop_of(self, trial: Trial) -> Shop:
        return self.session.dev_shop if trial.is_dev else self.shop

    def trial_of(self, state: WidgetState, language: str) -> Trial:
        """Return the trial of a state's own page, with its policy and steps.

        Raises NotInTheStore and, with the step's index, StepFailed.
        """
        store = self.shop.workspace.store
        name, options = state_options(state)
        product = page_address(store, state.slot, name, language, options).product
        policy = {"csp": state.csp} if state.csp else {}
        return Trial(
            state=state,
            language=language,
            moves=("page", "loaded", *_moves_of_steps(state.steps, store, product)),
            options=policy,
            answers=state.fetch,
        )

    def globals_trial(self, trial: Trial) -> Trial:
        """Return the trial of a page without apps that has the same globals of the shop as the page of `trial`."""
        _, options = page_of(self.shop, trial.state)
        own = {name: value for name, value in {**options, **trial.options}.items() if name in OPTIONS}
        state = WidgetState(
            name="globals", title="", slot=trial.state.slot, payload=ordinary_name(trial.state.slot) or {}
        )
        language = self.shop.workspace.languages[0]
        return Trial(state=state, language=language, options=own, has_app=False)

    def leaked_globals(self, observed: Observed, without_app: Observed) -> list[str]:
        """Return the globals of a page that only apps have added, each with its place in the author's files."""
        leaked = leaked_names(self.shop, self.unit, observed.globals, without_app.globals, OF_PLAYWRIGHT)
        return with_places(self.shop, self.unit, leaked)

    def missing_answers(self, observed: Observed) -> list[str]:
        """Return a message for each request to another host without a response, with what to write into the state."""
        trial = observed.trial
        answers = answers_of(self.shop, self.unit, trial.state) if trial.answers is None else trial.answers
        known = {*answers, self.shop.workspace.beacon}
        requests = [(url, "fetch") for url in observed.asked]
        requests += [(each["url"], KINDS.get(each["by"], each["by"])) for each in observed.requested]
        return [
            explain_missing(url, kind)
            for url, kind in dict.fromkeys(requests)
            if known.isdisjoint({url, url.partition("?")[0]})
        ]

    def evaluate(self, script: str, value: Any = None) -> Any:
        """Return the value of a function in a tab, outside of any page of the shop."""
        return self.session.tabs[0].evaluate(script, value)

    def observe(self, *trials: Trial) -> list[Observed]:
        """Return what is observed in trials. Those that are not known yet are run, each on a fresh page.

        Raises Stuck when one does not end, and PageLeft when its page goes to another one.
        """
        keys = self._run(trials, self.session.tabs[:1])
        self.session.spent += sum(self.session.ahead.pop(key, 0.0) for key in keys)
        return self._read(keys, trials)

    def observe_ahead(self, trials: Sequence[Trial]) -> None:
        """Run trials in all tabs side by side, so that `recall` and `observe` know what was observed. Raises Stuck."""
        known = set(self.session.results)
        keys = self._run(trials, self.session.tabs)
        self.session.ahead.update(
            {key: self.session.results[key]["ms"] / 1000 for key in keys if key not in known}
        )

    def recall(self, *trials: Trial) -> list[Observed]:
        """Return what was observed in trials that were run ahead. Raises PageLeft as `observe` does."""
        return self._read([self._key(trial) for trial in trials], trials)

    def _read(self, keys: Sequence[str], trials: Sequence[Trial]) -> list[Observed]:
        results = [self.session.results[key] for key in keys]
        for result, trial in zip(results, trials, strict=True):
            if result["leftAt"] is not None:
                raise page_left(trial, result["leftAt"])
        return [read_observed(result, trial) for result, trial in zip(results, trials, strict=True)]

    def _run(self, trials: Sequence[Trial], tabs: Sequence[LaboratoryTab]) -> list[str]:
        """Run the trials that are not known yet. Returns the key of each trial's result."""
        keys = [self._key(trial) for trial in trials]
        alike: dict[str, list[tuple[str, Trial]]] = {}
        for key, trial in dict(zip(keys, trials, strict=True)).items():
            if key not in self.session.results:
                answers = answers_of(self.shop, self.unit, trial.state)
                alike.setdefault(json.dumps([answers, trial.preference], default=str), []).append(
                    (key, trial)
                )
        size = MOST_IN_BATCH * len(tabs)
        for unsorted in alike.values():
            own = sorted(unsorted, key=lambda each: poses(each[1]))  # a tab stops after each page that poses
            for start in range(0, len(own), size):
                chosen = own[start : start + size]
                self._run_side_by_side([chosen[at :: len(tabs)] for at in range(len(tabs))], tabs)
        return keys

    def _run_side_by_side(
        self, parts: Sequence[Sequence[tuple[str, Trial]]], tabs: Sequence[LaboratoryTab]
    ) -> None:
        """Run each part in a tab of its own. After all tabs have ended, raises Stuck, or Error for a lost tab."""
        lost: list[Exception] = []
        running = [
            (tab, part)
            for tab, part in zip(tabs, parts, strict=True)
            if part and self._has_begun(tab, [trial for _, trial in part], lost)
        ]
        while running:  # until each of them has ended, because what has begun has to end
            running = [(tab, part) for tab, part in running if self._goes_on(tab, part, lost)]
        if lost:
            raise lost[0]

    def _goes_on(self, tab: LaboratoryTab, part: Sequence[tuple[str, Trial]], lost: list[Exception]) -> bool:
        """Wait for what a tab has begun. Returns whether it goes on; the error of a lost tab is in `lost`."""
        try:
            if tab.go_on():
                return True
        except Stuck as error:
            find_script = partial(self._find_script, part[0][1])
            lost.append(Stuck(with_author_places(str(error), find_script)))
        except Error as error:
            lost.append(error)
        else:
            for (key, trial), result in zip(part, tab.results, strict=True):
                self.session.results[key] = self._with_places(result, trial)
        return False

    def _has_begun(self, tab: LaboratoryTab, trials: Sequence[Trial], lost: list[Exception]) -> bool:
        """Begin to run trials in a tab. Returns False if the tab is lost, and adds the error to `lost`."""
        try:
            tab.begin(self._batch(trials))
        except Error as error:
            lost.append(error)
            tab.close()
            return False
        return True

    def _batch(self, trials: Sequence[Trial]) -> Batch:
        """Return trials as a batch. All have the same responses of other hosts, and the same preference."""
        folder = self.shop.folder_of(self.unit)
        return Batch(
            trials=[self._written(trial, folder) for trial in trials],
            preference=trials[0].preference,
            answers=answers_of(self.shop, self.unit, trials[0].state),
            folder=folder,
        )

    def _with_places(self, result: dict[str, Any], trial: Trial) -> dict[str, Any]:
        """Return a result with the places of stacks in the author's files."""
        find_script = partial(self._find_script, trial)
        return {
            **result,
            "errors": [with_author_places(text, find_script) for text in result["errors"]],
            "begun": {
                kind: with_author_places(stack, find_script) for kind, stack in result["begun"].items()
            },
        }

    def _key(self, trial: Trial) -> str:
        written = self._written(trial, self.shop.folder_of(self.unit))
        others = answers_of(self.shop, self.unit, trial.state)  # of the requests that `fetch` does not make
        text = json.dumps([written, others, trial.preference, trial.repetition], default=str)
        return sha256(text.encode()).hexdigest()

    def _find_script(self, trial: Trial, name: str) -> ScriptOnPage | None:
        """Return the app's script for the name of a script in a stack; None for the name of another script.

        In a page that the frame loads, the name is the page's address.
        """
        shop = self._shop_of(trial)
        script = shop.script(self.unit, trial.language)
        if not trial.is_loaded or script is None or not name.startswith(self.shop.running.storefront_url):
            return shop.find_script(name)
        with open_sent_pages(self.shop.running.storefront_url) as pages:
            return ScriptOnPage.within(pages.fetch(name).html, script)

    def _script_name(self, trial: Trial) -> dict[str, str] | None:
        script = self._shop_of(trial).script(self.unit, trial.language) if trial.has_app else None
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
            **({"held": trial.held} if trial.held else {}),
            **({"script": script} if (script := self._script_name(trial)) else {}),
            **({"reducedMotion": True} if trial.preference == "reduced-motion" else {}),
            "storageBlocked": trial.is_storage_blocked,
            "late": trial.is_late,
            **({"traced": True} if trial.is_traced else {}),
        }

    def _address(self, trial: Trial) -> str:
        """Return the path of the trial's page on the storefront's origin."""
        state = trial.state
        # In the element of the page, a text of the data must not end it: `shop.set_data` does the same.
        own = encode_app_data({self.unit: thaw(state.data)}) if state.data else None
        data = own if trial.data is None else trial.data
        url = (
            self.session.website(
                self.unit, data, is_dev=trial.is_dev, is_pseudo=trial.language == self.shop.pseudo
            ).url
            if trial.has_app
            else self.session.website_without_apps()
        )
        path, options = page_of(self.shop, state)
        query = urlencode({**options, **trial.options})
        whole = f"{url}{trial.language}/{path}" + (f"?{query}" if query else "")
        return whole.removeprefix(self.shop.running.storefront_url)


def _moves_of_steps(steps: Sequence[str], store: Store, product: ProductRecord | None) -> Iterator[Move]:
    """Yield the moves of steps as a state writes them. Raises StepFailed with the step's index."""
    for index, words in enumerate(steps):
        try:
            yield {"step": frame_step(store, product, read(words))}
        except (NotInTheStore, StepFailed) as error:
            raise StepFailed(f'the step "{words}": {error}', index=index) from error


def page_left(trial: Trial, at: int) -> PageLeft:
    """Return the error of a trial whose page was left after the move with the index `at`; -1 for no move."""
    taken = sum(map(is_step, trial.moves[: at + 1]))
    if not taken:
        return PageLeft(
            f"{PAGE_LEFT}, and nobody has clicked: a script leads to another page or a download, or loads it again"
        )
    # The navigation of a step may begin after it. A check may take the last steps again.
    index = min(taken, len(trial.state.steps)) - 1
    return PageLeft(
        f'{PAGE_LEFT}: the step "{trial.state.steps[index]}" leads to another page; a state stays on its own',
        index=index,
    )


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
    own_paths = {url for url in state.fetch if "?" not in url}
    others = {url: answer for url, answer in answers.items() if url.partition("?")[0] not in own_paths}
    return {**others, **state.fetch}


def _response(answer: Any, folder: Path) -> dict[str, Any] | None:
    if answer is None:
        return None
    response = read_host_response(answer, folder)
    body = response.body.decode("utf-8", "replace")
    return {"status": response.status, "body": body, "type": response.type_for("fetch")}
