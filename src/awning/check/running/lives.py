"""What a page's life gets: payloads, answers of hosts, the page's address. `payloads.py` has the usual payload."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from awning.check.running.payloads import CHOSEN, SOURCES, USUAL, mark
from awning.contract import SLOTS, Dialect, Slot
from awning.contract.payloads import PayloadField

NOON_MS = 1_784_116_800_000
"""The date of the usual life: Wednesday, 15 July 2026, 12:00 UTC. What a check finds does not depend on the day."""


@dataclass(frozen=True, slots=True)
class Life:
    """Changes of the usual life: of fields of the payload (`item.price`), and of the page (`world.answers`)."""

    changes: tuple[tuple[str, Any], ...] = ()

    def __add__(self, other: "Life") -> "Life":
        return Life(self.changes + other.changes)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(field for field, _ in self.changes)


def _change(payload: dict[str, Any], field: str, value: Any) -> None:
    *path, last = field.split(".")
    at: Any = payload
    for step in path:
        if isinstance(at, list):
            if not at:
                return
            at = at[int(step)]
        elif step not in at:
            return
        else:
            at = at[step]
    at[last] = copy.deepcopy(value)


def _add_fields(payload: dict[str, Any], fields: Sequence[tuple[str, str, int]]) -> None:
    """Add fields to the records of a payload: the path of the records, the field's name, the number of its mark."""
    for path, name, number in fields:
        for record in _records(payload, path.split(".")):
            record.setdefault(name, mark(number))


def _records(value: Any, path: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the records at a path. In a list, the path has a 0 for all of them."""
    if not path and isinstance(value, dict):
        yield value
    elif path and isinstance(value, dict):
        yield from _records(value.get(path[0]), path[1:])
    elif path and isinstance(value, list):
        for record in value:
            yield from _records(record, path[1:])


def _payload(life: Life) -> dict[str, Any]:
    payload = copy.deepcopy(USUAL)
    for field, value in life.changes:
        if field == "further":
            _add_fields(payload, value)
        elif not field.startswith("world.") and field not in CHOSEN:
            _change(payload, field, value)
    return payload


def hosts_of(life: Life, prefix: str) -> list[dict[str, Any]]:
    """Return the events of a page's life. Each slot has one base event per page.

    `paths` are the paths of the update, and of its fields, as in `payloads.FIELDS`.
    """
    payload = _payload(life)
    dialect = Dialect(event_prefix=prefix)
    hosts = []
    for slot in SLOTS.values():
        params = {name: payload[name] for name in slot.params}
        updates, paths = _updates(slot, payload, life) if slot.updates else ([], {})
        hosts.append({"event": slot.event(dialect), "params": params, "updates": updates, "paths": paths})
    return hosts


def _updates(slot: Slot, payload: dict[str, Any], life: Life) -> tuple[list[Any], dict[str, str]]:
    """Return the updates of a slot: one for each variant, or one with the same value as the base event."""
    subject = slot.params[0]
    if not slot.payload.chooses_variant:
        return [payload[subject]], {"": subject}
    variants = payload[subject]["variants"]
    fields = slot.payload.update_fields
    paths = {field.name: f"{subject}.variants.0" for field in fields if field.record == "Variant"}
    is_chosen = not any(field in CHOSEN and value is None for field, value in life.changes)

    def value(field: PayloadField, variant: dict[str, Any]) -> Any:
        if "Variant" not in (field.record, field.id_of):
            return payload[field.name]
        return (variant if field.record else variant["id"]) if is_chosen else None

    return [{field.name: value(field, variant) for field in fields} for variant in variants], paths


def input_of(life: Life) -> dict[str, Any]:
    world = {
        field.removeprefix("world."): value for field, value in life.changes if field.startswith("world.")
    }
    query, fragment = mark(SOURCES.index("location.search")), mark(SOURCES.index("location.hash"))
    search = world.pop("search", None)
    place = {
        "search": f"?q={query}",
        "hash": f"#{fragment}",
        "href": f"https://shop.example/?q={query}#{fragment}",
    }
    if search is not None:
        place = {
            "search": f"?{search}=1&{search}",
            "hash": f"#{search}",
            "href": f"https://shop.example/?{search}=1#{search}",
        }
    return {
        "elements": True, "answers": True, "stored": None, "query": None if search else query, "globals": [],
        "random": None, "now": NOON_MS, "location": place, **world,
    }  # fmt: skip
