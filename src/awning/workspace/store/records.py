"""The records of a store: products, carts, ways of shipping, currencies and languages.

Pages and payloads are derived from the same records, so that they always agree. Money is in whole minor units of the
currency of the `Store` that has the record (cents for EUR, yen for JPY), weight in grams.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from awning.contract.languages import base_language

Texts = Mapping[str, str]
"""One text in several languages, by language code."""

CART_LINE = re.compile(
    r"(?P<product>\d+|[A-Za-z][A-Za-z0-9-]*?)(?:\.(?P<variant>\d+))?x(?P<quantity>\d{1,2})", re.ASCII
)
"""Matches one line of a cart, as addresses and states write it: `1.103x2`, `P3x3`."""

EMPTY_CART = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRecord:
    """One value of a dimension. `swatch` is a CSS colour, for colours."""

    title: Texts
    swatch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """A property by which a variant is chosen, such as size or colour."""

    title: Texts
    options: tuple[OptionRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRecord:
    """One combination of options. `options` has the index of one option for each dimension.

    `before` is the price before the sale; None without a sale. When `stock` is None, stock is not managed. When
    `weight` is None, the product's weight applies.
    """

    id: str
    options: tuple[int, ...]
    price: int
    before: int | None = None
    stock: int | None = None
    weight: int | None = None
    sku: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRecord:
    """One product. `key` is its short name in scenarios and states (`P1`), `drawing` the name of its drawing.

    When `priced` is False, the price is on request, so the page has no price box and fires no event (observed).
    """

    key: str
    id: str
    title: Texts
    drawing: str
    price: int
    blurb: Texts | None = None
    category: tuple[Texts, ...] = ()
    before: int | None = None
    sku: str = ""
    brand: str = ""
    weight: int = 0
    stock: int | None = None
    dimensions: tuple[Dimension, ...] = ()
    variants: tuple[VariantRecord, ...] = ()
    priced: bool = True

    def variant(self, variant_id: str | None) -> VariantRecord | None:
        return next((v for v in self.variants if v.id == variant_id), None)

    def first_variant(self) -> VariantRecord | None:
        """Return the preselected variant (observed); None without variants.

        It is the first variant whose stock is not 0, else the first.
        """
        return next((v for v in self.variants if v.stock != 0), self.variants[0] if self.variants else None)

    @property
    def sold_out(self) -> bool:
        return all(v.stock == 0 for v in self.variants) if self.variants else self.stock == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrencyRecord:
    """A currency and how prices in it are displayed. `rate` is the amount of this currency that equals one euro."""

    code: str
    symbol: str
    rate: float
    position: str = "before"
    decimals: int = 2
    decimal_separator: str = "."
    thousands_separator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippingRecord:
    """A way of shipping."""

    name: str
    title: Texts
    price: int
    text: Texts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CartRecord:
    """A cart with a name: its lines as an address writes them, a discount code and a way of shipping."""

    name: str
    lines: str
    title: str = ""
    code: str | None = None
    shipping: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRecord:
    """A language of the shop's own pages. `direction` is `ltr` or `rtl`; `texts` are the texts by key."""

    code: str
    direction: str
    texts: Mapping[str, str]


def named_variant(record: ProductRecord, name: str) -> VariantRecord | None:
    """Return the variant with this id (`106`), or with these options in English (`L/Blue`), or None."""
    return record.variant(name) or next((v for v in record.variants if option_names(record, v) == name), None)


def option_names(record: ProductRecord, variant: VariantRecord) -> str:
    """Return the variant's options in English: `L/Blue`."""
    pairs = zip(record.dimensions, variant.options, strict=True)
    return "/".join(text(dimension.options[index].title, "en") for dimension, index in pairs)


def text(texts: Texts, *languages: str) -> str:
    """Return the text in the first of `languages` that has one, else any text. A region falls back to its language."""
    for language in with_bases(languages):
        if language in texts:
            return texts[language]
    return next(iter(texts.values()))


def with_bases(languages: Iterable[str]) -> tuple[str, ...]:
    """Return the languages, each followed by its base language: `pt-BR`, `en` -> `pt-BR`, `pt`, `en`."""
    codes: list[str] = []
    for language in languages:
        codes += [language, base_language(language)]
    return tuple(dict.fromkeys(codes))
