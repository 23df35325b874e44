"""The emulator's trace as rows and as lines, for reports."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awning_harness.visit.pages.problems import TraceEntry, stacks_by_error
from awning_harness.visit.pages.stacks import first_author_place
from awning_harness.visit.pages.visibility import one_line

LONGEST = 160
"""The most characters of a text in a report. The files have the whole text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """An entry of a trace, for reports. `ms` are the milliseconds since the first entry.

    `event` is without the prefix that all events have. `subscriber` is the subscription, such as `#1`, or empty.
    """

    ms: int
    kind: str
    event: str
    subscriber: str
    detail: str


def event_rows(entries: Sequence[TraceEntry], errors: Iterable[str] = ()) -> list[EventRow]:
    """Return the entries of a trace as rows.

    An update of a product has the chosen variant. An exception has its place in the author's files, if the console has
    the same error with such a place.
    """
    stacks = stacks_by_error(errors)
    start = entries[0]["t"] if entries else 0.0
    return [
        EventRow(
            ms=round(entry["t"] - start),
            kind=entry["kind"],
            event=(entry["event"] or "").removeprefix("svc-content-"),
            subscriber=f"#{entry['subscriber']}" if entry["subscriber"] else "",
            detail=_detail(entry, stacks),
        )
        for entry in entries
    ]


def _detail(entry: TraceEntry, stacks: Mapping[str, str]) -> str:
    detail = "" if entry["detail"] is None else _one_line(entry["detail"])
    if place := first_author_place(stacks.get(detail, "")) if entry["kind"] == "exception" else None:
        detail += f" (at {place})"
    return f"{detail}, {_one_line(entry['variant'])}" if entry["variant"] else detail


def event_lines(
    entries: Sequence[TraceEntry], errors: Iterable[str] = (), *, longest: int | None = None
) -> Iterable[str]:
    """Yield the rows of a trace as aligned lines: milliseconds, kind, event, subscription, detail."""
    rows = event_rows(entries, errors)
    width = max((len(row.event) for row in rows), default=0)
    for row in rows:
        detail = row.detail if longest is None else shorten(row.detail, longest)
        line = f"{row.ms:7} ms  {row.kind:<9}  {row.event:<{width}}  {row.subscriber:<4}  {detail}"
        yield line.rstrip()


def _one_line(value: Any) -> str:
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def shorten(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
