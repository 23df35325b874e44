"""Describes every key of a store's TOML files. Each file may have any of the top-level tables."""

import math
import re
from typing import Any

from awning.contract import is_language_code
from awning.workspace.validation import (
    CURRENCY_CODE,
    FLAG,
    LANGUAGE,
    TABLE,
    TEXT,
    Key,
    TableShape,
    ValueKind,
    array_of,
    matches,
    one_of,
)

DRAWINGS = ("box", "card", "coffee", "curtains", "mug", "shirt", "table", "towel")
UNMANAGED = "unmanaged"
_DEAREST = 1_000_000_000
_CODE = re.compile(r"[A-Z]{3}")


def _is_amount(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= _DEAREST


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_price(value: Any) -> bool:
    if isinstance(value, dict):
        return (
            bool(value)
            and all(_CODE.fullmatch(code) for code in value)
            and all(map(_is_amount, value.values()))
        )
    return _is_amount(value)


def _are_texts(value: Any) -> bool:
    if not isinstance(value, dict):
        return TEXT.accepts(value)
    return bool(value) and all(map(is_language_code, value)) and all(map(TEXT.accepts, value.values()))


_AMOUNT_SCHEMA = {"type": "number", "minimum": 0, "maximum": _DEAREST}

PRICE = ValueKind(
    expected="an amount in euro such as 19.90, or an amount for each currency such as { EUR = 19.90, JPY = 3200 }",
    accepts=_is_price,
    schema={
        "anyOf": [
            _AMOUNT_SCHEMA,
            {"type": "object", "minProperties": 1, "additionalProperties": _AMOUNT_SCHEMA},
        ]
    },
)
TEXTS = ValueKind(
    expected='a text, or a text for each language such as { en = "Shoe", lv = "Kurpe" }',
    accepts=_are_texts,
    schema={
        "anyOf": [
            {"type": "string", "minLength": 1},
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"type": "string", "minLength": 1},
            },
        ]
    },
)
STOCK = ValueKind(
    expected=f'a whole number of pieces from 0, or "{UNMANAGED}"',
    accepts=lambda value: value == UNMANAGED or _is_whole(value, 0, _DEAREST),
    schema={"anyOf": [{"type": "integer", "minimum": 0}, {"const": UNMANAGED}]},
)
RATE = ValueKind(
    expected="a number above 0",
    accepts=lambda value: _is_amount(value) and value > 0,
    schema={"type": "number", "exclusiveMinimum": 0},
)
SEPARATOR = ValueKind(
    expected="a text, which may be empty",
    accepts=lambda value: isinstance(value, str),
    schema={"type": "string"},
)


def _whole(expected: str, least: int, most: int) -> ValueKind:
    return ValueKind(
        expected=expected,
        accepts=lambda value: _is_whole(value, least, most),
        schema={"type": "integer", "minimum": least, "maximum": most},
    )


GRAMS = _whole("a whole number of grams from 0", 0, _DEAREST)
_ID = matches(r"[1-9][0-9]{0,8}", 'a number as a text, such as "21"')
_WORD = matches(r"[A-Za-z][A-Za-z0-9-]*", "a name of letters, digits and hyphens that begins with a letter")
_TABLES = array_of(TABLE, least=0, unique=False)

_COLOUR = matches(r"#[0-9A-Fa-f]{6}", 'a colour such as "#a8443a"')
_PIXELS = _whole("a whole number of pixels from 1 to 4000", 1, 4000)

LOOK = (
    Key(name="color", kind=_COLOUR, about="The colour of the text."),
    Key(name="background", kind=_COLOUR, about="The colour of the page."),
    Key(
        name="font",
        kind=matches(r"[A-Za-z0-9 -]+(, [A-Za-z0-9 -]+)*", 'names of fonts, such as "Georgia, serif"'),
        about="The fonts of the text, the first one that is there.",
    ),
    Key(name="font_size", kind=_PIXELS, about="The size of the text, in pixels."),
    Key(name="slot_width", kind=_PIXELS, about="The most pixels that a slot is wide."),
)
"""How the pages look, without a theme."""

STORE = TableShape(
    what="[store]",
    keys=(Key(name="currency", kind=CURRENCY_CODE, about="The currency of pages that name no other."), *LOOK),
)

OPTION = TableShape(
    what="an option",
    keys=(
        Key(name="title", kind=TEXTS, required=True),
        Key(name="swatch", kind=_COLOUR),
    ),
)

DIMENSION = TableShape(
    what="a dimension",
    keys=(
        Key(name="title", kind=TEXTS, required=True),
        Key(name="options", kind=array_of(TABLE, unique=False), required=True),
    ),
)

