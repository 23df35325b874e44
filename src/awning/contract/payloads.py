"""What is inside the events' payloads, and how it is known.

The specification names `item`, `page`, `cartData`, `currency` and `selectedVariant` and says that their internal
fields are not shown (Apps Integration API, Event kinds). Deployed pages show some (observed); the rest is assumed,
so that there is something to simulate. The order is the observed one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Source = Literal["documented", "observed", "assumed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadField:
    """One field. `types` are JSON Schema's; `record` names the record that it, or each element of it, is."""

    name: str
    types: tuple[str, ...]
    source: Source
    about: str = ""
    record: str | None = None


def _field(
    name: str, types: str, about: str = "", *, source: Source = "observed", record: str | None = None
) -> PayloadField:
    return PayloadField(name=name, types=tuple(types.split()), source=source, about=about, record=record)


def _assumed(name: str, types: str, about: str = "", *, record: str | None = None) -> PayloadField:
    return _field(name, types, about, source="assumed", record=record)


_UNDISCOUNTED = "Equal to price without a sale."
_STOCK = "Null when stock is not managed."

RECORDS: Mapping[str, tuple[PayloadField, ...]] = MappingProxyType(
    {
        "Page": (
            _field("language", "string", "Language code of the page."),
            _field("page", "string", '"catalog"; assumed to be the same on cart and checkout.'),
        ),
        "Option": (_field("title", "string", "Plain text in the page's language."),),
        "Item": (
            _field("id", "string", "Digits."),
            _field("name", "string", "Plain text in the page's language. Not HTML: escape it."),
            _field("sku", "string", '"" when unset.'),
            _field("brand", "string", '"" when unset.'),
            _field("category", "string", "Path joined by /."),
            _field("price", "number", "Currency units as displayed. May equal no variant's price."),
            _field("price_undiscounted", "number", _UNDISCOUNTED),
            _field("currency", "string", "ISO 4217 code."),
            _field("weight", "number", "Grams, 0 when unset."),
            _field("stock", "number null", _STOCK),
            _field("variants", "array", "Empty when there are none.", record="Variant"),
        ),
        "Variant": (
            _field("id", "string", "Digits."),
            _field("options", "array", "One per option dimension.", record="Option"),
            _field("price", "number", "Overrides the product's.", source="documented"),
            _field("price_undiscounted", "number", _UNDISCOUNTED),
            _field("sku", "string", '"" when unset.'),
            _field("stock", "number null", _STOCK),
            _field("weight", "number null", "Grams; null: the product's.", source="documented"),
        ),
        "CartData": (
            _assumed("items", "array", record="CartLine"),
            _field("total", "number", "0 is a total."),
            _field("total_no_discount", "number", "Assumed to include shipping."),
            _assumed("discount_code", "string", '"" when there is none.'),
            _assumed("discount_amount", "number", "0 when there is none."),
            _assumed("shipping_price", "number null", "Null before a way of shipping is chosen."),
            _assumed("taxes", "number"),
            _assumed("weight", "number", "Grams."),
        ),
        "CartLine": (
            _assumed("id", "string"),
            _assumed("variant_id", "string null", "Null for a product without variants."),
            _assumed("name", "string", "Plain text in the page's language."),
            _assumed("sku", "string"),
            _assumed("options", "array", record="Option"),
            _assumed("quantity", "number"),
            _assumed("price", "number", "Of one piece."),
            _assumed("price_undiscounted", "number", "Of one piece, before a sale."),
            _assumed("weight", "number", "Grams of one piece."),
        ),
        "Currency": (
            _assumed("code", "string", "ISO 4217 code."),
            _assumed("symbol", "string"),
            _assumed("position", "string", "Where the symbol stands: before or after."),
            _assumed("decimals", "number", "Digits after the separator."),
            _assumed("decimal_separator", "string"),
            _assumed("thousands_separator", "string"),
        ),
    }
)

PARAMETERS: Mapping[str, str] = MappingProxyType(
    {"item": "Item", "page": "Page", "cartData": "CartData", "currency": "Currency"}
)
"""The fields of the event parameters (documented) and the record that each is."""

PRICE_UPDATE: tuple[PayloadField, ...] = (
    _field("item", "object", "The item of the event parameter.", source="documented", record="Item"),
    _field("selectedVariantId", "string null", source="documented"),
    _field("selectedVariant", "object null", "Null when unknown.", source="documented", record="Variant"),
)
"""updatedItem of the after-price update. That of the after-checkout update is the cartData itself."""
