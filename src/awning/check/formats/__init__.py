"""Diagnostics as text. Each format is a function from diagnostics to what is printed."""

import json
from collections.abc import Callable, Sequence

from awning.check.formats.github import as_github
from awning.check.formats.junit import as_junit
from awning.check.formats.sarif import as_sarif
from awning.diagnostics import Diagnostic


def as_text(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n".join(diagnostic.render() for diagnostic in diagnostics)


def as_json(diagnostics: Sequence[Diagnostic]) -> str:
    document = {"schema_version": 1, "findings": [diagnostic.as_json() for diagnostic in diagnostics]}
    return json.dumps(document, ensure_ascii=False, indent=2)


FORMATS: dict[str, Callable[[Sequence[Diagnostic]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
    "junit": as_junit,
}

__all__ = ["FORMATS"]
