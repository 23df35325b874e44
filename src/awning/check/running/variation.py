"""The lives with one change: of a field of the payload, or of something else that a page has."""

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from awning.check.running.lives import ITEM, LINE, USUAL, Life

KNOWN_CART = {"total": 63.8, "total_no_discount": 63.8}
NULLABLE = {"stock", "weight", "shipping_price", "variant_id"}
"""Fields that may be null."""
WORLD: tuple[tuple[str, Any, str], ...] = (
    ("elements", False, r"querySelector|getElement|\$\(|closest"),
    ("answers", False, r"fetch|XMLHttpRequest|\bsrc\b|ajax|getJSON"),
    ("random", 0.01, "random"),
    ("random", 0.99, "random"),
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


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        yield f"{path}{key}", inner
        if isinstance(inner, dict):
            yield from _fields(inner, f"{path}{key}.")
    if path == "item.":
        yield from _fields(ITEM["variants"][0], "item.variants.0.")
    if path == "cartData.":
        yield from _fields(LINE, "cartData.items.0.")


FIELDS = dict(_fields(USUAL))
"""The usual values of all fields of the payload, by their paths."""


def _constants(text: str) -> list[Any]:
    strings = [
        match[2]
        for match in _STRING.finditer(text)
        if not match[2].startswith("svc-") and len(match[2]) <= LONGEST
    ]
    numbers = [float(match[0]) for match in _NUMBER.finditer(text) if len(match[0]) <= DIGITS]
    near = [n + step for n in dict.fromkeys(numbers) for step in (0, -1, 1)]
    return list(dict.fromkeys(strings))[:MOST_CONSTANTS] + list(dict.fromkeys(near))[: 2 * MOST_CONSTANTS]


def _constants_beside(text: str, name: str) -> list[Any]:
    beside = " ".join(match[1] for match in re.finditer(rf"\b{re.escape(name)}\b(.{{0,{BESIDE}}})", text))
    return _constants(beside) or _constants(text)[:MOST_FAR]


def _values(field: str, usual: Any, constants: list[Any]) -> list[Any]:
    if isinstance(usual, list):
        sizes = {
            0,
            1,
            *(int(value) for value in constants if isinstance(value, float) and 0 <= value <= LONGEST_LIST),
        }
        return [(usual * 5)[:size] for size in sorted(sizes) if size != len(usual)] if usual else []
    if isinstance(usual, str):
        return [*(value for value in constants if isinstance(value, str) and value), "", "x"]
    if isinstance(usual, dict):
        return []
    nothing = [None] if field.rpartition(".")[2] in NULLABLE else []
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
    for field in fields:
        if field in {"selectedVariant", "variant"}:
            columns.append([Life((("selectedVariant", None),))])
        elif field == "cartData":
            columns.append([Life(((field, KNOWN_CART),))])
        elif field in FIELDS and field not in USUAL:
            values = _values(field, FIELDS[field], _constants_beside(text, field.rpartition(".")[2]))
            columns.append([Life(((field, value),)) for value in values])
    columns.sort(key=lambda column: bool(column and column[0].changes[0][1]))
    return [life for row in zip_longest(*columns) for life in row if life is not None]
