"""Reads `manifest.toml` as far as a build needs it: the app's title and version, and that no secret is in it.

The rules of its fields are the manifest check's (`awning manifest check`); a field that is not in the table is a
warning here as there, since a service may know more fields than the specification shows.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.diagnostics import Diagnostic, Severity
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.shape import shown

SECRET = "app_secret"  # noqa: S105 - the field's name


def read_manifest(root: Path, findings: Findings) -> Mapping[str, Any]:
    """The manifest's fields, without the secret."""
    document = read_toml(root / "manifest.toml", "manifest.toml", findings)
    if document is None:
        return {}
    _note_unknown(document)
    for name in ("app_title", "app_version"):
        _require_text(document, name)
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
