"""A build: its phases in order, from a workspace to `dist/`.

    read -> compile -> inspect -> types -> stage -> bundle -> assemble -> write

Each phase is a folder. One function of it runs the phase: it takes values and returns a value. `check` stops before the
last phase.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from awning.build_record import BuildRecord
from awning.bundle import Output, ResidentEsbuild, find_esbuild
from awning.bundle import bundle as run_esbuild
from awning.diagnostics import Diagnostic, Severity, has_errors
from awning.errors import Faulty, ProgramUnusable
from awning.pipeline.assemble import AssembledSnippets, KnownWeights, assemble_snippets
from awning.pipeline.bundle import OutputMemory, bundle_stage
from awning.pipeline.cache.diagnostic_cache import DiagnosticCache
from awning.pipeline.cache.shared_files import locked
from awning.pipeline.cache.toolchain import STAMP, TYPES
from awning.pipeline.compile import KnownModules, Module, compile_templates
from awning.pipeline.editor import write_editor_files
from awning.pipeline.inspect import Inspection, inspect_sources, refusals
from awning.pipeline.read import (
    NEVER_CANCELLED,
    BuildCancelled,
    Checkpoint,
    KnownSources,
    PlannedSnippet,
    SourceSet,
    Units,
    read_sources,
)
from awning.pipeline.repeated import without_repeated
from awning.pipeline.stage import StageFolder, stage_widgets
from awning.pipeline.types import TypeServer, type_findings
from awning.pipeline.verdict import UNBUILT, UNREAD, Verdict, fatal_verdict
from awning.pipeline.write import check_output_folder, write_dist
from awning.programs import TYPESCRIPT, Binary, find_program
from awning.template.sourcemap import Literal
from awning.typescript import Problem
from awning.workspace import Widget, Workspace, read_workspace


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
    templates, and writes neither types for editors nor compiled templates.
    """
    types: bool = True
    """Whether the phase `types` runs, if all rules of the check do."""
    scratch: Path | None = None
    """A folder for the stage. With it, nothing is written in the workspace."""
    adds: bool = False
    """Whether the stage keeps the files of other builds. If so, nothing is written in the workspace."""
    weighs: bool = True
    """Whether each snippet is compressed to learn its weight."""
    chosen: Callable[[PlannedSnippet], bool] | None = None
    """A function that returns whether a snippet is made; None if all are made."""
    for_tests: bool = False
    """Whether each script has a source map, even in a build for development. This does not change the snippets."""
    checkpoint: Checkpoint = NEVER_CANCELLED
    """The checkpoint that the phases call. It cancels the build by raising BuildCancelled."""


@dataclass(slots=True, kw_only=True)
class BuildMemory:
    """The results of each phase, which stay in memory between the builds of one workspace.

    With this memory, a build is faster and has the same result. A build that fails or is cancelled does not spoil the
    memory: the results that it has finished stay valid.
    """

    folder: Path
    """A temporary folder for this memory."""
    sources: KnownSources
    stage: StageFolder
    outputs: OutputMemory | None = None
    modules: KnownModules = field(default_factory=dict)
    diagnostics: DiagnosticCache | None = None
    weights: KnownWeights = field(default_factory=dict)
    type_server: TypeServer | None = None
    type_findings: DiagnosticCache | None = None
    declared: tuple[tuple[Widget, ...], Mapping[str, Module]] | None = None
    """The widgets and compiled templates for which `.awning/types` has the types; None when that is unknown."""

    def outputs_with(self, environ: Mapping[str, str]) -> OutputMemory:
        """Return `outputs`. The first call makes it, with an esbuild process that stays between builds.

        Raises ProgramUnusable when no esbuild can be used.
        """
        if self.outputs is None:
            self.outputs = OutputMemory(ResidentEsbuild(find_esbuild(environ)))
        return self.outputs

    def read_workspace(self, environ: Mapping[str, str]) -> Workspace:
        """Look for changed files, and read the workspace. Raises as `awning.workspace.read_workspace` does."""
        self.sources.look()
        return read_workspace(
            self.sources.root, environ=environ, known=self.sources.widgets, listed=self.sources.listed
        )


@contextmanager
def build_memory(root: Path) -> Iterator[BuildMemory]:
    """Yield the memory for builds of the workspace at `root`. Its esbuild ends with the `with` block.

    The stage is a temporary folder, in /dev/shm (main memory) if the system has it.
    """
    folder_in = _MEMORY_FOLDER if os.access(_MEMORY_FOLDER, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="awning-", dir=folder_in) as folder:
        own = Path(folder).resolve()
        memory = BuildMemory(
            folder=own, sources=KnownSources(root.resolve()), stage=StageFolder(own / "stage")
        )
        try:
            yield memory
        finally:
            if memory.outputs is not None:
                memory.outputs.resident.end()
            if memory.type_server is not None:
                memory.type_server.end()


