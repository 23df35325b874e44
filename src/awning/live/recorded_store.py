"""Writes the shop of a recording as a file of `storefront/`: its look, its products with their numbers, its carts."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from awning.live.captures import UPDATED_ITEM, Capture
from awning.live.recording import Recording
from awning.workspace.store.records import EMPTY_CART
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import shipped_store
from awning.workspace.toml_text import toml_string

MOST_PRODUCTS, MOST_CARTS = 100, 20
"""The most products and carts of a recorded store."""
_MOST_PIECES = 99
"""The most pieces in a line of a cart of the simulated shop."""
_ID = re.compile(r"9[0-9]{3,8}", re.ASCII)
"""An id in a recording: a number in the place of the shop's own."""
_OWN_ID, _OWN_VARIANT_ID = 8001, 800_001
"""The first ids of a product and of variants whose id the shop does not send."""
_DEAREST = 1_000_000_000


def store_lines(recording: Recording, captures: Sequence[Capture]) -> Iterator[str]:
    """Yield the lines of the store's file: the look, each product with its numbers, and each cart."""
    yield "[store]"
    currency = next((code for code in map(_currency, captures) if code in shipped_store().currencies), None)
    if currency:
        yield f"currency = {toml_string(currency)}"
    yield from _look_lines(recording)
    taken: set[str] = set()
    variants: dict[str, set[str]] = {}
    for key, item in recorded_products(captures).items():
        variants[key] = set()
        yield from _product_lines(key, item, currency or "EUR", taken, variants[key])
    specs = dict.fromkeys(filter(None, (cart_spec(cart, variants) for cart in map(_cart, captures))))
    for number, spec in enumerate([*specs][:MOST_CARTS], 1):
        yield f'\n[[cart]]\nname = "RECORDED-{number}"\ntitle = "Recorded cart {number}"\nlines = "{spec}"'


def recorded_products(captures: Iterable[Capture]) -> Mapping[str, Mapping[str, Any]]:
    """Return the distinct products of events, at most MOST_PRODUCTS. Of each, the first item counts.

    A product that is only in carts has the variants that are there.
    """
    captures = tuple(captures)
    products: dict[str, Mapping[str, Any]] = {}
    for capture in captures:
        item = capture.values.get("item")
        if isinstance(item, Mapping) and len(products) < MOST_PRODUCTS:
            products.setdefault(product_key(item), item)
    in_carts: dict[str, dict[str, Mapping[str, Any]]] = {}
    for line in (line for capture in captures for line in _lines_of(_cart(capture))):
        in_carts.setdefault(product_key(line), {}).setdefault(str(line.get("variant_id")), line)
    for key, by_variant in in_carts.items():
        if len(products) < MOST_PRODUCTS:
            variants = [
                {**line, "id": line["variant_id"]} for line in by_variant.values() if line.get("variant_id")
            ]
            products.setdefault(key, {**next(iter(by_variant.values())), "variants": variants})
    return products


def cart_of(capture: Capture, store: Store) -> str | None:
    """Return the cart of an event, as an address of the simulated shop names it; None when the store cannot show it."""
    cart = _cart(capture)
    if cart is None:
        return None
    variants = {product.key: {variant.id for variant in product.variants} for product in store.products}
    return cart_spec(cart, variants) or (EMPTY_CART if cart.get("items") == [] else None)


def cart_spec(cart: Mapping[str, Any] | None, variants: Mapping[str, Collection[str]]) -> str:
    """Return the lines of a cart as an address writes them; "" without lines of a store with these variants."""
    specs = []
    for line in _lines_of(cart):
        key, variant, pieces = product_key(line), str(line.get("variant_id")), _amount(line.get("quantity"))
        if key in variants and pieces is not None and 1 <= pieces <= _MOST_PIECES:
            specs.append(f"{key}{f'.{variant}' if variant in variants[key] else ''}x{int(pieces)}")
    return ",".join(specs)


def _cart(capture: Capture) -> Mapping[str, Any] | None:
    """Return the cart of an event. An update has it as the updated item: the parameter has that of the page load."""
    name = UPDATED_ITEM if capture.is_update else "cartData"
    cart = capture.values.get(name) if "cartData" in capture.slot.params else None
    return cart if isinstance(cart, Mapping) else None


def _lines_of(cart: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    lines = cart.get("items") if cart else None
    lines = lines if isinstance(lines, list) else []
    return [line for line in lines if isinstance(line, Mapping)][:MOST_PRODUCTS]


def product_key(item: Mapping[str, Any]) -> str:
    """Return the key in the recorded store of an item. A recording has numbers in the place of ids."""
    identity = str(item.get("id"))
    return f"RECORDED-{identity}" if _ID.fullmatch(identity) else "RECORDED"


def _currency(capture: Capture) -> str | None:
    """Return the code of the currency that an event names."""
    for record, name in (("item", "currency"), ("currency", "code")):
        values = capture.values.get(record)
        if isinstance(values, Mapping) and isinstance(values.get(name), str):
            return str(values[name])
    return None


def _look_lines(recording: Recording) -> Iterator[str]:
    """Yield the look of the first slot: its own text, and the first background around it."""
    if not recording.surroundings:
        return
    around = recording.surroundings[0].around
    inner = around[0]
    background = next((look.background for look in around if look.background), "")
    for name, text in (("color", inner.color), ("background", background), ("font", inner.font)):
        if text:
            yield f"{name} = {toml_string(text)}"
    for name, number in (("font_size", inner.size), ("slot_width", inner.width)):
        if 1 <= round(number) <= 4000:  # noqa: PLR2004 - the limits of the keys
            yield f"{name} = {round(number)}"


def _product_lines(
    key: str, item: Mapping[str, Any], currency: str, taken: set[str], own: set[str]
) -> Iterator[str]:
    """Yield a product with the numbers of a recorded item. Its texts were not recorded.

    `taken` are the ids of all variants so far, `own` becomes those of this product.
    """
    identity = key.removeprefix("RECORDED").lstrip("-") or f"{_OWN_ID}"
    yield f'\n[[product]]\nkey = "{key}"\nid = "{identity}"\ntitle = "Recorded product"'
    yield from _number_lines(item, currency)
    variants = item.get("variants")
    variants = [v for v in variants if isinstance(v, Mapping)][:99] if isinstance(variants, list) else []
    if not variants:
        return
    options = ", ".join(f'{{ title = "{number}" }}' for number, _ in enumerate(variants, 1))
    yield f'\n[[product.dimension]]\ntitle = "Variant"\noptions = [{options}]'
    for number, variant in enumerate(variants, 1):
        identity = str(variant.get("id"))
        if identity in taken or not _ID.fullmatch(identity):
            identity = f"{_OWN_VARIANT_ID + len(taken)}"
        taken.add(identity)
        own.add(identity)
        yield f'\n[[product.variant]]\nid = "{identity}"\noptions = ["{number}"]'
        yield from _number_lines(variant, currency)


def _number_lines(values: Mapping[str, Any], currency: str) -> Iterator[str]:
    price, before = _amount(values.get("price")), _amount(values.get("price_undiscounted"))
    yield f"price = {{ {currency} = {price or 0} }}"
    if before is not None and before > (price or 0):
        yield f"before = {{ {currency} = {before} }}"
    for name in ("weight", "stock"):
        number = _amount(values.get(name))
        if number is not None:
            yield f"{name} = {round(number)}"


def _amount(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 <= value < _DEAREST else None
