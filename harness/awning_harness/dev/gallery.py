"""The gallery as the dev server shows it: its addresses, and the header of a state's page."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from awning.contract.slots import SLOTS
from awning.workspace.model import WidgetState
from awning_harness.gallery.state_page import StatePages, state_places, states_path
from awning_harness.storefront.options import BadOption
from awning_harness.visit.pages.address import NotInTheStore, page_address, state_options

GALLERY = "/_awning/gallery"


def state_address(
    widget: str, state: str, language: str, theme: str | None = None, *, steps: int | None = None
) -> str:
    """Return the address of the page of a state, in its own theme or in another, with all or the first of its steps."""
    pairs = {name: value for name, value in (("theme", theme), ("steps", steps)) if value is not None}
    query = f"?{urlencode(pairs)}" if pairs else ""
    return f"/_awning/state/{widget}/{state}/{language}{query}"


def read_step_count(written: str | None, steps: Sequence[str]) -> int:
    """Return how many of a state's steps are taken: all without a number. Raises BadOption for one that it lacks."""
    if written is None:
        return len(steps)
    if written not in map(str, range(len(steps) + 1)):
        raise BadOption(f"the state has no step {written!r}; it has {len(steps)}")
    return int(written)


def about_state(pages: StatePages, state: WidgetState, language: str) -> Mapping[str, Any]:
    """Return what the header of a state's page says when the page is opened alone."""
    widget = pages.widget
    shop_page = _shop_page(pages, state, language)
    title = f"{SLOTS[state.slot].page.name.capitalize()} page"
    return {
        "title": state.title,
        "name": state.name,
        "widget": widget.title,
        "place": state_places(widget).get(state.name, states_path(widget)),
        "links": [
            ("In the gallery", f"{GALLERY}#state-{widget.name}-{state.name}"),
            *([(title, shop_page)] if shop_page else ()),
        ],
    }


def _shop_page(pages: StatePages, state: WidgetState, language: str) -> str | None:
    """Return the address of the page of the shop with the state's payload and options, but not its data and steps.

    None when the store does not have the product or the cart.
    """
    visit = pages.visit(state, language)
    name, options = state_options(state)
    del options["data"]
    try:
        address = page_address(visit.store, state.slot, name, visit.language, options)
    except NotInTheStore:
        return None
    return f"/{visit.website.id}/{address.path}"
