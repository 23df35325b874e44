"""Carts: their lines, their totals, and the `cartData` of the cart and checkout events.

A cart is stored in the address (`?cart=C1`, `?cart=1.103x2,2x1`) and not on the server. So each page can be linked, and
pages are independent of each other.
"""

import re
from dataclasses import dataclass, replace
from typing import Self

from awning.contract.payload_shapes import CartData, CartLine, CartTotals, Currency
from awning_harness.storefront.catalogue import find_product
from awning_harness.storefront.money import included_tax, number, percent_of
from awning_harness.storefront.product_payload import option_titles
from awning_harness.storefront.records import ProductRecord, VariantRecord, text

DISCOUNT_CODES = {"SAVE10": 10, "FREE100": 100}
"""By discount code, the discount in percent of the goods' price."""

SHIPPING = {"parcel": 350, "pickup": 0}
"""By way of shipping, its price in cents. The first way is preselected."""

_C1 = "1.103x2,2x1"
_MOST_PIECES = 99
_LINE = re.compile(r"(?P<product>[A-Za-z]?\d+)(?:\.(?P<variant>\d+))?x(?P<quantity>\d{1,2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A quantity of one product or variant."""

    product: ProductRecord
    variant: VariantRecord | None
    quantity: int

    @property
    def key(self) -> str:
        """The line's key, such as `1.103`. A cart has at most one line for each key."""
        return f"{self.product.id}.{self.variant.id}" if self.variant else self.product.id

    @property
    def price(self) -> int:
        return self.variant.price if self.variant else self.product.price

    @property
    def before(self) -> int:
        """The price of one piece without the sale's discount, in cents; `price` when there is no sale."""
        before = self.variant.before if self.variant else self.product.before
        return self.price if before is None else before

    @property
    def total(self) -> int:
        return self.price * self.quantity

    @property
    def weight(self) -> int:
        own = self.variant.weight if self.variant else None
        return (self.product.weight if own is None else own) * self.quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Cart:
    """A cart: its lines, a valid discount code, and a way of shipping (None before the checkout)."""

    lines: tuple[Line, ...] = ()
    code: str | None = None
    shipping: str | None = None

    @property
    def goods(self) -> int:
        return sum(line.total for line in self.lines)

    @property
    def pieces(self) -> int:
        return sum(line.quantity for line in self.lines)

    @property
    def discount(self) -> int:
        return percent_of(self.goods, DISCOUNT_CODES[self.code]) if self.code else 0

    @property
    def shipping_price(self) -> int:
        return SHIPPING[self.shipping] if self.shipping and self.lines else 0

    @property
    def total_no_discount(self) -> int:
        """The total before the discount. It includes shipping (assumed: no public page shows it)."""
        return self.goods + self.shipping_price

    @property
    def total(self) -> int:
        return self.total_no_discount - self.discount

    @property
    def weight(self) -> int:
        return sum(line.weight for line in self.lines)

    def with_line(self, added: Line) -> Self:
        """Return this cart with `added`, joined with the line of the same key if there is one."""
        lines = {line.key: line for line in self.lines}
        if added.key in lines:
            added = replace(added, quantity=min(_MOST_PIECES, lines[added.key].quantity + added.quantity))
        return replace(self, lines=tuple({**lines, added.key: added}.values()))

    def with_quantity(self, key: str, quantity: int) -> Self:
        """Return this cart with `quantity` in the line `key`; 0 removes the line."""
        quantity = max(0, min(_MOST_PIECES, quantity))
        lines = (replace(line, quantity=quantity) if line.key == key else line for line in self.lines)
        return replace(self, lines=tuple(line for line in lines if line.quantity))

    @property
    def spec(self) -> str:
        """The cart as an address writes it."""
        return ",".join(f"{line.key}x{line.quantity}" for line in self.lines) or "empty"


def make_line(name: str, quantity: int, variant_id: str | None = None) -> Line | None:
    """Return a line of the cart, or None when there is no such product or variant, or it has no price."""
    record = find_product(name)
    if record is None or not record.priced or quantity < 1:
        return None
    chosen = record.variant(variant_id) if variant_id else record.first_variant()
    if variant_id and chosen is None:
        return None
    return Line(product=record, variant=chosen, quantity=min(quantity, _MOST_PIECES))


def read_cart(spec: str) -> Cart | None:
    """Return the cart that the value of `cart` in an address describes; None if the value is invalid.

    The value is `empty`, `C1`, `free` (C1 with the code FREE100 and pickup), or lines such as `1.103x2,2x1` or `P3x3`.
    """
    if spec == "empty":
        return Cart()
    if spec in ("C1", "free"):
        goods = _read_lines(_C1)
        return replace(goods, code="FREE100", shipping="pickup") if goods and spec == "free" else goods
    return _read_lines(spec)


def _read_lines(spec: str) -> Cart | None:
    cart = Cart()
    for part in spec.split(","):
        match = _LINE.fullmatch(part)
        added = make_line(match["product"], int(match["quantity"]), match["variant"]) if match else None
        if added is None:
            return None
        cart = cart.with_line(added)
    return cart


def cart_data(cart: Cart, *languages: str) -> CartData:
    """Return `cartData`. Only `total` and `total_no_discount` are public; every other field is assumed."""
    return {
        "items": [_cart_item(line, *languages) for line in cart.lines],
        "total": number(cart.total),
        "total_no_discount": number(cart.total_no_discount),
        "discount_code": cart.code or "",
        "discount_amount": number(cart.discount),
        "shipping_price": number(cart.shipping_price),
        "taxes": number(included_tax(cart.total)),
        "weight": cart.weight,
    }


def known_cart_data(cart: Cart) -> CartTotals:
    """Return `cartData` with only the two public fields (observed)."""
    return {"total": number(cart.total), "total_no_discount": number(cart.total_no_discount)}


def currency() -> Currency:
    """Return `currency`, the display format. Its fields are assumed; deployed pages display prices in this format."""
    return {
        "code": "EUR",
        "symbol": "€",
        "position": "before",
        "decimals": 2,
        "decimal_separator": ".",
        "thousands_separator": "",
    }


def _cart_item(line: Line, *languages: str) -> CartLine:
    sku = line.variant.sku if line.variant else ""
    return {
        "id": line.product.id,
        "variant_id": line.variant.id if line.variant else None,
        "name": text(line.product.title, *languages),
        "sku": sku or line.product.sku,
        "options": option_titles(line.product, line.variant, *languages),
        "quantity": line.quantity,
        "price": number(line.price),
        "price_undiscounted": number(line.before),
        "weight": line.weight // line.quantity,
    }
