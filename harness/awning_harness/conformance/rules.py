"""The conformance rules, which hold for every widget. Each function runs for each state (and language) of a widget.

The emulator checks the rules of the client-side API and records violations in its trace. The rules in this module
protect shoppers and other apps on the page.
"""

import re
import tomllib
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from awning.client import encode_app_data
from awning.workspace import WidgetState
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column
from awning_harness.steps import StepFailed
from awning_harness.store_names import NotInTheStore
from awning_harness.tabs import Stuck
from awning_harness.testing import OpenedPage, Storefront
from awning_harness.visibility import CLIPPED, TOO_WIDE

PLACEHOLDER = "a-placeholder"
FOREIGN_DATA: dict[str, Any] = {
    "null": None,
    "nothing": "",
    "no-json": "not json",
    "null-as-text": "null",
    "empty-list": [],
    "another-apps": {"somebody": "else's"},
    "an-apostrophe": {"somebody": 'O\'Hara & "Söhne"'},
    "markup": encode_app_data({"</script><script>document.title='broken'</script>": "<!--"}),
}
"""App data that a shop may have: no data, the empty list of PHP apps, the data of another app.

The service inserts data unescaped, so data that could end the data element are written with `encode_app_data`.
"""

BROKEN_DECLARATION = re.compile(r"\S+ declares \"\w+\" as \w+, and the script gives .+")
"""Matches the console message of a dev build about a broken declaration (jsrc/runtime/template/promises.ts)."""

NO_PLACE = {
    "after-price": "a product whose price is on request has no price box",
    "after-cart": "the page that opened is not the cart",
    "after-checkout": "an empty cart has no checkout; its address redirects to the cart",
}
"""By slot, the reason why a page may not have it."""

GLOBALS = "() => Object.getOwnPropertyNames(globalThis).sort()"


def test_shows_its_state(storefront: Storefront, state: WidgetState, language: str) -> None:
    visit = open_state(storefront, state, language)
    assert_quiet(visit)
    if not state.empty and not visit.container.count():
        pytest.fail(f"the page has no place for {state.slot}: {NO_PLACE[state.slot]}", pytrace=False)
    if state.empty:
        assert_empty(visit, state)
    else:
        expect(visit.block).to_have_count(1)
    faults = visit.text_problems(state.shows.get(language, ()), state.hides.get(language, ()))
    assert not faults, f"the block {' and '.join(faults)}; it shows: {visit.text()!r}"
    if not state.empty:
        assert visit.text().strip(), "the block exists, but shows no text"
    assert_quiet(visit)


def test_keeps_to_its_place(storefront: Storefront, state: WidgetState) -> None:
    visit = open_state(storefront, state, first_language(storefront))
    added = set(visit.evaluate(GLOBALS)) - globals_without_apps(storefront)
    assert not added, f"the widget leaves globals on the page: {', '.join(sorted(added))}"


def test_is_as_wide_as_its_place_on_a_phone(storefront: Storefront, state: WidgetState) -> None:
    storefront.tab.page.set_viewport_size({"width": 360, "height": 800})
    visit = open_state(storefront, state, first_language(storefront))
    assert_fits(visit, "the block")


def test_has_room_for_longer_texts(storefront: Storefront, state: WidgetState, pseudo: str) -> None:
    """Longer texts (the pseudo-language) fit into the page on a phone."""
    storefront.tab.page.set_viewport_size({"width": 360, "height": 800})
    visit = open_state(storefront, state, pseudo)
    assert_quiet(visit)
    assert_fits(visit, "with longer texts the block")
    clipped = visit.evaluate(f"[...document.querySelectorAll('#content-{visit.slot}')].flatMap({CLIPPED})")
    assert not clipped, f"longer texts are cut off: {'; '.join(clipped)}"


def test_keeps_its_declarations(dev_storefront: Storefront, state: WidgetState) -> None:
    """The script passes values of the types that the templates declare. Only a dev build checks the types."""
    language = first_language(dev_storefront)
    visit = open_state(dev_storefront, state, language)
    if not broken_declarations(visit):
        visit.text_problems(state.shows.get(language, ()), state.hides.get(language, ()))
    _fail_if_any(
        "the script passes values of other types than the template declares", broken_declarations(visit)
    )


