"""Reads `manifest.toml`: what a build needs of it must be there, and no secret in it.

What would only keep it from being submitted is a warning at its place: a field with a wrong value, or one that is
not in the table. What is missing is `awning manifest check`'s to say, and the icon's size.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.contract.manifest_rules import Allowed, judge
from awning.diagnostics import Diagnostic, Severity
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.shape import shown

SECRET = "app_secret"  # noqa: S105 - the field's name
NEEDED = ("app_title", "app_version")
"""What a build is named after."""


def read_manifest(root: Path, findings: Findings) -> Mapping[str, Any]:
    """The manifest's fields, without the secret."""
    document = read_toml(root / "manifest.toml", "manifest.toml", findings)
    if document is None:
        return {}
    _note_unknown(document)
    for name in NEEDED:
        _require_text(document, name)
    _note_faults(document)
    if SECRET in document.values:
        message = f"{SECRET} must not stand in a file that is kept with the source"
        document.findings.add(
            Diagnostic(  # without the excerpt, which would show it
                rule="manifest-secret",
                message=message,
                place=document.place((SECRET,)),
                hint="set the environment variable AWNING_APP_SECRET",
            )
        )
    return {name: value for name, value in document.values.items() if name != SECRET}


def _note_unknown(document: Document) -> None:
    names = {field.name for field in MANIFEST_FIELDS}
    top = {name for name in names if "." not in name}
    vendor = {name.removeprefix("app_vendor.") for name in names - top}
    for name in [name for name in document.values if name not in top]:
        document.unknown("manifest.toml", (name,), top, Severity.WARNING)
    inner = document.values.get("app_vendor")
    for name in [name for name in inner if name not in vendor] if isinstance(inner, dict) else ():
        document.unknown("[app_vendor]", ("app_vendor", name), vendor, Severity.WARNING)


def _require_text(document: Document, name: str) -> None:
    value = document.values.get(name)
    if value is None:
        document.report("missing-key", f'manifest.toml has no "{name}"')
    elif not isinstance(value, str) or not value.strip():
        document.report(
            "wrong-type", f'"{name}" must be a string that is not empty, not {shown(value)}', (name,)
        )


def _note_faults(document: Document) -> None:
    """Values that the portal would refuse, by the one table of rules."""
    for finding in judge(document.values, Allowed(loopback=True, without_secret=True)):
        where = tuple(finding.field.split("."))
        if finding.severity == "error" and where[0] not in NEEDED and _holds(document.values, where):
            message = f"{finding.field} {finding.message}"
            document.report("manifest-field", message, where, severity=Severity.WARNING)


def _holds(values: Any, where: tuple[str, ...]) -> bool:
    for name in where:
        if not isinstance(values, dict) or name not in values:
            return False
        values = values[name]
    return True
