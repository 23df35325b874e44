"""Makes the payload of a state from captured events."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from awning.errors import ConfigurationError
from awning.live.captures import UPDATED_ITEM, Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedState:
    """A slot and the event parameter there. `lost` are sentences about what a state cannot hold of the capture."""

    slot: str
    payload: Mapping[str, Any]
    lost: tuple[str, ...]


def captured_state(captures: Iterable[Capture], slots: Iterable[str]) -> CapturedState:
    """Return the state that the events of one of the widget's slots show. The last event counts.

    Raises ConfigurationError when there are events of none of the slots, or of several.
    """
    own = [capture for capture in captures if capture.slot.name in slots]
    named = dict.fromkeys(capture.slot.name for capture in own)
    if len(named) != 1:
        what = f"events of several slots: {', '.join(named)}" if named else "no event of the widget's slots"
        hint = f"name a file with an event of one of {', '.join(slots)}; nothing was written"
        raise ConfigurationError(f"the files have {what}", hint=hint)
    capture = own[-1]
    payload = {name: value for name, value in capture.values.items() if name != UPDATED_ITEM}
    lost = []
    if capture.is_update and capture.slot.payload.chooses_variant:
        lost.append(
            "a state with a payload of its own has no chosen variant: the state is the page before a choice"
        )
    elif capture.is_update:
        # In an update the event parameter still has the cart of the page load (observed).
        payload[capture.slot.params[0]] = capture.values.get(UPDATED_ITEM)
    nulls = ", ".join(dict.fromkeys(_nulls(payload, "")))
    if nulls:
        lost.append(f"TOML has no null, so these fields are left out: {nulls}")
    return CapturedState(slot=capture.slot.name, payload=payload, lost=tuple(lost))


def _nulls(value: Any, path: str) -> Iterator[str]:
    """Yield the paths of null in a value, with `[]` for the elements of a list."""
    if value is None:
        yield path
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _nulls(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for element in value:
            yield from _nulls(element, f"{path}[]")
