"""The last build of `awning dev`, in the workspace's cache: the next start shows it at once if nothing has changed.

Reading a thousand widgets takes seconds. Comparing the sizes and modification times of their files takes 0.1 s.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from awning.build_record import FILE_NAME, read_build_record
from awning.errors import ConfigurationError
from awning.pipeline.cache.last_build import LastBuild, Stat
from awning.pipeline.incremental import BuildResult, last_build
from awning.pipeline.phases import UnwrittenBuild
from awning.pipeline.write.folder import write_folder
from awning.workspace.document import Findings
from awning.workspace.sources import STORE_FOLDER, find_sources

if TYPE_CHECKING:
    from awning.workspace.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedBuild:
    """The saved build of the workspace at `root`, for the profile and the esbuild that `environ` names."""

    root: Path
    environ: Mapping[str, str]

    @property
    def _last(self) -> LastBuild:
        out = self.root / ".awning" / "cache" / "dev"
        return replace(last_build(self.root, out, (), self.environ, dev=True), needs_types=False)

    def read(self) -> BuildResult | None:
        """Return the saved build; None if there is none, or something has changed since."""
        last = self._last
        unchanged = last.read_if_unchanged()
        if unchanged is None:
            return None
        try:
            record = read_build_record(last.out)
        except ConfigurationError:
            return None
        return BuildResult(
            record=record,
            out=last.out,
            diagnostics=unchanged.diagnostics,
            fresh=False,
            bodies=frozenset(s.language for s in record.snippets if s.place == "body"),
            own_store=self._store(),
        )

    def write(self, built: UnwrittenBuild, result: BuildResult, stats: Mapping[str, Stat]) -> None:
        """Save a build. `stats` are the sizes (bytes) and modification times (ns) of its sources, by path.

        A failure here is ignored, because the next start can do without the saved build.
        """
        last = self._last
        record = json.dumps(result.record.as_json()).encode()
        files = {**result.contents, FILE_NAME: record}
        with suppress(OSError, ConfigurationError):
            write_folder(last.out, files)
            last.write(
                stats,
                built.sources.hashes,
                files,
                built.verdict.others,
                began=time.time_ns(),
                packages=built.packages,
            )

    def _store(self) -> "Store | None":
        if not (self.root / STORE_FOLDER).is_dir():
            return None
        from awning.workspace.store import read_own_store  # noqa: PLC0415 - only for a workspace with that folder

        paths = [path for path in find_sources(self.root).paths if path.startswith(f"{STORE_FOLDER}/")]
        return read_own_store(self.root, paths, Findings()) if paths else None
