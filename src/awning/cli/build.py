"""`awning build`: widgets to dist/, and a table of what weighs how much."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from awning.cli.report import counted, failure_document, report, say
from awning.cli.sizes import size_table
from awning.contract import Exit
from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty
from awning.pipeline.incremental import BuildResult
from awning.pipeline.incremental import build as build_root
from awning.workspace.root import find_workspace


@click.command()
@click.argument("widgets", nargs=-1)
@click.option("--watch", is_flag=True, help="Build again whenever a file changes.")
@click.option("--out", type=click.Path(path_type=Path), help="Write there instead of dist/. Replaced whole.")
@click.option(
    "--allow-errors", is_flag=True, help="Write what has errors too, marked: publishing refuses it."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document (with --watch, one per line).")
@click.option(
    "--profile", envvar="AWNING_PROFILE", help="Whose names the snippets use, of pyproject.toml's profiles."
)
def build(
    widgets: tuple[str, ...],
    *,
    watch: bool,
    out: Path | None,
    allow_errors: bool,
    as_json: bool,
    profile: str | None,
) -> int:
    """Build the workspace's widgets to dist/.

    With names, only those widgets: dist/ then holds them alone and no snippet of the whole app. What `awning check`
    calls an error is one here: dist/ is then left as it was.

    Exit codes: 0 built, 1 errors, 2 usage or configuration.
    """
    root = find_workspace(Path.cwd())
    environ = {**os.environ, **({"AWNING_PROFILE": profile} if profile else {})}
    if watch:
        return _watched(root, out, widgets, environ, allow_errors=allow_errors, as_json=as_json)
    try:
        built = build_root(root, out=out, only=widgets, environ=environ, allow_errors=allow_errors)
    except Faulty:
        if allow_errors:
            say(
                "nothing is written: what follows leaves nothing to build, so --allow-errors does not cover it"
            )
        raise
    for line in _document(built, 2) if as_json else _text(built):
        click.echo(line)
    return Exit.DONE


def _watched(
    root: Path,
    out: Path | None,
    widgets: tuple[str, ...],
    environ: Mapping[str, str],
    *,
    allow_errors: bool,
    as_json: bool,
) -> int:
    from awning.pipeline.watch import watch_workspace

    for turn in watch_workspace(root, out=out, only=widgets, environ=environ, allow_errors=allow_errors):
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


def _document(built: BuildResult, indent: int | None) -> Iterator[str]:
    document = {
        **built.record.as_json(),
        "ok": True,
        "out": str(built.out),
        "unchanged": not built.fresh,
        "diagnostics": [found.as_json() for found in built.diagnostics],
    }
    yield json.dumps(document, ensure_ascii=False, indent=indent)


def _text(built: BuildResult) -> Iterator[str]:
    for found in built.diagnostics:
        if found.severity is not Severity.NOTE:
            say(found.render())
    notes = sum(found.severity is Severity.NOTE for found in built.diagnostics)
    if notes:
        say(f"{counted(Counter(note=notes))}: awning check shows {'it' if notes == 1 else 'them'}")
    yield from size_table(built.record, built.previous)
    record = built.record
    many = "widget" if len(record.widgets) == 1 else "widgets"
    note = "" if built.fresh else ", nothing had changed"
    yield f"{_near(built.out)}: {len(record.widgets)} {many}, build {record.fingerprint[:12]}{note}"
    if record.allowed_errors:
        say(
            f"{counted(Counter(error=record.allowed_errors))} allowed: awning publish apply refuses this build"
        )


def _near(out: Path) -> str:
    """The folder as seen from here, when it is below."""
    here = Path.cwd()
    return f"{out.relative_to(here)}/" if out != here and out.is_relative_to(here) else f"{out}"
