"""The fields of the events' payloads, each documented, observed or assumed (`jsrc/inspector/knowledge.ts` reads them).

They come from the contract's tables, like the TypeScript for editors and docs/payloads.md.
"""

from collections.abc import Iterable
from typing import Any

from awning.contract import Dialect
from awning.contract.payloads import RECORDS, PayloadField
from awning.contract.slots import EVENTS


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
