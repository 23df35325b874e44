"""Compares captured events with what awning knows and assumes of them, and tells which assumptions they settle.

The tables of `awning.contract.payloads` are the schema. A difference is a field that they do not have, one of theirs
that the event does not have, and a field of another type. Elements of a list have one difference for all of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal

from awning.contract.assumptions import ASSUMPTIONS
from awning.contract.payloads import RECORDS, UPDATES, PayloadField, PayloadSource
from awning.contract.slots import EVENTS, PRODUCT_TOPIC
from awning.diagnostics import Place
from awning.live.captures import UPDATED_ITEM, Capture
from awning.workspace.offsets import KeyPath

Kind = Literal["unknown", "missing", "type"]

_CART_EVENT = "content-after-cart"
_AT_ONCE_MS = 500
"""Where another event comes later than this, an update is not repeated: its timer has no delay, also on a busy page."""
REPEATED = tuple(f"content-{event.short_name}" for event in EVENTS if event.is_update and event.slot.repeats)
"""How the names of the updates end that the service may deliver again (observed: `Slot.repeats`)."""

_TYPES: Mapping[type, str] = MappingProxyType(
    {
        bool: "boolean",
        int: "number",
        float: "number",
        str: "string",
        list: "array",
        dict: "object",
        type(None): "null",
    }
)
"""The names of JSON's types, by what Python reads them as."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A field of an event that differs from the tables.

    field       its path, with `[]` for the elements of a list: `cartData.items[].price`
    expected    its types in the tables; "" for an unknown field
    actual      its type in the event; "" for a missing field
    source      how the tables know it; None for an unknown field
    assumption  the assumption that it settles, if any
    count       how many elements of a list have the difference. `place` is the first
    """

    event: str
    field: str
    kind: Kind
    expected: str
    actual: str
    source: PayloadSource | None
    assumption: str | None
    place: Place
    count: int = 1

    @property
    def sentence(self) -> str:
        match self.kind:
            case "unknown":
                sentence = f"{self.field} is not known (it is {self.actual})"
            case "missing":
                sentence = f"{self.field} is missing ({self.source}: {self.expected})"
            case _:
                sentence = f"{self.field} is {self.actual}, not {self.expected} ({self.source})"
        times = f", {self.count} times" if self.count > 1 else ""
        return sentence + times + (f"; settles {self.assumption}" if self.assumption else "")

    def as_json(self) -> dict[str, object]:
        return {
            "path": self.place.path,
            "line": self.place.line,
            "column": self.place.column,
            "event": self.event,
            "field": self.field,
            "kind": self.kind,
            "expected": self.expected or None,
            "found": self.actual or None,
            "source": self.source,
            "assumption": self.assumption,
            "count": self.count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What an event says about an assumption. `answer` is None when no answer of the assumption fits the event."""

    assumption: str
    answer: str | None
    path: str

    @property
    def sentence(self) -> str:
        answer = self.answer or "none of its answers fits"
        return f"{self.assumption}: {answer} ({ASSUMPTIONS[self.assumption].question})"

    def as_json(self) -> dict[str, str | None]:
        return {"assumption": self.assumption, "answer": self.answer, "path": self.path}


