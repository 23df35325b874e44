"""The lives with one change: of a field of the payload, or of something else that a page has."""

import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from awning.check.running.lives import Life
from awning.check.running.payloads import CHOSEN, COUNT, FIELDS, KNOWN, USUAL

WORLD: tuple[tuple[str, Any, str], ...] = (
    ("elements", False, r"querySelector|getElement|\$\(|closest"),
    ("answers", False, r"fetch|XMLHttpRequest|\bsrc\b|ajax|getJSON"),
    ("random", 0.01, "random"),
    ("random", 0.99, "random"),
    ("now", 1_766_878_200_000, r"\bDate\b"),  # Saturday, 27 December 2025, 23:30 UTC
    ("now", 1_799_022_600_000, r"\bDate\b"),  # Monday, 4 January 2027, 00:30 UTC
    ("stored", "{}", "Storage"),
    ("stored", "1", "Storage"),
)
"""Inputs beside the payload: the name, an unusual value, and a pattern that matches in scripts that depend on it."""
_STRING = re.compile(r"""(["'`])((?:\\.|(?!\1)[^\\\n])*)\1""")
_NUMBER = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?![\w.])")
_OF_WINDOW = re.compile(r"\bwindow\s*(?:\?\.|\.)\s*([A-Za-z_$][\w$]*)|\btypeof\s+([A-Za-z_$][\w$]*)")
MOST_CONSTANTS = 12
"""The most texts of a script that a field gets, and half of the most numbers."""
LONGEST = 40
DIGITS = 12
LONGEST_LIST = 9
BESIDE = 40
"""A constant counts as compared with a field if it follows the field within this many characters."""
MOST_FAR = 6
"""The most constants that a field gets as values if none is beside it."""


def _constants(text: str, starts: Iterable[int] | None = None) -> list[Any]:
    """Return texts and numbers of a script that a field may be compared with: those shortly after `starts`, or all."""
    near = None if starts is None else {at for start in starts for at in range(start, start + BESIDE)}
    strings = [
        match[2]
        for match in _STRING.finditer(text)
        if (near is None or match.start() in near)
        and not match[2].startswith("svc-")
        and len(match[2]) <= LONGEST
    ]
    numbers = [
        float(match[0])
        for match in _NUMBER.finditer(text)
        if (near is None or match.start() in near) and len(match[0]) <= DIGITS
    ]
    steps = [n + step for n in dict.fromkeys(numbers) for step in (0, -1, 1)]
    return list(dict.fromkeys(strings))[:MOST_CONSTANTS] + list(dict.fromkeys(steps))[: 2 * MOST_CONSTANTS]


def _constants_beside(text: str, name: str) -> list[Any]:
    starts = [match.end() for match in re.finditer(rf"\b{re.escape(name)}\b", text)]
    return _constants(text, starts) or _constants(text)[:MOST_FAR]


def _usual(path: str) -> Any:
    value: Any = USUAL
    for step in path.split("."):
        value = value[int(step) if isinstance(value, list) else step]
    return value


def _values(path: str, constants: list[Any]) -> list[Any]:
    """Return other values of a field: null and empty ones, constants of the script, and common ones."""
    if path in KNOWN:
        return [KNOWN[path]]
    field = FIELDS[path]
    if "array" in field.types:
        sizes = {int(value) for value in constants if isinstance(value, float) and 0 <= value <= LONGEST_LIST}
        records = _usual(path) * LONGEST_LIST
        return [records[:size] for size in sorted({0, 1, *sizes}) if size != COUNT]
    if field.record:
        return []
    nothing = [None] if "null" in field.types else []
    if "string" in field.types:
        others = [value for value in field.one_of if value != _usual(path)]
        texts = [value for value in constants if isinstance(value, str) and value]
        return [*nothing, *others, *texts, "", "x"]
    return [*nothing, *(value for value in constants if isinstance(value, float)), 0, 1, 1000]


def lives_of_world(text: str) -> list[Life]:
    """Return the lives in which something other than the payload is unusual, if the script depends on it."""
    words = set(re.findall(r"[A-Za-z_$][\w$]*", text))
    lives = [Life(((f"world.{name}", value),)) for name, value, asks in WORLD if re.search(asks, text)]
    for word, name in (("location", "search"), ("getItem", "stored")):
        texts = _constants_beside(text, word) if word in words else ()
        values = [value for value in texts if isinstance(value, str) and value]
        lives += [Life(((f"world.{name}", value),)) for value in values[:MOST_FAR]]
    names = {match[1] or match[2] for match in _OF_WINDOW.finditer(text)}
    if names:
        lives.append(Life((("world.globals", sorted(names)),)))
    return lives


def lives_of_fields(text: str, fields: Iterable[str]) -> list[Life]:
    """Return the lives in which one of the fields has another value: the first value of each, then the second.

    Fields that can be empty or null are first, as this most often changes what a script does.
    """
    columns = []
    for path in fields:
        if path in CHOSEN:
            columns.append([Life(((CHOSEN[path], None),))])
        elif path in FIELDS:
            values = _values(path, _constants_beside(text, path.rpartition(".")[2]))
            columns.append([Life(((path, value),)) for value in values])
    columns.sort(key=lambda column: bool(column and column[0].changes[0][1]))
    return [life for row in zip_longest(*columns) for life in row if life is not None]
