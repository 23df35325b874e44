"""The address of a page of the shop, from the names and options that a test or a state uses."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from awning.contract import SLOTS
from awning.workspace import WidgetState
from awning.workspace.store import Store
from awning.workspace.store.records import ProductRecord
from awning_harness.pages.store_names import require_cart, require_product
from awning_harness.storefront.json_values import thaw


def ordinary_name(slot: str) -> str:
    """Return the product or the cart of the shipped store with which a slot is shown when nothing else is chosen."""
    return "P1" if SLOTS[slot].has_product else "C1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAddress:
    """One page. `path` is its address within the website: `en/product/1?theme=dark`."""

    slot: str
    path: str
    product: ProductRecord | None = None

    @property
    def language(self) -> str:
        return self.path.partition("/")[0]


def page_address(
    store: Store, slot: str, name: str | None, language: str, options: Mapping[str, Any]
) -> PageAddress:
    """Return the page of a slot with a product (`P1`, an id) or a cart (`C1`, `P3x3`).

    Options that are None are left out. Raises NotInTheStore when the store has no such product or cart.
    """
    name = name or ordinary_name(slot)
    product = require_product(store, name) if SLOTS[slot].has_product else None
    values = dict(options) if product else {"cart": require_cart(store, name), **options}
    if values.get("payload") is not None:
        values["payload"] = json.dumps(thaw(values["payload"]))
    query = urlencode({name: value for name, value in values.items() if value is not None})
    page = SLOTS[slot].page + (f"/{product.id}" if product else "")
    return PageAddress(slot=slot, path=f"{language}/{page}" + (f"?{query}" if query else ""), product=product)


def state_options(state: WidgetState) -> tuple[str | None, dict[str, Any]]:
    """Return the name of a state's product or cart (None if it writes out its payload), and the options of its page."""
    options: dict[str, Any] = {
        "data": state.data,
        "now": state.now,
        "currency": state.currency,
        "theme": state.theme,
        "csp": state.csp,
    }
    if isinstance(state.payload, str):
        return state.payload, options
    return None, {**options, "payload": state.payload}
