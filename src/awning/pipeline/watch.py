"""Builds again whenever the workspace changes: for `build --watch` and the dev server."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from watchfiles import watch

from awning.errors import AwningError, shown_as
from awning.jsrc import jsrc_root
from awning.pipeline.cache.last_build import Stat, file_stats
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.incremental import BuildResult, build
from awning.workspace.sources import find_sources

_DEBOUNCE_MS = 5
_STEP_MS = 1
"""Save to notice in 2.6 ms; with watchfiles' own defaults 84."""

_AUTHORS = ("widgets/", "manifest.toml", "pyproject.toml")
"""How the paths of a workspace's own sources begin; others are awning's."""

_LOOK_MS = 400
"""How often the two files at the root are looked at: watching a single file ends when an editor replaces it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """One turn: `built`, or the `error` that kept it from being (dist/ is then what it was).

    `changed` are the files that caused it, relative to the workspace; none for the first turn.
    """

    built: BuildResult | None
    error: AwningError | None
    changed: tuple[str, ...]
    seconds: float


def watch_workspace(
    root: Path,
    *,
    out: Path | None = None,
    only: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    dev: bool = False,
    allow_errors: bool = False,
    stop: threading.Event | None = None,
) -> Iterator[Rebuilt]:
    """Build now and after every change, until `stop` is set. An interrupt leaves it as KeyboardInterrupt.

    Nothing else does: whatever goes wrong is the error of its turn, and the next change is the next turn.
    """
    root = root.resolve()

    def turn(changed: tuple[str, ...]) -> Rebuilt:
        started = time.perf_counter()
        built, error = None, None
        try:
            built = build(root, out=out, only=only, environ=environ, dev=dev, allow_errors=allow_errors)
        except Exception as caught:  # noqa: BLE001 - a fault of ours must not end the watching
            error = shown_as(caught)
        seconds = time.perf_counter() - started
        return Rebuilt(built=built, error=error, changed=changed, seconds=seconds)

    seen = _seen(root)
    yield turn(())
    for _ in _signals(root, stop):
        now = _seen(root)
        changed = tuple(sorted(path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path)))
        seen = now
        if any(not path.startswith(_AUTHORS) for path in changed):
            package_stamp.cache_clear()
        if changed:
            yield turn(changed)


def _signals(root: Path, stop: threading.Event | None) -> Iterator[None]:
    """Something may have changed: at once below what is watched, within `_LOOK_MS` elsewhere.

    What is watched is looked up again when widgets/ comes, goes, or is another folder than it was.
    """
    while stop is None or not stop.is_set():
        try:
            yield from _watched(root, stop)
        except Exception:  # noqa: BLE001 - a folder that is gone or unreadable, a system that is out of watches
            _pause(stop)
            yield


def _watched(root: Path, stop: threading.Event | None) -> Iterator[None]:
    """Signals of the system until the folders to watch are others."""
    widgets = _identity(root / "widgets")
    folders = [root / "widgets", *_runtime(root)] if widgets else [root]
    for _ in watch(
        *folders,
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        stop_event=stop,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
        recursive=widgets is not None,  # the root may hold a whole .venv
        ignore_permission_denied=True,
    ):
        yield
        if _identity(root / "widgets") != widgets:
            return


def _pause(stop: threading.Event | None) -> None:
    """Without the system's help the files are looked at as often as those at the root."""
    if stop is None:
        time.sleep(_LOOK_MS / 1000)
    else:
        stop.wait(_LOOK_MS / 1000)


def _identity(folder: Path) -> tuple[int, int] | None:
    """Which folder it is: None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if folder.is_dir() else None


def _runtime(root: Path) -> list[Path]:
    """In a checkout of awning itself, the code that goes into snippets is a source as well."""
    jsrc = jsrc_root()
    return [jsrc / "runtime"] if jsrc.is_relative_to(root) else []


def _seen(root: Path) -> dict[str, Stat]:
    """What the sources look like. Nothing where they cannot be looked at: the build of that turn says why."""
    try:
        own = [
            file.relative_to(root).as_posix() for folder in _runtime(root) for file in folder.rglob("*.ts")
        ]
        return file_stats(root, [*find_sources(root).paths, *own])
    except Exception:  # noqa: BLE001 - as above
        return {}
