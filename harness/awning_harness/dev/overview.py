"""The values of the dev server's own pages: the shop's pages, scenarios, widgets, the last build, payloads' fields."""

from collections.abc import Iterable, Iterator
from typing import Any

from awning.build_record import find_build_record
from awning.contract import SLOTS, Dialect
from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.payloads import RECORDS, PayloadField
from awning.contract.shop import THEMES
from awning.contract.slots import EVENTS
from awning.diagnostics import has_errors
from awning.errors import AwningError
from awning.states.cart import read_cart
from awning.states.money import display
from awning.workspace.document import Findings
from awning.workspace.model import Widget
from awning.workspace.reader import read_workspace
from awning.workspace.store.records import EMPTY_CART, ProductRecord, text
from awning.workspace.store.store import Store
from awning.workspace.widgets import is_widget_name, read_widget
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.fields import data_problems, widget_fields
from awning_harness.dev.gallery import GALLERY, state_address
from awning_harness.gallery.index import Site, index_values
from awning_harness.gallery.state_page import gzip_size
from awning_harness.storefront.scenarios import SCENARIOS


def named_carts(store: Store) -> dict[str, str]:
    """Return the titles of the store's carts and of the empty cart, by name."""
    titles = {
        cart.name: ", ".join(filter(None, (cart.title, _sum(cart.name, store))))
        for cart in store.carts.values()
    }
    return {**titles, EMPTY_CART: "Empty: no event"}


def _sum(name: str, store: Store) -> str:
    cart = read_cart(name, store)
    return display(cart.total, store.currency) if cart and cart.total else ""


POLICIES = {"nonce": "Strict (nonce)", "trusted-types": "Trusted Types, no jQuery"}
"""The titles of the Content Security Policies."""


def widgets_of(session: DevSession) -> tuple[Widget, ...]:
    """Return the workspace's current widgets; an empty tuple while the workspace has errors."""
    try:
        return read_workspace(session.root).widgets
    except AwningError:
        return ()