_MEMORY_FOLDER = "/dev/shm"  # noqa: S108 - the folder made in it is only this user's


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
    outputs: Mapping[str, Output] = field(default_factory=dict)
    literals: tuple[Literal, ...] = ()
    """The strings in compiled templates that hold several lines of a template, for source maps."""
    packages: frozenset[str] = frozenset()
    """The paths of the files of node_modules that the build depends on, relative to the workspace."""
    interactive: frozenset[str] = frozenset()
    """The names of the widgets whose content is patched instead of replaced."""


def run_phases(
    workspace: Workspace, options: BuildOptions, environ: Mapping[str, str], memory: BuildMemory | None = None
) -> UnwrittenBuild:
    """Run all phases but the last. After an error the later phases run as far as they can, to report their errors too.

    With `memory`, only what has changed since the last build is done again. `workspace` must then come from
    `memory.read_workspace`.

    Raises Faulty and ConfigurationError as `read_sources` does, ConfigurationError also when esbuild cannot be used.
    Raises BuildCancelled when the checkpoint of the options cancels the build.
    """
    writes = options.scratch is None and not options.adds
    checkpoint = options.checkpoint

    checkpoint.check()
    sources = read_sources(
        workspace,
        options.only,
        known=memory.sources if memory else None,
        units=options.units,
        chosen=options.chosen,
    )
    outputs = memory.outputs_with(environ) if memory else None
    esbuild = outputs.resident.esbuild if outputs else find_esbuild(environ)
    if sources.faults:
        return UnwrittenBuild(
            sources=sources,
            verdict=fatal_verdict(
                sources.faults, workspace.diagnostics, workspace.baseline, unchecked=UNREAD
            ),
        )

    modules = compile_templates(
        sources.files,
        cache=workspace.cache / "templates",
        dialect=sources.dialect,
        dev=options.dev,
        keeps=writes and options.inspects,
        known=memory.modules if memory else None,
        checkpoint=checkpoint,
    )

    checkpoint.check()
    inspection = _inspect(sources, modules, options, memory)
    diagnostics = [*workspace.diagnostics, *inspection.findings]
    if writes and options.inspects:
        _write_editor_files(sources, modules, memory)
    if options.types and options.inspects and options.rules:
        diagnostics += find_type_errors(sources, modules, options, environ, memory)

    checkpoint.check()
    folder = memory.stage if memory else StageFolder(options.scratch or workspace.cache / "stage")
    stage = stage_widgets(sources, modules, folder, adds=options.adds, dev=options.dev, checkpoint=checkpoint)

    checkpoint.check()
    bundle = bundle_stage(
        sources,
        stage,
        partial(outputs.bundle, staged=stage.files, checkpoint=checkpoint)
        if outputs
        else partial(run_esbuild, esbuild),
        minify=not options.dev,
        source_maps=writes and (options.for_tests or not options.dev),
        reported=diagnostics,
    )
    checkpoint.check()
    diagnostics += bundle.others
    if inspection.refused or bundle.fatal:
        fatal = (*inspection.refused, *bundle.fatal)
        verdict = fatal_verdict(fatal, diagnostics, workspace.baseline, unchecked=UNBUILT)
        return UnwrittenBuild(sources=sources, verdict=verdict)

    assembled = assemble_snippets(
        sources,
        bundle.outputs,
        esbuild_version=esbuild.version,
        budgets=options.rules and not options.dev,
        weighs=options.weighs,
        names_widgets=options.dev,
        known=memory.weights if memory and not options.adds else None,
    )
    diagnostics += assembled.diagnostics
    return UnwrittenBuild(
        sources=sources,
        verdict=Verdict(others=tuple(without_repeated(diagnostics)), baseline=workspace.baseline),
        assembled=assembled,
        outputs=bundle.outputs,
        literals=tuple(literal for module in modules.values() for literal in module.literals),
        packages=bundle.packages,
        interactive=stage.interactive,
    )


def _inspect(
    sources: SourceSet, modules: Mapping[str, Module], options: BuildOptions, memory: BuildMemory | None
) -> Inspection:
    """Run the phase `inspect` as far as the options ask for it. When all rules run, their diagnostics are cached."""
    if not options.inspects:
        return Inspection(refused=refusals(modules), findings=())
    if not options.rules:
        return inspect_sources(sources, modules, None, options.checkpoint)
    cache = _cache(sources.workspace, "checked.json", memory.diagnostics if memory else None)
    if memory is not None:
        memory.diagnostics = cache
    with _saved(cache, options):
        return inspect_sources(sources, modules, cache, options.checkpoint)


def _cache(workspace: Workspace, name: str, last: DiagnosticCache | None) -> DiagnosticCache:
    """Return a cache with the entries that the last build in memory used; without such a build, the workspace's."""
    if last is None:
        return DiagnosticCache.load(workspace.cache / name)
    return DiagnosticCache(file=last.file, known=last.used)


@contextmanager
def _saved(cache: DiagnosticCache, options: BuildOptions) -> Iterator[None]:
    """Save the cache after the `with` block, if the options allow to write. A cancelled build keeps all its entries."""
    try:
        yield
    except BuildCancelled:
        cache.keep_known()
        raise
    if options.scratch is None and not options.adds:
        cache.save()


