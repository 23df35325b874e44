"""Reads what the bar of the recorder snippet downloads (`jsrc/recorder/control.ts`), as a recording."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.live.captures import read_captures
from awning.live.recording import MOST_EVENTS, RecordedEvent, Recording, is_bounded
from awning.typed_values import Mismatch, decode

_HINT = "name the file that the button of the recorder has downloaded"
_Count = Annotated[int, Meta(ge=0, le=2**53)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Delivery:
    """When an event came first: after how many loads of the tab, and milliseconds."""

    load: _Count
    ms: _Count


@dataclass(frozen=True, slots=True, kw_only=True)
class _Download:
    events: tuple[dict[str, Any], ...]
    visit: tuple[_Delivery, ...]
    lost: _Count = 0


def read_download(file: Path, dialect: Dialect) -> Recording:
    """Return the events of a download. Each load of the tab is a page of the visit.

    Raises UnreadableCapture when it holds other things than events, and ConfigurationError when it is no download.
    """
    captures = read_captures([file], dialect)
    try:
        download = decode(captures[0].document.text.encode(), _Download)
    except Mismatch as mismatch:
        raise ConfigurationError(f"{file}: {mismatch.of('it')}", hint=_HINT) from None
    if len(download.visit) != len(captures) or not all(map(is_bounded, download.events)):
        raise ConfigurationError(f"{file} is no recording", hint=_HINT)
    if len(captures) > MOST_EVENTS:
        raise ConfigurationError(f"{file} has more than {MOST_EVENTS} events", hint="record anew")
    pages = {load: number for number, load in enumerate(sorted({row.load for row in download.visit}), 1)}
    events = tuple(
        RecordedEvent(page=pages[row.load], load=row.load, ms=row.ms, values=values)
        for row, values in zip(download.visit, download.events, strict=True)
    )
    lost = (f"{download.lost} events were not recorded: the tab had no room",) if download.lost else ()
    return Recording(events=events, surroundings=(), steps=(), errors=lost)
