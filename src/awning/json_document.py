"""Writes the documents of `--json`: one form for all verbs, with the version of the schema first."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SCHEMA_VERSION = 1

_ACTIVE = re.compile("[\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Characters that a terminal acts on or that cannot be encoded. JSON allows them as they are, or as escapes."""


def json_document(fields: Mapping[str, Any], *, indent: int | None = None) -> str:
    """Return a document as text. A terminal can show it, whatever texts are in it."""
    return _dumps({"schema_version": SCHEMA_VERSION, **fields}, indent)


def json_document_with_rows(
    fields: Mapping[str, Any], name: str, rows: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the parts of a document whose last field is a list, so that not all rows are held in memory."""
    yield json_document(fields)[:-1] + f', "{name}": ['
    for number, row in enumerate(rows):
        yield (", " if number else "") + _dumps(row, None)
    yield "]}"


def _dumps(value: Any, indent: int | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _ACTIVE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
