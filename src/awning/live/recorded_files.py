"""Writes a recording into a folder: the events, states, types, a `storefront/` that plays the shop, and differences.

The types are inferred from the shapes of many events.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from awning.contract import Dialect
from awning.contract.slots import EVENTS
from awning.errors import ConfigurationError
from awning.json_document import json_document
from awning.live.captures import Capture, captured_state, read_captures
from awning.live.differences import Settled, VisitedEvent, differences_in, settled_by, settled_by_visit
from awning.live.recorded_store import store_lines
from awning.live.recording import RecordedEvent, Recording
from awning.workspace.added_state import state_text
from awning.workspace.document import Findings
from awning.workspace.sources import STORE_FOLDER
from awning.workspace.store.store_files import read_own_store

_NAMES = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class Shape:
    """What was seen in one place: the types of plain values, and the fields and elements of objects and lists.

    `objects` is how many objects were seen: a field that fewer of them have is optional.
    """

    plain: set[str] = field(default_factory=set)
    objects: int = 0
    fields: dict[str, "Shape"] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    lists: int = 0
    element: "Shape | None" = None

    def learn(self, value: Any) -> None:
        """Add a value of JSON."""
        if isinstance(value, Mapping):
            self.objects += 1
            for name, inner in value.items():
                self.counts[name] += 1
                self.fields.setdefault(name, Shape()).learn(inner)
        elif isinstance(value, list):
            self.lists += 1
            self.element = self.element or Shape()
            for inner in value:
                self.element.learn(inner)
        else:
            self.plain.add(_NAMES[type(value)])

    def type(self, indent: str = "") -> str:
        """Return the type in TypeScript; `never` when nothing was seen, as in a list that was always empty."""
        types = []
        if self.objects:
            types.append("{\n" + "".join(self._lines(indent + "  ")) + f"{indent}}}")
        if self.element is not None:
            types.append(f"Array<{self.element.type(indent)}>")
        return " | ".join([*types, *sorted(self.plain, key=lambda name: (name == "null", name))]) or "never"

    def _lines(self, indent: str) -> Iterator[str]:
        for name, inner in self.fields.items():
            key = name if _IDENTIFIER.fullmatch(name) else f'"{name}"'
            mark = "?" if self.counts[name] < self.objects else ""
            yield f"{indent}{key}{mark}: {inner.type(indent)};\n"


def typescript_of(events: Iterable[Mapping[str, Any]]) -> str:
    """Return an interface for each event: its arguments by name, as they came."""
    shapes: dict[str, Shape] = {}
    for event in events:
        values = {name: value for name, value in event.items() if name != "event"}
        shapes.setdefault(str(event["event"]), Shape()).learn(values)
    return "\n".join(
        f"/** {name}, seen {shape.objects} times. */\nexport type {_type_name(name)} = {shape.type()};\n"
        for name, shape in shapes.items()
    )


def _type_name(event: str) -> str:
    return "".join(word.capitalize() for word in re.findall("[A-Za-z0-9]+", event))


EVENTS_FILE, VISIT_FILE = "events.json", "visit.json"
STORE_FILE = f"{STORE_FOLDER}/recorded.toml"
_FILES = frozenset(
    (EVENTS_FILE, VISIT_FILE, "differences.json", "types.ts", "states.toml", STORE_FOLDER, STORE_FILE)
)


def require_free(folder: Path) -> None:
    """Raise ConfigurationError unless the folder is new or empty, or holds an earlier recording."""
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{folder} is not a folder", hint="name another one")
    names = {file.relative_to(folder).as_posix() for file in folder.rglob("*")} if folder.is_dir() else set()
    others = sorted(names - _FILES)
    if others or (names and VISIT_FILE not in names):
        what = f": {others[0]}" if others else ""
        hint = "name a new folder; nothing was written"
        raise ConfigurationError(f"{folder} holds something else than a recording{what}", hint=hint)


def write_recording(recording: Recording, folder: Path, dialect: Dialect) -> dict[str, Any]:
    """Write the files of a recording, in the place of an earlier one. Returns what was found, for `--json`.

    Raises ConfigurationError when the folder cannot be written.
    """
    require_free(folder)
    try:
        # The folder itself stays: it may be a symbolic link, or the one in which the command runs.
        place = folder.resolve()
        place.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".awning-record-", dir=place.parent) as draft:
            whole, earlier = Path(draft) / "whole", Path(draft) / "earlier"
            report = _write(recording, whole, dialect)
            earlier.mkdir()
            try:
                _move_content(place, earlier)
                _move_content(whole, place)
            except OSError:
                _move_content(earlier, place)
                raise
    except OSError as error:
        raise ConfigurationError(f"cannot write {folder}: {error.strerror}") from None
    return report


def _move_content(source: Path, target: Path) -> None:
    for file in [*source.iterdir()]:
        file.rename(target / file.name)


def _write(recording: Recording, folder: Path, dialect: Dialect) -> dict[str, Any]:
    folder.mkdir()
    events = [dict(event.values) for event in recording.events]
    file = folder / EVENTS_FILE
    file.write_text(json.dumps(events, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    captures = read_captures([file], dialect) if events else ()
    differences = [difference for capture in captures for difference in differences_in(capture)]
    report = {
        "events": len(events),
        "differences": [
            {**difference.as_json(), "path": EVENTS_FILE, "sentence": difference.sentence}
            for difference in differences
        ],
        "places": [change.sentence for change in recording.changes],
        "settled": [
            *({**entry.as_json(), "path": EVENTS_FILE} for entry in settled_by(captures)),
            *(entry.as_json() for entry in _settled_by_visit(recording)),
        ],
    }
    texts = {
        VISIT_FILE: json_document(_visit(recording), indent=1) + "\n",
        "differences.json": json_document(report, indent=1) + "\n",
        "types.ts": typescript_of(events),
        "states.toml": "\n".join(_states(captures)),
        STORE_FILE: "\n".join(store_lines(recording, captures)) + "\n",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    _require_store(folder)
    return report


def _settled_by_visit(recording: Recording) -> tuple[Settled, ...]:
    events = [
        VisitedEvent(event=str(event.values["event"]), load=event.load, ms=event.ms, repeats=repeats)
        for event, repeats in _with_repeats(recording)
    ]
    changes = [(change.slot, change.what, change.load) for change in recording.changes]
    return settled_by_visit(events, changes, VISIT_FILE)


def _with_repeats(recording: Recording) -> Iterator[tuple[RecordedEvent, bool]]:
    """Yield each event, and whether it equals the one before it."""
    before = None
    for event in recording.events:
        yield event, before is not None and (before.load, before.values) == (event.load, event.values)
        before = event


def _visit(recording: Recording) -> dict[str, Any]:
    """Return the order and the timing, and how the pages look. `events.json` has the arguments, in the same order."""
    return {
        "steps": list(recording.steps),
        "events": [
            {
                "event": event.values["event"],
                "page": event.page,
                "load": event.load,
                "step": event.step,
                "ms": event.ms,
                "repeats": repeats,
            }
            for event, repeats in _with_repeats(recording)
        ],
        "surroundings": [asdict(entry) for entry in recording.surroundings],
        "places": [asdict(change) for change in recording.changes],
        "errors": list(recording.errors),
    }


def _states(captures: Sequence[Capture]) -> Iterator[str]:
    """Yield a state for each event: the last delivery of a page's own event, and of its update."""
    for event in EVENTS:
        own = [c for c in captures if c.slot is event.slot and c.is_update == event.is_update]
        if own and not (event.is_update and event.slot.payload.chooses_variant):
            state = captured_state(own, [event.slot.name])
            name = f"recorded-{event.short_name}"
            yield state_text(
                name, title=f"Recorded, {event.short_name}", slot=state.slot, payload=state.payload
            )


def _require_store(folder: Path) -> None:
    """Leave out the storefront's file when the simulated shop cannot read it: a shop may send any number."""
    findings = Findings()
    if read_own_store(folder, [STORE_FILE], findings) is None:
        text = f"# left out: {findings.diagnostics[0].message if findings.diagnostics else 'not valid'}\n"
        (folder / STORE_FILE).write_text(text, encoding="utf-8")
