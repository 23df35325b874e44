"""`awning reseller log`: what was changed from here, when and by whom."""

import os

import click

from awning.cli.report import json_option, say
from awning.cli.reseller.changing import open_log, value_text
from awning.cli.reseller.table import json_row, print_rows
from awning.client.reseller.client import find_time_zone
from awning.client.reseller.selection import compile_condition
from awning.publish.cell_outcome import CellOutcome
from awning.reseller.log import LOG_FIELDS, MIXED

SHOWN = ("at", "operator", "operation", "website", "old", "new", "outcome")
FIELDS = "\n".join(f"  {name:<12}{about}" for name, about in LOG_FIELDS.items())


@click.command(epilog=f"\b\nFields, for --where:\n{FIELDS}")
@click.option("--where", help="Show only rows that meet this condition, such as 'outcome == \"unknown\"'.")
@json_option
def log(where: str | None, as_json: bool) -> None:
    """Show the changes that were made from here, oldest first. Asks the service nothing.

    A change is logged before its call and after it. One that was cut off between is `unknown`: look whether it was
    made. The log is in the workspace's state store, and without a workspace in awning's folder among your settings.

    \b
    awning reseller log --where 'website == 12'
    awning reseller log --where 'at >= "2026-03-01" and outcome != "applied"' --json
    """
    zone = find_time_zone(os.environ)
    choices = {"outcome": tuple(CellOutcome)}
    holds = None if where is None else compile_condition(where, LOG_FIELDS, zone, choices, MIXED)
    rows = [row for row in open_log().rows(zone) if holds is None or holds(row)]
    cells = [{**row, "old": value_text(row["old"]), "new": value_text(row["new"])} for row in rows]
    print_rows(as_json, SHOWN, cells, "no changes", changes=list(map(json_row, rows)))
    unknown = sum(row["outcome"] == CellOutcome.UNKNOWN for row in rows)
    if unknown and not as_json:
        say(f"{unknown:,} unknown: each may have been made; look at the website before you repeat it")
