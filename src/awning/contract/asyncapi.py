"""Describes the storefront's events as AsyncAPI 3.0, from the tables of slots and payloads.

A channel is one event: a script subscribes to its address with `svcPlugins.subscribeEvent(address, callback)`. A
message's payload has those arguments of the callback that are data: eventParam, and updatedItem for an `-updated`
event. Only documented fields are required. `x-source` tells how each field is known: documented, observed or assumed.
"""

from collections.abc import Iterable

from awning.contract.dialect import Dialect
from awning.contract.openapi_parts import Json, obj, ref
from awning.contract.payloads import RECORDS, PayloadField
from awning.contract.slots import EVENTS, Event

ASYNCAPI = "3.0.0"


def asyncapi() -> Json:
    """Return the AsyncAPI document, with the specification's names."""
    dialect = Dialect()
    how = f"Subscribed to with {dialect.global_object}.subscribeEvent(address, callback) in the browser."
    channels: Json = {event.short_name: _channel(event, event.name(dialect)) for event in EVENTS}
    operations: Json = {
        f"on-{name}": {"action": "receive", "channel": {"$ref": f"#/channels/{name}"}} for name in channels
    }
    records: Json = {}
    for name, fields in RECORDS.items():
        required = (field.name for field in fields if field.source == "documented")
        records[name] = obj(_properties(fields), required)
    return {
        "asyncapi": ASYNCAPI,
        "info": {"title": "Storefront events", "version": "1", "description": how},
        "channels": channels,
        "operations": operations,
        "components": {"schemas": records},
    }


def _channel(event: Event, address: str) -> Json:
    slot = event.slot
    # An update has the same eventParam as the page load (observed).
    payload = {"eventParam": obj(_properties(slot.payload.parameter), slot.params)}
    if event.update_fields is not None:
        record, fields = slot.payload.update or "", event.update_fields
        whole = obj(_properties(fields), (field.name for field in fields))
        payload["updatedItem"] = ref(record) if record in RECORDS else whole
    message = {"name": address, "payload": obj(payload, payload)}
    where = f"On {slot.page.name} pages."
    return {"address": address, "description": where, "messages": {"delivery": message}}


def _properties(fields: Iterable[PayloadField]) -> dict[str, Json]:
    return {field.name: _value(field) for field in fields}


def _value(field: PayloadField) -> Json:
    about = " ".join(filter(None, (field.about, field.seen and f"Observed: {field.seen}")))
    notes: Json = {"x-source": field.source, **({"description": about} if about else {})}
    if field.one_of:
        notes["enum"] = list(field.one_of)
    if field.record is None:
        return {"type": list(field.types) if len(field.types) > 1 else field.types[0], **notes}
    if "array" in field.types:
        return {"type": "array", "items": ref(field.record), **notes}
    if "null" in field.types:
        return {"anyOf": [ref(field.record), {"type": "null"}], **notes}
    return {**ref(field.record), **notes}
