"""The records that a script receives: the objects of the payloads, and the arguments of render functions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.contract.dialect import Dialect
from awning.contract.payloads import PAGE_ARGUMENT, UPDATES, PayloadField
from awning.contract.payloads import RECORDS as PAYLOADS
from awning.contract.slots import SLOTS, Slot


@dataclass(frozen=True, slots=True)
class RecordValue:
    """A record of the type `record`, or a list of such records."""

    record: str
    is_list: bool = False

    @property
    def item(self) -> "RecordValue":
        return RecordValue(self.record)


Fields = Mapping[str, RecordValue | None]
"""The fields of a record by name. The value is None for a field that holds no record."""


def _fields(fields: Iterable[PayloadField]) -> dict[str, RecordValue | None]:
    return {
        field.name: RecordValue(field.record, "array" in field.types) if field.record else None
        for field in fields
    }


def _arguments(slot: Slot) -> dict[str, RecordValue | None]:
    """Return the arguments of a render function in this slot."""
    of_every_widget = dict.fromkeys(("data", "t", "language"))
    own = _fields(argument.field for argument in slot.payload.arguments)
    items = {name: RecordValue("Shown") for name, value in own.items() if value == RecordValue("Item")}
    return {**of_every_widget, **own, **_fields([PAGE_ARGUMENT]), **items}


_DELIVERED = tuple({slot.payload.name: slot.payload for slot in SLOTS.values()}.values())

RECORDS: Mapping[str, Fields] = MappingProxyType(
    {
        **{name: _fields(fields) for name, fields in PAYLOADS.items()},
        **{slot.function: _arguments(slot) for slot in SLOTS.values()},
        "Shown": {**_fields(PAYLOADS["Variant"]), **_fields(PAYLOADS["Item"])},
        **{f"{payload.name}Param": _fields(payload.parameter) for payload in _DELIVERED},
        **{name: _fields(fields) for name, fields in UPDATES.items()},
    }
)

LABELS: Mapping[str, str] = MappingProxyType(
    {
        **{name: f"a {name}" for name in PAYLOADS},
        "Page": "page",
        "Option": "an option",
        "Item": "an item",
        "Shown": "an item",
        "Variant": "a variant",
        "CartData": "a cart",
        "CartLine": "a line of a cart",
        "Currency": "the currency",
        **{slot.function: f"what {slot.function} gives" for slot in SLOTS.values()},
        **{f"{payload.name}Param": "the event's parameter" for payload in _DELIVERED},
        **dict.fromkeys(UPDATES, "the update"),
    }
)

TYPES = frozenset({*(f"{payload.name}Args" for payload in _DELIVERED), *RECORDS})
"""The names of the types with which a script may declare a record. Most types have the name of their record."""


def delivered(event: str, dialect: Dialect) -> tuple[RecordValue | None, ...]:
    """Return the arguments of a callback of this event (Apps Integration API, Client-side events).

    None stands for an argument that is no record. The result is empty for any other event.
    """
    for slot in SLOTS.values():
        parameter = RecordValue(f"{slot.payload.name}Param")
        if event == slot.event(dialect):
            return (None, None, parameter)
        if event == slot.updated_event(dialect):
            update = slot.payload.update
            return (None, None, parameter, RecordValue(update) if update else None)
    return ()
