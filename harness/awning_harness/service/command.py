"""`awning service`: the simulated service alone, until it is interrupted."""

import asyncio
import contextlib
import json
import signal
from dataclasses import asdict
from pathlib import Path

import click

from awning.contract import Exit
from awning.contract.service_assumptions import PROFILES
from awning_harness.service.addresses import Addresses
from awning_harness.service.server import Sockets, run_service
from awning_harness.service.service import Service

DEFAULT_PORT = 8430


@click.command("service")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="Port of the Apps API; 0 takes free ones.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep everything in this SQLite file. Without it the service forgets.",
)
@click.option(
    "--profile", type=click.Choice(PROFILES), help="Answer every open question as this profile does."
)
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one line of JSON.")
def service(port: int, state: Path | None, profile: str | None, as_json: bool) -> int:
    """The simulated service alone: Apps API, Reseller API, portal, control and storefront, on loopback.

    \b
    awning service --port 0 --json     free ports; the first line says where
    awning service --state shop.db     remembers over restarts
    """
    simulated = Service(state, profile=profile)
    try:
        sockets = Sockets(port)
        simulated.addresses = sockets.addresses()
        announce(simulated.addresses, as_json=as_json)
        return asyncio.run(until_signalled(simulated, sockets))
    finally:
        simulated.close()


async def until_signalled(simulated: Service, sockets: Sockets) -> int:
    """Serve until Ctrl-C (exit code 130) or SIGTERM (0)."""
    stop, code = asyncio.Event(), Exit.DONE

    def interrupt() -> None:
        nonlocal code
        code = Exit.INTERRUPTED
        stop.set()

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, interrupt)
        loop.add_signal_handler(signal.SIGTERM, stop.set)
    await run_service(simulated, sockets, stop)
    return int(code)


def announce(addresses: Addresses, *, as_json: bool) -> None:
    """Say on stdout where everything is."""
    if as_json:
        click.echo(json.dumps({"schema_version": 1, **asdict(addresses)}))
        return
    for name, url in asdict(addresses).items():
        click.echo(f"{name.removesuffix('_url'):<11} {url}")
    click.echo("Ctrl-C ends it.")
