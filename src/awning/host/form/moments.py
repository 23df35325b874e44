"""Which texts the controls of HTML can show, and the two controls of a date and time.

HTML's `datetime-local` has no offset from UTC, so a second control has it. Without a script the server cannot know the
visitor's own, so none is guessed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from awning.data_schema.value_formats import VALUE_FORMATS, Control

_LOCAL = r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?"
_MOMENT = re.compile(rf"({_LOCAL})(Z|[+-]\d\d:\d\d|)", re.ASCII)
_SHOWN: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "color": re.compile(r"#[0-9a-fA-F]{6}"),
        "date": re.compile(r"|\d{4}-\d\d-\d\d", re.ASCII),
        "time": re.compile(r"|\d\d:\d\d(?::\d\d)?", re.ASCII),
        "datetime-local": re.compile(rf"|{_MOMENT.pattern}", re.ASCII),
    }
)
"""The texts that a control shows. Every other control shows every text."""
_WHOLE_HOURS = range(-12, 15)
_OTHERS = (
    *("-09:30", "-03:30", "-02:30", "+03:30", "+04:30", "+05:30", "+05:45", "+06:30"),
    *("+08:45", "+09:30", "+10:30", "+12:45", "+13:45"),
)
OFFSETS: Final = tuple(
    sorted(
        ("Z", *(f"{hour:+03d}:00" for hour in _WHOLE_HOURS if hour), *_OTHERS),
        key=lambda text: 0 if text == "Z" else int(text[0] + text[1:3] + text[4:]),
    )
)
"""The offsets from UTC that places on Earth have, from west to east (IANA's database of time zones)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date and time as two controls show it. `offsets` are those to choose from."""

    local: str = ""
    offset: str = ""

    @property
    def offsets(self) -> tuple[str, ...]:
        return OFFSETS if self.offset in {"", *OFFSETS} else (self.offset, *OFFSETS)

    @classmethod
    def of(cls, entry: str) -> "Moment":
        """Return the parts of a text. The local time is without seconds when they are zero."""
        match = _MOMENT.fullmatch(entry)
        if match is None:
            return cls()
        local, offset = match.groups()
        is_whole = len(local) == len("2026-03-31T10:30:00") and local.endswith(":00")
        return cls(local=local.removesuffix(":00") if is_whole else local, offset=offset)


def is_shown_by(control: Control, entry: str) -> bool:
    """Return whether a control can show a text. It cannot show 30 February."""
    if control not in _SHOWN:
        return True
    is_date = VALUE_FORMATS["date"].fits
    has_day = control in {"date", "datetime-local"} and entry and is_date
    return _SHOWN[control].fullmatch(entry) is not None and (not has_day or has_day(entry[:10]))
