"""Where a place in the app's script for development comes from: file, line and column of the author's own source.

A build for development makes no source maps, because a save must be on the screen at once. Here the script is bundled
once more, with its map, when somebody asks.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from awning.diagnostics import Place
from awning.pipeline.bundled import bundled
from awning.pipeline.context import build_context
from awning.pipeline.lock import locked
from awning.pipeline.units import APP
from awning.template.sourcemap import numbers
from awning.workspace import TEMPLATE_ENDING, read_workspace

_PLACE = 4
"""Numbers of a segment that names a place."""


def source_place(
    root: Path,
    *,
    language: str | None,
    line: int,
    column: int,
    environ: Mapping[str, str] = os.environ,
) -> Place | None:
    """The source of a place in the body script of `language`, both from 1; None where it is no author's.

    A template is staged as a script, so that its lines are not the author's: for one, line and column are 1.
    """
    workspace = read_workspace(root, environ=environ)
    with locked(workspace.cache / "build.lock"):
        context = replace(build_context(workspace, (), environ, dev=True), mapped=True)
        made = bundled(context, context.compiler.compile_all(), [])
    names = (f"{APP}/{language}/body", f"{APP}/default/body")
    output = next((made.outputs[name] for name in names if name in made.outputs), None)
    if output is None or output.source_map is None:
        return None
    path, source_line, source_column = _mapped(output.source_map, line - 1, column - 1)
    if path not in context.files:
        return None
    if path.endswith(TEMPLATE_ENDING):
        return Place(path=path, line=1, column=1)
    return Place(path=path, line=source_line + 1, column=source_column + 1)


def _mapped(source_map: bytes, line: int, column: int) -> tuple[str, int, int]:
    """The last segment at or before a place, all from 0."""
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
