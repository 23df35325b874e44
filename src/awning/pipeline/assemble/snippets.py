"""The HTML of each snippet, composed from the outputs, and the fingerprint that all of them are stamped with."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from awning.build_record import BuiltSnippet
from awning.bundle import Output
from awning.pipeline.read import Cell, SourceSet
from awning.snippet import Parts, compose, compose_unstamped, weigh


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One file of `dist/`, and its entry in the build record."""

    cell: Cell
    content: bytes
    built: BuiltSnippet


def stamped_snippets(sources: SourceSet, outputs: Mapping[str, Output]) -> tuple[str, tuple[Snippet, ...]]:
    """The fingerprint, and every snippet stamped with it."""
    parts = [(cell, _parts(cell, outputs, sources.app)) for cell in sources.cells]
    digest = hashlib.sha256()
    for cell, parts_of_cell in parts:
        content = compose_unstamped(parts_of_cell, sources.dialect).encode()
        digest.update(f"{cell.path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    fingerprint = digest.hexdigest()
    return fingerprint, tuple(
        _snippet(cell, compose(parts_of_cell, sources.dialect, fingerprint).encode())
        for cell, parts_of_cell in parts
    )


def _parts(cell: Cell, outputs: Mapping[str, Output], app: str) -> Parts:
    if not cell.widgets:
        return Parts(app=app)
    return Parts(
        app=app,
        style="".join(outputs[name].code.decode().strip() for name in cell.style_entries),
        script=outputs[cell.entry].code.decode(),
        data=cell.place == "body" and any(widget.data_schema is not None for widget in cell.widgets),
    )


def _snippet(cell: Cell, content: bytes) -> Snippet:
    weight = weigh(content)
    built = BuiltSnippet(
        path=cell.path,
        unit=cell.unit,
        place=cell.place,
        language=cell.language,
        bytes=weight.bytes,
        gzip=weight.gzip,
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return Snippet(cell=cell, content=content, built=built)
