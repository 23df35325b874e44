"""From the bundler's outputs to snippets: parts per cell, what must not be in them, fingerprint, HTML, weight."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from awning.build_record import BuiltSnippet
from awning.bundle import Output
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.files import SourceFile
from awning.pipeline.units import APP, Cell
from awning.snippet import (
    Parts,
    Source,
    Weight,
    compose,
    compose_unstamped,
    joined,
    over_budget,
    spelled,
    weigh,
    written,
)
from awning.workspace import Widget, Workspace
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column

STYLE_ENTRY = "_style"
"""Begins the bundler's names of style sheets; no unit can have this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One file of `dist/`, and what the record says about it."""

    cell: Cell
    content: bytes
    built: BuiltSnippet


def style_entry(widget: Widget) -> str | None:
    """The bundler's name of what a widget styles on the page; None where it has no style.

    Of a widget with a shadow root that is what must stand in the document: the rest travels in the script.
    """
    return f"{STYLE_ENTRY}/{widget.name}" if widget.style else None


def parts_of(cell: Cell, outputs: Mapping[str, Output], app: str) -> Parts:
    if not cell.widgets:
        return Parts(app=app)
    body = cell.place == "body"
    names = [name for widget in cell.widgets if (name := style_entry(widget))] if body else []
    return Parts(
        app=app,
        style="".join(outputs[name].code.decode().strip() for name in names),
        script=outputs[cell.entry].code.decode(),
        data=body and any(widget.data_schema is not None for widget in cell.widgets),
    )


def assemble(
    made: Iterable[Cell], outputs: Mapping[str, Output], app: str, dialect: Dialect
) -> tuple[str, tuple[Snippet, ...]]:
    """The fingerprint, and every snippet stamped with it."""
    parts = [(cell, parts_of(cell, outputs, app)) for cell in made]
    digest = hashlib.sha256()
    for cell, its in parts:
        content = compose_unstamped(its, dialect).encode()
        digest.update(f"{cell.path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    fingerprint = digest.hexdigest()
    return fingerprint, tuple(
        _snippet(cell, compose(its, dialect, fingerprint).encode()) for cell, its in parts
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


def stray_placeholders(
    made: Iterable[Cell], outputs: Mapping[str, Output], files: Mapping[str, SourceFile], dialect: Dialect
) -> list[Diagnostic]:
    """Placeholders in built code, at their place in the widget that they come from."""
    found: dict[Diagnostic, None] = {}
    for cell in made:
        names = [name for widget in cell.widgets if (name := style_entry(widget))]
        codes = [outputs[name].code.decode() for name in (cell.entry, *names) if name in outputs]
        if len(cell.widgets) == 1 and any(spelled(code, dialect) for code in codes):
            found |= dict.fromkeys(_origins(cell.widgets[0], files, dialect))
    return list(found)


def _origins(widget: Widget, files: Mapping[str, SourceFile], dialect: Dialect) -> list[Diagnostic]:
    folder = f"widgets/{widget.name}/"
    sources = [
        Source(path=path, text=file.text)
        for path, file in files.items()
        if path.startswith(folder) and path.endswith((".ts", ".js", ".css", ".toml", ".json", ".j2"))
    ]
    return list(written(sources, dialect)) or [joined(f"{folder}widget.ts", dialect)]


def differing_heads(snippets: Iterable[Snippet], workspace: Workspace) -> list[Diagnostic]:
    """Where the service has no calls for head snippets, every page gets the default one (the manifest's).

    A head that is another one in some language would silently never be shown there.
    """
    if workspace.profile.head_snippets:
        return []
    default: dict[str, bytes] = {}
    found: list[Diagnostic] = []
    for snippet in snippets:
        cell = snippet.cell
        if cell.place != "head" or cell.unit != APP:
            continue
        if snippet.content != default.setdefault(cell.unit, snippet.content):
            found.append(_differs(cell, workspace))
    return found


def _differs(cell: Cell, workspace: Workspace) -> Diagnostic:
    absent = [widget for widget in workspace.widgets if widget.head and cell.language not in widget.languages]
    path = f"widgets/{absent[0].name}/widget.toml" if absent else "pyproject.toml"
    return Diagnostic(
        rule="head-language",
        message=f'the head snippet for "{cell.language}" differs from the default, and this service has one for all',
        place=Place(path=path),
        hint="give the widget's head to every language, or say head_snippets = true in the profile "
        "when the service has the calls",
    )


def budgets(snippets: Iterable[Snippet], workspace: Workspace) -> list[Diagnostic]:
    """Default body snippets that are heavier than their widget or the app allows."""
    allowed = {widget.name: widget.budget for widget in workspace.widgets} | {APP: workspace.budget}
    found: list[Diagnostic] = []
    for snippet in snippets:
        unit, weight = snippet.cell.unit, Weight(snippet.built.bytes, snippet.built.gzip)
        default_body = snippet.cell.place == "body" and snippet.cell.language is None
        if default_body and (over := over_budget(unit, weight, allowed[unit])):
            found.append(replace(over, place=budget_place(unit, workspace.root)))
    return found


def budget_place(unit: str, root: Path) -> Place:
    """Where the budget is written. Looked up only for one that was exceeded."""
    path = "pyproject.toml" if unit == APP else f"widgets/{unit}/widget.toml"
    key: KeyPath = ("tool", "awning", "budget") if unit == APP else ("budget",)
    text = (root / path).read_text(encoding="utf-8-sig")
    line, column = line_and_column(text, find_toml_offsets(text).get(key, 0))
    return Place(path=path, line=line, column=column)
