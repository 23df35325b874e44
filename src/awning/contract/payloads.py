"""The fields of the events' payloads, and how each is known.

The specification names `item`, `page`, `cartData`, `currency` and `selectedVariant`, but of their fields it shows only
the price and the weight of a variant (Apps Integration API, Event kinds). Deployed pages show some (observed). The rest
is assumed, so that the simulated shop has complete payloads. The fields are in the observed order.

These are written from the tables: `jsrc/types` for authors' editors, the functions of slots in `jsrc/runtime/slots.ts`,
docs/payloads.md and the AsyncAPI description. Which slot has which payload is in `slots.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
    example a usual value. A string without one is a text of the shop, such as a name
    joined_by what joins the parts of such a text
    id_of   the record whose `id` it is, in another field of the same object
    keeps   what may remain of its value in a recording: a row of `awning.live.redaction.KINDS`; "" for nothing
    """

    name: str
    types: tuple[str, ...]
    source: PayloadSource
    about: str = ""
    record: str | None = None
    seen: str = ""
    one_of: tuple[str, ...] = ()
    example: str | float | None = None
    joined_by: str = ""
    id_of: str | None = None
    keeps: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadRecord:
    """The fields of an object in payloads.

    `parts` are those types of a record that have a name and a description of their own, by the source of their fields.
    """

    name: str
    about: str
    fields: tuple[PayloadField, ...]
    parts: Mapping[PayloadSource, tuple[str, str]] = field(default_factory=dict)


def _field(
    name: str,
    types: str,
    about: str = "",
    *,
    source: PayloadSource = "observed",
    record: str | None = None,
    example: str | float | None = None,
    joined_by: str = "",
    keeps: str = "",
) -> PayloadField:
    return PayloadField(
        name=name,
        types=tuple(types.split()),
        source=source,
        about=about,
        record=record,
        example=example,
        joined_by=joined_by,
        keeps=keeps,
    )


def _documented(
    name: str,
    types: str,
    about: str = "",
    seen: str = "",
    *,
    record: str | None = None,
    example: str | float | None = None,
    keeps: str = "",
) -> PayloadField:
    field = _field(name, types, about, source="documented", record=record, example=example, keeps=keeps)
    return replace(field, seen=seen)


def _assumed(
    name: str,
    types: str,
    about: str = "",
    *,
    record: str | None = None,
    example: str | float | None = None,
    keeps: str = "",
) -> PayloadField:
    return _field(name, types, about, source="assumed", record=record, example=example, keeps=keeps)


_ITEM_PRICE = (
    "The price in currency units, as displayed. It may differ from the price of every variant: only an update "
    "tells the price that a visitor pays."
)
_UNDISCOUNTED = "The price before a discount. It equals `price` when there is no sale."
_STOCK = "The number of pieces in stock. Null when stock is not managed."

