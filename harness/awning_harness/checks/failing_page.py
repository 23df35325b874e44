"""Opens the page of a failed check again, for the report: the same options, payload, width, answers and events.

A few situations exist only in the laboratory, such as typed texts. The report then says how the page differs. It says
also what a page in `awning dev` does not have of the check.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from playwright.sync_api import Error

from awning.contract.assumptions import DEFAULT_SET
from awning.states.host_responses import read_host_response
from awning.states.json_values import thaw
from awning.workspace.model import WidgetState
from awning_harness.testing import OpenedPage, PageAction, Storefront
from awning_harness.visit.held_page import (
    MAKE,
    PAGE_MOVES,
    UPDATED_ITEMS,
    at_once,
    held_script,
    kind_of,
)
from awning_harness.visit.hosts.other_hosts import FetchAnswers
from awning_harness.visit.laboratory import answers_of
from awning_harness.visit.pages.address import NotInTheStore
from awning_harness.visit.pages.tabs import VIEWPORT, Stuck
from awning_harness.visit.steps import page_steps
from awning_harness.visit.steps.failures import StepFailed
from awning_harness.visit.trial import PREFERENCES, Move, Trial, data_to_set, is_step

BLOCK_STORAGE = """
const refuse = () => {
  const refusal = new DOMException("Access is denied for this document.", "SecurityError");
  Error.captureStackTrace(refusal, refuse);
  throw refusal;
};
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  Object.defineProperty(window, name, { configurable: true, get: refuse });
}
Object.defineProperty(document, "cookie", { configurable: true, get: () => "", set: () => {} });
"""
"""JavaScript that makes each use of storage throw and ignores cookies, as `controls.ts` of the laboratory does."""

SHOWN_MS = 2000
"""How many milliseconds the block may take to show the text with which the check failed, which timers may bring."""
POLL_MS = 50
AT_ONCE = ", and at once "

OPEN_ALL = """(slot) => {
  for (const details of document.querySelectorAll(`.placeholder-${slot} details`)) details.open = true;
}"""
"""JavaScript that opens each `<details>`, as the laboratory does before it moves the focus."""


def open_failing_page(storefront: Storefront, trial: Trial, text: str | None) -> None:
    """Open the page of a trial and make its moves.

    `text` is what the block showed at the end of the trial, if the check failed because of it.

    An error here becomes a note in the report, because it must not replace the failure of the check.
    """
    storefront.notes, storefront.only_here = [*lacks_of(trial)], [*only_here(trial)]
    early, late = _moves_of(trial)
    try:
        page = _open(storefront, trial, held_script(early))
        for moves in at_once(late):
            _make(page, moves)
        if "focus" in trial.moves:
            storefront.tab.evaluate(OPEN_ALL, trial.state.slot)
        if text is not None and not _comes_to_show(page, text):
            storefront.notes.append("the block does not show the text that the check saw")
    except (StepFailed, NotInTheStore) as error:
        storefront.notes.append(f"the page is as it was before {error}")
    except (Error, Stuck) as error:
        storefront.notes.append(f"it does not open as it did for the check: {error}")


def lacks_of(trial: Trial) -> Iterator[str]:
    """Yield a sentence for each way in which the opened page differs from the trial."""
    lacks = {
        "the snippet does not come late": trial.is_late,
        "the build does not check declared types": trial.is_dev,
        "nothing is typed, and no control has the focus": "focus" in trial.moves,
        "nothing is typed": any(isinstance(move, Mapping) and "type" in move for move in trial.moves),
    }
    yield from (sentence for sentence, is_true in lacks.items() if is_true)


def only_here(trial: Trial) -> Iterator[str]:
    """Yield what a page in `awning dev` does not have of the trial. A shopper can make its updates there."""
    early, late = _moves_of(trial)
    events = {*map(kind_of, early), *map(kind_of, late)} & PAGE_MOVES.keys()
    own, usual = trial.answers, trial.state.fetch
    delays = ", ".join(map(str, trial.delays))
    lacks = {
        "its events": "page" not in early or bool(events - {"page", "update"}),
        "its answers of other hosts": own is not None and own != usual,
        f"answers of other hosts after {delays} ms": bool(trial.delays and usual),
        "answers in another order": trial.held == "backwards",
        "steps that wait for no answer": trial.held is not None and takes_steps(trial),
        "refused storage": trial.is_storage_blocked,
    }
    yield from (words for words, is_true in lacks.items() if is_true)


def _moves_of(trial: Trial) -> tuple[Sequence[Move], Sequence[Move]]:
    """Return the moves of a trial before its page is loaded, of the page itself, and all moves after that."""
    at = trial.moves.index("loaded") if "loaded" in trial.moves else len(trial.moves)
    early = ("page",) if trial.is_loaded else trial.moves[:at]
    return [move for move in early if kind_of(move) in PAGE_MOVES], trial.moves[at:]


def _open(storefront: Storefront, trial: Trial, script: str) -> OpenedPage:
    """Open the page of a trial, on which `script` runs first. Returns it after the steps that the trial takes."""
    shop, state = storefront.shop, trial.state
    answers = answers_of(shop, storefront.unit, state) if trial.answers is None else trial.answers
    for url, answer in answers_of(shop, storefront.unit, state).items():
        storefront.answer(url, answer)
    folder = storefront.other_hosts.folder
    responses = {
        url: None if answer is None else read_host_response(answer, folder) for url, answer in answers.items()
    }
    storefront.other_hosts.to_fetch = FetchAnswers(responses=responses, delays=trial.delays, held=trial.held)
    if trial.data is not None:
        shop.service.set_data(storefront.installed_app.auth_code, data_to_set(trial.data))
    if trial.is_storage_blocked:
        storefront.tab.run_first(BLOCK_STORAGE)
    storefront.tab.run_first(script)
    storefront.tab.page.set_viewport_size({"width": trial.width, "height": VIEWPORT["height"]})
    if trial.preference:
        storefront.page.emulate_media(**PREFERENCES[trial.preference])
    options: dict[str, Any] = dict(trial.options)
    if trial.params is not None:
        options["payload"] = trial.params
    if trial.data is not None:
        options["data"] = None  # the app data are set above
    steps = state.steps if takes_steps(trial) else ()
    own_steps = () if trial.held else steps
    page = storefront.state(replace(state, steps=own_steps, fetch={}), trial.language, **options)
    state_page = state_in_dev(trial)
    storefront.opened_state = (state_page, trial.language) if state_page else None
    storefront.has_own_data = bool(state.data if trial.data is None else trial.data)
    if trial.held and steps:
        page.actions.append(PageAction(words=AT_ONCE.join(steps), take=lambda again: _hurry(again, steps)))
        _hurry(page, steps)
    return page


def _hurry(page: OpenedPage, steps: Sequence[str]) -> None:
    """Take steps while responses are held. A step that is not possible without them waits for them."""
    _hold(page)
    for words in steps:
        take = partial(
            page_steps.take, page.tab, page.store, page.product, page.block, page_steps.read(words)
        )
        try:
            take()
        except StepFailed:
            _release(page)
            take()
            _hold(page)
    _release(page)


def _hold(page: OpenedPage) -> None:
    if page.tab.other_hosts:
        page.tab.other_hosts.hold()


def _release(page: OpenedPage) -> None:
    """Let the held responses arrive, each when the page has used the one before."""
    page.settle()  # requests that are under way are seen meanwhile
    for _ in page.tab.other_hosts.release() if page.tab.other_hosts else ():
        page.settle()


def takes_steps(trial: Trial) -> bool:
    """Return whether a trial takes the steps of its state."""
    return any(map(is_step, trial.moves))


def state_in_dev(trial: Trial) -> WidgetState | None:
    """Return the state, with the trial's theme, whose page in `awning dev` looks like the trial's page.

    None if no state's page does. A state's page has the state's app data and takes its steps, which most trials do not.
    None also if the trial has options and the state has no app data, because a page of the shop then shows what
    the check saw.
    """
    options = {name: value for name, value in trial.options.items() if value}
    theme = options.pop("theme", trial.state.theme)
    is_usual = options.pop("assumptions", DEFAULT_SET).partition(",")[0] == DEFAULT_SET
    is_before_steps = bool(trial.state.steps) and not takes_steps(trial)
    is_changed = options or is_before_steps or trial.data is not None or trial.params is not None
    is_shops = bool(trial.options) and not trial.state.data
    return None if is_changed or is_shops or not is_usual else replace(trial.state, theme=theme)


def _make(page: OpenedPage, moves: Sequence[Move]) -> None:
    """Make moves of the page without a wait between them, and wait until the widget has handled them."""
    kinds = [kind_of(move) for move in moves]
    updates: Sequence[Mapping[str, Any]] = ()
    if {*kinds} == {"update"}:
        updates = page.tab.evaluate(UPDATED_ITEMS, thaw([*moves]))
    words = AT_ONCE.join(PAGE_MOVES[kind] for kind in kinds)
    page.actions.append(PageAction(words=words, take=lambda again: _move(again, moves), updates=updates))
    _move(page, moves)


def _move(page: OpenedPage, moves: Sequence[Move]) -> None:
    _hold(page)
    page.tab.evaluate(MAKE, thaw([*moves]))
    _release(page)


def _comes_to_show(page: OpenedPage, text: str) -> bool:
    end = monotonic() + SHOWN_MS / 1000
    while page.text() != text:
        if monotonic() >= end:
            return False
        page.tab.page.wait_for_timeout(POLL_MS)
    return True
