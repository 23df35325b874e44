"""The outputs of earlier builds, so that an entry point is not bundled again if no file that it reaches has changed.

An output is used again when the options and the contents of all files that were bundled into it are the same, and no
author's file was added or deleted, which could change what an import means. If a run of esbuild reads a file from
outside of the stage or reports a diagnostic, none of its outputs is used again.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from awning.bundle import BundleRequest, BundleResult, EntryPoint, Output, ResidentEsbuild, build_request
from awning.bundle import bundle as run_esbuild
from awning.errors import Faulty
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint
from awning.pipeline.stage import StagedFiles

MOST_GROUPS = 12
"""The most groups of entry points that the resident process bundles one by one.

More groups are bundled together, by a new process. A group has the entry points of one unit, or all style sheets.
"""


@dataclass(frozen=True, slots=True)
class _Known:
    setting: tuple[object, ...]
    inputs: Mapping[str, bytes]
    output: Output


@dataclass(slots=True)
class OutputMemory:
    """Bundles the entry points of a stage, and uses outputs of earlier builds where nothing has changed."""

    resident: ResidentEsbuild
    _known: dict[str, _Known] = field(default_factory=dict)

    def bundle(
        self, request: BundleRequest, staged: StagedFiles, checkpoint: Checkpoint = NEVER_CANCELLED
    ) -> BundleResult:
        """Bundle as `awning.bundle.bundle` does, and raise the same errors. `staged` are the files of the stage.

        Raises BuildCancelled when the checkpoint cancels the build. The outputs of finished groups are remembered.
        """
        content = json.dumps(build_request(replace(request, entry_points=())))
        setting = (content, package_stamp(), staged.names)
        known: dict[str, Output] = {}
        groups: dict[str, list[EntryPoint]] = {}
        for entry in request.entry_points:
            before = self._known.get(entry.name)
            if before is not None and before.setting == setting and _is_same(before.inputs, staged.contents):
                known[entry.name] = before.output
            else:
                groups.setdefault(entry.name.partition("/")[0], []).append(entry)
        if len(groups) > MOST_GROUPS:
            groups = {"": [entry for group in groups.values() for entry in group]}
        results: list[BundleResult] = []
        try:
            for group in groups.values():
                result = self._bundled(replace(request, entry_points=tuple(group)), checkpoint)
                self._remember(request, result, setting, staged.contents)
                results.append(result)
        except Faulty:
            # An error in one group may keep esbuild from reporting errors of another. A run over all groups reports all
            # errors.
            return run_esbuild(self.resident.esbuild, request)
        for result in results:
            known |= result.outputs
        return BundleResult(
            outputs={entry.name: known[entry.name] for entry in request.entry_points},
            outside=tuple(dict.fromkeys(file for result in results for file in result.outside)),
            diagnostics=tuple(dict.fromkeys(d for result in results for d in result.diagnostics)),
        )

    def _bundled(self, request: BundleRequest, checkpoint: Checkpoint) -> BundleResult:
        checkpoint.check()
        if len({entry.name.partition("/")[0] for entry in request.entry_points}) > 1:
            return run_esbuild(self.resident.esbuild, request)
        return self.resident.bundle(request, None if checkpoint is NEVER_CANCELLED else checkpoint.check)

    def _remember(
        self,
        request: BundleRequest,
        result: BundleResult,
        setting: tuple[object, ...],
        contents: Mapping[str, bytes],
    ) -> None:
        if result.outside or result.diagnostics:
            for name in result.outputs:
                self._known.pop(name, None)
            return
        paths = {
            entry.name: entry.path.relative_to(request.root).as_posix() for entry in request.entry_points
        }
        for name, output in result.outputs.items():
            reached = _reached(paths[name], result.imports)
            inputs = {path: contents[path] for path in reached if path in contents}
            self._known[name] = _Known(setting, inputs, output)


def _is_same(inputs: Mapping[str, bytes], contents: Mapping[str, bytes]) -> bool:
    return all(contents.get(path) == content for path, content in inputs.items())


def _reached(entry: str, imports: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the entry point and the files that it imports, directly or through others."""
    waiting, seen = [entry], {entry}
    while waiting:
        path = waiting.pop()
        yield path
        further = [name for name in imports.get(path, ()) if name not in seen]
        seen.update(further)
        waiting += further
