"""The build: from a workspace to `dist/`.

    files -> templates -> stage and entries -> one esbuild -> snippets -> dist/

Everything that is wrong on the way is collected and raised as one `Faulty`; `dist/` is then what it was.
"""

import json
import os
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import awning
from awning.build_record import BuildRecord
from awning.bundle import Bundled, BundleRequest, Entry, Esbuild, bundle, find_esbuild
from awning.check import SoleSlot
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, did_you_mean, has_errors
from awning.errors import ConfigurationError, Faulty
from awning.jsrc import jsrc_root
from awning.pipeline.assemble import assemble, budgets, differing_heads, stray_placeholders, style_entry
from awning.pipeline.declarations import write_declarations
from awning.pipeline.editor import write_editor_files
from awning.pipeline.entries import EntryContext, entry_source
from awning.pipeline.files import SourceFile, by_widget, encoding_faults, widget_files
from awning.pipeline.given import given
from awning.pipeline.inspection import widget_findings
from awning.pipeline.interactive import asynchronous_widgets, fragile_widgets, interactive_widgets
from awning.pipeline.lock import locked
from awning.pipeline.outputs import built_widgets, dist_files
from awning.pipeline.raw import placed, raw_widgets
from awning.pipeline.sole import handing_widgets, sole_slots
from awning.pipeline.spoken import Spoken, literals_of, spoken, without_language
from awning.pipeline.stage import staged_files, write_stage
from awning.pipeline.style import compact
from awning.pipeline.templates import Module, TemplateCompiler
from awning.pipeline.units import Cell, cells, units
from awning.pipeline.write import refuse_precious, write_dist
from awning.workspace import TEMPLATE_ENDING, Isolation, Widget, Workspace

_UNRUN = (TEMPLATE_ENDING, ".css")
"""Of what widgets share, what there may be two copies of: templates are functions of what they are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a build wrote, beside its record: the files of `out`, and the hashes of the files it was made from.

    `diagnostics` may hold an error: a snippet over its budget is built all the same.
    """

    record: BuildRecord
    diagnostics: tuple[Diagnostic, ...]
    paths: tuple[str, ...]
    hashes: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildContext:
    """What is fixed for one build."""

    workspace: Workspace
    esbuild: Esbuild
    widgets: tuple[Widget, ...]
    cells: tuple[Cell, ...]
    files: Mapping[str, SourceFile]
    dev: bool = False

    @property
    def dialect(self) -> Dialect:
        return self.workspace.profile.dialect

    @property
    def app(self) -> str:
        title: str = self.workspace.manifest["app_title"]
        return title

    @property
    def stage(self) -> Path:
        return self.workspace.cache / "stage"

    @property
    def compiler(self) -> TemplateCompiler:
        cache = self.workspace.cache / "templates"
        return TemplateCompiler(files=self.files, cache=cache, dialect=self.dialect, dev=self.dev)


def build_workspace(
    workspace: Workspace,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
) -> BuildRecord:
    """Build to `out` (default: the workspace's dist/) and return the record. Raises `Faulty` with every fault."""
    with locked(workspace.cache / "build.lock"):
        return build_locked(workspace, out=out, only=only, environ=environ, dev=dev).record


def build_locked(
    workspace: Workspace,
    *,
    out: Path | None,
    only: tuple[str, ...],
    environ: Mapping[str, str],
    dev: bool,
) -> Output:
    """`build_workspace` for a caller that holds the lock."""
    if out is not None:
        refuse_precious(out, workspace.root)
    context = _context(workspace, only, environ, dev=dev)
    found = [*workspace.diagnostics, *encoding_faults(context.files.values())]
    _raise_if_faulty(found)
    modules = _compiled(context)
    own = by_widget(context.files)
    for widget in context.widgets:
        found += widget_findings(widget, own[widget.name], modules)
    soles = sole_slots(context.widgets, context.files)
    said = () if dev else _said(context, modules, soles)
    bundled = _bundled(context, modules, soles, said, found)
    fingerprint, snippets = assemble(context.cells, bundled.outputs, context.app, context.dialect)
    found += differing_heads(snippets, workspace)
    _raise_if_faulty(found)
    found += () if dev else budgets(snippets, workspace)
    record = BuildRecord(
        awning=awning.__version__,
        fingerprint=fingerprint,
        title=context.app,
        version=workspace.manifest["app_version"],
        languages=workspace.languages,
        snippets=tuple(snippet.built for snippet in snippets),
        widgets=built_widgets(context.widgets, context.files),
        esbuild=context.esbuild.version,
    )
    files = dist_files(workspace, record, snippets, bundled.outputs, literals_of(workspace, modules, said))
    write_dist(out or workspace.dist, files)
    write_editor_files(workspace.root)
    return Output(
        record=record,
        diagnostics=tuple(found),
        paths=tuple(files),
        hashes={path: file.sha256 for path, file in context.files.items()},
    )


