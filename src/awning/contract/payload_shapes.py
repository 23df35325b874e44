"""The payloads as Python types, for the simulated shop and for the expectations of tests.

Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
"""

from typing import Literal, TypedDict


class DocumentedVariant(TypedDict):
    """By the specification, these fields override attributes of the product "such as price and weight"."""

    # Overrides the product's price (documented). Observed: in currency units, as displayed.
    price: float
    # Overrides the product's weight (documented). Observed: in grams; null means the product's weight.
    weight: float | None


class Page(TypedDict):
    """The kind of page and its language."""

    # The language code of the page (observed).
    language: str
    # The kind of page: "catalog" on product pages (observed). Cart and checkout pages are assumed to have the
    # same.
    page: str


class Option(TypedDict):
    """The value of one dimension, such as a size."""

    # The name of the value, as plain text in the page's language (observed).
    title: str


class Variant(DocumentedVariant):
    """A variant of a product."""

    # The variant's number, as a text of digits (observed).
    id: str
    # One option for each dimension, such as size and colour (observed).
    options: list[Option]
    # The price before a discount (observed). It equals `price` when there is no sale.
    price_undiscounted: float
    # The stock keeping unit; "" when there is none (observed).
    sku: str
    # The number of pieces in stock (observed). Null when stock is not managed.
    stock: float | None


class CartTotals(TypedDict):
    """The two public fields of a cart."""

    # The sum to pay (observed). It may be 0.
    total: float
    # The sum before discounts (observed). It is assumed to include shipping.
    total_no_discount: float


class CartLine(TypedDict, total=False):
    """A line of the cart."""

    # The product's number (assumed).
    id: str
    # The variant's number (assumed). Null for a product without variants.
    variant_id: str | None
    # The product's name, as plain text in the page's language (assumed).
    name: str
    # The stock keeping unit (assumed).
    sku: str
    # The options of the variant (assumed).
    options: list[Option]
    # The number of pieces (assumed).
    quantity: float
    # The price of one piece (assumed).
    price: float
    # The price of one piece without a sale (assumed).
    price_undiscounted: float
    # The weight of one piece in grams (assumed).
    weight: float


class CartDetails(TypedDict, total=False):
    """Further fields that a cart may have."""

    # The lines of the cart (assumed).
    items: list[CartLine]
    # The discount code that was entered; "" when there is none (assumed).
    discount_code: str
    # The discount; 0 when there is none (assumed).
    discount_amount: float
    # The price of shipping (assumed). Null before a way of shipping is chosen.
    shipping_price: float | None
    # The taxes in the total (assumed).
    taxes: float
    # The weight of the cart in grams (assumed).
    weight: float


class Currency(TypedDict, total=False):
    """The currency, and how prices are displayed."""

    # The ISO 4217 code of the currency (assumed).
    code: str
    # The symbol of the currency, such as € (assumed).
    symbol: str
    # Whether the symbol is before or after the amount (assumed).
    position: Literal["before", "after"]
    # The number of digits after the decimal separator (assumed).
    decimals: float
    # The text between units and cents (assumed).
    decimal_separator: str
    # The text between groups of three digits (assumed).
    thousands_separator: str


class Item(TypedDict):
    """A product. It always has these keys in this order, and no images, URL or VAT."""

    # The product's number, as a text of digits (observed).
    id: str
    # The name as plain text in the page's language (observed). It is not HTML, so escape it.
    name: str
    # The stock keeping unit; "" when there is none (observed).
    sku: str
    # The brand; "" when there is none (observed).
    brand: str
    # The path of categories, joined by / (observed).
    category: str
    # The price in currency units, as displayed (observed). It may differ from the price of every variant:
    # only an update tells the price that a visitor pays.
    price: float
    # The price before a discount (observed). It equals `price` when there is no sale.
    price_undiscounted: float
    # The ISO 4217 code of the currency (observed).
    currency: str
    # The weight in grams; 0 when it is not set (observed).
    weight: float
    # The number of pieces in stock (observed). Null when stock is not managed.
    stock: float | None
    # The variants; an empty list when there are none (observed).
    variants: list[Variant]


class CartData(CartTotals, CartDetails):
    """A cart: two observed fields, everything else assumed."""


class PriceParam(TypedDict):
    """The event parameter of `content-after-price` and its `-updated`."""

    # The product (documented).
    item: Item
    # The kind of page and its language (documented).
    page: Page


class CartParam(TypedDict):
    """The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`."""

    # The cart (documented). Observed: in an `-updated` event it is still the cart of the page load. Only
    # updatedItem is current.
    cartData: CartData
    # The currency, and how prices are displayed (documented).
    currency: Currency
    # The kind of page and its language (documented).
    page: Page


class PriceUpdate(TypedDict):
    """The updatedItem of `content-after-price-updated`."""

    # The product (documented). Observed: it is the same object as the event parameter's item, without values
    # of the variant.
    item: Item
    # The chosen variant (documented). It overrides product attributes such as price and weight. Observed:
    # null when it is not known.
    selectedVariant: Variant | None
    # The chosen variant's number (documented).
    selectedVariantId: str | None
