"""Reads `data.schema.json`, the JSON Schema of a widget's part of the app data, and reports what is wrong with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.data_schema import ANYTHING, Part, read_schema
from awning.diagnostics import Severity
from awning.workspace.document import Findings, read_json


def read_data_schema(
    file: Path, path: str, findings: Findings
) -> tuple[Mapping[str, Any] | None, Part | None]:
    """The schema as it is written, and as it is read. None without the file. One that cannot be read takes anything."""
    if not file.exists():
        return None, None
    document = read_json(file, path, findings)
    if document is None:
        return None, ANYTHING
    part, faults = read_schema(document.values)
    for fault in faults:
        severity = Severity.WARNING if fault.warning else Severity.ERROR
        document.report(fault.rule, fault.message, fault.where, hint=fault.hint, severity=severity)
    return document.values, part
