"""Builds again whenever the workspace changes, for `awning build --watch`.

`awning dev` uses only `signals`, and builds as `follow.py` describes.
"""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from watchfiles import watch

from awning.errors import shown_as
from awning.jsrc import jsrc_root
from awning.pipeline.build_session import BuildSession, build_session
from awning.pipeline.cache.shared_files import Stat, file_stats
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import Rebuilt
from awning.workspace.sources import ROOT_FILES, STORE_FOLDER, TESTS_FOLDER, find_sources

_DEBOUNCE_MS = 5
_STEP_MS = 1
"""With these values of `_DEBOUNCE_MS` and `_STEP_MS`, a saved change is noticed after 2.6 ms; with watchfiles'
defaults, after 84 ms.
"""

_AUTHORS = ("widgets/", f"{STORE_FOLDER}/", f"{TESTS_FOLDER}/", *ROOT_FILES)
"""The prefixes of the paths of the author's sources. Other watched files belong to awning's runtime."""

_LOOK_MS = 400
"""The interval in milliseconds at which the files at the root are compared with their last state.

These files are not watched, because the system stops watching a file that an editor replaces.
"""


def watch_workspace(
    root: Path, build_in: Callable[[BuildSession], BuildResult], *, stop: threading.Event | None = None
) -> Iterator[Rebuilt]:
    """Call `build_in`, which builds in a session, now and after every change, until `stop` is set.

    An exception of a build is not raised: it is the `error` of its turn, and the next change begins another turn.
    """
    root = root.resolve()

    def turn(session: BuildSession, changed: tuple[str, ...]) -> Rebuilt:
        started = time.perf_counter()
        try:
            turn = Rebuilt(built=build_in(session), changed=changed)
        except Exception as caught:  # noqa: BLE001 - an error of ours must not end the watching
            turn = Rebuilt(error=shown_as(caught), changed=changed)
        return replace(turn, seconds=time.perf_counter() - started)

    with build_session(root) as session:
        before = _source_stats(root)
        yield turn(session, ())
        for _ in signals(root, stop or threading.Event()):
            now = _source_stats(root)
            changed = tuple(sorted(_differences(before, now)))
            before = now
            if any(not path.startswith(_AUTHORS) for path in changed):
                package_stamp.cache_clear()
            if changed:
                yield turn(session, changed)


def signals(root: Path, stop: threading.Event) -> Iterator[frozenset[str] | None]:
    """Yield when a file may have changed, and at least every `_LOOK_MS`.

    The value is the set of absolute paths that the system reports as changed. It is empty when `_LOOK_MS` have passed
    without a report, and None when any file may have changed. The folders to watch are determined again when widgets/
    or storefront/ is created, deleted or replaced.
    """
    before: Mapping[str, Stat] | None = None
    while not stop.is_set():
        try:
            before = yield from _watched(root, stop, before)
        except Exception:  # noqa: BLE001 - a folder is gone or unreadable, or the system is out of watches
            # If the system cannot watch folders, the caller compares all files every `_LOOK_MS`.
            stop.wait(_LOOK_MS / 1000)
            before = None
            yield None


def _watched(
    root: Path, stop: threading.Event, before: Mapping[str, Stat] | None
) -> Generator[frozenset[str] | None, None, Mapping[str, Stat]]:
    """Yield as `signals` does, until widgets/, storefront/ or tests/ is created, deleted or replaced.

    Nothing is watched from then on until the next call. So this returns the state of the sources at that moment, and
    the next call, as `before`, reports what has changed since.
    """
    authored = [root / "widgets", root / STORE_FOLDER, root / TESTS_FOLDER]
    identities = [*map(_identity, authored)]
    widgets = identities[0]
    present = [folder for folder, identity in zip(authored, identities, strict=True) if identity]
    folders = [*present, *_runtime(root)] if widgets else [root]
    for changes in watch(
        *folders,
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        stop_event=stop,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
        recursive=widgets is not None,  # the root may hold a whole .venv
        ignore_permission_denied=True,
    ):
        changed = () if before is None else _differences(before, _source_stats(root))
        missed = frozenset(str(root / path) for path in changed)
        before = None
        reported = [path for _, path in changes]
        yield missed.union(reported, *map(_files_below, reported))
        if [*map(_identity, authored)] != identities:
            at_end = _source_stats(root)
            yield None
            return at_end
    return {}


def _differences(before: Mapping[str, Stat], now: Mapping[str, Stat]) -> Iterator[str]:
    """Yield the paths of the files that differ, or are in one of the two only."""
    return (path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def _files_below(path: str) -> list[str]:
    """Return the absolute paths of the files in a folder and its subfolders; an empty list if `path` is no folder.

    A file that is written into a new folder before the system watches that folder is not reported.
    """
    return [str(Path(folder, name)) for folder, _, names in os.walk(path) for name in names]


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return the device and inode of a folder; None when there is no folder."""
    try:
        stat = folder.stat()
    except OSError:
        return None
    return (stat.st_dev, stat.st_ino) if folder.is_dir() else None


def _runtime(root: Path) -> list[Path]:
    """Return the folder of awning's runtime if it is below `root`, as in a checkout of awning; else an empty list."""
    jsrc = jsrc_root()
    return [jsrc / "runtime"] if jsrc.is_relative_to(root) else []


def _source_stats(root: Path) -> dict[str, Stat]:
    """Return the size (bytes) and modification time (ns) of each source, by path.

    Empty when the sources cannot be read; the build of this turn then reports the reason.
    """
    try:
        own = [
            file.relative_to(root).as_posix() for folder in _runtime(root) for file in folder.rglob("*.ts")
        ]
        return file_stats(root, [*find_sources(root).inputs, *own])
    except Exception:  # noqa: BLE001 - as above
        return {}
