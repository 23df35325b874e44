"""`awning publish apply` publishes a build, a release or a saved plan. `resume` continues a paused run."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from awning.cli.publish.options import RunOptions, run_options, service_run_options
from awning.cli.publish.output import (
    AlikeCells,
    cell_line,
    head_fields,
    print_document,
    print_releases,
    say_head,
    say_not_built,
)
from awning.cli.publish.plan import PlanOptions, check_plan, show_plan
from awning.cli.publish.progress import KINDS, progress_of
from awning.cli.publish.waves import gate_options, rollout_of, wave_options, with_gate
from awning.cli.report import json_option, plural, say
from awning.cli.service_options import open_stores
from awning.errors import ConfigurationError
from awning.publish.cell_outcome import RIGHT, CellOutcome, Summary
from awning.publish.journal.history import ResultLine, run_results
from awning.publish.plan.saved_plan import read_plan
from awning.publish.requests import FleetSettings, PublishRequest
from awning.publish.run import publish
from awning.publish.stores import Stores

LISTED = 60
"""A run of at most this many cells lists all cells. A larger run lists only cells whose outcome is not in `RIGHT`."""


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
@wave_options
@click.option(
    "--fleet",
    is_flag=True,
    help="Let the workers publish (`awning publish work`). Needs AWNING_DATABASE_URL.",
)
@click.option(
    "--lease",
    type=click.FloatRange(1, 600),
    default=20.0,
    show_default=True,
    help="With --fleet: seconds after which the instances of a silent worker go to another.",
)
@PROGRESS
@json_option
def apply(
    *,
    plan: Path | None,
    refresh: bool,
    dry_run: bool,
    overwrite_foreign: bool,
    progress: str,
    as_json: bool,
    waves: str | None,
    fleet: bool,
    lease: float,
    gate: dict[str, Any],
    **options: Any,
) -> int:
    """Publish the current build, a release, or a saved PLAN. Each cell is read, written if it differs, and read back.

    A build that is not yet a release becomes one. A cell that holds somebody else's snippet is refused. With --waves, a
    run that a gate stopped ends with exit code 5, and the next apply of the same build continues it.
    """
    run = RunOptions(**options)
    stores = open_stores(os.environ)
    rollout = rollout_of(waves, gate, stores, is_whole=run.is_whole)
    if plan is not None:
        if run.only or run.labels or dry_run:
            raise ConfigurationError(
                "a saved plan has its own instances, and is not planned again",
                hint="leave out --only, --label and --dry-run",
            )
        run = replace(run, release=run.release or read_plan(plan).header.release)
    files = run.files(stores)
    if dry_run:
        wanted = PlanOptions(refresh=refresh, overwrite_foreign=overwrite_foreign, as_json=as_json)
        return show_plan(run, files, stores, wanted)
    request = replace(run.request(files, overwrite_foreign=overwrite_foreign), rollout=rollout)
    if fleet:
        if plan is not None:
            raise ConfigurationError("a saved plan is published by one process", hint="leave out --fleet")
        settings = replace(run.fleet_settings(), overwrite_foreign=overwrite_foreign, lease_s=lease)
        request = replace(request, fleet=settings)
    if plan is not None:
        request = replace(request, plan=check_plan(plan, run, files, stores.state))
    return run_request(request, run, stores, progress, as_json=as_json)


@click.command()
@click.argument("run", type=click.IntRange(1))
@service_run_options
@gate_options
@PROGRESS
@json_option
def resume(run: int, *, progress: str, as_json: bool, gate: dict[str, Any], **options: Any) -> int:
    """Continue the paused run RUN with its own release, waves and gates, even if there is a newer build.

    A gate option replaces that part of the run's gate from now on; the others stay.
    """
    stores = open_stores(os.environ)
    record, unfinished, text = stores.runs.get(run), stores.runs.unfinished(), stores.runs.settings(run)
    if unfinished is None or unfinished.run != run:
        raise ConfigurationError(f"run {run} cannot be continued: it is {record.state.value}")
    if not record.rollout.waves and gate:
        raise ConfigurationError(f"run {run} has no waves, so no gate stands between them")
    rollout = with_gate(record.rollout, gate)
    continued = RunOptions(**options, release=record.release)
    if (continued.address or "").rstrip("/") != record.base_url.rstrip("/"):
        raise ConfigurationError(f"run {run} is of another service: {record.base_url}")
    request = replace(
        continued.request(continued.files(stores)),
        rollout=rollout,
        fleet=None if text is None else FleetSettings.from_text(text),
    )
    return run_request(request, continued, stores, progress, as_json=as_json)


def run_request(
    request: PublishRequest, run: RunOptions, stores: Stores, progress: str, *, as_json: bool
) -> int:
    """Run a publish with its progress, and print its results. Returns the exit code."""
    inventory = stores.inventory
    instances = run.instances(inventory)
    count = inventory.count()
    if not count:
        say("the inventory is empty: every instance was removed (`awning instances list --removed`)")
    run_progress = progress_of(
        progress, sys.stderr, instances=None if request.plan or run.only or run.labels else count
    )
    request = replace(
        request,
        instances=instances,
        only=tuple(instance.key for instance in instances) if run.only else (),
        labels=run.labels,
        is_whole=run.is_whole and request.plan is None,
        watcher=run_progress,
    )
    summary = publish(request, stores.state)
    run_progress.end()
    results = run_results(summary.run, stores.journal, inventory)
    head = run.unwritten_head(request.files, stores)
    if as_json:
        print_document(
            {**summary.as_json(), **head_fields(head)}, "cells", (result.as_json() for result in results)
        )
    else:
        _print_summary(summary, results, is_rollback=request.rollback is not None)
        is_rollback = request.rollback is not None or summary.taken_back is not None
        say_head(head, is_rollback=is_rollback)
    return int(summary.exit_code)


def _print_summary(summary: Summary, results: Iterator[ResultLine], *, is_rollback: bool) -> None:
    _print_results(results, many=sum(summary.totals.values()) > LISTED)
    click.echo(_totals(summary))
    print_releases(summary.counts.releases)
    if summary.taken_back is not None:
        click.echo(f"taken back: {_totals(summary.taken_back)}")
        print_releases(summary.taken_back.counts.releases)
    if summary.too_many_calls:
        say(
            f'the service answered "too many calls" {summary.too_many_calls:,} times: '
            "--host-pace N sends at most N calls a second"
        )
    say_not_built(summary.not_built)
    if summary.hint:
        say(summary.hint)
    if is_rollback and summary.rolled_back is not None:
        say(summary.rolled_back.after_rollback())


def _print_results(results: Iterator[ResultLine], *, many: bool) -> None:
    """Print the cells of a run, or of `many` only those that are not right, and how many were skipped for what.

    Those that are not right for one reason come together and last.
    """
    right = {outcome.value for outcome in RIGHT}
    skips: Counter[str | None] = Counter()
    wrong: dict[tuple[str, str | None, bool], AlikeCells] = {}
    for result in results:
        if result.outcome == CellOutcome.SKIPPED and many:
            skips[result.reason] += 1
        elif result.outcome not in right:
            word = (result.outcome, result.reason, result.is_data)
            wrong.setdefault(word, AlikeCells()).add(result.instance, result.language)
        elif not many:
            click.echo(
                cell_line(
                    result.outcome, result.instance, result.language, result.reason, is_data=result.is_data
                )
            )
    for (outcome, reason, is_data), alike in wrong.items():
        for line in alike.lines(outcome, reason, is_data=is_data):
            click.echo(line)
    for reason, count in skips.most_common():
        click.echo(f"{CellOutcome.SKIPPED:<9}  {plural(count, 'cell')}  - {reason}")


def _totals(summary: Summary) -> str:
    return ", ".join(f"{n} {outcome}" for outcome, n in summary.totals.items() if n) or "no cells"
