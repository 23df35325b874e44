"""Bundles only the entry points that a change reaches. The outputs of all others are remembered.

An output depends on the request, on the contents of all files that were bundled into it, and on the names of the
author's files, which decide what an import means. If esbuild reports a diagnostic about one of these files, or one of
them imports a file from outside of the stage or a package that may be missing, the output is not remembered.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from awning.bundle import BundleRequest, BundleResult, EntryPoint, Output, ResidentEsbuild, build_request
from awning.bundle import bundle as run_esbuild
from awning.errors import Faulty
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint
from awning.pipeline.stage import Stage
from awning.programs import Binary

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
        """Yield results that have all outputs of the request together. Raises as `awning.bundle.bundle` does.

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


def bundle_changed(request: BundleRequest, stage: Stage, bundler: Bundler, memory: Memory) -> BundleResult:
    """Bundle as `awning.bundle.bundle` does, and raise the same errors.

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
