"""The options of `awning publish apply` for waves and gates, and the verbs `pause` and `cancel`."""

import os
import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import wraps
from typing import Any

import click

from awning.cli.publish.options import add_options
from awning.cli.report import Command
from awning.cli.service_options import open_stores
from awning.errors import ConfigurationError
from awning.publish.operator import operator_name
from awning.publish.stores import Stores
from awning.publish.waves.gate import LEAST_ADDRESSES, LEAST_INSTANCES, Gate
from awning.publish.waves.run_state import UNFINISHED, Rollout, RunState
from awning.publish.waves.wave import parse_waves

_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smh]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%?")
GATE_OPTIONS = (*(field.name for field in fields(Gate)), "on_failure")


class Duration(click.ParamType[float]):
    """A duration on the command line: `90s`, `10m` or `2h`, converted to seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        match = _DURATION.fullmatch(str(value))
        if match is None:
            self.fail(f'"{value}" is not a duration, such as 90s, 10m or 2h', param, ctx)
        return float(match[1]) * _SECONDS[match[2]]


class Percent(click.ParamType[float]):
    """A percentage on the command line: a number from 0 to 100, with or without `%`."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        match = _PERCENT.fullmatch(str(value))
        if match is None or float(match[1]) > 100:  # noqa: PLR2004 - percent
            self.fail(f'"{value}" is not a share from 0% to 100%', param, ctx)
        return float(match[1])


def wave_options(command: Command) -> Command:
    """Add the options of waves and gates."""
    waves = click.option(
        "--waves",
        metavar="WAVES",
        help="Publish in waves, such as 1%,10%,100%. A wave is a share, label:LABEL or file:PATH.",
    )
    return waves(gate_options(command))


def gate_options(command: Command) -> Command:
    """Add the options of gates, named as the fields of `Gate`. Those that are given are passed as one dict, `gate`."""

    @wraps(command)
    def gated(*arguments: Any, **options: Any) -> Any:
        values = {name: options.pop(name) for name in GATE_OPTIONS}
        gate = {name: value for name, value in values.items() if value is not None}
        return command(*arguments, gate=gate, **options)

    options = (
        click.option(
            "--max-failures",
            "most_failures",
            type=Percent(),
            help="Gate: the share of a wave's cells that may be not right. Default: 1%.",
        ),
        click.option(
            "--gate-wait",
            "wait_s",
            type=Duration(),
            help="Gate: wait after each wave, such as 90s, 10m, 2h.",
        ),
        click.option(
            "--gate-command",
            "command",
            metavar="COMMAND",
            help="Gate: this command must end with 0. It has AWNING_RUN, AWNING_RELEASE and AWNING_WAVE.",
        ),
        click.option(
            "--gate-health",
            "most_health_loss",
            type=Percent(),
            help="Gate: by how many points more widgets of the release may fail than of earlier ones.",
        ),
        click.option(
            "--gate-addresses",
            "least_addresses",
            type=click.IntRange(1),
            help=f"Gate: the least addresses that must report the release first. Default: {LEAST_ADDRESSES}.",
        ),
        click.option(
            "--gate-instances",
            "least_instances",
            type=click.IntRange(0),
            help=f"Gate: the least instances that must report the release first. Default: {LEAST_INSTANCES}.",
        ),
        click.option(
            "--on-failure",
            type=click.Choice(["stop", "rollback"]),
            help="What happens when a gate does not hold. Default: stop.",
        ),
    )
    return add_options(options, gated)


def rollout_of(
    waves: str | None, options: Mapping[str, Any], stores: Stores, *, is_whole: bool
) -> Rollout | None:
    """Return the rollout of the options that `wave_options` adds; None without `--waves`.

    Raises ConfigurationError when waves are not valid, when there is a gate without waves, or when other options choose
    instances (`is_whole` is False). Also raises it when the file of a wave cannot be read, is empty, or has a name that
    no instance has.
    """
    if waves is None:
        if options:
            raise ConfigurationError("a gate stands between waves", hint="add --waves, such as 1%,10%,100%")
        return None
    if not is_whole:
        raise ConfigurationError(
            "--waves chooses the instances itself",
            hint="leave out --only and --label; a wave can be label:LABEL",
        )
    parsed = parse_waves(waves, stores.inventory)
    return with_gate(Rollout(waves=parsed), options)


def with_gate(rollout: Rollout, options: Mapping[str, Any]) -> Rollout:
    """Return the rollout with the given options of GATE_OPTIONS in place of its own.

    Raises ConfigurationError when options say when the health is judged, and it is not.
    """
    chosen = dict(options)
    on_failure = chosen.pop("on_failure", None)
    gate = replace(rollout.gate, **chosen)
    if gate.most_health_loss is None and chosen.keys() & {"least_addresses", "least_instances"}:
        raise ConfigurationError(
            "--gate-addresses and --gate-instances say when --gate-health is judged",
            hint="add --gate-health 1%",
        )
    rolls_back = rollout.rolls_back if on_failure is None else on_failure == "rollback"
    return replace(rollout, gate=gate, rolls_back=rolls_back)


@click.command()
@click.argument("run", type=click.IntRange(1))
def pause(run: int) -> None:
    """Pause the publish run RUN: cells under way end, and no other begins. `publish apply` continues the run."""
    _stop(run, RunState.PAUSED)


@click.command()
@click.argument("run", type=click.IntRange(1))
def cancel(run: int) -> None:
    """End the publish run RUN, even if it is paused. What it wrote stays, and no apply continues it."""
    _stop(run, RunState.CANCELLED)


def _stop(run: int, state: RunState) -> None:
    stores = open_stores(os.environ)
    record = stores.runs.get(run)
    if record.state not in UNFINISHED:
        raise ConfigurationError(f"run {run} is over ({record.how})")
    operator, windows = operator_name(os.environ), stores.windows  # which fails before anything is changed
    if state is RunState.CANCELLED:
        stores.runs.cancel(run, operator)
    else:
        stores.runs.stop(run, state, f"{state.value} by {operator}")
    windows.keep_only(stores.runs.with_open_gate())
    click.echo(f"run {run}: {state.value}")
