"""A `Store` in one currency, made from the tables of its files, and what a shopper can choose in it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from awning.workspace.store.records import (
    CART_LINE,
    EMPTY_CART,
    CartRecord,
    CurrencyRecord,
    Dimension,
    LanguageRecord,
    OptionRecord,
    ProductRecord,
    ShippingRecord,
    Texts,
    VariantRecord,
    option_names,
    text,
    with_bases,
)
from awning.workspace.store.shapes import LOOK, UNMANAGED

Table = Mapping[str, Any]

BASE_CURRENCY = "EUR"
"""The currency of a price that names no currency."""

_FALLBACK = "en"
_RIGHT_TO_LEFT = frozenset({"ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"})
_KEPT = 16
"""How many stores `store_in` caches. Each state of the files has one store for each currency."""


@dataclass(frozen=True, kw_only=True)
class StoreTables:
    """The valid tables of a store by kind and name, as files have them. `fingerprint` is "" for the shipped store."""

    settings: Table = field(compare=False)
    tables: Mapping[str, Mapping[str, Table]] = field(compare=False)
    fingerprint: str = ""

    @cached_property
    def currencies(self) -> Mapping[str, CurrencyRecord]:
        return {code: CurrencyRecord(**table) for code, table in self.tables["currency"].items()}


@dataclass(frozen=True, kw_only=True)
class Store:
    """The store of the simulated shop, with all money in `currency`."""

    source: StoreTables
    currency: CurrencyRecord
    products: tuple[ProductRecord, ...]
    shipping: Mapping[str, ShippingRecord]
    """The ways of shipping by their names. The first way is preselected."""
    codes: Mapping[str, int]
    """The discount of each code, in percent of the goods' price."""
    carts: Mapping[str, CartRecord]
    languages: Mapping[str, LanguageRecord]

    @property
    def currencies(self) -> tuple[str, ...]:
        """The codes of the currencies. The first is that of pages that name no currency."""
        default = self.source.settings["currency"]
        return (default, *(code for code in self.source.currencies if code != default))

    @property
    def look(self) -> Mapping[str, Any]:
        """How pages without a theme look: the settings of a name in LOOK that the files have."""
        return {key.name: value for key in LOOK if (value := self.source.settings.get(key.name)) is not None}

    @property
    def fingerprint(self) -> str:
        """A hash of the files that change the shipped store; "" for the shipped store itself."""
        return self.source.fingerprint

    def in_currency(self, code: str) -> "Store":
        """Return the same store in another of its currencies. Raises KeyError when the store does not have it."""
        return store_in(self.source, code)

    def find_product(self, name: str) -> ProductRecord | None:
        """Return the product with this id (`1`) or key (`P1`); None when there is none."""
        return next((p for p in self.products if name in (p.id, p.key)), None)

    def is_cart(self, spec: str) -> bool:
        """Return whether `spec` is a cart: `empty`, the name of a cart, or lines with products that can be bought."""
        return spec == EMPTY_CART or spec in self.carts or all(map(self.is_line, spec.split(",")))

    def is_line(self, part: str) -> bool:
        """Return whether `part` is a line of a cart, such as `1.103x2`, with a product that can be bought."""
        match = CART_LINE.fullmatch(part)
        product = self.find_product(match["product"]) if match else None
        if match is None or product is None or not product.priced or int(match["quantity"]) < 1:
            return False
        return not match["variant"] or product.variant(match["variant"]) is not None

    def language(self, code: str) -> LanguageRecord:
        """Return the language of the texts on a page: `code`, its base (`de` for `de-AT`) or English."""
        return self.languages[next((c for c in with_bases((code,)) if c in self.languages), _FALLBACK)]

    def direction(self, code: str) -> str:
        """Return the direction of a page in the language `code`: `ltr` or `rtl`."""
        known = next((self.languages[c] for c in with_bases((code,)) if c in self.languages), None)
        return known.direction if known else _direction_of(code)

    def texts(self, code: str) -> Mapping[str, str]:
        """Return the shop's texts for a page in the language `code`. A text that the language lacks is in English."""
        return {**self.languages[_FALLBACK].texts, **self.language(code).texts}


def _direction_of(code: str) -> str:
    return "rtl" if with_bases((code,))[-1] in _RIGHT_TO_LEFT else "ltr"


