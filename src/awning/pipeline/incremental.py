"""`build` and `check` as the command line calls them. Without a change, they return the result of the last build.

The phases are imported only when they run, so an unchanged build imports almost nothing.

After a build its inputs (size, modification time, hash), its outputs (size, modification time), its options and the
stamp of awning are recorded. When all of them are the same, the next build is skipped before anything is parsed. The
hash of an input is compared only if its size or time differs, or if its time is so recent that the file may have
changed again without a new time.
"""

import os
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from awning.build_record import BuildRecord, find_build_record, read_build_record
from awning.diagnostics import Diagnostic, Severity, has_errors
from awning.errors import Faulty
from awning.pipeline.cache.shared_files import file_stats, locked
from awning.pipeline.verdict import UNREAD, Verdict
from awning.workspace.sources import find_sources

if TYPE_CHECKING:
    from awning.pipeline.build_session import BuildSession
    from awning.pipeline.phases import BuildOptions
    from awning.workspace.store.store import Store
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from awning.pipeline.cache.shared_files import TICK_NS, Stat, replace_file
from awning.pipeline.cache.toolchain import STAMP, TYPES, package_stamp
from awning.programs.pin import PROGRAMS


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
                if list(stat) != inputs[path][:2] or stat[1] > last["at"] - TICK_NS
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


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """The result of a build.

    `diagnostics` contain errors only if errors were allowed, as they always are in `awning dev`. The record's
    `allowed_errors` is their number. `previous` is the record of the build that was in `out` before; None without one,
    and in `awning dev`. `fresh` is False when nothing had changed and nothing was built. `contents` are the snippets by
    path, if they were not written to `out`.
    """

    record: BuildRecord
    out: Path
    diagnostics: tuple[Diagnostic, ...] = ()
    previous: BuildRecord | None = None
    fresh: bool = True
    contents: Mapping[str, bytes] = field(default_factory=dict)
    bodies: frozenset[str | None] | None = None
    """The languages whose body snippets were made; the element None stands for the default snippet. `bodies` itself is
    None for a build of all languages.
    """
    own_store: "Store | None" = None
    """The store that the workspace's storefront/ describes; None without files there. Only `awning dev` sets it."""

    def snippet(self, path: str) -> str:
        """Return the snippet at `path`, from memory or from `out`."""
        content = self.contents.get(path)
        return (self.out / path).read_text(encoding="utf-8") if content is None else content.decode()


def build(
    root: Path,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
    allow_errors: bool = False,
    types: bool = True,
    session: "BuildSession | None" = None,
) -> BuildResult:
    """Build the workspace at `root` to `out` (default: its dist/), unless nothing has changed since the last build.

    `session` is kept by a caller that builds again and again. Without `types`, type errors are not looked for.

    Raises Faulty with all diagnostics when one of them is an error; `out` is then unchanged. With `allow_errors`, it
    raises Faulty only for a fatal diagnostic: a build with other errors is written, and its record has their number.
    Raises ConfigurationError as `run_phases` does, and when the profile does not exist, the baseline cannot be read, or
    `out` cannot be written or has other content than a build.
    """
    root = root.resolve()
    out = out.resolve() if out is not None else None
    last = last_build(root, out, only, environ, dev=dev, types=types)
    with locked(last.cache / "build.lock"):
        unchanged = _unchanged_result(last, allow_errors=allow_errors)
        if unchanged:
            return unchanged
        from awning.pipeline.build_session import build_session  # noqa: PLC0415
        from awning.pipeline.phases import BuildOptions  # noqa: PLC0415 - see above
        from awning.pipeline.write import BUILD_FOLDER  # noqa: PLC0415

        if out is not None:
            BUILD_FOLDER.check(out, root)
        options = BuildOptions(only=only, dev=dev, types=types)
        with nullcontext(session) if session else build_session(root, lasts=False) as used:
            return _build(last, options, environ, used, allow_errors=allow_errors)


