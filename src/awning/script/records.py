"""The fields of the records that a script receives: the objects of payloads, and the arguments of render functions."""

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from awning.contract.payloads import PAGE_ARGUMENT, UPDATES, PayloadField
from awning.contract.payloads import RECORDS as PAYLOADS
from awning.contract.slots import SLOTS, Slot


def _names(fields: Iterable[PayloadField]) -> frozenset[str]:
    return frozenset(field.name for field in fields)


def _arguments(slot: Slot) -> frozenset[str]:
    """Return the names of the arguments of a render function in this slot."""
    own = _names(argument.field for argument in slot.payload.arguments)
    return own | {"data", "t", "language", PAGE_ARGUMENT.name}


_DELIVERED = tuple({slot.payload.name: slot.payload for slot in SLOTS.values()}.values())

RECORDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        **{name: _names(fields) for name, fields in PAYLOADS.items()},
        **{slot.function: _arguments(slot) for slot in SLOTS.values()},
        **{f"{payload.name}Param": _names(payload.parameter) for payload in _DELIVERED},
        **{name: _names(fields) for name, fields in UPDATES.items()},
    }
)
"""The names of each record's fields. A record has the name of its type in `jsrc/types`, or of its slot's function."""

SHOWN = RECORDS["Item"] | RECORDS["Variant"]
"""The fields of the item that a render function gets: it may have those of the chosen variant, too."""

OF_EVENTS = frozenset({*(f"{payload.name}Param" for payload in _DELIVERED), *UPDATES, "CartData"})
"""The records that are arguments of the callbacks of events."""

LABELS: Mapping[str, str] = MappingProxyType(
    {
        **{name: f"a {name}" for name in PAYLOADS},
        "Page": "page",
        "Option": "an option",
        "Item": "an item",
        "Variant": "a variant",
        "CartData": "a cart",
        "CartLine": "a line of a cart",
        "Currency": "the currency",
        **{slot.function: f"what {slot.function} gives" for slot in SLOTS.values()},
        **{f"{payload.name}Param": "the event's parameter" for payload in _DELIVERED},
        **dict.fromkeys(UPDATES, "the update"),
    }
)

_NAMED = re.compile(r"(\w+)(?:<.*>)?")


def record_of(type_: str, called: AbstractSet[str]) -> str | None:
    """Return the record whose type TypeScript prints so; None for any other type.

    `called` are the functions that the script calls. The arguments of two slots have the same type.
    """
    match = _NAMED.fullmatch(type_)
    name = match[1] if match else ""
    functions = [slot.function for slot in SLOTS.values() if arguments_type(slot) == name]
    if functions:
        return next((function for function in functions if function in called), functions[0])
    return name if name in RECORDS and name not in {slot.function for slot in SLOTS.values()} else None


def arguments_type(slot: Slot) -> str:
    """Return the name of the type of the render functions' arguments in this slot."""
    return f"{slot.payload.name}Args"


ARGUMENTS_TYPES = tuple(dict.fromkeys(map(arguments_type, SLOTS.values())))
