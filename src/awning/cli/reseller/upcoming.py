"""`awning reseller upcoming`: limits that websites reach soon, and extra credits that expire soon."""

import os
from datetime import datetime, timedelta

import click

from awning.cli.report import json_option
from awning.cli.reseller.connection import Connection, connected
from awning.cli.reseller.table import check_one_form, csv_option, json_row, json_value, print_rows
from awning.client.reseller import actions
from awning.client.reseller.client import find_time_zone
from awning.client.reseller.selection import WebsiteSelection
from awning.client.reseller.usage import upcoming as upcoming_events
from awning.contract import Exit

COLUMNS = ("at", "kind", "website", "brandname", "plan", "credits")


@click.command()
@connected
@click.option("--where", help="Only websites that meet this condition, as in `websites list`.")
@click.option(
    "--days",
    type=click.IntRange(0, 3650),
    default=30,
    show_default=True,
    help="Look this number of days ahead.",
)
@click.option("--fail", is_flag=True, help="Exit with 1 when something is to come.")
@csv_option
@json_option
def upcoming(
    connection: Connection, *, where: str | None, days: int, fail: bool, csv_: bool, as_json: bool
) -> int:
    """List limits that websites reach soon, and extra AI credits that expire soon, the first first.

    A limit is estimated: the website goes on as it did this month. `credits` are those left until the limit, or those
    that expire.

    \b
    awning reseller upcoming --days 7 --where premium --fail
    """
    check_one_form(csv_, as_json)
    zone = find_time_zone(os.environ)
    selection = WebsiteSelection(where, None, zone)
    websites = selection.select(connection.run(actions.websites(zone)))
    now = datetime.now(zone).replace(microsecond=0)
    rows = [event.fields() for event in upcoming_events(websites, now, timedelta(days=days))]
    document = {"at": json_value(now), "days": days, "upcoming": list(map(json_row, rows))}
    print_rows(as_json, COLUMNS, rows, f"nothing in {days} days", csv_=csv_, **document)
    return Exit.FINDINGS if rows and fail else Exit.DONE
