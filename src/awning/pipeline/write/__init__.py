"""Phase 8: the files of `dist/`, written whole or not at all.

maps    source maps that lead to each line of a template, also for the script of a test build
report  report.html, with the bytes of a script by file
folder  the folder, replaced in one step
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from awning.build_record import (
    DEFAULT_FIELDS,
    FILE_NAME,
    MIGRATIONS_FILE,
    MIGRATIONS_MAP,
    WHOLE_APP,
    BuildRecord,
)
from awning.bundle.request import Output
from awning.pipeline.assemble import Snippet
from awning.pipeline.stage import MIGRATIONS
from awning.pipeline.write.folder import BUILD_FOLDER, write_folder
from awning.pipeline.write.maps import (
    LITERALS,
    BuiltScript,
    literals_json,
    map_path,
    texts_of,
    with_each_line,
)
from awning.pipeline.write.report import bytes_by_part, report_page
from awning.template.compiled_template import Literal
from awning.workspace.model import Widget, Workspace

__all__ = ["BUILD_FOLDER", "BuiltScript", "write_dist"]


def write_dist(
    out: Path,
    workspace: Workspace,
    *,
    record: BuildRecord,
    snippets: tuple[Snippet, ...],
    outputs: Mapping[str, Output],
    literals: Iterable[Literal],
    more: Mapping[str, bytes],
    for_tests: bool = False,
) -> tuple[str, ...]:
    """Replace the folder `out` by this build, with the files `more`. Returns the paths in it.

    A build `for_tests` has the source map of each script as the bundler made it, and the literals of the templates.
    `BuiltScript` reads both. Any other build has complete source maps, but only of some scripts (`_maps`).

    Raises ConfigurationError when `out` cannot be written; it is then unchanged.
    """
    files = _dist_files(workspace, record, snippets, outputs)
    files |= more
    files |= _maps_for_tests(snippets, outputs, literals) if for_tests else _maps(snippets, outputs, literals)
    write_folder(out, files)
    return tuple(files)


def _dist_files(
    workspace: Workspace,
    record: BuildRecord,
    snippets: tuple[Snippet, ...],
    outputs: Mapping[str, Output],
) -> dict[str, bytes]:
    files = {snippet.planned.path: snippet.content for snippet in snippets}
    files["manifest.json"] = _pretty(_manifest(workspace, snippets))
    files["data.schema.json"] = _pretty(_data_schema(workspace, record))
    if MIGRATIONS in outputs:
        files[MIGRATIONS_FILE] = outputs[MIGRATIONS].code
    files["report.html"] = report_page(record, workspace, _parts(snippets, outputs)).encode()
    files[FILE_NAME] = _pretty(record.as_json())
    return files


def _parts(snippets: Iterable[Snippet], outputs: Mapping[str, Output]) -> dict[str, dict[str, int]]:
    """Return, by unit, the sizes in bytes of the parts of its default body.

    The parts are those of the script, the styles, and the HTML of verbatim widgets.
    """
    parts: dict[str, dict[str, int]] = {}
    for snippet in snippets:
        planned = snippet.planned
        if planned.place != "body" or planned.language is not None:
            continue
        own: dict[str, int] = {}
        output = outputs.get(planned.entry)
        if output and output.source_map:
            sheets = (name for name, widget in planned.style_entries.items() if not widget.verbatim)
            style = sum(len(outputs[name].code.strip()) for name in sheets)
            own = bytes_by_part(output.code, output.source_map) | ({"styles": style} if style else {})
        parts[planned.unit] = own | dict(snippet.verbatim)
    return parts


def _pretty(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _maps(
    snippets: Iterable[Snippet], outputs: Mapping[str, Output], literals: Iterable[Literal]
) -> dict[str, bytes]:
    """Return the source maps, by path: one for each script of the app, and one for each default script of a widget.

    The scripts for the languages of a single widget get none, because they differ only in texts.
    """
    texts = texts_of(literals)
    files: dict[str, bytes] = {}
    migrations = outputs.get(MIGRATIONS)
    if migrations and migrations.source_map:
        files[MIGRATIONS_MAP] = migrations.source_map
    for snippet in snippets:
        planned = snippet.planned
        output = outputs.get(planned.entry)
        if output and output.source_map and (planned.language is None or planned.unit == WHOLE_APP):
            files[map_path(planned.path)] = with_each_line(output.source_map, output.code, texts)
    return files


def _maps_for_tests(
    snippets: Iterable[Snippet], outputs: Mapping[str, Output], literals: Iterable[Literal]
) -> dict[str, bytes]:
    """Return the source maps of all scripts, by path, and what `BuiltScript` needs to complete them."""
    entries = {snippet.planned.path: outputs.get(snippet.planned.entry) for snippet in snippets}
    files = {
        map_path(path): output.source_map for path, output in entries.items() if output and output.source_map
    }
    return {**files, LITERALS: literals_json(literals)}


def _manifest(workspace: Workspace, snippets: Iterable[Snippet]) -> dict[str, Any]:
    """Return the manifest as it is submitted, without the secret.

    The app's default snippets are added. A snippet is not added if it is empty, or if the manifest has its own text or
    a source URL for it.
    """
    fields = dict(workspace.manifest)
    for snippet in snippets:
        field = DEFAULT_FIELDS[snippet.planned.place]
        default = snippet.planned.unit == WHOLE_APP and snippet.planned.language is None
        if default and snippet.content and f"{field}_source_url" not in fields:
            fields.setdefault(field, snippet.content.decode())
    return fields


def _data_schema(workspace: Workspace, record: BuildRecord) -> dict[str, Any]:
    """Return one schema for the app data: an object with each widget's part under its name."""
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
    """Return a widget's schema. A schema with references gets an id, so that `#/...` keeps its meaning inside it."""
    schema = {key: value for key, value in (widget.data_schema or {}).items() if key != "$schema"}
    if '"$ref"' in json.dumps(schema):
        schema.setdefault("$id", widget.name)
    return schema
