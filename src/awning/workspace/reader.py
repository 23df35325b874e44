"""Reads `pyproject.toml`, `manifest.toml`, `widgets/` and `storefront/` into one frozen `Workspace`.

All errors in these files are raised together, as one `Faulty`. A requested profile that does not exist is a
ConfigurationError. Warnings are in `Workspace.diagnostics`.

The manifest must have the fields that a build needs, and must not have the secret. Unknown fields, and values that the
portal would refuse, are warnings. `awning manifest check` checks for missing fields and the icon's size.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from awning.contract.slots import FIRST_SLOT
from awning.diagnostics import Severity, did_you_mean, has_errors
from awning.errors import ConfigurationError, Faulty
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.model import Profile, SettledAnswer, Widget, Workspace
from awning.workspace.offsets import KeyPath
from awning.workspace.root import HEADING, find_workspace, similar_table
from awning.workspace.shapes import PROFILE, SETTLED, TOOL_AWNING
from awning.workspace.sources import STORE_FOLDER, Sources, find_sources
from awning.workspace.tsconfig import tsconfig_fault
from awning.workspace.validation import fields_of, validate_table
from awning.workspace.widgets import KnownWidgets, widget_folders

if TYPE_CHECKING:
    from awning.workspace.store.store import Store

from awning.contract.manifest_fields import MANIFEST_FIELDS, SECRET_FIELD, TABLES
from awning.contract.manifest_kinds import Allowed
from awning.contract.manifest_rules import check_manifest
from awning.diagnostics import Diagnostic, closest
from awning.workspace.validation import describe_value


def read_workspace(
    root: Path,
    *,
    profile: str | None = None,
    environ: Mapping[str, str] = os.environ,
    known: KnownWidgets | None = None,
    listed: Sources | None = None,
) -> Workspace:
    """Read the workspace at `root`. The profile is `profile`, else AWNING_PROFILE, else `default`.

    The key `profile` of pyproject.toml replaces `default`. With `known`, only the widgets that have changed are read.
    `listed` are the workspace's sources, if the caller has them already.

    Raises Faulty when the workspace has errors, ConfigurationError when there is no profile with the name that
    `profile` or AWNING_PROFILE gives.
    """
    root = root.resolve()
    listed = listed or find_sources(root)
    findings = Findings(unsaved=listed.unsaved)
    for diagnostic in listed.diagnostics:
        findings.refuse(diagnostic.place.path if diagnostic.place else "", diagnostic)
    document, settings, chosen = _read_pyproject(root, profile, environ, findings)
    languages = tuple(settings.get("languages", ()))
    manifest = read_manifest(root, findings)
    folders = widget_folders(root, findings)
    if document:
        folders = _in_order(document, tuple(settings.get("order", ())), folders)
    known = known or KnownWidgets()
    widgets = [known.read(folder, languages, findings) for folder in folders]
    if document:
        _merge_missing_languages(document, languages, widgets)
    if tsconfig := tsconfig_fault(root):
        findings.add(tsconfig)
    if not widgets and not findings.diagnostics:
        hint = f"awning add widget NAME --slot {FIRST_SLOT}"
        findings.report("no-widgets", "no widget in widgets/", "widgets", hint=hint)
    baseline = _baseline(root, document, settings) if document else None
    own_store = _own_store(root, listed, findings)
    if document and "beacon_sample_rate" in settings and "beacon" not in document.values["tool"]["awning"]:
        message = '"beacon_sample_rate" has no effect without "beacon"'
        where = ("tool", "awning", "beacon_sample_rate")
        document.report("missing-key", message, where, hint='add: beacon = "https://…"')
    if has_errors(findings.diagnostics):
        raise Faulty(tuple(findings.diagnostics))
    return Workspace(
        root=root,
        manifest=manifest,
        languages=languages,
        profile=chosen,
        widgets=tuple(widget for widget in widgets if widget),
        baseline=baseline,
        own_store=own_store,
        diagnostics=tuple(findings.diagnostics),
        **fields_of(TOOL_AWNING, settings),
    )


def read_profile(
    root: Path, *, profile: str | None = None, environ: Mapping[str, str] = os.environ
) -> Profile:
    """Return the profile, chosen as in `read_workspace`. Widgets are not read, because publishing does not need them.

    Raises Faulty when pyproject.toml has errors, ConfigurationError when the profile does not exist.
    """
    return read_settings(root, profile=profile, environ=environ)[1]


def read_settings(
    root: Path, *, profile: str | None = None, environ: Mapping[str, str] = os.environ
) -> tuple[tuple[str, ...], Profile]:
    """Return the languages of the workspace and its profile, from pyproject.toml alone. Raises as `read_profile` does.

    Widgets are not read, so that a widget can be added even if others have errors.
    """
    findings = Findings()
    _, settings, chosen = _read_pyproject(root, profile, environ, findings)
    if has_errors(findings.diagnostics):
        raise Faulty(tuple(findings.diagnostics))
    return tuple(settings.get("languages", ())), chosen


def find_profile(name: str | None, environ: Mapping[str, str]) -> Profile:
    """Return the profile of the workspace around the current folder; the default profile outside of a workspace.

    Raises Faulty when pyproject.toml has errors. Raises ConfigurationError when the profile does not exist, and when
    `name` is set outside of a workspace.
    """
    try:
        root = find_workspace(Path.cwd())
    except ConfigurationError:
        if name:
            raise
        return Profile()
    return read_profile(root, profile=name, environ=environ)


def _read_pyproject(
    root: Path, profile: str | None, environ: Mapping[str, str], findings: Findings
) -> tuple[Document | None, Mapping[str, Any], Profile]:
    """Return pyproject.toml, None if it cannot be read, with its table [tool.awning] and the profile."""
    document = read_toml(root / "pyproject.toml", "pyproject.toml", findings)
    if document is None:
        return None, {}, Profile()
    settings = _settings(document)
    return document, settings, _choose_profile(document, settings, profile or environ.get("AWNING_PROFILE"))


def _in_order(document: Document, order: tuple[str, ...], folders: list[Path]) -> list[Path]:
    """Return the widgets' folders: first those in `order`, in that order, then the others by name."""
    names = [folder.name for folder in folders]
    for index, name in enumerate(order):
        if name not in names:
            hint = did_you_mean(name, names) or "name a folder below widgets/"
            where = ("tool", "awning", "order", index)
            message = f'no widget is called "{name}"'
            document.report("unknown-value", message, where, hint=hint, severity=Severity.WARNING)
    return sorted(folders, key=lambda f: order.index(f.name) if f.name in order else len(order))


