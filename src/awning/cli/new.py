"""`awning new PATH`: creates a workspace that builds, and whose tests pass."""

import sys
from pathlib import Path

import click

from awning.cli.add import say_what_ci_needs
from awning.cli.report import awning_command
from awning.contract.slots import FIRST_SLOT, SLOTS
from awning.pipeline import write_types
from awning.workspace.scaffolding import CI_FILES, FIRST_LANGUAGES, make_workspace, read_languages


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--slot",
    type=click.Choice(list(SLOTS)),
    default=FIRST_SLOT,
    show_default=True,
    help="The slot of its widget.",
)
@click.option(
    "--languages",
    metavar="CODES",
    help="The app's languages, separated by spaces. The first is the default for pages in any other language. "
    f"[default: {' '.join(FIRST_LANGUAGES)}; on a terminal, awning asks]",
)
@click.option("--ci", type=click.Choice(list(CI_FILES)), help="Also write the files for this forge's CI.")
def new(path: Path, *, slot: str, languages: str | None, ci: str | None) -> None:
    """Make a workspace with one widget in the folder PATH.

    \b
    awning new my-app                          English and Latvian
    awning new my-app --languages "de fr-CH"
    awning new my-app --slot after-cart        with a widget on the cart page
    awning new my-app --ci github              with a workflow that checks, builds and tests it
    """
    codes = read_languages(languages if languages is not None else _asked())
    for file in make_workspace(path, slot=slot, languages=codes, ci=ci):
        click.echo(path / file)
    write_types(path)
    if ci:
        say_what_ci_needs(path, ci)
    click.echo(f"\nnext: cd {path} && {awning_command()} dev", err=True)


def _asked() -> str:
    """Ask for the app's languages. Without a terminal, return the default ones."""
    default = " ".join(FIRST_LANGUAGES)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return default
    answer: str = click.prompt("Languages of the app, separated by spaces", default=default, err=True)
    return answer
