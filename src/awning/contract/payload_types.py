"""Writes the payloads' types in TypeScript and Python, and docs/payloads.md, from the tables of `payloads.py`.

Run it in the repository's root:

python -m awning.contract.descriptions types

A test compares the files with the tables.

A record's documented, observed and assumed fields are separate interfaces, in one file per source, so that an editor
shows what the specification promises. Assumed fields are optional: a real service may lack any of them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType

from awning.contract.dialect import Dialect
from awning.contract.payloads import (
    PARAMETERS,
    PRICE_UPDATE,
    RECORDS,
    RENDER_ARGUMENTS,
    PayloadField,
    PayloadSource,
)
from awning.contract.slots import SLOTS

WRITTEN = "Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`."
_WIDTH = 110
_TS = {"string": "string", "number": "number", "null": "null"}
_PYTHON = {"string": "str", "number": "float", "null": "None"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadPart:
    """One TypeScript interface. `extends` has the names of the interfaces that it extends."""

    name: str
    source: PayloadSource
    about: str
    fields: tuple[PayloadField, ...]
    extends: tuple[str, ...] = ()

    @property
    def optional(self) -> bool:
        """Whether the interface's fields may be missing."""
        return self.source == "assumed"


def _record(
    record: str, source: PayloadSource, about: str, name: str = "", extends: tuple[str, ...] = ()
) -> PayloadPart:
    fields = tuple(field for field in RECORDS[record] if field.source == source)
    return PayloadPart(name=name or record, source=source, about=about, fields=fields, extends=extends)


def _parameter(name: str, about: str, *fields: str) -> PayloadPart:
    return PayloadPart(
        name=name, source="documented", about=about, fields=tuple(PARAMETERS[field] for field in fields)
    )


PARTS: tuple[PayloadPart, ...] = (
    _parameter(
        "PriceParam", "The event parameter of `content-after-price` and its `-updated`.", "item", "page"
    ),
    _parameter(
        "CartParam",
        "The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`.",
        "cartData",
        "currency",
        "page",
    ),
    PayloadPart(
        name="PriceUpdate",
        source="documented",
        about="The updatedItem of `content-after-price-updated`.",
        fields=PRICE_UPDATE,
    ),
    _record(
        "Variant",
        "documented",
        'By the specification, these fields override attributes of the product "such as price and weight".',
        "DocumentedVariant",
    ),
    _record("Page", "observed", "The kind of page and its language."),
    _record("Option", "observed", "The value of one dimension, such as a size."),
    _record("Variant", "observed", "A variant of a product.", extends=("DocumentedVariant",)),
    _record(
        "Item", "observed", "A product. It always has these keys in this order, and no images, URL or VAT."
    ),
    _record("CartData", "observed", "The two public fields of a cart.", "CartTotals"),
    _record("CartLine", "assumed", "A line of the cart."),
    _record("CartData", "assumed", "Further fields that a cart may have.", "CartDetails"),
    _record("Currency", "assumed", "The currency, and how prices are displayed."),
)
"""The interfaces, in the order in which they are written."""

WHOLE = ("CartData", ("CartTotals", "CartDetails"), "A cart: two observed fields, everything else assumed.")

FILE_COMMENTS: dict[PayloadSource, str] = {
    "documented": (
        "The fields that the specification promises (Apps Integration API, Events). The specification names the "
        "parts of each payload, but not their fields. Those fields are observed (seen on live pages) or assumed (not "
        "seen, needed to simulate). Treat every field that is not in this file as optional."
    ),
    "observed": 'Fields seen on live pages. The specification does not promise them ("internal fields: not shown").',
    "assumed": (
        "Fields that no public page shows. The simulated service has them so that widgets have data to show. On a real "
        "service any of them may be missing or have another name, so all of them are optional."
    ),
}

_NESTED_RECORDS: tuple[tuple[str, str, str], ...] = (
    ("Option", "options", "The value of one option, such as a size, of a variant or a line of the cart."),
    ("CartLine", "items", "The lines of the cart."),
)
"""Records that are fields of other records: the record, the field, and a description."""

_OPENING = """\
<!-- Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`. -->

# What the events bring

The fields of the arguments of a render function. Your editor shows the same, from the types that the first build
writes to `.awning/types`, and `awning check` finds a field that is not here
([payload-field](../src/awning/rules/pages/payload-field.md)).

| Known | Means |
|---|---|
| documented | the service's specification promises it |
| observed | seen on live pages, but not promised |
| assumed | not seen: the simulated shop has it as an example. It may be missing or have another name |
"""


def field_comment(field: PayloadField) -> str:
    """Return the comment of a field, which editors show: its meaning with its source, then what was observed."""
    meaning, _, rest = field.about.removesuffix(".").partition(". ")
    about = f"{meaning} ({field.source})." + (f" {rest}." if rest else "")
    return f"{about} Observed: {field.seen}" if field.seen else about


def _typescript(source: PayloadSource) -> str:
    parts = [part for part in PARTS if part.source == source]
    blocks = ["\n".join([*_comment(f"{FILE_COMMENTS[source]}\n\n{WRITTEN}"), *_imports(source, parts)])]
    return "\n\n".join([*blocks, *map(_interface, parts)]) + "\n"


