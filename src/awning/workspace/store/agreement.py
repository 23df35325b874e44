"""Checks that the entries of a store fit each other: variants and dimensions, prices and currencies, carts, ids, texts.

A problem is reported at an entry of the folder that is read. An entry of the shipped store that no longer fits, such as
a cart with a product that is now sold on request, is reported at the entry that caused it, as far as that is known.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from string import Formatter
from typing import Any

from awning.diagnostics import did_you_mean
from awning.workspace.document import Document
from awning.workspace.offsets import KeyPath
from awning.workspace.store.records import CART_LINE, Dimension, text
from awning.workspace.store.store import BASE_CURRENCY, StoreTables, make_dimensions, option_index, store_in

Places = Mapping[tuple[str, str], tuple[Document, KeyPath]]
"""The file of each entry, and the path of its table in this file, by the entry's kind and name. [store] has no name."""

_PRICES = ("price", "before")


def report_disagreements(source: StoreTables, places: Places) -> None:
    """Report every problem that the entries at `places` have or cause in the store.

    Carts are checked only when there is no other problem.
    """
    _check_settings(source, places)
    for (kind, name), (document, at) in places.items():
        table = source.tables[kind][name] if kind in source.tables else {}
        if kind in ("product", "shipping"):
            _check_prices(source, document, at)
        if kind == "product":
            _check_variants(table, document, at)
        if kind == "language":
            _check_texts(source, table, document, at)
    _check_ids(source, places)
    if not any(document.findings.diagnostics for document, _ in places.values()):
        _check_carts(source, places)


def _check_settings(source: StoreTables, places: Places) -> None:
    code = source.settings["currency"]
    if code not in source.currencies:
        document, at = places["store", ""]
        _report_unknown(document, "currency", code, source.currencies, (*at, "currency"))


def _report_unknown(document: Document, what: str, name: str, known: Any, at: KeyPath) -> None:
    hint = did_you_mean(name, known) or f"the store has: {', '.join(known)}"
    document.report("unknown-value", f'the store has no {what} "{name}"', at, hint=hint)


def _check_prices(source: StoreTables, document: Document, at: KeyPath) -> None:
    for where, key, price in _prices_of(document, at):
        by_code = price if isinstance(price, dict) else {BASE_CURRENCY: price}
        for code, amount in by_code.items():
            currency = source.currencies.get(code)
            place = (*where, key, code) if isinstance(price, dict) else (*where, key)
            if currency is None:
                _report_unknown(document, "currency", code, source.currencies, place)
            elif (Fraction(str(amount)) * 10**currency.decimals).denominator != 1:
                message = f"{amount} has more decimals than {code}, which has {currency.decimals}"
                document.report("wrong-type", message, place, hint="round the amount")


def _prices_of(document: Document, at: KeyPath) -> Iterator[tuple[KeyPath, str, Any]]:
    """Return each price of an entry and of its variants in the file: the path of its table, its key and its value."""
    table: Any = document.values
    for part in at:
        table = table[part]
    tables = [(at, table), *(((*at, "variant", i), v) for i, v in enumerate(table.get("variant", ())))]
    return ((where, key, inner[key]) for where, inner in tables for key in _PRICES if key in inner)


def _check_variants(table: Mapping[str, Any], document: Document, at: KeyPath) -> None:
    dimensions = make_dimensions(table)
    variants = table.get("variant", ())
    if dimensions and not variants:
        message = f'the product "{table["key"]}" has dimensions and no variant'
        hint = "add a [[product.variant]] for each combination that is sold"
        document.report("missing-key", message, (*at, "dimension", 0), hint=hint)
    own = _own_variants(document, at)
    above: dict[tuple[str, ...], str] = {}
    for variant in variants:
        where = (*at, "variant", own[variant["id"]]) if variant["id"] in own else (*at, "variant")
        options = tuple(variant["options"])
        if len(options) != len(dimensions):
            message = (
                f"the variant has {len(options)} options, and the product has {len(dimensions)} dimensions"
            )
            hint = f"dimensions: {', '.join(text(d.title, 'en') for d in dimensions) or 'none'}"
            document.report("wrong-type", message, (*where, "options"), hint=hint)
            continue
        twin = above.setdefault(options, variant["id"])
        if twin != variant["id"]:
            message = f'the variant "{twin}" has the same options'
            document.report(
                "repeated", message, (*where, "options"), hint="change the options of one of the two"
            )
        for index, (dimension, name) in enumerate(zip(dimensions, options, strict=True)):
            _check_option(dimension, name, document, (*where, "options", index))


