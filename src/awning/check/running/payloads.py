"""The usual payload of a page's life, made from the fields of the contract. Texts of the shop carry marks.

A mark is a tag and both quotes, twice. Where one reaches HTML as markup, a value of the payload was not escaped.
"""

from typing import Any

from awning.contract import SLOTS
from awning.contract.payloads import PARAMETERS, RECORDS, UPDATES, PayloadField

NUMBER = 21.0
IN_LIST = 19.9
STEP = 3
"""Numbers without an example: one of a record that is alone, that of the first record of a list, and the difference to
the next."""
COUNT = 2
"""The length of lists."""


def mark(number: int) -> str:
    return 2 * f"<aw{number} \"'>" + f"wa{number}"


def name_of(path: str) -> str:
    """Return a path as it is in messages: `item.variants[0].sku`."""
    return path.replace(".0", "[0]")


def _fields() -> dict[str, PayloadField]:
    """Return all fields of all payloads, by their paths. In a list, a path has a 0: `item.variants.0.sku`.

    Of an update, they are the fields that neither hold a record nor name one.
    """
    of_updates = (
        field for fields in UPDATES.values() for field in fields if not (field.record or field.id_of)
    )
    fields = {**{field.name: field for field in of_updates}, **PARAMETERS}
    waiting = list(fields)
    while waiting:
        path = waiting.pop(0)
        record = fields[path].record
        inside = f"{path}.0" if "array" in fields[path].types else path
        inner = {f"{inside}.{field.name}": field for field in (RECORDS[record] if record else ())}
        fields |= inner
        waiting += inner
    return fields


FIELDS = _fields()
MARKED = tuple(
    path
    for path, field in FIELDS.items()
    if field.types[0] == "string" and field.example is None and not field.one_of
)
"""The paths of the texts of the shop, in the order of their marks."""
MARKED_RECORDS = frozenset(path.rpartition(".")[0] for path in MARKED)
"""The records that have such texts. A field that they lack may be such a text, too."""
SOURCES = (*map(name_of, MARKED), "location.search", "location.hash")
"""What each mark stands for, by its number."""


def _value(path: str, at: int | None) -> Any:
    """Return the usual value of a field. `at` is the place of its record in a list."""
    field = FIELDS[path]
    if "array" in field.types:
        return [_record(field.record, f"{path}.0", place) for place in range(COUNT)]
    if field.record:
        return _record(field.record, path, at)
    if path in MARKED:
        text = mark(MARKED.index(path))
        return f"{text}{field.joined_by}{text}" if field.joined_by else text
    if "number" in field.types:
        return _number(field.example, at)
    text = field.one_of[0] if field.one_of else str(field.example)
    return str(int(text) + (at or 0)) if text.isdigit() else text


def _number(example: str | float | None, at: int | None) -> float:
    if isinstance(example, (int, float)):
        return example if at is None else max(example - STEP * at, 1)
    return NUMBER if at is None else IN_LIST + STEP * at


def _record(name: str | None, path: str, at: int | None) -> dict[str, Any]:
    return {field.name: _value(f"{path}.{field.name}", at) for field in RECORDS[name or ""]}


USUAL: dict[str, Any] = {name: _value(name, None) for name in FIELDS if "." not in name}
KNOWN = {
    name: {
        field.name: USUAL[name][field.name]
        for field in RECORDS[parameter.record or ""]
        if field.source != "assumed"
    }
    for name, parameter in PARAMETERS.items()
    if any(field.source == "assumed" for field in RECORDS[parameter.record or ""])
}
"""The parameters with assumed fields, without these: a real service may lack them."""
CHOSEN = {
    name: field.name
    for slot in SLOTS.values()
    for field in slot.payload.update_fields
    if "null" in field.types and field.record
    for name in (
        field.name,
        *(other.name for other in slot.payload.update_fields if other.id_of == field.record),
        *(argument.name for argument in slot.payload.arguments if argument.field.record == field.record),
    )
}
"""The records of an update that may be null, their ids, and the arguments that are made of them, with the names of the
records."""
