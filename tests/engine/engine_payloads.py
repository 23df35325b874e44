"""Makes payloads for the engine. Each field that a script names gets constants of the script as its value.

A `Life` is a set of changes to the usual payload and to the page: `("item.price", 20)`, `("world.elements", False)`.
"""

import copy
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from awning.contract import Dialect, event_names

PAGE = {"language": "en", "page": "catalog"}


def _variant(number: str, price: float, stock: int) -> dict[str, Any]:
    return {
        "id": number, "options": [{"title": "S"}], "price": price, "price_undiscounted": price, "sku": "",
        "stock": stock, "weight": None,
    }  # fmt: skip


ITEM = {
    "id": "1", "name": "Linen", "sku": "", "brand": "", "category": "a/b", "price": 21, "price_undiscounted": 21,
    "currency": "EUR", "weight": 180, "stock": 4, "variants": [_variant("11", 19.9, 4), _variant("12", 22.9, 1)],
}  # fmt: skip
CART = {"total": 63.8, "total_no_discount": 63.8, "items": []}
USUAL: dict[str, Any] = {"item": ITEM, "cartData": CART, "currency": {"code": "EUR"}, "page": PAGE}
NULLABLE = {"stock", "weight"}
WORLD: tuple[tuple[str, Any, str], ...] = (
    ("elements", False, r"querySelector|getElement|\$\("),
    ("answers", False, r"fetch|XMLHttpRequest|\bsrc\b"),
    ("random", 0.01, "random"),
    ("random", 0.99, "random"),
)
"""Inputs beside the payload: the name, an unusual value, and a pattern that matches in scripts that depend on it."""
_STRING = re.compile(r"""(["'`])((?:\\.|(?!\1)[^\\\n])*)\1""")
_NUMBER = re.compile(r"(?<![\w.$])\d+(?:\.\d+)?(?![\w.])")
MOST_CONSTANTS = 12
BESIDE = 40
"""A constant counts as compared with a field if it follows the field within this many characters."""


@dataclass(frozen=True, slots=True)
class Life:
    changes: tuple[tuple[str, Any], ...] = ()

    def __add__(self, other: "Life") -> "Life":
        return Life(self.changes + other.changes)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(field for field, _ in self.changes)


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for key, inner in value.items():
        yield f"{path}{key}", inner
        if isinstance(inner, dict):
            yield from _fields(inner, f"{path}{key}.")
    if path == "item.":
        yield from _fields(ITEM["variants"][0], "item.variants.0.")  # type: ignore[index]


def _constants(text: str) -> list[Any]:
    strings = [
        match[2] for match in _STRING.finditer(text) if not match[2].startswith("svc-") and len(match[2]) < 40
    ]
    numbers = [float(match[0]) for match in _NUMBER.finditer(text)]
    near = [n + step for n in dict.fromkeys(numbers) for step in (0, -1, 1)]
    return list(dict.fromkeys(strings))[:MOST_CONSTANTS] + list(dict.fromkeys(near))[: 2 * MOST_CONSTANTS]


def _constants_beside(text: str, name: str) -> list[Any]:
    """Return the constants right after a field; all constants of the script if there are none."""
    beside = " ".join(match[1] for match in re.finditer(rf"\b{re.escape(name)}\b(.{{0,{BESIDE}}})", text))
    return _constants(beside) or _constants(text)


def _values(field: str, usual: Any, constants: list[Any]) -> list[Any]:
    if isinstance(usual, list):
        sizes = {
            0,
            1,
            2,
            *(int(constant) for constant in constants if isinstance(constant, float) and 0 <= constant <= 9),
        }
        return [(usual * 5)[:size] for size in sorted(sizes)] if usual else []
    if isinstance(usual, str):
        return ["", "x", *(constant for constant in constants if isinstance(constant, str))]
    if isinstance(usual, dict):
        return []
    nothing = [None] if field.rpartition(".")[2] in NULLABLE else []
    return [*nothing, 0, 1, 1000, *(constant for constant in constants if isinstance(constant, float))]


def first_lives(text: str) -> list[Life]:
    """Return the lives with one change of what the script reads, such as a field whose name it contains."""
    words = set(re.findall(r"[A-Za-z_$][\w$]*", text))
    lives = [Life(((f"world.{name}", value),)) for name, value, asks in WORLD if re.search(asks, text)]
    if "selectedVariant" in words:
        lives.append(Life((("selectedVariant", None),)))
    for field, usual in _fields(USUAL):
        if field.rpartition(".")[2] in words:
            constants = _constants_beside(text, field.rpartition(".")[2])
            lives += [Life(((field, value),)) for value in _values(field, usual, constants)]
    return lives


def combined(changing: list[Life], singles: list[Life], choice: random.Random, count: int) -> Iterator[Life]:
    """Yield lives with two changes that each had an effect, then lives with random changes."""
    pairs = [a + b for a, b in combinations(changing, 2) if not a.fields & b.fields]
    choice.shuffle(pairs)
    yield from pairs[: count // 3]
    fields: dict[str, list[tuple[str, Any]]] = {}
    for field, value in (change for life in singles for change in life.changes):
        fields.setdefault(field, []).append((field, value))
    for _ in range(count - min(len(pairs), count // 3) if len(fields) > 1 else 0):
        picked = [
            choice.choice(changes)
            for changes in fields.values()
            if choice.random() < choice.choice((0.3, 0.7))
        ]
        yield Life(tuple(sorted(picked, key=lambda change: change[0])))


def _change(payload: dict[str, Any], field: str, value: Any) -> None:
    *path, last = field.split(".")
    at: Any = payload
    for step in path:
        if isinstance(at, list):
            if not at:
                return
            at = at[int(step)]
        else:
            at = at[step]
    at[last] = copy.deepcopy(value)


def _payload(life: Life) -> dict[str, Any]:
    payload = copy.deepcopy(USUAL)
    for field, value in life.changes:
        if not field.startswith("world.") and field != "selectedVariant":
            _change(payload, field, value)
    return payload


def hosts_of(life: Life) -> list[dict[str, Any]]:
    """Return the events of a page's life. Each slot has one base event per page."""
    payload = _payload(life)
    item, page = payload["item"], payload["page"]
    nothing_chosen = ("selectedVariant", None) in life.changes
    updates = [
        {
            "item": item,
            "selectedVariant": None if nothing_chosen else variant,
            "selectedVariantId": variant["id"],
        }
        for variant in item["variants"]
    ]
    cart = {"cartData": payload["cartData"], "currency": payload["currency"], "page": page}
    price, basket, checkout = (
        "svc-content-after-price",
        "svc-content-after-cart",
        "svc-content-after-checkout",
    )
    return [
        {"event": price, "params": {"item": item, "page": page}, "updates": updates},
        {"event": basket, "params": cart, "updates": []},
        {"event": checkout, "params": cart, "updates": [payload["cartData"]]},
    ]


def input_of(life: Life, *, head: bool) -> dict[str, Any]:
    world = {
        field.removeprefix("world."): value for field, value in life.changes if field.startswith("world.")
    }
    return {
        "elements": True,
        "answers": True,
        "events": sorted(event_names(Dialect())),
        "head": head,
        **world,
    }
