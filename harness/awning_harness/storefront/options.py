"""What an address may say about a page besides its path: the cart, the clock, assumptions, a scenario.

All of it is in the query, so that any situation is a link; and all of it is carried along by the page's own links.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from awning_harness.storefront.assumptions import Assumptions, read_assumptions, usual_answers
from awning_harness.storefront.cart import DISCOUNT_CODES, SHIPPING, Cart, read_cart
from awning_harness.storefront.scenarios import SCENARIOS, Scenario

KEPT = ("cart", "now", "assumptions", "scenario", "csp")
"""The options a page's links carry along."""

CSP_MODES = ("nonce", "trusted-types")
DEFAULT_CART = "C1"


class BadOption(ValueError):
    """A query option says something that does not exist. The sentence says which and what does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options of one request.

    `payload` replaces fields of the page's event parameter. `kept` is the part of the query that links carry along.
    """

    cart: Cart
    assumptions: Assumptions
    now: str | None = None
    scenario: Scenario | None = None
    csp: str | None = None
    payload: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    kept: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def query(self, **changes: str | None) -> str:
        """The kept options as a query, with `changes` (None takes one away): `?cart=C1`, or nothing."""
        pairs = {key: value for key, value in {**self.kept, **changes}.items() if value is not None}
        return "?" + urlencode(pairs) if pairs else ""


def read_options(
    query: Mapping[str, str], *, assumed: Mapping[str, str] | None = None, csp: str | None = None
) -> PageOptions:
    """Options of a query. `assumed` and `csp` are the app's own defaults. Raises `BadOption`."""
    scenario = _scenario(query.get("scenario"))
    defaults = scenario.options if scenario else {}
    given = {**defaults, **query}
    return PageOptions(
        cart=_cart(given.get("cart", DEFAULT_CART)),
        assumptions=_assumptions(given.get("assumptions", ""), assumed or usual_answers()),
        now=_now(given.get("now")),
        scenario=scenario,
        csp=_csp(given.get("csp")) or csp,
        payload=_payload(given.get("payload", "{}")),
        kept=MappingProxyType({key: query[key] for key in KEPT if key in query}),
    )


def checkout_state(cart: Cart, query: Mapping[str, str]) -> tuple[Cart, bool]:
    """The cart at the checkout, with the code and delivery of a query; and whether its code was a known one."""
    code = query.get("code", cart.code or "").strip().upper()
    shipping = query.get("shipping", cart.shipping or next(iter(SHIPPING)))
    if shipping not in SHIPPING:
        raise BadOption(f"there is no delivery {shipping!r}; there are {', '.join(SHIPPING)}")
    known = code in DISCOUNT_CODES
    state = Cart(lines=cart.lines, code=code if known else None, shipping=shipping)
    return state, known or not code


def _cart(spec: str) -> Cart:
    cart = read_cart(spec)
    if cart is None:
        raise BadOption(
            f"there is no cart {spec!r}; write C1, empty, P3x3, free, or lines such as 1.103x2,2x1"
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
        datetime.fromisoformat(text)
    except ValueError as error:
        raise BadOption(f"now={text!r} is no ISO 8601 time such as 2026-03-02T10:30:00") from error
    return text


def _scenario(name: str | None) -> Scenario | None:
    if name is None:
        return None
    if name not in SCENARIOS:
        raise BadOption(f"there is no scenario {name!r}; there are {', '.join(SCENARIOS)}")
    return SCENARIOS[name]


def _payload(text: str) -> Mapping[str, Any]:
    try:
        payload = json.loads(text)
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise BadOption("payload is no JSON object")
    return MappingProxyType(payload)


def _csp(mode: str | None) -> str | None:
    if mode is not None and mode not in CSP_MODES:
        raise BadOption(f"there is no csp {mode!r}; there are {', '.join(CSP_MODES)}")
    return mode
