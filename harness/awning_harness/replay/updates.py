"""What an update of a test changes, in the title of its step: `update selectedVariant.price 20 → 25`.

It is compared with what the page has delivered last: an update, or else its base event.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from awning.contract.slots import Slot
from awning_harness.replay.secrets import without_secrets
from awning_harness.visit.pages.event_lines import shorten

KEEP_DELIVERED = """(() => {
  const set = (emulator) => {
    const delivered = {};
    emulator.observe({
      delivering: ({ event, param, update }) => {
        const base = event.replace(/-updated$/, "");
        delete delivered[base];
        try {
          delivered[base] = JSON.stringify({ param, item: update?.item });
        } catch {
          // A widget has made a value of it that JSON lacks, such as a circle. The title is then without the change.
        }
      },
      calling: () => () => {},
    });
    const value = Object.assign(emulator, { delivered: (event) => delivered[event] ?? null });
    const property = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(globalThis, "awningEmulator", property);
  };
  Object.defineProperty(globalThis, "awningEmulator", { set, configurable: true, enumerable: true });
})()"""
"""JavaScript that lets the emulator of a page that loads keep the values of the last delivery of each event."""

DELIVERED = "(event) => globalThis.awningEmulator?.delivered?.(event) ?? null"
"""JavaScript that returns the values of the last delivery, as JSON; null without one."""

MOST_CHANGES = 3
LONGEST_VALUE = 24
MISSING = object()
"""Stands for the value of a field that is not there."""


def update_words(slot: Slot, delivered: str | None, updated: Mapping[str, Any]) -> str | None:
    """Return an update as the title of a step; None if nothing was delivered before. `updated` is its updatedItem."""
    if delivered is None:
        return None
    changes: dict[str, str] = {}
    for path, was, now in sorted(_changes(_earlier(slot, delivered, updated), updated), key=_depth):
        changes.setdefault(f"{_value(was)} → {_value(now)}", path)  # the id is there twice, for example
    if not changes:
        return "update that changes nothing"
    texts = [f"{path} {change}" for change, path in changes.items()]
    more = len(texts) - MOST_CHANGES
    return f"update {', '.join(texts[:MOST_CHANGES])}" + (f" and {more} more" if more > 0 else "")


def _earlier(slot: Slot, delivered: str, updated: Mapping[str, Any]) -> Any:
    """Return the values before the update, in its form."""
    values = json.loads(delivered)
    if "item" in values:
        return values["item"] or {}
    param = values.get("param") or {}
    if slot.payload.chooses_variant:
        return {name: param[name] for name in updated if name in param}
    return param.get(slot.params[0]) or {}


def _changes(was: Any, now: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path and both values of each field that differs."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys([*now, *was]):
            inner = f"{path}.{name}" if path else name
            yield from _changes(was.get(name, MISSING), now.get(name, MISSING), inner)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for at, (old, new) in enumerate(zip(was, now, strict=True)):
            yield from _changes(old, new, f"{path}[{at}]")
    elif was != now:
        yield path, was, now


def _depth(change: tuple[str, Any, Any]) -> int:
    path = change[0]
    return path.count(".") + path.count("[")


def _value(value: Any) -> str:
    if value is MISSING:
        return "none"
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, list):
        return "[1 entry]" if len(value) == 1 else f"[{len(value)} entries]"
    return shorten(without_secrets(json.dumps(value, ensure_ascii=False)), LONGEST_VALUE)
