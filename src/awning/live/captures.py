"""Reads captured events: the arguments of one delivery, as the console line of docs/live-shop.md copies them.

A file is JSON: one event, a list of events, or the download of the recorder (`awning record snippet`), which has a list
as `events`. An event is `{"event": ..., "item" or "cartData": ..., "page": ...}`: its name with the fields of its event
parameter, and `updatedItem` for an `-updated` event.

`captured_state` makes the payload of a state from them.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.contract import Dialect, Exit, Slot
from awning.contract.slots import EVENTS
from awning.diagnostics import Diagnostic, did_you_mean
from awning.errors import ConfigurationError, Faulty
from awning.workspace.document import Document, Findings, parse_json, read_text
from awning.workspace.offsets import KeyPath

UPDATED_ITEM = "updatedItem"
STDIN = "<stdin>"


class UnreadableCapture(Faulty):
    """A file holds no captured events. Exit code 2: nothing was compared."""

    exit_code = Exit.USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One delivery of an event.

    `values` are its arguments, by name; `where` is its path in the file, which is `document`.
    """

    document: Document
    where: KeyPath
    event: str
    slot: Slot
    is_update: bool
    values: Mapping[str, Any]


def read_captures(files: Iterable[Path], dialect: Dialect) -> tuple[Capture, ...]:
    """Return the events in all files; `-` is the standard input.

    Raises UnreadableCapture with all faults when a file cannot be read, is not JSON, or has something else than events.
    """
    findings = Findings()
    captures = [capture for file in files for capture in _captures_in(file, dialect, findings)]
    if findings.diagnostics:
        raise UnreadableCapture(findings.diagnostics)
    return tuple(captures)


def _captures_in(file: Path, dialect: Dialect, findings: Findings) -> Iterator[Capture]:
    is_stdin = str(file) == "-"
    path = STDIN if is_stdin else str(file)
    text = _standard_input(findings) if is_stdin else read_text(file, path, findings)
    parsed = None if text is None else parse_json(text, path, findings)
    if text is None or parsed is None:
        return
    [content] = parsed
    document = Document(path, text, {}, findings, toml=False)
    listed: KeyPath = ()
    if isinstance(content, dict) and isinstance(content.get("events"), list):
        content, listed = content["events"], ("events",)
    if content == []:
        hint = "the page delivered no event: open a page with a slot, such as that of a product with a price"
        document.report("missing-key", "it has no event", hint=hint)
    entries: list[tuple[KeyPath, Any]] = [((), content)]
    if isinstance(content, list):
        entries = [((*listed, index), entry) for index, entry in enumerate(content)]
    for where, entry in entries:
        capture = _read_entry(document, where, entry, dialect)
        if capture is not None:
            yield capture


def _standard_input(findings: Findings) -> str | None:
    content = sys.stdin.buffer.read()
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        findings.add(Diagnostic(rule="file-encoding", message="the standard input is not UTF-8"))
        return None


def _read_entry(document: Document, where: KeyPath, entry: Any, dialect: Dialect) -> Capture | None:
    """Return the event that an entry of a file describes; None when it is none, which is reported."""
    if not isinstance(entry, dict):
        hint = 'an event is an object: {"event": "...", "item": {...}, "page": {...}}'
        document.report("wrong-type", "an event must be an object", where, hint=hint)
        return None
    events = _events(dialect)
    name = entry.get("event")
    if "event" not in entry:
        hint = f"name one of {', '.join(events)}"
        document.report("missing-key", 'the event has no "event", its name', where, hint=hint)
        return None
    if not isinstance(name, str) or name not in events:
        hint = (did_you_mean(name, events) if isinstance(name, str) else None) or (
            f"there are {', '.join(events)}. A service with other names needs --profile"
        )
        document.report("unknown-value", f"no event is called {name!r}", (*where, "event"), hint=hint)
        return None
    slot, is_update = events[name]
    values = {key: value for key, value in entry.items() if key != "event"}
    return Capture(document=document, where=where, event=name, slot=slot, is_update=is_update, values=values)


def _events(dialect: Dialect) -> dict[str, tuple[Slot, bool]]:
    """Return each event's slot, and whether it is an update."""
    return {event.name(dialect): (event.slot, event.is_update) for event in EVENTS}


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
