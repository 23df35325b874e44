"""The payloads of the events on a page of the shop: each slot's event parameter, and the updatedItem of its updates."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from awning.contract import SLOTS, Slot
from awning.states.cart import Cart, currency
from awning.states.shop_page import ShopPage
from awning.workspace.store.records import ProductRecord, VariantRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What of the store a page shows: a product with the chosen variant, or a cart."""

    product: ProductRecord | None = None
    variant: VariantRecord | None = None
    cart: Cart | None = None


_OF_THE_PAGE: Mapping[str, Callable[[ShopPage, Slot], Any]] = MappingProxyType(
    {
        "currency": lambda page, _: currency(page.store),
        "page": lambda page, slot: page.page(slot.page.name),
    }
)
"""The fields of event parameters that do not depend on what the page shows."""

_OF_THE_STORE: Mapping[str, Callable[[ShopPage, Contents], Any]] = MappingProxyType(
    {
        "item": lambda page, contents: page.item(contents.product) if contents.product else {},
        "cartData": lambda page, contents: page.cart_data(contents.cart) if contents.cart else {},
    }
)
"""The other fields. A field is empty if the page shows nothing of its kind."""

PARAMETER_NAMES = frozenset({*_OF_THE_PAGE, *_OF_THE_STORE})


def event_parameter(page: ShopPage, slot: str, contents: Contents) -> dict[str, Any]:
    """Return the event parameter of a slot, with its fields in the specification's order.

    The page's option `payload` replaces fields and adds others.
    """
    described = SLOTS[slot]
    values = {name: make(page, described) for name, make in _OF_THE_PAGE.items()}
    values |= {name: make(page, contents) for name, make in _OF_THE_STORE.items() if name in described.params}
    return {name: values[name] for name in described.params} | dict(page.payload)


def updated_item(
    page: ShopPage, slot: str, contents: Contents, parameter: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return the updatedItem after a choice of the shopper; None when no variant is chosen.

    The item of a chosen variant is that of the event parameter (observed).
    """
    payload = SLOTS[slot].payload
    if not payload.chooses_variant:
        return dict(_OF_THE_STORE[payload.params[0]](page, contents))
    if contents.variant is None:
        return None
    item, chosen = parameter["item"], contents.variant.id
    selected = next(variant for variant in item["variants"] if variant["id"] == chosen)
    return {"item": item, "selectedVariantId": chosen, "selectedVariant": selected}


def fires_event(page: ShopPage, slot: Slot, contents: Contents) -> bool:
    """Return whether the page fires the slot's event: there is a price box, or something in the cart."""
    if contents.product is not None:
        return contents.product.priced
    if contents.cart is not None and not contents.cart.lines:
        return slot.page.replaced and page.answers["empty-cart"] == "event"
    return True


def event_parameters(page: ShopPage, kind: str, contents: Contents) -> dict[str, dict[str, Any] | None]:
    """Return the event parameter of each slot of a kind of page; None for a slot whose event is not fired."""
    return {
        slot.name: event_parameter(page, slot.name, contents) if fires_event(page, slot, contents) else None
        for slot in SLOTS.values()
        if slot.page.name == kind
    }