_RECORDS = (
    PayloadRecord(
        name="Page",
        about="The kind of page and its language.",
        fields=(
            _field("language", "string", "The language code of the page.", example="en", keeps="language"),
            _field(
                "page",
                "string",
                'The kind of page: "catalog" on product pages. Cart and checkout pages are assumed to have the same.',
                example="catalog",
                keeps="page",
            ),
        ),
    ),
    PayloadRecord(
        name="Option",
        about="The value of one option, such as a size, of a variant or a line of the cart.",
        fields=(_field("title", "string", "The name of the value, as plain text in the page's language."),),
    ),
    PayloadRecord(
        name="Item",
        about="A product. It always has these keys in this order, and no images, URL or VAT.",
        fields=(
            _field(
                "id", "string", "The product's number, as a text of digits.", example="1", keeps="product"
            ),
            _field(
                "name",
                "string",
                "The name as plain text in the page's language. It is not HTML, so escape it.",
            ),
            _field("sku", "string", 'The stock keeping unit; "" when there is none.'),
            _field("brand", "string", 'The brand; "" when there is none.'),
            _field("category", "string", "The path of categories, joined by /.", joined_by="/"),
            _field("price", "number", _ITEM_PRICE, keeps="amount"),
            _field("price_undiscounted", "number", _UNDISCOUNTED, keeps="amount"),
            _field(
                "currency", "string", "The ISO 4217 code of the currency.", example="EUR", keeps="currency"
            ),
            _field(
                "weight", "number", "The weight in grams; 0 when it is not set.", example=180, keeps="weight"
            ),
            _field("stock", "number null", _STOCK, example=4, keeps="count"),
            _field("variants", "array", "The variants; an empty list when there are none.", record="Variant"),
        ),
    ),
    PayloadRecord(
        name="Variant",
        about="A variant of a product.",
        parts={
            "documented": (
                "DocumentedVariant",
                'By the specification, these fields override attributes of the product "such as price and weight".',
            )
        },
        fields=(
            _field(
                "id", "string", "The variant's number, as a text of digits.", example="11", keeps="variant"
            ),
            _field(
                "options", "array", "One option for each dimension, such as size and colour.", record="Option"
            ),
            _documented(
                "price",
                "number",
                "Overrides the product's price.",
                "in currency units, as displayed.",
                keeps="amount",
            ),
            _field("price_undiscounted", "number", _UNDISCOUNTED, keeps="amount"),
            _field("sku", "string", 'The stock keeping unit; "" when there is none.'),
            _field("stock", "number null", _STOCK, example=4, keeps="count"),
            _documented(
                "weight",
                "number null",
                "Overrides the product's weight.",
                "in grams; null means the product's weight.",
                keeps="weight",
            ),
        ),
    ),
    PayloadRecord(
        name="CartData",
        about="A cart: two observed fields, everything else assumed.",
        parts={
            "observed": ("CartTotals", "The two public fields of a cart."),
            "assumed": ("CartDetails", "Further fields that a cart may have."),
        },
        fields=(
            _assumed("items", "array", "The lines of the cart.", record="CartLine"),
            _field("total", "number", "The sum to pay. It may be 0.", example=63.8, keeps="amount"),
            _field(
                "total_no_discount",
                "number",
                "The sum before discounts. It is assumed to include shipping.",
                keeps="amount",
            ),
            _assumed("discount_code", "string", 'The discount code that was entered; "" when there is none.'),
            _assumed(
                "discount_amount", "number", "The discount; 0 when there is none.", example=0, keeps="amount"
            ),
            _assumed(
                "shipping_price",
                "number null",
                "The price of shipping. Null before a way of shipping is chosen.",
                keeps="amount",
            ),
            _assumed("taxes", "number", "The taxes in the total.", example=0, keeps="amount"),
            _assumed("weight", "number", "The weight of the cart in grams.", keeps="weight"),
        ),
    ),
    PayloadRecord(
        name="CartLine",
        about="A line of the cart.",
        fields=(
            _assumed("id", "string", "The product's number.", example="1", keeps="product"),
            _assumed(
                "variant_id",
                "string null",
                "The variant's number. Null for a product without variants.",
                example="11",
                keeps="variant",
            ),
            _assumed("name", "string", "The product's name, as plain text in the page's language."),
            _assumed("sku", "string", "The stock keeping unit."),
            _assumed("options", "array", "The options of the variant.", record="Option"),
            _assumed("quantity", "number", "The number of pieces.", example=2, keeps="count"),
            _assumed("price", "number", "The price of one piece.", keeps="amount"),
            _assumed(
                "price_undiscounted", "number", "The price of one piece without a sale.", keeps="amount"
            ),
            _assumed("weight", "number", "The weight of one piece in grams.", keeps="weight"),
        ),
    ),
    PayloadRecord(
        name="Currency",
        about="The currency, and how prices are displayed.",
        fields=(
            _assumed("code", "string", "The ISO 4217 code of the currency.", example="EUR", keeps="currency"),
            _assumed(
                "symbol", "string", "The symbol of the currency, such as €.", example="€", keeps="symbol"
            ),
            replace(
                _assumed(
                    "position",
                    "string",
                    "Whether the symbol is before or after the amount.",
                    keeps="position",
                ),
                one_of=("before", "after"),
            ),
            _assumed(
                "decimals",
                "number",
                "The number of digits after the decimal separator.",
                example=2,
                keeps="decimals",
            ),
            _assumed(
                "decimal_separator",
                "string",
                "The text between units and cents.",
                example=".",
                keeps="separator",
            ),
            _assumed(
                "thousands_separator",
                "string",
                "The text between groups of three digits.",
                example="",
                keeps="separator",
            ),
        ),
    ),
)

