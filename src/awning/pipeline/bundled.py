"""From what was compiled to the bundler's outputs: the stage, its entries, and whose fault is whose."""

import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from awning.bundle import BundleRequest, Entry, Foreign, Output, bundle
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.jsrc import jsrc_root
from awning.pipeline.assemble import stray_placeholders, style_entry
from awning.pipeline.context import BuildContext
from awning.pipeline.entries import EntryContext, entry_source
from awning.pipeline.files import SourceFile
from awning.pipeline.foreign import foreign_faults
from awning.pipeline.interactive import asynchronous_widgets, fragile_widgets, interactive_widgets
from awning.pipeline.raw import placed, raw_widgets
from awning.pipeline.stage import staged_files, write_stage
from awning.pipeline.style import compact, shadow_rules
from awning.pipeline.templates import Module
from awning.workspace import TEMPLATE_ENDING, Isolation

_SAID = 20
"""Characters of a line by which a place in it is known again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundling:
    """The bundler's outputs by entry; none where something is `broken`."""

    outputs: Mapping[str, Output] = field(default_factory=dict)
    broken: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    foreign: tuple[Foreign, ...] = ()


def bundled(context: BuildContext, modules: Mapping[str, Module], found: Iterable[Diagnostic]) -> Bundling:
    """Bundle all entries. What is among `found` is not said again."""
    entries = _staged(context, modules)
    request = BundleRequest(
        entries=tuple(entries),
        root=context.stage,
        jsrc=jsrc_root(),
        defines={
            "AWNING_GLOBAL": context.dialect.global_object,
            "AWNING_APP": json.dumps(context.app, ensure_ascii=False),
            "AWNING_BEACON": json.dumps(context.workspace.beacon or ""),
            "AWNING_EVENT_PREFIX": json.dumps(context.dialect.event_prefix),
            "AWNING_PLACEHOLDER_PREFIX": json.dumps(context.dialect.placeholder_prefix),
        },
        minify=not context.dev,
        source_maps=context.mapped or (context.writes and not context.dev),
        packages=context.workspace.root / "node_modules",
        to_source=partial(_author_path, context.files),
    )
    styles = {one.place.path for one in found if one.rule == "style-error" and one.place}
    try:
        made = bundle(context.esbuild, request)
    except Faulty as error:
        written = [_as_written(one, context.files) for one in placed(error.diagnostics)]
        return Bundling(broken=tuple(written))
    unbroken = (one for one in made.diagnostics if one.place is None or one.place.path not in styles)
    others = [_as_written(one, context.files) for one in unbroken]
    others += stray_placeholders(context.cells, made.outputs, context.files, context.dialect)
    return Bundling(
        outputs=made.outputs,
        broken=tuple(foreign_faults(made.foreign, context.workspace.root, context.stage, context.files)),
        others=tuple(others),
        foreign=made.foreign,
    )


def _as_written(one: Diagnostic, files: Mapping[str, SourceFile]) -> Diagnostic:
    """A style is bundled with its widget's class around it: what is said of it is shown in the author's own line."""
    if one.place is None or one.excerpt is None or not one.place.path.endswith(".css"):
        return one
    lines = files[one.place.path].text.split("\n")
    line = lines[one.place.line - 1] if one.place.line <= len(lines) else ""
    said = one.excerpt[one.place.column - 1 :][:_SAID].partition("}")[0].rstrip()
    column = line.find(said) + 1
    return replace(one, place=replace(one.place, column=column), excerpt=line) if said and column else one


def _staged(context: BuildContext, modules: Mapping[str, Module]) -> Iterable[Entry]:
    """Write the stage; its entries for the bundler."""
    raw = raw_widgets(context.widgets, context.scripts, context.dialect)
    staged = staged_files(context.workspace, context.files, modules, raw=raw)
    entries = EntryContext(
        app=context.app,
        shadow_styles=_shadow_styles(context),
        interactive=interactive_widgets(context.widgets, context.files, context.scripts),
        asynchronous=asynchronous_widgets(context.widgets, context.scripts),
        fragile=fragile_widgets(context.widgets, context.scripts),
        raw=raw,
    )
    scripts = {cell.entry: f"entries/{cell.entry}.ts" for cell in context.cells if cell.widgets}
    staged |= {
        scripts[cell.entry]: entry_source(cell, entries).encode() for cell in context.cells if cell.widgets
    }
    styles = {
        name: f"widgets/{widget.name}/{widget.style.name}"
        for widget in context.widgets
        if (name := style_entry(widget)) and widget.style
    }
    write_stage(context.stage, staged)
    return [Entry(name, context.stage / path) for name, path in (scripts | styles).items()]


def _shadow_styles(context: BuildContext) -> dict[str, str]:
    return {
        widget.name: compact(shadow_rules(context.files[f"widgets/{widget.name}/{widget.style.name}"].text))
        for widget in context.widgets
        if widget.isolation is Isolation.SHADOW and widget.style
    }


def _author_path(files: Container[str], path: str) -> str:
    """The stage mirrors the workspace; what is generated says so.

    A template's own source map names templates from the workspace's root, and the bundler takes that as relative to
    the staged file: `widgets/a/widgets/a/view.html.j2`, `widgets/a/widgets/_shared/row.html.j2`.
    """
    if path.endswith(TEMPLATE_ENDING) and path not in files:
        again = (path[found.start() + 1 :] for found in re.finditer("/widgets/", path))
        return next((named for named in again if named in files), path)
    return path if path.startswith("widgets/") else f"(generated)/{path}"
