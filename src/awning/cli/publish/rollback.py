"""`awning publish rollback` takes cells back to a release or an earlier state. `pin` and `unpin` hold instances."""

import os
from dataclasses import replace
from typing import Any

import click

from awning.cli.publish.apply import PROGRESS, run_request
from awning.cli.publish.options import NumberByOption, RunOptions, instance_options, service_run_options
from awning.cli.publish.output import Spool
from awning.cli.publish.plan import PlanOptions, PrintedPlan
from awning.cli.report import json_option, say
from awning.cli.service_options import open_stores
from awning.errors import ConfigurationError
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import RunKind
from awning.publish.journal.writes import has_begin, has_writes
from awning.publish.plan.planned_cell import Action
from awning.publish.reading import plan_rollback
from awning.publish.release.build_files import BuildFiles
from awning.publish.requests import PublishRequest, Rollback
from awning.publish.rollback import why_nothing_is_back
from awning.publish.stores import Stores

PREVIOUS = (
    "--previous takes each cell back to before its own last write, in whichever run. "
    "To undo the last run alone: --run N (`awning publish log` has the number)"
)


@click.command(cls=NumberByOption)
@instance_options
@service_run_options
@click.option("--to", type=click.IntRange(1), metavar="N", help="Back to this release.")
@click.option(
    "--previous", is_flag=True, help="Back to what each cell held before its last write, in whichever run."
)
@click.option(
    "--run",
    type=click.IntRange(1),
    metavar="N",
    help="Back to what each cell held before this run: undoes the run and all after it.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be written back, and write nothing.")
@click.option("--verbose", is_flag=True, help="With --dry-run: show every cell.")
@click.option("--overwrite-foreign", is_flag=True, help="Also write where somebody else's snippet is.")
@click.option(
    "--accept-newer-data", is_flag=True, help="Also where the stored app data does not fit the older code."
)
@PROGRESS
@json_option
def rollback(
    *,
    to: int | None,
    previous: bool,
    run: int | None,
    dry_run: bool,
    verbose: bool,
    overwrite_foreign: bool,
    accept_newer_data: bool,
    progress: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Take cells back to a release (--to), or to what they held before their last write (--previous) or a run (--run).

    --previous takes every cell back by one write, also cells that the last run did not touch. To undo the last run
    alone: --run, with its number in `awning publish log`.

    A cell that held nothing before is refused, and so is one whose stored app data do not fit the older code.
    """
    if (to is not None) + previous + (run is not None) != 1:
        raise ConfigurationError("a rollback needs exactly one of --to N, --previous and --run N")
    run_options = RunOptions(**options, release=to)
    stores = open_stores(os.environ)
    if run is not None:
        _check_run(stores.journal, run)
    files = run_options.files(stores) if to is not None else _newest(run_options, stores)
    back = Rollback(previous=to is None, to=to, before_run=run, accept_newer_data=accept_newer_data)
    request = replace(run_options.request(files, overwrite_foreign=overwrite_foreign), rollback=back)
    if dry_run:
        wanted = PlanOptions(overwrite_foreign=overwrite_foreign, verbose=verbose, as_json=as_json)
        return _show_plan(request, back, run_options, stores, wanted)
    return run_request(request, run_options, stores, progress, as_json=as_json)


def _show_plan(
    request: PublishRequest, back: Rollback, run: RunOptions, stores: Stores, wanted: PlanOptions
) -> int:
    """Print what a rollback would do. Raises KeyboardInterrupt when it is interrupted."""
    with Spool() as spool:
        printed = PrintedPlan(wanted, spool, None, run.unwritten_head(request.files, stores))
        request = replace(request, instances=run.each_instance(stores.inventory))
        plan_rollback(request, back, stores, printed.add)
        printed.end()
    summary = printed.summary
    if not any(n for action, n in summary.totals.items() if action != Action.SKIP):
        say(why_nothing_is_back(stores.journal, back.before_run))
    if back.previous and back.before_run is None:
        say(PREVIOUS)
    return int(summary.exit_code(detailed=False))


def _check_run(journal: Journal, run: int) -> None:
    """Say when the run is itself a rollback, because taking it back publishes again what it took back.

    Raises ConfigurationError when the run cannot be taken back: the journal does not have it, or it wrote no snippet.
    Without this, the number of a run that wrote nothing would take back what later runs wrote, also a rollback.
    """
    if not has_begin(journal, run):
        raise ConfigurationError(
            f"there is no run {run} in the journal", hint="awning publish log lists them"
        )
    if not has_writes(journal, run):
        totals = ", ".join(f"{count:,} {outcome}" for outcome, count in journal.totals(run).items())
        raise ConfigurationError(
            f"run {run} wrote no snippet ({totals or 'no cells'}): there is nothing to take back",
            hint="awning publish log lists the runs; --run N undoes run N and all after it. What `disable` turned "
            "off, `awning publish enable` turns on",
        )
    task = journal.runs(run)[0]["task"]
    if task is not None and task.kind is RunKind.ROLLBACK:
        say(f"run {run} is a rollback: taking it back publishes again what it took back")


def _newest(run: RunOptions, stores: Stores) -> BuildFiles:
    """Return the files of the newest release or, if there is no release, of the current build."""
    listed = stores.releases.all()
    return stores.releases.files(listed[-1].number) if listed else run.files(stores)


@click.command()
@click.argument("release", type=click.IntRange(1))
@instance_options
def pin(release: int, only: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Hold instances at RELEASE: `plan` and `apply` use it for them until `unpin`. Nothing is written now."""
    stores = open_stores(os.environ)
    stores.releases.get(release)
    _pin(stores, release, only, labels)


@click.command()
@instance_options
def unpin(only: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Stop holding instances at a release: they get the current build again."""
    _pin(open_stores(os.environ), None, only, labels)


def _pin(stores: Stores, release: int | None, only: tuple[str, ...], labels: tuple[str, ...]) -> None:
    if not only and not labels:
        raise ConfigurationError("no instance is named", hint="--only NAME or --label LABEL")
    for instance in stores.inventory.chosen(only):
        if set(labels) <= set(instance.labels):
            stores.inventory.pin(instance, release)
            where = "free" if release is None else f"held at release {release}"
            click.echo(f"{instance.display_name}: {where}")
