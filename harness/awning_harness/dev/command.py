"""`awning dev`: runs a shop with your widgets, and rebuilds and redraws it when you save."""

import asyncio
import threading
import webbrowser
from functools import partial
from pathlib import Path
from socket import socket

import click

from awning.errors import Faulty
from awning.json_document import json_document
from awning.pipeline import BuildResult, Follower, LiveWorkspace, Rebuilt
from awning.pipeline.build_session import build_session
from awning.workspace import find_workspace, read_profile
from awning_harness.dev.address import DEFAULT_PORT, HostNames, host_names, listening_on
from awning_harness.dev.app import dev_app
from awning_harness.dev.dev_session import DevSession, open_dev_session
from awning_harness.dev.server import DevServer
from awning_harness.dev.stream import Streams
from awning_harness.dev.turn_report import TurnReport, turn_document
from awning_harness.service.listeners import LOOPBACK
from awning_harness.service.serving import listen_options, until_signalled


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
    listening: socket,
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
