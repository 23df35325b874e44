"""`awning reseller report`: the usage as text, CSV, JSON, or an HTML page with plots.

`awning reseller upcoming` lists limits that websites reach soon, and extra credits that expire soon.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

import click

from awning.cli.report import json_option, say
from awning.cli.reseller.connection import Connection, connected
from awning.cli.reseller.table import (
    as_csv,
    check_one_form,
    csv_option,
    json_row,
    json_value,
    pairs,
    print_rows,
    table,
    terminal_room,
)
from awning.client.reseller import actions
from awning.client.reseller.client import find_time_zone
from awning.client.reseller.selection import WebsiteSelection
from awning.client.reseller.usage import (
    COLUMNS,
    Thresholds,
    UsageReport,
    other_month_warning,
    report_instant,
    usage_report,
)
from awning.client.reseller.usage import upcoming as upcoming_events
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.json_document import json_document

FORMATS = ("text", "csv", "html", "json")
LISTED = ("id", "brandname", "plan", "ai_limit", "ai_spent", "share", "expected")
EXTRA = ("id", "brandname", "plan", "ai_extra", "ai_extra_until")
MOST_LINES = 20


@click.command()
@connected
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file."
)
@click.option(
    "--near",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="The used share of a limit from which a website counts as near the limit.",
)
@click.option(
    "--soon",
    type=click.IntRange(0, 3650),
    default=30,
    show_default=True,
    help="List extra credits that expire within this number of days.",
)
@click.option("--at", help="The instant to report for, as 2026-03-10T12:00, in this month; now by default.")
def report(
    connection: Connection,
    *,
    form: str,
    as_json: bool,
    output: Path | None,
    near: float,
    soon: int,
    at: str | None,
) -> None:
    """Report usage, cost, limits and expiry.

    Shows usage, the projected cost of the month, websites near their limit, and extra credits that expire soon.

    \b
    awning reseller report --format html -o report.html
    awning reseller report --format csv -o usage.csv
    """
    if as_json and form not in {"text", "json"}:
        raise ConfigurationError(f"--json and --format {form} exclude each other")
    zone = find_time_zone(os.environ)
    at_instant = report_instant(at, zone)
    with connection.open() as client:
        websites, balance = client.run(actions.websites(zone)), client.run(actions.balance())
    figures = usage_report(websites, balance, at_instant, Thresholds(near=near, soon=timedelta(days=soon)))
    form = "json" if as_json else form
    warning = other_month_warning(at_instant, datetime.now(zone))
    if warning:
        say(f"warning: {warning}")
    if form == "json" and output is None:
        click.echo(json_document(document(figures)))
        return
    text = format_report(figures, form)
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        output.write_text(text, encoding="utf-8")


def format_report(report: UsageReport, form: str) -> str:
    """Return the text of the report in one of FORMATS."""
    match form:
        case "csv":
            return as_csv(COLUMNS, (usage.fields() for usage in report.usage))
        case "html":
            from awning.cli.reseller.page import report_page  # noqa: PLC0415 - brings Jinja2

            return report_page(report)
        case "json":
            return json_document(document(report)) + "\n"
        case _:
            return as_text(report)


def document(report: UsageReport) -> dict[str, object]:
    """Return the fields of the JSON document of the report."""
    return {
        "summary": json_row(report.summary()),
        "websites": [json_row(usage.fields()) for usage in report.usage],
        "near_limit": [usage.website.id for usage in report.near_limit],
        "expiring": [usage.website.id for usage in report.expiring],
    }


def as_text(report: UsageReport) -> str:
    """Return the report as text: the summary, and the first websites near their limit and with expiring credits."""
    parts = [pairs(report.summary())]
    for title, columns, lines in (
        ("Near their limit", LISTED, report.near_limit),
        ("Extra credits soon expiring", EXTRA, report.expiring),
    ):
        if lines:
            parts.append(
                f"{title}\n"
                + table(columns, [usage.fields() for usage in lines[:MOST_LINES]], room=terminal_room())
            )
        if len(lines) > MOST_LINES:
            parts.append(f"and {len(lines) - MOST_LINES} more: --format csv lists all websites")
    return "\n\n".join(parts)


UPCOMING_COLUMNS = ("at", "kind", "website", "brandname", "plan", "credits")


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
    print_rows(as_json, UPCOMING_COLUMNS, rows, f"nothing in {days} days", csv_=csv_, **document)
    return Exit.FINDINGS if rows and fail else Exit.DONE
