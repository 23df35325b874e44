"""What every widget must do, whatever it is for. Each function runs for each state (and language) of a widget.

The rules of the client-side API are the emulator's to judge (its trace holds the violations); here is what a
shopper and the other apps on the page may expect.
"""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from awning.check.states import place_of
from awning.service import encode_app_data
from awning.workspace import State
from awning_harness.named import NotInTheStore
from awning_harness.seen import CLIPPED
from awning_harness.visit import Storefront, Visit

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
"""App data as a shop may hold it: nothing at all, the empty list of PHP apps, somebody else's.

The service inserts it as it is, so data that could end the element it stands in is written by `encode_app_data`.
"""

OVERFLOW = """(place) => Math.max(
  place.scrollWidth - place.clientWidth,
  document.documentElement.scrollWidth - innerWidth,
)"""
"""What sticks out of the slot, or makes the whole page scroll sideways, in CSS pixels."""

BROKEN_PROMISE = re.compile(r"\S+ declares \"\w+\" as \w+, and the script gives .+")
"""What a dev build complains of (jsrc/runtime/template/promises.ts)."""

GLOBALS = "() => Object.getOwnPropertyNames(globalThis).sort()"


def test_shows_its_state(storefront: Storefront, state: State, language: str) -> None:
    visit = shown(storefront, state, language)
    assert_quiet(visit)
    expect(visit.block).to_have_count(0 if state.empty else 1)
    faults = visit.texts_amiss(state.shows.get(language, ()), state.hides.get(language, ()))
    assert not faults, f"the block {' and '.join(faults)}; it shows: {visit.text()!r}"
    if not state.empty:
        assert visit.text().strip(), "the block is there, but shows no text"
    assert_quiet(visit)


def test_keeps_to_its_place(storefront: Storefront, state: State) -> None:
    visit = shown(storefront, state, first_language(storefront))
    added = set(visit.evaluate(GLOBALS)) - globals_without_apps(storefront)
    assert not added, f"the widget leaves globals on the page: {', '.join(sorted(added))}"


def test_is_as_wide_as_its_place_on_a_phone(storefront: Storefront, state: State) -> None:
    storefront.tab.page.set_viewport_size({"width": 360, "height": 800})
    visit = shown(storefront, state, first_language(storefront))
    overflow = visit.container.evaluate(OVERFLOW)
    assert overflow <= 0, f"the block is {overflow} px wider than its place on a phone"


def test_has_room_for_longer_texts(storefront: Storefront, state: State, pseudo: str) -> None:
    """In the pseudo-language, on a phone."""
    storefront.tab.page.set_viewport_size({"width": 360, "height": 800})
    visit = shown(storefront, state, pseudo)
    assert_quiet(visit)
    overflow = visit.container.evaluate(OVERFLOW)
    assert overflow <= 0, f"with longer texts the block is {overflow} px wider than its place on a phone"
    clipped = visit.container.evaluate(CLIPPED)
    assert not clipped, f"longer texts are cut off: {'; '.join(clipped)}"


def test_keeps_its_declarations(dev_storefront: Storefront, state: State) -> None:
    """What ships does not look: in a dev build, the script gives what the templates declare."""
    language = first_language(dev_storefront)
    visit = shown(dev_storefront, state, language)
    if not broken_promises(visit):
        visit.texts_amiss(state.shows.get(language, ()), state.hides.get(language, ()))
    _refuse("the script breaks what a template declares", broken_promises(visit))


@pytest.mark.parametrize("kind", [*FOREIGN_DATA, PLACEHOLDER])
def test_survives_app_data_that_is_not_its_own(storefront: Storefront, kind: str) -> None:
    data = FOREIGN_DATA.get(kind, storefront.shop.dialect.app_data_placeholder)
    storefront.shop.service.set_data(storefront.opened.auth_code, data)
    storefront.answer_as_in_states()
    for opener in (storefront.product, storefront.cart, storefront.checkout):
        visit = opener()
        assert visit.evaluate("document.title") != "broken", "app data was run as a script"
        assert_quiet(visit)


def shown(storefront: Storefront, state: State, language: str) -> Visit:
    """The state's page. What it names and the store does not have is told of where the state stands."""
    try:
        return storefront.state(state, language)
    except NotInTheStore as error:
        path = f"widgets/{storefront.unit}/states.toml"
        text = (storefront.shop.folder_of(storefront.unit) / "states.toml").read_text(encoding="utf-8-sig")
        line = place_of(state, path, text)[0].line
        pytest.fail(f'{path}:{line}: the state "{state.name}" cannot come about: {error}', pytrace=False)


def first_language(storefront: Storefront) -> str:
    """The default language of the widget that the test is about."""
    workspace = storefront.shop.workspace
    spoken = (widget.languages for widget in workspace.widgets if widget.name == storefront.unit)
    return next(spoken, workspace.languages)[0]


def broken_promises(visit: Visit) -> list[str]:
    """What the dev build says of declared types, once each."""
    found = (BROKEN_PROMISE.search(error) for error in visit.errors)
    return list(dict.fromkeys(match[0] for match in found if match))


def assert_quiet(visit: Visit) -> None:
    """No rule was broken, and nothing was complained about."""
    violations = [f"{entry['detail']} ({entry['event']})" for entry in visit.violations()]
    _refuse("the widget breaks the rules of the service", violations)
    exceptions = [str(entry["detail"]) for entry in visit.trace() if entry["kind"] == "exception"]
    _refuse("an exception left the widget", exceptions)
    _refuse("the console has errors", visit.errors)


def _refuse(what: str, found: Sequence[str]) -> None:
    """Without a traceback: it would show our own lines, not the widget's."""
    if found:
        pytest.fail(f"{what}: {'; '.join(found)}", pytrace=False)


def globals_without_apps(storefront: Storefront) -> set[str]:
    """What the page that is open defines on a website where no app is installed."""
    shop, page = storefront.shop, storefront.tab.page
    website = shop.service.create_website(languages=shop.workspace.languages)
    path = page.url.removeprefix(storefront.opened.url)
    page.goto(shop.service.website_url(website.id).rstrip("/") + "/" + path)
    return set(page.evaluate(GLOBALS))
