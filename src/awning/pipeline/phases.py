"""A build: its phases in order, from a workspace to `dist/`.

    read -> compile -> inspect -> types -> stage -> bundle -> assemble -> write

Each phase is a folder. One function of it runs the phase: it takes values and returns a value. `check` stops before the
last phase.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from awning.build_record import BuildRecord
from awning.bundle.run import find_esbuild
from awning.diagnostics import Diagnostic, has_errors
from awning.errors import Faulty
from awning.pipeline.assemble import AssembledSnippets, assemble_snippets
from awning.pipeline.build_session import BuildSession, build_session
from awning.pipeline.bundle import Bundle, bundle_stage
from awning.pipeline.cache.shared_files import locked
from awning.pipeline.compile import compile_templates, refusals
from awning.pipeline.editor import write_editor_files
from awning.pipeline.inspect import inspect_sources
from awning.pipeline.migrations import migration_findings
from awning.pipeline.read import (
    NEVER_CANCELLED,
    Checkpoint,
    PlannedSnippet,
    SourceSet,
    Units,
    read_sources,
)
from awning.pipeline.stage import stage_widgets
from awning.pipeline.types import find_type_errors
from awning.pipeline.verdict import UNBUILT, UNREAD, Verdict, fatal_verdict, without_repeated
from awning.pipeline.write import BUILD_FOLDER, write_dist
from awning.template.compiled_template import CompiledTemplate, Literal
from awning.workspace.model import Workspace

NO_FILES: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The options of a build."""

    only: tuple[str, ...] = ()
    """The names of the widgets to build. If it is empty, all are built."""
    units: Units = Units.ALL
    """The units whose snippets are made."""
    dev: bool = False
    """Whether the snippets are for development: not minified, without budgets, and without source maps except with
    `for_tests`.
    """
    rules: bool = True
    """Whether all rules of the check run and, except with `dev`, budgets are enforced."""
    inspects: bool = True
    """Whether the phase `inspect` runs. Without it, a build reports no findings of the check and no warnings about
    templates, and writes neither types for editors nor results to remember.
    """
    types: bool = True
    """Whether the phase `types` runs, if all rules of the check do: see `checks_types`."""
    adds: bool = False
    """Whether the build is of a part of what the session's last build was of. If so, the stage keeps the other files,
    and nothing is written in the workspace.
    """
    weighs: bool = True
    """Whether each snippet is compressed to learn its weight."""
    chosen: Callable[[PlannedSnippet], bool] | None = None
    """A function that returns whether a snippet is made; None if all are made."""
    for_tests: bool = False
    """Whether each script has a source map, even in a build for development. This does not change the snippets."""
    checkpoint: Checkpoint = NEVER_CANCELLED
    """The checkpoint that the phases call. It cancels the build by raising BuildCancelled."""

    @property
    def checks_types(self) -> bool:
        return self.types and self.inspects and self.rules


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBuild:
    """The result of the last phase. `paths` are the paths of all its files, relative to the output folder."""

    record: BuildRecord
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnwrittenBuild:
    """A build before its last phase. `assembled` is None when the verdict has a fatal diagnostic."""

    sources: SourceSet
    verdict: Verdict
    assembled: AssembledSnippets | None = None
    modules: Mapping[str, CompiledTemplate] = field(default_factory=dict)
    bundle: Bundle = field(default_factory=Bundle)
    interactive: frozenset[str] = frozenset()
    """The names of the widgets whose content is patched instead of replaced."""

    @property
    def literals(self) -> Iterator[Literal]:
        """The strings in compiled templates that hold several lines of a template, for source maps."""
        return (literal for module in self.modules.values() for literal in module.literals)


def run_phases(
    workspace: Workspace, options: BuildOptions, environ: Mapping[str, str], session: BuildSession
) -> UnwrittenBuild:
    """Run all phases but the last. After an error the later phases run as far as they can, to report their errors too.

    Only what has changed since earlier builds is done again. `workspace` comes from `session.read_workspace`.

    Raises Faulty and ConfigurationError as `read_sources` does, ConfigurationError also when esbuild cannot be used.
    Raises BuildCancelled when the checkpoint of the options cancels the build.
    """
    writes = session.writes and options.inspects and not options.adds
    try:
        build = _run_phases(workspace, options, environ, session)
        if not options.adds:
            session.memory.settle()
        return build
    finally:
        if writes:
            session.memory.save()


