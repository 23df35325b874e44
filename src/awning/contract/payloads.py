"""The fields of the events' payloads, and how each is known.

The specification names `item`, `page`, `cartData`, `currency` and `selectedVariant`, but of their fields it shows only
the price and the weight of a variant (Apps Integration API, Event kinds). Deployed pages show some (observed). The rest
is assumed, so that the simulated shop has complete payloads. The fields are in the observed order.

These are written from the tables: `jsrc/types` for authors' editors, `payload_shapes` for the simulated shop,
docs/payloads.md and the AsyncAPI description.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

PayloadSource = Literal["documented", "observed", "assumed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadField:
    """One field.

    types   the types of its value, as in JSON Schema
    record  the name of the record that describes the value, or each element of an array
    seen    what was observed about a documented field
    one_of  all values that a string may have
    """

    name: str
    types: tuple[str, ...]
    source: PayloadSource
    about: str = ""
    record: str | None = None
    seen: str = ""
    one_of: tuple[str, ...] = ()


def _field(
    name: str, types: str, about: str = "", *, source: PayloadSource = "observed", record: str | None = None
) -> PayloadField:
    return PayloadField(name=name, types=tuple(types.split()), source=source, about=about, record=record)


def _documented(
    name: str, types: str, about: str = "", seen: str = "", *, record: str | None = None
) -> PayloadField:
    return replace(_field(name, types, about, source="documented", record=record), seen=seen)


def _assumed(name: str, types: str, about: str = "", *, record: str | None = None) -> PayloadField:
    return _field(name, types, about, source="assumed", record=record)


_ITEM_PRICE = (
    "The price in currency units, as displayed. It may differ from the price of every variant: only an update "
    "tells the price that a visitor pays."
)
_UNDISCOUNTED = "The price before a discount. It equals `price` when there is no sale."
_STOCK = "The number of pieces in stock. Null when stock is not managed."

RECORDS: Mapping[str, tuple[PayloadField, ...]] = MappingProxyType(
    {
        "Page": (
            _field("language", "string", "The language code of the page."),
            _field(
                "page",
                "string",
                'The kind of page: "catalog" on product pages. Cart and checkout pages are assumed to have the same.',
            ),
        ),
        "Option": (
            _field("title", "string", "The name of the value, as plain text in the page's language."),
        ),
        "Item": (
            _field("id", "string", "The product's number, as a text of digits."),
            _field(
                "name",
                "string",
                "The name as plain text in the page's language. It is not HTML, so escape it.",
            ),
            _field("sku", "string", 'The stock keeping unit; "" when there is none.'),
            _field("brand", "string", 'The brand; "" when there is none.'),
            _field("category", "string", "The path of categories, joined by /."),
            _field("price", "number", _ITEM_PRICE),
            _field("price_undiscounted", "number", _UNDISCOUNTED),
            _field("currency", "string", "The ISO 4217 code of the currency."),
            _field("weight", "number", "The weight in grams; 0 when it is not set."),
            _field("stock", "number null", _STOCK),
            _field("variants", "array", "The variants; an empty list when there are none.", record="Variant"),
        ),
        "Variant": (
            _field("id", "string", "The variant's number, as a text of digits."),
            _field(
                "options", "array", "One option for each dimension, such as size and colour.", record="Option"
            ),
            _documented(
                "price", "number", "Overrides the product's price.", "in currency units, as displayed."
            ),
            _field("price_undiscounted", "number", _UNDISCOUNTED),
            _field("sku", "string", 'The stock keeping unit; "" when there is none.'),
            _field("stock", "number null", _STOCK),
            _documented(
                "weight",
                "number null",
                "Overrides the product's weight.",
                "in grams; null means the product's weight.",
            ),
        ),
        "CartData": (
            _assumed("items", "array", "The lines of the cart.", record="CartLine"),
            _field("total", "number", "The sum to pay. It may be 0."),
            _field(
                "total_no_discount", "number", "The sum before discounts. It is assumed to include shipping."
            ),
            _assumed("discount_code", "string", 'The discount code that was entered; "" when there is none.'),
            _assumed("discount_amount", "number", "The discount; 0 when there is none."),
            _assumed(
                "shipping_price",
                "number null",
                "The price of shipping. Null before a way of shipping is chosen.",
            ),
            _assumed("taxes", "number", "The taxes in the total."),
            _assumed("weight", "number", "The weight of the cart in grams."),
        ),
        "CartLine": (
            _assumed("id", "string", "The product's number."),
            _assumed(
                "variant_id", "string null", "The variant's number. Null for a product without variants."
            ),
            _assumed("name", "string", "The product's name, as plain text in the page's language."),
            _assumed("sku", "string", "The stock keeping unit."),
            _assumed("options", "array", "The options of the variant.", record="Option"),
            _assumed("quantity", "number", "The number of pieces."),
            _assumed("price", "number", "The price of one piece."),
            _assumed("price_undiscounted", "number", "The price of one piece without a sale."),
            _assumed("weight", "number", "The weight of one piece in grams."),
        ),
        "Currency": (
            _assumed("code", "string", "The ISO 4217 code of the currency."),
            _assumed("symbol", "string", "The symbol of the currency, such as €."),
            replace(
                _assumed("position", "string", "Whether the symbol is before or after the amount."),
                one_of=("before", "after"),
            ),
            _assumed("decimals", "number", "The number of digits after the decimal separator."),
            _assumed("decimal_separator", "string", "The text between units and cents."),
            _assumed("thousands_separator", "string", "The text between groups of three digits."),
        ),
    }
)

_STALE = "in an `-updated` event it is still the cart of the page load. Only updatedItem is current."
PARAMETERS: Mapping[str, PayloadField] = MappingProxyType(
    {
        field.name: field
        for field in (
            _documented("item", "object", "The product.", record="Item"),
            _documented("page", "object", "The kind of page and its language.", record="Page"),
            _documented("cartData", "object", "The cart.", _STALE, record="CartData"),
            _documented(
                "currency", "object", "The currency, and how prices are displayed.", record="Currency"
            ),
        )
    }
)
"""The fields of the event parameters. The specification names them."""

_SAME_ITEM = "it is the same object as the event parameter's item, without values of the variant."
PRICE_UPDATE: tuple[PayloadField, ...] = (
    _documented("item", "object", "The product.", _SAME_ITEM, record="Item"),
    _documented(
        "selectedVariant",
        "object null",
        "The chosen variant. It overrides product attributes such as price and weight.",
        "null when it is not known.",
        record="Variant",
    ),
    _documented("selectedVariantId", "string null", "The chosen variant's number."),
)
"""The fields of updatedItem in the after-price update. In the after-checkout update, updatedItem is the cartData."""

RENDER_ARGUMENTS: tuple[tuple[PayloadField, tuple[str, ...]], ...] = (
    (
        _field(
            "item",
            "object",
            "The product, with the values that the chosen variant overrides.",
            record="Item",
        ),
        ("after-price",),
    ),
    (
        _field(
            "variant",
            "object null",
            "The chosen variant; null when none is chosen, or the product has none.",
            record="Variant",
        ),
        ("after-price",),
    ),
    (
        _field("cart", "object", "The newest cart that was delivered.", record="CartData"),
        ("after-cart", "after-checkout"),
    ),
    (
        _field("currency", "object", "The currency, and how prices are displayed.", record="Currency"),
        ("after-cart", "after-checkout"),
    ),
    (
        _field("page", "object", "The kind of page and its language.", record="Page"),
        ("after-price", "after-cart", "after-checkout"),
    ),
)
"""The arguments of a widget's render function, which awning makes from the payload, with the slots that have them."""
