"""`build`: as the command line asks for it. Skips a build whose outcome stands already.

Apart from `build_workspace` because the skipping must not pay for what it skips: everything that reads, compiles
or bundles is imported after it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.build_record import BuildRecord, read_build_record
from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError
from awning.pipeline.files import source_paths
from awning.pipeline.lock import locked
from awning.pipeline.stored import restored, stored
from awning.pipeline.unchanged import Note, stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A build that stands in `out`.

    `diagnostics` may hold an error: a snippet over its budget is built all the same. `previous` is the record of
    what stood there before. `fresh` is False when nothing had changed and nothing was written.
    """

    record: BuildRecord
    out: Path
    diagnostics: tuple[Diagnostic, ...] = ()
    previous: BuildRecord | None = None
    fresh: bool = True


def build(
    root: Path,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
) -> Built:
    """Read the workspace at `root` and build it, unless that was done before. Raises `Faulty` with every fault."""
    root = root.resolve()
    out = out.resolve() if out is not None else None
    cache = root / ".awning" / "cache"
    note = Note(cache=cache, root=root, out=out or root / "dist", options=_options(only, environ, dev=dev))
    with locked(cache / "build.lock"):
        return _standing(note) or _made(note, out, only, environ, dev=dev)


def _options(only: tuple[str, ...], environ: Mapping[str, str], *, dev: bool) -> tuple[str, ...]:
    """What an outcome depends on beside files of the workspace and awning's own."""
    esbuild = environ.get("AWNING_ESBUILD", "")
    binary = str(stats(Path(esbuild).parent, [Path(esbuild).name])) if esbuild else ""
    return (*only, "dev" if dev else "", environ.get("AWNING_PROFILE", ""), esbuild, binary)


def _standing(note: Note) -> Built | None:
    said = note.diagnostics_if_unchanged()
    if said is None:
        return None
    record = read_build_record(note.out)
    return Built(record=record, out=note.out, diagnostics=restored(said), previous=record, fresh=False)


def _made(
    note: Note, out: Path | None, only: tuple[str, ...], environ: Mapping[str, str], *, dev: bool
) -> Built:
    from awning.pipeline.full import build_locked  # noqa: PLC0415 - see the module's docstring
    from awning.workspace import read_workspace  # noqa: PLC0415

    before = stats(note.root, source_paths(note.root))
    previous = _record_at(note.out)
    workspace = read_workspace(note.root, environ=environ)
    made = build_locked(workspace, out=out, only=only, environ=environ, dev=dev)
    note.keep(before, made.hashes, made.paths, stored(made.diagnostics))
    return Built(record=made.record, out=note.out, diagnostics=made.diagnostics, previous=previous)


def _record_at(out: Path) -> BuildRecord | None:
    try:
        return read_build_record(out)
    except ConfigurationError:
        return None
