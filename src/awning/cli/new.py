"""`awning new PATH`: a workspace that builds and tests green at once."""

from pathlib import Path

import click

from awning.cli.invocation import awning_command
from awning.contract import SLOTS
from awning.workspace.scaffolding import make_workspace


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--slot",
    type=click.Choice(list(SLOTS)),
    default="after-price",
    show_default=True,
    help="Its widget's place.",
)
def new(path: Path, *, slot: str) -> None:
    """Make a workspace with one widget in the folder PATH."""
    for file in make_workspace(path, slot=slot):
        click.echo(path / file)
    click.echo(f"\nnext: cd {path} && {awning_command()} dev", err=True)
