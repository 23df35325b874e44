"""Runs a change of the app data of many instances, or shows what it would change: for `awning data` and `disable`."""

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from awning.cli.publish.apply import LISTED
from awning.cli.publish.options import RunOptions
from awning.cli.publish.output import NAMED_INSTANCES, Spool, natural_order, print_document, say_unread
from awning.cli.publish.progress import progress_of
from awning.cli.report import say
from awning.client.secret import escaped
from awning.data_schema import ABSENT, SchemaPart, ValueChange, has_secrets, kind_of, shown_path
from awning.diagnostics import first_few
from awning.publish.cell_outcome import (
    RIGHT,
    Cause,
    CellOutcome,
    CellResult,
    Ending,
    Summary,
    SummaryCounts,
    unread_exit_code,
)
from awning.publish.data.change import DataRunChange
from awning.publish.data.run import change_app_data, plan_app_data
from awning.publish.data.work import PlannedData
from awning.publish.inventory.inventory import Instance
from awning.publish.operator import operator_name
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores

LINES = 40
"""The most different changes, and the most reasons, that a plan prints. With --json all are there."""
LONGEST = 60
"""The most characters of a value that a plan prints."""

WRITE = "write"
_ACTIONS = (WRITE, *(outcome.value for outcome in CellOutcome))


def run_change(
    change: DataRunChange, run: RunOptions, stores: Stores, progress: str, *, as_json: bool
) -> int:
    """Change the app data of the chosen instances, print the results, and return the exit code."""
    with Spool() as spool:
        request = _request(run, stores)
        count = None if run.only or run.labels else stores.inventory.count()
        run_progress = progress_of(progress, sys.stderr, instances=count)

        def end(result: CellResult) -> None:
            ending = result.ending
            spool.add({"instance": result.instance, "outcome": ending.outcome.value, "reason": ending.reason})
            run_progress.cell(result)
            run_progress.instance()

        operator = operator_name(os.environ)
        summary = change_app_data(change, request, stores.state, operator=operator, sink=end)
        run_progress.end()
        _print_summary(summary, spool, as_json=as_json)
    return int(summary.exit_code)


def show_change(
    change: DataRunChange, run: RunOptions, stores: Stores, schema: SchemaPart | None, *, as_json: bool
) -> int:
    """Print what a change would do to the chosen instances, and return the exit code. Nothing is written.

    The values of settings that `schema`, or that of the newest release, marks as secret are not printed.
    """
    with Spool() as spool:
        releases = stores.releases.all()
        published = stores.releases.files(releases[-1].number).schema() if releases else None
        plan = _PrintedPlan(spool, [each for each in (schema, published) if each is not None])
        plan_app_data(change, _request(run, stores), stores, plan.add)
        code = unread_exit_code(plan.causes, reached=plan.is_reached)
        if as_json:
            totals = dict(plan.totals)
            print_document({"ok": not code, "dry_run": True, "totals": totals}, "instances", spool.rows())
        else:
            plan.print()
        say_unread(code)
    return int(code)


def _request(run: RunOptions, stores: Stores) -> ServiceRequest:
    instances = run.instances(stores.inventory)
    only = tuple(instance.key for instance in instances) if run.only else ()
    return replace(run.service_request(), instances=instances, only=only, labels=run.labels)


def _print_summary(summary: Summary, spool: Spool, *, as_json: bool) -> None:
    if as_json:
        print_document(summary.as_json(), "instances", spool.rows())
        return
    many = sum(summary.totals.values()) > LISTED
    skips: dict[str, list[str]] = {}
    wrong: dict[tuple[str, str], list[str]] = {}
    for row in spool.rows():
        if row["outcome"] == CellOutcome.SKIPPED and row["reason"]:
            skips.setdefault(row["reason"], []).append(row["instance"])
        elif row["outcome"] not in RIGHT:
            wrong.setdefault((row["outcome"], row["reason"] or ""), []).append(row["instance"])
        elif not many:
            click.echo(escaped(f"{row['outcome']:<9}  {row['instance']}"))
    for (outcome, reason), names in wrong.items():
        which = [_named(names)] if len(names) > NAMED_INSTANCES else sorted(names, key=natural_order)
        for name in which:
            click.echo(escaped(f"{outcome:<9}  {name}{f'  - {reason}' if reason else ''}"))
    for reason, names in skips.items():
        click.echo(escaped(f"{CellOutcome.SKIPPED:<9}  {reason}    {_named(names)}"))
    totals = ", ".join(f"{count} {outcome}" for outcome, count in summary.totals.items() if count)
    click.echo(totals or "no instances")
    if summary.hint:
        say(summary.hint)


