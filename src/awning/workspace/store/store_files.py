"""Reads the store of the simulated shop from the TOML files of a folder.

The shipped store is the folder `shop/`. The files of a workspace's `storefront/` change or add entries: an entry with
the name of a shipped one changes only the keys that it has, and an entry with another name is new. Both folders are
read by this code.

The entries must fit each other: variants and dimensions, prices and currencies, carts, ids, texts. A problem is
reported at an entry of the folder that is read. An entry of the shipped store that no longer fits, such as a cart with
a product that is now sold on request, is reported at the entry that caused it, as far as that is known.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from awning.diagnostics import did_you_mean, has_errors
from awning.errors import Faulty
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.offsets import KeyPath
from awning.workspace.sources import STORE_FOLDER
from awning.workspace.store.records import CART_LINE, Dimension, text
from awning.workspace.store.shapes import FILE, NESTED, STORE, TABLES
from awning.workspace.store.store import (
    BASE_CURRENCY,
    Store,
    StoreTables,
    make_dimensions,
    option_index,
    store_in,
)
from awning.workspace.validation import TableShape, validate_table

_SHIPPED = Path(__file__).parent / "shop"

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "product": ("id", "title", "price"),
    "variant": ("options", "price"),
    "currency": ("symbol", "rate"),
    "shipping": ("title", "price"),
    "code": ("percent",),
    "cart": ("lines",),
    "language": (),
}
"""The keys that an entry needs after it is merged with the shipped entry of the same name."""


@dataclass(frozen=True, slots=True)
class StoreEntry:
    """One table of a file, and its place."""

    document: Document
    at: KeyPath
    values: Mapping[str, Any]


@dataclass(slots=True)
class Merging:
    """A store while the files of a folder are merged into it."""

    settings: dict[str, Any]
    tables: dict[str, dict[str, dict[str, Any]]]
    own: dict[tuple[str, str], StoreEntry] = field(default_factory=dict)
    """The entries of the folder, by kind and name."""

    def take(self, kind: str, name: str, entry: StoreEntry) -> None:
        """Add an entry, or merge it into the entry of the same name. A name that the folder repeats is reported."""
        known = self.own.setdefault((kind, name), entry)
        if known is not entry:
            place = known.document.place((*known.at, TABLES[kind].keys[0].name))
            message = f'another {kind} "{name}" is already in {place}'
            hint = "put all keys into one of the two"
            entry.document.report("repeated", message, (*entry.at, TABLES[kind].keys[0].name), hint=hint)
        before = self.tables[kind].get(name, {})
        merged = {**before, **entry.values}
        if kind == "product":
            merged = _merge_product(before, entry.values)
            _report_repeated_variants(entry)
        if kind == "language":
            merged["texts"] = {**before.get("texts", {}), **entry.values.get("texts", {})}
        self.tables[kind][name] = merged


def _report_repeated_variants(entry: StoreEntry) -> None:
    ids = [table.get("id") for table in entry.values.get("variant", ())]
    for index, variant_id in enumerate(ids):
        if variant_id is not None and variant_id in ids[:index]:
            message = f'another variant "{variant_id}" is already above'
            entry.document.report("repeated", message, (*entry.at, "variant", index, "id"))


def _merge_product(before: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the product `before`, overridden by `own`. Variants are merged by id.

    If `own` has dimensions, the variants of `before` are dropped. If `own` has a price but no `on_request`, the product
    is no longer on request.
    """
    merged = {**before, **own}
    if "price" in own and "on_request" not in own:
        merged.pop("on_request", None)
    variants = {} if "dimension" in own else {table["id"]: table for table in before.get("variant", ())}
    for table in own.get("variant", ()):
        variants[table.get("id")] = {**variants.get(table.get("id"), {}), **table}
    merged["variant"] = tuple(variants.values())
    return merged


@cache
def shipped_store() -> Store:
    """Return the store that awning ships, in its own currency. Raises Faulty when its files are invalid."""
    findings = Findings()
    store = _read_folder(_SHIPPED, "shop", None, findings)
    if store is None:
        raise Faulty(tuple(findings.diagnostics))
    return store


def read_own_store(root: Path, paths: Iterable[str], findings: Findings) -> Store | None:
    """Return the store of the workspace at `root`, whose files are at `paths`; None when they have errors."""
    return _read_folder(root / STORE_FOLDER, STORE_FOLDER, shipped_store(), findings, sorted(paths))


