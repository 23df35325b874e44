"""The rules, which hold for every widget. Each function runs for each state (and language) of a widget.

The emulator checks the rules of the client-side API and records violations in its trace. The rules in this module
protect shoppers and other apps on the page.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from awning.client import encode_app_data
from awning.workspace import WidgetState
from awning_harness.conformance.state_case import StateCase
from awning_harness.pages.problems import describe_first
from awning_harness.pages.visibility import CLIPPED, TOO_WIDE
from awning_harness.testing import OpenedPage, Storefront

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

GLOBALS = "() => Object.getOwnPropertyNames(globalThis).filter((name) => !/^[0-9]+$/.test(name)).sort()"
"""A script that returns the names of the globals. A number is none: it is a frame of the page."""


def test_shows_its_state(storefront: Storefront, state: WidgetState, language: str) -> None:
    """The block of a state is missing, is there twice, lacks a text, breaks a rule of the service or makes an error."""
    case = StateCase.of(storefront, state, language)
    visit = case.open()
    require_quiet(case, visit)
    if not state.empty and not visit.container.count():
        case.fail(f"the page has no place for {state.slot}: {NO_PLACE[state.slot]}", ("payload",))
    if state.empty:
        require_empty(case, visit)
    else:
        require_one_block(case, visit)
    require_texts(case, visit)
    if not state.empty and not visit.text().strip():
        case.fail("the block exists, but shows no text")
    require_quiet(case, visit)


def test_keeps_to_its_place(storefront: Storefront, state: WidgetState) -> None:
    """The widget leaves globals on the page, which other apps may read, change or need."""
    case = StateCase.of(storefront, state)
    visit = case.open()
    added = set(visit.evaluate(GLOBALS)) - globals_without_apps(storefront)
    if added:
        case.fail(f"the widget leaves globals on the page: {', '.join(sorted(added))}")


def test_is_as_wide_as_its_place_on_a_phone(storefront: Storefront, state: WidgetState) -> None:
    """The block is wider than its place on a phone."""
    storefront.tab.page.set_viewport_size({"width": 360, "height": 800})
    case = StateCase.of(storefront, state)
    require_fit(case, case.open(), "the block")


def test_has_room_for_longer_texts(storefront: Storefront, state: WidgetState, pseudo: str) -> None:
    """Longer texts (the pseudo-language) do not fit into the page on a phone."""
    storefront.tab.page.set_viewport_size({"width": 360, "height": 800})
    case = StateCase.of(storefront, state, pseudo)
    visit = case.open()
    require_quiet(case, visit)
    require_fit(case, visit, "with longer texts the block")
    clipped = visit.evaluate(f"[...document.querySelectorAll('#content-{visit.slot}')].flatMap({CLIPPED})")
    if clipped:
        case.fail(f"longer texts are cut off: {'; '.join(clipped)}")


def test_keeps_its_declarations(dev_storefront: Storefront, state: WidgetState) -> None:
    """The script passes values of other types than the templates declare. Only a dev build checks the types."""
    case = StateCase.of(dev_storefront, state)
    visit = case.open()
    if not broken_declarations(visit):
        visit.text_problems(state.shows.get(case.language, ()), state.hides.get(case.language, ()))
    if broken := broken_declarations(visit):
        what = "the script passes values of other types than the template declares"
        case.fail(f"{what}: {'; '.join(broken)}")


@pytest.mark.parametrize("kind", [*FOREIGN_DATA, PLACEHOLDER])
def test_survives_app_data_that_is_not_its_own(storefront: Storefront, kind: str) -> None:
    """App data of another shape or another app breaks the widget, or runs as a script."""
    data = FOREIGN_DATA.get(kind, storefront.shop.dialect.app_data_placeholder)
    storefront.shop.service.set_data(storefront.installed_app.auth_code, data)
    storefront.answer_as_in_states()
    for opener in (storefront.product, storefront.cart, storefront.checkout):
        visit = opener()
        is_broken = visit.evaluate("document.title") == "broken"
        problem = "app data was run as a script" if is_broken else describe_first(visit.problems())
        if problem:
            where = f"widgets/{storefront.unit}/widget.toml: on the {opener.__name__} page"
            pytest.fail(f'{where} with the app data "{kind}": {problem}', pytrace=False)


def require_one_block(case: StateCase, visit: OpenedPage) -> None:
    """Fail the test unless the page has one block, soon."""
    try:
        expect(visit.block).to_have_count(1)
    except AssertionError:
        count = visit.block.count()
        case.fail(
            f"the page has {count} blocks of the widget" if count else "the page has no block of the widget"
        )


def require_texts(case: StateCase, visit: OpenedPage) -> None:
    """Fail the test unless the slot shows the texts of the state, soon, and none that it hides."""
    state, language = case.state, case.language
    present, absent = state.shows.get(language, ()), state.hides.get(language, ())
    if problems := visit.text_problems(present, absent):
        visible = visit.text().strip()
        key = "shows" if any(problem.startswith("does not") for problem in problems) else "hides"
        case.fail(f"the block {' and '.join(problems)}; it shows: {visible!r}", (key, language))


def require_empty(case: StateCase, visit: OpenedPage) -> None:
    """Fail the test if the page has a block. After steps, a block may exist that shows nothing and takes no space."""
    if not visit.shows_nothing():
        text = visit.text().strip()
        visible = f"it shows: {text!r}" if text else "it has no text, but takes space"
        after = " after the steps" if case.state.steps else ""
        case.fail(f"the block must be empty{after}; {visible}", ("empty",))
    if not case.state.steps and visit.block.count():
        case.fail("the page has a block, though an empty one", ("empty",))


def require_fit(case: StateCase, visit: OpenedPage, what: str) -> None:
    """Fail the test if the page scrolls sideways, or something extends beyond the slot."""
    wide = visit.evaluate(f"({TOO_WIDE})('#content-{visit.slot}')")
    if wide is None:
        return
    sentence = f"{what} is {wide['by']} px wider than its place on a phone"
    if wide["selector"]:
        text = f' ("{wide["text"]}")' if wide["text"] else ""
        sentence += f": {wide['selector']}{text} is {wide['width']} px wide, its place {wide['place']} px"
    case.fail(sentence)


def broken_declarations(visit: OpenedPage) -> list[str]:
    """Return the console messages about broken declarations, each once."""
    matches = (BROKEN_DECLARATION.search(error) for error in visit.errors)
    return list(dict.fromkeys(match[0] for match in matches if match))


def require_quiet(case: StateCase, visit: OpenedPage) -> None:
    """Fail the test if a rule of the service was broken, or the console has errors."""
    if problem := describe_first(visit.problems()):
        case.fail(problem)


def globals_without_apps(storefront: Storefront) -> set[str]:
    """Return the globals of the open page on a website without apps."""
    shop, page = storefront.shop, storefront.tab.page
    website = shop.service.create_website(languages=shop.workspace.languages)
    path = page.url.removeprefix(storefront.installed_app.url)
    page.goto(shop.service.website_url(website.id).rstrip("/") + "/" + path)
    return set(page.evaluate(GLOBALS))
