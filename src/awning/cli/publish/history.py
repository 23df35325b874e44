"""`awning publish status` and `log`: show the journal, and `log --prune` shortens it. They do not call the service.

The log has a row for a run with its scope, and for an entry with its releases: as JSON, and as lines.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Any

import click

from awning.cli.publish.options import NumberByOption
from awning.cli.publish.output import NAMED_INSTANCES, cell_line, many_line, place_name
from awning.cli.report import is_confirmed, json_option, plural, print_result, say
from awning.cli.service_options import open_stores
from awning.client.secret import escaped
from awning.contract import Exit
from awning.diagnostics import first_few
from awning.errors import ConfigurationError, DatabaseDamaged
from awning.publish.cell_outcome import REACHED, RIGHT
from awning.publish.cells import STAYS
from awning.publish.data.writes import data_continuations, unfinished_data_run
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.journal.chain import Break, Mark
from awning.publish.journal.history import Damage, cell_statuses, open_readable, run_entries
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, RunTask
from awning.publish.journal.writes import OF_DATA
from awning.publish.operator import operator_name
from awning.publish.run_status import lock_runs, run_status, runs_under_way
from awning.publish.state.store import StateStore
from awning.publish.stores import Stores
from awning.publish.waves.run_state import RunRecord, RunState, RunStates

WEBSITE = "(website)"
HASH_DIGITS = 12


def run_row(
    row: Mapping[str, Any], record: RunRecord | None, names: Mapping[str, str], *, continued_by: int | None
) -> dict[str, Any]:
    """Return a run of the journal as a row for JSON. `record` is its stored state, which only a publish has.

    `continued_by` is the newest run that continues it.
    `names` are the display names of instances by their keyed hashes.
    """
    task: RunTask | None = row["task"]
    is_cancelled = record is not None and record.cancelled_at is not None
    return {
        **{name: value for name, value in row.items() if name not in {"task", "languages"}},
        "kind": task and task.kind.value,
        "release": task and task.release,
        "scope": task
        and {
            "only": [names.get(key, key) for key in task.only],
            "labels": list(task.labels),
            "plan": task.is_planned,
            "waves": list(record.rollout.names) if record else [],
        },
        "languages": row["languages"],
        "continues": record.continues if record else task and task.continues,
        "continued_by": continued_by,
        "taken_back_by": record and record.taken_back_by,
        "rolled_back_by": record and record.rolled_back_by,
        "cancelled": {"at": record.cancelled_at, "by": record.cancelled_by}
        if record and is_cancelled
        else None,
    }


def run_line(row: Mapping[str, Any]) -> str:
    """Return a row of `run_row` as one line."""
    totals = ", ".join(f"{count:,} {outcome}" for outcome, count in row["totals"].items())
    parts = (
        f"{row['run']}  {row['began']}",
        row["what"],
        _scope(row["scope"]),
        " ".join(language or WEBSITE for language in row["languages"]),
        f"continues run {row['continues']}" if row["continues"] else None,
        row["by"],
        row["ended"],
        "; ".join(_how(row)),
        totals,
    )
    return escaped("  ".join(filter(None, parts)))


def _scope(scope: Mapping[str, Any] | None) -> str | None:
    if scope is None:
        return None
    named: Sequence[str] = scope["only"]
    parts = (
        "a saved plan" if scope["plan"] else None,
        f"only {first_few(named, NAMED_INSTANCES)}" if named else None,
        f"label {' and '.join(scope['labels'])}" if scope["labels"] else None,
        f"waves {','.join(scope['waves'])}" if scope["waves"] else None,
    )
    return ", ".join(filter(None, parts)) or "all instances"


def _how(row: Mapping[str, Any]) -> Sequence[str]:
    cancelled = row["cancelled"]
    hows = [] if cancelled and row["how"] == RunState.CANCELLED else [row["how"]]
    if cancelled:
        hows.append(f"cancelled by {cancelled['by']} at {cancelled['at']}")
    if row["continued_by"]:
        hows.append(f"continued by run {row['continued_by']}")
    if row["taken_back_by"]:
        hows.append(f"taken back by run {row['taken_back_by']}")
    if row["rolled_back_by"]:
        hows.append(f"rolled back by run {row['rolled_back_by']}")
    return hows


def entry_line(entry: Mapping[str, Any]) -> str:
    """Return an entry of a run as one line. A text that a release holds is shown as that release."""
    is_intent = entry["kind"] in {EntryKind.INTENT, EntryKind.DATA_INTENT}
    is_data = entry["kind"] in OF_DATA
    change = [_text(entry["after"], entry["after_release"])]
    if is_intent:
        change.insert(0, _text(entry["before"], entry["before_release"]))
    elif entry["after_head"]:
        change.append(f"head {_text(entry['after_head'], entry['after_head_release'])}")
    is_known = is_intent or entry["after"] is not None
    parts = (
        f"{entry['seq']}  {entry['at']}  {entry['outcome'] or entry['kind'].removeprefix('data '):<9}",
        (entry["instance"] if is_data else place_name(entry["instance"], entry["language"]))
        if entry["instance"]
        else None,
        "app data" if is_data else entry["place"],
        (" -> " if is_intent else ", ").join(change) if is_known else None,
        f"- {entry['note']}" if entry["note"] and entry["instance"] else entry["note"],
        entry["operator"],
    )
    return escaped("  ".join(filter(None, parts)))


def _text(sha256: str | None, release: int | None) -> str:
    if sha256 is None:
        return "nothing"
    return f"text {sha256[:HASH_DIGITS]}" if release is None else f"release {release}"


@click.command()
@click.option("--verbose", is_flag=True, help="Show every cell.")
@json_option
def status(*, verbose: bool, as_json: bool) -> int:
    """Show the run under way and the last known outcomes of the cells, from the journal. The service is not called.

    The cells are counted by outcome and reason; --verbose and --json show each of them. A damaged journal is shown up
    to the damage.
    """
    stores = open_stores(os.environ)
    instances = _instances(stores.inventory)
    journal, damage = open_readable(stores.state)
    with closing(journal):
        under_way = frozenset() if damage else runs_under_way(stores)
        run = None if damage else run_status(stores, under_way)
        cells = cell_statuses(journal, instances, under_way)
        data_run = None if damage else unfinished_data_run(journal)
    if as_json:
        totals = dict(Counter(cell["outcome"] for cell in cells))
        fields: dict[str, Any] = {"run": run.as_json() if run else None, "totals": totals}
        if data_run:
            fields["data_run"] = data_run.as_json(is_under_way=data_run.run in under_way)
        print_result(as_json, (), cells=cells, **fields, damaged=damage and damage.as_json())
    else:
        if data_run:
            click.echo(escaped(data_run.line(is_under_way=data_run.run in under_way)))
        for text in run.lines() if run else ():
            click.echo(text)
        _print_cells(cells, verbose=verbose)
    return _report_damage(damage)


@click.command(cls=NumberByOption)
@click.option("--run", type=int, help="Every entry of this run.")
@click.option(
    "--verify", is_flag=True, help="Compute the hash of every entry: was the journal changed or cut?"
)
@click.option("--prune", is_flag=True, help="Remove the runs that ended before a day (--before).")
@click.option("--before", type=click.DateTime(["%Y-%m-%d"]), help="With --prune: this day, in UTC.")
@click.option("--yes", is_flag=True, help="With --prune: do not ask. Required without a terminal.")
@json_option
def log(
    *,
    run: int | None,
    verify: bool,
    prune: bool,
    before: datetime | None,
    yes: bool,
    as_json: bool,
) -> int:
    """Show the journal: its runs, newest first, or one run entry by entry.

    A damaged journal is shown up to the damage. With --verify, the exit code is 1 when an entry was changed or cut off.

    --prune removes old runs, all or nothing, and leaves a checkpoint from which --verify continues. The state of every
    cell, what it held before its last write, and the texts that a rollback needs stay.
    """
    if prune is (before is None) or [run is not None, verify, prune].count(True) > 1 or (yes and not prune):
        raise ConfigurationError(
            "--run, --verify and --prune exclude each other, and --prune needs --before",
            hint="awning publish log --prune --before 2026-08-01",
        )
    stores = open_stores(os.environ)
    if verify:
        return _verify(stores.state, as_json=as_json)
    if before is not None:
        return _prune(stores, before.date(), yes=yes, as_json=as_json)
    journal, damage = open_readable(stores.state)
    with closing(journal):
        if run is not None:
            _show_run(stores, journal, damage, run, as_json=as_json)
        else:
            _show_runs(stores, journal, damage, as_json=as_json)
    return _report_damage(damage)


def _instances(inventory: Inventory) -> Sequence[Instance]:
    """Return all instances, also the removed ones."""
    return (*inventory.all(), *inventory.removed_named())


def _show_run(stores: Stores, journal: Journal, damage: Damage | None, run: int, *, as_json: bool) -> None:
    releases = {} if damage else stores.releases.newest_by_hash()
    entries = run_entries(journal, run, _instances(stores.inventory), releases)
    runs = [] if as_json else _run_rows(stores, journal, damage, only=run)
    lines = (*map(run_line, runs), *map(entry_line, entries))
    print_result(as_json, lines, entries=entries, damaged=damage and damage.as_json())


def _run_rows(
    stores: Stores, journal: Journal, damage: Damage | None, *, only: int | None = None
) -> list[dict[str, Any]]:
    records: Mapping[int, RunRecord] = {}
    names: Mapping[str, str] = {}
    if damage is None:
        records = stores.runs.all()
        names = {instance.key: instance.display_name for instance in _instances(stores.inventory)}
    later = {record.continues: run for run, record in sorted(records.items()) if record.continues}
    if damage is None:
        later |= data_continuations(journal)
    return [
        run_row(row, records.get(row["run"]), names, continued_by=later.get(row["run"]))
        for row in journal.runs(only)
    ]


def _show_runs(stores: Stores, journal: Journal, damage: Damage | None, *, as_json: bool) -> None:
    runs, prunings = _run_rows(stores, journal, damage), journal.prunings()
    damaged = damage and damage.as_json()
    print_result(as_json, map(run_line, runs), runs=runs, pruned=prunings, damaged=damaged)
    for pruning in () if as_json else prunings:
        say(f"pruned at {pruning['at']}: {pruning['note']}")


def _still_there(cell: dict[str, Any]) -> str:
    """Return what is known of a cell that the last run did not reach."""
    return "; what was published before is there, as far as is known" if _is_left(cell) else ""


def _is_left(cell: dict[str, Any]) -> bool:
    return bool(cell["has_published"]) and cell["outcome"] not in REACHED and cell["reason"] != STAYS


def _print_cells(cells: Sequence[dict[str, Any]], *, verbose: bool) -> None:
    outcomes = Counter(cell["outcome"] for cell in cells)
    totals = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
    left = sum(map(_is_left, cells))
    if not totals:
        say("nothing was ever published from here")
        return
    shops = len({cell["instance"] for cell in cells})
    click.echo(f"{totals}, of {plural(shops, 'instance')}")
    if verbose:
        for cell in cells:
            line = cell_line(cell["outcome"], cell["instance"], cell["language"], cell["reason"])
            click.echo(f"{line}{_still_there(cell)}  {cell['at']}")
    else:
        _print_groups(cells)
        say("--verbose shows every cell")
    if left:
        say(f"{left:,} of these were not reached, and have what was published before, as far as is known")


def _print_groups(cells: Sequence[dict[str, Any]]) -> None:
    """Print the number of cells by outcome and reason, and the first cells of each group that is not right."""
    groups: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        name = place_name(cell["instance"], cell["language"])
        groups.setdefault((cell["outcome"], cell["reason"] or ""), []).append(name)
    for (outcome, reason), names in sorted(groups.items(), key=lambda group: (group[0][0], -len(group[1]))):
        if outcome in RIGHT and not reason:
            continue
        click.echo(many_line(outcome, len(names), reason, () if outcome in RIGHT else names))


def _verify(state: StateStore, *, as_json: bool) -> int:
    try:
        with closing(Journal.open_unchecked(state)) as journal:
            broken, hint = journal.verify(), journal.hint
            if broken is None:
                journal.check()  # all entries are there, but a text that a rollback needs may be damaged
                _report_sound(journal.mark(), journal.prunings(), as_json=as_json)
                return Exit.DONE
    except DatabaseDamaged as damage:
        broken, hint = Break(seq=0, message=damage.message), damage.hint or ""
    if as_json:
        _print_verified(ok=False, broken={"seq": broken.seq, "message": broken.message})
    else:
        say(f"error: the journal is not as it was written: {broken.message}")
        say(f"  hint: {hint}")
    return Exit.FINDINGS


def _report_sound(mark: Mark, prunings: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        _print_verified(ok=True, seq=mark.seq, hash=mark.chain, pruned=prunings)
        return
    click.echo(f"the journal is as it was written: {mark.seq} entries, the last one is {mark.chain}")
    if prunings:
        click.echo(f"entries 1 to {prunings[-1]['seq']} were pruned")


def _print_verified(**fields: Any) -> None:
    fields = {"ok": None, "seq": None, "hash": None, "pruned": [], "broken": None} | fields
    print_result(True, (), **fields)


def _prune(stores: Stores, before: date, *, yes: bool, as_json: bool) -> int:
    """Prune the journal after a confirmation. Runs that an apply can still continue or take back stay.

    Raises ConfigurationError for a day in the future, and when there is something to confirm, but no terminal.
    """
    if before > datetime.now(UTC).date():
        raise ConfigurationError(
            "--before is in the future", hint="at most today (UTC); runs that ended today stay"
        )
    journal = stores.journal
    if not yes:  # without the lock, so that a publish can begin while the user reads the question
        prunable = journal.prunable(before, keep_from=_first_to_keep(stores.runs))
        question = f"Remove {prunable.entries:,} entries of {plural(prunable.runs, 'run')} for good?"
        if prunable.entries and not is_confirmed(question, yes=False):
            return Exit.FINDINGS
    with lock_runs(stores.state):
        operator = operator_name(os.environ)
        pruned = journal.prune(before, keep_from=_first_to_keep(stores.runs), operator=operator)
    removed = f"{plural(pruned.runs, 'run')} with {pruned.entries:,} entries removed"
    counts = {"runs": pruned.runs, "entries": pruned.entries, "seq": pruned.seq}
    print_result(as_json, removed if pruned.entries else (), ok=True, **counts)
    if not pruned.entries and not as_json:
        say(f"no run ended before {before.isoformat()}")
    return Exit.DONE


def _first_to_keep(runs: RunStates) -> int | None:
    """Return the number of the first run of the unfinished series; None when no run is unfinished.

    In a series, each run continues the one before. The next apply may continue the series. Then a gate that does not
    hold may take back all its runs.
    """
    unfinished = runs.unfinished()
    return runs.chain(unfinished)[-1] if unfinished else None


def _report_damage(damage: Damage | None) -> int:
    """Report the damage of the journal, if there is any. Returns the exit code."""
    if damage is None:
        return Exit.DONE
    say(f"error: {damage.message}")
    say(f"  hint: {damage.hint}")
    return Exit.FINDINGS
