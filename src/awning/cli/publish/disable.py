"""`awning publish disable` and `enable`: disable or enable a widget in shops, without a new snippet."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from awning.build_record import BuildRecord, read_build_record
from awning.cli.publish.apply import PROGRESS
from awning.cli.publish.data_change import run_change
from awning.cli.publish.options import RunOptions, instance_options, service_run_options
from awning.cli.report import json_option
from awning.cli.service_options import open_stores
from awning.errors import ConfigurationError
from awning.publish.disabling import WidgetSwitch
from awning.workspace.root import find_workspace

Command = Callable[..., Any]


def _switch_options(command: Command) -> Command:
    """Add the argument and the options of `disable` and `enable`."""
    as_json = json_option
    return click.argument("widget")(instance_options(service_run_options(PROGRESS(as_json(command)))))


@click.command()
@_switch_options
def disable(*, widget: str, progress: str, as_json: bool, **options: Any) -> int:
    """Disable WIDGET in the shops that have it: it shows nothing there until `enable`.

    The snippets do not change: the widget's name is added to `_awning.disabled` in the app data of each instance. An
    instance whose snippets have no kill switch is refused.
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
    switch = WidgetSwitch(widget=widget, disable=disables, current=_current_build())
    return run_change(switch, RunOptions(**options), open_stores(os.environ), progress, as_json=as_json)


def _current_build() -> BuildRecord | None:
    """Return the record of the workspace's build; None when there is no workspace or no valid record."""
    try:
        return read_build_record(find_workspace(Path.cwd()) / "dist")
    except ConfigurationError:
        return None
