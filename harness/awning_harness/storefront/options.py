"""The options of a page, which are in its address: such as the cart, the currency, the clock, a scenario or a theme.

They are in the query, so that each situation has a link. The page's own links keep those in CARRIED.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from awning.contract.shop import SHOP_POLICIES, THEMES, Theme
from awning.states.assumptions import Assumptions, default_answers, read_assumptions
from awning.states.cart import Cart, at_checkout, read_cart
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import shipped_store
from awning_harness.storefront.scenarios import SCENARIOS, Scenario

CARRIED = ("cart", "currency", "now", "assumptions", "scenario", "theme", "csp", "answers")
"""The options that a page's links keep."""

DEFAULT_CART = "C1"
_DEFAULT = next(iter(THEMES.values()))

ANSWERS = ("played", "late", "failing", "none")
"""How a page of `awning dev` gets the responses of other hosts that widgets name. With "none" the hosts are asked."""


class BadOption(ValueError):
    """An option in a query has an invalid value. The message names the valid values or their form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options of one request.

    `store` has all money in the page's currency. `data` are the app data of this page alone; None for the stored ones.
    `payload` replaces fields of the page's event parameter, and adds others. `carried` is the part of the query that
    links keep.
    """

    store: Store
    cart: Cart
    assumptions: Assumptions
    now: str | None = None
    scenario: Scenario | None = None
    theme: Theme = _DEFAULT
    csp: str | None = None
    answers: str = ANSWERS[0]
    data: Mapping[str, Any] | None = None
    payload: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    carried: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def query(self, **changes: str | None) -> str:
        """Return the carried options as a query such as `?cart=C1`, or "".

        `changes` replaces options; a value of None removes one.
        """
        pairs = {key: value for key, value in {**self.carried, **changes}.items() if value is not None}
        return "?" + urlencode(pairs) if pairs else ""


def read_options(
    query: Mapping[str, str],
    *,
    store: Store | None = None,
    assumed: Mapping[str, str] | None = None,
    csp: str | None = None,
) -> PageOptions:
    """Return the options in a query.

    `store` is by default the shipped store. `assumed` has the assumptions, and `csp` the policy, that apply unless the
    query or its scenario changes them. Raises BadOption for an invalid value.
    """
    scenario = _scenario(query.get("scenario"))
    defaults = scenario.options if scenario else {}
    values = {**defaults, **query}
    store = _store(store or shipped_store(), values.get("currency"))
    return PageOptions(
        store=store,
        cart=_cart(values.get("cart", DEFAULT_CART), store),
        assumptions=_assumptions(values.get("assumptions", ""), assumed or default_answers()),
        now=_now(values.get("now")),
        scenario=scenario,
        theme=read_theme(values.get("theme")),
        csp=_known("csp", values.get("csp"), SHOP_POLICIES) or csp,
        answers=_known("answers", values.get("answers"), ANSWERS) or ANSWERS[0],
        payload=_payload(values.get("payload", "{}")),
        carried=MappingProxyType({key: query[key] for key in CARRIED if key in query}),
    )


def checkout_cart(cart: Cart, query: Mapping[str, str]) -> tuple[Cart, bool]:
    """Return the cart at the checkout with the code and way of shipping in `query`, and whether the code is accepted.

    What is not in `query` is taken from the cart. A cart without a way of shipping gets the store's first one. A code
    that the store does not have is left out and not accepted. Having no code counts as accepted.

    Raises BadOption for an unknown way of shipping.
    """
    code = query.get("code", cart.code or "").strip().upper()
    shipping = query.get("shipping")
    if shipping is not None and shipping not in cart.store.shipping:
        raise BadOption(f"there is no delivery {shipping!r}; there are {', '.join(cart.store.shipping)}")
    return at_checkout(cart, code, shipping), code in cart.store.codes or not code


def _store(store: Store, currency: str | None) -> Store:
    if currency is None:
        return store
    if currency not in store.currencies:
        raise BadOption(f"there is no currency {currency!r}; there are {', '.join(store.currencies)}")
    return store.in_currency(currency)


def _cart(spec: str, store: Store) -> Cart:
    cart = read_cart(spec, store)
    if cart is None:
        names = ", ".join(store.carts)
        raise BadOption(
            f"there is no cart {spec!r}; write {names}, empty, or lines such as P3x3 or 1.103x2,2x1"
        )
    return cart


def _assumptions(text: str, assumed: Mapping[str, str]) -> Assumptions:
    try:
        return read_assumptions(text, assumed)
    except ValueError as error:
        raise BadOption(str(error)) from error


def _now(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).isoformat()  # browsers do not read 20260302T1030
    except ValueError as error:
        raise BadOption(f"now={text!r} is not an ISO 8601 time, such as 2026-03-02T10:30:00") from error


def _scenario(name: str | None) -> Scenario | None:
    known = _known("scenario", name, SCENARIOS)
    return None if known is None else SCENARIOS[known]


def read_theme(name: str | None) -> Theme:
    """Return a theme by its name; the first theme if it is None. Raises BadOption for an unknown name."""
    known = _known("theme", name, THEMES)
    return _DEFAULT if known is None else THEMES[known]


def _payload(text: str) -> Mapping[str, Any]:
    try:
        payload = json.loads(text)
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise BadOption("payload is not a JSON object")
    return MappingProxyType(payload)


def _known(what: str, name: str | None, names: Collection[str]) -> str | None:
    """Return a name. Raises BadOption if it is not one of `names`; None is allowed."""
    if name is not None and name not in names:
        raise BadOption(f"there is no {what} {name!r}; there are {', '.join(names)}")
    return name