def _types_unchecked(reason: str, hint: str | None) -> Diagnostic:
    message = f"types are not checked: {reason}"
    return Diagnostic(rule="types-unchecked", message=message, hint=hint, severity=Severity.WARNING)


def _has_odd_bytes(folder: Path) -> bool:
    """Return whether TypeScript, whose paths are UTF-8, would not find the folder."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        return True
    return False


def find_type_errors(
    sources: SourceSet,
    modules: Mapping[str, Module],
    options: BuildOptions,
    environ: Mapping[str, str],
    memory: BuildMemory | None,
) -> list[Diagnostic]:
    """Run the phase `types`. The types for editors must be up to date, except with `scratch`.

    Without a TypeScript for this machine, the only finding is a warning that says so. Raises ProgramUnusable when the
    TypeScript that is installed or named does not run.
    """
    try:
        binary = find_program(TYPESCRIPT, environ)
    except ProgramUnusable as error:
        if environ.get(TYPESCRIPT.variable):
            raise
        return [_types_unchecked(error.message, error.hint)]
    if _has_odd_bytes(sources.workspace.root):
        return [_types_unchecked("the folder's path is not UTF-8 text", "move it, or set a UTF-8 locale")]
    cache = _cache(sources.workspace, "typed.json", memory.type_findings if memory else None)
    if memory is not None:
        memory.type_findings = cache
    with _type_server(sources.workspace, binary, options, memory) as server, _saved(cache, options):

        def ask(scripts: Sequence[str]) -> Mapping[str, tuple[Problem, ...]]:
            if options.scratch:
                write_editor_files(sources.workspace, modules, types=server.types, all_templates=True)
            problems = server.problems(sources, scripts, options.checkpoint.check)
            options.checkpoint.check()  # if a file has been saved meanwhile, the problems may be those of its new text
            return problems

        return type_findings(sources, cache, f"{binary.version} {binary.path}", ask)


@contextmanager
def _type_server(
    workspace: Workspace, binary: Binary, options: BuildOptions, memory: BuildMemory | None
) -> Iterator[TypeServer]:
    """Yield the type server of the memory; without a memory, one that ends with the `with` block."""
    types = workspace.root / TYPES
    if memory is not None:
        if memory.type_server is None or memory.type_server.binary != binary:
            (memory.folder / "types").mkdir(exist_ok=True)
            memory.type_server = TypeServer(binary=binary, folder=memory.folder / "types", types=types)
        yield memory.type_server
        return
    with tempfile.TemporaryDirectory(prefix="awning-types-") as name:
        folder = Path(name).resolve()
        server = TypeServer(
            binary=binary, folder=folder, types=folder / "types" if options.scratch else types
        )
        try:
            yield server
        finally:
            server.end()


def _write_editor_files(
    sources: SourceSet, modules: Mapping[str, Module], memory: BuildMemory | None
) -> None:
    """Write the files for editors.

    With `memory`, the types of templates that have not changed since the last build are not written again. This holds
    only if the widgets and the paths of the templates are the same as then, and `.awning/types` still exists.
    """
    workspace = sources.workspace
    before = memory.declared if memory else None
    if before is not None and before[0] == workspace.widgets and (workspace.root / TYPES / STAMP).is_file():
        changed = {path: module for path, module in modules.items() if before[1].get(path) is not module}
        if before[1].keys() == modules.keys():
            write_editor_files(workspace, changed, all_templates=False)
        else:
            write_editor_files(workspace, modules, all_templates=True)
    else:
        write_editor_files(workspace, modules, all_templates=sources.widgets == workspace.widgets)
    if memory is not None and sources.widgets == workspace.widgets:
        memory.declared = (workspace.widgets, modules)


def write_build(
    build: UnwrittenBuild, out: Path, *, allowed_errors: int = 0, for_tests: bool = False
) -> WrittenBuild:
    """Run the last phase. Raises Faulty with the diagnostics when a fatal one has left nothing to write.

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
        outputs=build.outputs,
        literals=build.literals,
        for_tests=for_tests,
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
    when `out` cannot be written or has other content than a build (`check_output_folder`).
    """
    with locked(workspace.cache / "build.lock"):
        if out is not None:
            check_output_folder(out, workspace.root)
        build = run_phases(
            workspace, BuildOptions(only=only, dev=dev, rules=False, for_tests=for_tests), environ
        )
        if build.verdict.fatal or has_errors(build.verdict.others):
            raise Faulty((*build.verdict.fatal, *build.verdict.others))
        return write_build(build, out or workspace.dist, for_tests=for_tests).record


def write_types(root: Path) -> None:
    """Write the files for editors in a workspace that is not built yet.

    Raises as `read_workspace` and `read_sources` do.
    """
    workspace = read_workspace(root)
    files = read_sources(workspace).files
    modules = compile_templates(files, cache=workspace.cache / "templates", dialect=workspace.profile.dialect)
    write_editor_files(workspace, modules, all_templates=True)
