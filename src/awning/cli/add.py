"""`awning add widget NAME --slot SLOT`: one more widget in the workspace."""

from pathlib import Path

import click

from awning.cli.invocation import awning_command
from awning.contract import SLOTS
from awning.workspace.find import find_workspace
from awning.workspace.read import read_workspace
from awning.workspace.scaffolding import add_widget


@click.group()
def add() -> None:
    """Add something to the workspace."""


@add.command()
@click.argument("name")
@click.option("--slot", type=click.Choice(list(SLOTS)), required=True, help="The place where it shows.")
@click.option("--bare", is_flag=True, help="Only what a widget needs: no style, settings, states or tests.")
def widget(name: str, *, slot: str, bare: bool) -> None:
    """Add the widget NAME: a folder in widgets/ that builds and tests green at once."""
    root = find_workspace(Path.cwd())
    languages = read_workspace(root).languages
    for file in add_widget(root, name, slot=slot, languages=languages, bare=bare):
        click.echo(file)
    click.echo(f"\nnext: {awning_command()} dev, or {awning_command()} test widgets/{name}", err=True)
