"""`awning record snippet`: the recorder as a widget, for a shop that no browser of ours can visit."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from awning.cli.report import json_option
from awning.contract import Exit
from awning.json_document import json_document
from awning.live.recorder_script import write_recorder_widget
from awning.workspace.reader import find_profile

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
@click.option(
    "--profile", envvar="AWNING_PROFILE", help="The profile in pyproject.toml whose names the page has."
)
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
