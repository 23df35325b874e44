"""One visit of one page: its website, language and options, and the values that templates derive from them."""

from dataclasses import dataclass
from typing import Any

from awning.contract import SLOTS, Dialect
from awning.contract.payload_shapes import CartData, CartTotals, Item, Page
from awning_harness.storefront.cart import Cart, cart_data, currency, known_cart_data
from awning_harness.storefront.catalogue import PRODUCTS
from awning_harness.storefront.options import PageOptions
from awning_harness.storefront.product_payload import make_item
from awning_harness.storefront.records import ProductRecord, Texts, text
from awning_harness.storefront.snippet_source import Website
from awning_harness.storefront.texts import LANGUAGES, shop_language, shop_texts

_GRAMS_PER_KG = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVisit:
    """One visit of one page. `path` is the path below the language: `product/1`, or "" for the home page."""

    website: Website
    language: str
    path: str
    options: PageOptions
    dialect: Dialect

    def url(self, path: str, language: str | None = None, **changes: str | None) -> str:
        """Return the address of another page of this website, with the carried options."""
        return f"/{self.website.id}/{language or self.language}/{path}{self.options.query(**changes)}"

    def other_language(self, language: str) -> str:
        """Return the address of this page in another language."""
        return self.url(self.path, language)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of a text by preference: the page's, then the website's, then the shop's own."""
        return (self.language, *self.website.languages, *LANGUAGES)

    def text(self, texts: Texts) -> str:
        return text(texts, *self.languages)

    def t(self, key: str, **values: object) -> str:
        """Return a text of the shop. `values` replace its names in braces."""
        return shop_texts(self.language)[key].format_map(values) if values else shop_texts(self.language)[key]

    def weight(self, grams: int) -> str:
        """Return a weight as `180 g` or `28.5 kg`, with the language's decimal sign."""
        if grams < _GRAMS_PER_KG:
            return f"{grams} g"
        kilograms = f"{grams / _GRAMS_PER_KG:g} kg"
        return kilograms if shop_language(self.language) == "en" else kilograms.replace(".", ",")

    @property
    def products(self) -> tuple[ProductRecord, ...]:
        return PRODUCTS

    def page(self, kind: str) -> Page:
        """Return the `page` of a payload, with exactly two keys (observed)."""
        own = self.options.assumptions["page-value"] == "own"
        return {
            "language": self.language,
            "page": kind if own and kind in ("cart", "checkout") else "catalog",
        }

    def item(self, record: ProductRecord) -> Item:
        return make_item(record, *self.languages)

    def cart_data(self, cart: Cart) -> CartTotals | CartData:
        if self.options.assumptions["cart-fields"] == "known":
            return known_cart_data(cart)
        return cart_data(cart, *self.languages)

    def params(self, slot: str, **fields: Any) -> dict[str, Any]:
        """Return the event parameter of a slot, with its fields in the specification's order."""
        own = {"currency": currency(), "page": self.page(SLOTS[slot].page), **fields}
        return {name: own[name] for name in SLOTS[slot].params} | dict(self.options.payload)

    def event(self, slot: str) -> str:
        return SLOTS[slot].event(self.dialect)
