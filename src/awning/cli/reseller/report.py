"""`awning reseller report`: the figures as text, CSV, JSON, or an HTML page with plots."""

from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import click

from awning.cli.report import say
from awning.cli.reseller.columns import plain
from awning.cli.reseller.connection import Connection, connected, print_json, time_zone
from awning.cli.reseller.table import as_csv, pairs, table, terminal_room
from awning.client.reseller import actions
from awning.client.reseller.usage import COLUMNS, Thresholds, UsageReport, usage_report
from awning.errors import ConfigurationError

FORMATS = ("text", "csv", "html", "json")
LISTED = ("id", "brandname", "plan", "ai_limit", "ai_spent", "share", "expected")
EXTRA = ("id", "brandname", "plan", "ai_extra", "ai_extra_until")
MOST_LINES = 20
YEARS = range(1970, 3000)
"""Of `--at`: a month before and ten years after can be calculated."""


@click.command()
@connected
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file."
)
@click.option(
    "--near",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="Share of a limit that is near it.",
)
@click.option(
    "--soon",
    type=click.IntRange(0, 3650),
    default=30,
    show_default=True,
    help="Days before credits expire.",
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
    """Usage, cost, limits and expiry.

    What was used, what the month will cost if it goes on so, websites near their limit, extra credits soon expiring.

    \b
    awning reseller report --format html -o report.html
    awning reseller report --format csv -o usage.csv
    """
    if as_json and form not in {"text", "json"}:
        raise ConfigurationError(f"--json and --format {form} exclude each other")
    zone = time_zone()
    at_instant = _instant(at, zone)
    with connection.open() as client:
        websites, balance = client.run(actions.websites(zone)), client.run(actions.balance())
    figures = usage_report(websites, balance, at_instant, Thresholds(near=near, soon=timedelta(days=soon)))
    form = "json" if as_json else form
    doubt = another_month(at_instant, datetime.now(zone))
    if doubt:
        say(f"warning: {doubt}")
    if form == "json" and output is None:
        print_json(**document(figures))
        return
    text = written(figures, form)
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        output.write_text(text, encoding="utf-8")


def another_month(at: datetime, now: datetime) -> str | None:
    """A warning about a report for another month than the present one.

    The Reseller API tells a website's credits of the service's current month and of no other (`aiSpentThisMonth`).
    """
    month = at.astimezone(now.tzinfo)
    if (month.year, month.month) == (now.year, now.month):
        return None
    return (
        f"it is {now:%Y-%m}, and the service tells the credits of its current month alone: "
        f"used, cost and expected are of {month:%Y-%m} only where its clock is there, as a simulated one may be"
    )


def written(report: UsageReport, form: str) -> str:
    """The text of the report in one of FORMATS."""
    match form:
        case "csv":
            return as_csv(COLUMNS, (usage.fields() for usage in report.usage))
        case "html":
            from awning.cli.reseller.page import report_page  # noqa: PLC0415 - brings Jinja2

            return report_page(report)
        case "json":
            import json  # noqa: PLC0415 - only for a file

            return json.dumps({"schema_version": 1, **document(report)}, ensure_ascii=False) + "\n"
        case _:
            return as_text(report)


def document(report: UsageReport) -> dict[str, object]:
    """For scripts."""
    return {
        "summary": {name: plain(value) for name, value in report.summary().items()},
        "websites": [
            {name: plain(value) for name, value in usage.fields().items()} for usage in report.usage
        ],
        "near_limit": [usage.website.id for usage in report.near_limit],
        "expiring": [usage.website.id for usage in report.expiring],
    }


def as_text(report: UsageReport) -> str:
    """For people: the summary, and the first lines of both lists."""
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
            parts.append(f"and {len(lines) - MOST_LINES} more: --format csv has them all")
    return "\n\n".join(parts)


def _instant(text: str | None, zone: tzinfo) -> datetime:
    """Now, or what `--at` says; a time without an offset is in the service's zone."""
    if text is None:
        return datetime.now(zone)
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.year not in YEARS:
        raise ConfigurationError(
            f'--at: "{text}" is not a date and time of these years', hint="such as 2026-03-10T12:00"
        )
    return instant.astimezone(zone) if instant.tzinfo else instant.replace(tzinfo=zone)
