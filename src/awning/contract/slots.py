"""Slots, and the events that the storefront fires for them (Apps Integration API, Event kinds)."""

from dataclasses import dataclass

from awning.contract.dialect import Dialect


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place in a page where HTML is inserted.

    `page` is the kind of storefront page that has the slot. `updates` is whether there is an `-updated` event. `params`
    has the names of the fields of the event parameter.
    """

    name: str
    page: str
    updates: bool
    params: tuple[str, ...]

    @property
    def function(self) -> str:
        """The function of the module "awning" for widgets in this slot, such as `afterPrice`."""
        first, *others = self.name.split("-")
        return first + "".join(word.capitalize() for word in others)

    @property
    def example(self) -> str:
        """The call of the function, in short: `afterPrice(({ item }) => ...)`."""
        return f"{self.function}(({{ {'item' if self.has_product else 'cart'} }}) => ...)"

    @property
    def has_product(self) -> bool:
        """Whether the event is about a product. If not, it is about a cart."""
        return "item" in self.params

    def event(self, dialect: Dialect) -> str:
        return f"{dialect.event_prefix}content-{self.name}"

    def updated_event(self, dialect: Dialect) -> str | None:
        return f"{self.event(dialect)}-updated" if self.updates else None


SLOTS: dict[str, Slot] = {
    slot.name: slot
    for slot in (
        Slot(name="after-price", page="product", updates=True, params=("item", "page")),
        Slot(name="after-cart", page="cart", updates=False, params=("cartData", "currency", "page")),
        Slot(name="after-checkout", page="checkout", updates=True, params=("cartData", "currency", "page")),
    )
}


def event_names(dialect: Dialect) -> tuple[str, ...]:
    """Return all five event names, each base event before its `-updated`."""
    names: list[str] = []
    for slot in SLOTS.values():
        names.append(slot.event(dialect))
        updated = slot.updated_event(dialect)
        if updated is not None:
            names.append(updated)
    return tuple(names)
