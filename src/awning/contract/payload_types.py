"""Writes the payloads' types in TypeScript, and docs/payloads.md, from the tables of `payloads.py` and `slots.py`.

Run it in the repository's root:

python -m awning.contract.descriptions types

A test compares the files with the tables.

A record's documented, observed and assumed fields are separate interfaces, in one file per source, so that an editor
shows what the specification promises. Assumed fields are optional: a real service may lack any of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType

from awning.contract.dialect import Dialect
from awning.contract.payloads import (
    PAGE_ARGUMENT,
    PAYLOAD_RECORDS,
    RECORDS,
    UPDATES,
    Payload,
    PayloadField,
    PayloadRecord,
    PayloadSource,
)
from awning.contract.slots import EVENTS, SLOTS, Slot

WRITTEN = "Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`."
_WIDTH = 110
_TS = {"string": "string", "number": "number", "null": "null"}
_SOURCES: tuple[PayloadSource, ...] = ("documented", "observed", "assumed")
_PAYLOADS: tuple[Payload, ...] = tuple({slot.payload.name: slot.payload for slot in SLOTS.values()}.values())
_WITHOUT_PREFIX = Dialect(event_prefix="")


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


def _parts_of(record: PayloadRecord) -> Iterator[PayloadPart]:
    """Yield an interface for each source of the record's fields.

    The last one that has no name of its own has the record's name, and extends the others.
    """
    named = [name for name, _ in record.parts.values()]
    for source in _SOURCES:
        fields = tuple(field for field in record.fields if field.source == source)
        name, about = record.parts.get(source, (record.name, record.about))
        if fields:
            extends = tuple(named) if name == record.name else ()
            yield PayloadPart(name=name, source=source, about=about, fields=fields, extends=extends)


def _parameter(payload: Payload) -> PayloadPart:
    slots = [slot for slot in SLOTS.values() if slot.payload is payload]
    names = ", ".join(_base_and_update(slot) for slot in slots)
    about = f"The event parameter of {names}."
    return PayloadPart(
        name=f"{payload.name}Param", source="documented", about=about, fields=payload.parameter
    )


def _base_and_update(slot: Slot) -> str:
    return f"`{slot.event(_WITHOUT_PREFIX)}`" + (" and its `-updated`" if slot.updates else "")


def _update(name: str, fields: tuple[PayloadField, ...]) -> PayloadPart:
    updated = (event for event in EVENTS if event.is_update and event.slot.payload.update == name)
    about = f"The updatedItem of {' and '.join(f'`{event.name(_WITHOUT_PREFIX)}`' for event in updated)}."
    return PayloadPart(name=name, source="documented", about=about, fields=fields)


PARTS: tuple[PayloadPart, ...] = (
    *map(_parameter, _PAYLOADS),
    *(_update(name, fields) for name, fields in UPDATES.items()),
    *(part for record in PAYLOAD_RECORDS.values() for part in _parts_of(record)),
)
"""The interfaces, in the order in which they are written."""

WHOLE: tuple[PayloadRecord, ...] = tuple(
    record for record in PAYLOAD_RECORDS.values() if record.name not in {part.name for part in PARTS}
)
"""The records whose parts all have names of their own."""

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


def fieldcomment(field: PayloadField) -> str:
    """Return the comment of a field, which editors show: its meaning with its source, then what was observed."""
    meaning, _, rest = field.about.removesuffix(".").partition(". ")
    about = f"{meaning} ({field.source})." + (f" {rest}." if rest else "")
    return f"{about} Observed: {field.seen}" if field.seen else about


def _typescript(source: PayloadSource) -> str:
    parts = [part for part in PARTS if part.source == source]
    blocks = ["\n".join([*comment(f"{FILE_COMMENTS[source]}\n\n{WRITTEN}"), *_imports(source, parts)])]
    return "\n\n".join([*blocks, *map(_interface, parts)]) + "\n"


def comment(text: str, indent: str = "") -> list[str]:
    """Return the lines of a comment in TypeScript."""
    lines = [line for paragraph in text.split("\n") for line in wrap(paragraph, _WIDTH) or [""]]
    if len(lines) == 1:
        return [f"{indent}/** {text} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _imports(source: PayloadSource, parts: list[PayloadPart]) -> Iterator[str]:
    own = {part.name for part in parts}
    used = {field.record for part in parts if not _generic(part) for field in part.fields}
    used |= {name for part in parts for name in part.extends}
    for other in _SOURCES:
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
    lines = [*comment(part.about), f"export interface {part.name}{generic}{extends} {{"]
    for field in part.fields:
        lines += comment(fieldcomment(field), "  ")
        lines.append(f"  {field.name}{'?' if part.optional else ''}: {ts_type(field)};")
    return "\n".join([*lines, "}"])


def ts_type(field: PayloadField) -> str:
    """Return the type of a field in TypeScript."""
    if field.record is not None:
        null = " | null" if "null" in field.types else ""
        return f"{field.record}[]" if "array" in field.types else f"{field.record}{null}"
    if field.one_of:
        return " | ".join(f'"{value}"' for value in field.one_of)
    return " | ".join(_TS[name] for name in field.types)


def _events() -> str:
    lines = [
        *comment(f"The events, and what each one delivers.\n\n{WRITTEN}"),
        *imports_of(
            [*map(parameter_type, _PAYLOADS), *map(update_type, _PAYLOADS), *map(_parts_named, WHOLE)],
            {f"./{source}.ts": [part.name for part in PARTS if part.source == source] for source in _SOURCES},
        ),
        "",
    ]
    for record in WHOLE:
        lines += comment(record.about)
        lines += [f"export interface {record.name} extends {_parts_named(record)} {{}}", ""]
    lines += comment("Each event's parameter and updatedItem. Names are without the service's prefix.")
    lines.append("export interface Events {")
    for event in EVENTS:
        param = parameter_type(event.slot.payload)
        update = update_type(event.slot.payload) if event.is_update else "never"
        lines.append(f'  "{event.name(_WITHOUT_PREFIX)}": {{ param: {param}; update: {update} }};')
    return "\n".join([*lines, "}"]) + "\n"


def _parts_named(record: PayloadRecord) -> str:
    return ", ".join(name for name, _ in record.parts.values())


def imports_of(texts: Iterable[str], names: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the imports of the types that the texts name. `names` are those that each file exports."""
    named = {word for text in texts for word in re.findall(r"\w+", text)}
    for file in sorted(names):
        if own := sorted(named.intersection(names[file])):
            yield f'import type {{ {", ".join(own)} }} from "{file}";'


