"""Personal data and secrets of 200 kinds and spellings, for tests that plant them and look whether any remains.

All of them are invented, or examples of the documents that define their form.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import quote, quote_plus

_TABLE = Path(__file__).with_suffix(".txt")
"""A line is a kind and a value."""

PERSONAL_DATA: dict[str, str] = {
    kind: value
    for kind, _, value in (line.partition(": ") for line in _TABLE.read_text(encoding="utf-8").splitlines())
}
"""The values, by their kinds."""

PERSONAL_NUMBERS = (
    29555779,
    371295557771,
    4111111111111119,
    32123456780,
    185328000001,
    3405803850,
    56949649.5,
)
"""Values that come as numbers: too large for a price."""

_SHORT = 6


def traces_in(text: str) -> list[str]:
    """Return the kinds of which a text has the value in any spelling."""
    lower = text.lower()
    numbers = [f"number {number}" for number in PERSONAL_NUMBERS if str(number) in text]
    return [
        kind for kind, value in PERSONAL_DATA.items() if any(_is_in(lower, s) for s in spellings(value))
    ] + numbers


def spellings(value: str) -> Iterator[str]:
    """Yield a value as programs write it."""
    encoded = value.encode()
    yield from (value, quote(value, safe=""), quote(value), quote_plus(value), escape(value), encoded.hex())
    yield from (json.dumps(value)[1:-1], base64.b64encode(encoded).decode().rstrip("="))
    yield base64.urlsafe_b64encode(encoded).decode().rstrip("=")
    yield value[::-1]


def _is_in(lower: str, spelt: str) -> bool:
    needle = spelt.lower()
    if len(needle) >= _SHORT or not needle.isascii():
        return needle in lower
    return re.search(rf"(?<![a-z0-9]){re.escape(needle)}(?![a-z0-9])", lower) is not None


def all_spellings(values: Iterable[str]) -> list[str]:
    return sorted({spelt for value in values for spelt in spellings(value)})
