"""Reads a recording from its folder, and compares it with one of the simulated shop: the first difference.

Texts were not recorded, and a simulated cart has other prices. So what is compared is the order of the events, the
steps after which they came, and of each event the names and types of its fields. A null fits every type.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, TypeVar

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.live.captures import Capture, read_captures
from awning.live.differences import REPEATED, Settled, VisitedEvent, settled_by_visit
from awning.live.recorded_files import EVENTS_FILE, VISIT_FILE, Shape
from awning.live.recording import MOST_EVENTS
from awning.typed_values import Mismatch, decode

_LARGEST = 50_000_000
_ABSENT = "(missing)"
_NOTHING = "(no event)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """An event of a visit, and its arguments.

    `step` is how many steps had begun on its page; None where it was not counted.
    """

    event: str
    values: Mapping[str, Any]
    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDelivery(Delivered):
    """An event of a recording. `capture` is what its folder has of it."""

    capture: Capture


_Delivered = TypeVar("_Delivered", bound=Delivered)


@dataclass(frozen=True, slots=True, kw_only=True)
class _VisitRow(VisitedEvent):
    """An event in `visit.json`."""

    page: int
    step: int | None = None


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

    def as_json(self) -> dict[str, Any]:
        return {
            "page": self.page,
            "event": self.event,
            "field": self.field or None,
            "recorded": self.recorded,
            "simulated": self.simulated,
        }


def read_recorded_pages(folder: Path, dialect: Dialect) -> tuple[tuple[RecordedDelivery, ...], ...]:
    """Return the events of each page that was loaded, in their order. A visit may go on with a page without a load.

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
        tuple(
            RecordedDelivery(event=capture.event, values=capture.values, step=row.step, capture=capture)
            for row, capture in group
        )
        for _, group in groupby(rows, lambda row: row[0].load)
    )


def settled_by_recording(folder: Path) -> tuple[Settled, ...]:
    """Return what the order of the events in a recording, and the slots' places, say about assumptions.

    Raises ConfigurationError when the folder holds no recording.
    """
    visit, path = _read_visit(folder), str(folder / VISIT_FILE)
    return settled_by_visit(visit.events, [(row.slot, row.what, row.load) for row in visit.places], path)


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
    recorded: Sequence[Sequence[Delivered]], simulated: Sequence[Sequence[Delivered]]
) -> TraceDifference | None:
    """Return the first difference between the events of two visits, page by page; None when there is none.

    An update that a timer delivered again counts once.
    """
    nothing = Delivered(event=_NOTHING, values={})
    for page, (own, other) in enumerate(zip_longest(recorded, simulated, fillvalue=()), 1):
        pairs = zip_longest(without_repeats(own), without_repeats(other), fillvalue=nothing)
        for number, (known, played) in enumerate(pairs, 1):
            for field, left, right in _event_differences(known, played):
                return TraceDifference(page=page, event=number, field=field, recorded=left, simulated=right)
    return None


def without_repeats(events: Iterable[_Delivered]) -> Iterator[_Delivered]:
    """Yield the events without an update that equals the one before it (observed: `Slot.repeats`)."""
    before: Delivered | None = None
    for event in events:
        is_same = before is not None and (before.event, before.values) == (event.event, event.values)
        if not is_same or not event.event.endswith(REPEATED):
            yield event
        before = event


def _event_differences(recorded: Delivered, simulated: Delivered) -> Iterator[tuple[str, str, str]]:
    """Yield how two events differ: the field, "" for the event itself, and what each side has there."""
    if recorded.event != simulated.event:
        yield "", recorded.event, simulated.event
    elif None not in (recorded.step, simulated.step) and recorded.step != simulated.step:
        yield "", _with_step(recorded), _with_step(simulated)
    else:
        yield from _differences(_shape_of(recorded.values), _shape_of(simulated.values), "")


def _with_step(delivered: Delivered) -> str:
    return delivered.event + (f" after step {delivered.step}" if delivered.step else " before any step")


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
