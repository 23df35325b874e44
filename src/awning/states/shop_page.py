"""What the payloads of a page depend on: the store, the languages, and the answers about what pages send."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from awning.contract import SLOTS
from awning.contract.slots import PRODUCT_TOPIC
from awning.states.cart import Cart, cart_data, known_cart_data
from awning.states.product_payload import make_item
from awning.workspace.store.records import ProductRecord
from awning.workspace.store.store import Store

_KINDS_OF_THEIR_OWN = frozenset(
    slot.page.name for slot in SLOTS.values() if slot.topic not in (None, PRODUCT_TOPIC)
)
"""The kinds of page that may have another value of `page.page` than those of products."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopPage:
    """A page in `language` of a website in `website_languages`.

    `store` has all money in the page's currency. `answers` are those about pages, by the id of the assumption.
    `payload` replaces fields of the page's event parameter, and adds others.
    """

    store: Store
    language: str
    website_languages: tuple[str, ...]
    answers: Mapping[str, str]
    payload: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of a text by preference: the page's, then the website's, then the shop's own."""
        return (self.language, *self.website_languages, *self.store.languages)

    def page(self, kind: str) -> dict[str, str]:
        """Return the `page` of a payload, with exactly two keys (observed)."""
        own = self.answers["page-value"] == "own"
        return {
            "language": self.language,
            "page": kind if own and kind in _KINDS_OF_THEIR_OWN else "catalog",
        }

    def item(self, record: ProductRecord) -> dict[str, Any]:
        return make_item(record, self.store.currency, *self.languages)

    def cart_data(self, cart: Cart) -> dict[str, Any]:
        if self.answers["cart-fields"] == "known":
            return known_cart_data(cart)
        return cart_data(cart, *self.languages)
