"""Builds again whenever the workspace changes: for `build --watch` and the dev server."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from watchfiles import watch

from awning.errors import AwningError
from awning.pipeline.files import source_paths
from awning.pipeline.rebuild import Built, build
from awning.pipeline.unchanged import Stat, stats

_DEBOUNCE_MS = 5
_STEP_MS = 1
"""Save to notice in 2.6 ms; with watchfiles' own defaults 84."""

_LOOK_MS = 400
"""How often the two files at the root are looked at: watching a single file ends when an editor replaces it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """One turn: `built`, or the `error` that kept it from being (dist/ is then what it was).

    `changed` are the files that caused it, relative to the workspace; none for the first turn.
    """

    built: Built | None
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
    stop: threading.Event | None = None,
) -> Iterator[Rebuilt]:
    """Build now and after every change, until `stop` is set. An interrupt leaves it as KeyboardInterrupt."""
    root = root.resolve()

    def turn(changed: tuple[str, ...]) -> Rebuilt:
        started = time.perf_counter()
        built, error = None, None
        try:
            built = build(root, out=out, only=only, environ=environ, dev=dev)
        except AwningError as caught:
            error = caught
        seconds = time.perf_counter() - started
        return Rebuilt(built=built, error=error, changed=changed, seconds=seconds)

    seen = _seen(root)
    yield turn(())
    for _ in _signals(root, stop):
        now = _seen(root)
        changed = tuple(sorted(path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path)))
        seen = now
        if changed:
            yield turn(changed)


def _signals(root: Path, stop: threading.Event | None) -> Iterator[object]:
    """Something may have changed: at once below widgets/, within `_LOOK_MS` elsewhere."""
    return watch(
        root / "widgets",
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        stop_event=stop,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
    )


def _seen(root: Path) -> dict[str, Stat]:
    return stats(root, source_paths(root))
