"""The build: from a workspace to `dist/`.

    files -> templates -> stage and entries -> one esbuild -> snippets -> dist/

Everything that is wrong on the way is collected and raised as one `Faulty`; `dist/` is then what it was.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import awning
from awning.build_record import BuildRecord
from awning.check import SoleSlot
from awning.diagnostics import Diagnostic
from awning.pipeline.assemble import assemble, budgets, differing_heads
from awning.pipeline.bundled import bundled, raise_if_faulty
from awning.pipeline.context import BuildContext, build_context
from awning.pipeline.declarations import write_data_types, write_declarations
from awning.pipeline.editor import write_editor_files
from awning.pipeline.files import by_widget, text_faults
from awning.pipeline.inspection import widget_findings
from awning.pipeline.lock import locked
from awning.pipeline.outputs import built_widgets, dist_files
from awning.pipeline.sole import handing_widgets, sole_slots
from awning.pipeline.spoken import Spoken, literals_of, spoken
from awning.pipeline.templates import Module
from awning.pipeline.write import refuse_precious, write_dist
from awning.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a build wrote, beside its record: the files of `out`, and the hashes of the files it was made from.

    `diagnostics` may hold an error: a snippet over its budget is built all the same.
    """

    record: BuildRecord
    diagnostics: tuple[Diagnostic, ...]
    paths: tuple[str, ...]
    hashes: Mapping[str, str]


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
    context = build_context(workspace, only, environ, dev=dev)
    found = [*workspace.diagnostics, *text_faults(context.files.values())]
    raise_if_faulty(found)
    modules = _compiled(context)
    own = by_widget(context.files)
    for widget in context.widgets:
        found += widget_findings(widget, own[widget.name], modules)
    soles = sole_slots(context.widgets, context.files)
    said = () if dev else _said(context, modules, soles)
    made = bundled(context, modules, soles, said, found)
    fingerprint, snippets = assemble(context.cells, made.outputs, context.app, context.dialect)
    found += differing_heads(snippets, workspace)
    raise_if_faulty(found)
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
    files = dist_files(workspace, record, snippets, made.outputs, literals_of(workspace, modules, said))
    write_dist(out or workspace.dist, files)
    write_editor_files(workspace.root)
    return Output(
        record=record,
        diagnostics=tuple(found),
        paths=tuple(files),
        hashes={path: file.sha256 for path, file in context.files.items()},
    )


def _compiled(context: BuildContext) -> dict[str, Module]:
    modules = context.compiler.compile_all()
    write_data_types(context.workspace.root, context.workspace.widgets)
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
