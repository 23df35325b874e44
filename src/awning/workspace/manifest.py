"""Reads `manifest.toml`. It must have the fields that a build needs, and must not have the secret.

Unknown fields, and values that the portal would refuse, are warnings. `awning manifest check` checks for missing fields
and the icon's size.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.contract.manifest_fields import MANIFEST_FIELDS, SECRET_FIELD, TABLES
from awning.contract.manifest_kinds import Allowed
from awning.contract.manifest_rules import check_manifest
from awning.diagnostics import Diagnostic, Severity, closest
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.validation import describe_value

NEEDED = tuple(field.name for field in MANIFEST_FIELDS if field.needed)
"""The fields that every build needs."""


def read_manifest(root: Path, findings: Findings) -> Mapping[str, Any]:
    """Return the manifest's fields, without the secret, and report all problems. {} when the file cannot be parsed."""
    document = read_toml(root / "manifest.toml", "manifest.toml", findings)
    if document is None:
        return {}
    _report_unknown_fields(document)
    for name in NEEDED:
        value = document.values.get(name)
        if value is None:
            document.report_missing_key("manifest.toml", (name,))
        elif not isinstance(value, str) or not value.strip():
            document.report(
                "wrong-type",
                f'"{name}" must be a string that is not empty, not {describe_value(value)}',
                (name,),
            )
    # Warn of values that the portal would refuse.
    for finding in check_manifest(document.values, Allowed(loopback=True, without_secret=True)):
        where = tuple(finding.field.split("."))
        if finding.severity == "error" and where[0] not in NEEDED and _has_field(document.values, where):
            message = f"{finding.field} {finding.message}"
            document.report("manifest-field", message, where)
    if SECRET_FIELD in document.values:
        message = f"{SECRET_FIELD} must not be in this file, which is kept with the source"
        document.findings.add(
            Diagnostic(  # no excerpt, because it would show the secret
                rule="manifest-secret",
                message=message,
                place=document.place((SECRET_FIELD,)),
                hint="set the environment variable AWNING_APP_SECRET",
            )
        )
    return {name: value for name, value in document.values.items() if name != SECRET_FIELD}


def _report_unknown_fields(document: Document) -> None:
    names = {field.name for field in MANIFEST_FIELDS}
    top = {name for name in names if "." not in name}
    missing = [name for name in NEEDED if name not in document.values]
    for name in [name for name in document.values if name not in top]:
        severity = Severity.ERROR if closest(name, missing) else Severity.WARNING
        document.report_unknown_key("manifest.toml", (name,), top, severity)
    for table in TABLES:
        known = {name.removeprefix(f"{table}.") for name in names if name.startswith(f"{table}.")}
        inner = document.values.get(table)
        for name in [name for name in inner if name not in known] if isinstance(inner, dict) else ():
            document.report_unknown_key(f"[{table}]", (table, name), known, Severity.WARNING)


def _has_field(values: Any, where: tuple[str, ...]) -> bool:
    for name in where:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True
