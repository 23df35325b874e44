"""A state of a widget as the events that bring it about: what the gallery's pages fire."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from awning.contract import SLOTS, Dialect
from awning.workspace import WidgetState
from awning_harness.storefront.cart import DISCOUNT_CODES, SHIPPING, Cart, read_cart
from awning_harness.storefront.catalogue import product
from awning_harness.storefront.options import checkout_state, read_options
from awning_harness.storefront.records import ProductRecord, VariantRecord, named_variant
from awning_harness.storefront.source import FixedWebsite
from awning_harness.storefront.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """One event host: its base event and parameter, and the `-updated` items that follow.

    `automatic` are the page's own, `steps` the shopper's. `event` None: nothing fires, and `note` says why.
    """

    event: str | None
    params: Mapping[str, Any]
    automatic: tuple[Any, ...] = ()
    steps: tuple[Any, ...] = ()
    note: str = ""


def staged(state: WidgetState, language: str, languages: tuple[str, ...], dialect: Dialect) -> Staged:
    """The events of `state` on a page in `language`."""
    visit = Visit(
        website=FixedWebsite(languages=languages),
        language=language,
        path="",
        options=read_options({}),
        dialect=dialect,
    )
    event = visit.event(state.slot)
    if not isinstance(state.payload, str):
        return Staged(
            event=event, params=visit.params(state.slot, **_blank(state.slot)) | plain(state.payload)
        )
    if state.slot == "after-price":
        return _product(state, visit, event)
    return _cart(state, visit, event)


def plain(value: Any) -> Any:
    """Frozen mappings and tuples as JSON can write them."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def _blank(slot: str) -> dict[str, Any]:
    """Fields that a state of one's own payload may leave out."""
    return {name: {} for name in SLOTS[slot].params if name not in ("page", "currency")}


def _product(state: WidgetState, visit: Visit, event: str) -> Staged:
    record = product(str(state.payload))
    if record is None or not record.priced:
        return Staged(event=None, params={}, note="No price box, so no event")
    item = visit.item(record)
    first = record.first_variant()
    chosen = [variant for step in state.steps if (variant := _selected(record, step))]
    return Staged(
        event=event,
        params=visit.params(state.slot, item=item),
        automatic=(_update(item, first),) if first else (),
        steps=tuple(_update(item, variant) for variant in chosen),
    )


def _selected(record: ProductRecord, step: str) -> VariantRecord | None:
    verb, _, name = step.partition(" ")
    return named_variant(record, name.strip()) if verb == "select" else None


def _update(item: Mapping[str, Any], variant: VariantRecord) -> dict[str, Any]:
    selected = next(v for v in item["variants"] if v["id"] == variant.id)
    return {"item": item, "selectedVariantId": variant.id, "selectedVariant": selected}


def _cart(state: WidgetState, visit: Visit, event: str) -> Staged:
    cart = read_cart(str(state.payload)) or Cart()
    if not cart.lines:
        return Staged(event=None, params={}, note="An empty cart fires no event")
    if state.slot == "after-checkout":
        cart, _ = checkout_state(cart, {})
    params = visit.params(state.slot, cartData=visit.cart_data(cart))
    updates = []
    for step in state.steps:
        cart = _stepped(cart, step)
        updates.append(visit.cart_data(cart))
    return Staged(event=event, params=params, steps=tuple(updates))


def _stepped(cart: Cart, step: str) -> Cart:
    verb, _, rest = step.partition(" ")
    word = rest.strip()
    if verb == "discount" and (not word or word in DISCOUNT_CODES):
        return replace(cart, code=word or None)
    if verb == "shipping" and word in SHIPPING:
        return replace(cart, shipping=word)
    return cart
