"""Diagnostics as they are kept in `.awning/cache`: a later run says the same again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from awning.diagnostics import Diagnostic, Place, Severity


def stored(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    return [
        {
            "rule": found.rule,
            "message": found.message,
            "place": stored_place(found.place),
            "hint": found.hint,
            "severity": str(found.severity),
            "excerpt": found.excerpt,
        }
        for found in diagnostics
    ]


def restored(values: Iterable[Mapping[str, Any]]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            **{**value, "place": restored_place(value["place"]), "severity": Severity(value["severity"])}
        )
        for value in values
    )


def stored_place(place: Place | None) -> list[str | int] | None:
    return [place.path, place.line, place.column] if place else None


def restored_place(value: Sequence[Any] | None) -> Place | None:
    return Place(path=value[0], line=value[1], column=value[2]) if value else None
