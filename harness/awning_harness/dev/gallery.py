"""The widget gallery: a page for each state of each widget in each language, which fires the state's events."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from awning.build_record import BuildRecord
from awning.contract import Dialect
from awning.contract.slots import CART_TOPIC, PRODUCT_TOPIC, SLOTS
from awning.workspace import Widget, WidgetState
from awning.workspace.document import Findings, read_toml
from awning.workspace.steps import WAIT, Step, read_step
from awning.workspace.store import Store
from awning_harness.dev.gallery_view import GALLERY
from awning_harness.hosts.responses import HostResponse, read_host_response
from awning_harness.pages.address import page_address, state_options
from awning_harness.pages.store_names import NotInTheStore
from awning_harness.storefront.cart import read_cart
from awning_harness.storefront.json_values import inline_json, thaw
from awning_harness.storefront.options import checkout_cart, read_options
from awning_harness.storefront.page import nonce_attribute, policy_header, raw
from awning_harness.storefront.page_visit import PageVisit
from awning_harness.storefront.payloads import Contents, event_parameter, fires_event, updated_item
from awning_harness.storefront.scenarios import in_dialect
from awning_harness.storefront.snippet_source import FixedWebsite
from awning_harness.storefront.steps_on_contents import contents_after
from awning_harness.storefront.themes import neighbours


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
    visit = _visit(state, language, languages, dialect, store)
    event = visit.event(state.slot)
    if not isinstance(state.payload, str):
        # Fields that the payload of a state leaves out are empty, except `page` and `currency`.
        params = event_parameter(visit, state.slot, Contents()) | thaw(state.payload)
        return StateEvents(event=event, params=params, steps=_staged_steps(state, lambda _: None))
    contents = _contents(state, visit)
    if contents is None or not fires_event(visit, SLOTS[state.slot], contents):
        return StateEvents(event=None, params={}, note=SLOTS[state.slot].silent)
    params = event_parameter(visit, state.slot, contents)

    def after(step: Step) -> Mapping[str, Any] | None:
        nonlocal contents
        before, contents = contents, contents_after(step, contents or Contents(), visit.store)
        return None if contents is before else _caused(visit, state.slot, contents, params)

    first = (
        updated_item(visit, state.slot, contents, params)
        if SLOTS[state.slot].payload.chooses_variant
        else None
    )
    return StateEvents(
        event=event,
        params=params,
        automatic=(first,) if first else (),
        steps=_staged_steps(state, after),
    )


def _contents(state: WidgetState, visit: PageVisit) -> Contents | None:
    """Return what the page of a state shows; None when the store does not have it."""
    name, page = str(state.payload), SLOTS[state.slot].page
    if page.topic == PRODUCT_TOPIC:
        record = visit.store.find_product(name)
        return Contents(product=record, variant=record.first_variant()) if record else None
    cart = read_cart(name, visit.store)
    if cart is None or page.topic != CART_TOPIC:
        return None
    return Contents(cart=cart if page.replaced else checkout_cart(cart, {})[0])


def _caused(
    visit: PageVisit, slot: str, contents: Contents, params: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return what a step on the shop's page has caused, as `StateEvents.steps` holds it; None if it fires no event."""
    described = SLOTS[slot]
    if described.updates:
        update = updated_item(visit, slot, contents, params)
        return None if update is None else {"update": update}
    if not described.page.replaced:
        return None
    fires = fires_event(visit, described, contents)
    return {"replaced": event_parameter(visit, slot, contents) if fires else None}


