"""The payloads' types in TypeScript and Python, and their page in the guide, written from the contract's tables.

python -m awning.contract.descriptions types

writes them again, from the repository's root; a test holds what is checked in to this.
"""

from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap
from types import MappingProxyType

from awning.contract.dialect import Dialect
from awning.contract.payload_page import payloads_page
from awning.contract.payload_parts import HEADS, PARTS, WHOLE, PayloadPart, told
from awning.contract.payloads import PayloadField, Source
from awning.contract.slots import SLOTS, Slot

WRITTEN = "Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`."
_WIDTH = 110
_TS = {"string": "string", "number": "number", "null": "null"}
_PYTHON = {"string": "str", "number": "float", "null": "None"}


def _typescript(source: Source) -> str:
    parts = [part for part in PARTS if part.source == source]
    blocks = ["\n".join([*_comment(f"{HEADS[source]}\n\n{WRITTEN}"), *_imports(source, parts)])]
    return "\n\n".join([*blocks, *map(_interface, parts)]) + "\n"


def _comment(text: str, indent: str = "") -> list[str]:
    lines = [line for paragraph in text.split("\n") for line in wrap(paragraph, _WIDTH) or [""]]
    if len(lines) == 1:
        return [f"{indent}/** {text} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _imports(source: Source, parts: list[PayloadPart]) -> Iterator[str]:
    own = {part.name for part in parts}
    used = {field.record for part in parts if not _generic(part) for field in part.fields}
    used |= {name for part in parts for name in part.extends}
    for other in ("documented", "observed", "assumed"):
        names = sorted(part.name for part in PARTS if part.source == other and part.name in used - own)
        if other != source and names:
            yield f'import type {{ {", ".join(names)} }} from "./{other}.ts";'


def _generic(part: PayloadPart) -> tuple[str, ...]:
    """The records that a documented part names, as parameters: what is inside them is not documented."""
    records = (field.record for field in part.fields if field.record)
    return tuple(dict.fromkeys(records)) if part.source == "documented" else ()


def _interface(part: PayloadPart) -> str:
    generic = f"<{', '.join(_generic(part))}>" if _generic(part) else ""
    extends = f" extends {', '.join(part.extends)}" if part.extends else ""
    lines = [*_comment(part.about), f"export interface {part.name}{generic}{extends} {{"]
    for field in part.fields:
        lines += _comment(told(field), "  ")
        lines.append(f"  {field.name}{'?' if part.optional else ''}: {_ts_type(field)};")
    return "\n".join([*lines, "}"])


def _ts_type(field: PayloadField) -> str:
    if field.record is not None:
        null = " | null" if "null" in field.types else ""
        return f"{field.record}[]" if "array" in field.types else f"{field.record}{null}"
    if field.one_of:
        return " | ".join(f'"{one}"' for one in field.one_of)
    return " | ".join(_TS[one] for one in field.types)


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
        param = _ts_parameter(slot)
        bare = Dialect(event_prefix="")
        lines.append(f'  "{slot.event(bare)}": {{ param: {param}; update: never }};')
        if slot.updates:
            update = name if "cartData" in slot.params else "PriceUpdate<Item, Variant>"
            lines.append(f'  "{slot.updated_event(bare)}": {{ param: {param}; update: {update} }};')
    return "\n".join([*lines, "}"]) + "\n"


def _ts_parameter(slot: Slot) -> str:
    [part] = [one for one in PARTS if tuple(field.name for field in one.fields) == slot.params]
    return f"{part.name}<{', '.join(_generic(part))}>"


def _python() -> str:
    about = "The payloads' shapes: what the simulated shop is typed by, and a test's expectations may be."
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
        lines += [f"    # {line}" for line in wrap(told(field), _WIDTH - 6)]
        lines.append(f"    {field.name}: {_python_type(field)}")
    return "\n".join(lines)


def _python_type(field: PayloadField) -> str:
    if field.record is not None:
        null = " | None" if "null" in field.types else ""
        return f"list[{field.record}]" if "array" in field.types else f"{field.record}{null}"
    if field.one_of:
        return f"Literal[{', '.join(map(repr, field.one_of))}]".replace("'", '"')
    return " | ".join(_PYTHON[one] for one in field.types)


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
"""By path below the repository's root."""
