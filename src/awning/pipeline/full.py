"""The build: from a workspace to `dist/`.

    files -> templates -> inspection -> stage and entries -> one esbuild -> snippets -> dist/

`make` goes the whole way without writing `dist/`. What it finds on the way is of two kinds: what is *broken* leaves
nothing to build, whatever is allowed; the *others* a baseline may know, a comment silence and a caller allow.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import awning
from awning.build_record import BuildRecord
from awning.diagnostics import Diagnostic, Severity, has_errors
from awning.errors import Faulty
from awning.pipeline.assemble import assemble, budgets, differing_heads
from awning.pipeline.bundled import bundled
from awning.pipeline.context import BuildContext, build_context
from awning.pipeline.declarations import write_data_types, write_declarations
from awning.pipeline.editor import write_editor_files
from awning.pipeline.files import text_faults, widget_files
from awning.pipeline.foreign import packages
from awning.pipeline.inspection import all_findings, compose_findings, refusals, without_repeated
from awning.pipeline.kept import Kept
from awning.pipeline.lock import locked
from awning.pipeline.outputs import built_widgets, dist_files
from awning.pipeline.templates import Module, TemplateCompiler
from awning.pipeline.write import refuse_precious, write_dist
from awning.workspace import Workspace, read_workspace

CHECKED = "checked.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A build that is not written: its record and the files of `dist/`, neither where something is `broken`.

    `hashes` are of the files that it was made from, `packages` those of node_modules that are in it.
    """

    broken: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    record: BuildRecord | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    packages: frozenset[str] = frozenset()


def build_workspace(
    workspace: Workspace,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
) -> BuildRecord:
    """Build to `out` (default: the workspace's dist/) and return the record: what tests run.

    The rules over scripts and states are not asked: a test shows what they only expect. Raises `Faulty` with every
    other error.
    """
    with locked(workspace.cache / "build.lock"):
        if out is not None:
            refuse_precious(out, workspace.root)
        made = make(build_context(workspace, only, environ, dev=dev))
        if made.record is None or has_errors(made.others):
            raise Faulty((*made.broken, *made.others))
        write_dist(out or workspace.dist, made.files)
        return made.record


def make(context: BuildContext, *, inspecting: bool = False) -> Made:
    """Compile, bundle and compose. With `inspecting` all rules are asked, and budgets are held."""
    workspace = context.workspace
    unread = text_faults(context.files.values())
    if unread:
        return _broken(unread, workspace.diagnostics)
    modules = context.compiler.compile_all()
    refused = refusals(modules.values())
    found = [*workspace.diagnostics, *_inspected(context, modules, inspecting=inspecting)]
    if context.writes:
        _write_types(workspace, modules, all_of_them=len(context.widgets) == len(workspace.widgets))
    bundling = bundled(context, modules, found)
    found += bundling.others
    if refused or bundling.broken:
        return _broken([*refused, *bundling.broken], found)
    fingerprint, snippets = assemble(context.cells, bundling.outputs, context.app, context.dialect)
    found += differing_heads(snippets, workspace)
    found += budgets(snippets, workspace) if inspecting and not context.dev else ()
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
    files: Mapping[str, bytes] = {}
    if context.writes:
        literals = [literal for module in modules.values() for literal in module.literals]
        files = dist_files(workspace, record, snippets, bundling.outputs, literals)
    return Made(
        others=tuple(without_repeated(found)),
        record=record,
        files=files,
        hashes={path: file.sha256 for path, file in context.files.items()},
        packages=packages(bundling.foreign, workspace.root),
    )


def write_types(root: Path) -> None:
    """What an editor reads of a workspace that is not built yet; a build brings it up to date."""
    workspace = read_workspace(root)
    files = widget_files(workspace)
    compiler = TemplateCompiler(
        files=files, cache=workspace.cache / "templates", dialect=workspace.profile.dialect
    )
    _write_types(workspace, compiler.compile_all(), all_of_them=True)


def _write_types(workspace: Workspace, modules: Mapping[str, Module], *, all_of_them: bool) -> None:
    write_data_types(workspace.root, workspace.widgets)
    write_declarations(workspace.root, modules, all_of_them=all_of_them)
    write_editor_files(workspace.root)


def _broken(broken: list[Diagnostic], found: list[Diagnostic] | tuple[Diagnostic, ...]) -> Made:
    """Errors alone are broken. What our own rules say of the same place goes before the bundler's words."""
    known = {(one.rule, one.place) for one in broken if one.severity is Severity.ERROR}
    own = {(one.rule, one.place) for one in found}
    told = [one for one in broken if (one.rule, one.place) not in own]
    every = without_repeated([*told, *found])
    return Made(
        broken=tuple(one for one in every if (one.rule, one.place) in known),
        others=tuple(one for one in every if (one.rule, one.place) not in known),
    )


def _inspected(context: BuildContext, modules: Mapping[str, Module], *, inspecting: bool) -> list[Diagnostic]:
    if not inspecting:
        return compose_findings(context, modules)
    kept = Kept.load(context.workspace.cache / CHECKED)
    found = all_findings(context, modules, kept)
    if context.writes:
        kept.save()
    return found
