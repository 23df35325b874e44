"""Follows a workspace for `awning dev`: a patch at once after a save of one widget, then a build of the whole app.

The build waits until the author pauses, or until a page needs it. The next save cancels it, and so does a page that
needs another language; the build then begins again later. A change that no patch can show is built at once, and nothing
cancels this build. The same holds for a save that cancels the first build, because there is nothing to patch yet.

The types are checked last, after a build that pages show already. Any event cancels this check.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import Empty, Queue

from awning.errors import Faulty, shown_as
from awning.pipeline.cache.shared_files import Stat, file_stats
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import LiveWorkspace, Rebuilt
from awning.pipeline.read import BuildCancelled, Checkpoint
from awning.pipeline.watch import signals
from awning.workspace.sources import ROOT_FILES, STORE_FOLDER, TESTS_FOLDER, is_snapshot, is_source, is_test

PAUSE_S = 0.15
"""The time without a save, in seconds, after which a patch is followed by a build of the whole app."""

_LOOKS = 25
"""After this number of consecutive events without a change, all files are compared, in case a change was missed."""


@dataclass(slots=True)
class Follower:
    """Builds and patches one workspace until `stop` is set. `languages` returns the languages of the open pages."""

    root: Path
    live: LiveWorkspace
    stop: threading.Event
    languages: Callable[[], Collection[str]] = tuple
    only_asked: bool = True
    """Whether only the languages of opened pages are built. Call `hurry` before serving a page in another language."""
    first_languages: Collection[str] = ()
    """The languages that are built as long as no page has been opened."""
    patches: bool = True
    """Whether saves become patches. If not, each save causes a build."""
    saved: BuildResult | None = None
    """The saved build, which is shown until the first build has ended. None without one, or if files have changed."""
    _events: "Queue[frozenset[str] | None]" = field(default_factory=Queue)
    _waiting: "deque[frozenset[str] | None]" = field(default_factory=deque)
    """The events that came during a build."""
    _is_needed: threading.Event = field(default_factory=threading.Event)
    """Set while a page waits for the build."""
    _unbuilt: set[str] = field(default_factory=set)
    """The paths of the files that have changed since the last build that was not cancelled."""
    _is_due: bool = False
    """Whether a build with the phase `inspect` must follow, even if no file changes."""
    _is_unchecked: bool = False
    """Whether the types of the last build are not checked yet."""
    _asked: set[str] = field(default_factory=set)
    """The languages of all pages that have been opened so far."""
    _has_built: bool = False
    """Whether a build has ended, or the saved build is shown. Until then, builds leave out the phase `inspect`, even a
    build after a save has cancelled the first one.
    """
    _is_unsaved: bool = False
    _is_failing: bool = False

    def hurry(self, language: str) -> None:
        """Ask for a build at once, because a page in this language waits for what is not built yet."""
        self._asked.add(language)
        self._is_needed.set()
        self._events.put(frozenset())

    def turns(self) -> Iterator[Rebuilt]:
        """Yield the result of each turn. The first turn has the saved build, if there is one.

        The next turn has a build without the phase `inspect`, which is quick; a build with this phase follows. After
        that, each patch is a turn, and so is each build that is not cancelled. No exception is raised: it is the
        `error` of its turn. If a patch failed unexpectedly, a build follows.
        """
        listener = threading.Thread(target=self._listen, daemon=True)
        listener.start()
        at_root, quiet = self._root_stats(), 0
        if self.saved is None:
            yield from self._built(inspects=False, can_wait=True)
        else:
            self._is_due = self._has_built = True
            yield Rebuilt(built=self.saved, is_provisional=True)
            self._is_needed.clear()  # a page gets the saved build, or waits for the next one
        while not self.stop.is_set():
            changed = self._next()
            quiet = 0 if changed else quiet + 1
            before, at_root = at_root, self._root_stats()
            if changed is None or at_root != before:
                self._unbuilt |= changed or frozenset()
                self._unbuilt |= {path for path in at_root if at_root[path] != before.get(path)}
                yield from self._built(inspects=self._has_built)
            elif changed:
                yield from self._saved(changed)
            elif self._is_needed.is_set():
                yield from self._built(inspects=not self._is_due)
            elif (self._unbuilt or self._is_due) and self._is_quiet():
                is_first, self.saved = self.saved is not None, None
                yield from self._built(inspects=self._has_built and not is_first, can_wait=True)
            elif self._is_unchecked and self._is_quiet():
                yield from self._checked()
            elif quiet > _LOOKS and not (self._unbuilt or self._is_due):
                quiet = 0
                self._unbuilt |= self.live.look()
                if self._unbuilt:
                    yield from self._built()
                else:
                    self._save()
        self._save()
        listener.join()

    def _save(self) -> None:
        """Save the last build for the next start, unless it is saved already or a change waits for a build.

        Without `only_asked`, a build has all languages, and is not saved.
        """
        if self._is_unsaved and self.only_asked and not self._unbuilt:
            self._is_unsaved = False
            self.live.save()

    def _is_quiet(self) -> bool:
        return not self._waiting and self._events.empty()

    def _next(self) -> frozenset[str] | None:
        """Wait for an event. Return the changed sources, relative to the workspace; None if any may have changed.

        The result is empty for an event without changes. It is also empty when no event comes: after `PAUSE_S` if a
        build is due, and at once if a page waits for the build or types are to be checked.
        """
        try:
            pause = PAUSE_S if self._unbuilt or self._is_due else None
            if self._is_needed.is_set() or (self._is_unchecked and pause is None):
                pause = 0
            event = self._waiting.popleft() if self._waiting else self._events.get(timeout=pause)
        except Empty:
            return frozenset()
        return self._changed_in(event)

    def _changed_in(self, event: frozenset[str] | None) -> frozenset[str] | None:
        """Return the sources among the paths of an event, relative to the workspace. None if any may have changed."""
        if event is None:
            return None
        paths = (path[len(str(self.root)) + 1 :].replace("\\", "/") for path in event)
        return frozenset(path for path in paths if self._is_relevant(path))

    def _is_relevant(self, path: str) -> bool:
        """Return whether a path that has changed is, or was, a source or a folder with sources."""
        sources = self.live.session.sources
        if sources.is_known(path):
            return True
        folder, _, name = path.rpartition("/")
        if folder and (self.root / path).exists():
            return (is_source(name) or is_test(name)) and not is_snapshot(path)
        return sources.has_below(path)

    def _saved(self, changed: frozenset[str]) -> Iterator[Rebuilt]:
        started = time.perf_counter()
        self._unbuilt |= changed
        if any(not path.startswith(("widgets", STORE_FOLDER, TESTS_FOLDER)) for path in changed):
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
            yield from self._built(inspects=self._has_built)
        elif patch is None or not patch.is_empty:
            seconds = time.perf_counter() - started
            paths = tuple(sorted(changed))
            yield Rebuilt(error=error, changed=paths, seconds=seconds, patch=patch, is_provisional=True)

    def _built(self, *, inspects: bool = True, can_wait: bool = False) -> Iterator[Rebuilt]:
        """Build, and yield the turn. If the build is cancelled (`_is_overtaken`), yield nothing: it stays due."""
        self._is_needed.clear()
        changed = frozenset(self._unbuilt)
        self._unbuilt.clear()
        self._asked |= set(self.languages())
        languages = (tuple(self._asked) or self.first_languages) if self.only_asked else None
        checkpoint = Checkpoint(partial(self._is_overtaken, languages, can_wait=can_wait))
        started = time.perf_counter()
        try:
            turn = self.live.build(languages, inspects=inspects, checkpoint=checkpoint)
        except BuildCancelled:
            self._unbuilt |= changed
            self._is_due = True
            return
        except Exception as caught:  # noqa: BLE001 - an error of ours must not end the following
            turn = Rebuilt(error=shown_as(caught))
        self._is_needed.clear()
        if languages is not None and not self._asked.issubset(languages):
            self._is_needed.set()
        self._is_due, self._has_built = not inspects, True
        is_built = turn.built is not None
        self._is_unchecked = inspects and is_built
        self._is_unsaved, self._is_failing = is_built, not is_built
        yield replace(
            turn,
            changed=tuple(sorted(changed)),
            seconds=time.perf_counter() - started,
            is_provisional=not inspects and is_built,
        )

    def _checked(self) -> Iterator[Rebuilt]:
        """Check the types, and yield a turn if that finds something new. A check that is cancelled stays due."""
        started = time.perf_counter()
        checkpoint = Checkpoint(partial(self._is_overtaken, None, can_wait=True))
        try:
            turn = self.live.check_types(checkpoint)
        except BuildCancelled:
            return
        except Exception as caught:  # noqa: BLE001 - an error of ours must not end the following
            built = self.live.last_result
            turn = Rebuilt(built=built, error=shown_as(caught), is_shown=True, is_check=True)
        self._is_unchecked = False
        if turn is not None:
            yield replace(turn, seconds=time.perf_counter() - started)

    def _is_overtaken(self, languages: Collection[str] | None, *, can_wait: bool) -> bool:
        """Return whether the running build of these languages must end, because something is more urgent.

        A save is more urgent, unless a page waits for this build. A page that needs another language is more urgent,
        too. A build that cannot wait (`can_wait`) is cancelled only when `stop` is set.
        """
        if self.stop.is_set() or not can_wait:
            return self.stop.is_set()
        if self._is_needed.is_set():
            return languages is not None and not self._asked.issubset(languages)
        while not self._events.empty():
            event = self._events.get()
            if event is None or event:
                self._waiting.append(event)
        return any(event is None or self._changed_in(event) for event in self._waiting)

    def _listen(self) -> None:
        for event in signals(self.root, self.stop):
            # Empty events must not pile up in the queue during a long build. After the build they would count as a long
            # pause, and all files would be compared before the next save is read.
            if event is None or event or self._events.empty():
                self._events.put(event)
        self._events.put(frozenset())

    def _root_stats(self) -> Mapping[str, Stat]:
        return file_stats(self.root, ROOT_FILES)