def differences_in(capture: Capture) -> tuple[Difference, ...]:
    """Return how an event differs from the tables, in the event's order. Repetitions in a list are counted."""
    fields = capture.slot.payload.parameter
    if capture.is_update:
        update = PayloadField(
            name=UPDATED_ITEM,
            types=("object",),
            source="documented",
            record=capture.slot.payload.update,
        )
        fields = (*fields, update)
    counted: dict[tuple[str, ...], Difference] = {}
    for difference in _Comparison(capture).compare(capture.values, fields, _Object(where=capture.where)):
        key = (difference.field, difference.kind, difference.actual)
        earlier = counted.get(key)
        counted[key] = replace(earlier, count=earlier.count + 1) if earlier else difference
    return tuple(counted.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Object:
    """An object in an event: its path in the file, its path as a text, and the assumption about what it holds."""

    where: KeyPath
    path: str = ""
    assumption: str | None = None

    def member(self, name: str, assumption: str | None) -> "_Object":
        path = f"{self.path}.{name}" if self.path else name
        return _Object(where=(*self.where, name), path=path, assumption=assumption)

    def element(self, index: int) -> "_Object":
        return replace(self, where=(*self.where, index), path=f"{self.path}[]")


@dataclass(frozen=True, slots=True)
class _Comparison:
    capture: Capture

    def compare(
        self, values: Mapping[str, Any], fields: Iterable[PayloadField], at: _Object
    ) -> Iterator[Difference]:
        """Yield the differences of an object, which has these fields in the tables."""
        known = {field.name: field for field in fields}
        for name, value in values.items():
            member = at.member(name, at.assumption)
            if name not in known:
                yield self._difference("unknown", member, None, value)
            else:
                yield from self._compare_field(value, known[name], member)
        for name, field in known.items():
            if name not in values:
                member = at.member(name, at.assumption)
                yield self._difference("missing", replace(member, where=at.where), field, None)

    def _compare_field(self, value: Any, field: PayloadField, at: _Object) -> Iterator[Difference]:
        if _TYPES[type(value)] not in field.types or (field.one_of and value not in field.one_of):
            yield self._difference("type", at, field, value)
        elif isinstance(value, list) and field.record:
            for index, element in enumerate(value):
                yield from self._compare_field(element, replace(field, types=("object",)), at.element(index))
        elif isinstance(value, dict) and field.record:
            inside = replace(at, assumption=_SETTLED_BY.get(field.record, at.assumption))
            yield from self.compare(value, UPDATES.get(field.record) or RECORDS[field.record], inside)

    def _difference(self, kind: Kind, at: _Object, field: PayloadField | None, value: Any) -> Difference:
        is_open = field is None or field.source == "assumed"
        return Difference(
            event=self.capture.event,
            field=at.path,
            kind=kind,
            expected=_expected(field) if field else "",
            actual="" if kind == "missing" else _found(value, field),
            source=field.source if field else None,
            assumption=at.assumption if is_open else None,
            place=self.capture.document.place(at.where),
        )


_SETTLED_BY: Mapping[str, str] = MappingProxyType(
    {
        record: id_
        for id_, row in ASSUMPTIONS.items()
        for record in {field.partition(".")[0] for field in row.fields}
        if any(field.source == "assumed" for field in RECORDS[record])
    }
)
"""The assumption that each record settles, by what it has beyond the fields that were seen."""


def _expected(field: PayloadField) -> str:
    return " or ".join(f'"{value}"' for value in field.one_of) or " or ".join(field.types)


def _found(value: Any, field: PayloadField | None) -> str:
    """Return the type of a value. No message has the value itself, because it may be a person's."""
    name = _TYPES[type(value)]
    return f"another {name}" if field and field.one_of and name in field.types else name


def settled_by(captures: Iterable[Capture]) -> tuple[Settled, ...]:
    """Return what the events say about the assumptions that a payload settles. Each answer is there once."""
    entries = {
        (id_, answer): Settled(assumption=id_, answer=answer, path=capture.document.path)
        for capture in captures
        for id_, read in _ANSWERS.items()
        for answer in read(capture)
    }
    return tuple(entries.values())


def certain_answers(settled: Iterable[Settled]) -> dict[str, str]:
    """Return the answers by assumption, without those to which the events give none of its answers, or several."""
    answers: dict[str, set[str | None]] = {}
    for entry in settled:
        answers.setdefault(entry.assumption, set()).add(entry.answer)
    return {
        id_: answer
        for id_, several in answers.items()
        for answer in several
        if answer is not None and len(several) == 1
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedEvent:
    """An event of a recorded visit. `load` and `ms` are those of `RecordedEvent`.

    repeats  whether it equals the event before it; None where that was not recorded
    """

    event: str
    load: int
    ms: int
    repeats: bool | None = None


def settled_by_visit(
    events: Sequence[VisitedEvent], changes: Iterable[tuple[str, str, int]], path: str
) -> tuple[Settled, ...]:
    """Return what the order of a visit's events says about assumptions. Each answer is there once.

    A cart changes in place where its place was replaced and its event came again, without a load. An update is
    repeated where an equal one follows at once, and is not where nothing does.

    changes  what became of the places of slots: the slot, what, and the number of the load
    """
    carts = Counter(each.load for each in events if each.event.endswith(_CART_EVENT))
    answers = {
        ("cart-changes", "in-place"): any(
            slot == "after-cart" and what == "replaced" and carts[load] > 1 for slot, what, load in changes
        ),
        **dict.fromkeys(_repeats(events), True),
    }
    return tuple(
        Settled(assumption=id_, answer=answer, path=path)
        for (id_, answer), is_there in answers.items()
        if is_there
    )


def _repeats(events: Sequence[VisitedEvent]) -> Iterator[tuple[str, str]]:
    """Yield whether each update that may be repeated was: the assumption, and its answer."""
    loads_updated = set()
    for each, following in pairwise(events):
        if each.repeats or following.repeats is None or not each.event.endswith(REPEATED):
            continue
        is_first = each.load not in loads_updated
        loads_updated.add(each.load)
        id_ = "repeat-first-update" if is_first else "repeat-later-updates"
        if following.repeats:
            yield id_, "on"
        elif following.load == each.load and following.ms - each.ms > _AT_ONCE_MS:
            yield id_, "off"


def _cart_fields(capture: Capture) -> Iterator[str | None]:
    """Yield whether a cart has all assumed fields, none, or others."""
    name = UPDATED_ITEM if capture.is_update else "cartData"
    cart = capture.values.get(name)
    if "cartData" not in capture.slot.params or not isinstance(cart, dict):
        return
    assumed = {field.name for field in RECORDS["CartData"] if field.source == "assumed"}
    seen = {field.name for field in RECORDS["CartData"]} - assumed
    yield "known" if cart.keys() <= seen else "full" if assumed <= cart.keys() else None


def _page_value(capture: Capture) -> Iterator[str | None]:
    """Yield whether a page other than that of a product has the value that was observed there."""
    page = capture.values.get("page")
    value = page.get("page") if isinstance(page, dict) else None
    if capture.slot.topic != PRODUCT_TOPIC and isinstance(value, str):
        [field] = (field for field in RECORDS["Page"] if field.name == "page")
        yield "catalog" if value == field.example else "own"


def _empty_cart(capture: Capture) -> Iterator[str | None]:
    """Yield that an empty cart fires its event. That it fires none, no event shows."""
    cart = capture.values.get("cartData")
    if capture.slot.page.replaced and isinstance(cart, dict) and cart.get("items") == []:
        yield "event"


_ANSWERS: Mapping[str, Callable[[Capture], Iterator[str | None]]] = MappingProxyType(
    {"cart-fields": _cart_fields, "page-value": _page_value, "empty-cart": _empty_cart}
)
"""What reads the answer to an assumption from an event: a function for each that one event can settle."""
