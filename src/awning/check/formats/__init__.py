"""Findings as text: one file per format, each a function from findings to what is printed."""

import json
from collections.abc import Callable, Sequence

from awning.check.formats.github import as_github
from awning.check.formats.junit import as_junit
from awning.check.formats.sarif import as_sarif
from awning.diagnostics import Diagnostic


def as_text(found: Sequence[Diagnostic]) -> str:
    return "\n".join(one.render() for one in found)


def as_json(found: Sequence[Diagnostic]) -> str:
    document = {"schema_version": 1, "findings": [one.as_json() for one in found]}
    return json.dumps(document, ensure_ascii=False, indent=2)


FORMATS: dict[str, Callable[[Sequence[Diagnostic]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
    "junit": as_junit,
}

__all__ = ["FORMATS"]
