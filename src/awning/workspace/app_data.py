"""Compares app data with `dist/data.schema.json`, the schema of the settings that the last build's widgets read."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from awning.data_schema import SchemaPart, app_misfits, has_secrets, hint_for, read_app_schema, sentence_for
from awning.diagnostics import Diagnostic, Place
from awning.errors import ConfigurationError
from awning.workspace.document import JSON_HINT, REPEATED_HINT
from awning.workspace.offsets import find_json_offsets, find_repeated_json_key, line_and_column
from awning.workspace.root import find_workspace

LONGEST_EXCERPT = 200
"""The maximum length of an excerpt. A diagnostic for a longer line has none: the data may be one very long line."""


def read_built_schema(start: Path) -> SchemaPart | None:
    """Return the data schema of the last build of the workspace around `start`; None without a workspace or a build.

    Raises ConfigurationError when the file cannot be read or is damaged.
    """
    try:
        file = find_workspace(start) / "dist" / "data.schema.json"
        schema = json.loads(file.read_text(encoding="utf-8"))
    except (ConfigurationError, FileNotFoundError):
        return None
    except (OSError, ValueError, RecursionError):
        raise ConfigurationError("dist/data.schema.json cannot be read", hint="run: awning build") from None
    if not isinstance(schema, dict):
        raise ConfigurationError("dist/data.schema.json is not a JSON object", hint="run: awning build")
    return read_app_schema(schema)


def parse_app_data(text: str, source: str) -> dict[str, Any] | str:
    """Parse app data from JSON. `source` is the name of the text in errors. They do not quote it: it may hold secrets.

    Raises ConfigurationError when `text` is neither a JSON object nor a JSON string (Apps Integration API, set_data).
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = Place(path=source, line=error.lineno, column=error.colno)
        raise ConfigurationError(f"{place} is not JSON: {error.msg}", hint=JSON_HINT) from None
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source} is not JSON: {error}") from None
    if repeated := find_repeated_json_key(text):
        line, column = line_and_column(text, repeated[1])
        place = Place(path=source, line=line, column=column)
        raise ConfigurationError(f"{place} has a key twice in one object", hint=REPEATED_HINT)
    if not isinstance(data, (dict, str)):
        raise ConfigurationError(
            f"{source} holds neither a JSON object nor a JSON string",
            hint='app data has one key per widget: {"my-widget": {}}; a text is written in quotes: "a text"',
        )
    return data


def app_data_diagnostics(data: Any, text: str, path: str, schema: SchemaPart) -> Iterator[Diagnostic]:
    """Yield the misfits of app data, each with its place in `text`, which is the JSON text of `data`."""
    offsets = None
    lines = text.split("\n")
    secret = has_secrets(schema)
    for misfit in app_misfits(data, schema):
        offsets = find_json_offsets(text) if offsets is None else offsets
        where = misfit.path
        while where and where not in offsets:
            where = where[:-1]
        line, column = line_and_column(text, offsets[where]) if where else (1, 1)
        excerpt = lines[line - 1].rstrip("\r")
        yield Diagnostic(
            rule="data-value",
            message=sentence_for(misfit, of="the app data"),
            place=Place(path=path, line=line, column=column),
            hint=hint_for(misfit),
            excerpt=None if secret or len(excerpt) > LONGEST_EXCERPT else excerpt,
        )