def _read_folder(
    folder: Path, path: str, base: Store | None, findings: Findings, paths: Iterable[str] | None = None
) -> Store | None:
    """Return the store of one folder, merged into `base`; None when it has errors. Problems are added to `findings`."""
    if paths is None:
        paths = sorted(f"{path}/{file.name}" for file in folder.glob("*.toml"))
    problems = Findings(refused=findings.refused, unsaved=findings.unsaved)
    read = (read_toml(folder / file.rpartition("/")[2], file, problems) for file in paths)
    documents = [document for document in read if document]
    store = _merge(documents, base, problems)
    findings.diagnostics.extend(problems.diagnostics)
    return store


def _merge(documents: Iterable[Document], base: Store | None, problems: Findings) -> Store | None:
    source = base.source if base else StoreTables(settings={}, tables={})
    tables = {kind: dict(source.tables.get(kind, {})) for kind in TABLES}
    merging = Merging(settings=dict(source.settings), tables=tables)  # type: ignore[arg-type]
    digest = hashlib.sha256()
    for document in documents:
        digest.update(f"{document.path}\0{document.text}\0".encode())
        _read_document(document, merging)
    if has_errors(problems.diagnostics):
        return None
    for (kind, _), entry in merging.own.items():
        _report_missing(kind, entry, merging)
    if has_errors(problems.diagnostics):
        return None
    fingerprint = digest.hexdigest() if base else ""
    merged = StoreTables(settings=merging.settings, tables=merging.tables, fingerprint=fingerprint)
    places = {name: (entry.document, entry.at) for name, entry in merging.own.items()}
    report_disagreements(merged, places)
    return None if has_errors(problems.diagnostics) else store_in(merged, merged.settings["currency"])


def _read_document(document: Document, merging: Merging) -> None:
    values = validate_table(document, document.values, FILE)
    settings = validate_table(document, values.get("store", {}), STORE, ("store",))
    merging.settings |= settings
    if settings:
        merging.own["store", ""] = StoreEntry(document, ("store",), settings)
    for kind, shape in TABLES.items():
        for index, table in enumerate(values.get(kind, ())):
            at = (kind, index)
            entry = StoreEntry(document, at, _read_table(document, table, kind, shape, at))
            name = entry.values.get(shape.keys[0].name)
            if name is not None:
                merging.take(kind, name, entry)


def _read_table(
    document: Document, table: Mapping[str, Any], kind: str, shape: TableShape, at: KeyPath
) -> dict[str, Any]:
    """Return the valid keys of a table, with the tables inside it."""
    values = validate_table(document, table, shape, at)
    for (outer, key), nested in NESTED.items():
        if outer == kind and key in values:
            values[key] = tuple(
                _read_table(document, inner, key, nested, (*at, key, index))
                for index, inner in enumerate(values[key])
            )
    return values


def _report_missing(kind: str, entry: StoreEntry, merging: Merging) -> None:
    """Report needed keys that neither the entry nor the shipped entry of the same name has."""
    if kind == "store":
        return
    name = entry.values[TABLES[kind].keys[0].name]
    merged = merging.tables[kind][name]
    free = {"price"} if merged.get("on_request") else set()
    what = f'the {kind} "{name}", which is new,'
    _report(entry.document, what, TABLES[kind], (merged, set(_NEEDED[kind]) - free), entry.at)
    own_ids = [table.get("id") for table in entry.values.get("variant", ())]
    for table in merged.get("variant", ()):
        if table.get("id") in own_ids:
            at = (*entry.at, "variant", own_ids.index(table.get("id")))
            variant = NESTED["product", "variant"]
            what = f'the variant "{table.get("id")}", which is new,'
            _report(entry.document, what, variant, (table, set(_NEEDED["variant"])), at)


def _report(
    document: Document, what: str, shape: TableShape, merged: tuple[Mapping[str, Any], set[str]], at: KeyPath
) -> None:
    values, needed = merged
    for key in shape.keys:
        if key.name in needed and key.name not in values:
            hint = f"add: {key.name} = …  ({key.kind.expected})"
            document.report_missing_key(what, (*at, key.name), hint)


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
