"""Slots, and the events that the storefront fires for them (Apps Integration API, Event kinds).

A slot is one row of SLOTS. The types for editors, the functions of the module "awning", the records that `check` knows,
the pages of the simulated shop, the gallery, the checks of `awning test` and the docs read it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from awning.contract.dialect import Dialect
from awning.contract.payloads import CART, PRICE, Payload, PayloadField


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What of the store a page of the simulated shop is about.

    A product is in the path of its page, as in `product/1`, and a cart is an option of it, as in `checkout?cart=C1`.
    `ordinary` is the one of the shipped store that a page shows when nothing else is chosen.
    """

    name: str
    ordinary: str


PRODUCT_TOPIC = Topic(name="product", ordinary="P1")
CART_TOPIC = Topic(name="cart", ordinary="C1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPage:
    """A kind of storefront page that has a slot.

    name       the first part of its path
    topic      what it is about; None for a page that is about nothing of the store
    replaced   whether the shop replaces its content in place when the cart changes (observed)
    """

    name: str
    topic: Topic | None
    replaced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place in a page where HTML is inserted.

    page        the kind of storefront page that has the slot
    payload     what its events bring
    updates     whether there is an `-updated` event
    repeats     whether a timer may deliver an update again (observed)
    about       what its function in the module "awning" does
    absent      why a page of this kind may lack the slot
    silent      why a page of this kind may not fire the slot's event
    first       the name of the widget in this slot with which `awning new` begins
    """

    name: str
    page: SlotPage
    payload: Payload
    updates: bool
    repeats: bool = False
    about: str
    absent: str
    silent: str
    first: str

    @property
    def params(self) -> tuple[str, ...]:
        """The names of the fields of the event parameter."""
        return self.payload.params

    @property
    def topic(self) -> Topic | None:
        return self.page.topic

    @property
    def function(self) -> str:
        """The function of the module "awning" for widgets in this slot, such as `afterPrice`."""
        first, *others = self.name.split("-")
        return first + "".join(word.capitalize() for word in others)

    @property
    def example(self) -> str:
        """The call of the function, in short: `afterPrice(({ item }) => ...)`."""
        return f"{self.function}(({{ {self.payload.arguments[0].name} }}) => ...)"

    @property
    def events(self) -> tuple["Event", ...]:
        """The base event, and the `-updated` event if there is one."""
        return tuple(
            Event(slot=self, is_update=later) for later in (False, True) if self.updates or not later
        )

    def event(self, dialect: Dialect) -> str:
        """Return the name of the base event."""
        return self.events[0].name(dialect)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of a slot: the base event of a page, or the `-updated` event, which may follow it."""

    slot: Slot
    is_update: bool

    @property
    def short_name(self) -> str:
        """The name in descriptions, such as `after-price-updated`."""
        return f"{self.slot.name}-updated" if self.is_update else self.slot.name

    def name(self, dialect: Dialect) -> str:
        """Return the name to which a script subscribes."""
        return f"{dialect.event_prefix}content-{self.short_name}"

    @property
    def update_fields(self) -> tuple[PayloadField, ...] | None:
        """The fields of updatedItem; None for a base event, which has no such item."""
        return self.slot.payload.update_fields if self.is_update else None


SLOTS: dict[str, Slot] = {
    slot.name: slot
    for slot in (
        Slot(
            name="after-price",
            page=SlotPage(name="product", topic=PRODUCT_TOPIC),
            payload=PRICE,
            updates=True,
            repeats=True,
            about="Define a widget next to the price of a product. `render` is called for the page, and again when "
            "another variant is selected. It may be called more than once with the same variant.",
            absent="a product whose price is on request has no price box",
            silent="No price box, so no event",
            first="stock-note",
        ),
        Slot(
            name="after-cart",
            page=SlotPage(name="cart", topic=CART_TOPIC, replaced=True),
            payload=CART,
            updates=False,
            about="Define a widget below the item list of the cart.",
            absent="the page that opened is not the cart",
            silent="An empty cart fires no event",
            first="gift-note",
        ),
        Slot(
            name="after-checkout",
            page=SlotPage(name="checkout", topic=CART_TOPIC),
            payload=CART,
            updates=True,
            about="Define a widget below the item list of the checkout. It is rendered again when the total changes.",
            absent="an empty cart has no checkout; its address redirects to the cart",
            silent="An empty cart fires no event",
            first="savings-note",
        ),
    )
}

FIRST_SLOT = next(iter(SLOTS))
"""The slot that is meant where none is chosen."""


def slot_about(topic: Topic, slots: Iterable[str] = ()) -> str:
    """Return the first of `slots` whose page is about `topic`; the first of all slots if none of them is."""
    return next(name for name in (*slots, *SLOTS) if SLOTS[name].topic == topic)


EVENTS: tuple[Event, ...] = tuple(event for slot in SLOTS.values() for event in slot.events)
"""All events, each base event before its `-updated`."""


def event_names(dialect: Dialect) -> tuple[str, ...]:
    """Return the names of EVENTS."""
    return tuple(event.name(dialect) for event in EVENTS)
