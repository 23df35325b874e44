"""Chooses what a page's life gets: payloads, answers of hosts, the page's address. Texts of the payload carry marks.

A mark is a tag and both quotes. Where one reaches HTML as markup, a value of the payload was not escaped.
"""

import copy
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

PAGE = {"language": "en", "page": "catalog"}
SOURCES = (
    "item.name", "item.sku", "item.brand", "item.category", "item.variants[0].sku", "item.variants[0].options[0].title",
    "cartData.items[0].name", "cartData.items[0].sku", "cartData.items[0].options[0].title", "cartData.discount_code",
    "location.search", "location.hash",
)  # fmt: skip
RECORDS = ("item", "item.variants[0]", "cartData", "cartData.items[0]")
"""The records that get further fields in most lives, if the script names them."""
MOST_FIELDS = 30
_FIELD = re.compile(r"\.\s*([A-Za-z_$][\w$]*)|[{,]\s*([A-Za-z_$][\w$]*)\s*[,}:=]")
_OF_OBJECTS = frozenset(dir(str)) | frozenset({
    "then", "toString", "valueOf", "toJSON", "constructor", "length", "hasOwnProperty", "map", "forEach", "reduce",
    "filter", "item", "variants", "items", "cartData", "page", "currency", "prototype", "catch",
})  # fmt: skip


def mark(number: int) -> str:
    return f"<aw{number} \"'>wa{number}"


def _marked(source: str) -> str:
    return mark(SOURCES.index(source))


def further_fields(text: str) -> list[str]:
    """Return the names of fields that a script may read. A record without such a field gets it in most lives."""
    names = dict.fromkeys(match[1] or match[2] for match in _FIELD.finditer(text))
    return [name for name in names if name not in _OF_OBJECTS][:MOST_FIELDS]


def sources_of(fields: Sequence[str]) -> list[str]:
    """Return what each mark stands for, by its number."""
    return [*SOURCES, *(f"{record}.{name}" for record in RECORDS for name in fields)]


def _add_fields(payload: dict[str, Any], fields: Sequence[str]) -> None:
    number = len(SOURCES)
    for records in (
        [payload["item"]], payload["item"]["variants"], [payload["cartData"]], payload["cartData"].get("items", ()),
    ):  # fmt: skip
        for at, name in enumerate(fields):
            for record in records:
                record.setdefault(name, mark(number + at))
        number += len(fields)


def _variant(number: str, price: float, stock: int) -> dict[str, Any]:
    return {
        "id": number, "options": [{"title": _marked("item.variants[0].options[0].title")}], "price": price,
        "price_undiscounted": price, "sku": _marked("item.variants[0].sku"), "stock": stock, "weight": None,
    }  # fmt: skip


ITEM: dict[str, Any] = {
    "id": "1", "name": _marked("item.name"), "sku": _marked("item.sku"), "brand": _marked("item.brand"),
    "category": _marked("item.category") + "/b", "price": 21, "price_undiscounted": 21, "currency": "EUR",
    "weight": 180, "stock": 4, "variants": [_variant("11", 19.9, 4), _variant("12", 22.9, 1)],
}  # fmt: skip
LINE: dict[str, Any] = {
    "id": "1", "variant_id": "11", "name": _marked("cartData.items[0].name"), "sku": _marked("cartData.items[0].sku"),
    "options": [{"title": _marked("cartData.items[0].options[0].title")}], "quantity": 2, "price": 19.9,
    "price_undiscounted": 19.9, "weight": 180,
}  # fmt: skip
CART: dict[str, Any] = {
    "total": 63.8, "total_no_discount": 63.8, "items": [LINE, LINE], "discount_code": _marked("cartData.discount_code"),
    "discount_amount": 0, "shipping_price": None, "taxes": 0, "weight": 360,
}  # fmt: skip
CURRENCY: dict[str, Any] = {
    "code": "EUR", "symbol": "€", "position": "before", "decimals": 2, "decimal_separator": ".",
    "thousands_separator": "",
}  # fmt: skip
USUAL: dict[str, Any] = {"item": ITEM, "cartData": CART, "currency": CURRENCY, "page": PAGE}
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


