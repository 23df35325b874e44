"""Runs the dev server: the listener and the watching thread."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from starlette.types import ASGIApp

from awning.errors import ConfigurationError
from awning.pipeline import Rebuilt
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.stream import Streams
from awning_harness.service.listeners import Listener, quiet_server_logs

_LONGEST_BUILD_S = 5.0
"""The most seconds that a stopped server waits for the build that still runs."""

Report = Callable[[Rebuilt], None]


@dataclass(slots=True)
class DevServer:
    """Serves `app` on `listening`. Each build or patch in `turns` is shown on the pages and passed to `report`."""

    session: DevSession
    streams: Streams
    app: ASGIApp
    listening: socket.socket
    turns: Iterator[Rebuilt]
    report: Report
    watching: threading.Event = field(default_factory=threading.Event)
    """The event that ends `turns` when it is set."""
    _refusal: ConfigurationError | None = None
    """The reason why nothing can be built at all, such as a missing esbuild."""

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set, then end every stream and the watching thread.

        Raises ConfigurationError when it is the error of the first turn.
        """
        quiet_server_logs()
        listener = Listener(self.listening, self.app)
        await listener.open()
        watcher = threading.Thread(target=self._watch, args=(asyncio.get_running_loop(), stop), daemon=True)
        watcher.start()
        try:
            await stop.wait()
        finally:
            self.watching.set()
            self.streams.close()
            await listener.stop()
            # A build that still runs writes into the stage. The caller deletes the stage afterwards.
            await asyncio.to_thread(watcher.join, _LONGEST_BUILD_S)
        if self._refusal:
            raise self._refusal

    def _watch(self, loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
        """Show the result of each build and each patch."""
        for number, turn in enumerate(self.turns):
            if number == 0 and isinstance(turn.error, ConfigurationError):
                self._refusal = turn.error
                loop.call_soon_threadsafe(stop.set)
                return
            self._follow(loop, turn)

    def _follow(self, loop: asyncio.AbstractEventLoop, turn: Rebuilt) -> None:
        turn, message_for = self.session.follow(turn)
        with contextlib.suppress(RuntimeError):  # the loop may have ended in the meantime
            if message_for is not None:
                loop.call_soon_threadsafe(self.streams.send, message_for)
        with contextlib.suppress(OSError, ValueError):  # nobody reads the terminal any more
            self.report(turn)
