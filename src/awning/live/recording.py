"""What was recorded of a visit to a live shop: the events in their order, and how the pages around the slots look.

A recording holds no text of the page. The events were redacted by the rules of `redaction.py`; the names and looks of
elements are checked here, because the page's own JavaScript may say anything of them.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from awning.contract import SLOTS
from awning.live.redaction import WORDS

_REQUESTS = frozenset({"fetch", "xmlhttprequest"})
_ELSEWHERE = "to another host"
MOST_CHANGES = 200
"""The most changes of places in a visit that are kept."""
MOST_EVENTS, MOST_TEXT = 500, 200_000
"""The most events of a visit, and the most characters of one of them."""
MOST_TOTAL = 3_900_000
"""The most bytes of all events as they are written: less than a file may have that awning reads."""
_DEEPEST = 40
_WIDEST = 10_000
_WORD = re.compile(WORDS, re.IGNORECASE)
_LONGEST_CLASS = 60
_TAGS = re.compile(
    "a|article|aside|body|button|d[dlt]|details|div|fieldset|figure|footer|form|h[1-6]|header|html|i|li|main|nav|ol|p|"
    "section|small|span|strong|summary|table|tbody|t[dhr]|tfoot|thead|ul"
)
_FONTS = re.compile(
    "Arial|Georgia|Helvetica|Helvetica Neue|Inter|Lato|Merriweather|Montserrat|Nunito|Open Sans|Oswald|"
    "Playfair Display|Poppins|Raleway|Roboto|Segoe UI|Tahoma|Times New Roman|Trebuchet MS|Verdana|"
    "cursive|monospace|sans-serif|serif|system-ui"
)
"""The fonts that are written down. Another name of a font may be anything."""
_COLOUR = re.compile(r"rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, ([\d.]{1,8}))?\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEvent:
    """One delivery. `values` are its arguments, as `awning payload check` reads them, with the event's name.

    page  the number of the page in the visit, from 1
    load  how often the browser had loaded a page
    step  how many steps of the visit had begun since that load; None where a person takes them
    ms    how long after the beginning of the visit it came
    """

    page: int
    load: int
    step: int | None = None
    ms: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementLook:
    """How an element looks, as its page says it."""

    tag: str
    classes: tuple[str, ...] = ()
    width: float = 0
    color: str = ""
    background: str = ""
    font: str = ""
    size: float = 0

    def checked(self) -> "ElementLook":
        """Return what of it is surely no text: known tags and fonts, words of programs, colours and bounded numbers."""
        fonts = (name.strip(" \"'") for name in self.font.split(","))
        return ElementLook(
            tag=self.tag if _TAGS.fullmatch(self.tag) else "custom",
            classes=tuple(name for name in self.classes[:20] if _is_word(name)),
            width=_bounded(self.width),
            color=hex_colour(self.color),
            background=hex_colour(self.background),
            font=", ".join(name for name in fonts if _FONTS.fullmatch(name)),
            size=_bounded(self.size),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotSurroundings:
    """The element of a slot, the elements around it, and the body: the innermost first."""

    slot: str
    around: tuple[ElementLook, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentChange:
    """What became of the container of a slot, as its page says it (`jsrc/recorder/places.ts`)."""

    place: str
    what: Literal["replaced", "emptied", "moved", "removed", "added"]
    request: str
    after: float
    ago: float

    def is_checked(self) -> bool:
        """Return whether it holds surely no text: a slot, words of programs, bounded numbers."""
        kind, _, path = self.request.partition(" ")
        parts = path.split("/")[1:]
        is_path = path == _ELSEWHERE or all(part == "*" or _is_word(part) for part in parts)
        is_request = kind in _REQUESTS and is_path and (path == _ELSEWHERE or path.startswith("/"))
        return self.place in SLOTS and (not self.request or is_request)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """What became of the container of a slot after its page had loaded: when, and after which request, if any.

    `after_ms` is the time from the end of the request to the change. Parts of its path that are no words are `*`.
    """

    slot: str
    what: str
    page: int
    load: int
    ms: int
    request: str | None
    after_ms: int | None

    @property
    def sentence(self) -> str:
        by = f", {self.after_ms} ms after {self.request}" if self.request else ", without a request before"
        return f"page {self.page}: the place of {self.slot} was {self.what}{by}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A visit. `steps` are the actions of the shopper, without what was typed. `errors` say what is not in it."""

    events: tuple[RecordedEvent, ...]
    surroundings: tuple[SlotSurroundings, ...]
    steps: tuple[str, ...]
    errors: tuple[str, ...]
    was_interrupted: bool = False
    changes: tuple[PlaceChange, ...] = ()


def event_text(values: Mapping[str, Any]) -> str:
    """Return an event as the list in `events.json` has it, with the comma and the end of its lines."""
    lines = json.dumps(values, indent=1, ensure_ascii=False).split("\n")
    return "\n".join(f" {line}" for line in lines) + ",\n"


def hex_colour(text: str) -> str:
    """Return a computed colour as `#rrggbb`; "" for one that is transparent, or is none."""
    match = _COLOUR.fullmatch(text)
    if match is None or (match[4] is not None and float(match[4].strip(".") or 0) == 0):
        return ""
    return "#" + "".join(f"{min(int(part), 255):02x}" for part in match.groups()[:3])


def is_bounded(value: Any, depth: int = 0) -> bool:
    """Return whether a value of JSON is nested so little that all who read it can."""
    inner: Iterable[Any] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    return depth < _DEEPEST and all(is_bounded(each, depth + 1) for each in inner)


def _is_word(text: str) -> bool:
    return len(text) < _LONGEST_CLASS and _WORD.match(text) is not None


def _bounded(number: float) -> float:
    return round(number, 1) if 0 <= number <= _WIDEST else 0