@dataclass(frozen=True, slots=True)
class Life:
    """Changes of the usual life: of fields of the payload (`item.price`), and of the page (`world.answers`)."""

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
        yield from _fields(ITEM["variants"][0], "item.variants.0.")
    if path == "cartData.":
        yield from _fields(LINE, "cartData.items.0.")


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
        return ["", "x", *(value for value in constants if isinstance(value, str) and value)]
    if isinstance(usual, dict):
        return []
    nothing = [None] if field.rpartition(".")[2] in NULLABLE else []
    return [*nothing, 0, 1, 1000, *(value for value in constants if isinstance(value, float))]


def first_lives(text: str) -> list[Life]:
    """Return the lives with one change of what the script reads, such as a field whose name it contains."""
    words = set(re.findall(r"[A-Za-z_$][\w$]*", text))
    lives = [Life(((f"world.{name}", value),)) for name, value, asks in WORLD if re.search(asks, text)]
    if "location" in words:
        searched = [
            value for value in _constants_beside(text, "location") if isinstance(value, str) and value
        ][:4]
        lives += [Life((("world.search", value),)) for value in searched[:MOST_FAR]]
    if "getItem" in words:
        stored = [value for value in _constants_beside(text, "getItem") if isinstance(value, str) and value]
        lives += [Life((("world.stored", value),)) for value in stored[:MOST_FAR]]
    names = {match[1] or match[2] for match in _OF_WINDOW.finditer(text)}
    if names:
        lives.append(Life((("world.globals", sorted(names)),)))
    if "selectedVariant" in words or "variant" in words:
        lives.append(Life((("selectedVariant", None),)))
    if "cartData" in words or "cart" in words:
        lives.append(Life((("cartData", KNOWN_CART),)))
    for field, usual in _fields(USUAL):
        last = field.rpartition(".")[2]
        if last in words and field not in USUAL:
            values = _values(field, usual, _constants_beside(text, last))
            lives += [Life(((field, value),)) for value in values]
    return lives


def combined(
    changing: Sequence[Life], opening: Sequence[Life], singles: Sequence[Life], count: int
) -> Iterator[Life]:
    """Yield lives with two changes that each had an effect, then others with two, then lives with random changes.

    `changing` are the lives with an effect, `opening` those of them that reached new code: a further change may have an
    effect only there.
    """
    choice = random.Random(0)  # noqa: S311 - the same lives in each check
    pairs = [a + b for a, b in combinations(changing, 2) if not a.fields & b.fields]
    further = [a + b for a in opening for b in singles if b not in changing and not a.fields & b.fields]
    choice.shuffle(pairs)
    choice.shuffle(further)
    chosen = pairs[: count // 2]
    chosen += further[: (count - len(chosen)) * 2 // 3 if len(changing) > 1 else count]
    yield from chosen
    fields: dict[str, list[tuple[str, Any]]] = {}
    for field, value in (change for life in singles for change in life.changes):
        fields.setdefault(field, []).append((field, value))
    for _ in range(count - len(chosen) if len(fields) > 1 and len(changing) > 1 else 0):
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
        elif step not in at:
            return
        else:
            at = at[step]
    at[last] = copy.deepcopy(value)


def _payload(life: Life) -> dict[str, Any]:
    payload = copy.deepcopy(USUAL)
    for field, value in life.changes:
        if field == "further":
            _add_fields(payload, value)
        elif not field.startswith("world.") and field != "selectedVariant":
            _change(payload, field, value)
    return payload


def hosts_of(life: Life, prefix: str) -> list[dict[str, Any]]:
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
    return [
        {"event": f"{prefix}content-after-price", "params": {"item": item, "page": page}, "updates": updates},
        {"event": f"{prefix}content-after-cart", "params": cart, "updates": []},
        {"event": f"{prefix}content-after-checkout", "params": cart, "updates": [payload["cartData"]]},
    ]


def input_of(life: Life) -> dict[str, Any]:
    world = {
        field.removeprefix("world."): value for field, value in life.changes if field.startswith("world.")
    }
    query, fragment = _marked("location.search"), _marked("location.hash")
    search = world.pop("search", None)
    place = {
        "search": f"?q={query}",
        "hash": f"#{fragment}",
        "href": f"https://shop.example/?q={query}#{fragment}",
    }
    if search is not None:
        place = {
            "search": f"?{search}=1&{search}",
            "hash": f"#{search}",
            "href": f"https://shop.example/?{search}=1#{search}",
        }
    return {
        "elements": True, "answers": True, "stored": None, "query": None if search else query, "globals": [],
        "location": place, **world,
    }  # fmt: skip
