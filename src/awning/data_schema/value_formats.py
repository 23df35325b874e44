"""The values of the keyword `format`, one row each: the texts that fit, an example, and the field of the settings form.

States, `awning check`, `awning data` and both forms check a text by `fits` of its row, so they agree.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

Control = Literal[
    "text", "email", "url", "date", "time", "datetime-local", "color", "multiline", "password", "picture"
]
"""A field of a form: a type of HTML's `<input>`, several lines, or an address with its picture."""

LONGEST_EMAIL = 254
"""The most characters of an address: a path has 256, with its angle brackets (RFC 5321, 4.5.3.1.3)."""
_NOT_IN_ADDRESSES = re.compile(r"[\s\x00-\x1f\x7f<>\"\\]")
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)?", re.ASCII)
_WITH_ZONE = re.compile(r".*:\d\d:\d\d(\.\d+)?([Zz]|[+-].*)", re.DOTALL)
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_EMAIL = re.compile(rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_LABEL}(?:\.{_LABEL})+")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFormat:
    """A format.

    words      what it is, in English
    definition which texts fit, and where that is defined
    example    a text that fits; empty for a format that every text fits
    fits       the check; None for a format that accepts every text
    control    the field of the form
    type       the TypeScript type of a text that fits
    """

    name: str
    words: str
    definition: str
    example: str = ""
    fits: Callable[[str], bool] | None = None
    control: Control = "text"
    type: str = "string"

    @property
    def fitting(self) -> str:
        """Return the texts that fit in words, with an example."""
        return f"{self.words} such as {self.example}" if self.example else self.words


def format_of(schema: Mapping[str, object]) -> ValueFormat | None:
    """Return the format that a schema names; None without a known one."""
    return VALUE_FORMATS.get(str(schema.get("format", "")))


def _is_uri(value: str) -> bool:
    try:
        parts = urlsplit(value)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        return has_host and not _NOT_IN_ADDRESSES.search(value)
    except ValueError:
        return False


def _is_picture(value: str) -> bool:
    return value.startswith("https://") and _is_uri(value)


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
                definition="A valid e-mail address of HTML, whose domain has a dot; at most 254 characters.",
                example="name@example.com",
                fits=lambda value: len(value) <= LONGEST_EMAIL and _EMAIL.fullmatch(value) is not None,
                control="email",
                type="`${string}@${string}`",
            ),
            ValueFormat(
                name="uri",
                words="an http or https address",
                definition="A URI with a host (RFC 3986), or the same with letters of any script; http and https only, "
                "so no `javascript:`.",
                example="https://example.com/a",
                fits=_is_uri,
                control="url",
            ),
            ValueFormat(
                name="picture",
                words="the https address of a picture",
                definition="awning's own: a `uri` that begins with `https://`. Both forms show the picture.",
                example="https://example.com/a.png",
                fits=_is_picture,
                control="picture",
                type="`https://${string}`",
            ),
            ValueFormat(
                name="date",
                words="a date",
                definition="A `full-date` of RFC 3339: a day that exists.",
                example="2026-03-31",
                fits=_is_date,
                control="date",
            ),
            ValueFormat(
                name="time",
                words="a time",
                definition="A `full-time` of RFC 3339, or a time of HTML, without seconds or offset. No leap second.",
                example="10:30",
                fits=_is_time,
                control="time",
            ),
            ValueFormat(
                name="date-time",
                words="a date and time",
                definition="A `date-time` of RFC 3339, with seconds and offset. No leap second: `Date` reads none.",
                example="2026-03-31T10:30:00+03:00",
                fits=_is_date_time,
                control="datetime-local",
            ),
            ValueFormat(
                name="color",
                words="a colour",
                definition="A simple color of HTML: `#` and six digits.",
                example="#1f5f4b",
                fits=lambda value: _COLOUR.fullmatch(value) is not None,
                control="color",
                type="`#${string}`",
            ),
            ValueFormat(
                name="multiline",
                words="a text",
                definition="Every text, in several lines.",
                control="multiline",
            ),
            ValueFormat(
                name="password",
                words="a text",
                definition="Every text, which is never shown.",
                control="password",
            ),
        )
    }
)
"""The formats by their names."""
