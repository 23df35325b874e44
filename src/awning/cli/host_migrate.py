"""`awning host migrate`: bring the databases' tables up to now, or only say what is missing."""

import json
import os
from collections.abc import Iterator
from contextlib import closing

import click

from awning.cli.service_settings import open_state
from awning.cli.state_path import state_path
from awning.contract import Exit
from awning.publish import StateStore, database_url
from awning.publish.layout import Layout, bring_up, missing, version_of
from awning.publish.migrations import INVENTORY, JOURNAL, STATE


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; exit code 1 where steps are missing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def migrate(*, check: bool, as_json: bool) -> int:
    """Take the steps that bring the tables up to this version of awning.

    A start of the server does it too; this is for a deployment that does it apart, by the tables' owner.
    """
    rows = [_row(layout, *found) for layout, found in _found(check=check)]
    if as_json:
        click.echo(json.dumps({"schema_version": 1, "tables": rows}))
    else:
        for row in rows:
            click.echo(_line(row, check=check))
    return Exit.FINDINGS if check and any(row["missing"] for row in rows) else Exit.DONE


def _layouts() -> tuple[Layout, ...]:
    from awning.host.migrations import HOST  # noqa: PLC0415 - the host's room needs its extra

    own = (STATE,) if database_url(os.environ) else ()
    return (*own, INVENTORY, JOURNAL, HOST)


def _found(*, check: bool) -> Iterator[tuple[Layout, tuple[int, int]]]:
    """Each layout with its version before, and how many steps are, or were, missing."""
    for layout in _layouts():
        if check and not _is_there(layout):
            yield layout, (0, layout.newest)
            continue
        state: StateStore = open_state(os.environ)
        with closing(state.connect(layout.name)) as database:
            before = version_of(database, layout)
            yield layout, (before, missing(database, layout) if check else bring_up(database, layout))


def _is_there(layout: Layout) -> bool:
    """Whether there is something to look at: looking makes no file."""
    return bool(database_url(os.environ)) or (state_path(os.environ) / f"{layout.name}.sqlite").exists()


def _row(layout: Layout, before: int, steps: int) -> dict[str, str | int]:
    return {"name": layout.name, "version": before, "newest": layout.newest, "missing": steps}


def _line(row: dict[str, str | int], *, check: bool) -> str:
    if not row["missing"]:
        return f"{row['name']:<10} version {row['version']}"
    arrow = "to take" if check else "taken"
    return f"{row['name']:<10} version {row['version']}, {row['missing']} {arrow}, newest {row['newest']}"
