"""The payloads as Python types, for the simulated shop and for the expectations of tests.

Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
"""

from typing import Literal, TypedDict


class DocumentedVariant(TypedDict):
    """By the specification, these fields override attributes of the product "such as price and weight"."""

    # Documented. Overrides the product's price. Observed: in currency units, as displayed.
    price: float
    # Documented. Overrides the product's weight. Observed: in grams; null means the product's weight.
    weight: float | None


class Page(TypedDict):
    """The kind of page and its language."""

    # Observed. Language code of the page.
    language: str
    # Observed. "catalog"; assumed to be the same on cart and checkout.
    page: str


class Option(TypedDict):
    """One option dimension's value, such as a size."""

    # Observed. Plain text in the page's language.
    title: str


class Variant(DocumentedVariant):
    """A variant of a product."""

    # Observed. Digits.
    id: str
    # Observed. One option per dimension.
    options: list[Option]
    # Observed. Equal to price without a sale.
    price_undiscounted: float
    # Observed. "" when unset.
    sku: str
    # Observed. Null when stock is not managed.
    stock: float | None


class CartTotals(TypedDict):
    """The two public fields of a cart."""

    # Observed. May be 0.
    total: float
    # Observed. Assumed to include shipping.
    total_no_discount: float


class CartLine(TypedDict, total=False):
    """A line of the cart."""

    # Assumed.
    id: str
    # Assumed. Null for a product without variants.
    variant_id: str | None
    # Assumed. Plain text in the page's language.
    name: str
    # Assumed.
    sku: str
    # Assumed.
    options: list[Option]
    # Assumed.
    quantity: float
    # Assumed. The price of one piece.
    price: float
    # Assumed. The price of one piece without a sale.
    price_undiscounted: float
    # Assumed. The weight of one piece in grams.
    weight: float


class CartDetails(TypedDict, total=False):
    """Further fields that a cart may have."""

    # Assumed.
    items: list[CartLine]
    # Assumed. "" when there is none.
    discount_code: str
    # Assumed. 0 when there is none.
    discount_amount: float
    # Assumed. Null before a way of shipping is chosen.
    shipping_price: float | None
    # Assumed.
    taxes: float
    # Assumed. In grams.
    weight: float


class Currency(TypedDict, total=False):
    """The currency, and how prices are displayed."""

    # Assumed. ISO 4217 code.
    code: str
    # Assumed.
    symbol: str
    # Assumed. Whether the symbol is before or after the amount.
    position: Literal["before", "after"]
    # Assumed. The number of digits after the separator.
    decimals: float
    # Assumed.
    decimal_separator: str
    # Assumed.
    thousands_separator: str


class Item(TypedDict):
    """A product. It always has these keys in this order, and no images, URL or VAT."""

    # Observed. Digits.
    id: str
    # Observed. Plain text in the page's language. Not HTML: escape it.
    name: str
    # Observed. "" when unset.
    sku: str
    # Observed. "" when unset.
    brand: str
    # Observed. Path joined by /.
    category: str
    # Observed. In currency units, as displayed. It may differ from the price of every variant: only an update
    # tells the price that a visitor pays.
    price: float
    # Observed. Equal to price without a sale.
    price_undiscounted: float
    # Observed. ISO 4217 code.
    currency: str
    # Observed. In grams; 0 when unset.
    weight: float
    # Observed. Null when stock is not managed.
    stock: float | None
    # Observed. Empty when there are none.
    variants: list[Variant]


class CartData(CartTotals, CartDetails):
    """A cart: two observed fields, everything else assumed."""


class PriceParam(TypedDict):
    """The event parameter of `content-after-price` and its `-updated`."""

    # Documented. Product info.
    item: Item
    # Documented. The kind of page and its language.
    page: Page


class CartParam(TypedDict):
    """The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`."""

    # Documented. The cart. Observed: in an `-updated` event this is still the cart of the page load; only
    # updatedItem is current.
    cartData: CartData
    # Documented. The currency, and how prices are displayed.
    currency: Currency
    # Documented. The kind of page and its language.
    page: Page


class PriceUpdate(TypedDict):
    """The updatedItem of `content-after-price-updated`."""

    # Documented. Product info. Observed: the same object as the event parameter's item, without values of the
    # variant.
    item: Item
    # Documented. Overrides product attributes such as price and weight. Observed: null when unknown.
    selectedVariant: Variant | None
    # Documented.
    selectedVariantId: str | None
