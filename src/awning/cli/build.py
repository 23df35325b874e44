"""`awning build`: widgets to dist/, and a table of what weighs how much."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from awning.cli.report import failure_document, report, say
from awning.cli.sizes import size_table
from awning.contract import Exit
from awning.diagnostics import has_errors
from awning.errors import ConfigurationError
from awning.pipeline.rebuild import Built
from awning.pipeline.rebuild import build as build_root
from awning.workspace.find import find_workspace


@click.command()
@click.argument("widgets", nargs=-1)
@click.option("--watch", is_flag=True, help="Build again whenever a file changes.")
@click.option("--out", type=click.Path(path_type=Path), help="Write there instead of dist/. Replaced whole.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document (with --watch, one per line).")
@click.option(
    "--profile", envvar="AWNING_PROFILE", help="Whose names the snippets use, of pyproject.toml's profiles."
)
def build(
    widgets: tuple[str, ...], *, watch: bool, out: Path | None, as_json: bool, profile: str | None
) -> int:
    """Build the workspace's widgets to dist/.

    With names, only those widgets: dist/ then holds them alone and no snippet of the whole app.
    """
    root = find_workspace(Path.cwd())
    environ = {**os.environ, **({"AWNING_PROFILE": profile} if profile else {})}
    if watch:
        return _watched(root, out, widgets, environ, as_json=as_json)
    built = build_root(root, out=out, only=widgets, environ=environ)
    for line in _document(built, 2) if as_json else _text(built):
        click.echo(line)
    return Exit.FINDINGS if has_errors(built.diagnostics) else Exit.DONE


def _watched(
    root: Path, out: Path | None, widgets: tuple[str, ...], environ: Mapping[str, str], *, as_json: bool
) -> int:
    from awning.pipeline.watch import watch_workspace

    for turn in watch_workspace(root, out=out, only=widgets, environ=environ):
        if isinstance(turn.error, ConfigurationError) and not turn.changed:
            raise turn.error
        if turn.built:
            lines = _document(turn.built, None) if as_json else _text(turn.built)
            click.echo("\n".join(lines))
        elif turn.error and as_json:
            click.echo(json.dumps(failure_document(turn.error), ensure_ascii=False))
        elif turn.error:
            report(turn.error)
        if not as_json:
            say(f"{len(turn.changed)} changed, {turn.seconds * 1000:.0f} ms; watching, Ctrl+C ends")
    return Exit.DONE


def _document(built: Built, indent: int | None) -> Iterator[str]:
    document = {
        **built.record.as_json(),
        "ok": not has_errors(built.diagnostics),
        "out": str(built.out),
        "unchanged": not built.fresh,
        "diagnostics": [found.as_json() for found in built.diagnostics],
    }
    yield json.dumps(document, ensure_ascii=False, indent=indent)


def _text(built: Built) -> Iterator[str]:
    for found in built.diagnostics:
        say(found.render())
    yield from size_table(built.record, built.previous)
    record = built.record
    many = "widget" if len(record.widgets) == 1 else "widgets"
    note = "" if built.fresh else ", nothing had changed"
    yield f"{_near(built.out)}: {len(record.widgets)} {many}, build {record.fingerprint[:12]}{note}"


def _near(out: Path) -> str:
    """The folder as seen from here, when it is below."""
    here = Path.cwd()
    return f"{out.relative_to(here)}/" if out != here and out.is_relative_to(here) else f"{out}"
