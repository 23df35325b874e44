"""`awning add widget NAME`: one more widget in the workspace, new or brought in from a hand-written snippet."""

from collections import Counter
from pathlib import Path

import click

from awning.cli.invocation import awning_command
from awning.cli.report import counted, say
from awning.contract import SLOTS
from awning.errors import ConfigurationError
from awning.pipeline import inspect_workspace, write_types
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning.workspace.scaffolding import add_widget, require_free_name, title_from_name, write_files
from awning.workspace.sources import encoding_error


@click.group()
def add() -> None:
    """Add something to the workspace."""


@add.command()
@click.argument("name")
@click.option(
    "--slot",
    type=click.Choice(list(SLOTS)),
    help="The place where it shows. With --from, the snippet's events tell it.",
)
@click.option("--bare", is_flag=True, help="Only what a widget needs: no style, settings, states or tests.")
@click.option(
    "--from",
    "snippet",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE.html",
    help="Bring in a snippet that was written by hand: its script, style and markup.",
)
def widget(name: str, *, slot: str | None, bare: bool, snippet: Path | None) -> None:
    """Add the widget NAME: a folder in widgets/ that builds at once.

    \b
    awning add widget size-guide --slot after-price           with an example of everything, and green tests
    awning add widget size-guide --slot after-price --bare    the least that builds
    awning add widget size-guide --from old.html              the snippet as it is, findings of the check shown
    """
    root = find_workspace(Path.cwd())
    if snippet is not None:
        if bare:
            raise ConfigurationError("--bare and --from exclude each other", hint="leave one of them out")
        _bring(root, name, snippet, slot)
    elif slot is None:
        raise ConfigurationError(
            "a new widget needs a slot", hint=f"--slot {' or '.join(SLOTS)}; or --from old.html"
        )
    else:
        languages = read_workspace(root).languages
        for file in add_widget(root, name, slot=slot, languages=languages, bare=bare):
            click.echo(file)
        write_types(root)
    say(f"\nnext: {awning_command()} dev, or {awning_command()} test widgets/{name}")


def _bring(root: Path, name: str, snippet: Path, slot: str | None) -> None:
    """Write the widget, then say what its author should know, and what the check finds in it."""
    from awning.handwritten import bring_in  # noqa: PLC0415 - no other verb reads HTML

    require_free_name(root, name)
    html = _read(snippet)
    dialect = read_workspace(root).profile.dialect
    brought = bring_in(html, name=snippet.name, title=title_from_name(name), dialect=dialect, slot=slot)
    for file in write_files(root, {f"widgets/{name}/{path}": text for path, text in brought.files.items()}):
        click.echo(file)
    for remark in brought.remarks:
        say(remark)
    _say_findings(root, name)


def _read(snippet: Path) -> str:
    from awning.handwritten.widget import MOST_BYTES  # noqa: PLC0415

    if snippet.stat().st_size > MOST_BYTES:
        raise ConfigurationError(
            f"{snippet} is larger than {MOST_BYTES // 1_000_000} MB", hint="is it a snippet?"
        )
    content = snippet.read_bytes()
    fault = encoding_error(content, str(snippet))
    if fault is not None:
        raise ConfigurationError(f"{snippet}: {fault.message}", hint=fault.hint)
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def _say_findings(root: Path, name: str) -> None:
    findings = inspect_workspace(root, only=(name,)).counted()
    for finding in findings:
        say(finding.render())
    said = counted(Counter(str(finding.severity) for finding in findings)) or "nothing found"
    say(f"\nawning check widgets/{name}: {said}")
