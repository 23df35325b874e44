"""Workflow commands: a line per finding, which GitHub shows at the file's line."""

from collections.abc import Sequence

from awning.diagnostics import Diagnostic

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def as_github(found: Sequence[Diagnostic]) -> str:
    return "\n".join(map(_command, found))


def _command(one: Diagnostic) -> str:
    properties: dict[str, object] = {}
    if one.place:
        properties = {"file": one.place.path, "line": one.place.line, "col": one.place.column}
    properties["title"] = one.rule
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)
    text = f"{one.message}\n{one.hint}" if one.hint else one.message
    return f"::{_LEVELS[str(one.severity)]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
