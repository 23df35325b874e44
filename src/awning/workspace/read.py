"""Reads a workspace: `pyproject.toml`, `manifest.toml` and `widgets/` into frozen values.

Everything that is wrong is reported at once, as one `Faulty`. What is only doubtful is in
`Workspace.diagnostics`.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.contract import Dialect
from awning.diagnostics import Severity, did_you_mean, has_errors
from awning.errors import ConfigurationError, Faulty
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.find import HEADING
from awning.workspace.manifest import read_manifest
from awning.workspace.model import Profile, Widget, Workspace
from awning.workspace.shape import hold
from awning.workspace.shapes import DIALECT, PROFILE, TOOL_AWNING
from awning.workspace.sources import find_sources
from awning.workspace.widgets import read_widget, widget_folders


def read_workspace(
    root: Path, *, profile: str | None = None, environ: Mapping[str, str] = os.environ
) -> Workspace:
    """The workspace at `root`. The profile: as given, else AWNING_PROFILE, else the file's, else `default`."""
    findings = Findings()
    root = root.resolve()
    for fault in find_sources(root).faults:
        findings.refuse(fault.place.path if fault.place else "", fault)
    document = read_toml(root / "pyproject.toml", "pyproject.toml", findings)
    settings = _settings(document) if document else {}
    languages = tuple(settings.get("languages", ()))
    manifest = read_manifest(root, findings)
    asked = profile or environ.get("AWNING_PROFILE")
    chosen = _profile(document, settings, asked) if document else Profile()
    folders = widget_folders(root, findings)
    widgets = [read_widget(folder, languages, findings) for folder in folders]
    if document:
        _tell_languages_once(document, languages, widgets)
    if not widgets and not findings.found:
        hint = "awning add widget NAME --slot after-price"
        findings.report(
            "no-widgets", "no widget in widgets/", "widgets", hint=hint, severity=Severity.WARNING
        )
    baseline = _baseline(root, document, settings) if document else None
    if has_errors(findings.found):
        raise Faulty(tuple(findings.found))
    return Workspace(
        root=root,
        manifest=manifest,
        languages=languages,
        profile=chosen,
        widgets=tuple(widget for widget in widgets if widget),
        budget=settings.get("budget"),
        beacon=settings.get("beacon"),
        baseline=baseline,
        diagnostics=tuple(findings.found),
    )


def read_profile(
    root: Path, *, profile: str | None = None, environ: Mapping[str, str] = os.environ
) -> Profile:
    """The profile alone, chosen as `read_workspace` does: publishing needs no widget that can be read."""
    findings = Findings()
    document = read_toml(root / "pyproject.toml", "pyproject.toml", findings)
    settings = _settings(document) if document else {}
    asked = profile or environ.get("AWNING_PROFILE")
    chosen = _profile(document, settings, asked) if document else Profile()
    if has_errors(findings.found):
        raise Faulty(tuple(findings.found))
    return chosen


def _tell_languages_once(
    document: Document, languages: tuple[str, ...], widgets: list[Widget | None]
) -> None:
    """A language that several widgets lack and none has is told where it is named, not in each of them."""
    found = document.findings.found
    for index, language in enumerate(languages):
        ending = f"/messages/{language}.toml"
        lacking = [
            one
            for one in found
            if one.rule == "file-missing" and one.place and one.place.path.endswith(ending)
        ]
        if len(lacking) < 2 or any(language in widget.messages for widget in widgets if widget):  # noqa: PLR2004
            continue
        unused = {one.place.path: one for one in found if one.rule == "message-language" and one.place}
        for one in (*lacking, *unused.values()):
            found.remove(one)
        near = {path.rpartition("/")[2].removesuffix(".toml") for path in unused}
        hint = did_you_mean(language, near) or "add a file of texts to each, or leave it out"
        message = f'no widget has texts in "{language}" (messages/{language}.toml)'
        document.report("message-language", message, ("tool", "awning", "languages", index), hint=hint)


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
    table = document.values.get("tool", {}).get("awning")
    if isinstance(table, dict):
        return hold(document, table, TOOL_AWNING, ("tool", "awning"))
    document.report(
        "missing-key", f"pyproject.toml has no {HEADING}", hint=f'add: {HEADING}\nlanguages = ["en"]'
    )
    return {}


def _profile(document: Document, settings: Mapping[str, Any], asked: str | None) -> Profile:
    profiles: Mapping[str, Any] = settings.get("profiles", {})
    read = {name: _one_profile(document, name, table) for name, table in profiles.items()}
    name = asked or settings.get("profile", "default")
    if name in read or name == "default":
        return read.get(name, Profile())
    hint = did_you_mean(name, read) or f"add: [tool.awning.profiles.{name}]"
    if asked:
        raise ConfigurationError(f'no profile "{name}" in pyproject.toml', hint=hint)
    document.report("unknown-profile", f'no profile "{name}"', ("tool", "awning", "profile"), hint=hint)
    return Profile()


def _one_profile(document: Document, name: str, table: Any) -> Profile:
    at = ("tool", "awning", "profiles", name)
    if not isinstance(table, dict):
        document.report("wrong-type", f'profile "{name}" must be a table', at)
        return Profile(name=name)
    values = hold(document, table, PROFILE, at)
    dialect = Dialect(**hold(document, values.get("dialect", {}), DIALECT, (*at, "dialect")))
    return Profile(
        name=name,
        base_url=values.get("base_url"),
        reseller_url=values.get("reseller_url"),
        portal_url=values.get("portal_url"),
        dialect=dialect,
        head_snippets=values.get("head_snippets", False),
    )
