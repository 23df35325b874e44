"""Runs the dev server: the sockets, the watching thread, the signals that end it."""

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from starlette.types import ASGIApp

from awning.contract import Exit
from awning.errors import shown_as
from awning.pipeline import Rebuilt
from awning_harness.dev.serving import serve
from awning_harness.dev.session import Session
from awning_harness.dev.stream import Streams

Report = Callable[[Rebuilt], None]


@dataclass(slots=True)
class DevServer:
    """The app on `listening`, told of every turn of `turns`; `report` hears of each turn too."""

    session: Session
    streams: Streams
    app: ASGIApp
    listening: socket.socket
    turns: Iterator[Rebuilt]
    report: Report
    watching: threading.Event = field(default_factory=threading.Event)
    """Set to end the watching: what `turns` was made with."""

    async def run(self, stop: asyncio.Event) -> None:
        """Serve until `stop` is set, then end every stream and the watching thread."""
        serving = await serve(self.app, self.listening)
        watcher = threading.Thread(target=self._watch, args=(asyncio.get_running_loop(),), daemon=True)
        watcher.start()
        try:
            await stop.wait()
        finally:
            self.watching.set()
            self.streams.close()
            await serving.stop()

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Follow the builds. A fault of awning's own is shown like a fault of the user's; the next turn is followed."""
        for turn in self.turns:
            self._follow(loop, turn)

    def _follow(self, loop: asyncio.AbstractEventLoop, turn: Rebuilt) -> None:
        try:
            tell = self.session.take(turn)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next save is followed
            turn = replace(turn, built=None, error=shown_as(error))
            tell = self.session.take(turn)
        with contextlib.suppress(RuntimeError):  # the loop may have ended meanwhile
            if tell is not None:
                loop.call_soon_threadsafe(self.streams.tell, tell)
        with contextlib.suppress(OSError, ValueError):  # nobody reads the terminal any more
            self.report(turn)


async def until_signalled(server: DevServer) -> int:
    """Serve until Ctrl-C or SIGTERM. Either is how a dev server ends, but scripts can tell them apart."""
    stop, code = asyncio.Event(), Exit.DONE
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        nonlocal code
        code = Exit.INTERRUPTED
        stop.set()

    with contextlib.suppress(NotImplementedError):  # Windows: KeyboardInterrupt leaves asyncio.run instead
        loop.add_signal_handler(signal.SIGINT, interrupt)
        loop.add_signal_handler(signal.SIGTERM, stop.set)
    await server.run(stop)
    return int(code)
