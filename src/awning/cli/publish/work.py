"""`awning publish work`: a worker of a fleet. It publishes the chunks that a controller (`apply --fleet`) makes."""

import asyncio
import os
import platform

import click

from awning.cli.report import say
from awning.cli.service_options import open_state
from awning.cli.trust import OF_APPS_API, require_trust
from awning.client import Access
from awning.client.access import find_apps_access
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish.event_loop import stopping
from awning.publish.state.server import SharedServer, StateServer
from awning.workspace.env_file import names_from_env_file


@click.command()
@click.option("--name", help="The worker's name in `publish status`. Default: machine and process.")
@click.option(
    "--at-once",
    type=click.IntRange(1, 32),
    default=4,
    show_default=True,
    help="Chunks that are published at the same time. One has some 25 instances.",
)
@click.option(
    "--until-empty", is_flag=True, help="End when no chunk waits. A run in waves makes its next chunks later."
)
def work(*, name: str | None, at_once: int, until_empty: bool) -> int:
    """Publish the chunks that `awning publish apply --fleet` makes, until the worker is stopped.

    A worker needs AWNING_DATABASE_URL and the service's key, but no build, because releases are in the database. Ctrl-C
    and SIGTERM let the chunks under way end. A killed worker loses nothing: another takes its chunks.
    """
    state = open_state(os.environ)
    if not isinstance(state, StateServer):
        raise ConfigurationError(
            "a worker needs AWNING_DATABASE_URL",
            hint="set it to the PostgreSQL database that the controller of the run uses",
        )
    find_apps_access("https://checked.invalid/v1", os.environ)  # raises at once if the key is missing
    asyncio.run(
        _work(state, name or f"{platform.node() or 'worker'}-{os.getpid()}", at_once, until_empty=until_empty)
    )
    return Exit.DONE


async def _work(state: StateServer, name: str, at_once: int, *, until_empty: bool) -> None:
    from awning.publish.fleet.queue import JobQueue  # noqa: PLC0415 - imports the extra `fleet`
    from awning.publish.fleet.worker import Worker, WorkerSettings  # noqa: PLC0415 - imports aiohttp

    stop = asyncio.Event()
    settings = WorkerSettings(
        name=name,
        access_of=_access,
        environ=os.environ,
        report=say,
    )
    with stopping(stop), SharedServer(state.url, state.cipher, connections=at_once + 2) as shared:
        async with JobQueue(state.url) as queue, Worker(shared, settings) as worker:
            say(f"worker {name} is ready")
            await queue.handle(worker.publish, at_once=at_once, until_empty=until_empty, stop=stop)
    say(f"worker {name} has ended")


def _access(base_url: str) -> Access:
    """Return the access to the service that the database names. The user's own database confirms the service."""
    access = find_apps_access(base_url, os.environ)
    of_folder = "AWNING_DATABASE_URL" in names_from_env_file(os.environ)
    named_by = "the database of AWNING_DATABASE_URL in .env" if of_folder else None
    require_trust(access.base_url, named_by, OF_APPS_API, os.environ)
    return access
