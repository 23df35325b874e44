"""Writes the documents of `--json`: one form for all verbs, with the version of the schema first."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from awning.diagnostics import ACTIVE

SCHEMA_VERSION = 1


def json_document(fields: Mapping[str, Any], *, indent: int | None = None) -> str:
    """Return a document as text. A terminal can show it, whatever texts are in it."""
    return json_text({"schema_version": SCHEMA_VERSION, **fields}, indent)


def json_document_with_rows(
    fields: Mapping[str, Any], name: str, rows: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield the parts of a document whose last field is a list, so that not all rows are held in memory."""
    yield json_document(fields)[:-1] + f', "{name}": ['
    for number, row in enumerate(rows):
        yield (", " if number else "") + json_text(row, None)
    yield "]}"


def json_text(value: Any, indent: int | None) -> str:
    """Return a value as JSON that a terminal can show.

    JSON allows the characters that a terminal acts on as they are, or as escapes.
    """
    lines = json.dumps(value, ensure_ascii=False, indent=indent).split("\n")
    return "\n".join(ACTIVE.sub(lambda match: json.dumps(match[0])[1:-1], line) for line in lines)