@pytest.mark.parametrize("kind", [*FOREIGN_DATA, PLACEHOLDER])
def test_survives_app_data_that_is_not_its_own(storefront: Storefront, kind: str) -> None:
    data = FOREIGN_DATA.get(kind, storefront.shop.dialect.app_data_placeholder)
    storefront.shop.service.set_data(storefront.installed_app.auth_code, data)
    storefront.answer_as_in_states()
    for opener in (storefront.product, storefront.cart, storefront.checkout):
        visit = opener()
        assert visit.evaluate("document.title") != "broken", "app data was run as a script"
        assert_quiet(visit)


def open_state(storefront: Storefront, state: WidgetState, language: str) -> OpenedPage:
    """Open the page of a state. A step or payload that does not exist in the shop is reported with its line."""
    try:
        return storefront.state(state, language)
    except (NotInTheStore, StepFailed, Stuck) as error:
        path = f"widgets/{storefront.unit}/states.toml"
        text = (storefront.shop.folder_of(storefront.unit) / "states.toml").read_text(encoding="utf-8-sig")
        step = error.index if isinstance(error, StepFailed) else None
        line = line_of(text, state, step)
        pytest.fail(f'{path}:{line}: the state "{state.name}" cannot occur: {error}', pytrace=False)


def line_of(text: str, state: WidgetState, step: int | None) -> int:
    """Return the line, from 1, of a state's step in its `states.toml`; of its payload when `step` is None."""
    tables = tomllib.loads(text)["state"]
    index = next(index for index, table in enumerate(tables) if table.get("name") == state.name)
    where: KeyPath = ("state", index, "payload") if step is None else ("state", index, "steps", step)
    return line_and_column(text, find_toml_offsets(text)[where])[0]


def first_language(storefront: Storefront) -> str:
    """Return the default language of the tested widget."""
    workspace = storefront.shop.workspace
    languages = (widget.languages for widget in workspace.widgets if widget.name == storefront.unit)
    return next(languages, workspace.languages)[0]


def assert_empty(visit: OpenedPage, state: WidgetState) -> None:
    """Assert that the page has no block. After steps, a block is allowed if it shows nothing and takes no space."""
    if not state.steps:
        expect(visit.block).to_have_count(0)
    elif not visit.shows_nothing():
        text = visit.text().strip()
        open_state = f"it shows: {text!r}" if text else "it has no text, but takes space"
        pytest.fail(f"the block must be empty after the steps; {open_state}", pytrace=False)


def assert_fits(visit: OpenedPage, what: str) -> None:
    """Assert that the page does not scroll sideways, and that nothing extends beyond the slot."""
    wide = visit.evaluate(f"({TOO_WIDE})('#content-{visit.slot}')")
    if wide is None:
        return
    sentence = f"{what} is {wide['by']} px wider than its place on a phone"
    if wide["selector"]:
        text = f' ("{wide["text"]}")' if wide["text"] else ""
        sentence += f": {wide['selector']}{text} is {wide['width']} px wide, its place {wide['place']} px"
    pytest.fail(sentence, pytrace=False)


def broken_declarations(visit: OpenedPage) -> list[str]:
    """Return the console messages about broken declarations, each once."""
    matches = (BROKEN_DECLARATION.search(error) for error in visit.errors)
    return list(dict.fromkeys(match[0] for match in matches if match))


def assert_quiet(visit: OpenedPage) -> None:
    """Assert that no rule of the service was broken and the console has no errors."""
    violations = [f"{entry['detail']} ({entry['event']})" for entry in visit.violations()]
    _fail_if_any("the widget breaks the rules of the service", violations)
    exceptions = [str(entry["detail"]) for entry in visit.exceptions()]
    _fail_if_any("an exception left the widget", exceptions)
    _fail_if_any("the console has errors", visit.errors)


def _fail_if_any(what: str, problems: Sequence[str]) -> None:
    """Fail if there are problems, without a traceback, which would show lines of awning and not of the widget."""
    if problems:
        pytest.fail(f"{what}: {'; '.join(problems)}", pytrace=False)


def globals_without_apps(storefront: Storefront) -> set[str]:
    """Return the globals of the open page on a website without apps."""
    shop, page = storefront.shop, storefront.tab.page
    website = shop.service.create_website(languages=shop.workspace.languages)
    path = page.url.removeprefix(storefront.installed_app.url)
    page.goto(shop.service.website_url(website.id).rstrip("/") + "/" + path)
    return set(page.evaluate(GLOBALS))
