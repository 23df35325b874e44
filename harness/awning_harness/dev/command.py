"""`awning dev`: runs a shop with your widgets, and rebuilds and redraws it when you save."""

import asyncio
import contextlib
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click
from starlette.types import ASGIApp

from awning.errors import ConfigurationError, Faulty
from awning.json_document import json_document
from awning.pipeline.build_session import build_session
from awning.pipeline.follow import Follower
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import LiveWorkspace, Rebuilt
from awning.workspace.reader import read_profile
from awning.workspace.root import find_workspace
from awning_harness.dev.address import DEFAULT_PORT, HostNames, host_names, listening_on
from awning_harness.dev.app import dev_app
from awning_harness.dev.dev_session import DevSession, open_dev_session
from awning_harness.dev.stream import Streams
from awning_harness.dev.turn_report import TurnReport, turn_document
from awning_harness.service.listeners import (
    LOOPBACK,
    Listener,
    listen_options,
    quiet_server_logs,
    until_signalled,
)

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


@click.command("dev")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=None,
    show_default=f"{DEFAULT_PORT}, or the next free one",
    help="The port; 0 takes any free one.",
)
@click.option("--open", "open_", is_flag=True, help="Open the shop in your browser.")
@click.option(
    "--host",
    default=None,
    show_default=LOOPBACK,
    help="The host name in addresses: localhost, or a name that ends in .localhost.",
)
@listen_options
@click.option(
    "--pseudo",
    is_flag=True,
    help="Add a pseudo-language to the shop: your texts, longer, with accents and brackets. It is not in dist/.",
)
@click.option("--no-types", is_flag=True, help="Do not look for type errors.")
@click.option(
    "--json", "as_json", is_flag=True, help="A line of JSON with the addresses, then one for each build."
)
def dev(
    *,
    port: int | None,
    open_: bool,
    host: str | None,
    listen: str,
    allow_hosts: tuple[str, ...],
    pseudo: bool,
    no_types: bool,
    as_json: bool,
) -> int:
    """Run a shop with your widgets, and rebuild it when you save.

    Pages are redrawn in place. Problems of a file are shown over the page and in the terminal. The shop uses a dev
    build, whose errors name template and line. dist/ is not changed.

    \b
    awning dev                                            the shop, on the first free port from 8420
    awning dev --open --pseudo                            in your browser, in longer, accented texts, too
    awning dev --listen 0.0.0.0 --allow-host shop.test    in a container
    """
    names = host_names(host, listen, allow_hosts)
    root = find_workspace(Path.cwd())
    listening = listening_on(listen, port, say)
    with build_session(root) as session:
        live = LiveWorkspace(session, types=not no_types)
        return _serve(live, listening, names, open_=open_, pseudo=pseudo, as_json=as_json)


def _serve(
    live: LiveWorkspace,
    listening: socket.socket,
    names: HostNames,
    *,
    open_: bool,
    pseudo: bool,
    as_json: bool,
) -> int:
    """Serve until a signal. Dev builds are not written to `dist/`, because it holds only builds that ship.

    The addresses are printed before the first build. A page waits for the build of its language.
    """
    url = f"http://{names.host}:{listening.getsockname()[1]}"
    root, watching, streams = live.root, threading.Event(), Streams()
    saved = None if pseudo else live.saved()
    session = open_session(live, saved=saved, pseudo=pseudo)
    follower = Follower(
        root,
        live,
        watching,
        languages=streams.languages,
        patches=not pseudo,
        only_asked=not pseudo,
        first_languages=session.languages[:1],
        saved=saved,
    )
    session.source.hurry = follower.hurry
    session.source.set_current(frozenset())
    app = dev_app(session, streams, base_url=url, say=say, allowed_hosts=names.allowed)
    announce(url, session, as_json=as_json)
    if open_:
        webbrowser.open(url)
    server = DevServer(
        session=session,
        streams=streams,
        app=app,
        listening=listening,
        turns=follower.turns(),
        report=print_line if as_json else TurnReport(say).print,
        watching=watching,
    )
    return asyncio.run(until_signalled(server.run))


def open_session(
    live: LiveWorkspace, *, saved: BuildResult | None = None, pseudo: bool = False
) -> DevSession:
    """Return the session of a workspace. With a saved build, the widgets are not read.

    If the workspace has errors, the session has the language `en`, the specification's dialect, and the name of the
    folder as the app's title.
    """
    shop = partial(open_dev_session, live.root, pseudo=pseudo, unit=live.unit)
    if saved is not None:
        record, profile = saved.record, read_profile(live.root, profile=None, environ=live.environ)
        languages, title, store = record.languages, record.title, saved.own_store
        return shop(languages=languages, profile=profile, title=title, store=store)
    try:
        workspace = live.read()
    except Faulty:
        return shop(languages=("en",), title=live.root.name)
    title, profile = str(workspace.manifest["app_title"]), workspace.profile
    return shop(languages=workspace.languages, profile=profile, title=title, store=workspace.own_store)


def announce(url: str, session: DevSession, *, as_json: bool = False) -> None:
    site = session.source.site
    addresses = (
        ("Shop", "shop_url", f"{url}/{site.id}/{site.languages[0]}/"),
        ("Gallery", "gallery_url", f"{url}/_awning/gallery"),
        ("All pages", "pages_url", f"{url}/"),
    )
    if as_json:
        click.echo(json_document({field: address for _, field, address in addresses}))
        return
    for name, _, address in addresses:
        click.echo(f"  {name:<10} {address}")
    click.echo("Save a file, and the page is redrawn. Ctrl-C stops the server.")


def print_line(turn: Rebuilt) -> None:
    """Print the line of JSON about a turn, at once: who reads it may wait for it."""
    if document := turn_document(turn):
        click.echo(json_document(document))


def say(line: str) -> None:
    click.echo(line, err=True)
