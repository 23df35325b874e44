"""The payloads' shapes: what the simulated shop is typed by, and a test's expectations may be.

Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
"""

from typing import Literal, TypedDict


class DocumentedVariant(TypedDict):
    """Documented as overriding attributes of the product "such as price and weight"."""

    # Documented. Overrides the product's. Observed: currency units as displayed.
    price: float
    # Documented. Overrides the product's. Observed: grams; null: the product's.
    weight: float | None


class Page(TypedDict):
    """Page and language info."""

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
    # Observed. One per option dimension.
    options: list[Option]
    # Observed. Equal to price without a sale.
    price_undiscounted: float
    # Observed. "" when unset.
    sku: str
    # Observed. Null when stock is not managed.
    stock: float | None


class CartTotals(TypedDict):
    """The two fields of a cart that are public."""

    # Observed. 0 is a total.
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
    # Assumed. Of one piece.
    price: float
    # Assumed. Of one piece, before a sale.
    price_undiscounted: float
    # Assumed. Grams of one piece.
    weight: float


class CartDetails(TypedDict, total=False):
    """What else a cart may hold."""

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
    # Assumed. Grams.
    weight: float


class Currency(TypedDict, total=False):
    """How prices are displayed."""

    # Assumed. ISO 4217 code.
    code: str
    # Assumed.
    symbol: str
    # Assumed. Where the symbol stands.
    position: Literal["before", "after"]
    # Assumed. Digits after the separator.
    decimals: float
    # Assumed.
    decimal_separator: str
    # Assumed.
    thousands_separator: str


class Item(TypedDict):
    """A product, always with this key set in this order. No images, URL or VAT."""

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
    # Observed. Currency units as displayed. May equal no variant's: what a visitor pays is known after an
    # update.
    price: float
    # Observed. Equal to price without a sale.
    price_undiscounted: float
    # Observed. ISO 4217 code.
    currency: str
    # Observed. Grams, 0 when unset.
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
    # Documented. Page and language info.
    page: Page


class CartParam(TypedDict):
    """The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`."""

    # Documented. The cart. Observed: on `-updated` this is still the cart of the page load: only updatedItem
    # is fresh.
    cartData: CartData
    # Documented. How prices are displayed.
    currency: Currency
    # Documented. Page and language info.
    page: Page


class PriceUpdate(TypedDict):
    """The updatedItem of `content-after-price-updated`."""

    # Documented. Product info. Observed: the same object as the event parameter's item, nothing merged into
    # it.
    item: Item
    # Documented. Overrides product attributes such as price and weight. Observed: null when unknown.
    selectedVariant: Variant | None
    # Documented.
    selectedVariantId: str | None
