"""Writes the machine-readable descriptions of the service, and the types of the payloads, from the contract's tables.

python -m awning.contract.descriptions docs       the descriptions
python -m awning.contract.descriptions types      the other files: WRITTEN_FILES

Tests compare the files in the repository with the tables.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from awning.contract.asyncapi import asyncapi
from awning.contract.dialect import Dialect
from awning.contract.openapi_apps import apps_openapi
from awning.contract.openapi_parts import Json
from awning.contract.openapi_reseller import reseller_openapi
from awning.contract.payload_types import TYPES, comment, imports_of, parameter_type, ts_type, update_type
from awning.contract.payloads import RECORDS, UPDATES, Argument, Payload
from awning.contract.slots import FIRST_SLOT, SLOTS, Slot

WRITTEN = "Written from src/awning/contract/slots.py by `python -m awning.contract.descriptions types`."


def slot_functions() -> str:
    """Return the text of `jsrc/runtime/slots.ts`: the slots' functions, and the arguments of render functions.

    Each function has its own copy of what it does. A function that makes them would be in every snippet, and most
    snippets have one slot.
    """
    payloads = {slot.payload.name: slot.payload for slot in SLOTS.values()}
    blocks = []
    for payload in payloads.values():
        blocks.append(_arguments(payload))
        if _is_shared(payload):
            blocks.append(f"const {_maker_name(payload)}: Args = {_maker(payload, '')};")
        blocks += [_function(slot) for slot in SLOTS.values() if slot.payload is payload]
    blocks.append(_arguments_of_a_slot(tuple(payloads.values())))
    types = [*RECORDS, *UPDATES, *(f"{name}Param" for name in payloads)]
    opening = [
        *comment(
            f"The slots: what a widget's script exports, and what its render function gets.\n\n{WRITTEN}"
        ),
        *imports_of(blocks, {"../types/index.ts": types}),
        *imports_of(blocks, {"./slot.ts": ["Args", "Common", "DataOfNoType", "Render", "Slot"]}),
    ]
    return "\n\n".join(["\n".join(opening), *blocks]) + "\n"


def _arguments(payload: Payload) -> str:
    lines = comment(f"The arguments of a render function {payload.where}.")
    lines.append(f"export interface {payload.name}Args<Data = DataOfNoType> extends Common<Data> {{")
    for argument in payload.arguments:
        lines += comment(argument.field.about, "  ")
        lines.append(f"  {argument.name}: {ts_type(argument.field)};")
    return "\n".join([*lines, "}"])


def _arguments_of_a_slot(payloads: tuple[Payload, ...]) -> str:
    names = dict.fromkeys(argument.name for payload in payloads for argument in payload.arguments)
    lines = [
        *comment(
            "The arguments of a render function whose slot TypeScript does not infer, as in "
            f"`{SLOTS[FIRST_SLOT].function}(live(({{ t }}) => ...))`: those of all slots. "
            f"`{SLOTS[FIRST_SLOT].function}<Data>(live(...))` gives them their types.\n\n@internal"
        ),
        "export interface ArgsOfASlot extends Common<any> {",
        *(f"  {name}?: any;" for name in names),
        "}",
    ]
    return "\n".join(lines)


def _is_shared(payload: Payload) -> bool:
    return sum(slot.payload is payload for slot in SLOTS.values()) > 1


def _maker_name(payload: Payload) -> str:
    return f"{payload.name[0].lower()}{payload.name[1:]}Args"


def _function(slot: Slot) -> str:
    payload, indent = slot.payload, "      "
    without_prefix = Dialect(event_prefix="")
    events = [f"`${{AWNING_EVENT_PREFIX}}{event.name(without_prefix)}`" for event in slot.events]
    maker = _maker_name(payload) if _is_shared(payload) else _maker(payload, indent)
    lines = [
        *comment(slot.about),
        f"export const {slot.function} = <Data = DataOfNoType>(render: Render<{payload.name}Args<Data>>): Slot => [",
        "  (start) =>",
        "    start(",
        f"{indent}[{', '.join(events)}],",
        f"{indent}render as Render<never>,",
        f"{indent}{maker},",
        "    ),",
        "];",
    ]
    return "\n".join(lines)


def _maker(payload: Payload, indent: str) -> str:
    """Return the function that makes the arguments from the event parameter and the updatedItem.

    An argument that another one is made of is a parameter with a default value, so that it is made first.
    """
    expressions = {argument.name: argument.expression or argument.name for argument in payload.arguments}
    first = [name for name in expressions if _is_in_another(name, payload.arguments)]
    values = [expressions[name] for name in expressions]
    names = [
        name
        for name in payload.params
        if any(re.search(rf"(?:(?<!\.)|(?<=\.\.\.))\b{name}\b", value) for value in values)
    ]
    parameters = [f"{{ {', '.join(names)} }}: {parameter_type(payload)}"]
    if any(re.search(r"\bupdate\b", value) for value in values):
        parameters.append(f"update: {update_type(payload)} | undefined")
    parameters += [f"{name} = {expressions[name]}" for name in first]
    results = [
        name if name in first or expressions[name] == name else f"{name}: {expressions[name]}"
        for name in expressions
    ]
    inner = "".join(f"{indent}  {parameter},\n" for parameter in parameters)
    result = "".join(f"{indent}  {text},\n" for text in results)
    return f"(\n{inner}{indent}) => ({{\n{result}{indent}}})"


def _is_in_another(name: str, arguments: tuple[Argument, ...]) -> bool:
    others = (argument.expression for argument in arguments if argument.name != name)
    return any(re.search(rf"(?:(?<![.\w])|(?<=\.\.\.)){name}\b(?!:)", text) for text in others)


DESCRIPTIONS: Mapping[str, Callable[[], Json]] = MappingProxyType(
    {
        "openapi/apps.json": apps_openapi,
        "openapi/reseller.json": reseller_openapi,
        "asyncapi/events.json": asyncapi,
    }
)
"""The function that makes each description, by the description's path below docs/."""


def text_of(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def write(folder: Path) -> None:
    """Write the descriptions below `folder`."""
    for path, describe in DESCRIPTIONS.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(describe()), encoding="utf-8", newline="\n")


WRITTEN_FILES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        **TYPES,
        "jsrc/runtime/slots.ts": slot_functions,
    }
)
"""The functions that write the other files, by path below the repository's root."""


def write_types(root: Path) -> None:
    """Write WRITTEN_FILES below the repository's root."""
    for path, text in WRITTEN_FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_types(Path()) if sys.argv[1] == "types" else write(Path(sys.argv[1]))
