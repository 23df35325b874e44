"""From which stored row each posted row comes, so that values without a field, and secrets, stay with their row.

A row posts its place in the list that the page showed, and a mark of its value: `2.0f3a91c4be07`. When somebody else
has changed the list meanwhile, the mark finds a row that was moved. A row that was changed is taken from its old place,
unless another posted row comes from there. Without a key for marks, the place is all there is.
"""

import hmac
import json
import re
from collections.abc import Sequence
from typing import Any

MARK_DIGITS = 12
_ORIGIN = re.compile(r"([0-9]{1,4})(?:\.([0-9a-f]{1,64}))?")


def origin_of(place: int, row: Any, key: bytes) -> str:
    """Return what the row at a place posts. The mark is keyed, so nobody guesses a short secret in the row from it."""
    return f"{place}.{_mark(row, key)}" if key else str(place)


def places_of(listed: Sequence[Any], origins: Sequence[str], key: bytes) -> list[int | None]:
    """Return the place in `listed` of each posted row; None for a new one."""
    marks = [_mark(row, key) if key else "" for row in listed]
    posted = [_read(origin) for origin in origins]
    places = [_marked(marks, *each) if each else None for each in posted]
    taken = {place for place in places if place is not None}
    for index, each in enumerate(posted):
        if each and places[index] is None and each[0] < len(listed) and each[0] not in taken:
            places[index] = each[0]
    return places


def _read(origin: str) -> tuple[int, str] | None:
    match = _ORIGIN.fullmatch(origin)
    return (int(match[1]), match[2] or "") if match else None


def _marked(marks: Sequence[str], place: int, mark: str) -> int | None:
    """Return the place of the row with this mark: the posted place if it is there, else the first one."""
    if place < len(marks) and (not mark or marks[place] == mark):
        return place
    return marks.index(mark) if mark in marks else None


def _mark(row: Any, key: bytes) -> str:
    return hmac.new(key, json.dumps(row, sort_keys=True).encode(), "sha256").hexdigest()[:MARK_DIGITS]
