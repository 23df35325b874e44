"""The emulator's trace as lines, for reports."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from awning_harness.visit.pages.problems import TraceEntry, stacks_by_error
from awning_harness.visit.pages.stacks import first_author_place

LONGEST = 160
"""The most characters of a text in a report. The files have the whole text."""


def event_lines(
    entries: Sequence[TraceEntry], errors: Iterable[str] = (), *, longest: int | None = None
) -> Iterable[str]:
    """Yield the entries of a trace as aligned lines: milliseconds, kind, event, subscription, detail.

    An update of a product has the chosen variant. An exception has its place in the author's files, if the console has
    the same error with such a place.
    """
    stacks = stacks_by_error(errors)
    events = [_without_prefix(entry["event"]) for entry in entries]
    width = max(map(len, events), default=0)
    start = entries[0]["t"] if entries else 0.0
    for entry, event in zip(entries, events, strict=True):
        subscriber = f"#{entry['subscriber']}" if entry["subscriber"] else ""
        detail = "" if entry["detail"] is None else _one_line(entry["detail"])
        if place := first_author_place(stacks.get(detail, "")) if entry["kind"] == "exception" else None:
            detail += f" (at {place})"
        if entry["variant"]:
            detail += f", {_one_line(entry['variant'])}"
        detail = detail if longest is None else shorten(detail, longest)
        line = (
            f"{entry['t'] - start:7.0f} ms  {entry['kind']:<9}  {event:<{width}}  {subscriber:<4}  {detail}"
        )
        yield line.rstrip()


def _without_prefix(event: str | None) -> str:
    return (event or "").removeprefix("svc-content-")


def _one_line(value: Any) -> str:
    return " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split())


def shorten(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
