"""`awning dev`: a shop with your widgets in it, rebuilt and redrawn as you save."""

import asyncio
import threading
import webbrowser
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory

import click

from awning.contract import Dialect
from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty
from awning.pipeline import Rebuilt, watch_workspace
from awning.workspace import find_workspace, read_workspace
from awning_harness.dev.app import dev_app
from awning_harness.dev.dev_session import DevSession, open_dev_session
from awning_harness.dev.server import DevServer, until_signalled
from awning_harness.dev.stream import Streams
from awning_harness.service.listeners import listening_socket

DEFAULT_PORT = 8420
LOOPBACK = ("127.0.0.1", "localhost")
PORT_HINT = "another awning dev may be running; --port 0 takes a free port, --port N another one"


@click.command("dev")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="0 takes a free one.",
)
@click.option("--open", "open_", is_flag=True, help="Open the shop in your browser.")
@click.option(
    "--host",
    default=LOOPBACK[0],
    show_default=True,
    help="Name to use in addresses: localhost, or a name that ends in .localhost. Only this machine is served.",
)
@click.option(
    "--pseudo",
    is_flag=True,
    help="The shop also speaks a pseudo-language: your texts accented, longer and in brackets. Not in dist/.",
)
def dev(port: int, open_: bool, host: str, pseudo: bool) -> int:
    """A shop with your widgets in it, rebuilt as you save.

    Pages are redrawn in place; what is wrong with a file is shown over the page and here. What is shown is built for
    reading: errors name template and line. dist/ stays what `awning build` wrote.
    """
    check_host(host)
    root = find_workspace(Path.cwd())
    listening = listening_socket(port, hint=PORT_HINT)
    with TemporaryDirectory(prefix="awning-dev-") as folder:
        return _serve(root, listening, host, Path(folder) / "dist", open_=open_, pseudo=pseudo)


def _serve(root: Path, listening: socket, host: str, out: Path, *, open_: bool, pseudo: bool) -> int:
    """Serve until a signal. Dev builds go to `out`: `dist/` holds what ships."""
    url = f"http://{host}:{listening.getsockname()[1]}"
    watching = threading.Event()
    turns = watch_workspace(root, out=out, dev=True, stop=watching)
    session = open_workspace(root, pseudo=pseudo)
    first = next(turns)
    if isinstance(first.error, ConfigurationError):
        raise first.error
    session.apply(first)
    streams = Streams()
    app = dev_app(session, streams, base_url=url, say=say)
    announce(url, session, first)
    if open_:
        webbrowser.open(url)
    server = DevServer(
        session=session,
        streams=streams,
        app=app,
        listening=listening,
        turns=turns,
        report=report,
        watching=watching,
    )
    return asyncio.run(until_signalled(server))


def check_host(host: str) -> None:
    """Check that `host` is a name of this machine, because the pages run unfinished scripts.

    Raises ConfigurationError when it is not.
    """
    if host not in LOOPBACK and not host.endswith(".localhost"):
        raise ConfigurationError(
            f"--host {host} is not a name of this machine alone",
            hint="leave it out, or use localhost or a name that ends in .localhost",
        )


def open_workspace(root: Path, *, pseudo: bool = False) -> DevSession:
    """The session of a workspace, also while the workspace's files cannot be read."""
    try:
        workspace = read_workspace(root)
    except Faulty:
        return open_dev_session(root, languages=("en",), dialect=Dialect(), title=root.name, pseudo=pseudo)
    title, dialect = str(workspace.manifest["app_title"]), workspace.profile.dialect
    return open_dev_session(root, languages=workspace.languages, dialect=dialect, title=title, pseudo=pseudo)


def announce(url: str, session: DevSession, first: Rebuilt) -> None:
    report(first)
    site = session.source.site
    lines = (
        ("Shop", f"{url}/{site.id}/{site.languages[0]}/"),
        ("Gallery", f"{url}/_awning/gallery"),
        ("All pages", f"{url}/"),
    )
    for name, address in lines:
        click.echo(f"  {name:<10} {address}")
    click.echo("Save a file and the page follows. Ctrl-C ends it.")


def say(line: str) -> None:
    click.echo(line, err=True)


def report(turn: Rebuilt) -> None:
    """Print the result of a turn to stderr."""
    milliseconds = f"{turn.seconds * 1000:.0f} ms"
    error = turn.error
    if error is not None:
        text = error.message if isinstance(error, Faulty) else f"error: {error.message}"
        say(f"{text}\n  hint: {error.hint}" if error.hint else text)
        say(f"not built ({milliseconds}); pages keep the last build that worked")
    elif turn.built is not None:
        for diagnostic in turn.built.diagnostics:
            if diagnostic.severity is not Severity.NOTE:
                say(diagnostic.render())
        cause = f": {', '.join(turn.changed[:3])}" if turn.changed else ""
        say(f"built in {milliseconds}{cause}")
