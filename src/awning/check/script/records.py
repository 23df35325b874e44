"""The records that a script is handed: those of the payloads, and what slots make of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.contract.dialect import Dialect
from awning.contract.payloads import GIVEN, PARAMETERS, PRICE_UPDATE, PayloadField
from awning.contract.payloads import RECORDS as PAYLOADS
from awning.contract.slots import SLOTS


@dataclass(frozen=True, slots=True)
class Held:
    """What a name holds: a record, or many of them in a list."""

    record: str
    many: bool = False

    @property
    def one(self) -> "Held":
        return Held(self.record)


Fields = Mapping[str, Held | None]
"""The fields of a record; None for one that holds no record."""


def _fields(found: Iterable[PayloadField]) -> dict[str, Held | None]:
    return {one.name: Held(one.record, "array" in one.types) if one.record else None for one in found}


def _parameter(slot: str) -> dict[str, Held | None]:
    return _fields(PARAMETERS[name] for name in SLOTS[slot].params)


def _given(slot: str) -> dict[str, Held | None]:
    """What a render function gets in this slot."""
    of_every_widget = dict.fromkeys(("data", "t", "language"))
    return {**of_every_widget, **_fields(field for field, slots in GIVEN if slot in slots)}


RECORDS: Mapping[str, Fields] = MappingProxyType(
    {
        **{name: _fields(fields) for name, fields in PAYLOADS.items()},
        "afterPrice": {**_given("after-price"), "item": Held("Shown")},
        "afterCart": _given("after-cart"),
        "afterCheckout": _given("after-checkout"),
        "Shown": {**_fields(PAYLOADS["Variant"]), **_fields(PAYLOADS["Item"])},
        "PriceParam": _parameter("after-price"),
        "CartParam": _parameter("after-cart"),
        "PriceUpdate": _fields(PRICE_UPDATE),
    }
)

SAID: Mapping[str, str] = MappingProxyType(
    {
        "Page": "page",
        "Option": "an option",
        "Item": "an item",
        "Shown": "an item",
        "Variant": "a variant",
        "CartData": "a cart",
        "CartLine": "a line of a cart",
        "Currency": "the currency",
        "afterPrice": "what afterPrice gives",
        "afterCart": "what afterCart gives",
        "afterCheckout": "what afterCheckout gives",
        "PriceParam": "the event's parameter",
        "CartParam": "the event's parameter",
        "PriceUpdate": "the update",
    }
)

TYPES = frozenset({"PriceArgs", "CartArgs", *RECORDS})
"""The types of "awning" that a script may write at what it is handed."""


def delivered(event: str, dialect: Dialect) -> tuple[Held | None, ...]:
    """What a callback of this event is called with (Apps Integration API, Client-side events)."""
    for slot in SLOTS.values():
        price = slot.name == "after-price"
        parameter = Held("PriceParam" if price else "CartParam")
        if event == slot.event(dialect):
            return (None, None, parameter)
        if event == slot.updated_event(dialect):
            return (None, None, parameter, Held("PriceUpdate" if price else "CartData"))
    return ()
