"""`awning payload`: compares what a live page sends with what awning knows and assumes."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from awning.cli.report import json_option, say
from awning.contract import Exit
from awning.diagnostics import did_you_mean, printable
from awning.errors import ConfigurationError
from awning.json_document import json_document
from awning.live.captures import Capture, captured_state, read_captures
from awning.live.differences import Settled, certain_answers, differences_in, settled_by
from awning.live.recorded_files import EVENTS_FILE
from awning.live.replayed import settled_by_recording
from awning.workspace.added_state import add_state
from awning.workspace.model import SettledAnswer
from awning.workspace.reader import find_profile, read_workspace
from awning.workspace.root import find_workspace
from awning.workspace.settled import save_settled


@click.group()
def payload() -> None:
    """Compare what a live page sends with what awning knows and assumes."""


@payload.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(allow_dash=True, path_type=Path), metavar="FILE..."
)
@click.option("--state", "name", metavar="NAME", help="Write the events as this state of --widget.")
@click.option("--widget", "widget_name", metavar="NAME", help="The widget that gets the state.")
@click.option(
    "--profile", envvar="AWNING_PROFILE", help="The profile in pyproject.toml whose names the events have."
)
@click.option("--settle", is_flag=True, help="Write the answers to assumptions into the profile.")
@json_option
def check(
    files: tuple[Path, ...],
    *,
    name: str | None,
    widget_name: str | None,
    profile: str | None,
    settle: bool,
    as_json: bool,
) -> int:
    """Compare the captured events in FILE with the payloads that awning knows, and name what they settle.

    FILE, or - for standard input, is what the console line of the docs (The live shop) copies: JSON of one event,
    {"event": ..., "item" or "cartData": ..., "page": ...}, or a list of events. It may be the folder of a recording:
    what its visit settles is named, too. A difference is a field that awning
    does not know, one that is missing, and one of another type.

    Exit codes: 0 no difference, 1 differences (a state is written nevertheless), 2 a file that cannot be read.
    """
    if (name is None) != (widget_name is None):
        raise ConfigurationError("--state and --widget belong together", hint="name both, or neither")
    chosen = find_profile(profile, os.environ)
    recordings = [file for file in files if file.is_dir()]
    named = [file / EVENTS_FILE if file in recordings else file for file in files]
    captures = read_captures(named, chosen.dialect)
    written = _write_state(captures, name, widget_name) if name and widget_name else None
    differences = [difference for capture in captures for difference in differences_in(capture)]
    by_places = (entry for folder in recordings for entry in settled_by_recording(folder))
    settled = (*settled_by(captures), *by_places)
    if settle:
        _settle(chosen.name, settled)
    if as_json:
        document = {
            "events": len(captures),
            "differences": [difference.as_json() for difference in differences],
            "settled": [entry.as_json() for entry in settled],
            "state": str(written) if written else None,
        }
        click.echo(json_document(document, indent=2))
    else:
        for difference in differences:
            click.echo(printable(f"{difference.place}: {difference.sentence}"))
        for entry in settled:
            click.echo(f"settled: {entry.sentence}")
        say(f"{_counted(len(differences), 'difference')} in {_counted(len(captures), 'event')}")
    return Exit.FINDINGS if differences else Exit.DONE


def _write_state(captures: Sequence[Capture], name: str, widget_name: str) -> Path:
    """Write the state, and say what it cannot hold. Returns the path of `states.toml`."""
    root = find_workspace(Path.cwd())
    widgets = {widget.name: widget for widget in read_workspace(root).widgets}
    if widget_name not in widgets:
        hint = did_you_mean(widget_name, widgets) or f"widgets: {', '.join(widgets)}"
        raise ConfigurationError(f'no widget is called "{widget_name}"', hint=hint)
    widget = widgets[widget_name]
    state = captured_state(captures, widget.slots)
    path = add_state(
        root, widget, name, title=f"Captured, {state.slot}", slot=state.slot, payload=state.payload
    )
    say(f'{path}: the state "{name}" was added')
    for sentence in state.lost:
        say(f"note: {sentence}")
    return path


def _settle(profile: str, settled: Sequence[Settled]) -> None:
    """Write the answers into the profile. An assumption to which the events give two answers is left out."""
    today = datetime.now(UTC).date().isoformat()
    certain = {
        id_: SettledAnswer(answer=answer, by="capture", on=today)
        for id_, answer in certain_answers(settled).items()
    }
    save_settled(find_workspace(Path.cwd()), profile, certain)
    for id_ in {entry.assumption for entry in settled} - certain.keys():
        say(f"note: {id_} is not settled: the events do not give it one of its answers alone")


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
