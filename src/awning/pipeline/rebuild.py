"""`build` and `check`: as the command line asks for them. Skips what was done before and stands already.

Apart from `full.py` because the skipping must not pay for what it skips: everything that reads, compiles or bundles is
imported after it.
"""

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from awning.build_record import BuildRecord, read_build_record
from awning.diagnostics import Diagnostic, Severity, has_errors
from awning.errors import ConfigurationError, Faulty
from awning.pipeline.files import source_paths
from awning.pipeline.lock import locked
from awning.pipeline.stored import restored, stored
from awning.pipeline.unchanged import Note, stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A build that stands in `out`.

    `diagnostics` hold an error only where errors were allowed; the record says how many. `previous` is the record of
    what stood there before. `fresh` is False when nothing had changed and nothing was written.
    """

    record: BuildRecord
    out: Path
    diagnostics: tuple[Diagnostic, ...] = ()
    previous: BuildRecord | None = None
    fresh: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What is wrong in a workspace: what leaves nothing to build, and the rest. pyproject.toml names the `baseline`."""

    broken: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    baseline: Path | None = None

    def counted(self) -> tuple[Diagnostic, ...]:
        """The findings that count, by place: the rest is known to the baseline."""
        from awning.check.files import by_place  # noqa: PLC0415 - see the module's docstring

        if self.baseline is None:
            return by_place((*self.broken, *self.others))
        from awning.check.baseline import new_since, read_baseline  # noqa: PLC0415 - most workspaces have none

        return by_place((*self.broken, *new_since(self.others, read_baseline(self.baseline))))


def build(
    root: Path,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
    allow_errors: bool = False,
) -> Built:
    """Read the workspace at `root` and build it, unless that was done before.

    Raises `Faulty` with everything that was found when there is an error among it; what stood in `out` stands. With
    `allow_errors` it is written all the same, and marked, unless nothing could be built.
    """
    root = root.resolve()
    out = out.resolve() if out is not None else None
    note = _note(root, out, only, environ, dev=dev)
    with locked(note.cache / "build.lock"):
        built = _standing(note, allow_errors=allow_errors)
        return built or _made(note, out, only, environ, dev=dev, allow_errors=allow_errors)


def find(root: Path, *, only: tuple[str, ...] = (), environ: Mapping[str, str] = os.environ) -> Found:
    """What a build of the workspace would find. Writes nothing below `root`; reads what the last build noted."""
    noted = None if only else _noted(_note(root, None, (), environ, dev=False))
    if noted is not None:
        return noted
    from awning.pipeline.context import build_context  # noqa: PLC0415 - see the module's docstring
    from awning.pipeline.full import make  # noqa: PLC0415
    from awning.workspace import read_workspace  # noqa: PLC0415

    try:
        workspace = read_workspace(root, environ=environ)
        with tempfile.TemporaryDirectory(prefix="awning-check-") as stage:
            made = make(build_context(workspace, only, environ, stage=Path(stage).resolve()), inspecting=True)
    except Faulty as error:
        return _of(error)
    return Found(broken=made.broken, others=made.others, baseline=workspace.baseline)


def inspect_workspace(
    root: Path, *, only: tuple[str, ...] = (), environ: Mapping[str, str] = os.environ
) -> tuple[Diagnostic, ...]:
    """The findings of a workspace, or of some of its widgets, that count; by place."""
    return find(root, only=only, environ=environ).counted()


def _of(error: Faulty) -> Found:
    broken = tuple(one for one in error.diagnostics if one.severity is Severity.ERROR)
    return Found(broken=broken, others=tuple(one for one in error.diagnostics if one not in broken))


def _note(
    root: Path, out: Path | None, only: tuple[str, ...], environ: Mapping[str, str], *, dev: bool
) -> Note:
    options = _options(only, environ, dev=dev)
    return Note(cache=root / ".awning" / "cache", root=root, out=out or root / "dist", options=options)


def _options(only: tuple[str, ...], environ: Mapping[str, str], *, dev: bool) -> tuple[str, ...]:
    """What an outcome depends on beside files of the workspace and awning's own."""
    esbuild = environ.get("AWNING_ESBUILD", "")
    binary = str(stats(Path(esbuild).parent, [Path(esbuild).name])) if esbuild else ""
    return (*only, "dev" if dev else "", environ.get("AWNING_PROFILE", ""), esbuild, binary)


def _noted(note: Note) -> Found | None:
    said = note.read_if_unchanged()
    if said is None:
        return None
    baseline = note.root / said.baseline if said.baseline else None
    return Found(others=restored(said.diagnostics), baseline=baseline)


def _standing(note: Note, *, allow_errors: bool) -> Built | None:
    """A build with errors that were allowed then stands only for one that allows them."""
    found = _noted(note)
    if found is None:
        return None
    record = read_build_record(note.out)
    diagnostics = found.counted() if found.others else ()
    if _errors(diagnostics) != record.allowed_errors or (record.allowed_errors and not allow_errors):
        return None
    return Built(record=record, out=note.out, diagnostics=diagnostics, previous=record, fresh=False)


def _errors(diagnostics: Iterable[Diagnostic]) -> int:
    return sum(one.severity is Severity.ERROR for one in diagnostics)


def _made(
    note: Note,
    out: Path | None,
    only: tuple[str, ...],
    environ: Mapping[str, str],
    *,
    dev: bool,
    allow_errors: bool,
) -> Built:
    from awning.pipeline.context import build_context  # noqa: PLC0415 - see the module's docstring
    from awning.pipeline.full import make  # noqa: PLC0415
    from awning.pipeline.outputs import record_file  # noqa: PLC0415
    from awning.pipeline.write import refuse_precious, write_dist  # noqa: PLC0415
    from awning.workspace import read_workspace  # noqa: PLC0415

    before = stats(note.root, source_paths(note.root))
    previous = _record_at(note.out)
    workspace = read_workspace(note.root, environ=environ)
    if out is not None:
        refuse_precious(out, workspace.root)
    made = make(build_context(workspace, only, environ, dev=dev), inspecting=True)
    found = Found(broken=made.broken, others=made.others, baseline=workspace.baseline).counted()
    if made.record is None or (has_errors(found) and not allow_errors):
        raise Faulty(found)
    record = replace(made.record, allowed_errors=_errors(found))
    files = {**made.files, **record_file(record)}
    write_dist(note.out, files)
    baseline = workspace.baseline.relative_to(workspace.root).as_posix() if workspace.baseline else ""
    note.keep(before, made.hashes, files, stored(made.others), packages=made.packages, baseline=baseline)
    return Built(record=record, out=note.out, diagnostics=found, previous=previous)


def _record_at(out: Path) -> BuildRecord | None:
    try:
        return read_build_record(out)
    except ConfigurationError:
        return None
