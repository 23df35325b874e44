"""Writes a recording into a folder: the events, states, types, a `storefront/` that plays the shop, and differences."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from awning.contract import Dialect
from awning.contract.slots import EVENTS
from awning.errors import ConfigurationError
from awning.json_document import json_document
from awning.live.captured_state import captured_state
from awning.live.captures import Capture, read_captures
from awning.live.differences import differences_in, settled_by
from awning.live.recording import Recording
from awning.live.shapes import typescript_of
from awning.workspace.added_state import state_text
from awning.workspace.document import Findings
from awning.workspace.sources import STORE_FOLDER
from awning.workspace.store import read_own_store, shipped_store
from awning.workspace.toml_text import toml_string

EVENTS_FILE, VISIT_FILE = "events.json", "visit.json"
STORE_FILE = f"{STORE_FOLDER}/recorded.toml"
_FILES = frozenset(
    (EVENTS_FILE, VISIT_FILE, "differences.json", "types.ts", "states.toml", STORE_FOLDER, STORE_FILE)
)
MOST_PRODUCTS = 100
"""The most products of a recorded store."""
_ID = re.compile(r"9[0-9]{3,8}", re.ASCII)
"""An id in a recording: a number in the place of the shop's own."""
_OWN_ID, _OWN_VARIANT_ID = 8001, 800_001
"""The first ids of a product and of variants whose id the shop does not send."""
_DEAREST = 1_000_000_000


def require_free(folder: Path) -> None:
    """Raise ConfigurationError unless the folder is new or empty, or holds an earlier recording."""
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{folder} is not a folder", hint="name another one")
    names = {file.relative_to(folder).as_posix() for file in folder.rglob("*")} if folder.is_dir() else set()
    others = sorted(names - _FILES)
    if others or (names and VISIT_FILE not in names):
        what = f": {others[0]}" if others else ""
        hint = "name a new folder; nothing was written"
        raise ConfigurationError(f"{folder} holds something else than a recording{what}", hint=hint)


def write_recording(recording: Recording, folder: Path, dialect: Dialect) -> dict[str, Any]:
    """Write the files of a recording, in the place of an earlier one. Returns what was found, for `--json`.

    Raises ConfigurationError when the folder cannot be written.
    """
    require_free(folder)
    try:
        # The folder itself stays: it may be a symbolic link, or the one in which the command runs.
        place = folder.resolve()
        place.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".awning-record-", dir=place.parent) as draft:
            whole, earlier = Path(draft) / "whole", Path(draft) / "earlier"
            report = _write(recording, whole, dialect)
            earlier.mkdir()
            try:
                _move_content(place, earlier)
                _move_content(whole, place)
            except OSError:
                _move_content(earlier, place)
                raise
    except OSError as error:
        raise ConfigurationError(f"cannot write {folder}: {error.strerror}") from None
    return report


def _move_content(source: Path, target: Path) -> None:
    for file in [*source.iterdir()]:
        file.rename(target / file.name)


