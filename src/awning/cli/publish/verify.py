"""`awning publish verify`: checks what was published at the service, on the public page and in a browser."""

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from awning.cli.publish.options import RunOptions, instance_options, is_current, service_run_options
from awning.cli.publish.output import (
    NO_CELLS,
    Spool,
    cell_line,
    many_line,
    natural_order,
    print_document,
    say_not_built,
    say_unread,
)
from awning.cli.report import json_option, plural, say
from awning.cli.service_options import open_stores
from awning.cli.verbs import find_part
from awning.client.secret import printable
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish.manifest_head import SHOWN
from awning.publish.release.releases import Releases
from awning.publish.verify.page_address import USUAL
from awning.publish.verify.verified_cell import RIGHT, VerifiedCell, VerifiedCounts
from awning.workspace.reader import find_profile

if TYPE_CHECKING:
    from awning.publish.verify.work import VerifyOptions


@click.command()
@instance_options
@service_run_options
@click.option("--api-only", is_flag=True, help="Read the service only, and no page.")
@click.option("--browser", is_flag=True, help="Also open the pages in Chromium: do the widgets render?")
@click.option(
    "--page-pace",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    help="Pages per second; 0: no limit.",
)
@click.option(
    "--cache",
    "cached_s",
    type=click.FloatRange(min=0),
    default=300.0,
    show_default=True,
    help="Seconds after a write in which a page may show what was there before.",
)
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0),
    default=0.0,
    help="Seconds in which pages that may be cached are looked at again.",
)
@click.option("--verbose", is_flag=True, help="Show every cell.")
@json_option
def verify(
    *,
    api_only: bool,
    browser: bool,
    page_pace: float,
    cached_s: float,
    wait_s: float,
    verbose: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Check what was published: at the service, then on the public page.

    \b
    written      the service has it; no page was read, or no page shows this cell
    propagating  the service has it; the page may be a cached copy from before the write
    live         the page shows it
    stale        the page shows an earlier snippet of ours, although no cache may keep it so long
    foreign      the service has another snippet than the one that was written, or none
    hidden       the page shows somebody else's snippet in its place, or none
    unreadable   the service or the page could not be read

    Exit code 4: stale, foreign or hidden. 5: propagating; --wait reads the pages again until they are live or the time
    is over. 1: with --browser, a page could not be opened, or a widget failed or broke a rule. Unreadable cells: 5; if
    nothing could be read, 1 for a service that cannot be reached, 6 for one that refuses the key.
    """
    from awning.publish.verify.page_fetcher import PageLimits  # noqa: PLC0415 - imports aiohttp
    from awning.publish.verify.work import VerifyOptions  # noqa: PLC0415

    if api_only and (browser or wait_s):
        raise ConfigurationError("--api-only looks at no page", hint="leave out --browser and --wait")
    run = RunOptions(**options)
    profile = find_profile(run.profile, os.environ)
    opener = find_part("page_opener", "--browser") if browser else None
    wanted = VerifyOptions(
        pages=not api_only,
        pattern=profile.page or USUAL,
        cached_s=cached_s,
        wait_s=wait_s,
        limits=PageLimits(per_second=page_pace or None),
        open_browser=opener and partial(opener, say, profile.dialect),
    )
    return _verify(run, wanted, verbose=verbose, as_json=as_json)


def _verify(run: RunOptions, wanted: "VerifyOptions", *, verbose: bool, as_json: bool) -> int:
    """Verify the cells, print the results, and return the exit code."""
    from awning.publish.verify.verification import verify as verify_cells  # noqa: PLC0415 - imports aiohttp

    stores = open_stores(os.environ)
    request = run.service_request(run.each_instance(stores.inventory))
    with Spool() as spool:
        printed = PrintedCells(verbose=verbose)

        def sink(cells: Sequence[VerifiedCell]) -> None:
            for cell in cells:
                if as_json:
                    spool.add(cell.as_json())
                else:
                    printed.add(cell)

        try:
            counts = verify_cells(request, stores, wanted, sink)
        finally:
            printed.end()
        if as_json:
            browser = wanted.open_browser is not None
            print_document(_document(counts, browser=browser), "cells", spool.rows())
        else:
            _print_counts(counts, stores.releases)
            say_not_built(counts.not_built)
    if counts.causes:
        say_unread(counts.exit_code)
    if counts.interrupted:
        raise KeyboardInterrupt
    return int(counts.exit_code)


def _document(counts: VerifiedCounts, *, browser: bool) -> dict[str, Any]:
    """Return the fields of the JSON document, apart from the cells."""
    left = {"not_built": counts.not_built} if counts.not_built else {}
    failed = {"failed_in_browser": counts.failed_in_browser} if browser else {}
    return {"ok": counts.exit_code == 0, "totals": counts.totals, **left, **failed}


class PrintedCells:
    """Prints the cells, in the order of their names, when all have ended; those of a browser, which is slow, at once.

    Unless it is `verbose`, cells that are right are counted by what is to be said about them.
    """

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._lines: list[tuple[tuple[str | tuple[int, str], ...], str, str]] = []
        self._right: Counter[tuple[str, str]] = Counter()

    def add(self, cell: VerifiedCell) -> None:
        if cell.browser is not None:
            click.echo(_line(cell))
        elif cell.kind not in RIGHT or self._verbose:
            self._lines.append((natural_order(cell.instance), cell.language or "", _line(cell)))
        elif cell.detail is not None:
            self._right[cell.kind.value, cell.detail] += 1

    def end(self) -> None:
        for *_, line in sorted(self._lines):
            click.echo(line)
        for (kind, detail), count in self._right.most_common():
            click.echo(many_line(f"{kind:<11}", count, detail, ()))


def _line(cell: VerifiedCell) -> str:
    """Return one line about a cell."""
    view = cell.browser
    detail = [text for text in (cell.detail, cell.head and cell.head.sentence()) if text]
    if view is not None:
        detail.append(", ".join(view.sentences()))
        detail += [f"breaks the rule {rule}" for rule in view.rules]
        detail += [f"error: {printable(error)}" for error in view.errors]
    if cell.page is not None:
        age = "" if cell.age_s is None else f", {cell.age_s:.0f} s old"
        detail.append(f"{printable(cell.page)}{age}")
    return cell_line(f"{cell.kind.value:<11}", cell.instance, cell.language, "; ".join(detail) or None)


def _print_counts(counts: VerifiedCounts, releases: Releases) -> None:
    totals = (f"{count:,} {kind}" for kind, count in counts.totals.items() if count)
    click.echo(", ".join(totals) or NO_CELLS)
    if counts.failed_in_browser:
        code = ": exit code 1" if counts.exit_code is Exit.FINDINGS else ""
        what = "the page could not be opened, or a widget failed or broke a rule"
        say(f"on {plural(counts.failed_in_browser, 'page')}, {what}{code}")
    for head, pages in counts.heads.items():
        advice = head.advice(is_current=is_current(releases.get(head.release).fingerprint))
        say(f"on {plural(pages, 'page')}, {head.sentence()}: {SHOWN}. {advice}")
