"""Reads a recording from its folder, and compares it with one of the simulated shop: the first difference.

Texts were not recorded, and a simulated cart has other prices. So what is compared is the order of the events, and of
each event the names and types of its fields. A null fits every type.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any

from awning.contract import Dialect
from awning.contract.slots import EVENTS
from awning.errors import ConfigurationError
from awning.live.captures import Capture, read_captures
from awning.live.differences import Settled, settled_by_places
from awning.live.recorded_files import EVENTS_FILE, VISIT_FILE
from awning.live.recording import MOST_EVENTS
from awning.live.shapes import Shape
from awning.typed_values import Mismatch, decode

_LARGEST = 50_000_000
_ABSENT = "(missing)"
_NOTHING = "(no event)"
_REPEATED = tuple(f"content-{event.short_name}" for event in EVENTS if event.is_update and event.slot.repeats)
_CART = "content-after-cart"

Delivered = tuple[str, Mapping[str, Any]]
"""The name of an event, and its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _VisitRow:
    """An event in `visit.json`."""

    event: str
    page: int
    load: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlaceRow:
    """A change of a slot's place in `visit.json`."""

    slot: str
    what: str
    load: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _VisitDocument:
    events: tuple[_VisitRow, ...]
    places: tuple[_PlaceRow, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceDifference:
    """The first difference of two visits. `page` and `event` are numbers from 1; `field` is "" for the event itself."""

    page: int
    event: int
    field: str
    recorded: str
    simulated: str
    is_cart_in_place: bool = False
    """Whether the recorded shop showed its cart again on the same page, which a replay does not do."""

    def as_json(self) -> dict[str, Any]:
        return {
            "page": self.page,
            "event": self.event,
            "field": self.field or None,
            "recorded": self.recorded,
            "simulated": self.simulated,
        }


def read_recorded_pages(folder: Path, dialect: Dialect) -> tuple[tuple[Capture, ...], ...]:
    """Return the events of each page that was loaded, in their order.

    Raises ConfigurationError, or UnreadableCapture, when the folder holds no recording.
    """
    visit = _read_visit(folder)
    if len(visit.events) > MOST_EVENTS:
        raise ConfigurationError(
            f"{folder / VISIT_FILE} has more than {MOST_EVENTS} events", hint="record anew"
        )
    captures = read_captures([folder / EVENTS_FILE], dialect)
    if [row.event for row in visit.events] != [capture.event for capture in captures]:
        raise ConfigurationError(f"{VISIT_FILE} and {EVENTS_FILE} have other events", hint="record anew")
    rows = zip(visit.events, captures, strict=True)
    return tuple(
        tuple(capture for _, capture in group)
        for _, group in groupby(rows, lambda row: (row[0].page, row[0].load))
    )


def settled_by_recording(folder: Path) -> tuple[Settled, ...]:
    """Return what the order of the events in a recording says about assumptions, and what became of the slots' places.

    Raises ConfigurationError when the folder holds no recording.
    """
    visit, path = _read_visit(folder), str(folder / VISIT_FILE)
    events = [(row.event, row.load) for row in visit.events]
    return settled_by_places(events, [(row.slot, row.what, row.load) for row in visit.places], path)


def errors_of_recording(folder: Path) -> tuple[str, ...]:
    """Return what a recording says that it lacks, such as the rest of a visit whose step was not possible.

    Raises ConfigurationError when the folder holds no recording.
    """
    return _read_visit(folder).errors


def _read_visit(folder: Path) -> _VisitDocument:
    """Return `visit.json` of a recording. Raises ConfigurationError when there is none."""
    hint = "name the folder that awning record wrote"
    try:
        file = folder / VISIT_FILE
        if file.stat().st_size > _LARGEST:
            raise ConfigurationError(f"{file} is too large", hint=hint)
        return decode(file.read_bytes(), _VisitDocument)
    except OSError as error:
        raise ConfigurationError(f"{folder} holds no recording: {error.strerror}", hint=hint) from None
    except Mismatch as mismatch:
        raise ConfigurationError(f"{file}: {mismatch.of('it')}", hint=hint) from None


def first_difference(
    recorded: Sequence[Sequence[Capture]], simulated: Sequence[Sequence[Delivered]]
) -> TraceDifference | None:
    """Return the first difference between the events of two visits, page by page; None when there is none.

    An update that a timer delivered again counts once.
    """
    nothing: Delivered = (_NOTHING, {})
    for page, (own, other) in enumerate(zip_longest(recorded, simulated), 1):
        events = [(capture.event, capture.values) for capture in own or ()]
        pairs = zip_longest(_without_repeats(events), _without_repeats(other or ()), fillvalue=nothing)
        earlier: set[str] = set()
        for number, ((known, expected), (name, values)) in enumerate(pairs, 1):
            if name != known:
                in_place = name == _NOTHING and known in earlier and known.endswith(_CART)
                return TraceDifference(
                    page=page,
                    event=number,
                    field="",
                    recorded=known,
                    simulated=name,
                    is_cart_in_place=in_place,
                )
            earlier.add(known)
            for field, left, right in _differences(_shape_of(expected), _shape_of(values), ""):
                return TraceDifference(page=page, event=number, field=field, recorded=left, simulated=right)
    return None


def _without_repeats(events: Iterable[Delivered]) -> Iterator[Delivered]:
    """Yield the events without an update that equals the one before it (observed: `Slot.repeats`)."""
    before: Delivered | None = None
    for event in events:
        if event != before or not event[0].endswith(_REPEATED):
            yield event
        before = event


def _shape_of(value: Any) -> Shape:
    shape = Shape()
    shape.learn(value)
    return shape


def _differences(recorded: Shape, simulated: Shape, path: str) -> Iterator[tuple[str, str, str]]:
    """Yield the fields that differ: the path, and what each side has there."""
    left, right = _kinds(recorded), _kinds(simulated)
    if left and right and left != right:
        yield path, " or ".join(sorted(left)), " or ".join(sorted(right))
        return
    if recorded.objects and simulated.objects:
        for name in {**recorded.fields, **simulated.fields}:
            inner = f"{path}.{name}" if path else name
            own, other = recorded.fields.get(name), simulated.fields.get(name)
            if own is None or other is None:
                yield inner, _named(own), _named(other)
            else:
                yield from _differences(own, other, inner)
    if recorded.element is not None and simulated.element is not None:
        yield from _differences(recorded.element, simulated.element, f"{path}[]")


def _kinds(shape: Shape) -> set[str]:
    kinds = {"object"} if shape.objects else set()
    return kinds | ({"array"} if shape.lists else set()) | (shape.plain - {"null"})


def _named(shape: Shape | None) -> str:
    return _ABSENT if shape is None else " or ".join(sorted(_kinds(shape))) or "null"
