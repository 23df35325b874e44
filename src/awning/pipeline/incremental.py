"""`build` and `check` as the command line calls them. Without a change, they return the result of the last build.

The phases are imported only when they run, so an unchanged build imports almost nothing.
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
from awning.pipeline.last_build import LastBuild, last_build
from awning.pipeline.verdict import UNREAD, Verdict
from awning.workspace.sources import find_sources

if TYPE_CHECKING:
    from awning.pipeline.build_session import BuildSession
    from awning.pipeline.phases import BuildOptions
    from awning.workspace.store import Store


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
    written = write_build(unwritten, last.out, allowed_errors=errors_in(diagnostics))
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
    from awning.pipeline.phases import BuildOptions, run_phases  # noqa: PLC0415 - see above

    try:
        with build_session(root, lasts=False, writes=False) as session:
            workspace = session.read_workspace(environ)
            return run_phases(workspace, BuildOptions(only=only, types=types), environ, session).verdict
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