def print_one(run: int, instance: Instance, ending: Ending) -> None:
    """Print the document of a run about the app data of one instance."""
    name, counts = instance.display_name, SummaryCounts()
    counts.add(CellResult(instance=name, key=instance.key, language=None, ending=ending))
    rows = [{"instance": name, "outcome": ending.outcome.value, "reason": None}]
    print_document(Summary(run=run, counts=counts).as_json(), "instances", rows)


class _PrintedPlan:
    """What a change would do: instances with the same change are printed together."""

    def __init__(self, spool: Spool, schemas: Sequence[SchemaPart]) -> None:
        self._spool = spool
        self._schemas = schemas
        self._changes: dict[str, list[str]] = {}
        self._reasons: dict[str, list[str]] = {}
        self.totals: Counter[str] = Counter()
        self.causes: set[Cause] = set()
        self.is_reached = False

    def add(self, planned: PlannedData) -> None:
        name, ending = planned.instance.display_name, planned.ending
        action = WRITE if ending is None else ending.outcome.value
        self.totals[action] += 1
        self.is_reached |= planned.is_read
        if not planned.is_read and planned.cause is not None:
            self.causes.add(planned.cause)
        row: dict[str, Any] = {"instance": name, "action": action, "reason": ending and ending.reason}
        self._spool.add(row | {"changes": [self._as_json(change) for change in planned.changes]})
        for change in planned.changes:
            self._changes.setdefault(self._line(change), []).append(name)
        if ending is not None and ending.outcome is not CellOutcome.UNCHANGED:
            self._reasons.setdefault(f"{action:<9}  {ending.reason or ''}", []).append(name)

    def print(self) -> None:
        for lines, what in ((self._changes, "changes"), (self._reasons, "reasons")):
            by_count = sorted(lines.items(), key=lambda item: -len(item[1]))
            for line, names in by_count[:LINES]:
                click.echo(escaped(f"{line}    {_named(names)}"))
            if len(by_count) > LINES:
                say(f"and {len(by_count) - LINES:,} more {what}: --json lists all")
        totals = ", ".join(f"{self.totals[name]:,} {name}" for name in _ACTIONS if self.totals[name])
        click.echo(f"dry run: {totals or 'no instances'}")

    def _line(self, change: ValueChange) -> str:
        is_secret = any(_is_secret(schema, change.path) for schema in self._schemas)
        old, new = (_shown(value, is_secret=is_secret) for value in (change.old, change.new))
        return f"{shown_path(change.path) or 'all app data'}: {old} -> {new}"

    def _as_json(self, change: ValueChange) -> dict[str, Any]:
        row: dict[str, Any] = {"path": list(change.path)}
        if any(_is_secret(schema, change.path) for schema in self._schemas):
            return row | {"hidden": True}
        values = {"old": change.old, "new": change.new}
        return row | {name: value for name, value in values.items() if value is not ABSENT}


def _named(names: Sequence[str]) -> str:
    names = sorted(names, key=natural_order)
    count = "1 instance" if len(names) == 1 else f"{len(names):,} instances"
    return f"{count}: {first_few(names, NAMED_INSTANCES)}"


def _shown(value: Any, *, is_secret: bool) -> str:
    if value is ABSENT:
        return "not set"
    if is_secret:
        return kind_of(value)
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}… ({len(text):,} characters)"


def _is_secret(schema: SchemaPart, path: Sequence[str | int]) -> bool:
    """Return whether a setting is secret, or holds one, or is in one."""
    part: SchemaPart | None = schema
    for step in path:
        if part is None or part.secret:
            break
        part = part.properties.get(str(step), part.others)
    return part is not None and has_secrets(part)
