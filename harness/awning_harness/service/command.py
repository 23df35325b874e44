"""`awning service`: runs only the simulated service, until it is interrupted."""

import asyncio
import os
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click

from awning.contract.assumptions import ASSUMPTION_SETS, DEFAULT_SET
from awning.errors import ConfigurationError
from awning.json_document import json_document
from awning.workspace.model import Profile
from awning.workspace.reader import read_profile
from awning.workspace.root import find_workspace
from awning_harness.service.hosts import checked_host, default_host
from awning_harness.service.listeners import listen_options, until_signalled
from awning_harness.service.server import Sockets, run_service
from awning_harness.service.service import Service
from awning_harness.service.tls_listener import tls_for_the_run

DEFAULT_PORT = 8430


@click.command("service")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="The port of the Apps API. With 0, all ports are free ones.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the state in this SQLite file. Without it, the state is lost at the end.",
)
@click.option(
    "--assumptions",
    type=click.Choice(ASSUMPTION_SETS),
    help=f"The assumption set, which answers all open questions. Default: the state file's, else {DEFAULT_SET}.",
)
@click.option(
    "--dialect",
    metavar="PROFILE",
    help="Use the names of this profile in pyproject.toml. Default: the profile in force.",
)
@listen_options
@click.option(
    "--tls",
    is_flag=True,
    help="Use https, with a certificate for this run. The Reseller API and the storefront also accept http.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the addresses as one line of JSON.")
def service(
    *,
    port: int,
    state: Path | None,
    assumptions: str | None,
    dialect: str | None,
    listen: str,
    allow_hosts: tuple[str, ...],
    tls: bool,
    as_json: bool,
) -> int:
    """Run only the simulated service: Apps API, Reseller API, portal, control and storefront.

    \b
    awning service --port 0 --json     uses free ports; the first line has the addresses
    awning service --state shop.db     keeps the state over restarts
    awning service --assumptions hostile --dialect acme
    awning service --tls --allow-host api.service.example
    awning service --listen 0.0.0.0 --allow-host localhost    in a container

    An assumption set answers the questions that the specification leaves open. documented adds nothing to its text,
    observed has the behaviour of public deployments, and hostile has the answers that break most careless apps. Without
    a set, the answers that are settled in the profile replace those of observed. A dialect consists of the names that a
    white-label service uses.

    Exit codes: 0 ended by SIGTERM, 2 usage or configuration, 130 by Ctrl-C.
    """
    profile, hosts = find_profile(dialect), tuple(checked_host(name) for name in allow_hosts)
    host = default_host(listen, hosts)
    simulated = Service.of_profile(profile, state, assumptions=assumptions)
    simulated.allowed_hosts = hosts
    try:
        with tls_for_the_run(hosts) if tls else nullcontext() as certificate:
            sockets = Sockets(port, listen)
            simulated.addresses = sockets.addresses(certificate, host)
            announce(simulated, profile.name, as_json=as_json)
            return asyncio.run(until_signalled(partial(run_service, simulated, sockets, tls=certificate)))
    finally:
        simulated.close()


def find_profile(name: str | None) -> Profile:
    """Return the profile whose dialect the simulated service uses: the named profile, else the profile in force.

    Outside a workspace there is only the default profile, with the names of the specification. Raises
    ConfigurationError when a profile is named outside a workspace or does not exist, or pyproject.toml is invalid.
    """
    wanted = name or os.environ.get("AWNING_PROFILE")
    try:
        root = find_workspace(Path.cwd())
    except ConfigurationError:
        if wanted:
            raise
        return Profile()
    return read_profile(root, profile=wanted, environ=os.environ)


def announce(simulated: Service, profile: str, *, as_json: bool) -> None:
    """Print the addresses, the dialect and the assumption set; as JSON, only the addresses."""
    addresses = simulated.addresses.as_json()
    if as_json:
        click.echo(json_document(addresses))
        return
    for name, url in addresses.items():
        click.echo(f"{name.removesuffix('_url'):<11} {url}")
    click.echo(f"{'dialect':<11} {profile} ({simulated.dialect.global_object})")
    click.echo(f"{'assumptions':<11} {simulated.assumptions.assumption_set}")
    click.echo("Ctrl-C ends it.")
