"""`awning publish health`: how well the widgets of each release work on pages, from the reports that pages send."""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from awning.cli.report import json_option, plural, print_result, say
from awning.cli.service_options import open_stores
from awning.publish.health.reports import (
    SLOWER_MS,
    Failure,
    HealthShare,
    quantile_ms,
)

MOST = 0.9
"""The quantile of the rendering times that is shown: nine in ten page views were at least as fast."""


@click.command()
@click.option(
    "--days", type=click.IntRange(1, 3650), default=7, show_default=True, help="The days that are counted."
)
@click.option("--release", type=click.IntRange(1), help="Only this release.")
@json_option
def health(*, days: int, release: int | None, as_json: bool) -> None:
    """Show how well the widgets work in shops: renderings and failures of each release, and its latest failures.

    Pages report them to `awning host` when the workspace sets `beacon` and `beacon_sample_rate`. The service is not
    called.
    """
    since = datetime.now(UTC) - timedelta(days=days)
    stores = open_stores(os.environ)
    reports = stores.health
    shares, widgets, timings = reports.shares(since), reports.widget_shares(since), reports.timings(since)
    failures = [failure for failure in reports.failures(release) if failure.last_at >= since]
    rows = [
        {
            "release": number,
            **_share_json(shares[number]),
            "most_within_ms": quantile_ms(timings.get(number, {}), MOST),
            "widgets": [
                {"widget": widget, **_share_json(share)}
                for (of, widget), share in sorted(widgets.items(), key=lambda item: item[0][1])
                if of == number and widget
            ],
        }
        for number in sorted(shares, key=lambda number: -(number or 0))
        if release is None or number == release
    ]
    if release is not None and not rows:
        stores.releases.get(release)
    if as_json:
        print_result(
            as_json,
            (),
            since=since.isoformat(timespec="seconds"),
            releases=rows,
            failures=[failure.as_json() for failure in failures],
        )
    else:
        _print(rows, failures)


def _share_json(share: HealthShare) -> dict[str, Any]:
    """Return the counts and, as `rate`, the share of failures. The share is None without reports of renderings."""
    return {
        "rendered": share.rendered,
        "failed": share.failed,
        "views": round(share.views),
        "rate": round(share.rate, 6) if share.rendered else None,
    }


def _print(rows: Sequence[Mapping[str, Any]], failures: Sequence[Failure]) -> None:
    if not rows:
        say("no page has reported anything: pages report to the address `beacon` of [tool.awning]")
        return
    for row in rows:
        name = f"release {row['release']}" if row["release"] else "no release"
        click.echo(f"{name:<12}  {_words(row)}{_time(row['most_within_ms'])}")
        for widget in row["widgets"]:
            click.echo(f"  {widget['widget']:<24}  {_words(widget)}")
    for failure in failures:
        where = failure.place or "(place unknown)"
        last = failure.last_at.isoformat(sep=" ", timespec="minutes")
        event = f" at {failure.event}" if failure.event else ""
        click.echo(f"\n{where}  release {failure.release}, {failure.widget}{event}")
        click.echo(f"  {failure.message}")
        click.echo(f"  {plural(failure.reports, 'report')}, last {last}")
    if any(row["rate"] is None for row in rows):
        say("note: no share where no rendering was reported (beacon_sample_rate)")


def _words(row: Mapping[str, Any]) -> str:
    rate = (
        ""
        if row["rate"] is None
        else f" ({row['rate']:.2%} of some {row['views'] + row['failed']:,} page views)"
    )
    return f"{row['failed']:,} failed{rate}, {row['rendered']:,} sampled as rendered"


def _time(within_ms: int | None) -> str:
    if within_ms is None:
        return ""
    slower = within_ms == SLOWER_MS
    return ", one in ten over 5 s" if slower else f", nine in ten within {within_ms} ms"
