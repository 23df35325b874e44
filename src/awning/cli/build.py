"""`awning build`: builds the widgets to dist/, and prints a table of sizes."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awning.build_record import BuildRecord, shorten_fingerprint
from awning.cli.report import failure_document, plural, profile_option, report, say
from awning.cli.summary.sizes import compare_sizes
from awning.contract import Exit
from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty
from awning.json_document import json_document
from awning.pipeline.incremental import BuildResult
from awning.pipeline.incremental import build as build_root
from awning.workspace.root import find_workspace

if TYPE_CHECKING:
    from awning.pipeline.build_session import BuildSession

SIZE_COLUMNS = ("snippet", "raw", "gzip", "change")


@click.command()
@click.argument("widgets", nargs=-1)
@click.option("--watch", is_flag=True, help="Build again whenever a file changes.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write instead of dist/. Its contents are replaced.",
)
@click.option(
    "--allow-errors",
    is_flag=True,
    help="Write the build in spite of errors. Publishing refuses such a build.",
)
@click.option("--no-types", is_flag=True, help="Do not look for type errors.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document (with --watch, one per line).")
@profile_option("whose names the snippets use")
def build(
    widgets: tuple[str, ...],
    *,
    watch: bool,
    out: Path | None,
    allow_errors: bool,
    no_types: bool,
    as_json: bool,
    profile: str | None,
) -> int:
    """Build the workspace's widgets to dist/.

    With names, only those widgets are built: dist/ then holds no snippet of the whole app. An error of `awning check`
    is an error here, too, and leaves dist/ unchanged.

    \b
    awning build                              the app, and each widget alone
    awning build delivery-estimate            one widget
    awning build --watch                      again after each save

    Exit codes: 0 built, 1 errors, 2 usage or configuration.
    """
    root = find_workspace(Path.cwd())
    environ = {**os.environ, **({"AWNING_PROFILE": profile} if profile else {})}
    build_now = partial(
        build_root,
        root,
        out=out,
        only=widgets,
        environ=environ,
        allow_errors=allow_errors,
        types=not no_types,
    )
    if watch:
        return _watch(root, lambda session: build_now(session=session), as_json=as_json)
    try:
        built = build_now()
    except Faulty:
        if allow_errors:
            say(
                "nothing is written: --allow-errors does not cover the following errors, which leave nothing to build"
            )
        raise
    for line in _document(built, 2) if as_json else _text(built):
        click.echo(line)
    return Exit.DONE


def _watch(root: Path, build_in: "Callable[[BuildSession], BuildResult]", *, as_json: bool) -> int:
    from awning.pipeline.watch import watch_workspace

    for turn in watch_workspace(root, build_in):
        if isinstance(turn.error, ConfigurationError) and not turn.changed:
            raise turn.error
        if turn.built:
            lines = _document(turn.built, None) if as_json else _text(turn.built)
            click.echo("\n".join(lines))
        elif turn.error and as_json:
            click.echo(json_document(failure_document(turn.error)))
        elif turn.error:
            report(turn.error)
        if not as_json:
            say(f"{len(turn.changed)} changed, {turn.seconds * 1000:.0f} ms; watching, Ctrl+C stops")
    return Exit.DONE


def _document(built: BuildResult, indent: int | None) -> Iterator[str]:
    document = {
        **built.record.as_json(),
        "ok": True,
        "out": str(built.out),
        "unchanged": not built.fresh,
        "diagnostics": [diagnostic.as_json() for diagnostic in built.diagnostics],
    }
    yield json_document(document, indent=indent)


def _text(built: BuildResult) -> Iterator[str]:
    for diagnostic in built.diagnostics:
        if diagnostic.severity is not Severity.NOTE:
            say(diagnostic.render())
    notes = sum(diagnostic.severity is Severity.NOTE for diagnostic in built.diagnostics)
    if notes:
        say(f"{plural(notes, 'note')}: awning check shows {'it' if notes == 1 else 'them'}")
    yield from _size_table(built.record, built.previous)
    record = built.record
    note = "" if built.fresh else ", nothing had changed"
    widgets, build = plural(len(record.widgets), "widget"), shorten_fingerprint(record.fingerprint)
    yield f"{_relative(built.out)}: {widgets}, build {build}{note}"
    if record.allowed_errors:
        say(f"{plural(record.allowed_errors, 'error')} allowed: awning publish apply refuses this build")


def _relative(out: Path) -> str:
    """Return `out` relative to the current folder, if `out` is below it; else the whole path."""
    here = Path.cwd()
    return f"{out.relative_to(here)}/" if out != here and out.is_relative_to(here) else f"{out}"


def _size_table(record: BuildRecord, previous: BuildRecord | None) -> Iterator[str]:
    """Yield the rows of a table: the sizes of the app's snippets and of each widget's default snippet.

    Empty snippets are left out.
    """
    rows = [
        (size.path, str(size.bytes), str(size.gzip), size.text())
        for size in compare_sizes(record, previous)
        if size.gzip and (size.unit == "app" or size.language is None)
    ]
    widths = [max(len(row[column]) for row in (SIZE_COLUMNS, *rows)) for column in range(len(SIZE_COLUMNS))]
    for row in (SIZE_COLUMNS, *rows):
        name, *numbers = (
            cell.ljust(width) if not i else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((name, *numbers)).rstrip()