def _comment(text: str, indent: str = "") -> list[str]:
    lines = [line for paragraph in text.split("\n") for line in wrap(paragraph, _WIDTH) or [""]]
    if len(lines) == 1:
        return [f"{indent}/** {text} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _imports(source: PayloadSource, parts: list[PayloadPart]) -> Iterator[str]:
    own = {part.name for part in parts}
    used = {field.record for part in parts if not _generic(part) for field in part.fields}
    used |= {name for part in parts for name in part.extends}
    for other in ("documented", "observed", "assumed"):
        names = sorted(part.name for part in PARTS if part.source == other and part.name in used - own)
        if other != source and names:
            yield f'import type {{ {", ".join(names)} }} from "./{other}.ts";'


def _generic(part: PayloadPart) -> tuple[str, ...]:
    """Return the type parameters of an interface: the names of the records that its fields have.

    Only a documented interface has type parameters. The fields of its records, such as `Item`, are not documented, so
    the types of the records are in other files.
    """
    records = (field.record for field in part.fields if field.record)
    return tuple(dict.fromkeys(records)) if part.source == "documented" else ()


def _interface(part: PayloadPart) -> str:
    generic = f"<{', '.join(_generic(part))}>" if _generic(part) else ""
    extends = f" extends {', '.join(part.extends)}" if part.extends else ""
    lines = [*_comment(part.about), f"export interface {part.name}{generic}{extends} {{"]
    for field in part.fields:
        lines += _comment(field_comment(field), "  ")
        lines.append(f"  {field.name}{'?' if part.optional else ''}: {_ts_type(field)};")
    return "\n".join([*lines, "}"])


def _ts_type(field: PayloadField) -> str:
    if field.record is not None:
        null = " | null" if "null" in field.types else ""
        return f"{field.record}[]" if "array" in field.types else f"{field.record}{null}"
    if field.one_of:
        return " | ".join(f'"{value}"' for value in field.one_of)
    return " | ".join(_TS[name] for name in field.types)


def _events() -> str:
    name, parts, about = WHOLE
    lines = [
        *_comment(f"The five events, and what each one delivers.\n\n{WRITTEN}"),
        'import type { CartDetails, Currency } from "./assumed.ts";',
        'import type { CartParam, PriceParam, PriceUpdate } from "./documented.ts";',
        'import type { CartTotals, Item, Page, Variant } from "./observed.ts";',
        "",
        *_comment(about),
        f"export interface {name} extends {', '.join(parts)} {{}}",
        "",
        *_comment("Each event's parameter and updatedItem. Names are without the service's prefix."),
        "export interface Events {",
    ]
    for slot in SLOTS.values():
        [part] = [part for part in PARTS if tuple(field.name for field in part.fields) == slot.params]
        param = f"{part.name}<{', '.join(_generic(part))}>"
        without_prefix = Dialect(event_prefix="")
        lines.append(f'  "{slot.event(without_prefix)}": {{ param: {param}; update: never }};')
        if slot.updates:
            update = name if "cartData" in slot.params else "PriceUpdate<Item, Variant>"
            lines.append(f'  "{slot.updated_event(without_prefix)}": {{ param: {param}; update: {update} }};')
    return "\n".join([*lines, "}"]) + "\n"


def _python() -> str:
    about = "The payloads as Python types, for the simulated shop and for the expectations of tests."
    name, parts, whole = WHOLE
    order = sorted(PARTS, key=lambda part: ("documented", "observed", "assumed").index(part.source))
    ready = [part for part in order if not _generic(part)]
    blocks = [
        f'"""{about}\n\n{WRITTEN}\n"""\n\nfrom typing import Literal, TypedDict',
        *(_typed_dict(part) for part in sorted(ready, key=lambda part: part.name == "Item")),
        f'class {name}({", ".join(parts)}):\n    """{whole}"""',
        *(_typed_dict(part) for part in order if _generic(part)),
    ]
    return "\n\n\n".join(blocks) + "\n"


def _typed_dict(part: PayloadPart) -> str:
    bases = ", ".join(part.extends) or "TypedDict"
    total = ", total=False" if part.optional else ""
    lines = [f"class {part.name}({bases}{total}):", f'    """{part.about}"""', ""]
    for field in part.fields:
        lines += [f"    # {line}" for line in wrap(field_comment(field), _WIDTH - 6)]
        lines.append(f"    {field.name}: {_python_type(field)}")
    return "\n".join(lines)


def _python_type(field: PayloadField) -> str:
    if field.record is not None:
        null = " | None" if "null" in field.types else ""
        return f"list[{field.record}]" if "array" in field.types else f"{field.record}{null}"
    if field.one_of:
        return f"Literal[{', '.join(map(repr, field.one_of))}]".replace("'", '"')
    return " | ".join(_PYTHON[name] for name in field.types)


def payloads_page() -> str:
    """Return the text of docs/payloads.md: a table for each record."""
    sections = []
    for argument, slots in RENDER_ARGUMENTS:
        named = "all" if len(slots) == len(SLOTS) else ", ".join(f"`{slot}`" for slot in slots)
        about = f"Slots: {named}. {argument.about}"
        sections.append(_section(f"`{argument.name}`", argument.record or "", about))
    sections += [_section(f"In `{field}`", record, about) for record, field, about in _NESTED_RECORDS]
    sections += [
        "## `updatedItem` of `content-after-price-updated`\n",
        "The service delivers this after a choice. awning makes `item` and `variant` above from it.\n",
        *_table(PRICE_UPDATE),
    ]
    return "\n".join([_OPENING, *sections]) + "\n"


def _section(title: str, record: str, about: str) -> str:
    return "\n".join([f"## {title}\n", f"{about} Type `{record}`.\n", *_table(RECORDS[record]), ""])


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


TYPES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "jsrc/types/documented.ts": lambda: _typescript("documented"),
        "jsrc/types/observed.ts": lambda: _typescript("observed"),
        "jsrc/types/assumed.ts": lambda: _typescript("assumed"),
        "jsrc/types/events.ts": _events,
        "src/awning/contract/payload_shapes.py": _python,
        "docs/payloads.md": payloads_page,
    }
)
"""The functions that write the files, by path below the repository's root."""
