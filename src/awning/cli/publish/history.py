"""`awning publish status` and `log`: what the journal knows. Nothing is asked of the service."""

import json
import os
from contextlib import closing
from typing import Any

import click

from awning.cli.publish.output import cell_line
from awning.cli.report import say
from awning.cli.service_options import open_state
from awning.contract import Exit
from awning.publish import Inventory, Journal, StateStore
from awning.publish.journal.reader import Damage, cell_statuses, open_readable, run_entries


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def status(as_json: bool) -> int:
    """The last known outcome of every cell, from the journal. Nothing is asked of the service.

    A damaged journal is shown up to the damage.
    """
    state = open_state(os.environ)
    instances = Inventory.open(state).all()
    journal, damage = open_readable(state)
    cells = cell_statuses(journal, instances)
    if as_json:
        _print("cells", cells, damage, as_json=True)
    else:
        for cell in cells:
            line = cell_line(cell["outcome"], cell["instance"], cell["language"], cell["reason"])
            click.echo(f"{line}  {cell['at']}")
        if not cells:
            say("nothing was ever published from here")
    return _report_damage(damage)


@click.command()
@click.option("--run", type=int, help="Every entry of this run.")
@click.option(
    "--verify", is_flag=True, help="Compute the hash of every entry: was the journal changed or cut?"
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def log(run: int | None, verify: bool, as_json: bool) -> int:
    """The journal: its runs, newest first; or one run, entry by entry.

    A damaged journal is shown up to the damage. With --verify, the exit code is 1 when an entry was changed or cut off.
    """
    state = open_state(os.environ)
    if verify:
        return _verify(state, as_json=as_json)
    journal, damage = open_readable(state)
    if run is not None:
        entries = run_entries(journal, run, Inventory.open(state).all())
        _print("entries", entries, damage, as_json=as_json)
    else:
        _print("runs", [dict(r) for r in journal.runs()], damage, as_json=as_json)
    return _report_damage(damage)


def _verify(state: StateStore, *, as_json: bool) -> int:
    with closing(Journal.open(state)) as journal:
        broken, mark = journal.verify(), journal.mark()
    if as_json:
        fault = {"seq": broken.seq, "message": broken.message} if broken else None
        document = {"schema_version": 1, "ok": broken is None, "seq": mark.seq, "hash": mark.chain}
        click.echo(json.dumps({**document, "broken": fault}))
    elif broken is None:
        click.echo(f"the journal is as it was written: {mark.seq} entries, the last one is {mark.chain}")
    else:
        say(f"error: the journal is not as it was written: {broken.message}")
    return Exit.FINDINGS if broken else Exit.DONE


def _report_damage(damage: Damage | None) -> int:
    """Report the damage of the journal, if there is any. Returns the exit code."""
    if damage is None:
        return Exit.DONE
    say(f"error: {damage.message}")
    say("  hint: put back a copy of it, or move it away to start afresh")
    return Exit.FINDINGS


def _print(name: str, rows: list[dict[str, Any]], damage: Damage | None, *, as_json: bool) -> None:
    if as_json:
        damaged = damage.as_json() if damage else None
        click.echo(json.dumps({"schema_version": 1, name: rows, "damaged": damaged}, ensure_ascii=False))
        return
    for row in rows:
        texts = (
            " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
            for value in row.values()
            if value not in (None, {})
        )
        click.echo("  ".join(texts))
