"""A build: its phases in order, from a workspace to `dist/`.

    read -> compile -> inspect -> stage -> bundle -> assemble -> write

Each phase is a folder with one entry function, which takes values and returns a value. `check` stops before the last
one.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from awning.build_record import BuildRecord
from awning.bundle import Output, find_esbuild
from awning.diagnostics import has_errors
from awning.errors import Faulty
from awning.pipeline.assemble import AssembledSnippets, assemble_snippets
from awning.pipeline.bundle import bundle_stage
from awning.pipeline.cache.diagnostic_cache import DiagnosticCache
from awning.pipeline.cache.shared_files import locked
from awning.pipeline.compile import compile_templates
from awning.pipeline.editor import write_editor_files
from awning.pipeline.inspect import inspect_sources
from awning.pipeline.read import SourceSet, read_sources
from awning.pipeline.stage import stage_widgets
from awning.pipeline.verdict import Verdict, fatal_verdict, without_repeated
from awning.pipeline.write import check_output_folder, write_dist
from awning.template.sourcemap import Literal
from awning.workspace import Workspace, read_workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The options of a build. `only` names the widgets to build; if it is empty, all are built.

    With `rules`, all rules of the check run, and budgets are enforced. With a `scratch` folder, the stage is made
    there, and nothing is written in the workspace.
    """

    only: tuple[str, ...] = ()
    dev: bool = False
    rules: bool = True
    scratch: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBuild:
    """The result of the last phase. `paths` are the files in the output folder."""

    record: BuildRecord
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwrittenBuild:
    """A build before its last phase. `assembled` is None when the verdict has a fatal diagnostic."""

    sources: SourceSet
    verdict: Verdict
    assembled: AssembledSnippets | None = None
    outputs: Mapping[str, Output] = field(default_factory=dict)
    literals: tuple[Literal, ...] = ()
    """The texts in templates, for source maps."""
    packages: frozenset[str] = frozenset()
    """The files of node_modules that the build depends on."""


def run_phases(workspace: Workspace, options: BuildOptions, environ: Mapping[str, str]) -> UnwrittenBuild:
    """All phases but the last. After an error the later phases run as far as they can, to report their errors too.

    Raises ConfigurationError for a widget that does not exist, and when esbuild cannot be used.
    """
    writes = options.scratch is None
    diagnostic_cache = DiagnosticCache.load(workspace.cache / "checked.json") if options.rules else None

    sources = read_sources(workspace, options.only)
    esbuild = find_esbuild(environ)
    if sources.faults:
        return UnwrittenBuild(
            sources=sources, verdict=fatal_verdict(sources.faults, workspace.diagnostics, workspace.baseline)
        )

    modules = compile_templates(
        sources.files,
        cache=workspace.cache / "templates",
        dialect=sources.dialect,
        dev=options.dev,
        keeps=writes,
    )

    inspection = inspect_sources(sources, modules, diagnostic_cache)
    diagnostics = [*workspace.diagnostics, *inspection.findings]
    if writes:
        if diagnostic_cache is not None:
            diagnostic_cache.save()
        write_editor_files(workspace, modules, all_templates=sources.widgets == workspace.widgets)

    stage = stage_widgets(sources, modules, options.scratch or workspace.cache / "stage")

    bundle = bundle_stage(
        sources,
        stage,
        esbuild,
        minify=not options.dev,
        source_maps=writes and not options.dev,
        reported=diagnostics,
    )
    diagnostics += bundle.others
    if inspection.refused or bundle.fatal:
        fatal = (*inspection.refused, *bundle.fatal)
        return UnwrittenBuild(sources=sources, verdict=fatal_verdict(fatal, diagnostics, workspace.baseline))

    assembled = assemble_snippets(
        sources,
        bundle.outputs,
        raw=stage.raw,
        esbuild_version=esbuild.version,
        budgets=options.rules and not options.dev,
    )
    diagnostics += assembled.diagnostics
    return UnwrittenBuild(
        sources=sources,
        verdict=Verdict(others=tuple(without_repeated(diagnostics)), baseline=workspace.baseline),
        assembled=assembled,
        outputs=bundle.outputs,
        literals=tuple(literal for module in modules.values() for literal in module.literals),
        packages=bundle.packages,
    )


def write_build(build: UnwrittenBuild, out: Path, *, allowed_errors: int = 0) -> WrittenBuild:
    """The last phase. Raises Faulty with the diagnostics when there is nothing to write.

    Raises ConfigurationError when `out` cannot be written; `out` is then unchanged.
    """
    if build.assembled is None:
        raise Faulty(build.verdict.counted())
    record = replace(build.assembled.record, allowed_errors=allowed_errors)
    paths = write_dist(
        out,
        build.sources.workspace,
        record=record,
        snippets=build.assembled.snippets,
        outputs=build.outputs,
        literals=build.literals,
    )
    return WrittenBuild(record=record, paths=paths)


def build_workspace(
    workspace: Workspace,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
) -> BuildRecord:
    """Build to `out` (default: the workspace's dist/) and return the record. Tests use it.

    The rules over scripts and states do not run, because a test shows the real behaviour.

    Raises Faulty with all diagnostics when one of them is an error, ConfigurationError when `out` cannot be written.
    """
    with locked(workspace.cache / "build.lock"):
        if out is not None:
            check_output_folder(out, workspace.root)
        build = run_phases(workspace, BuildOptions(only=only, dev=dev, rules=False), environ)
        if build.verdict.fatal or has_errors(build.verdict.others):
            raise Faulty((*build.verdict.fatal, *build.verdict.others))
        return write_build(build, out or workspace.dist).record


def write_types(root: Path) -> None:
    """Write the files for the editor in a workspace that is not built yet."""
    workspace = read_workspace(root)
    files = read_sources(workspace).files
    modules = compile_templates(files, cache=workspace.cache / "templates", dialect=workspace.profile.dialect)
    write_editor_files(workspace, modules, all_templates=True)
