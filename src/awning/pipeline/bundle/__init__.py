"""Phase 6: bundles with esbuild (`awning.bundle`) only the entry points that a change reaches.

The outputs of all others are remembered. An output depends on the request, on the contents of all files that were
bundled into it, and on the names of the author's files, which decide what an import means. If esbuild reports a
diagnostic about one of these files, or one of them imports a file from outside of the stage or a package that may be
missing, the output is not remembered.

Of the files outside of `widgets/` that a script or style imports, packages of the workspace's own node_modules are
allowed. Anything else is refused. `author_places` moves the bundler's diagnostics to the author's own files.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from awning.build_record import WHOLE_APP, build_mark
from awning.bundle.request import BundleRequest, BundleResult, EntryPoint, Output, OutsideFile, build_request
from awning.bundle.run import ResidentEsbuild
from awning.bundle.run import bundle as run_esbuild
from awning.diagnostics import Diagnostic, Place
from awning.errors import Faulty
from awning.jsrc import jsrc_root
from awning.pipeline.bundle.author_places import (
    author_path,
    in_author_line,
    in_workspace,
    with_missing_exports,
    with_near_files,
    with_style_imports,
)
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceFile, SourceSet
from awning.pipeline.stage import Stage
from awning.programs import Binary
from awning.snippet.placeholders import joined_placeholder, spells_placeholder, written_placeholders
from awning.workspace.offsets import line_and_column

__all__ = ["Bundle", "Bundler", "bundle_stage"]


_UNKNOWN_PROPERTY = "[unsupported-css-property]"
"""How the bundler's warnings about misspelt properties end. In an author's file, the phase `inspect` reports them."""

_OTHER_CASE = "[different-path-case]"
"""How the bundler's warnings about a name in other letters end."""