def _merge_missing_languages(
    document: Document, languages: tuple[str, ...], widgets: list[Widget | None]
) -> None:
    """Replace the diagnostics about a language that no widget has by one, at the language in pyproject.toml."""
    diagnostics = document.findings.diagnostics
    for index, language in enumerate(languages):
        ending = f"/messages/{language}.toml"
        missing = [
            diagnostic
            for diagnostic in diagnostics
            if diagnostic.rule == "file-missing"
            and diagnostic.place
            and diagnostic.place.path.endswith(ending)
        ]
        if len(missing) < 2 or any(language in widget.messages for widget in widgets if widget):  # noqa: PLR2004
            continue
        unused = {
            diagnostic.place.path: diagnostic
            for diagnostic in diagnostics
            if diagnostic.rule == "message-language" and diagnostic.place
        }
        for diagnostic in (*missing, *unused.values()):
            diagnostics.remove(diagnostic)
        near = {path.rpartition("/")[2].removesuffix(".toml") for path in unused}
        hint = did_you_mean(language, near) or "add this file to each widget, or remove the language"
        message = f'no widget has texts in "{language}" (messages/{language}.toml)'
        where = ("tool", "awning", "languages", index)
        document.report("message-language", message, where, hint=hint, severity=Severity.ERROR)


def _own_store(root: Path, listed: Sources, findings: Findings) -> "Store | None":
    """Return the store of storefront/; None without TOML files in it, or when they have errors.

    The code that reads it is imported only if needed.
    """
    paths = [path for path in listed.paths if path.startswith(f"{STORE_FOLDER}/")]
    if not paths:
        return None
    from awning.workspace.store.store_files import read_own_store  # noqa: PLC0415 - see above

    return read_own_store(root, paths, findings)


