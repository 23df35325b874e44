"""`awning publish`: bring the snippets to every instance, and say what became of each cell."""

import json
import os
from pathlib import Path
from typing import Any

import click

from awning.cli.progress import Progress
from awning.cli.report import say
from awning.cli.service_settings import chosen_profile, open_access, open_state, service_options
from awning.client import Limits
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish import Inventory, Pace, Summary, read_build
from awning.publish.outcome import RIGHT
from awning.publish.salvage import Damage, open_readable
from awning.workspace import find_workspace

LISTED = 60
"""Most cells that are all listed; of more, only those that did not go well."""


@click.group()
def publish() -> None:
    """Bring the snippets to every instance."""


@publish.command()
@service_options
@click.option(
    "--only", multiple=True, metavar="NAME", help="Only this instance (name or keyed hash). Repeatable."
)
@click.option(
    "--dist",
    type=click.Path(file_okay=False, path_type=Path),
    help="The build. Default: dist/ of the workspace.",
)
@click.option(
    "--pace",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    help="Requests per second and instance; 0: no limit.",
)
@click.option(
    "--host-pace",
    type=click.FloatRange(min=0),
    default=0.0,
    help="Requests per second to the whole service; 0: no limit.",
)
@click.option(
    "--in-flight", type=click.IntRange(1, 1024), default=64, show_default=True, help="Requests open at once."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=30.0,
    show_default=True,
    help="Seconds for one request.",
)
@click.option("--allow-errors", is_flag=True, help="Publish also a build that was made with --allow-errors.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def apply(  # noqa: PLR0917 - click passes options by name
    base_url: str | None,
    profile: str | None,
    only: tuple[str, ...],
    dist: Path | None,
    pace: float,
    host_pace: float,
    in_flight: int,
    timeout: float,
    allow_errors: bool,
    as_json: bool,
) -> int:
    """Publish the current build: read, write what differs, read back, note every step."""
    chosen = chosen_profile(profile, os.environ)
    folder = dist or find_workspace(Path.cwd()) / "dist"
    build = read_build(folder, heads=chosen.head_snippets, allow_errors=allow_errors)
    access = open_access(base_url, chosen, os.environ)
    state = open_state(os.environ)
    instances = Inventory.open(state).chosen(only)
    if not instances:
        click.echo("the inventory is empty: add an instance with `awning instances add`", err=True)

    from awning.publish.run import PublishRequest, publish  # noqa: PLC0415 - brings aiohttp, a fifth of a second

    session = PublishRequest(
        build=build,
        instances=instances,
        access=access,
        environ=os.environ,
        pace=Pace(per_instance=pace or None, per_host=host_pace or None, in_flight=in_flight),
        limits=Limits(total_s=timeout, connect_s=min(10.0, timeout), connections=in_flight),
        progress=Progress(),
    )
    summary = publish(session, state)
    _say(summary, as_json=as_json)
    return int(summary.exit_code)


@publish.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def status(as_json: bool) -> int:
    """The last known outcome of every cell, from the journal. Nothing is asked of the service.

    A damaged journal is shown up to the damage.
    """
    state = open_state(os.environ)
    names = {i.key: i.shown for i in Inventory.open(state).all()}
    order = {key: place for place, key in enumerate(names)}
    journal, damage = open_readable(state)
    latest = sorted(
        journal.latest(),
        key=lambda e: (order.get(e["instance"], len(order)), e["instance"], e["language"] or ""),
    )
    cells = [_status(entry, names) for entry in latest]
    if as_json:
        _print("cells", cells, damage, as_json=True)
    else:
        for cell in cells:
            line = _line(cell["instance"], cell["language"], cell["outcome"], cell["reason"])
            click.echo(f"{line}  {cell['at']}")
        if not cells:
            say("nothing was ever published from here")
    return _ended(damage)


@publish.command()
@click.option("--run", type=int, help="Every entry of this run.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def log(run: int | None, as_json: bool) -> int:
    """The journal: its runs, newest first; or one run, entry by entry.

    A damaged journal is shown up to the damage.
    """
    state = open_state(os.environ)
    journal, damage = open_readable(state)
    if run is not None:
        names = {i.key: i.shown for i in Inventory.open(state).all()}
        found = [
            {**entry, "instance": names.get(entry["instance"], entry["instance"])}
            for entry in journal.entries(run)
        ]
        if not found:
            raise ConfigurationError(f"there is no run {run}", hint="awning publish log lists them")
        _print("entries", found, damage, as_json=as_json)
    else:
        _print("runs", [dict(r) for r in journal.runs()], damage, as_json=as_json)
    return _ended(damage)


def _ended(damage: Damage | None) -> int:
    if damage is None:
        return Exit.DONE
    say(f"error: {damage.message}")
    say("  hint: put back a copy of it, or move it away to start afresh")
    return Exit.FINDINGS


def _status(entry: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """An intent without an outcome is a run that was cut off in between."""
    open_intent = entry["kind"] == "intent"
    return {
        "instance": names.get(entry["instance"], entry["instance"]),
        "language": entry["language"],
        "outcome": "unknown" if open_intent else entry["outcome"],
        "reason": "the run ended while it was written" if open_intent else entry["note"],
        "run": entry["run"],
        "at": entry["at"],
        "sha256": entry["after"],
    }


def _say(summary: Summary, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(summary.as_json(), ensure_ascii=False))
        return
    many = len(summary.results) > LISTED
    for result in summary.results:
        if not many or result.ending.outcome not in RIGHT:
            ending = result.ending
            click.echo(_line(result.instance, result.language, ending.outcome.value, ending.reason))
    click.echo(
        ", ".join(f"{count} {outcome}" for outcome, count in summary.totals.items() if count) or "no cells"
    )
    if summary.hint:
        say(summary.hint)


def _line(instance: str, language: str | None, outcome: str, reason: str | None) -> str:
    where = f"{instance} {language or '(website)'}"
    return f"{outcome:<9}  {where}" + (f"  - {reason}" if reason else "")


def _print(name: str, rows: list[dict[str, Any]], damage: Damage | None, *, as_json: bool) -> None:
    if as_json:
        damaged = damage.as_json() if damage else None
        click.echo(json.dumps({"schema_version": 1, name: rows, "damaged": damaged}, ensure_ascii=False))
        return
    for row in rows:
        click.echo("  ".join(str(_flat(value)) for value in row.values() if value not in (None, {})))


def _flat(value: Any) -> Any:
    return " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else value