_SOURCE_ENDINGS = (".ts", ".js", ".css", ".toml", ".json", ".j2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The outputs by the name of their entry point. With `fatal` diagnostics, no snippet can be built.

    `packages` are the paths of the files of node_modules that the outputs depend on, relative to the workspace.
    """

    outputs: Mapping[str, Output] = field(default_factory=dict)
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The files of the stage that are bundled into each output."""
    unresolved: frozenset[str] = frozenset()
    """The files with an import that nothing resolves, but which may be missing."""
    fatal: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    packages: frozenset[str] = frozenset()


MOST_GROUPS = 12
"""The most groups of entry points that the resident process bundles one by one.

More groups are bundled together, by a new process. A group has the entry points of one unit, or all style sheets.
"""

OUTPUTS: ResultKind[Output] = ResultKind("output", Output, on_disk=True)
SESSION_OUTPUTS: ResultKind[Output] = ResultKind("output", Output)
"""The outputs of a session of many builds. Each save makes new ones, so they are only in main memory."""


@dataclass(frozen=True, slots=True)
class Bundler:
    """Runs esbuild: all entry points in one run of a new process, or group by group with a `resident` one."""

    esbuild: Binary
    resident: ResidentEsbuild | None = None
    checkpoint: Checkpoint = NEVER_CANCELLED

    @property
    def outputs(self) -> ResultKind[Output]:
        """The kind under which the outputs are remembered."""
        return OUTPUTS if self.resident is None else SESSION_OUTPUTS

    def run(self, request: BundleRequest) -> Iterator[BundleResult]:
        """Yield results that have all outputs of the request together. Raises as `awning.bundle.run.bundle` does.

        Raises BuildCancelled when the checkpoint cancels the build.
        """
        groups: dict[str, list[EntryPoint]] = {}
        for entry in request.entry_points:
            groups.setdefault(entry.name.partition("/")[0], []).append(entry)
        self.checkpoint.check()
        if self.resident is None or len(groups) > MOST_GROUPS:
            yield run_esbuild(self.esbuild, request)
            return
        is_cancelled = None if self.checkpoint is NEVER_CANCELLED else self.checkpoint.check
        try:
            for group in groups.values():
                self.checkpoint.check()
                yield self.resident.bundle(replace(request, entry_points=tuple(group)), is_cancelled)
        except Faulty:
            # An error in one group may keep esbuild from reporting errors of another. A run over all groups reports all
            # errors.
            yield run_esbuild(self.esbuild, request)


def bundle_stage(
    sources: SourceSet,
    stage: Stage,
    bundler: Bundler,
    memory: Memory,
    *,
    minify: bool,
    source_maps: bool,
    reported: Iterable[Diagnostic] = (),
) -> Bundle:
    """Bundle all entry points.

    If `reported` has a `style-error` for a style sheet, the bundler's warnings about that style sheet are left out. Its
    warnings about misspelt properties in authors' style sheets are always left out (`pipeline/style/properties.py`).

    Raises as `bundler` does, except Faulty: the diagnostics of a Faulty become `fatal`.
    """
    root = sources.workspace.root
    request = BundleRequest(
        entry_points=stage.entry_points,
        root=stage.folder,
        jsrc=jsrc_root(),
        defines=_defines(sources, minify=minify),
        minify=minify,
        source_maps=source_maps,
        packages=root / "node_modules",
        to_source=partial(author_path, sources.files),
    )

    def author_diagnostic(diagnostic: Diagnostic) -> Diagnostic:
        diagnostic = with_near_files(in_author_line(diagnostic, sources.files), sources.files)
        return in_workspace(diagnostic, root, stage.folder)

    try:
        result = bundle_changed(request, stage, bundler, memory)
    except Faulty as error:
        fatal = with_style_imports(with_missing_exports(error.diagnostics, sources.widgets), reported)
        fatal = _without_doubled(fatal)
        return Bundle(fatal=tuple(author_diagnostic(diagnostic) for diagnostic in fatal))
    warnings = map(author_diagnostic, _new_warnings(result.diagnostics, reported, sources.files))
    return Bundle(
        outputs=result.outputs,
        reads=result.reads,
        unresolved=result.unresolved,
        fatal=tuple(find_outside_faults(result.outside, root, stage.folder, sources.files)),
        others=(*warnings, *_find_placeholder_faults(sources, result.outputs)),
        packages=find_packages(result.outside, root),
    )


def _new_warnings(
    warnings: Iterable[Diagnostic], reported: Iterable[Diagnostic], files: Mapping[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield the bundler's warnings that no earlier phase has reported about the same file."""
    styles = {
        diagnostic.place.path
        for diagnostic in reported
        if diagnostic.rule == "style-error" and diagnostic.place
    }
    for warning in warnings:
        path = warning.place.path if warning.place else None
        misspelt = path in files and warning.message.endswith(_UNKNOWN_PROPERTY)
        if path not in styles and not misspelt:
            yield warning


def _defines(sources: SourceSet, *, minify: bool) -> dict[str, str]:
    """Return the JavaScript of the constants in jsrc/runtime."""
    workspace, dialect = sources.workspace, sources.dialect
    return {
        "AWNING_GLOBAL": dialect.global_object,
        "AWNING_APP": json.dumps(sources.app, ensure_ascii=False),
        "AWNING_BEACON": json.dumps(workspace.beacon or ""),
        "AWNING_BEACON_SAMPLE_RATE": json.dumps(workspace.beacon_sample_rate or 0),
        "AWNING_BUILD": json.dumps(build_mark(workspace.languages)),
        "AWNING_DEV": json.dumps(not minify),
        "AWNING_KILL_SWITCH": json.dumps(workspace.kill_switch is not False),
        "AWNING_EVENT_PREFIX": json.dumps(dialect.event_prefix),
        "AWNING_PLACEHOLDER_PREFIX": json.dumps(dialect.placeholder_prefix),
    }


def _without_doubled(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without the warnings about the case of a name that could not be resolved at all."""
    unresolved = {item.place for item in diagnostics if item.rule == "unresolved-import"}
    return tuple(
        item for item in diagnostics if not (item.message.endswith(_OTHER_CASE) and item.place in unresolved)
    )


def _find_placeholder_faults(sources: SourceSet, outputs: Mapping[str, Output]) -> list[Diagnostic]:
    """Return a diagnostic for each placeholder in bundled code, at its place in the sources of the widget.

    The service would replace such a placeholder in the middle of JavaScript or CSS.
    """
    faults: dict[Diagnostic, None] = {}
    by_widget = any(planned.unit != WHOLE_APP for planned in sources.planned_snippets)
    for planned in sources.planned_snippets:
        codes = [
            outputs[name].code.decode() for name in (planned.entry, *planned.style_entries) if name in outputs
        ]
        # A snippet of several widgets does not show which of them has the placeholder. If this build also makes
        # snippets of single widgets, only those are examined.
        told_apart = len(planned.compiled) == 1 or not by_widget
        if not told_apart or not any(spells_placeholder(code, sources.dialect) for code in codes):
            continue
        for widget in planned.compiled:
            files = sources.by_folder[widget.name].items()
            written = [
                diagnostic
                for path, file in files
                if path.endswith(_SOURCE_ENDINGS)
                for diagnostic in written_placeholders(path, file.text, sources.dialect)
            ]
            if not written and len(planned.compiled) == 1:
                written = [joined_placeholder(f"widgets/{widget.name}/widget.ts", sources.dialect)]
            faults |= dict.fromkeys(written)
    return list(faults)


def bundle_changed(request: BundleRequest, stage: Stage, bundler: Bundler, memory: Memory) -> BundleResult:
    """Bundle as `awning.bundle.run.bundle` does, and raise the same errors.

    `outside`, `diagnostics` and `unresolved` are only those of the outputs that were not remembered.
    """
    kind = bundler.outputs
    content = build_request(replace(request, entry_points=(), root=Path("/")))
    setting = (json.dumps(content), bundler.esbuild.identity, stage.names)
    keys = {entry.name: hash_of("output", entry.name, *setting) for entry in request.entry_points}
    known = {name: output for name, key in keys.items() if (output := memory.find(kind, key, stage.hash_of))}
    reads = {name: memory.reads_of(kind, keys[name]) for name in known}
    missing = tuple(entry for entry in request.entry_points if entry.name not in known)
    results: list[BundleResult] = []
    for result in bundler.run(replace(request, entry_points=missing)) if missing else ():
        for name in _lasting(request, result):
            memory.put(kind, keys[name], result.outputs[name], result.reads[name], stage.hash_of)
        results.append(result)
        reads |= result.reads
        known |= result.outputs
    return BundleResult(
        outputs={entry.name: known[entry.name] for entry in request.entry_points},
        outside=tuple(dict.fromkeys(file for result in results for file in result.outside)),
        diagnostics=tuple(dict.fromkeys(d for result in results for d in result.diagnostics)),
        reads=reads,
        unresolved=frozenset[str]().union(*(result.unresolved for result in results)),
    )


def _lasting(request: BundleRequest, result: BundleResult) -> Iterator[str]:
    """Yield the name of each output that may be remembered."""
    authors = {
        name: frozenset(request.author_path(path) for path in paths) for name, paths in result.reads.items()
    }
    doubtful = {d.place.path if d.place else "" for d in result.diagnostics}
    outside = {file.path for file in result.outside}
    doubtful |= {
        file.importer
        for file in result.outside
        if os.path.normpath(request.root / file.importer) not in outside
    }
    doubtful |= {request.author_path(path) for path in result.unresolved}
    if not doubtful <= frozenset().union(*authors.values()):
        return
    yield from (name for name in result.reads if doubtful.isdisjoint(authors[name]))


_OUTSIDE_HINT = (
    "copy the file into the widget's folder or widgets/_shared and import it with a path from there; "
    "packages may come from the workspace's own node_modules"
)


def find_packages(outside: Iterable[OutsideFile], root: Path) -> frozenset[str]:
    """Return the paths of package files that the build depends on, relative to the workspace.

    These are the bundled files, and each package.json that decides which files are bundled: those in the folders around
    a bundled file, and those of packages that are imported by name. The package.json of a package changes with its
    version, even if the package is a link into a store (pnpm).
    """
    top = os.path.realpath(root)
    home = f"{top}/node_modules/"
    own = [file for file in outside if file.path.startswith(home)]
    leading = {
        path
        for file in own
        for path in (*_packages_around(file.path, home), *_packages_by_name(file, top))
        if os.path.isfile(path)  # noqa: PTH113 - thousands of them
    }
    return frozenset(path.removeprefix(f"{top}/") for path in {file.path for file in own} | leading)


def _packages_around(path: str, home: str) -> Iterator[str]:
    """Yield the path of a package.json in each folder around a file. Whether it exists is not checked."""
    folder = os.path.dirname(path)  # noqa: PTH120 - thousands of them
    while folder.startswith(home):
        yield f"{folder}/package.json"
        folder = os.path.dirname(folder)  # noqa: PTH120


def _packages_by_name(file: OutsideFile, top: str) -> Iterator[str]:
    """Yield the paths of package.json that an import by name may lead to.

    These paths are in each node_modules folder above the importing file, and in the workspace's node_modules.
    """
    if file.specifier.startswith((".", "/")):
        return
    name = "/".join(file.specifier.split("/")[: 2 if file.specifier.startswith("@") else 1])
    parts = os.path.normpath(file.importer).split("/")
    above = parts.index("node_modules") if "node_modules" in parts else len(parts)
    for length in range(above + 1, len(parts)):
        yield "/".join((top, *parts[above:length], "node_modules", name, "package.json"))
    yield f"{top}/node_modules/{name}/package.json"


def find_outside_faults(
    outside: Iterable[OutsideFile], root: Path, stage: Path, files: Mapping[str, SourceFile]
) -> Iterator[Diagnostic]:
    """Yield a diagnostic, at the import, for each imported file that is neither a source nor in node_modules.

    The content of such a file would be in a snippet. Files that it imports are not reported.
    """
    allowed = f"{os.path.realpath(root)}/node_modules/"
    refused = {file: None for file in outside if not file.path.startswith(allowed)}
    paths = {file.path for file in refused}
    for file in refused:
        if os.path.normpath(stage / file.importer) not in paths:
            importer = files.get(file.importer)
            text = importer.text if importer else ""
            at = text.find(file.specifier)
            line, column = line_and_column(text, at) if at >= 0 else (0, 0)
            yield Diagnostic(
                rule="file-outside",
                message=f'"{file.specifier}" leads to {file.path}, which is not one of the sources in widgets/',
                place=Place(path=file.importer, line=line, column=column),
                hint=_OUTSIDE_HINT,
                excerpt=text.split("\n")[line - 1] if line else None,
            )
