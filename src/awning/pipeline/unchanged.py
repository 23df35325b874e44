"""The quick answer: nothing has changed since the last build, so there is nothing to do.

After a build its inputs are noted (size, time, hash) beside its outputs (size, time), its options and the builder.
When all of them are as noted the build is skipped before anything is parsed. A time that differs is followed by a
look at the content; so is one too young to be trusted: a file can change twice within one tick of the clock.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.pipeline.files import source_paths
from awning.pipeline.put import replace_file
from awning.pipeline.tooling import STAMP, package_stamp

_TICK_NS = 1_000_000_000
"""File systems keep times in steps of up to 10 ms, network ones of up to a second."""

Stat = tuple[int, int]


def stats(root: Path, paths: Iterable[str]) -> dict[str, Stat]:
    """Size and time of each file; -1 for one that is gone."""
    found: dict[str, Stat] = {}
    for path in paths:
        try:
            stat = os.stat(f"{root}/{path}")  # noqa: PTH116 - thousands of them: pathlib takes twice the time
            found[path] = (stat.st_size, stat.st_mtime_ns)
        except OSError:
            found[path] = (-1, 0)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What a build found, but for its verdict; `baseline` is the file that pyproject.toml named, "" for none."""

    diagnostics: list[dict[str, Any]]
    baseline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Where the last build of these options is noted. `options` is everything that is not a file."""

    cache: Path
    root: Path
    out: Path
    options: tuple[str, ...]

    @property
    def file(self) -> Path:
        key = hashlib.sha256(
            "\0".join((str(self.out), *self.options)).encode(errors="surrogatepass")
        ).hexdigest()[:16]
        return self.cache / "builds" / f"{key}.json"

    def read_if_unchanged(self) -> "Noted | None":
        """What the noted build had to say, or None when a build is needed."""
        try:
            noted = json.loads(self.file.read_bytes())
            if noted["tool"] != package_stamp() or not self._outputs_stand(noted["outputs"]):
                return None
            inputs: dict[str, list[Any]] = noted["inputs"]
            current = stats(self.root, [*source_paths(self.root), *noted["packages"]])
            if current.keys() != inputs.keys() or not (self.root / STAMP).is_file():
                return None
            doubtful = [path for path, stat in current.items() if _doubtful(stat, inputs[path], noted["at"])]
            if any(_hash(self.root / path) != inputs[path][2] for path in doubtful):
                return None
            said = Noted(diagnostics=noted["diagnostics"], baseline=noted["baseline"])
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None
        return said

    def _outputs_stand(self, outputs: Mapping[str, Any]) -> bool:
        return {path: list(stat) for path, stat in stats(self.out, outputs).items()} == outputs

    def keep(
        self,
        before: Mapping[str, Stat],
        hashes: Mapping[str, str],
        outputs: Iterable[str],
        diagnostics: list[dict[str, Any]],
        *,
        packages: Iterable[str] = (),
        baseline: str = "",
    ) -> None:
        """Note a build. `packages` are files of node_modules that are in it.

        Nothing is noted when a file changed while it ran: which one was built is then unknown.
        """
        if stats(self.root, source_paths(self.root)) != before:
            self.file.unlink(missing_ok=True)
            return
        before = {**before, **stats(self.root, packages)}
        inputs = {path: [*stat, hashes.get(path) or _hash(self.root / path)] for path, stat in before.items()}
        self._write(
            {
                "tool": package_stamp(),
                "at": time.time_ns(),
                "inputs": inputs,
                "outputs": {path: list(stat) for path, stat in stats(self.out, outputs).items()},
                "diagnostics": diagnostics,
                "packages": sorted(packages),
                "baseline": baseline,
            }
        )

    def _write(self, noted: Mapping[str, Any]) -> None:
        replace_file(self.file, json.dumps(noted).encode())


def _doubtful(stat: Stat, noted: list[Any], at: int) -> bool:
    return list(stat) != noted[:2] or stat[1] > at - _TICK_NS


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
