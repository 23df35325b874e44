"""Follows a workspace for `awning dev`: a patch at once after a save of one widget, then a build of the whole app.

The build waits until the author pauses, or until a page needs it. A change that no patch can show is built at once.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue

from awning.errors import Faulty, shown_as
from awning.pipeline.cache.last_build import Stat, file_stats
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.live import LiveWorkspace
from awning.pipeline.watch import Rebuilt, signals
from awning.workspace.sources import ROOT_FILES, STORE_FOLDER, is_source

PAUSE_S = 0.15
"""The time without a save, in seconds, after which a patch is followed by a build of the whole app."""

_LOOKS = 25
"""The number of intervals without a change after which all files are compared, in case the system has missed one."""


@dataclass(slots=True)
class Follower:
    """The turns of one workspace, until `stop` is set. `languages` are those of the open pages."""

    root: Path
    live: LiveWorkspace
    stop: threading.Event
    languages: Callable[[], Collection[str]] = tuple
    only_asked: bool = True
    """Whether only the languages of pages are built. A page in another language must call `hurry` first."""
    patches: bool = True
    """Whether saves become patches. If not, each save causes a build."""
    _events: "Queue[frozenset[str] | None]" = field(default_factory=Queue)
    _is_needed: threading.Event = field(default_factory=threading.Event)
    """Set while a page waits for the build."""
    _unbuilt: set[str] = field(default_factory=set)
    """The changed files that no build has followed yet."""
    _asked: set[str] = field(default_factory=set)
    """The languages of all pages until now."""
    _is_failing: bool = False

    def hurry(self, language: str) -> None:
        """Build what is not built yet, because a page in this language needs it."""
        self._asked.add(language)
        self._is_needed.set()
        self._events.put(frozenset())

    def turns(self) -> Iterator[Rebuilt]:
        """Build now, then inspect. Then yield one turn for each patch and each build. Never raises."""
        listener = threading.Thread(target=self._listen, daemon=True)
        listener.start()
        at_root, quiet = self._root_stats(), 0
        yield self._built(inspects=False)
        yield self._built()
        while not self.stop.is_set():
            changed = self._next()
            quiet = 0 if changed else quiet + 1
            before, at_root = at_root, self._root_stats()
            if changed is None or at_root != before:
                self._unbuilt |= {path for path in at_root if at_root[path] != before.get(path)}
                yield self._built()
            elif changed:
                yield from self._saved(changed)
            elif self._is_needed.is_set() or (self._unbuilt and self._events.empty()):
                yield self._built()
            elif quiet > _LOOKS:
                quiet, self._unbuilt = 0, self.live.look()
                if self._unbuilt:
                    yield self._built()
        listener.join()

    def _next(self) -> frozenset[str] | None:
        """Return the changed sources, relative to the workspace. Empty after a pause; None if any may have changed."""
        try:
            event = self._events.get(timeout=PAUSE_S if self._unbuilt else None)
        except Empty:
            return frozenset()
        if event is None:
            return None
        paths = (path[len(str(self.root)) + 1 :].replace("\\", "/") for path in event)
        return frozenset(path for path in paths if self._is_relevant(path))

    def _is_relevant(self, path: str) -> bool:
        """Return whether a path that has changed is, or was, a source or a folder with sources."""
        if self.live.is_known(path):
            return True
        folder, _, name = path.rpartition("/")
        if folder and (self.root / path).exists():
            return is_source(name)
        return self.live.was_folder(path)

    def _saved(self, changed: frozenset[str]) -> Iterator[Rebuilt]:
        started = time.perf_counter()
        self._unbuilt |= changed
        if any(not path.startswith(("widgets", STORE_FOLDER)) for path in changed):
            package_stamp.cache_clear()
        error = patch = None
        try:
            if self.patches and not self._is_failing:
                patch = self.live.patch(changed, self.languages())
        except Faulty as faulty:
            error, self._is_failing = faulty, True
        except Exception:  # noqa: BLE001 - the build that follows reports it
            patch = None
        if error is None and patch is None:
            yield self._built()
        elif patch is None or not patch.is_empty:
            seconds = time.perf_counter() - started
            paths = tuple(sorted(changed))
            yield Rebuilt(
                built=None, error=error, changed=paths, seconds=seconds, patch=patch, is_provisional=True
            )

    def _built(self, *, inspects: bool = True) -> Rebuilt:
        self._is_needed.clear()
        changed, self._unbuilt = tuple(sorted(self._unbuilt)), set()
        started = time.perf_counter()
        built, error = None, None
        try:
            self._asked |= set(self.languages())
            built = self.live.build(tuple(self._asked) if self.only_asked else None, inspects=inspects)
        except Exception as caught:  # noqa: BLE001 - an error of ours must not end the following
            error = shown_as(caught)
        seconds = time.perf_counter() - started
        if built is None:
            self._is_failing = True
            return Rebuilt(built=None, error=error, changed=changed, seconds=seconds)
        self._is_failing = built.error is not None
        return Rebuilt(
            built=built.result,
            error=built.error,
            changed=changed,
            seconds=seconds,
            is_provisional=not inspects,
            is_shown=built.is_shown,
        )

    def _listen(self) -> None:
        for event in signals(self.root, self.stop):
            self._events.put(event)
        self._events.put(frozenset())

    def _root_stats(self) -> Mapping[str, Stat]:
        return file_stats(self.root, ROOT_FILES)
