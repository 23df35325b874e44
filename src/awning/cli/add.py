"""`awning add`: adds a new widget, a hand-written snippet or the files for CI to the workspace."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from awning.cli.report import awning_command, counted, json_option, print_result, say
from awning.contract import SLOTS
from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError, Faulty
from awning.pipeline.incremental import inspect_workspace
from awning.pipeline.phases import write_types
from awning.workspace.reader import read_settings
from awning.workspace.root import find_workspace
from awning.workspace.scaffolding import (
    CI_FILES,
    add_ci,
    add_widget,
    require_free_name,
    title_from_name,
    write_files,
)

SNIPPET: dict[str, Any] = {
    "type": click.Path(path_type=Path, dir_okay=False, exists=True),
    "metavar": "FILE.html",
}


@click.group()
def add() -> None:
    """Add something to the workspace.

    \b
    awning add widget trust-mark --slot after-price    a widget
    awning add ci github                               files for CI
    """


@add.command()
@click.argument("name")
@click.option(
    "--slot",
    type=click.Choice(list(SLOTS)),
    help="The place where the widget shows. With --from, only if the snippet names no event.",
)
@click.option("--bare", is_flag=True, help="Only what a widget needs: no style, settings, states or tests.")
@click.option("--from", "snippet", **SNIPPET, help="Bring in a snippet that was written by hand, as it is.")
@click.option("--from-head", "head", **SNIPPET, help="Bring in a snippet for the page's head, as it is.")
@click.option(
    "--split",
    "splits",
    is_flag=True,
    help="With --from, put styles and scripts into files of their own, where the page does the same in Chromium.",
)
@json_option
def widget(
    name: str,
    *,
    slot: str | None,
    bare: bool,
    snippet: Path | None,
    head: Path | None,
    splits: bool,
    as_json: bool,
) -> None:
    """Add the widget NAME: a folder in widgets/ that builds at once.

    \b
    awning add widget trust-mark --slot after-price           with an example of everything, and green tests
    awning add widget trust-mark --slot after-price --bare    the least that builds
    awning add widget trust-mark --from old.html              the snippet as it is, and prints what the check finds
    awning add widget trust-mark --from old.html --split      its parts in files, as far as its page stays
    """
    root = find_workspace(Path.cwd())
    if splits and snippet is None:
        raise ConfigurationError("--split needs a snippet to take apart", hint="name it: --from old.html")
    is_brought = snippet is not None or head is not None
    if is_brought and bare:
        raise ConfigurationError("--bare and --from exclude each other", hint="leave one of them out")
    if is_brought:
        files, remarks = _bring_in(root, name, {"body": snippet, "head": head}, slot, splits=splits)
    elif slot is None:
        raise ConfigurationError(
            "a new widget needs --slot or --from", hint=f"--slot {' or '.join(SLOTS)}; or --from old.html"
        )
    else:
        languages, _ = read_settings(root)
        files, remarks = add_widget(root, name, slot=slot, languages=languages, bare=bare), ()
    if not as_json:
        click.echo("\n".join(map(str, files)))
    diagnostics = inspect_workspace(root, only=(name,)).counted() if is_brought else _write_types(root)
    if as_json:
        print_result(
            as_json,
            (),
            indent=2,
            widget=name,
            files=[file.as_posix() for file in files],
            remarks=list(remarks),
            findings=[diagnostic.as_json() for diagnostic in diagnostics],
        )
        return
    for text in (*remarks, *(diagnostic.render() for diagnostic in diagnostics)):
        say(text)
    if is_brought:
        counts = counted(Counter(str(diagnostic.severity) for diagnostic in diagnostics)) or "nothing found"
        say(f"\nawning check widgets/{name}: {counts}")
    elif diagnostics:
        say(f"\nwidgets/{name} is added; the workspace builds when this is mended")
    say(f"\nnext: {awning_command()} dev, or {awning_command()} test widgets/{name}")


@add.command()
@click.argument("forge", type=click.Choice(list(CI_FILES)))
@json_option
def ci(forge: str, *, as_json: bool) -> None:
    """Add the files for the CI of FORGE: it checks, builds and tests the widgets, compares their sizes, and keeps a
    gallery of their states.

    \b
    awning add ci github    a workflow for GitHub Actions
    awning add ci gitlab    a pipeline for GitLab
    """
    root = find_workspace(Path.cwd())
    files = [file.as_posix() for file in add_ci(root, forge)]
    print_result(as_json, files, indent=2, files=files)
    say_what_ci_needs(root, forge)


def say_what_ci_needs(root: Path, forge: str) -> None:
    """Print what the user still has to do before CI works."""
    root = root.resolve()
    say("\nrequirements.txt: put the address of your awning wheel there; CI installs it")
    repository = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    if repository != root:
        file = next(path for path in CI_FILES[forge].values() if path.endswith(".yml"))
        say(
            f"{file}: {forge} reads it in the root of the repository only; move it to {repository}, and let its"
            f" commands run in {root.relative_to(repository)}"
        )


def _write_types(root: Path) -> Sequence[Diagnostic]:
    """Write the files for editors. Returns the errors in files of other widgets that prevent this."""
    try:
        write_types(root)
    except Faulty as error:
        return error.diagnostics
    return ()


def _bring_in(
    root: Path, name: str, places: Mapping[str, Path | None], slot: str | None, *, splits: bool
) -> tuple[Sequence[Path], Sequence[str]]:
    """Write the widget. Returns its files, and the remarks for its author.

    `places` has the file of the snippet for each place.
    """
    from awning.workspace.handwritten.widget import bring_in, read_snippet  # noqa: PLC0415 - no other verb needs it

    require_free_name(root, name)
    dialect = read_settings(root)[1].dialect
    snippets = [read_snippet(file, place, dialect) for place, file in places.items() if file is not None]
    brought = bring_in(snippets, title=title_from_name(name), slot=slot)
    if splits:
        from awning.cli.split import split_widget  # noqa: PLC0415 - as above

        brought = split_widget(root, name, brought, snippets)
    files = write_files(root, {f"widgets/{name}/{path}": text for path, text in brought.files.items()})
    return files, brought.remarks
