"""The HTML of each snippet, composed from the outputs, and the fingerprint that all of them are stamped with."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from awning.build_record import BuiltSnippet
from awning.bundle import Output
from awning.pipeline.read import PlannedSnippet, SourceSet
from awning.snippet import Parts, compose, compose_unstamped, weigh


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One file of `dist/`, and its entry in the build record."""

    planned: PlannedSnippet
    content: bytes
    built: BuiltSnippet


def stamped_snippets(sources: SourceSet, outputs: Mapping[str, Output]) -> tuple[str, tuple[Snippet, ...]]:
    """The fingerprint, and every snippet stamped with it."""
    parts = [(planned, _parts(planned, outputs, sources.app)) for planned in sources.planned_snippets]
    digest = hashlib.sha256()
    for planned, snippet_parts in parts:
        content = compose_unstamped(snippet_parts, sources.dialect).encode()
        digest.update(f"{planned.path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    fingerprint = digest.hexdigest()
    return fingerprint, tuple(
        _snippet(planned, compose(snippet_parts, sources.dialect, fingerprint).encode())
        for planned, snippet_parts in parts
    )


def _parts(planned: PlannedSnippet, outputs: Mapping[str, Output], app: str) -> Parts:
    if not planned.widgets:
        return Parts(app=app)
    return Parts(
        app=app,
        style="".join(outputs[name].code.decode().strip() for name in planned.style_entries),
        script=outputs[planned.entry].code.decode(),
        data=planned.place == "body" and any(widget.data_schema is not None for widget in planned.widgets),
    )


def _snippet(planned: PlannedSnippet, content: bytes) -> Snippet:
    weight = weigh(content)
    built = BuiltSnippet(
        path=planned.path,
        unit=planned.unit,
        place=planned.place,
        language=planned.language,
        bytes=weight.bytes,
        gzip=weight.gzip,
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return Snippet(planned=planned, content=content, built=built)
