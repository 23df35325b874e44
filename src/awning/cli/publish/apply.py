"""`awning publish apply`: writes a build, or a saved plan, to every instance."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awning.cli.publish.options import RunOptions, run_options
from awning.cli.publish.output import cell_line, print_document
from awning.cli.publish.plan import PlanOptions, check_plan, show_plan
from awning.cli.publish.progress import KINDS, progress_of
from awning.cli.report import say
from awning.cli.service_options import open_state
from awning.errors import ConfigurationError
from awning.publish import Inventory, Journal, StateStore, Summary
from awning.publish.cell_outcome import RIGHT
from awning.publish.plan.saved_plan import read_plan
from awning.publish.run_results import ResultLine, run_results

if TYPE_CHECKING:
    from awning.publish.run import PublishRequest

LISTED = 60
"""The largest number of cells that are all listed. When a run has more, only failed cells are listed."""


PROGRESS = click.option(
    "--progress",
    type=click.Choice(KINDS),
    default="auto",
    show_default=True,
    help="Progress on standard error.",
)


@click.command()
@click.argument("plan", type=click.Path(dir_okay=False, path_type=Path), required=False)
@run_options
@click.option(
    "--refresh",
    is_flag=True,
    help="With --dry-run: read the service, as `plan --refresh` does. An apply always reads it.",
)
@click.option("--dry-run", is_flag=True, help="Show the plan, and write nothing.")
@click.option(
    "--overwrite-foreign",
    is_flag=True,
    help="Also write where somebody else's snippet is. The journal holds what was there.",
)
@PROGRESS
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def apply(
    *,
    plan: Path | None,
    refresh: bool,
    dry_run: bool,
    overwrite_foreign: bool,
    progress: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Publish the current build, a release, or a saved PLAN: read, write what differs, read back, note every step.

    A build that is not released becomes a release. A cell that holds somebody else's snippet is refused.
    """
    run = RunOptions(**options)
    state = open_state(os.environ)
    if plan is not None:
        if run.only or run.labels or dry_run:
            raise ConfigurationError(
                "a saved plan has its own instances, and is not planned again",
                hint="leave out --only, --label and --dry-run",
            )
        run = replace(run, release=run.release or read_plan(plan).header.release)
    files = run.files(state)
    if dry_run:
        wanted = PlanOptions(refresh=refresh, overwrite_foreign=overwrite_foreign, as_json=as_json)
        return show_plan(run, files, state, wanted)
    request = run.request(files, overwrite_foreign=overwrite_foreign)
    if plan is not None:
        request = replace(request, plan=check_plan(plan, run, files, state))
    return run_request(request, run, state, progress, as_json=as_json)


def run_request(
    request: "PublishRequest", run: RunOptions, state: StateStore, progress: str, *, as_json: bool
) -> int:
    """Run a request with its progress, and print its results. Returns the exit code."""
    from awning.publish.run import publish  # noqa: PLC0415 - imports aiohttp, a fifth of a second

    with closing(Inventory.open(state)) as inventory:
        pages = run.pages(inventory)
        count = inventory.count()
        if not count:
            say("the inventory is empty: add an instance with `awning instances add`")
        run_progress = progress_of(
            progress, sys.stderr, instances=None if request.plan or run.only or run.labels else count
        )
        request = replace(
            request,
            instances=(instance for page in pages for instance in page),
            progress=run_progress.cell,
            instance_ended=run_progress.instance,
        )
        summary = publish(request, state)
        run_progress.end()
        with closing(Journal.open(state)) as journal:
            _print_summary(summary, run_results(summary.run, journal, inventory), as_json=as_json)
    return int(summary.exit_code)


def _print_summary(summary: Summary, results: Iterator[ResultLine], *, as_json: bool) -> None:
    if as_json:
        print_document(summary.as_json(), "cells", (result.as_json() for result in results))
        return
    many = sum(summary.totals.values()) > LISTED
    right = {outcome.value for outcome in RIGHT}
    for result in results:
        if not many or result.outcome not in right:
            click.echo(cell_line(result.outcome, result.instance, result.language, result.reason))
    click.echo(
        ", ".join(f"{count} {outcome}" for outcome, count in summary.totals.items() if count) or "no cells"
    )
    if summary.hint:
        say(summary.hint)