def _build(
    last: LastBuild,
    options: "BuildOptions",
    environ: Mapping[str, str],
    session: "BuildSession",
    *,
    allow_errors: bool,
) -> BuildResult:
    from awning.pipeline.phases import run_phases, write_build  # noqa: PLC0415 - see above
    from awning.pipeline.preview import preview_files  # noqa: PLC0415

    began = time.time_ns()
    before = file_stats(last.root, find_sources(last.root).inputs)
    previous = find_build_record(last.out)
    try:
        workspace = session.read_workspace(environ)
    except Faulty as error:
        raise Faulty(error.diagnostics, hint=error.hint or UNREAD) from None
    unwritten = run_phases(workspace, options, environ, session)
    diagnostics = unwritten.verdict.counted()
    if has_errors(diagnostics) and not allow_errors:
        raise Faulty(diagnostics, hint=unwritten.verdict.unchecked)
    more = {} if options.dev else preview_files(unwritten, environ, session)
    written = write_build(unwritten, last.out, allowed_errors=errors_in(diagnostics), more=more)
    last.write(
        before,
        unwritten.sources.hashes,
        written.paths,
        unwritten.verdict.others,
        began=began,
        packages=unwritten.bundle.packages,
        baseline=workspace.baseline.relative_to(workspace.root).as_posix() if workspace.baseline else "",
    )
    return BuildResult(record=written.record, out=last.out, diagnostics=diagnostics, previous=previous)


def inspect_workspace(
    root: Path, *, only: tuple[str, ...] = (), types: bool = True, environ: Mapping[str, str] = os.environ
) -> Verdict:
    """Return the verdict on the workspace at `root`, or on the widgets in `only`.

    It is the same as the verdict of a build. Nothing is written below `root`. Without `only`, the diagnostics of the
    last build to dist/ are returned if nothing has changed since. Raises ConfigurationError as `run_phases` does, and
    when the profile does not exist.
    """
    known = None if only else last_build(root, None, (), environ, dev=False, types=types).read_if_unchanged()
    if known is not None:
        return known
    from awning.pipeline.build_session import build_session  # noqa: PLC0415
    from awning.pipeline.phases import BuildOptions  # noqa: PLC0415 - see above

    with build_session(root, lasts=False, writes=False) as session:
        return inspect_in(session, BuildOptions(only=only, types=types), environ)


def inspect_in(session: "BuildSession", options: "BuildOptions", environ: Mapping[str, str]) -> Verdict:
    """Return the verdict on the workspace of a session. Raises as `inspect_workspace` does.

    Raises BuildCancelled when the checkpoint of the options cancels the inspection.
    """
    from awning.pipeline.phases import run_phases  # noqa: PLC0415 - see above

    try:
        return run_phases(session.read_workspace(environ), options, environ, session).verdict
    except Faulty as error:
        fatal = tuple(diagnostic for diagnostic in error.diagnostics if diagnostic.severity is Severity.ERROR)
        return Verdict(
            fatal=fatal,
            others=tuple(diagnostic for diagnostic in error.diagnostics if diagnostic not in fatal),
            unchecked=UNREAD,
        )


def _unchanged_result(last: LastBuild, *, allow_errors: bool) -> BuildResult | None:
    """Return the last build if it can be reused, else None.

    A build with allowed errors is reused only if errors are allowed again. A build is reused only if the baseline still
    leaves the same number of errors.
    """
    verdict = last.read_if_unchanged()
    if verdict is None:
        return None
    record = read_build_record(last.out)
    diagnostics = verdict.counted() if verdict.others else ()
    if errors_in(diagnostics) != record.allowed_errors or (record.allowed_errors and not allow_errors):
        return None
    return BuildResult(record=record, out=last.out, diagnostics=diagnostics, previous=record, fresh=False)


def errors_in(diagnostics: tuple[Diagnostic, ...]) -> int:
    """Return how many of the diagnostics are errors."""
    return sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
