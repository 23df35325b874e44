"""docs/payloads.md, written from the contract's tables: what is inside the events' payloads, and how it is known."""

from collections.abc import Iterator

from awning.contract.payloads import GIVEN, PRICE_UPDATE, RECORDS, PayloadField
from awning.contract.slots import SLOTS

_INSIDE: tuple[tuple[str, str, str], ...] = (
    ("Option", "options", "Of a variant and of a line of the cart: the value of one option, such as a size."),
    ("CartLine", "items", "Of the cart: its lines."),
)
"""Records that others hold: record, field, about."""

_OPENING = """\
<!-- Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`. -->

# What the events bring

The fields of what a render function gets. Your editor shows the same, from the types that the first build writes to
`.awning/types`, and `awning check` finds a field that is not here ([payload-field](rules/payload-field.md)).

| Known | Means |
|---|---|
| documented | the service's specification promises it |
| observed | seen on live pages, promised nowhere |
| assumed | seen nowhere: the simulated shop has it to have something to show. It may be missing or called otherwise |
"""


def payloads_page() -> str:
    """The page, with a table for each record."""
    sections = [_given(field, slots) for field, slots in GIVEN]
    sections += [_section(f"In `{field}`", record, about) for record, field, about in _INSIDE]
    return "\n".join([_OPENING, *sections, *_update()]) + "\n"


def _given(field: PayloadField, slots: tuple[str, ...]) -> str:
    named = "all" if len(slots) == len(SLOTS) else ", ".join(f"`{slot}`" for slot in slots)
    return _section(f"`{field.name}`", field.record or "", f"Slots: {named}. {field.about}")


def _section(title: str, record: str, about: str) -> str:
    return "\n".join([f"## {title}\n", f"{about} Type `{record}`.\n", *_table(RECORDS[record]), ""])


def _update() -> Iterator[str]:
    yield "## `updatedItem` of `content-after-price-updated`\n"
    yield "What the service delivers after a choice; `item` and `variant` above are made from it.\n"
    yield from _table(PRICE_UPDATE)


def _table(fields: tuple[PayloadField, ...]) -> Iterator[str]:
    yield "| Field | Type | Known | Means |"
    yield "|---|---|---|---|"
    for field in fields:
        meaning = " ".join(filter(None, (field.about, field.seen and f"Observed: {field.seen}")))
        yield f"| `{field.name}` | {_type(field)} | {field.source} | {meaning} |"


def _type(field: PayloadField) -> str:
    if field.one_of:
        return " or ".join(f'`"{value}"`' for value in field.one_of)
    names = {"array": f"list of `{field.record}`", "object": f"`{field.record}`"}
    return " or ".join(names.get(name, name) for name in field.types)
