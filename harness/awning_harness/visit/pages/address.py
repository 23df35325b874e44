"""The address of a page of the shop, from the names and options that a test or a state uses.

It looks up the names that they use: products, variants, carts, ways of shipping.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from awning.contract.slots import CART_TOPIC, PRODUCT_TOPIC, SLOTS
from awning.states.json_values import thaw
from awning.workspace.model import WidgetState
from awning.workspace.store.records import ProductRecord, VariantRecord, named_variant, option_names
from awning.workspace.store.store import Store


class NotInTheStore(ValueError):
    """The store, or the product of the page, has nothing with this name. The message lists the names."""


def require_product(store: Store, name: str) -> ProductRecord:
    """Return the product with this key (`P1`) or id. Raises NotInTheStore when there is none."""
    record = store.find_product(name)
    if record is None:
        keys = ", ".join(product.key for product in store.products)
        raise NotInTheStore(f"the store has no product {name!r}; it has {keys}")
    return record


def require_variant(product: ProductRecord | None, name: str) -> VariantRecord:
    """Return the variant with this id (`106`) or these options in English (`L/Blue`).

    Raises NotInTheStore when there is none, or when the page has no product.
    """
    if product is None:
        raise NotInTheStore("this page has no variants to select")
    record = named_variant(product, name)
    if record is None:
        names = ", ".join(option_names(product, variant) for variant in product.variants)
        raise NotInTheStore(f"{product.key} has no variant {name!r}; it has {names or 'none'}")
    return record


def require_cart(store: Store, name: str) -> str:
    """Return `name` if it is the name of a cart, `empty`, or lines such as `P3x3`. Raises NotInTheStore otherwise."""
    if not store.is_cart(name):
        forms = f"{', '.join(store.carts)}, empty, or lines such as P3x3 or 1.103x2,2x1"
        raise NotInTheStore(f"the store has no cart {name!r}; write {forms}")
    return name


def require_shipping(store: Store, way: str) -> str:
    """Return `way` if there is such a way of shipping. Raises NotInTheStore otherwise."""
    if way not in store.shipping:
        raise NotInTheStore(f"the store does not ship by {way!r}; there are {' and '.join(store.shipping)}")
    return way


def ordinary_name(slot: str) -> str:
    """Return the product or the cart of the shipped store with which a slot is shown when nothing else is chosen.

    It is empty where a page has neither.
    """
    topic = SLOTS[slot].topic
    return topic.ordinary if topic else ""


def page_names(store: Store, slot: str) -> tuple[str, ...]:
    """Return the products with a price, or the carts, that a slot's page can show; one empty name for neither."""
    topic = SLOTS[slot].topic
    if topic == PRODUCT_TOPIC:
        return tuple(product.key for product in store.products if product.priced)
    return tuple(store.carts) if topic == CART_TOPIC else ("",)


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
    name, topic = name or ordinary_name(slot), SLOTS[slot].topic
    product = require_product(store, name) if topic == PRODUCT_TOPIC else None
    values = {"cart": require_cart(store, name), **options} if topic == CART_TOPIC else dict(options)
    if topic is None and name:
        raise NotInTheStore(f"the page of {slot} shows no product and no cart, so it has no {name!r}")
    if values.get("payload") is not None:
        values["payload"] = json.dumps(thaw(values["payload"]))
    query = urlencode({name: value for name, value in values.items() if value is not None})
    page = SLOTS[slot].page.name + (f"/{product.id}" if product else "")
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
