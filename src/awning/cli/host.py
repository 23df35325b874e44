"""`awning host`: the app's own server, until it is interrupted. Its secrets come from the environment."""

import json
import logging
import os
import signal
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awning.cli.host_migrate import migrate
from awning.cli.service_settings import chosen_profile, open_access, service_options
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish import database_url
from awning.workspace import find_workspace

if TYPE_CHECKING:
    from awning.client import Secret
    from awning.host import Settings

DEFAULT_PORT = 8440
BACKLOG = 128
NEEDED = ("starlette", "uvicorn")
SERVER: dict[str, Any] = {
    "http": "awning.host.connection:Connection",
    "log_config": None,
    "log_level": "warning",
    "access_log": False,  # its lines hold query strings, and those hold authCodes
    "proxy_headers": False,
    "server_header": False,
    "ws": "none",
    "lifespan": "on",
    "timeout_graceful_shutdown": 20,
}


@click.group(invoke_without_command=True)
@service_options
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True)
@click.option(
    "--host",
    "bind",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on, for a container.",
)
@click.option(
    "--public-url",
    metavar="URL",
    envvar="AWNING_PUBLIC_URL",
    help="Where browsers see it; https, but for this machine.",
)
@click.option(
    "--dist",
    envvar="AWNING_DIST",
    type=click.Path(file_okay=False, path_type=Path),
    help="The build; default dist/.",
)
@click.option(
    "--behind-proxy", envvar="AWNING_BEHIND_PROXY", is_flag=True, help="Believe X-Forwarded-Host and -Proto."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes on this address."
)
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one line of JSON.")
@click.pass_context
def host(  # noqa: PLR0917 - click passes options by name
    context: click.Context,
    base_url: str | None,
    profile: str | None,
    port: int,
    bind: str,
    public_url: str | None,
    dist: Path | None,
    behind_proxy: bool,
    workers: int,
    as_json: bool,
) -> int:
    """The app's own server: installation, settings, uninstallation.

    \b
    AWNING_APP_SECRET   the manifest's app_secret, which verifies requests
    AWNING_API_KEY      the key that the service's portal gave
    AWNING_DATABASE_URL postgresql://...; without it SQLite files in AWNING_STATE_DIR
    """
    missing = next((name for name in NEEDED if find_spec(name) is None), None)
    if missing:
        raise ConfigurationError(
            f"awning host needs {missing}, which is not installed",
            hint="install the server: pip install 'awning[host]'",
        )
    if context.invoked_subcommand is not None:
        return Exit.DONE
    from awning.host import Settings, app_secret, application, checked_public_url  # noqa: PLC0415 - needs the extra

    chosen = chosen_profile(profile, os.environ)
    secret = app_secret(os.environ)
    access = open_access(base_url, chosen, os.environ)
    database = database_url(os.environ)
    with _listening(bind, port) as listening:
        own = f"http://127.0.0.1:{listening.getsockname()[1]}"
        settings = Settings(
            public_url=checked_public_url(public_url or own),
            dist=dist or _in_workspace("dist"),
            state=_state(database),
            database=database,
            app_secret=secret,
            access=access,
            behind_proxy=behind_proxy,
            head_snippets=chosen.head_snippets,
        )
        app = application(settings)
        _announce(settings, as_json=as_json)
        return _serve(app, listening) if workers == 1 else _serve_by(workers, settings, listening)


def _state(database: "Secret | None") -> Path:
    """The state directory. Where a server keeps everything, none is looked for."""
    given = os.environ.get("AWNING_STATE_DIR", "")
    return Path(given) if given or database else _in_workspace(".awning/state")


def _in_workspace(name: str) -> Path:
    return find_workspace(Path.cwd()) / name


def _listening(bind: str, port: int) -> socket.socket:
    # asyncio turns Nagle's delay (44 ms an answer) off only for sockets that say that they are TCP.
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option lets two programs share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((bind, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"cannot listen on {bind}, port {port}: {error.strerror}", hint="name another --port, or 0"
        ) from error
    return listening


def _announce(settings: "Settings", *, as_json: bool) -> None:
    """Say on stdout where everything is: what the manifest's two addresses must be."""
    url = settings.public_url
    addresses = {"url": url, "install_url": f"{url}/install", "settings_url": f"{url}/settings"}
    if as_json:
        click.echo(json.dumps({"schema_version": 1, **addresses}))
        return
    for name, address in addresses.items():
        click.echo(f"{name.removesuffix('_url'):<9} {address}")
    click.echo("Ctrl-C ends it.")


def _serve_by(workers: int, settings: "Settings", listening: socket.socket) -> int:
    """Processes are told by the environment, which they inherit; secrets are found where we found them."""
    from uvicorn import Config  # noqa: PLC0415 - needs the extra
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415

    from awning.host import to_environ  # noqa: PLC0415

    os.environ.update(to_environ(settings))
    config = Config("awning.host:from_environment", factory=True, workers=workers, **SERVER)
    Multiprocess(config, sockets=[listening]).run()
    return Exit.DONE


def _serve(app: Any, listening: socket.socket) -> int:
    """In this process."""
    import uvicorn  # noqa: PLC0415 - needs the extra

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    config = uvicorn.Config(app, **SERVER)
    # uvicorn ends cleanly and then raises the signal again: SIGTERM is done with by then, Ctrl-C is told.
    signal.signal(signal.SIGTERM, _done)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return Exit.DONE


def _done(_number: int, _frame: object) -> None:
    """Nothing is left to do for a signal that uvicorn has acted on."""


host.add_command(migrate)