RECORDS: Mapping[str, tuple[PayloadField, ...]] = MappingProxyType(
    {record.name: record.fields for record in _RECORDS}
)
"""The fields of each record, by its name."""

PAYLOAD_RECORDS: Mapping[str, PayloadRecord] = MappingProxyType({record.name: record for record in _RECORDS})

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
    replace(
        _documented("selectedVariantId", "string null", "The chosen variant's number.", keeps="variant"),
        id_of="Variant",
    ),
)
"""The fields of the updatedItem about a chosen variant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of a render function, which awning makes from the event.

    `expression` is the TypeScript expression of its value: of fields of the event parameter, of `update`, which is the
    updatedItem (undefined at a base event), and of other arguments. Without it, the value is the parameter's field of
    the same name.
    """

    field: PayloadField
    expression: str = ""

    @property
    def name(self) -> str:
        return self.field.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What the events of a slot bring, and what the slot's render function gets of it.

    name        of its types: `Price` stands for PriceParam and PriceArgs
    params      the fields of the event parameter, of PARAMETERS. Updates are about the first one
    update      the name of the record of updatedItem; None when no slot with this payload has updates
    where       the places of its slots, in a sentence about its arguments
    """

    name: str
    params: tuple[str, ...]
    update: str | None = None
    arguments: tuple[Argument, ...]
    where: str

    @property
    def parameter(self) -> tuple[PayloadField, ...]:
        return tuple(PARAMETERS[name] for name in self.params)

    @property
    def chooses_variant(self) -> bool:
        """Whether an update is about a chosen variant. If not, updatedItem is a new value of the first parameter."""
        return any(field.record == "Variant" for field in self.update_fields)

    @property
    def update_fields(self) -> tuple[PayloadField, ...]:
        """The fields of updatedItem; none without updates."""
        return UPDATES.get(self.update or "") or RECORDS.get(self.update or "", ())


UPDATES: Mapping[str, tuple[PayloadField, ...]] = MappingProxyType({"PriceUpdate": PRICE_UPDATE})
"""The fields of each updatedItem that is not itself a record of RECORDS."""

PRICE = Payload(
    name="Price",
    params=("item", "page"),
    update="PriceUpdate",
    where="next to the price of a product",
    arguments=(
        Argument(
            field=_field(
                "item",
                "object",
                "The product, with the values that the chosen variant overrides. Its `id` stays the product's, and so "
                "does its weight when the variant has none.",
                record="Item",
            ),
            expression="{ ...item, ...variant, id: item.id, weight: variant?.weight ?? item.weight }",
        ),
        Argument(
            field=_field(
                "variant",
                "object null",
                "The chosen variant; null when none is chosen, or the product has none.",
                record="Variant",
            ),
            expression="update?.selectedVariant || null",
        ),
    ),
)

_CURRENCY = Argument(
    field=_field("currency", "object", "The currency, and how prices are displayed.", record="Currency")
)

CART = Payload(
    name="Cart",
    params=("cartData", "currency", "page"),
    update="CartData",
    where="on the cart or checkout page",
    arguments=(
        Argument(
            # In an -updated event, the parameter still has the cart of the page load. The update has the current cart.
            field=_field(
                "cart",
                "object",
                "The newest cart that was delivered. Only `total` and `total_no_discount` were observed; all other "
                "fields are assumed.",
                record="CartData",
            ),
            expression="update || cartData",
        ),
        _CURRENCY,
    ),
)

PAGE_ARGUMENT = _field("page", "object", "The kind of page and its language.", record="Page")
"""The argument from the payload that the render functions of all slots get."""
