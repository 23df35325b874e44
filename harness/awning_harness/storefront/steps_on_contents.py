"""What a page of the shop shows after a step of the shopper on it, for pages that are not loaded (the gallery)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from awning.workspace.steps import PAGE_STEPS, Step
from awning.workspace.store import Store
from awning.workspace.store.records import named_variant
from awning_harness.storefront.cart import Cart, read_cart
from awning_harness.storefront.payloads import Contents


def contents_after(step: Step, contents: Contents, store: Store) -> Contents:
    """Return what the page shows after the step; the same as before if the store does not have what the step names."""
    described = PAGE_STEPS[step.verb]
    change = _CHANGES[described.option]
    return change(contents, step.argument or described.value, store)


def _with_variant(contents: Contents, name: str, _: Store) -> Contents:
    variant = named_variant(contents.product, name) if contents.product else None
    return replace(contents, variant=variant) if variant else contents


def _with_code(contents: Contents, code: str, store: Store) -> Contents:
    return _with_cart(
        contents, lambda cart: replace(cart, code=code or None) if code in ("", *store.codes) else cart
    )


def _with_shipping(contents: Contents, way: str, store: Store) -> Contents:
    return _with_cart(contents, lambda cart: replace(cart, shipping=way) if way in store.shipping else cart)


def _with_lines(contents: Contents, spec: str, store: Store) -> Contents:
    return _with_cart(contents, lambda cart: read_cart(spec, store) or cart)


def _with_cart(contents: Contents, change: Callable[[Cart], Cart]) -> Contents:
    cart = contents.cart and change(contents.cart)
    return contents if cart is contents.cart else replace(contents, cart=cart)


_CHANGES: Mapping[str, Callable[[Contents, str, Store], Contents]] = MappingProxyType(
    {
        "variant": _with_variant,
        "code": _with_code,
        "shipping": _with_shipping,
        "cart": _with_lines,
    }
)
"""How the value of an option changes what a page shows, by the option of a `PageStep`."""
