"""Carts: their lines, their totals, and the `cartData` of the cart and checkout events.

A cart is stored in the address (`?cart=C1`, `?cart=1.103x2,2x1`) and not on the server. So each page can be linked, and
pages are independent of each other.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

from awning.states.money import included_tax, number, percent_of
from awning.states.product_payload import option_titles
from awning.workspace.store.records import CART_LINE, EMPTY_CART, ProductRecord, VariantRecord, text
from awning.workspace.store.store import Store

_MOST_PIECES = 99


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
        """The price of one piece without the sale's discount; `price` when there is no sale."""
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
    """A cart: its lines, a valid discount code (None without one), and a way of shipping (None: not chosen yet)."""

    store: Store
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
        return percent_of(self.goods, self.store.codes[self.code]) if self.code else 0

    @property
    def shipping_price(self) -> int:
        return self.store.shipping[self.shipping].price if self.shipping and self.lines else 0

    @property
    def total_no_discount(self) -> int:
        """The total before the discount. It is assumed to include shipping; no public page shows whether it does."""
        return self.goods + self.shipping_price

    @property
    def total(self) -> int:
        return self.total_no_discount - self.discount

    @property
    def weight(self) -> int:
        return sum(line.weight for line in self.lines)

    def with_line(self, added: Line) -> Self:
        """Return this cart with `added`, joined with the line of the same key if there is one.

        The quantity of a joined line is at most _MOST_PIECES.
        """
        lines = {line.key: line for line in self.lines}
        if added.key in lines:
            added = replace(added, quantity=min(_MOST_PIECES, lines[added.key].quantity + added.quantity))
        return replace(self, lines=tuple({**lines, added.key: added}.values()))

    def with_quantity(self, key: str, quantity: int) -> Self:
        """Return this cart with `quantity` in the line `key`, at most _MOST_PIECES. 0 or less removes the line."""
        quantity = max(0, min(_MOST_PIECES, quantity))
        lines = (replace(line, quantity=quantity) if line.key == key else line for line in self.lines)
        return replace(self, lines=tuple(line for line in lines if line.quantity))

    @property
    def spec(self) -> str:
        """The lines of the cart, as an address writes them."""
        return ",".join(f"{line.key}x{line.quantity}" for line in self.lines) or EMPTY_CART


def at_checkout(cart: Cart, code: str | None = None, shipping: str | None = None) -> Cart:
    """Return the cart at the checkout, with a code and a way of shipping of the store. None takes the cart's own.

    A cart without a way of shipping gets the store's first one. A code that the store does not have is left out.
    """
    code = cart.code if code is None else code
    way = shipping or cart.shipping or next(iter(cart.store.shipping))
    return replace(cart, code=code if code in cart.store.codes else None, shipping=way)


def make_line(store: Store, name: str, quantity: int, variant_id: str | None = None) -> Line | None:
    """Return a line of the cart, with at most _MOST_PIECES. Without `variant_id`, it has the product's first variant.

    None when there is no such product or variant, when the product has no price, or when `quantity` is below 1.
    """
    record = store.find_product(name)
    if record is None or not record.priced or quantity < 1:
        return None
    chosen = record.variant(variant_id) if variant_id else record.first_variant()
    if variant_id and chosen is None:
        return None
    return Line(product=record, variant=chosen, quantity=min(quantity, _MOST_PIECES))


def read_cart(spec: str, store: Store) -> Cart | None:
    """Return the cart that the value of `cart` in an address describes; None if the value is invalid.

    The value is `empty`, the name of a cart of the store such as `C1`, or lines such as `1.103x2,2x1` or `P3x3`.
    """
    if spec == EMPTY_CART:
        return Cart(store=store)
    named = store.carts.get(spec)
    if named is None:
        return _read_lines(spec, store)
    goods = _read_lines(named.lines, store)
    return replace(goods, code=named.code, shipping=named.shipping) if goods else None


def _read_lines(spec: str, store: Store) -> Cart | None:
    cart = Cart(store=store)
    for part in spec.split(","):
        match = CART_LINE.fullmatch(part)
        added = (
            make_line(store, match["product"], int(match["quantity"]), match["variant"]) if match else None
        )
        if added is None:
            return None
        cart = cart.with_line(added)
    return cart


def cart_data(cart: Cart, *languages: str) -> dict[str, Any]:
    """Return `cartData`. Only `total` and `total_no_discount` were observed on public pages; all else is assumed."""
    decimals = cart.store.currency.decimals
    return {
        "items": [_cart_item(line, decimals, *languages) for line in cart.lines],
        "total": number(cart.total, decimals),
        "total_no_discount": number(cart.total_no_discount, decimals),
        "discount_code": cart.code or "",
        "discount_amount": number(cart.discount, decimals),
        "shipping_price": number(cart.shipping_price, decimals),
        "taxes": number(included_tax(cart.total), decimals),
        "weight": cart.weight,
    }


def known_cart_data(cart: Cart) -> dict[str, Any]:
    """Return `cartData` with only the two fields that were observed on public pages."""
    decimals = cart.store.currency.decimals
    return {
        "total": number(cart.total, decimals),
        "total_no_discount": number(cart.total_no_discount, decimals),
    }


def currency(store: Store) -> dict[str, Any]:
    """Return `currency`, the display format. Its fields are assumed; deployed pages display prices in this format."""
    record = store.currency
    return {
        "code": record.code,
        "symbol": record.symbol,
        "position": "after" if record.position == "after" else "before",
        "decimals": record.decimals,
        "decimal_separator": record.decimal_separator,
        "thousands_separator": record.thousands_separator,
    }


def _cart_item(line: Line, decimals: int, *languages: str) -> dict[str, Any]:
    sku = line.variant.sku if line.variant else ""
    return {
        "id": line.product.id,
        "variant_id": line.variant.id if line.variant else None,
        "name": text(line.product.title, *languages),
        "sku": sku or line.product.sku,
        "options": option_titles(line.product, line.variant, *languages),
        "quantity": line.quantity,
        "price": number(line.price, decimals),
        "price_undiscounted": number(line.before, decimals),
        "weight": line.weight // line.quantity,
    }
