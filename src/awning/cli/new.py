"""`awning new PATH`: creates a workspace that builds, and whose tests pass."""

import sys
from pathlib import Path

import click

from awning.cli.add import say_what_ci_needs
from awning.cli.report import awning_command, json_option, print_result
from awning.contract.slots import FIRST_SLOT, SLOTS
from awning.pipeline.phases import write_types
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
@json_option
def new(path: Path, *, slot: str, languages: str | None, ci: str | None, as_json: bool) -> None:
    """Make a workspace with one widget in the folder PATH.

    \b
    awning new my-app                          English and Latvian
    awning new my-app --languages "de fr-CH"
    awning new my-app --slot after-cart        with a widget on the cart page
    awning new my-app --ci github              with a workflow that checks, builds and tests it
    """
    default = " ".join(FIRST_LANGUAGES)
    codes = read_languages(languages if languages is not None else default if as_json else _asked(default))
    files = make_workspace(path, slot=slot, languages=codes, ci=ci)
    write_types(path)
    names = [file.as_posix() for file in files]
    lines = [str(path / file) for file in files]
    print_result(as_json, lines, indent=2, folder=str(path.resolve()), files=names)
    if ci:
        say_what_ci_needs(path, ci)
    click.echo(f"\nnext: cd {path} && {awning_command()} dev", err=True)


def _asked(default: str) -> str:
    """Ask for the app's languages. Without a terminal, return the default ones."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return default
    answer: str = click.prompt("Languages of the app, separated by spaces", default=default, err=True)
    return answer
