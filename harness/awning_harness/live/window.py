"""A preview in a window: the page shows each save as a page of `awning dev` does, and its inspector asks the session.

The messages are those of `awning dev`, and the same JavaScript in the page decides what a save needs: a style, a widget
redrawn in place, or another load. They go over the browser's protocol, because a Content Security Policy may refuse
requests to another server.

The saves of an author come from the dev loop of `awning dev`, without its shop.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from playwright.async_api import Error

from awning.errors import ConfigurationError
from awning.pipeline.follow import Follower
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import LiveWorkspace, Rebuilt
from awning_harness.dev import page_messages
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.inspector_calls import InspectorCalls
from awning_harness.dev.page_errors import read_page_error
from awning_harness.dev.stream import MessageFor
from awning_harness.dev.turn_report import TurnReport
from awning_harness.live.local_build import LocalBuild
from awning_harness.live.preview import RESPONSE_S, OpenPreview, PreviewResult


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


_RECEIVE = """(message) => {
  const receive = window[Symbol.for("awning.receive")];
  if (receive) receive(message);
  return !!receive;
}"""
_NO_INSPECTOR = "it has no inspector"
_NO_DATA = "its app data are no JSON object"
_MOST_DATA = 1_000_000
"""The most characters of app data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Again:
    """The page asks to be loaded again. `why` is empty if it has an older build."""

    why: str


@dataclass(slots=True)
class PreviewWindow:
    """A page that follows the saves until it is closed. `say` gets sentences, `show` what each load showed."""

    opened: OpenPreview
    saves: Saves
    say: Callable[[str], None]
    show: Callable[[PreviewResult], None]
    _events: "asyncio.Queue[Save | _Again | None]" = field(default_factory=asyncio.Queue)
    _revision: int = 0
    """The revision that the page must show."""
    _due: str | None = None
    """Why the page loads again when the build of a patch is there; None if it need not."""
    _is_filled: bool = True
    """Whether the snippets in messages have the page's app data."""
    _calls: InspectorCalls = field(init=False)

    def __post_init__(self) -> None:
        self._calls = InspectorCalls(session=self.saves.session, say=self.say)

    def connect(self) -> None:
        """Let the inspector of the page ask. Must be called before the page is loaded."""
        self._revision = self.saves.session.revision
        self.opened.answer = self._answer
        self.opened.page.on("close", lambda _: self._events.put_nowait(None))

    async def follow(self) -> PreviewResult | None:
        """Show each save until the page is closed. Returns what its last load showed; None if none followed."""
        report, result = TurnReport(self.say), None
        self.saves.send(asyncio.get_running_loop(), self._events.put_nowait)
        while (event := await self._events.get()) is not None:
            if isinstance(event, Save):
                if event.turn is not None:
                    report.print(event.turn)
                await self._take(event)
            elif self._due is None:
                self._due = event.why
            if self._due is not None and self.opened.build.revision == self._revision:
                if self._due:
                    self.say(f"the page loads again: {self._due}")
                self._due = None
                latest = await self.opened.load(again=True)
                if self.opened.page.is_closed():
                    break
                result = latest
                self.show(result)
        return result

    async def _take(self, save: Save) -> None:
        """Bring a save to the page. If the page cannot be told, it is loaded again."""
        before, self._revision = self._revision, save.revision
        if save.build is not None:
            self.opened.use(save.build)
        elif save.turn is None and self.opened.build.revision == before:
            self.opened.use(replace(self.opened.build, revision=save.revision))
        if not self.opened.is_shown:
            self._due = ""
        elif save.message_for is not None:
            message = save.message_for(self.saves.language)
            if message.get("body") and not self._is_filled:
                message = page_messages.reload(save.revision, _NO_DATA)
            await self._send(message)

    async def _send(self, message: page_messages.Message) -> None:
        try:
            is_received = await asyncio.wait_for(self.opened.page.evaluate(_RECEIVE, message), RESPONSE_S)
            why = None if is_received else _NO_INSPECTOR
        except TimeoutError:
            why = "it does not respond"
        except Error as error:
            why = error.message.splitlines()[0]
        if why is not None and message["kind"] not in ("failed", "fixed"):
            self._due = why

    async def _answer(self, what: object, content: object) -> object:
        """Answer a call of the inspector. The page may make up each call, so another one than expected gets None."""
        if not isinstance(content, dict):
            return None
        if what == "hello":
            self._learn_page()
            return {**self.saves.session.hello(), "revision": self._revision}
        if what == "info":
            return await asyncio.to_thread(self._info)
        if what == "data":
            return await self._put_data(content)
        if what == "thrown" and (error := read_page_error(content)):
            error = replace(error, language=self.saves.language)
            return await asyncio.to_thread(self._calls.record_error, error)
        if what == "reload":
            self._events.put_nowait(_Again(why=str(content.get("why", ""))[:200]))
        return None

    def _learn_page(self) -> None:
        """Learn the language and the app data of the page that has begun."""
        gate = self.opened.gate
        self.saves.language = gate.language
        data: object = gate.rules.data[0] if gate.rules.data else gate.data
        if isinstance(data, str):
            try:
                data = json.loads(data)
            except ValueError:
                self._is_filled = False
                return
        self._is_filled = data is None or isinstance(data, dict)
        if isinstance(data, dict):
            self.saves.session.take_data(data)

    def _info(self) -> dict[str, Any]:
        info = self._calls.info(self.saves.language)
        names = {widget.name for widget in self.opened.build.widgets}
        return {**info, "widgets": [widget for widget in info["widgets"] if widget["name"] in names]}

    async def _put_data(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """Store other app data for this preview alone, and redraw the page with them."""
        try:
            if len(json.dumps(data, allow_nan=False)) > _MOST_DATA:
                return None
        except (TypeError, ValueError, RecursionError):
            return None
        stored, message_for = await asyncio.to_thread(self._calls.put_data, data)
        if message_for is not None:
            session, gate = self.saves.session, self.opened.gate
            gate.rules, self._is_filled = replace(gate.rules, data=(session.data,)), True
            self._events.put_nowait(Save(revision=session.revision, message_for=message_for))
        return stored
