"""`awning publish`: writes the snippets to every instance, and shows the outcome of each cell."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from awning.cli.report import say
from awning.cli.service_options import open_state, service_options
from awning.client import Limits
from awning.client.access import find_apps_access
from awning.contract import Exit
from awning.publish import Inventory, Pace, Summary, read_build
from awning.publish.cell_outcome import RIGHT, CellResult
from awning.publish.journal.reader import Damage, cell_statuses, open_readable, run_entries
from awning.workspace import find_workspace
from awning.workspace.reader import find_profile

LISTED = 60
"""The largest number of cells that are all listed. When a run has more, only failed cells are listed."""

TERMINAL_S, LOG_S = 2.0, 30.0
"""Seconds between two lines of progress, on a terminal and in a file."""


@click.group()
def publish() -> None:
    """Bring the snippets to every instance."""


@publish.command()
@service_options
@click.option(
    "--only", multiple=True, metavar="NAME", help="Only this instance (name or keyed hash). Repeatable."
)
@click.option(
    "--dist",
    type=click.Path(file_okay=False, path_type=Path),
    help="The build. Default: dist/ of the workspace.",
)
@click.option(
    "--pace",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    help="Requests per second and instance; 0: no limit.",
)
@click.option(
    "--host-pace",
    type=click.FloatRange(min=0),
    default=0.0,
    help="Requests per second to the whole service; 0: no limit.",
)
@click.option(
    "--in-flight", type=click.IntRange(1, 1024), default=64, show_default=True, help="Requests open at once."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=30.0,
    show_default=True,
    help="Seconds for one request.",
)
@click.option("--allow-errors", is_flag=True, help="Publish also a build that was made with --allow-errors.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def apply(  # noqa: PLR0917 - click passes options by name
    base_url: str | None,
    profile: str | None,
    only: tuple[str, ...],
    dist: Path | None,
    pace: float,
    host_pace: float,
    in_flight: int,
    timeout: float,
    allow_errors: bool,
    as_json: bool,
) -> int:
    """Publish the current build: read, write what differs, read back, note every step."""
    chosen = find_profile(profile, os.environ)
    folder = dist or find_workspace(Path.cwd()) / "dist"
    build = read_build(folder, heads=chosen.head_snippets, allow_errors=allow_errors)
    access = find_apps_access(base_url or chosen.base_url, os.environ)
    state = open_state(os.environ)
    instances = Inventory.open(state).chosen(only)
    if not instances:
        click.echo("the inventory is empty: add an instance with `awning instances add`", err=True)

    from awning.publish.run import PublishRequest, publish  # noqa: PLC0415 - imports aiohttp, a fifth of a second

    request = PublishRequest(
        build=build,
        instances=instances,
        access=access,
        environ=os.environ,
        pace=Pace(per_instance=pace or None, per_host=host_pace or None, in_flight=in_flight),
        limits=Limits(total_s=timeout, connect_s=min(10.0, timeout), connections=in_flight),
        progress=Progress(),
    )
    summary = publish(request, state)
    _print_summary(summary, as_json=as_json)
    return int(summary.exit_code)


@publish.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def status(as_json: bool) -> int:
    """The last known outcome of every cell, from the journal. Nothing is asked of the service.

    A damaged journal is shown up to the damage.
    """
    state = open_state(os.environ)
    instances = Inventory.open(state).all()
    journal, damage = open_readable(state)
    cells = cell_statuses(journal, instances)
    if as_json:
        _print("cells", cells, damage, as_json=True)
    else:
        for cell in cells:
            line = _line(cell["instance"], cell["language"], cell["outcome"], cell["reason"])
            click.echo(f"{line}  {cell['at']}")
        if not cells:
            say("nothing was ever published from here")
    return _report_damage(damage)


@publish.command()
@click.option("--run", type=int, help="Every entry of this run.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def log(run: int | None, as_json: bool) -> int:
    """The journal: its runs, newest first; or one run, entry by entry.

    A damaged journal is shown up to the damage.
    """
    state = open_state(os.environ)
    journal, damage = open_readable(state)
    if run is not None:
        entries = run_entries(journal, run, Inventory.open(state).all())
        _print("entries", entries, damage, as_json=as_json)
    else:
        _print("runs", [dict(r) for r in journal.runs()], damage, as_json=as_json)
    return _report_damage(damage)


def _report_damage(damage: Damage | None) -> int:
    """Report the damage of the journal, if there is any. Returns the exit code."""
    if damage is None:
        return Exit.DONE
    say(f"error: {damage.message}")
    say("  hint: put back a copy of it, or move it away to start afresh")
    return Exit.FINDINGS


def _print_summary(summary: Summary, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(summary.as_json(), ensure_ascii=False))
        return
    many = len(summary.results) > LISTED
    for result in summary.results:
        if not many or result.ending.outcome not in RIGHT:
            ending = result.ending
            click.echo(_line(result.instance, result.language, ending.outcome.value, ending.reason))
    click.echo(
        ", ".join(f"{count} {outcome}" for outcome, count in summary.totals.items() if count) or "no cells"
    )
    if summary.hint:
        say(summary.hint)


def _line(instance: str, language: str | None, outcome: str, reason: str | None) -> str:
    where = f"{instance} {language or '(website)'}"
    return f"{outcome:<9}  {where}" + (f"  - {reason}" if reason else "")


def _print(name: str, rows: list[dict[str, Any]], damage: Damage | None, *, as_json: bool) -> None:
    if as_json:
        damaged = damage.as_json() if damage else None
        click.echo(json.dumps({"schema_version": 1, name: rows, "damaged": damaged}, ensure_ascii=False))
        return
    for row in rows:
        texts = (
            " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
            for value in row.values()
            if value not in (None, {})
        )
        click.echo("  ".join(texts))


class Progress:
    """Prints how many cells have ended, on stderr, at most once in `every_s` seconds.

    Called with each cell's result.
    """

    def __init__(self, *, every_s: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._every_s = every_s or (TERMINAL_S if sys.stderr.isatty() else LOG_S)
        self._clock = clock
        self._printed_at = clock()
        self._ended = self._wrong = 0

    def __call__(self, result: CellResult) -> None:
        self._ended += 1
        self._wrong += result.ending.outcome not in RIGHT
        now = self._clock()
        if now - self._printed_at >= self._every_s:
            self._printed_at = now
            say(f"{self._ended} cells so far" + (f", {self._wrong} not right" if self._wrong else ""))
