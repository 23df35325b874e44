"""`awning publish disable` and `enable`: disable or enable a widget in shops, without a new snippet."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from awning.build_record import BuildRecord, read_build_record
from awning.cli.publish.apply import LISTED, PROGRESS
from awning.cli.publish.options import RunOptions, instance_options, service_run_options
from awning.cli.publish.output import Spool, print_document
from awning.cli.publish.progress import progress_of
from awning.cli.report import json_option, say
from awning.cli.service_options import open_stores
from awning.errors import ConfigurationError
from awning.publish import Summary
from awning.publish.cell_outcome import RIGHT, CellResult
from awning.publish.disabling import WidgetSwitch, switch_widget
from awning.publish.operator import operator_name
from awning.workspace import find_workspace

Command = Callable[..., Any]


def _switch_options(command: Command) -> Command:
    """Add the argument and the options of `disable` and `enable`."""
    as_json = json_option
    return click.argument("widget")(instance_options(service_run_options(PROGRESS(as_json(command)))))


@click.command()
@_switch_options
def disable(*, widget: str, progress: str, as_json: bool, **options: Any) -> int:
    """Disable WIDGET in the shops that have it: it shows nothing there until `enable`.

    The snippets do not change. The name of the widget is added to `_awning.disabled` in the app data of each instance,
    and the runtime in the snippet then does not start the widget. All other app data stay the same. An instance whose
    snippets have no kill switch is refused.
    """
    return _switch(widget, options, progress, as_json=as_json)


@click.command()
@_switch_options
def enable(*, widget: str, progress: str, as_json: bool, **options: Any) -> int:
    """Enable WIDGET again where `disable` has disabled it."""
    return _switch(widget, options, progress, as_json=as_json, disables=False)


def _switch(
    widget: str, options: dict[str, Any], progress: str, *, as_json: bool, disables: bool = True
) -> int:
    run = RunOptions(**options)
    stores = open_stores(os.environ)
    with Spool() as spool:
        instances = run.instances(stores.inventory)
        count = None if run.only or run.labels else stores.inventory.count()
        run_progress = progress_of(progress, sys.stderr, instances=count)

        def end(result: CellResult) -> None:
            spool.add(_row(result))
            run_progress.cell(result)
            run_progress.instance()

        switch = WidgetSwitch(
            widget=widget,
            disable=disables,
            current=_current_build(),
            operator=operator_name(os.environ),
            sink=end,
        )
        request = replace(
            run.service_request(),
            instances=instances,
            only=tuple(instance.key for instance in instances) if run.only else (),
            labels=run.labels,
        )
        summary = switch_widget(switch, request, stores.state)
        run_progress.end()
        _print(summary, spool, as_json=as_json)
    return int(summary.exit_code)


def _current_build() -> BuildRecord | None:
    """Return the record of the workspace's build; None when there is no workspace or no valid record."""
    try:
        return read_build_record(find_workspace(Path.cwd()) / "dist")
    except ConfigurationError:
        return None


def _row(result: CellResult) -> dict[str, Any]:
    ending = result.ending
    return {"instance": result.instance, "outcome": ending.outcome.value, "reason": ending.reason}


def _print(summary: Summary, spool: Spool, *, as_json: bool) -> None:
    if as_json:
        print_document(summary.as_json(), "instances", spool.rows())
        return
    many = sum(summary.totals.values()) > LISTED
    for row in spool.rows():
        if not many or row["outcome"] not in RIGHT:
            reason = f"  - {row['reason']}" if row["reason"] else ""
            click.echo(f"{row['outcome']:<9}  {row['instance']}{reason}")
    totals = ", ".join(f"{count} {outcome}" for outcome, count in summary.totals.items() if count)
    click.echo(totals or "no instances")
    if summary.hint:
        say(summary.hint)
