"""`awning record`: what a live shop sends, as fixtures, types, a storefront and a report of differences.

`awning record snippet` writes the recorder as a widget, for a shop that no browser of ours can visit. What the bar of
that widget downloads (`jsrc/recorder/control.ts`) is read as a recording.
"""

import asyncio
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import click
from msgspec import Meta
from playwright.async_api import Error, async_playwright

from awning.cli.report import json_option, profile_option, say
from awning.contract import Dialect, Exit
from awning.diagnostics import printable
from awning.errors import ConfigurationError
from awning.json_document import json_document
from awning.live.captures import read_captures
from awning.live.differences import certain_answers, settled_by
from awning.live.recorded_files import require_free, write_recording
from awning.live.recorder_script import write_recorder_widget
from awning.live.recording import MOST_EVENTS, RecordedEvent, Recording, is_bounded
from awning.live.replayed import (
    RecordedDelivery,
    TraceDifference,
    errors_of_recording,
    first_difference,
    read_recorded_pages,
    settled_by_recording,
)
from awning.states.assumptions import default_answers
from awning.typed_values import Mismatch, decode
from awning.workspace.model import Profile
from awning.workspace.reader import find_profile
from awning_harness.browser import ensure_browser, ensure_window
from awning_harness.live.foreign_page import launch, open_foreign_page
from awning_harness.live.page_gate import GateRules
from awning_harness.live.public_proxy import require_allowed
from awning_harness.live.record import Recorder, redact_again
from awning_harness.live.simulated_visit import visit_simulated_shop
from awning_harness.live.visit_file import VisitedPage, read_visit