def _baseline(root: Path, document: Document, settings: Mapping[str, Any]) -> Path | None:
    if "baseline" not in settings:
        return None
    file: Path = root / settings["baseline"]
    if file.resolve().is_relative_to(root):
        return file
    where = ("tool", "awning", "baseline")
    document.report("file-outside", f'"{settings["baseline"]}" is outside of the workspace', where)
    return None


def _settings(document: Document) -> Mapping[str, Any]:
    value = document.values.get("tool")
    tool = value if isinstance(value, dict) else {}
    table = tool.get("awning")
    has_languages = isinstance(table, dict) and "languages" in table
    if not has_languages and (misspelt := _misspelt_table(tool)):
        hint = f"did you mean {HEADING}?"
        document.report("unknown-key", f"unknown table [tool.{misspelt}]", ("tool", misspelt), hint=hint)
        return {}
    if isinstance(table, dict):
        return validate_table(document, table, TOOL_AWNING, ("tool", "awning"))
    document.report(
        "missing-key", f"pyproject.toml has no {HEADING}", hint=f'add: {HEADING}\nlanguages = ["en"]'
    )
    return {}


def _misspelt_table(tool: Mapping[str, Any]) -> str | None:
    """Return the name of the table with keys of [tool.awning] whose name is a misspelling; None without one."""
    return similar_table(
        name
        for name, table in tool.items()
        if isinstance(table, dict) and not TOOL_AWNING.by_name.keys().isdisjoint(table)
    )


def _choose_profile(document: Document, settings: Mapping[str, Any], requested: str | None) -> Profile:
    """Return the chosen profile. Raises ConfigurationError when the requested profile does not exist."""
    tables: Mapping[str, Any] = settings.get("profiles", {})
    profiles = {name: _read_profile_table(document, name, table) for name, table in tables.items()}
    name = requested or settings.get("profile", "default")
    if name in profiles or name == "default":
        return profiles.get(name, Profile())
    hint = did_you_mean(name, profiles) or f"add: [tool.awning.profiles.{name}]"
    if requested:
        raise ConfigurationError(f'no profile "{name}" in pyproject.toml', hint=hint)
    document.report("unknown-profile", f'no profile "{name}"', ("tool", "awning", "profile"), hint=hint)
    return Profile()


def _read_profile_table(document: Document, name: str, table: Any) -> Profile:
    at = ("tool", "awning", "profiles", name)
    if not isinstance(table, dict):
        document.report("wrong-type", f'profile "{name}" must be a table', at)
        return Profile(name=name)
    values = validate_table(document, table, PROFILE, at)
    settled = _read_settled(document, values.get("assumptions", {}), (*at, "assumptions"))
    return Profile(name=name, settled=settled, **fields_of(PROFILE, values))


def _read_settled(document: Document, tables: Mapping[str, Any], at: KeyPath) -> Mapping[str, SettledAnswer]:
    """Return the settled assumptions of a profile. Unknown assumptions and answers are reported."""
    if not tables:
        return {}
    from awning.contract.assumptions import ASSUMPTIONS  # noqa: PLC0415 - most profiles have none

    complete = {id_: table for id_, table in tables.items() if "answer" in table}
    for id_, table in complete.items():
        assumption = ASSUMPTIONS.get(id_)
        if assumption is None:
            hint = did_you_mean(id_, ASSUMPTIONS) or "awning doctor --assumptions lists them"
            document.report("unknown-value", f'no assumption is called "{id_}"', (*at, id_), hint=hint)
        elif not assumption.allows(table["answer"]):
            message = f'"{table["answer"]}" is no answer of {id_}'
            hint = f"there are {', '.join(assumption.alternatives)}"
            document.report("unknown-value", message, (*at, id_, "answer"), hint=hint)
    return {id_: SettledAnswer(**fields_of(SETTLED, table)) for id_, table in complete.items()}


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
