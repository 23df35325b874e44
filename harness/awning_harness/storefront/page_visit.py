"""One visit of one page: its website, language and options, and the values for templates that follow from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from awning.contract import SLOTS, Dialect
from awning.contract.shop import THEMES
from awning.states.cart import Cart, currency
from awning.states.money import display, isolated, isolation
from awning.states.shop_page import ShopPage
from awning.workspace.store.records import ProductRecord, Texts, text
from awning.workspace.store.store import Store
from awning_harness.storefront.options import PageOptions
from awning_harness.storefront.snippet_source import Website
from awning_harness.storefront.themes import look_style, sheet_names

_GRAMS_PER_KG = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVisit:
    """One visit of one page. `path` is the path below the language: `product/1`, or "" for the home page."""

    website: Website
    language: str
    path: str
    options: PageOptions
    dialect: Dialect
    asset_origin: str = ""
    """The origin of the shop's files; empty for the page's own."""
    own_query: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The part of the query that only the link to the same page in another language keeps."""

    def url(self, path: str, language: str | None = None, **changes: str | None) -> str:
        """Return the address of another page of this website, with the carried options."""
        return f"/{self.website.id}/{language or self.language}/{path}{self.options.query(**changes)}"

    def other_language(self, language: str) -> str:
        """Return the address of this page in another language."""
        return self.url(self.path, language, **self.own_query)

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the page's style sheets, in order."""
        return sheet_names(self.options.theme)

    @property
    def look(self) -> str:
        """The style sheet of the store's own look, which a page without a theme has; "" without one."""
        return look_style(self.store.look) if self.options.theme == next(iter(THEMES.values())) else ""

    @property
    def shop_page(self) -> ShopPage:
        """What the payloads of this page depend on."""
        return ShopPage(
            store=self.store,
            language=self.language,
            website_languages=tuple(self.website.languages),
            answers=self.options.assumptions.pages,
            payload=self.options.payload,
        )

    @property
    def store(self) -> Store:
        return self.options.store

    @property
    def direction(self) -> str:
        """The direction of the page: `rtl` if its theme or its language is `rtl`, else `ltr`."""
        directions = (self.options.theme.direction, self.store.direction(self.language))
        return "rtl" if "rtl" in directions else "ltr"

    def money(self, amount: int) -> str:
        """Return an amount in minor units as the page shows it."""
        return display(amount, self.store.currency, self.direction)

    @property
    def money_format(self) -> dict[str, Any]:
        """The format of amounts on this page, for the shop's JavaScript."""
        start, end = isolation(self.store.currency, self.direction)
        return {**currency(self.store), "start": start, "end": end}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of a text by preference."""
        return self.shop_page.languages

    def text(self, texts: Texts) -> str:
        return text(texts, *self.languages)

    def t(self, key: str, **values: object) -> str:
        """Return the text `key` of the shop in the page's language. `values` replace the names in braces in it."""
        shop_text = self.store.texts(self.language)[key]
        return shop_text.format_map(values) if values else shop_text

    def weight(self, grams: int) -> str:
        """Return a weight as `180 g` or `28.5 kg`, with the language's decimal sign."""
        weight = f"{grams} g" if grams < _GRAMS_PER_KG else f"{grams / _GRAMS_PER_KG:g} kg"
        if self.store.language(self.language).code not in ("en", "ar"):
            weight = weight.replace(".", ",")
        return isolated(weight) if self.direction == "rtl" else weight

    @property
    def products(self) -> tuple[ProductRecord, ...]:
        return self.store.products

    def page(self, kind: str) -> dict[str, str]:
        """Return the `page` of a payload."""
        return self.shop_page.page(kind)

    def cart_data(self, cart: Cart) -> dict[str, Any]:
        return self.shop_page.cart_data(cart)

    def event(self, slot: str) -> str:
        return SLOTS[slot].event(self.dialect)
