"""Reads the store of the simulated shop from the TOML files of a folder.

The shipped store is the folder `shop/`. The files of a workspace's `storefront/` change or add entries: an entry with
the name of a shipped one changes only the keys that it has, and an entry with another name is new. Both folders are
read by this code.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from awning.diagnostics import has_errors
from awning.errors import Faulty
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.offsets import KeyPath
from awning.workspace.sources import STORE_FOLDER
from awning.workspace.store.agreement import report_disagreements
from awning.workspace.store.shapes import FILE, NESTED, STORE, TABLES
from awning.workspace.store.store import Store, StoreTables, store_in
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
    problems = Findings(refused=findings.refused)
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
