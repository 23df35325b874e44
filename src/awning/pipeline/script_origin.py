"""The author's file, line and column for a place in the app's script for development.

A development build makes no source maps, because a saved change must be visible at once. For each call, the script is
bundled again with its map.
"""

import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from awning.bundle import bundle, find_esbuild
from awning.diagnostics import Place
from awning.pipeline.bundle import bundle_stage
from awning.pipeline.cache.shared_files import locked
from awning.pipeline.compile import compile_templates
from awning.pipeline.read import APP, read_sources
from awning.pipeline.stage import StageFolder, stage_widgets
from awning.template.sourcemap import numbers
from awning.workspace import TEMPLATE_ENDING, read_workspace

_PLACE = 4
"""The least number of fields of a segment (of a source map) that has a place in a source."""


def source_place(
    root: Path,
    *,
    language: str | None,
    unit: str = APP,
    line: int,
    column: int,
    environ: Mapping[str, str] = os.environ,
) -> Place | None:
    """Return the author's place for a place in the body script of `language`.

    Returns None if the code there is not an author's. Lines and columns count from 1. A template is staged as a script,
    so its own lines are not known: line and column are 1. `unit` is the widget whose own script it is, in place of the
    app's.
    """
    workspace = read_workspace(root, environ=environ)
    cache = workspace.cache
    with locked(cache / "build.lock"):
        sources = read_sources(
            workspace, chosen=lambda planned: planned.unit == unit and planned.place == "body"
        )
        esbuild = find_esbuild(environ)
        modules = compile_templates(
            sources.files, cache=cache / "templates", dialect=sources.dialect, dev=True
        )
        stage = stage_widgets(sources, modules, StageFolder(cache / "stage"), dev=True)
        built = bundle_stage(sources, stage, partial(bundle, esbuild), minify=False, source_maps=True)
    names = (f"{unit}/{language}/body", f"{unit}/default/body")
    output = next((built.outputs[name] for name in names if name in built.outputs), None)
    if output is None or output.source_map is None:
        return None
    path, source_line, source_column = _mapped(output.source_map, line - 1, column - 1)
    if path not in sources.files:
        return None
    if path.endswith(TEMPLATE_ENDING):
        return Place(path=path, line=1, column=1)
    return Place(path=path, line=source_line + 1, column=source_column + 1)


def _mapped(source_map: bytes, line: int, column: int) -> tuple[str, int, int]:
    """Return source, line and column of the last segment at or before a place. All count from 0."""
    content = json.loads(source_map)
    at = [0, 0, 0]
    mapped = ("", 0, 0)
    for number, mappings in enumerate(content["mappings"].split(";")[: line + 1]):
        reached = 0
        for segment in mappings.split(",") if mappings else ():
            delta = numbers(segment)
            reached += delta[0]
            if len(delta) >= _PLACE:
                at = [before + more for before, more in zip(at, delta[1:4], strict=True)]
                if number == line and reached <= column:
                    mapped = (content["sources"][at[0]], at[1], at[2])
    return mapped