def parameter_type(payload: Payload) -> str:
    """Return the TypeScript type of the event parameter: `PriceParam<Item, Page>`."""
    return _with_records(f"{payload.name}Param")


def update_type(payload: Payload) -> str:
    """Return the TypeScript type of updatedItem: `PriceUpdate<Item, Variant>`; "" without updates."""
    name = payload.update or ""
    return _with_records(name) if name in UPDATES else name


def _with_records(name: str) -> str:
    [part] = [part for part in PARTS if part.name == name]
    return f"{name}<{', '.join(_generic(part))}>" if _generic(part) else name


def payloads_page() -> str:
    """Return the text of docs/payloads.md: the fields of each record."""
    sections = []
    arguments = {
        argument.name: argument.field for slot in SLOTS.values() for argument in slot.payload.arguments
    }
    for name, field in arguments.items():
        slots = [
            f"`{slot.name}`"
            for slot in SLOTS.values()
            if name in (argument.name for argument in slot.payload.arguments)
        ]
        about = f"Slots: {', '.join(slots)}. {field.about}"
        sections.append(_section(f"`{name}`", field.record or "", about))
    about = f"Slots: all. {PAGE_ARGUMENT.about}"
    sections.append(_section(f"`{PAGE_ARGUMENT.name}`", PAGE_ARGUMENT.record or "", about))
    own_sections = {field.record for field in (*arguments.values(), PAGE_ARGUMENT)}
    nested = {
        field.record: field.name
        for fields in reversed([*RECORDS.values()])
        for field in fields
        if field.record and field.record not in own_sections
    }
    sections += [
        _section(f"In `{nested[record.name]}`", record.name, record.about)
        for record in PAYLOAD_RECORDS.values()
        if record.name in nested
    ]
    sections += [
        section for payload in _PAYLOADS if payload.update in UPDATES for section in _update_section(payload)
    ]
    return "\n".join([_OPENING, *sections]) + "\n"


def _update_section(payload: Payload) -> list[str]:
    [part] = [part for part in PARTS if part.name == payload.update]
    title = part.about.removeprefix("The ").removesuffix(".").replace("updatedItem", "`updatedItem`")
    names = " and ".join(f"`{argument.name}`" for argument in payload.arguments)
    about = f"The service delivers this after a choice. awning makes {names} above from it.\n"
    return [f"## {title}\n", about, *_entries(part.fields)]


def _section(title: str, record: str, about: str) -> str:
    return "\n".join([f"## {title}\n", f"{about} Type `{record}`.\n", *_entries(RECORDS[record]), ""])


def _entries(fields: tuple[PayloadField, ...]) -> Iterator[str]:
    for field in fields:
        meaning = " ".join(filter(None, (field.about, field.seen and f"Observed: {field.seen}")))
        yield f"- `{field.name}` ({_type(field)}, {field.source}): {meaning}"


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
        "docs/payloads.md": payloads_page,
    }
)
"""The functions that write the files, by path below the repository's root."""