def _run_phases(
    workspace: Workspace, options: BuildOptions, environ: Mapping[str, str], session: BuildSession
) -> UnwrittenBuild:
    checkpoint, memory = options.checkpoint, session.memory

    checkpoint.check()
    sources = read_sources(
        workspace, session.sources, options.only, units=options.units, chosen=options.chosen
    )
    # A file that changed since the look is not what the workspace was read from, so its hash is in the wrong keys.
    memory.stores = session.sources.are_as_read(sources.files)
    esbuild = find_esbuild(environ)
    if sources.faults:
        verdict = fatal_verdict(sources.faults, workspace.diagnostics, workspace.baseline, unchecked=UNREAD)
        return UnwrittenBuild(sources=sources, verdict=verdict)

    modules = compile_templates(
        sources.files, memory, dialect=sources.dialect, dev=options.dev, checkpoint=checkpoint
    )

    checkpoint.check()
    diagnostics = [*workspace.diagnostics, *_findings(sources, modules, options, environ, session)]

    checkpoint.check()
    stage = stage_widgets(
        sources, modules, session.stage, memory, adds=options.adds, dev=options.dev, checkpoint=checkpoint
    )

    checkpoint.check()
    bundle = bundle_stage(
        sources,
        stage,
        session.bundler(esbuild, checkpoint),
        memory,
        minify=not options.dev,
        source_maps=options.for_tests or not (options.dev or options.adds),
        reported=diagnostics,
    )
    checkpoint.check()
    diagnostics += bundle.others
    fatal = (*refusals(modules), *bundle.fatal)
    if fatal:
        verdict = fatal_verdict(fatal, diagnostics, workspace.baseline, unchecked=UNBUILT)
        return UnwrittenBuild(sources=sources, verdict=verdict)

    diagnostics += migration_findings(sources, bundle.outputs, memory)
    assembled = assemble_snippets(
        sources,
        bundle.outputs,
        esbuild_version=esbuild.version,
        budgets=options.rules and not options.dev,
        weighs=options.weighs,
        names_widgets=options.dev,
    )
    diagnostics += assembled.diagnostics
    return UnwrittenBuild(
        sources=sources,
        verdict=Verdict(others=tuple(without_repeated(diagnostics)), baseline=workspace.baseline),
        assembled=assembled,
        modules=modules,
        bundle=bundle,
        interactive=stage.interactive,
    )


def _findings(
    sources: SourceSet,
    modules: Mapping[str, CompiledTemplate],
    options: BuildOptions,
    environ: Mapping[str, str],
    session: BuildSession,
) -> Iterator[Diagnostic]:
    """Yield what the phases `inspect` and `types` find. The files for editors are written between them: `types` reads
    them.
    """
    workspace, checkpoint = sources.workspace, options.checkpoint
    if options.inspects:
        yield from inspect_sources(sources, modules, session.memory, checkpoint, all_rules=options.rules)
    if options.inspects and not options.adds and (session.writes or options.checks_types):
        write_editor_files(
            workspace,
            modules,
            session.types,
            session.declared,
            all_templates=sources.widgets == workspace.widgets,
        )
    if options.checks_types:
        yield from find_type_errors(
            sources,
            modules,
            session.memory,
            session.type_server,
            environ,
            known=session.sources,
            checkpoint=checkpoint,
        )


def write_build(
    build: UnwrittenBuild,
    out: Path,
    *,
    allowed_errors: int = 0,
    for_tests: bool = False,
    more: Mapping[str, bytes] = NO_FILES,
) -> WrittenBuild:
    """Run the last phase. `more` are further files of the build, by path.

    Raises Faulty with the diagnostics when a fatal one has left nothing to write.

    Raises ConfigurationError when `out` cannot be written; it is then unchanged.
    """
    if build.assembled is None:
        raise Faulty(build.verdict.counted(), hint=build.verdict.unchecked)
    record = replace(build.assembled.record, allowed_errors=allowed_errors)
    paths = write_dist(
        out,
        build.sources.workspace,
        record=record,
        snippets=build.assembled.snippets,
        outputs=build.bundle.outputs,
        literals=build.literals,
        for_tests=for_tests,
        more=more,
    )
    return WrittenBuild(record=record, paths=paths)


def build_workspace(
    workspace: Workspace,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
    for_tests: bool = False,
) -> BuildRecord:
    """Build to `out` (default: the workspace's dist/) and return the record.

    Of the check's rules, only those of `Inspector.disagreements` run, because tests show what scripts do. With
    `for_tests`, the build has the files that `BuiltScript` reads. Other builds have complete source maps.

    Raises Faulty with all diagnostics when one of them is an error. Raises ConfigurationError as `run_phases` does, and
    when `out` cannot be written or has other content than a build (`BUILD_FOLDER`).
    """
    with locked(workspace.cache / "build.lock"), build_session(workspace.root, lasts=False) as session:
        if out is not None:
            BUILD_FOLDER.check(out, workspace.root)
        session.sources.look()
        options = BuildOptions(only=only, dev=dev, rules=False, for_tests=for_tests)
        build = run_phases(workspace, options, environ, session)
        if build.verdict.fatal or has_errors(build.verdict.others):
            raise Faulty((*build.verdict.fatal, *build.verdict.others))
        return write_build(build, out or workspace.dist, for_tests=for_tests).record


def write_types(root: Path) -> None:
    """Write the files for editors in a workspace that is not built yet.

    Raises as `read_workspace` and `read_sources` do.
    """
    with build_session(root, lasts=False) as session:
        workspace = session.read_workspace(os.environ)
        sources = read_sources(workspace, session.sources)
        modules = compile_templates(sources.files, session.memory, dialect=sources.dialect)
        write_editor_files(workspace, modules, session.types, session.declared, all_templates=True)
