"""The saves of an author, as a page in a window gets them: the dev loop of `awning dev`, without its shop."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from awning.errors import ConfigurationError
from awning.pipeline.follow import Follower
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import LiveWorkspace, Rebuilt
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.stream import MessageFor
from awning_harness.live.local_build import LocalBuild


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """What a save, or a change of the app data, brings to a page.

    `message_for` is None when the page needs nothing. `build` is what the page gets when it loads again; None for a
    patch, whose build follows, and when there is none.
    """

    revision: int
    turn: Rebuilt | None = None
    message_for: MessageFor | None = None
    build: LocalBuild | None = None


@dataclass(slots=True)
class Saves:
    """The saves of one workspace. `first` comes first, then `send`, which a thread fills until `stop` is set."""

    session: DevSession
    turns: Iterator[Rebuilt]
    stop: threading.Event
    language: str = ""
    """The language of the page that is open, in which patches are made."""
    _thread: threading.Thread | None = field(default=None)

    def first(self) -> LocalBuild:
        """Return the present build. Raises its error when there is none."""
        save = self._next(next(self.turns))
        if save.build is None:
            error = save.turn.error if save.turn else None
            raise error or ConfigurationError("nothing was built")
        return save.build

    def send(self, loop: asyncio.AbstractEventLoop, take: Callable[[Save], None]) -> None:
        """Call `take` in the loop's thread with each save from now on."""

        def follow() -> None:
            for turn in self.turns:
                with suppress(RuntimeError):  # the loop has ended in the meantime
                    loop.call_soon_threadsafe(take, self._next(turn))

        self._thread = threading.Thread(target=follow, name="saves", daemon=True)
        self._thread.start()

    def _next(self, turn: Rebuilt) -> Save:
        turn, message_for = self.session.follow(turn)
        build = None if turn.built is None else self._build_of(turn.built)
        return Save(revision=self.session.revision, turn=turn, message_for=message_for, build=build)

    def _build_of(self, built: BuildResult) -> LocalBuild:
        return LocalBuild.of(
            built.record, built.snippet, self.session.dialect, revision=self.session.revision
        )

    def join(self) -> None:
        self.stop.set()
        if self._thread:
            self._thread.join()


@contextmanager
def follow_saves(live: LiveWorkspace, session: DevSession) -> Iterator[Saves]:
    """Yield the saves of a workspace. A build that runs at the end of the block is waited for."""
    stop = threading.Event()

    def languages() -> tuple[str, ...]:
        return (saves.language,) if saves.language else ()

    # Not only the languages of open pages: which language a live page has is known only when it is loaded.
    follower = Follower(live.root, live, stop, languages=languages, only_asked=False)
    session.source.hurry = follower.hurry
    saves = Saves(session=session, turns=follower.turns(), stop=stop)
    try:
        yield saves
    finally:
        saves.join()
