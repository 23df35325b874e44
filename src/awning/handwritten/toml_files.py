"""Writes the TOML files of a converted widget: `widget.toml` and `states.toml`."""

import json
import re
from collections.abc import Sequence

from awning.contract import SLOTS
from awning.handwritten.addresses import (
    JQUERY,
    addresses_in_markup,
    addresses_in_style,
    is_of_other_host,
    requested_address,
)
from awning.handwritten.conversion import Conversion
from awning.handwritten.page import PartKind, SnippetPart


def write_settings(conversion: Conversion, title: str, slots: Sequence[str]) -> None:
    """Write `widget.toml`: the title, the slots, and the globals that the scripts leave, each with the reason."""
    slot = f'slot = "{slots[0]}"' if len(slots) == 1 else f"slots = {json.dumps(list(slots))}"
    rows = "".join(
        f"{name if re.fullmatch(r'[A-Za-z0-9_]+', name) else _toml_string(name)} = {_toml_string(reason)}\n"
        for name, reason in conversion.globals.items()
    )
    conversion.files["widget.toml"] = (
        f"#:schema ../../.awning/types/widget.schema.json\ntitle = {_toml_string(title)}\n{slot}\n"
        + (f"\n[globals]\n{rows}" if rows else "")
    )


def write_states(conversion: Conversion, slots: Sequence[str]) -> None:
    """Write `states.toml`. Tests ask no other host, so each state has an answer for each file of another host."""
    fetch = "".join(f"{_toml_string(address)} = 200\n" for address in _other_hosts(conversion))
    if fetch:
        fetch = f"\n[state.fetch]  # 200 is an empty answer; instead, name a file in this folder\n{fetch}"
    states = (
        f'\n[[state]]\nname = "{slot}"\ntitle = "As it was, {slot.replace("-", " ")}"\nslot = "{slot}"\n'
        f'payload = "{"P1" if SLOTS[slot].has_product else "C1"}"\n{fetch}'
        for slot in slots
    )
    conversion.files["states.toml"] = "#:schema ../../.awning/types/states.schema.json\n" + "".join(states)


def _other_hosts(conversion: Conversion) -> list[str]:
    """Return the addresses of other hosts that the snippet requests by itself, each once, without their queries.

    An answer for an address without a query is for every query. Each part with such an address gets a remark.
    """
    addresses: dict[str, None] = {}
    for part in conversion.of(PartKind.LINK, PartKind.SOURCE, PartKind.STYLE, PartKind.MARKUP):
        for written in _addresses(part):
            if (part.kind is PartKind.SOURCE and JQUERY.search(written)) or not is_of_other_host(written):
                continue
            address = requested_address(written)
            if f"{{{{{conversion.dialect.placeholder_prefix}" in re.split(r"[?#]", written)[0]:
                conversion.remark(
                    part.line,
                    f"tests ask no other host: name an answer for each language in states.toml, for {written}",
                )
            elif address is not None:
                addresses[address] = None
                conversion.remark(
                    part.line,
                    "tests ask no other host: states.toml has an empty answer; name a file there to answer with it",
                )
    return list(addresses)


def _addresses(part: SnippetPart) -> list[str]:
    if part.kind is PartKind.MARKUP:
        return addresses_in_markup(part.text)
    return addresses_in_style(part.text) if part.kind is PartKind.STYLE else [part.text.strip()]


def _toml_string(text: str) -> str:
    """Return the text as a string of TOML. It differs from JSON: no surrogate pairs, and U+007F is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