def _context(
    workspace: Workspace, only: tuple[str, ...], environ: Mapping[str, str], *, dev: bool
) -> BuildContext:
    names = {widget.name for widget in workspace.widgets}
    for name in only:
        if name not in names:
            hint = did_you_mean(name, names) or f"widgets: {', '.join(sorted(names))}"
            raise ConfigurationError(f'no widget "{name}"', hint=hint)
    widgets = tuple(widget for widget in workspace.widgets if not only or widget.name in only)
    folders = (*(f"widgets/{widget.name}/" for widget in widgets), "widgets/_")
    return BuildContext(
        workspace=workspace,
        esbuild=find_esbuild(environ),
        widgets=widgets,
        cells=tuple(cells(workspace, units(workspace, only))),
        files={path: file for path, file in widget_files(workspace).items() if path.startswith(folders)},
        dev=dev,
    )


def _compiled(context: BuildContext) -> dict[str, Module]:
    modules = context.compiler.compile_all()
    write_declarations(
        context.workspace.root, modules, all_of_them=len(context.widgets) == len(context.workspace.widgets)
    )
    return modules


def _said(
    context: BuildContext, modules: Mapping[str, Module], soles: Mapping[str, SoleSlot]
) -> tuple[Spoken, ...]:
    widgets = [widget for widget in context.widgets if widget.name in soles]
    handing = handing_widgets(widgets, context.files)
    return tuple(spoken(widgets, handing, modules, context.compiler))


def _bundled(
    context: BuildContext,
    modules: Mapping[str, Module],
    soles: Mapping[str, SoleSlot],
    said: tuple[Spoken, ...],
    found: list[Diagnostic],
) -> Bundled:
    """The bundler's outputs. Raises with what was found before, so that all faults are reported at once."""
    entries = _staged(context, modules, soles, said)
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
        source_maps=not context.dev,
        to_source=partial(_author_path, context.files),
    )
    try:
        bundled = bundle(context.esbuild, request)
    except Faulty as error:
        known = {(one.rule, one.place) for one in found}
        more = (one for one in placed(error.diagnostics) if (one.rule, one.place) not in known)
        raise Faulty((*found, *more)) from error
    found += bundled.diagnostics
    found += stray_placeholders(context.cells, bundled.outputs, context.files, context.dialect)
    _raise_if_faulty(found)
    return bundled


def _raise_if_faulty(found: list[Diagnostic]) -> None:
    if has_errors(found):
        raise Faulty(found)


def _staged(
    context: BuildContext,
    modules: Mapping[str, Module],
    soles: Mapping[str, SoleSlot],
    said: tuple[Spoken, ...],
) -> Iterable[Entry]:
    """Write the stage; its entries for the bundler."""
    staged = staged_files(context.workspace, context.files, modules, soles, said)
    entries = EntryContext(
        app=context.app,
        shadow_styles=_shadow_styles(context),
        interactive=interactive_widgets(context.widgets, context.files),
        asynchronous=asynchronous_widgets(context.widgets, context.files),
        fragile=fragile_widgets(context.widgets, context.files),
        given=given(context.widgets, context.files),
        raw=raw_widgets(context.widgets, context.files, context.dialect),
        slots={name: sole.function for name, sole in soles.items()},
        spoken={(one.widget, one.language): one for one in said},
        shared=any(path.startswith("widgets/_") and not path.endswith(_UNRUN) for path in staged),
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
        widget.name: compact(context.files[f"widgets/{widget.name}/{widget.style.name}"].text)
        for widget in context.widgets
        if widget.isolation is Isolation.SHADOW and widget.style
    }


def _author_path(files: Container[str], path: str) -> str:
    """The stage mirrors the workspace, once and for languages again; what is generated says so.

    A template's own source map names templates from the workspace's root, and the bundler takes that as relative to
    the staged file: `widgets/a/widgets/a/view.html.j2`, `widgets/a/widgets/_shared/row.html.j2`.
    """
    path = without_language(path)
    if path.endswith(TEMPLATE_ENDING) and path not in files:
        again = (path[found.start() + 1 :] for found in re.finditer("/widgets/", path))
        return next((named for named in again if named in files), path)
    return path if path.startswith("widgets/") else f"(generated)/{path}"
