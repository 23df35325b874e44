"""The events of a state, as the page of the state fires them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from awning.contract import Dialect
from awning.contract.slots import CART_TOPIC, PRODUCT_TOPIC, SLOTS
from awning.errors import ConfigurationError
from awning.states.assumptions import page_answers
from awning.states.cart import Cart, at_checkout, read_cart
from awning.states.json_values import thaw
from awning.states.payloads import Contents, event_parameter, fires_event, updated_item
from awning.states.shop_page import ShopPage
from awning.workspace.model import WidgetState
from awning.workspace.steps import PAGE_STEPS, WAIT, Step, read_step
from awning.workspace.store.records import named_variant
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import shipped_store


@dataclass(frozen=True, slots=True, kw_only=True)
class StateEvents:
    """The events of one state: the base event with its parameter, and the updates that follow.

    `automatic` holds updates by the page itself. `steps` holds what the shopper causes: `{"update": ...}`, the event
    parameter of a page that is replaced in place (`{"replaced": ...}`, None if the event is not fired), a wait
    (`{"words", "ms"}`), or an action in the block (`{"words", "verb", "arguments"}`), as jsrc/visit/gallery.ts takes
    them. When `event` is None, no event is fired, and `note` is the reason.
    """

    event: str | None
    params: Mapping[str, Any]
    automatic: tuple[Any, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    note: str = ""


def state_events(
    state: WidgetState,
    language: str,
    languages: tuple[str, ...],
    dialect: Dialect,
    store: Store | None = None,
) -> StateEvents:
    """Return the events of `state` on a page in `language`."""
    page = state_page(state, language, languages, store)
    event = SLOTS[state.slot].event(dialect)
    if not isinstance(state.payload, str):
        # Fields that the payload of a state leaves out are empty, except `page` and `currency`.
        params = event_parameter(page, state.slot, Contents()) | thaw(state.payload)
        return StateEvents(event=event, params=params, steps=_staged_steps(state, lambda _: None))
    contents = _contents(state, page)
    if contents is None or not fires_event(page, SLOTS[state.slot], contents):
        return StateEvents(event=None, params={}, note=SLOTS[state.slot].silent)
    params = event_parameter(page, state.slot, contents)

    def after(step: Step) -> Mapping[str, Any] | None:
        nonlocal contents
        before, contents = contents, contents_after(step, contents or Contents(), page.store)
        return None if contents is before else _caused(page, state.slot, contents, params)

    first = (
        updated_item(page, state.slot, contents, params)
        if SLOTS[state.slot].payload.chooses_variant
        else None
    )
    return StateEvents(
        event=event,
        params=params,
        automatic=(first,) if first else (),
        steps=_staged_steps(state, after),
    )


def _contents(state: WidgetState, shop_page: ShopPage) -> Contents | None:
    """Return what the page of a state shows; None when the store does not have it."""
    name, page = str(state.payload), SLOTS[state.slot].page
    if page.topic == PRODUCT_TOPIC:
        record = shop_page.store.find_product(name)
        return Contents(product=record, variant=record.first_variant()) if record else None
    cart = read_cart(name, shop_page.store)
    if cart is None or page.topic != CART_TOPIC:
        return None
    return Contents(cart=cart if page.replaced else at_checkout(cart))


def _caused(
    page: ShopPage, slot: str, contents: Contents, params: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return what a step on the shop's page has caused, as `StateEvents.steps` holds it; None if it fires no event."""
    described = SLOTS[slot]
    if described.updates:
        update = updated_item(page, slot, contents, params)
        return None if update is None else {"update": update}
    if not described.page.replaced:
        return None
    fires = fires_event(page, described, contents)
    return {"replaced": event_parameter(page, slot, contents) if fires else None}


def state_page(
    state: WidgetState, language: str, languages: tuple[str, ...], store: Store | None = None
) -> ShopPage:
    """Return the page of a state, in `language` of a shop in `languages`. Without a store, it is the shipped one.

    Raises ConfigurationError when the store does not have the state's currency.
    """
    store = store or shipped_store()
    if state.currency and state.currency not in store.currencies:
        raise ConfigurationError(
            f"there is no currency {state.currency!r}; there are {', '.join(store.currencies)}",
            hint=f"mend the state {state.name!r}",
        )
    return ShopPage(
        store=store.in_currency(state.currency) if state.currency else store,
        language=language,
        website_languages=languages,
        answers=page_answers(),
    )


def _staged_steps(
    state: WidgetState, after: Callable[[Step], Mapping[str, Any] | None]
) -> tuple[Mapping[str, Any], ...]:
    """Return the steps of `state` as `StateEvents.steps` holds them.

    `after` returns what a step outside of the block causes; None if it causes no event.
    """
    staged: list[Mapping[str, Any]] = []
    for words in state.steps:
        step = read_step(words)
        if step.is_in_block:
            staged.append({"words": words, "verb": step.verb, "arguments": step.arguments})
        elif step.verb == WAIT:
            staged.append({"words": words, "ms": step.seconds * 1000})
        elif (caused := after(step)) is not None:
            staged.append(caused)
    return tuple(staged)


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
