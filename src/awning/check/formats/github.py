"""Workflow commands: a line per diagnostic, which GitHub shows at its place."""

from collections.abc import Sequence

from awning.diagnostics import Diagnostic

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def as_github(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n".join(map(_command, diagnostics))


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, object] = {}
    if diagnostic.place:
        properties = {
            "file": diagnostic.place.path,
            "line": diagnostic.place.line,
            "col": diagnostic.place.column,
        }
    properties["title"] = diagnostic.rule
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    text = f"{diagnostic.message}\n{diagnostic.hint}" if diagnostic.hint else diagnostic.message
    return f"::{_LEVELS[str(diagnostic.severity)]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