@lru_cache(maxsize=_KEPT)
def store_in(source: StoreTables, code: str) -> Store:
    """Return the store with all money in the currency `code`. Raises KeyError when the store does not have it."""
    currency, tables = source.currencies[code], source.tables

    def money(price: Any) -> int:
        return minor_units(price, currency, source.currencies)

    return Store(
        source=source,
        currency=currency,
        products=tuple(_product(table, money) for table in tables["product"].values()),
        shipping={
            name: ShippingRecord(
                name=name,
                title=_texts(table["title"]),
                price=money(table["price"]),
                text=_texts(table["text"]) if "text" in table else None,
            )
            for name, table in tables["shipping"].items()
        },
        codes={name: table["percent"] for name, table in tables["code"].items()},
        carts={name: CartRecord(**table) for name, table in tables["cart"].items()},
        languages={
            name: LanguageRecord(
                code=name, direction=table.get("direction", _direction_of(name)), texts=table.get("texts", {})
            )
            for name, table in tables["language"].items()
        },
    )


def minor_units(price: Any, currency: CurrencyRecord, currencies: Mapping[str, CurrencyRecord]) -> int:
    """Return a price of a file in whole minor units of `currency`, rounded half up.

    If the file has the price in `currency`, this price counts. Otherwise the price in euro is converted by the
    currencies' rates. If there is no price in euro either, the first price of the table is converted.
    """
    by_code = price if isinstance(price, Mapping) else {BASE_CURRENCY: price}
    code = next((c for c in (currency.code, BASE_CURRENCY) if c in by_code), next(iter(by_code)))
    units = Fraction(str(by_code[code]))
    if code != currency.code:
        units *= Fraction(str(currency.rate)) / Fraction(str(currencies[code].rate))
    return int(units * 10**currency.decimals + Fraction(1, 2))


def option_index(dimension: Dimension, name: str) -> int | None:
    """Return the index of the option with this title in English; None when there is none."""
    titles = [text(option.title, "en") for option in dimension.options]
    return titles.index(name) if name in titles else None


def make_dimensions(table: Table) -> tuple[Dimension, ...]:
    """Return the dimensions of a product's table."""
    return tuple(
        Dimension(
            title=_texts(dimension["title"]),
            options=tuple(
                OptionRecord(title=_texts(option["title"]), swatch=option.get("swatch"))
                for option in dimension["options"]
            ),
        )
        for dimension in table.get("dimension", ())
    )


def _product(table: Table, money: Callable[[Any], int]) -> ProductRecord:
    dimensions = make_dimensions(table)
    priced = not table.get("on_request", False)
    return ProductRecord(
        key=table["key"],
        id=table["id"],
        title=_texts(table["title"]),
        drawing=table.get("drawing", "box"),
        price=money(table["price"]) if priced else 0,
        blurb=_texts(table["blurb"]) if "blurb" in table else None,
        category=tuple(map(_texts, table.get("category", ()))),
        before=money(table["before"]) if "before" in table else None,
        sku=table.get("sku", ""),
        brand=table.get("brand", ""),
        weight=table.get("weight", 0),
        stock=_stock(table),
        dimensions=dimensions,
        variants=tuple(_variant(variant, dimensions, money) for variant in table.get("variant", ())),
        priced=priced,
    )


def _variant(table: Table, dimensions: Iterable[Dimension], money: Callable[[Any], int]) -> VariantRecord:
    pairs = zip(dimensions, table["options"], strict=True)
    return VariantRecord(
        id=table["id"],
        options=tuple(option_index(dimension, name) or 0 for dimension, name in pairs),
        price=money(table["price"]),
        before=money(table["before"]) if "before" in table else None,
        stock=_stock(table),
        weight=table.get("weight"),
        sku=table.get("sku", ""),
    )


def _stock(table: Table) -> int | None:
    stock = table.get("stock", UNMANAGED)
    return None if stock == UNMANAGED else int(stock)


def _texts(value: Any) -> Texts:
    return {_FALLBACK: value} if isinstance(value, str) else dict(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A kind of choice.

    names     the names of the choices on a page with this product or cart
    numbers   other names that are understood, too
    unknown   the beginning of the message about another name. `{page}` is the product or cart
    """

    names: Callable[[Store, str], tuple[str, ...]]
    numbers: Callable[[Store, str], tuple[str, ...]] = lambda _store, _page: ()
    unknown: str


def _variants(store: Store, product: str) -> tuple[str, ...]:
    """Return the options of each variant in English, such as `L/Blue`."""
    record = store.find_product(product)
    return tuple(option_names(record, variant) for variant in record.variants) if record else ()


def _variant_ids(store: Store, product: str) -> tuple[str, ...]:
    record = store.find_product(product)
    return tuple(variant.id for variant in record.variants) if record else ()


CHOICES: Mapping[str, Choice] = MappingProxyType(
    {
        "variant": Choice(names=_variants, numbers=_variant_ids, unknown="{page} has no variant"),
        "code": Choice(names=lambda store, _: tuple(store.codes), unknown="the shop has no code"),
        "shipping": Choice(names=lambda store, _: tuple(store.shipping), unknown="the shop has no delivery"),
    }
)
"""The kinds of choices, as `PageStep.choice` names them."""
