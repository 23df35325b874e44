"""Opens the page of a failed check again, for the report: the same options, payload, width and updates.

A few situations exist only in the laboratory, such as a late event. The report then says how the page differs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from playwright.sync_api import Error

from awning.contract.assumptions import DEFAULT_SET
from awning.workspace.model import WidgetState
from awning_harness.testing import OpenedPage, Storefront, fire_updates
from awning_harness.visit.laboratory import answers_of
from awning_harness.visit.pages.address import NotInTheStore
from awning_harness.visit.pages.tabs import VIEWPORT, Stuck
from awning_harness.visit.steps.failures import StepFailed
from awning_harness.visit.trial import PREFERENCES, Move, Trial, data_to_set, is_step

BLOCK_STORAGE = """
const refuse = () => { throw new DOMException("Access is denied for this document.", "SecurityError"); };
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  Object.defineProperty(window, name, { configurable: true, get: refuse });
}
Object.defineProperty(document, "cookie", { configurable: true, get: () => "", set: () => {} });
"""
"""JavaScript that makes each use of storage throw and ignores cookies, as `controls.ts` of the laboratory does."""

SHOWN_MS = 500
"""How many milliseconds the block may take until it shows the text with which the check failed."""
POLL_MS = 50

OPEN_ALL = """(slot) => {
  for (const details of document.querySelectorAll(`.placeholder-${slot} details`)) details.open = true;
}"""
"""JavaScript that opens each `<details>`, as the laboratory does before it moves the focus."""


def open_failing_page(
    storefront: Storefront, trial: Trial, params: Mapping[str, Any], text: str | None
) -> None:
    """Open the page of a trial and fire its updates.

    `params` is the event parameter of the page. `text` is what the block showed at the end of the trial, if the check
    failed because of it.

    An error here becomes a note in the report, because it must not replace the failure of the check.
    """
    storefront.notes = list(lacks_of(trial))
    try:
        _open(storefront, trial)
        for are_updates, moves in groupby(trial.moves, _is_update):
            if are_updates:
                _fire(storefront, moves, trial.params or params)
            elif "focus" in moves:
                storefront.tab.evaluate(OPEN_ALL, trial.state.slot)
        if text is not None and storefront.visit and not _comes_to_show(storefront.visit, text):
            storefront.notes.append("the block does not come to show what it showed in the check")
    except (StepFailed, NotInTheStore) as error:
        storefront.notes.append(f"the page is as it was before {error}")
    except (Error, Stuck) as error:
        storefront.notes.append(f"it does not open as it did for the check: {error}")


def lacks_of(trial: Trial) -> Iterator[str]:
    """Yield a sentence for each way in which the opened page differs from the trial."""
    lacks = {
        "the snippet does not come late": trial.is_late,
        "nothing is typed, and no control has the focus": "focus" in trial.moves,
        "the shopper does not return to the page": "restored" in trial.moves,
        "nothing is typed": any(isinstance(move, Mapping) and "type" in move for move in trial.moves),
    }
    yield from (sentence for sentence, is_true in lacks.items() if is_true)
    if trial.is_loaded:  # its page fires its own events, as the opened page does
        return
    if "page" not in trial.moves:
        has_base = "base" in trial.moves or any(map(_is_timed, trial.moves))
        yield "the page fires its own updates too" if has_base else "the page fires its event"
    elif "loaded" in trial.moves[: trial.moves.index("page")]:
        yield "the event does not come late"
    if any(isinstance(move, Mapping) and "early" in move for move in trial.moves):
        yield "no update comes before the event"
    if any(map(_is_timed, trial.moves)):
        yield "each event comes once"


def _is_timed(move: Move) -> bool:
    return isinstance(move, Mapping) and "times" in move


def _open(storefront: Storefront, trial: Trial) -> None:
    shop, state = storefront.shop, trial.state
    answers = answers_of(shop, storefront.unit, state) if trial.answers is None else trial.answers
    for url, answer in answers.items():
        storefront.answer(url, 0 if answer is None else answer)
        if answer is None:
            storefront.other_hosts.silent.add(url)
    storefront.other_hosts.delays = trial.delays
    if trial.data is not None:
        shop.service.set_data(storefront.installed_app.auth_code, data_to_set(trial.data))
    if trial.is_storage_blocked:
        storefront.tab.run_first(BLOCK_STORAGE)
    storefront.tab.page.set_viewport_size({"width": trial.width, "height": VIEWPORT["height"]})
    if trial.preference:
        storefront.page.emulate_media(**PREFERENCES[trial.preference])
    options: dict[str, Any] = dict(trial.options)
    if trial.params is not None:
        options["payload"] = trial.params
    if trial.data is not None:
        options["data"] = None  # the app data are set above
    storefront.state(
        replace(state, steps=state.steps if takes_steps(trial) else (), fetch={}), trial.language, **options
    )
    state_page = state_in_dev(trial)
    storefront.opened_state = (state_page, trial.language) if state_page else None
    storefront.has_own_data = bool(state.data if trial.data is None else trial.data)


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


def _is_update(move: Move) -> bool:
    return isinstance(move, Mapping) and "update" in move


def _fire(storefront: Storefront, moves: Iterable[Any], params: Mapping[str, Any]) -> None:
    """Fire updates as the laboratory does, without a wait between them, and wait until the widget has handled them."""
    if storefront.visit:
        fire_updates(storefront.visit, [_updated_item(move["update"], params) for move in moves])


def _updated_item(update: Mapping[str, Any], params: Mapping[str, Any]) -> Any:
    if (value := update.get("value")) is not None:
        return value
    item = params["item"]
    variants = item.get("variants") or []
    chosen = variants[update["variant"] % len(variants)] if variants else None
    return {"item": item, "selectedVariantId": chosen and chosen["id"], "selectedVariant": chosen}


def _comes_to_show(page: OpenedPage, text: str) -> bool:
    """Return whether the block shows a text, which the responses of other hosts may bring a moment later."""
    for _ in range(SHOWN_MS // POLL_MS):
        if page.text() == text:
            return True
        page.tab.page.wait_for_timeout(POLL_MS)
    return False