def _write(recording: Recording, folder: Path, dialect: Dialect) -> dict[str, Any]:
    folder.mkdir()
    events = [dict(event.values) for event in recording.events]
    file = folder / EVENTS_FILE
    file.write_text(json.dumps(events, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    captures = read_captures([file], dialect) if events else ()
    differences = [difference for capture in captures for difference in differences_in(capture)]
    report = {
        "events": len(events),
        "differences": [
            {**difference.as_json(), "path": EVENTS_FILE, "sentence": difference.sentence}
            for difference in differences
        ],
        "places": [change.sentence for change in recording.changes],
        "settled": [{**entry.as_json(), "path": EVENTS_FILE} for entry in settled_by(captures)],
    }
    texts = {
        VISIT_FILE: json_document(_visit(recording), indent=1) + "\n",
        "differences.json": json_document(report, indent=1) + "\n",
        "types.ts": typescript_of(events),
        "states.toml": "\n".join(_states(captures)),
        STORE_FILE: "\n".join(_store_lines(recording, captures)) + "\n",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    _require_store(folder)
    return report


def _visit(recording: Recording) -> dict[str, Any]:
    """Return the order and the timing, and how the pages look. `events.json` has the arguments, in the same order."""
    return {
        "steps": list(recording.steps),
        "events": [
            {"event": event.values["event"], "page": event.page, "load": event.load, "ms": event.ms}
            for event in recording.events
        ],
        "surroundings": [asdict(entry) for entry in recording.surroundings],
        "places": [asdict(change) for change in recording.changes],
        "errors": list(recording.errors),
    }


def _states(captures: Sequence[Capture]) -> Iterator[str]:
    """Yield a state for each event: the last delivery of a page's own event, and of its update."""
    for event in EVENTS:
        own = [c for c in captures if c.slot is event.slot and c.is_update == event.is_update]
        if own and not (event.is_update and event.slot.payload.chooses_variant):
            state = captured_state(own, [event.slot.name])
            name = f"recorded-{event.short_name}"
            yield state_text(
                name, title=f"Recorded, {event.short_name}", slot=state.slot, payload=state.payload
            )


def _store_lines(recording: Recording, captures: Sequence[Capture]) -> Iterator[str]:
    yield "[store]"
    currency = next((code for code in map(_currency, captures) if code in shipped_store().currencies), None)
    if currency:
        yield f"currency = {toml_string(currency)}"
    yield from _look_lines(recording)
    taken: set[str] = set()
    for key, item in recorded_products(captures).items():
        yield from _product_lines(key, item, currency or "EUR", taken)


def recorded_products(captures: Iterable[Capture]) -> Mapping[str, Mapping[str, Any]]:
    """Return the distinct products of events, at most MOST_PRODUCTS. Of each, the first item counts."""
    products: dict[str, Mapping[str, Any]] = {}
    for capture in captures:
        item = capture.values.get("item")
        if isinstance(item, Mapping) and len(products) < MOST_PRODUCTS:
            products.setdefault(product_key(item), item)
    return products


def product_key(item: Mapping[str, Any]) -> str:
    """Return the key in the recorded store of an item. A recording has numbers in the place of ids."""
    identity = str(item.get("id"))
    return f"RECORDED-{identity}" if _ID.fullmatch(identity) else "RECORDED"


def _currency(capture: Capture) -> str | None:
    """Return the code of the currency that an event names."""
    for record, name in (("item", "currency"), ("currency", "code")):
        values = capture.values.get(record)
        if isinstance(values, Mapping) and isinstance(values.get(name), str):
            return str(values[name])
    return None


def _look_lines(recording: Recording) -> Iterator[str]:
    """Yield the look of the first slot: its own text, and the first background around it."""
    if not recording.surroundings:
        return
    around = recording.surroundings[0].around
    inner = around[0]
    background = next((look.background for look in around if look.background), "")
    for name, text in (("color", inner.color), ("background", background), ("font", inner.font)):
        if text:
            yield f"{name} = {toml_string(text)}"
    for name, number in (("font_size", inner.size), ("slot_width", inner.width)):
        if 1 <= round(number) <= 4000:  # noqa: PLR2004 - the limits of the keys
            yield f"{name} = {round(number)}"


def _product_lines(key: str, item: Mapping[str, Any], currency: str, taken: set[str]) -> Iterator[str]:
    """Yield a product with the numbers of a recorded item. Its texts were not recorded. `taken` are ids of variants."""
    identity = key.removeprefix("RECORDED").lstrip("-") or f"{_OWN_ID}"
    yield f'\n[[product]]\nkey = "{key}"\nid = "{identity}"\ntitle = "Recorded product"'
    yield from _number_lines(item, currency)
    variants = item.get("variants")
    variants = [v for v in variants if isinstance(v, Mapping)][:99] if isinstance(variants, list) else []
    if not variants:
        return
    options = ", ".join(f'{{ title = "{number}" }}' for number, _ in enumerate(variants, 1))
    yield f'\n[[product.dimension]]\ntitle = "Variant"\noptions = [{options}]'
    for number, variant in enumerate(variants, 1):
        identity = str(variant.get("id"))
        if identity in taken or not _ID.fullmatch(identity):
            identity = f"{_OWN_VARIANT_ID + len(taken)}"
        taken.add(identity)
        yield f'\n[[product.variant]]\nid = "{identity}"\noptions = ["{number}"]'
        yield from _number_lines(variant, currency)


def _number_lines(values: Mapping[str, Any], currency: str) -> Iterator[str]:
    price, before = _amount(values.get("price")), _amount(values.get("price_undiscounted"))
    yield f"price = {{ {currency} = {price or 0} }}"
    if before is not None and before > (price or 0):
        yield f"before = {{ {currency} = {before} }}"
    for name in ("weight", "stock"):
        number = _amount(values.get(name))
        if number is not None:
            yield f"{name} = {round(number)}"


def _amount(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 <= value < _DEAREST else None


def _require_store(folder: Path) -> None:
    """Leave out the storefront's file when the simulated shop cannot read it: a shop may send any number."""
    findings = Findings()
    if read_own_store(folder, [STORE_FILE], findings) is None:
        text = f"# left out: {findings.diagnostics[0].message if findings.diagnostics else 'not valid'}\n"
        (folder / STORE_FILE).write_text(text, encoding="utf-8")
