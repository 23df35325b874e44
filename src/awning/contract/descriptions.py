"""Writes the machine-readable descriptions of the service, and the types of the payloads, from the contract's tables.

python -m awning.contract.descriptions docs       the descriptions
python -m awning.contract.descriptions types      the other files: WRITTEN_FILES

Tests compare the files in the repository with the tables.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from awning.contract.asyncapi import asyncapi
from awning.contract.openapi_apps import apps_openapi
from awning.contract.openapi_parts import Json
from awning.contract.openapi_reseller import reseller_openapi
from awning.contract.payload_types import TYPES
from awning.contract.slot_functions import slot_functions

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
