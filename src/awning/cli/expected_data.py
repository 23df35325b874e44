"""App data against what the last build's widgets read of it (`dist/data.schema.json`)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from awning.data_schema import Part, app_misfits, has_secrets, hint_for, read_app_schema, sentence_for
from awning.diagnostics import Diagnostic, Place
from awning.errors import ConfigurationError
from awning.workspace.offsets import find_json_offsets, line_and_column
from awning.workspace.root import find_workspace

LONGEST_LINE = 200
"""Characters of a line that is shown: a file of one line says nothing by it."""


def expected_data() -> Part | None:
    """What the build of the workspace around here reads; None without a build. Raises ConfigurationError."""
    try:
        file = find_workspace(Path.cwd()) / "dist" / "data.schema.json"
        schema = json.loads(file.read_text(encoding="utf-8"))
    except (ConfigurationError, FileNotFoundError):
        return None
    except (OSError, ValueError, RecursionError):
        raise ConfigurationError("dist/data.schema.json cannot be read", hint="run: awning build") from None
    if not isinstance(schema, dict):
        raise ConfigurationError("dist/data.schema.json is not a JSON object", hint="run: awning build")
    return read_app_schema(schema)


def data_findings(data: Any, text: str, path: str, app: Part) -> Iterator[Diagnostic]:
    """What of `data` does not fit, at its place in `text`, the JSON that it was read from."""
    offsets = None
    lines = text.split("\n")
    secret = has_secrets(app)
    for misfit in app_misfits(data, app):
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
            excerpt=None if secret or len(excerpt) > LONGEST_LINE else excerpt,
        )