VARIANT = TableShape(
    what="a variant",
    keys=(
        Key(name="id", kind=_ID, required=True),
        Key(
            name="options",
            kind=array_of(TEXT, unique=False),
            about="The title of one option for each dimension, in English.",
        ),
        Key(name="price", kind=PRICE),
        Key(name="before", kind=PRICE, about="The price before the sale."),
        Key(name="stock", kind=STOCK, about="Default: not managed."),
        Key(name="weight", kind=GRAMS, about="Default: the product's weight."),
        Key(name="sku", kind=TEXT, about="The item number."),
    ),
)

PRODUCT = TableShape(
    what="a product",
    keys=(
        Key(name="key", kind=_WORD, required=True, about="Its name in states and tests, such as P1."),
        Key(name="id", kind=_ID, about="Its number in addresses and payloads."),
        Key(name="title", kind=TEXTS),
        Key(name="blurb", kind=TEXTS, about="A sentence below the title."),
        Key(name="category", kind=array_of(TEXTS, unique=False)),
        Key(name="drawing", kind=one_of(*DRAWINGS), about="Default: box."),
        Key(name="sku", kind=TEXT, about="The item number."),
        Key(name="brand", kind=TEXT),
        Key(name="price", kind=PRICE),
        Key(name="before", kind=PRICE, about="The price before the sale."),
        Key(name="on_request", kind=FLAG, about="No price, so no price box and no event."),
        Key(name="stock", kind=STOCK, about="Default: not managed."),
        Key(name="weight", kind=GRAMS),
        Key(name="dimension", kind=_TABLES, about="What a shopper chooses. Replaces the variants as well."),
        Key(name="variant", kind=_TABLES),
    ),
)

CURRENCY = TableShape(
    what="a currency",
    keys=(
        Key(name="code", kind=CURRENCY_CODE, required=True),
        Key(name="symbol", kind=TEXT),
        Key(name="rate", kind=RATE, about="The amount for one euro."),
        Key(name="position", kind=one_of("before", "after"), about="Where the symbol is. Default: before."),
        Key(name="decimals", kind=_whole("a whole number from 0 to 4", 0, 4), about="Default: 2."),
        Key(name="decimal_separator", kind=SEPARATOR, about="Default: a point."),
        Key(name="thousands_separator", kind=SEPARATOR, about="Default: nothing."),
    ),
)

SHIPPING = TableShape(
    what="a way of shipping",
    keys=(
        Key(name="name", kind=_WORD, required=True),
        Key(name="title", kind=TEXTS),
        Key(name="text", kind=TEXTS, about="A line below the title."),
        Key(name="price", kind=PRICE),
    ),
)

CODE = TableShape(
    what="a discount code",
    keys=(
        Key(
            name="code",
            kind=matches(r"[A-Z0-9][A-Z0-9-]*", "capital letters, digits and hyphens"),
            required=True,
        ),
        Key(
            name="percent", kind=_whole("a whole number from 1 to 100", 1, 100), about="Of the goods' price."
        ),
    ),
)

CART = TableShape(
    what="a cart",
    keys=(
        Key(name="name", kind=_WORD, required=True),
        Key(name="title", kind=TEXT),
        Key(name="lines", kind=TEXT, about="Product, variant and quantity: 1.103x2,P3x1."),
        Key(name="code", kind=TEXT, about="A discount code of the store."),
        Key(name="shipping", kind=TEXT, about="A way of shipping of the store."),
    ),
)

SHOP_LANGUAGE = TableShape(
    what="a language",
    keys=(
        Key(name="code", kind=LANGUAGE, required=True),
        Key(name="direction", kind=one_of("ltr", "rtl"), about="Default: that of the language."),
        Key(name="texts", kind=TABLE, about="The shop's texts by key. The shop shows others in English."),
    ),
)

TABLES = {
    "product": PRODUCT,
    "currency": CURRENCY,
    "shipping": SHIPPING,
    "code": CODE,
    "cart": CART,
    "language": SHOP_LANGUAGE,
}
"""The shapes of the tables that may occur several times in a file, by the table's name."""

NESTED = {
    ("product", "dimension"): DIMENSION,
    ("product", "variant"): VARIANT,
    ("dimension", "options"): OPTION,
}
"""The shapes of the tables inside of other tables, by the outer table and its key."""

FILE = TableShape(
    what="a file of the storefront",
    keys=(Key(name="store", kind=TABLE), *(Key(name=name, kind=_TABLES) for name in TABLES)),
)