def _check_option(dimension: Dimension, name: str, document: Document, at: KeyPath) -> None:
    if option_index(dimension, name) is None:
        titles = [text(option.title, "en") for option in dimension.options]
        message = f'{text(dimension.title, "en")} has no option "{name}"'
        hint = did_you_mean(name, titles) or f"options: {', '.join(titles)}"
        document.report("unknown-value", message, at, hint=hint)


def _own_variants(document: Document, at: KeyPath) -> dict[str, int]:
    """Return the index of each variant that the product at `at` has in its file, by the variant's id."""
    kind, index = at
    table: Any = document.values[str(kind)][index]
    return {variant["id"]: number for number, variant in enumerate(table.get("variant", ()))}


def _check_ids(source: StoreTables, places: Places) -> None:
    """Report each id that two products share, or that variants of two different products share.

    Addresses and payloads identify products and variants by their ids.
    """
    products: dict[str, str] = {}
    variants: dict[str, str] = {}
    for key, table in source.tables["product"].items():
        twin = products.setdefault(table["id"], key)
        if twin != key:
            message = f'the product "{twin}" has the id "{table["id"]}" too'
            document, at = places.get(("product", key)) or places["product", twin]
            document.report("repeated", message, (*at, "id"), hint="give each product an id of its own")
        for variant in table.get("variant", ()):
            twin = variants.setdefault(variant["id"], key)
            if twin != key:
                document, at = places.get(("product", key)) or places["product", twin]
                own = _own_variants(document, at)
                where = (*at, "variant", own[variant["id"]], "id") if variant["id"] in own else at
                message = f'a variant of the product "{twin}" has the id "{variant["id"]}" too'
                document.report("repeated", message, where, hint="give each variant an id of its own")


def _check_texts(source: StoreTables, table: Mapping[str, Any], document: Document, at: KeyPath) -> None:
    known = source.tables["language"]["en"]["texts"]
    for key, value in table.get("texts", {}).items():
        where = (*at, "texts", key)
        if key not in known:
            document.report_unknown_key("the shop's texts", where, known)
        elif not isinstance(value, str):
            document.report("wrong-type", f'"{key}" must be a text', where, hint="write a text in quotes")
        elif (names := _names_in(value)) is None or names - (_names_in(known[key]) or set()):
            allowed = ", ".join(f"{{{name}}}" for name in sorted(_names_in(known[key]) or ())) or "none"
            document.report(
                "unknown-value",
                f'"{key}" has a name in braces that has no value',
                where,
                hint=f"names: {allowed}",
            )


def _names_in(value: str) -> set[str] | None:
    """Return the names in braces of a text; None when the braces are not balanced."""
    try:
        return {name for _, name, _, _ in Formatter().parse(value) if name is not None}
    except ValueError:
        return None


def _check_carts(source: StoreTables, places: Places) -> None:
    store = store_in(source, source.settings["currency"])
    for name, cart in store.carts.items():
        place = places.get(("cart", name))
        for part in cart.lines.split(","):
            if not store.is_line(part):
                match = CART_LINE.fullmatch(part)
                product = store.find_product(match["product"]) if match else None
                named = places.get(("product", product.key if product else ""))
                document, at = place or named or next(iter(places.values()))
                message = f'the cart "{name}" has the line "{part}", which cannot be bought'
                hint = 'a line is product, variant and quantity, such as "1.103x2" or "P3x1"'
                where = (*at, "lines") if place else at
                document.report("unknown-value", message, where, hint=hint)
        if place and cart.code is not None and cart.code not in store.codes:
            _report_unknown(place[0], "discount code", cart.code, store.codes, (*place[1], "code"))
        if place and cart.shipping is not None and cart.shipping not in store.shipping:
            _report_unknown(
                place[0], "way of shipping", cart.shipping, store.shipping, (*place[1], "shipping")
            )