_HINT = "name the file that the button of the recorder has downloaded"
_Count = Annotated[int, Meta(ge=0, le=2**53)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Delivery:
    """When an event came first: after how many loads of the tab, and milliseconds."""

    load: _Count
    ms: _Count


@dataclass(frozen=True, slots=True, kw_only=True)
class _Download:
    events: tuple[dict[str, Any], ...]
    visit: tuple[_Delivery, ...]
    lost: _Count = 0


def read_download(file: Path, dialect: Dialect) -> Recording:
    """Return the events of a download. Each load of the tab is a page of the visit.

    Raises UnreadableCapture when it holds other things than events, and ConfigurationError when it is no download.
    """
    captures = read_captures([file], dialect)
    try:
        download = decode(captures[0].document.text.encode(), _Download)
    except Mismatch as mismatch:
        raise ConfigurationError(f"{file}: {mismatch.of('it')}", hint=_HINT) from None
    if len(download.visit) != len(captures) or not all(map(is_bounded, download.events)):
        raise ConfigurationError(f"{file} is no recording", hint=_HINT)
    if len(captures) > MOST_EVENTS:
        raise ConfigurationError(f"{file} has more than {MOST_EVENTS} events", hint="record anew")
    pages = {load: number for number, load in enumerate(sorted({row.load for row in download.visit}), 1)}
    events = tuple(
        RecordedEvent(page=pages[row.load], load=row.load, ms=row.ms, values=values)
        for row, values in zip(download.visit, download.events, strict=True)
    )
    lost = (f"{download.lost} events were not recorded: the tab had no room",) if download.lost else ()
    return Recording(events=events, surroundings=(), steps=(), errors=lost)


_LASTS = timedelta(days=1)


@click.command("snippet")
@click.option(
    "-o",
    "--out",
    "folder",
    metavar="FOLDER",
    required=True,
    type=click.Path(path_type=Path),
    help="Write the widget here: a new folder of widgets/.",
)
@profile_option("whose names the page has")
@json_option
def snippet(*, folder: Path, profile: str | None, as_json: bool) -> int:
    """Write a widget that records from inside a shop, for a day.

    Publish it to one instance of your own. On a page with the printed words at the end of its address, it begins to
    record in this tab: all events, each distinct payload once, redacted as awning record does. Its button downloads
    them, for awning payload check, and for awning record --download, which writes the folder of a recording.

    Who has that address can start it, in a tab of their own: the scripts of the shop see it, and those of its
    statistics. What is recorded stays in the tab. Other visitors see and send nothing.

    \b
    awning record snippet -o widgets/recorder
    awning build
    awning publish apply --only my-shop

    Exit codes: 0 written; 2 usage, a folder with something else.
    """
    until = datetime.now(UTC) + _LASTS
    query = write_recorder_widget(folder, find_profile(profile, os.environ).dialect, until)
    if as_json:
        result = {"folder": str(folder), "until": f"{until:%Y-%m-%dT%H:%M:%SZ}", "query": query}
        click.echo(json_document(result, indent=2))
    else:
        click.echo(f"{folder}: it records until {until:%Y-%m-%d %H:%M} UTC")
        click.echo(f"To start it in a tab, open a page of the shop with ?{query} at the end of its address")
    return Exit.DONE


class _OrSubcommand(click.Group):
    """A group that may have an address in the place of a subcommand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_subcommand = bool(args) and args[0] in self.commands
        # Options of the group may follow its address; those of a subcommand are the subcommand's.
        ctx.allow_interspersed_args = not is_subcommand
        return super().parse_args(ctx, ["", *args] if is_subcommand else args)


class _Address(click.Argument):
    """The argument of the group. The usage of a subcommand leaves it out."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [] if ctx.invoked_subcommand else super().get_usage_pieces(ctx)


@click.group("record", cls=_OrSubcommand, invoke_without_command=True, subcommand_metavar="| snippet ...")
@click.argument("url", cls=_Address, required=False)
@click.option(
    "-o",
    "--out",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write the recording here. An earlier recording is replaced.",
)
@click.option(
    "--visit",
    "visit_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The pages, and a shopper's actions on them (TOML). Default: the page of URL.",
)
@click.option(
    "--replay",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Make the recorded visit in the simulated shop, and compare.",
)
@click.option(
    "--download",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the recording from what the recorder snippet has downloaded.",
)
@click.option("--headed", is_flag=True, help="Open a window; go through the shop, and close it.")
@profile_option("whose names the page has")
@click.option("--allow-submit", is_flag=True, help="Let requests pass that could submit an order.")
@click.option("--allow-private", is_flag=True, help="Open private addresses, and those of this machine.")
@json_option
@click.pass_context
def record(
    context: click.Context,
    /,
    url: str | None,
    *,
    folder: Path | None,
    visit_file: Path | None,
    replay: Path | None,
    download: Path | None,
    headed: bool,
    profile: str | None,
    allow_submit: bool,
    allow_private: bool,
    as_json: bool,
) -> int:
    """Record what the published page at URL sends, and write it to FOLDER.

    No text leaves the page: prices, quantities, codes such as EUR in known fields, and types, are what is kept.
    FOLDER gets events.json (for awning payload check), visit.json (order, timing, the look around the slots),
    states.toml, types.ts, differences.json, and storefront/, which plays the shop in awning dev.

    \b
    awning record https://shop.example/en/product/1 -o recorded
    awning record https://shop.example/ --visit visit.toml -o recorded
    awning record --replay recorded
    awning record --download awning-record.json -o recorded

    \b
    [[page]]
    url = "/en/product/1"
    steps = ['click ".size-L"', "wait 1 second"]

    --replay makes a recorded visit in the simulated shop with the recorded storefront/. It compares the order of the
    events, the steps after which they came, and the fields of each, and shows the first difference side by side.

    Exit codes: 0 recorded, and as awning assumes, or replayed without a difference; 1 differences, or a visit that was
    not possible (what there is is written); 2 usage, a refused address, a folder with something else; 130 after Ctrl-C
    (what was recorded until then is written, as after SIGTERM).
    """
    if context.invoked_subcommand is not None:
        return Exit.DONE
    if replay is not None:
        if any((url, folder, visit_file, download, headed)):
            raise ConfigurationError(
                "--replay takes no address, -o, --visit, --download or --headed", hint="leave them out"
            )
        return _replay(replay, find_profile(profile, os.environ), as_json=as_json)
    if download is not None and folder is not None:
        if any((url, visit_file, headed)):
            raise ConfigurationError(
                "--download takes no address, --visit or --headed", hint="leave them out"
            )
        return _keep_download(download, folder, find_profile(profile, os.environ).dialect, as_json=as_json)
    if url is None or folder is None:
        raise ConfigurationError(
            "an address (or --download) and -o FOLDER are needed", hint="awning record URL -o FOLDER"
        )
    require_allowed(url, allow_private=allow_private)
    pages = (VisitedPage(url=url),) if visit_file is None else read_visit(visit_file, url)
    dialect = find_profile(profile, os.environ).dialect
    require_free(folder)
    rules = GateRules(allow_submit=allow_submit, allow_private=allow_private, own_host=urlsplit(url).hostname)
    recording = asyncio.run(_record(url, pages, rules, dialect, headed=headed))
    return _keep(recording, folder, dialect, as_json=as_json)


record.add_command(snippet)


def _keep_download(file: Path, folder: Path, dialect: Dialect, *, as_json: bool) -> int:
    """Write a recording of what the recorder snippet has downloaded. Returns the exit code."""
    require_free(folder)
    recording = asyncio.run(_redacted(read_download(file, dialect), dialect))
    return _keep(recording, folder, dialect, as_json=as_json)


def _keep(recording: Recording, folder: Path, dialect: Dialect, *, as_json: bool) -> int:
    """Write a recording, and print what it shows. Returns the exit code."""
    if recording.was_interrupted and not recording.events:
        say("interrupted: nothing was recorded, and nothing is written")
        return Exit.INTERRUPTED
    report = write_recording(recording, folder, dialect)
    errors = list(recording.errors)
    if not recording.events and not errors:
        errors.append("no event was delivered: the pages have no slot, or no widgets of apps")
    if as_json:
        click.echo(json_document({"folder": str(folder), **report, "errors": errors}, indent=2))
    else:
        click.echo("\n".join(_lines(folder, report, errors)))
    if recording.was_interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if errors or report["differences"] else Exit.DONE


async def _record(
    url: str, pages: tuple[VisitedPage, ...], rules: GateRules, dialect: Dialect, *, headed: bool
) -> Recording:
    """Return what a visit sends; after Ctrl-C, what it has sent until then, with `was_interrupted`."""
    chromium = ensure_window(os.environ) if headed else ensure_browser(say, os.environ)
    recorder, has_ended = None, False
    try:
        async with open_foreign_page(url, rules, chromium, lru_cache(say), headed=headed) as foreign:
            recorder = Recorder(foreign=foreign, dialect=dialect)
            await recorder.listen()
            await recorder.visit(pages)
            if recorder.failed_step:
                say(recorder.failed_step)
            if headed and not recorder.errors:
                say("Go through the shop. Close the window to stop, or press Ctrl-C.")
                await recorder.by_hand()
            has_ended = True
            return await recorder.recording(foreign.browser)
    except (asyncio.CancelledError, Error, OSError):
        # Ctrl-C in a terminal also ends the process with which Playwright controls the browser.
        was_interrupted = _take_interruption()
        if recorder is None or not (was_interrupted or has_ended):
            raise
    if was_interrupted:
        recorder.fail("the visit was interrupted")
    async with async_playwright() as playwright:
        browser = await launch(playwright, ensure_browser(say, os.environ), None, headed=False)
        recording = await recorder.recording(browser)
    return replace(recording, was_interrupted=was_interrupted)


async def _redacted(recording: Recording, dialect: Dialect) -> Recording:
    async with async_playwright() as playwright:
        browser = await launch(playwright, ensure_browser(say, os.environ), None, headed=False)
        return await redact_again(recording, browser, dialect)


def _take_interruption() -> bool:
    """Return whether Ctrl-C cancels this coroutine, which then goes on."""
    task = asyncio.current_task()
    was_interrupted = task is not None and task.cancelling() > 0
    while task is not None and task.cancelling():
        task.uncancel()
    return was_interrupted


def _replay(folder: Path, profile: Profile, *, as_json: bool) -> int:
    pages = read_recorded_pages(folder, profile.dialect)
    chromium = ensure_browser(say, os.environ)
    simulated = asyncio.run(visit_simulated_shop(folder, pages, profile, chromium, say))
    difference = first_difference(pages, simulated.pages)
    lacking = errors_of_recording(folder)
    _say_otherwise(folder, pages, profile)
    if as_json:
        document = {
            "pages": len(pages),
            "events": sum(map(len, pages)),
            "difference": difference.as_json() if difference else None,
            "errors": list(simulated.errors),
            "recorded_errors": list(lacking),
        }
        click.echo(json_document(document, indent=2))
    else:
        for error in simulated.errors:
            click.echo(f"error: {error}")
        for error in lacking:
            click.echo(f"the recorded visit is not whole: {printable(error)}")
        same = "the simulated shop does the same" + (", as far as was recorded" if lacking else "")
        click.echo("\n".join(map(printable, _side_by_side(difference))) if difference else same)
    return Exit.FINDINGS if difference or simulated.errors else Exit.DONE


def _say_otherwise(folder: Path, pages: Sequence[Sequence[RecordedDelivery]], profile: Profile) -> None:
    """Say which answers of the recording the simulated shop did not play. They explain a difference, or hide one."""
    played = {**default_answers(), **profile.answers}
    settled = settled_by(each.capture for page in pages for each in page)
    certain = certain_answers([*settled, *settled_by_recording(folder)])
    others = {id_: answer for id_, answer in certain.items() if answer != played[id_]}
    for id_, answer in others.items():
        say(f"note: the simulated shop has {id_} = {played[id_]}, the recording shows {answer}")
    if others:
        command = shlex.join(
            ["awning", "payload", "check", f"{folder}", "--settle", "--profile", profile.name]
        )
        say(f"  hint: {command} writes what it shows into the profile")


def _side_by_side(difference: TraceDifference) -> Iterator[str]:
    yield f"page {difference.page}, event {difference.event}"
    width = max(len(difference.recorded), len("recorded")) + 2
    indent = " " * (len(difference.field) + 4 if difference.field else 2)
    yield f"{indent}{'recorded':{width}}simulated"
    start = f"  {difference.field}  " if difference.field else indent
    yield f"{start}{difference.recorded:{width}}{difference.simulated}"


def _lines(folder: Path, report: Mapping[str, Any], errors: list[str]) -> Iterator[str]:
    for entry in report["differences"]:
        place = f"{folder}/{entry['path']}:{entry['line']}:{entry['column']}"
        yield f"{place}: {entry['sentence']}"
    for entry in report["settled"]:
        yield f"settled: {entry['assumption']}: {entry['answer'] or 'none of its answers fits'}"
    yield from report["places"]
    for error in errors:
        yield f"error: {error}"
    yield f"{report['events']} events in {folder}"