def _visit(
    state: WidgetState, language: str, languages: tuple[str, ...], dialect: Dialect, store: Store | None
) -> PageVisit:
    chosen = {"theme": state.theme, "currency": state.currency}
    query = {name: value for name, value in chosen.items() if value}
    return PageVisit(
        website=FixedWebsite(languages=languages),
        language=language,
        path="",
        options=read_options(query, store=store),
        dialect=dialect,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePage:
    """The page of one state in one language: its events, and the widget's snippets."""

    state: WidgetState
    language: str
    layout: str
    """The kind of page whose layout the state's page has."""
    events: StateEvents
    head: Markup
    body: Markup
    sheets: tuple[str, ...]
    direction: str
    nonce: Markup
    """The `nonce` attribute of `<script>` elements; empty without a Content Security Policy."""
    headers: Mapping[str, str]
    answers: Mapping[str, Mapping[str, Any]]
    """The responses of other hosts by address: `status`, `type`, `body`."""
    about: Mapping[str, str | None]
    """What the header of the page says when the page is opened alone, as jsrc/inspector/state_header.ts takes it."""


def make_state_page(
    widget: Widget,
    state: WidgetState,
    language: str,
    *,
    languages: tuple[str, ...],
    snippets: Mapping[str, str],
    dialect: Dialect,
    store: Store | None = None,
) -> StatePage:
    """Return the page of a state. `snippets` are those of the widget alone, by path as in `dist/`."""

    def snippet(place: str) -> str:
        html = unit_snippet(snippets, widget.name, language, place)
        data = inline_json({widget.name: thaw(state.data)})
        return html.replace(dialect.app_data_placeholder, data).replace(
            dialect.language_placeholder, language
        )

    visit = _visit(state, language, languages, dialect, store)
    nonce = secrets.token_urlsafe(12) if state.csp else None
    others = neighbours(visit.options.theme, (body := snippet("body"),))
    before, after = (in_dialect(s, dialect) for s in ((others.before, others.after) if others else ((), ())))
    return StatePage(
        state=state,
        language=language,
        layout=SLOTS[state.slot].page.name,
        events=state_events(state, language, languages, dialect, store),
        head=raw((snippet("head"),), nonce),
        body=raw((*before, body, *after), nonce),
        sheets=visit.sheets,
        direction=visit.direction,
        nonce=nonce_attribute(nonce),
        headers=policy_header(nonce, state.csp),
        answers={
            url: _as_json(read_host_response(answer, widget.folder)) for url, answer in state.fetch.items()
        },
        about=_about(widget, state, visit),
    )


def _about(widget: Widget, state: WidgetState, visit: PageVisit) -> Mapping[str, str | None]:
    return {
        "title": state.title,
        "name": state.name,
        "widget": widget.title,
        "place": _place(widget, state.name),
        "gallery": f"{GALLERY}#state-{widget.name}-{state.name}",
        "shop": f"/{visit.website.id}/",
        "page": _shop_page(state, visit),
        "pageTitle": f"{SLOTS[state.slot].page.name.capitalize()} page",
    }


def _place(widget: Widget, state: str) -> str:
    """Return the file and the line of a state; only the file if it has just changed and no longer has the state."""
    path = f"widgets/{widget.name}/states.toml"
    document = read_toml(widget.folder / "states.toml", path, Findings())
    tables = document.values.get("state") if document else None
    rows = enumerate(tables if isinstance(tables, list) else ())
    index = next((index for index, row in rows if isinstance(row, dict) and row.get("name") == state), None)
    return path if document is None or index is None else f"{path}:{document.place(('state', index)).line}"


def _shop_page(state: WidgetState, visit: PageVisit) -> str | None:
    """Return the address of the page of the shop with the state's payload and options, but not its data and steps.

    None when the store does not have the product or the cart.
    """
    name, options = state_options(state)
    del options["data"]
    try:
        address = page_address(visit.store, state.slot, name, visit.language, options)
    except NotInTheStore:
        return None
    return f"/{visit.website.id}/{address.path}"


def _as_json(answer: HostResponse) -> Mapping[str, Any]:
    text = answer.body.decode(errors="replace")
    return {"status": answer.status, "type": answer.type_for("fetch"), "body": text}


def unit_snippet(snippets: Mapping[str, str], unit: str, language: str, place: str) -> str:
    """Return the unit's built snippet in this language, else its default one; "" when there is none."""
    folder = f"widgets/{unit}"
    return snippets.get(f"{folder}/{language}/{place}.html") or snippets.get(f"{folder}/{place}.html", "")


def gzip_size(record: BuildRecord | None, unit: str) -> int | None:
    """Return the size of the unit's default body snippet, in bytes after gzip; None without a build or snippet."""
    if record is None:
        return None
    sizes = (s.gzip for s in record.snippets if s.unit == unit and s.place == "body" and s.language is None)
    return next(sizes, None)
