"""The files of `dist/`, as a mapping from path to content: what is written is decided here, not how."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from awning.build_record import FILE_NAME, BuildRecord, BuiltWidget
from awning.bundle import Output
from awning.pipeline.assemble import Snippet, style_entry
from awning.pipeline.files import SourceFile
from awning.pipeline.maps import texts_of, with_each_line
from awning.pipeline.report import report_page
from awning.pipeline.shares import made_of
from awning.pipeline.units import APP
from awning.template.sourcemap import Literal
from awning.workspace import Widget, Workspace

_NO_SOURCE = (".py", ".md", "/states.toml")
"""Files of a widget that no byte of a snippet comes from."""

_DEFAULTS = {"body": "app_default_snippet", "head": "app_default_head_snippet"}
"""The manifest's fields for the default snippets (Apps Integration API, App manifest)."""


def dist_files(
    workspace: Workspace,
    record: BuildRecord,
    snippets: tuple[Snippet, ...],
    outputs: Mapping[str, Output],
    literals: Iterable[Literal],
) -> dict[str, bytes]:
    files = {snippet.cell.path: snippet.content for snippet in snippets}
    files |= _maps(snippets, outputs, literals)
    files["manifest.json"] = pretty(manifest(workspace, snippets))
    files["data.schema.json"] = pretty(data_schema(workspace, record))
    files["report.html"] = report_page(record, workspace, _parts(snippets, outputs)).encode()
    return files | record_file(record)


def record_file(record: BuildRecord) -> dict[str, bytes]:
    return {FILE_NAME: pretty(record.as_json())}


def _parts(snippets: Iterable[Snippet], outputs: Mapping[str, Output]) -> dict[str, dict[str, int]]:
    """Unit -> bytes of its default body by what they come from."""
    found: dict[str, dict[str, int]] = {}
    for cell in (snippet.cell for snippet in snippets):
        output = outputs.get(cell.entry)
        if cell.place == "body" and cell.language is None and output and output.source_map:
            styles = {name: outputs[name] for widget in cell.widgets if (name := style_entry(widget))}
            style = sum(len(one.code.strip()) for one in styles.values())
            found[cell.unit] = {
                **made_of(output.code, output.source_map),
                **({"styles": style} if style else {}),
            }
    return found


def pretty(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _maps(
    snippets: Iterable[Snippet], outputs: Mapping[str, Output], literals: Iterable[Literal]
) -> dict[str, bytes]:
    """A map for each script of a default snippet and of the app's. (Languages of one widget differ in texts only.)"""
    texts = texts_of(literals)
    files: dict[str, bytes] = {}
    for snippet in snippets:
        cell = snippet.cell
        output = outputs.get(cell.entry)
        if output and output.source_map and (cell.language is None or cell.unit == APP):
            files[f"maps/{cell.path.removesuffix('.html')}.js.map"] = with_each_line(
                output.source_map, output.code, texts
            )
    return files


def manifest(workspace: Workspace, snippets: Iterable[Snippet]) -> dict[str, Any]:
    """The manifest as it is submitted, but for the secret: with the default snippets, unless they have a source URL."""
    fields = dict(workspace.manifest)
    for snippet in snippets:
        field = _DEFAULTS[snippet.cell.place]
        default = snippet.cell.unit == APP and snippet.cell.language is None
        if default and snippet.content and f"{field}_source_url" not in fields:
            fields.setdefault(field, snippet.content.decode())
    return fields


def data_schema(workspace: Workspace, record: BuildRecord) -> dict[str, Any]:
    """One schema for the app data: an object with each widget's part under its name."""
    built = {widget.name for widget in record.widgets}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": workspace.manifest.get("app_display_title", record.title),
        "type": "object",
        "properties": {
            widget.name: _part(widget)
            for widget in workspace.widgets
            if widget.data_schema is not None and widget.name in built
        },
    }


def _part(widget: Widget) -> dict[str, Any]:
    """A widget's schema. With an id of its own where it refers to itself, so that `#/...` still means the same."""
    schema = {key: value for key, value in (widget.data_schema or {}).items() if key != "$schema"}
    if '"$ref"' in json.dumps(schema):
        schema.setdefault("$id", widget.name)
    return schema


def built_widgets(widgets: Iterable[Widget], files: Mapping[str, SourceFile]) -> tuple[BuiltWidget, ...]:
    """What the record says about each widget."""
    by_folder: dict[str, list[SourceFile]] = {}
    for path, file in files.items():
        if not path.endswith(_NO_SOURCE):
            by_folder.setdefault(path.split("/")[1], []).append(file)
    return tuple(
        BuiltWidget(
            name=widget.name,
            title=widget.title,
            slots=widget.slots,
            languages=widget.languages,
            sources=tuple((file.path, file.sha256) for file in by_folder.get(widget.name, ())),
        )
        for widget in widgets
    )