def inspector_info(
    session: DevSession, language: str, currency: str = "", data: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the values that the inspector loads when it is opened on a page in `language` and `currency`.

    `data` are the app data of this page alone; None for the stored ones.
    """
    data = session.data if data is None else data
    widgets = widgets_of(session)
    store = session.store.in_currency(currency) if currency in session.store.currencies else session.store
    shipped = find_build_record(session.root / "dist")
    return {
        "app": session.record.title if session.record else "",
        "data": data,
        "widgets": [
            {
                "name": w.name,
                "title": w.title,
                "slots": list(w.slots),
                "gzip": gzip_size(shipped, w.name),
                "fields": widget_fields(w, language),
            }
            for w in widgets
        ],
        "problems": data_problems(data, widgets),
        "languages": list(session.languages),
        "currency": session.store.currency.code,
        "currencies": [
            {"value": code, "title": f"{code} ({session.store.source.currencies[code].symbol})"}
            for code in session.store.currencies
        ],
        "carts": [{"value": name, "title": title} for name, title in named_carts(store).items()],
        "assumptionSets": [{"value": name, "title": name.capitalize()} for name in ASSUMPTION_SETS],
        "scenarios": [{"value": s.name, "title": s.title} for s in SCENARIOS.values()],
        "themes": [{"value": t.name, "title": t.title} for t in THEMES.values()],
        "policies": [{"value": name, "title": title} for name, title in POLICIES.items()],
    }


def shop_pages(store: Store) -> Iterator[tuple[str, str, str]]:
    """Yield the path (below the language), the title and a remark of each page of the shop."""
    carts = named_carts(store)
    first = next(iter(carts))
    yield "", "Home", "All products"
    for record in store.products:
        yield f"product/{record.id}", text(record.title, "en"), _product_note(record)
    yield "cart", "Cart", carts[first]
    yield "checkout", "Checkout", f"Discount codes: {', '.join(store.codes)}"
    fires = any(slot.page.name == "order" for slot in SLOTS.values())
    yield "order", "Order", "After the checkout" + ("" if fires else "; fires no event")
    yield from (
        (f"cart?cart={name}", f"Cart: {name}", title) for name, title in carts.items() if name != first
    )
    other = (code for code in store.currencies if code != store.currency.code)
    yield from (
        (f"?currency={code}", f"Prices in {code}", "Home, and every page that it leads to") for code in other
    )


def _product_note(record: ProductRecord) -> str:
    notes = {
        "P1": "Six variants, two dimensions, one sold out",
        "P2": "On sale, no variants, three left",
        "P3": "Stock and weight not managed",
        "P4": "Sold out, heavy",
        "P5": "Three packs, one stock; no variant has the product's price",
        "P6": "A name that must be escaped",
        "P7": "No price box, so no event",
        "P8": "Every variant sold out",
    }
    variants = f"{len(record.variants)} variants" if record.variants else "No variants"
    return notes.get(record.key, variants)


def widget_of(session: DevSession, name: str) -> Widget | None:
    """Return the current widget of this name; None when it does not exist or its files have errors.

    The other widgets are not read, because the gallery requests many states one by one.
    """
    folder = session.root.resolve() / "widgets" / name
    if not is_widget_name(name) or not (folder / "widget.toml").is_file():
        return None
    findings = Findings()
    widget = read_widget(folder, session.own_languages, findings)
    return None if has_errors(findings.diagnostics) else widget


def site_of(session: DevSession) -> Site:
    """Return what the dev server's own pages belong to."""
    shop = f"/{session.source.site.id}/{session.languages[0]}/"
    nav = (("Pages", "/"), ("Gallery", GALLERY), ("Shop", shop))
    return Site(name="awning dev", home="/", nav=nav, is_served=True)


def gallery_values(session: DevSession) -> dict[str, Any]:
    """Return the values of the gallery."""
    revision, shipped = session.revision, find_build_record(session.root / "dist")
    values = index_values(
        widgets_of(session),
        session.own_languages,
        page=state_address,
        gzip=lambda name: gzip_size(shipped, name),
    )
    return {**values, "revision": revision}


def overview(session: DevSession) -> dict[str, Any]:
    """Return the values of the index page. If the snippets are out of date, wait for their build.

    Sizes are from the last `awning build`, because dev builds do not ship.
    """
    session.source.wait_until_current(session.languages[0])
    revision = session.revision  # before the rest: the page rather loads again once too often
    shipped = find_build_record(session.root / "dist")
    widgets = widgets_of(session)
    shipped_names = {widget.name for widget in shipped.widgets} if shipped else set()
    return {
        "title": "Pages",
        "revision": revision,
        "session": session,
        "record": session.record,
        "shipped": shipped,
        "unshipped": [widget.name for widget in widgets if widget.name not in shipped_names],
        "pages": list(shop_pages(session.store)),
        "scenarios": list(SCENARIOS.values()),
        "widgets": [(w, gzip_size(shipped, w.name)) for w in widgets],
        "app_size": gzip_size(shipped, "app"),
        "slot_pages": {name: slot.page.name for name, slot in SLOTS.items()},
    }


def payload_fields(dialect: Dialect) -> dict[str, Any]:
    """Return the fields of each record; and for each event, the fields of its parameter and of its `updatedItem`.

    The fields of the `updatedItem` are None for a base event, which has no such item.
    """
    events = {
        event.name(dialect): {
            "param": _fields(event.slot.payload.parameter),
            "update": None if event.update_fields is None else _fields(event.update_fields),
        }
        for event in EVENTS
    }
    return {"records": {name: _fields(fields) for name, fields in RECORDS.items()}, "events": events}


def _fields(fields: Iterable[PayloadField]) -> list[dict[str, Any]]:
    return [
        {
            "name": field.name,
            "types": field.types,
            "source": field.source,
            "about": field.about,
            "seen": field.seen,
            "record": field.record,
        }
        for field in fields
    ]
