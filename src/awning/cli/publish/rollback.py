"""`awning publish rollback`, `pin` and `unpin`: back to a release, or to what was there before; held at a release."""

import os
from contextlib import closing
from dataclasses import replace
from typing import Any

import click

from awning.cli.publish.apply import PROGRESS, run_request
from awning.cli.publish.options import RunOptions, instance_options, run_options
from awning.cli.service_options import open_state
from awning.errors import ConfigurationError
from awning.publish import BuildFiles, Inventory, Releases, StateStore


@click.command()
@run_options
@click.option("--to", type=click.IntRange(1), metavar="N", help="Back to this release.")
@click.option("--previous", is_flag=True, help="Back to what each cell held before its last write.")
@click.option("--overwrite-foreign", is_flag=True, help="Also write where somebody else's snippet is.")
@click.option(
    "--accept-newer-data", is_flag=True, help="Also where the stored app data does not fit the older code."
)
@PROGRESS
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def rollback(
    *,
    to: int | None,
    previous: bool,
    overwrite_foreign: bool,
    accept_newer_data: bool,
    progress: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Take cells back to a release (--to) or to what they held before their last write (--previous).

    A cell that held nothing before cannot go back: it is refused. So is a cell whose app data is newer than the code.
    """
    if options["release"] is not None or options["dist"] is not None:
        raise ConfigurationError("a rollback has no build of its own", hint="--to N names the release")
    if (to is None) is not previous:
        raise ConfigurationError("a rollback needs one of --to N and --previous")
    from awning.publish.run import Rollback  # noqa: PLC0415 - imports aiohttp, a fifth of a second

    run = replace(RunOptions(**options), release=to)
    state = open_state(os.environ)
    files = _newest(run, state) if previous else run.files(state)
    request = replace(
        run.request(files, overwrite_foreign=overwrite_foreign),
        rollback=Rollback(previous=previous, accept_newer_data=accept_newer_data),
    )
    return run_request(request, run, state, progress, as_json=as_json)


def _newest(run: RunOptions, state: StateStore) -> BuildFiles:
    """The newest release; the current build where there is none."""
    with closing(Releases.open(state)) as releases:
        listed = releases.all()
        return releases.files(listed[-1].number) if listed else run.files(state)


@click.command()
@click.argument("release", type=click.IntRange(1))
@instance_options
def pin(release: int, only: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Hold instances at RELEASE: `plan` and `apply` use it for them until `unpin`. Nothing is written now."""
    state = open_state(os.environ)
    with closing(Releases.open(state)) as releases:
        releases.get(release)
    _pin(state, release, only, labels)


@click.command()
@instance_options
def unpin(only: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Free instances that are held at a release."""
    _pin(open_state(os.environ), None, only, labels)


def _pin(state: StateStore, release: int | None, only: tuple[str, ...], labels: tuple[str, ...]) -> None:
    if not only and not labels:
        raise ConfigurationError("no instance is named", hint="--only NAME or --label LABEL")
    with closing(Inventory.open(state)) as inventory:
        for instance in inventory.chosen(only):
            if set(labels) <= set(instance.labels):
                inventory.pin(instance, release)
                where = "free" if release is None else f"held at release {release}"
                click.echo(f"{instance.display_name}: {where}")
