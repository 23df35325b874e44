"""Chooses what a page's life gets: payloads, answers of hosts, the page's address. Texts of the payload carry marks.

A mark is a tag and both quotes. Where one reaches HTML as markup, a value of the payload was not escaped.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

PAGE = {"language": "en", "page": "catalog"}
SOURCES = (
    "item.name", "item.sku", "item.brand", "item.category", "item.variants[0].sku", "item.variants[0].options[0].title",
    "cartData.items[0].name", "cartData.items[0].sku", "cartData.items[0].options[0].title", "cartData.discount_code",
    "location.search", "location.hash",
)  # fmt: skip
MARKED = ("item", "item.variants.0", "cartData", "cartData.items.0")
"""The records with texts of the shop. A field that they lack may be such a text, too."""


def named(record: str, field: str) -> str:
    """Return the name of a field in messages, such as `item.variants[0].sku`."""
    return f"{record}.{field}".replace(".0", "[0]")


def mark(number: int) -> str:
    return f"<aw{number} \"'>wa{number}"


def _marked(source: str) -> str:
    return mark(SOURCES.index(source))


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


@dataclass(frozen=True, slots=True)
class Life:
    """Changes of the usual life: of fields of the payload (`item.price`), and of the page (`world.answers`)."""

    changes: tuple[tuple[str, Any], ...] = ()

    def __add__(self, other: "Life") -> "Life":
        return Life(self.changes + other.changes)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(field for field, _ in self.changes)


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


def _add_fields(payload: dict[str, Any], fields: Sequence[tuple[str, str, int]]) -> None:
    """Add fields to the records of a payload: the path of the records, the field's name, the number of its mark."""
    for path, name, number in fields:
        for record in _records(payload, path.split(".")):
            record.setdefault(name, mark(number))


def _records(value: Any, path: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the records at a path. In a list, the path has a 0 for all of them."""
    if not path and isinstance(value, dict):
        yield value
    elif path and isinstance(value, dict):
        yield from _records(value.get(path[0]), path[1:])
    elif path and isinstance(value, list):
        for record in value:
            yield from _records(record, path[1:])


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
        "random": None, "location": place, **world,
    }  # fmt: skip
