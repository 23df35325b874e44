"""Whether anything has changed since the last build. If not, there is nothing to do.

After a build its inputs (size, modification time, hash), its outputs (size, modification time), its options and the
stamp of awning are recorded. When all of them are the same, the next build is skipped before anything is parsed. The
hash of an input is compared only if its size or time differs, or if its time is so recent that the file may have
changed again without a new time.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from awning.diagnostics import Diagnostic
from awning.pipeline.cache.shared_files import Stat, file_stats, replace_file
from awning.pipeline.cache.toolchain import STAMP, TYPES, package_stamp
from awning.pipeline.verdict import Verdict
from awning.programs.pin import PROGRAMS
from awning.workspace.sources import find_sources

_TICK_NS = 1_000_000_000
"""The coarsest resolution of modification times on any file system, in nanoseconds.

The resolution is up to 10 ms on local file systems, and up to a second on network file systems.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastBuild:
    """The record of the last build to `out` with these options. `options` are all inputs of a build except its files.

    With `needs_types`, a build is also needed when the types for editors are missing.
    """

    cache: Path
    root: Path
    out: Path
    options: tuple[str, ...]
    needs_types: bool = True

    @property
    def file(self) -> Path:
        key = "\0".join((str(self.out), *self.options)).encode(errors="surrogatepass")
        return self.cache / "builds" / f"{hashlib.sha256(key).hexdigest()[:16]}.json"

    def read_if_unchanged(self) -> Verdict | None:
        """Return the verdict of the last build, or None when a build is needed."""
        try:
            last = json.loads(self.file.read_bytes())
            if last["tool"] != package_stamp() or self._stats_of(last["outputs"]) != last["outputs"]:
                return None
            inputs: dict[str, list[Any]] = last["inputs"]
            current = file_stats(self.root, [*find_sources(self.root).inputs, *last["packages"]])
            if current.keys() != inputs.keys():
                return None
            if self.needs_types and not (self.root / TYPES / STAMP).is_file():
                return None
            doubtful = [
                path
                for path, stat in current.items()
                if list(stat) != inputs[path][:2] or stat[1] > last["at"] - _TICK_NS
            ]
            if any(_hash(self.root / path) != inputs[path][2] for path in doubtful):
                return None
            baseline = self.root / last["baseline"] if last["baseline"] else None
            return Verdict(others=_diagnostics(last["diagnostics"]), baseline=baseline)
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            return None

    def _stats_of(self, outputs: Iterable[str]) -> dict[str, list[int]]:
        return {path: list(stat) for path, stat in file_stats(self.out, outputs).items()}

    def write(
        self,
        before: Mapping[str, Stat],
        hashes: Mapping[str, str],
        outputs: Iterable[str],
        diagnostics: Iterable[Diagnostic],
        *,
        began: int,
        packages: Iterable[str] = (),
        baseline: str = "",
    ) -> None:
        """Record a build.

        `before` are the `file_stats` of the sources when the build started, at the time `began` (ns). `hashes` are
        their SHA-256 hashes as far as the build knows them, `packages` the files of node_modules that the build depends
        on. If a source has changed since the start, the record is deleted, because it is unknown which version of the
        source was built.
        """
        if file_stats(self.root, find_sources(self.root).inputs) != before:
            self.file.unlink(missing_ok=True)
            return
        before = {**before, **file_stats(self.root, packages)}
        inputs = {path: [*stat, hashes.get(path) or _hash(self.root / path)] for path, stat in before.items()}
        record = {
            "tool": package_stamp(),
            "at": began,
            "inputs": inputs,
            "outputs": self._stats_of(outputs),
            "diagnostics": [asdict(diagnostic) for diagnostic in diagnostics],
            "packages": sorted(packages),
            "baseline": baseline,
        }
        replace_file(self.file, json.dumps(record).encode())


def last_build(
    root: Path,
    out: Path | None,
    only: tuple[str, ...],
    environ: Mapping[str, str],
    *,
    dev: bool,
    types: bool = True,
) -> LastBuild:
    """Return the record of the last build into `out` with these options."""
    named = (path for program in PROGRAMS if (path := environ.get(program.variable, "")))
    binaries = (f"{path} {file_stats(Path(path).parent, [Path(path).name])}" for path in named)
    settings = ("dev" if dev else "", "" if types else "no types", environ.get("AWNING_PROFILE", ""))
    options = (*only, *settings, *binaries)
    return LastBuild(cache=root / ".awning" / "cache", root=root, out=out or root / "dist", options=options)


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _diagnostics(values: list[Any]) -> tuple[Diagnostic, ...]:
    """Return the recorded diagnostics. Raises ValueError when they are not what `write` wrote."""
    if not values:
        return ()
    import msgspec  # noqa: PLC0415 - most unchanged builds have no diagnostics, and do without it

    return msgspec.convert(values, tuple[Diagnostic, ...])
