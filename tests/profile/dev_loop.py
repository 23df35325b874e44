"""Runs the whole of `awning dev` in this process: it watches files, builds them, and updates open pages.

Tests wait for the loop's own signals: the turns of the follower, and the revision that a page shows.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from awning.contract import Dialect
from awning.pipeline.build_session import build_session
from awning.pipeline.follow import Follower
from awning.pipeline.live import LiveWorkspace, Rebuilt
from awning_harness.dev.app import dev_app, dev_assets
from awning_harness.dev.command import DevServer, open_session
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.stream import Streams
from awning_harness.dev.turn_report import TurnReport
from awning_harness.service.listeners import listening_socket
from awning_harness.storefront.assets import Assets

PATIENCE_S = 30.0


@dataclass
class DevLoop:
    """A running `awning dev`."""

    root: Path
    url: str
    session: DevSession
    printed: list[str] = field(default_factory=list)
    """The lines of the terminal."""
    turns: list[Rebuilt] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _marks: int = 0

    def report(self, turn: Rebuilt) -> None:
        with self._news:
            self.turns.append(turn)
            self._news.notify_all()

    def write(self, path: str, text: str) -> None:
        """Write a file in one step: another file is renamed over it."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = self.root / ".being-written"
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(file)

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def save(self, path: str, text: str) -> Rebuilt:
        """Write a file, and wait for the build with it."""
        begin = len(self.turns)
        self.write(path, text)
        return self.wait_for(path, begin)

    def wait_for(self, path: str, begin: int) -> Rebuilt:
        """Wait for an inspected build with a change of `path` in `turns[begin:]`, and return its turn.

        Raises AssertionError after PATIENCE_S seconds.
        """

        def built() -> Rebuilt | None:
            turns = iter(self.turns[begin:])
            # A build that is inspected later has two turns, of which only the first names the path.
            first = next(
                (t for t in turns if path in t.changed and not (t.is_provisional and not t.built)), None
            )
            return first if first is None or not first.is_provisional else _next_inspected(turns)

        with self._news:
            if not self._news.wait_for(lambda: built() is not None, PATIENCE_S):
                changed = [turn.changed for turn in self.turns[begin:]]
                raise AssertionError(f"no build of {path}; the turns were of {changed}")
            turn = built()
            assert turn is not None
            return turn

    def settle(self) -> None:
        """Wait until every earlier change is built.

        The system reports changes in order, so this writes another file and waits for its build.
        """
        self._marks += 1
        self.save("widgets/_mark/mark.txt", f"{self._marks}\n")

    def open(self, tab: Page, path: str = "product/1") -> None:
        tab.goto(f"{self.url}/1/en/{path}")
        self.wait_until_shown(tab)

    def wait_until_shown(self, tab: Page) -> None:
        """Wait until the page shows the last build, also when that is another one by then."""
        shows = "revision => Number(document.querySelector('awning-inspector')?.dataset.revision ?? -1) >= revision"
        awaited = -1
        while awaited < self.session.revision:
            awaited = self.session.revision
            tab.wait_for_function(shows, arg=awaited, timeout=PATIENCE_S * 1000)


def _next_inspected(turns: Iterator[Rebuilt]) -> Rebuilt | None:
    return next((turn for turn in turns if not turn.is_provisional), None)


@contextmanager
def running_loop(root: Path, assets: Assets | None = None) -> Iterator[DevLoop]:
    """Serve the workspace at `root`. The block begins after the first build."""
    listening = listening_socket(0)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    streams, watching = Streams(), threading.Event()
    with build_session(root) as builds:
        live = LiveWorkspace(builds)
        session = open_session(live)
        follower = Follower(root, live, watching, languages=streams.languages)
        session.source.hurry = follower.hurry
        loop = DevLoop(root, url, session)
        terminal = TurnReport(loop.printed.append)

        def report(turn: Rebuilt) -> None:
            terminal.print(turn)
            loop.report(turn)

        server = DevServer(
            session=session,
            streams=streams,
            app=dev_app(
                session,
                streams,
                base_url=url,
                say=loop.printed.append,
                assets=assets or dev_assets(Dialect()),
            ),
            listening=listening,
            turns=follower.turns(),
            report=report,
            watching=watching,
        )
        runs, stop = asyncio.new_event_loop(), asyncio.Event()

        def run() -> None:
            with asyncio.Runner(loop_factory=lambda: runs) as runner:
                runner.run(server.run(stop))

        thread = threading.Thread(target=run)
        thread.start()
        try:
            with loop._news:
                assert loop._news.wait_for(lambda: len(loop.turns) > 1, PATIENCE_S), "there is no first build"
            yield loop
        finally:
            watching.set()
            runs.call_soon_threadsafe(stop.set)
            thread.join(PATIENCE_S)
            session.service.close()
