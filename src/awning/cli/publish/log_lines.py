"""The rows of `awning publish log` for JSON, and as lines: a run with its scope, an entry with its releases."""

from collections.abc import Mapping, Sequence
from typing import Any

from awning.cli.publish.output import NAMED_INSTANCES, place_name
from awning.client.secret import escaped
from awning.diagnostics import first_few
from awning.publish.journal.journal_entry import EntryKind, RunTask
from awning.publish.journal.writes import OF_DATA
from awning.publish.waves.run_state import RunRecord, RunState

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
