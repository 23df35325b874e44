"""`awning check`: what is wrong in a workspace, without building it."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from awning.cli.report import counted, say
from awning.contract import Exit
from awning.diagnostics import Diagnostic, has_errors
from awning.errors import ConfigurationError
from awning.pipeline.inspection import inspect_workspace
from awning.workspace.find import find_workspace


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to print.",
)
def check(paths: tuple[Path, ...], *, form: str) -> int:
    """Find what is wrong in the workspace around here, or in PATHS: workspaces, or folders of widgets.

    Exit code 1 when an error is left; warnings and notes alone are 0.
    """
    found: list[Diagnostic] = []
    for root, only in _asked(paths):
        found += inspect_workspace(root, only=only)
    (_print_json if form == "json" else _print_text)(found)
    return Exit.FINDINGS if has_errors(found) else Exit.DONE


def _asked(paths: tuple[Path, ...]) -> list[tuple[Path, tuple[str, ...]]]:
    """Each workspace once, with the widgets asked for; none means all."""
    asked: dict[Path, set[str]] = {}
    whole: set[Path] = set()
    for path in paths or (Path.cwd(),):
        if not path.exists():
            raise ConfigurationError(f"{path} does not exist")
        root = find_workspace(path if path.is_dir() else path.parent)
        inside = path.resolve().relative_to(root).parts
        if len(inside) > 1 and inside[0] == "widgets":
            asked.setdefault(root, set()).add(inside[1])
        else:
            whole.add(root)
    return [(root, () if root in whole else tuple(sorted(asked[root]))) for root in sorted({*asked, *whole})]


def _print_json(found: Iterable[Diagnostic]) -> None:
    document = {"schema_version": 1, "findings": [one.as_json() for one in found]}
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def _print_text(found: list[Diagnostic]) -> None:
    for one in found:
        click.echo(one.render())
    say(counted(Counter(str(one.severity) for one in found)) or "nothing found")
