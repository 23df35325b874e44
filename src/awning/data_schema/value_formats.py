"""The values of the keyword `format`, one row each.

A format checks a text, or it chooses the field of the settings form, or both.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from urllib.parse import urlsplit

_NOT_IN_ADDRESSES = re.compile(r"[\s\x00-\x1f\x7f<>\"\\]")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?", re.ASCII)
_WITH_ZONE = re.compile(r".*:\d\d:\d\d(\.\d+)?([Zz]|[+-].*)", re.DOTALL)
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFormat:
    """A format. `words` are the texts that fit, `fits` is their check; None for a format that accepts every text.

    `input` is the type of the form's `<input>`.
    """

    name: str
    words: str
    fits: Callable[[str], bool] | None = None
    input: str = "text"


def _is_uri(value: str) -> bool:
    try:
        parts = urlsplit(value)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        return has_host and not _NOT_IN_ADDRESSES.search(value)
    except ValueError:
        return False


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_time(value: str) -> bool:
    """Return whether a text is a time such as `10:30`, with or without seconds and an offset from UTC.

    JSON Schema requires seconds and an offset, which the opening hours of a shop do not have.
    """
    return _TIME.fullmatch(value) is not None


def _is_date_time(value: str) -> bool:
    """Return whether a text is a date and a time with seconds and an offset from UTC (RFC 3339)."""
    day, mark, time = value[:10], value[10:11], value[11:]
    return _is_date(day) and mark in ("T", "t") and _is_time(time) and _WITH_ZONE.fullmatch(value) is not None


VALUE_FORMATS: Mapping[str, ValueFormat] = MappingProxyType(
    {
        row.name: row
        for row in (
            ValueFormat(
                name="email",
                words="an e-mail address",
                fits=lambda value: _EMAIL.fullmatch(value) is not None,
                input="email",
            ),
            ValueFormat(name="uri", words="an http or https address", fits=_is_uri, input="url"),
            ValueFormat(name="date", words="a date such as 2026-03-31", fits=_is_date, input="date"),
            ValueFormat(name="time", words="a time such as 10:30", fits=_is_time),
            ValueFormat(
                name="date-time",
                words="a date and time such as 2026-03-31T10:30:00+03:00",
                fits=_is_date_time,
            ),
            ValueFormat(
                name="color",
                words="a colour such as #1f5f4b",
                fits=lambda value: _COLOUR.fullmatch(value) is not None,
                input="color",
            ),
            ValueFormat(name="multiline", words="a text"),
            ValueFormat(name="password", words="a text"),
        )
    }
)
"""The formats by their names."""
