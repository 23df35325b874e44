"""Bundles only the entry points that a change reaches. The outputs of all others are remembered.

An output depends on the request, on the contents of all files that were bundled into it, and on the names of the
author's files, which decide what an import means. If esbuild reports a diagnostic about one of these files, or one of
them imports a file from outside of the stage or a package that may be missing, the output is not remembered.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from awning.bundle import BundleRequest, BundleResult, EntryPoint, Output, ResidentEsbuild, build_request
from awning.bundle import bundle as run_esbuild
from awning.errors import Faulty
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint
from awning.pipeline.stage import StagedFiles
from awning.programs import Binary

MOST_GROUPS = 12
"""The most groups of entry points that the resident process bundles one by one.

More groups are bundled together, by a new process. A group has the entry points of one unit, or all style sheets.
"""

OUTPUTS: ResultKind[Output] = ResultKind("output", Output, on_disk=True)
SESSION_OUTPUTS: ResultKind[Output] = ResultKind("output", Output)
"""The outputs of a session of many builds. Each save makes new ones, so they are only in main memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedFiles:
    """The files of the stage that are bundled into each output, by the name of its entry point.

    `unresolved` are the files with an import that nothing resolves, but which may be missing.
    """

    by_output: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unresolved: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Bundler:
    """Runs esbuild. `run` yields results that have all outputs of a request together, and raises as `bundle` does.

    `outputs` is the kind under which the outputs are remembered.
    """

    esbuild: Binary
    run: Callable[[BundleRequest], Iterator[BundleResult]]
    outputs: ResultKind[Output]


def bundle_once(esbuild: Binary) -> Bundler:
    """Return a bundler that bundles all entry points in one run of a new process."""

    def run(request: BundleRequest) -> Iterator[BundleResult]:
        yield run_esbuild(esbuild, request)

    return Bundler(esbuild, run, OUTPUTS)


def bundle_in_groups(resident: ResidentEsbuild, checkpoint: Checkpoint) -> Bundler:
    """Return a bundler that bundles group by group with a process that stays between builds.

    It raises BuildCancelled when the checkpoint cancels the build.
    """

    def run(request: BundleRequest) -> Iterator[BundleResult]:
        groups: dict[str, list[EntryPoint]] = {}
        for entry in request.entry_points:
            groups.setdefault(entry.name.partition("/")[0], []).append(entry)
        is_cancelled = None if checkpoint is NEVER_CANCELLED else checkpoint.check
        try:
            for group in groups.values() if len(groups) <= MOST_GROUPS else ():
                checkpoint.check()
                yield resident.bundle(replace(request, entry_points=tuple(group)), is_cancelled)
        except Faulty:
            # An error in one group may keep esbuild from reporting errors of another. A run over all groups reports all
            # errors.
            yield run_esbuild(resident.esbuild, request)
        if len(groups) > MOST_GROUPS:
            checkpoint.check()
            yield run_esbuild(resident.esbuild, request)

    return Bundler(resident.esbuild, run, SESSION_OUTPUTS)


def bundle_changed(
    request: BundleRequest, staged: StagedFiles, bundler: Bundler, memory: Memory
) -> tuple[BundleResult, ReachedFiles]:
    """Bundle as `awning.bundle.bundle` does, and raise the same errors. `staged` are the files of the stage."""
    kind = bundler.outputs
    content = build_request(replace(request, entry_points=(), root=Path("/")))
    setting = (json.dumps(content), bundler.esbuild.identity, staged.names)
    keys = {entry.name: hash_of("output", entry.name, *setting) for entry in request.entry_points}
    known = {name: output for name, key in keys.items() if (output := memory.find(kind, key, staged.hash_of))}
    reached = {name: memory.reads_of(kind, keys[name]) for name in known}
    missing = tuple(entry for entry in request.entry_points if entry.name not in known)
    results: list[BundleResult] = []
    for result in bundler.run(replace(request, entry_points=missing)) if missing else ():
        reads = _reads(request, result)
        for name in _lasting(request, result, reads):
            memory.put(kind, keys[name], result.outputs[name], reads[name], staged.hash_of)
        results.append(result)
        reached |= reads
        known |= result.outputs
    joined = BundleResult(
        outputs={entry.name: known[entry.name] for entry in request.entry_points},
        outside=tuple(dict.fromkeys(file for result in results for file in result.outside)),
        diagnostics=tuple(dict.fromkeys(d for result in results for d in result.diagnostics)),
    )
    unresolved = frozenset[str]().union(*(result.unresolved for result in results))
    return joined, ReachedFiles(by_output=reached, unresolved=unresolved)


def _reads(request: BundleRequest, result: BundleResult) -> dict[str, tuple[str, ...]]:
    """Return the files of the stage that are bundled into each output, by the output's name."""
    paths = {entry.name: entry.path.relative_to(request.root).as_posix() for entry in request.entry_points}
    return {name: tuple(_reached(paths[name], result.imports)) for name in result.outputs}


def _lasting(
    request: BundleRequest, result: BundleResult, reads: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """Yield the name of each output that may be remembered."""
    authors = {
        name: frozenset(request.author_path(path) for path in reached) for name, reached in reads.items()
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
    yield from (name for name in reads if doubtful.isdisjoint(authors[name]))


def _reached(entry: str, imports: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the entry point and the files that it imports, directly or through others."""
    waiting, seen = [entry], {entry}
    while waiting:
        path = waiting.pop()
        yield path
        further = [name for name in imports.get(path, ()) if name not in seen]
        seen.update(further)
        waiting += further
