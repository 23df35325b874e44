"""The last build of `awning dev`, in the workspace's cache: the next start shows it at once if nothing has changed.

Reading a thousand widgets takes seconds. Comparing the sizes and modification times of their files takes 0.1 s.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from awning.build_record import FILE_NAME, find_build_record
from awning.errors import ConfigurationError
from awning.pipeline.cache.shared_files import Stat
from awning.pipeline.incremental import BuildResult, LastBuild, last_build
from awning.pipeline.phases import UnwrittenBuild
from awning.pipeline.write.folder import write_folder
from awning.workspace.document import Findings
from awning.workspace.sources import STORE_FOLDER, find_sources

if TYPE_CHECKING:
    from awning.workspace.store.store import Store


def read_saved(root: Path, environ: Mapping[str, str]) -> BuildResult | None:
    """Return the saved build of the workspace, for the profile and the esbuild that `environ` names.

    None if there is none, or something has changed since.
    """
    last = _last(root, environ)
    verdict = last.read_if_unchanged()
    record = find_build_record(last.out)
    if verdict is None or record is None:
        return None
    return BuildResult(
        record=record,
        out=last.out,
        diagnostics=verdict.others,
        fresh=False,
        bodies=frozenset(snippet.language for snippet in record.snippets if snippet.place == "body"),
        own_store=_store(root),
    )


def write_saved(
    root: Path,
    environ: Mapping[str, str],
    build: UnwrittenBuild,
    result: BuildResult,
    stats: Mapping[str, Stat],
) -> None:
    """Save a build. `stats` are the sizes (bytes) and modification times (ns) of its sources, by path.

    A failure here is ignored, because the next start can do without the saved build.
    """
    last = _last(root, environ)
    files = {**result.contents, FILE_NAME: json.dumps(result.record.as_json()).encode()}
    with suppress(OSError, ConfigurationError):
        write_folder(last.out, files)
        last.write(
            stats,
            build.sources.hashes,
            files,
            build.verdict.others,
            began=time.time_ns(),
            packages=build.bundle.packages,
        )


def _last(root: Path, environ: Mapping[str, str]) -> LastBuild:
    out = root / ".awning" / "cache" / "dev"
    return replace(last_build(root, out, (), environ, dev=True), needs_types=False)


def _store(root: Path) -> "Store | None":
    if not (root / STORE_FOLDER).is_dir():
        return None
    from awning.workspace.store.store_files import read_own_store  # noqa: PLC0415 - only for such a folder

    paths = [path for path in find_sources(root).paths if path.startswith(f"{STORE_FOLDER}/")]
    return read_own_store(root, paths, Findings()) if paths else None
