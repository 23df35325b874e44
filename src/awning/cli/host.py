"""`awning host`: runs the app's own server until it is interrupted. Its secrets never come from an option."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awning.cli.report import json_option, print_result, say
from awning.cli.service_options import find_access, service_options, warn_of_open_files
from awning.client.responses import UNVERSIONED
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.server import database_url
from awning.publish.state.store import private_paths
from awning.workspace.reader import find_profile
from awning.workspace.root import find_state_directory, find_workspace

if TYPE_CHECKING:
    from awning.client import Secret
    from awning.host import Settings

DEFAULT_PORT = 8440
NEEDED = ("starlette", "uvicorn")


@click.group(invoke_without_command=True)
@service_options
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True)
@click.option(
    "--host",
    "bind",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on, such as 0.0.0.0 in a container.",
)
@click.option(
    "--public-url",
    metavar="URL",
    envvar="AWNING_PUBLIC_URL",
    help="The server's address for browsers. It must be https, except on this machine.",
)
@click.option(
    "--dist",
    envvar="AWNING_DIST",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the build. Default: dist/.",
)
@click.option(
    "--behind-proxy",
    envvar="AWNING_BEHIND_PROXY",
    is_flag=True,
    help="Trust X-Forwarded-Host and X-Forwarded-Proto.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="The number of processes that serve this address.",
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
    """Run the app's own server: installation, settings, uninstallation.

    \b
    AWNING_APP_SECRET   the manifest's app_secret, which verifies requests
    AWNING_API_KEY      the key from the service's portal
    AWNING_DATABASE_URL postgresql://...; without it, SQLite files in AWNING_STATE_DIR are used
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
    from awning.host.serving import listen, serve, serve_in_processes  # noqa: PLC0415

    chosen = find_profile(profile, os.environ)
    secret = app_secret(os.environ)
    access = find_access(base_url, profile, os.environ)
    database = database_url(os.environ)
    with listen(bind, port) as listening:
        own = f"http://127.0.0.1:{listening.getsockname()[1]}"
        settings = Settings(
            public_url=checked_public_url(public_url or own),
            dist=dist or find_workspace(Path.cwd()) / "dist",
            state=_state_directory(database),
            database=database,
            cipher=CodeCipher.found_in(os.environ),
            app_secret=secret,
            access=access,
            behind_proxy=behind_proxy,
            head_snippets=chosen.head_snippets,
        )
        app = application(settings)
        warn_of_open_files(private_paths(settings.state) if database is None else (), os.environ)
        if not access.versioned:
            say(f"warning: {UNVERSIONED}, so the service may refuse every call")
        _print_addresses(settings, as_json=as_json)
        return serve(app, listening) if workers == 1 else serve_in_processes(workers, settings, listening)


def _print_addresses(settings: "Settings", *, as_json: bool) -> None:
    """Print the server's addresses.

    The manifest needs the addresses of installation and settings. The workspace's `beacon` is the address of the
    reports.
    """
    url = settings.public_url
    addresses: dict[str, Any] = {
        "url": url,
        "install_url": f"{url}/install",
        "settings_url": f"{url}/settings",
        "reports_url": f"{url}/health/report",
    }
    lines = (f"{name.removesuffix('_url'):<9} {address}" for name, address in addresses.items())
    print_result(as_json, (*lines, "Ctrl-C ends it."), **addresses)


@host.command()
@click.option("--check", is_flag=True, help="Change nothing. The exit code is 1 when tables are missing.")
@json_option
def migrate(*, check: bool, as_json: bool) -> int:
    """Create the database tables of this version of awning.

    The server also creates them when it starts. Use this command as the owner of the tables, where the server's
    database user may not create tables.
    """
    from awning.host.migrating import migrate_tables  # noqa: PLC0415 - needs the extra

    database = database_url(os.environ)
    tables = tuple(migrate_tables(_state_directory(database), database, check=check))
    lines = (
        f"{version.name:<10} version {version.version}"
        + (f", {version.missing} {'to take' if check else 'taken'}" if version.missing else "")
        for version in tables
    )
    print_result(as_json, lines, tables=[version.as_json() for version in tables])
    return Exit.FINDINGS if check and any(version.missing for version in tables) else Exit.DONE


def _state_directory(database: "Secret | None") -> Path:
    """Return the state directory.

    With a database the directory is not used, so an empty path is returned when AWNING_STATE_DIR is not set. Without a
    database, raises ConfigurationError when there is neither the variable nor a workspace.
    """
    needed = database is None or os.environ.get("AWNING_STATE_DIR")
    return find_state_directory(os.environ) if needed else Path()
