"""`awning publish plan`: shows what an apply would do."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from awning.cli.publish.options import PlanBuild, RunOptions, run_options
from awning.cli.publish.output import (
    Spool,
    cell_line,
    head_fields,
    print_difference,
    print_document,
    print_release_differences,
    print_releases,
    release_differences,
    say_head,
    say_not_built,
    say_unread,
)
from awning.cli.report import json_option, plural, say
from awning.cli.service_options import open_stores
from awning.client import Secret
from awning.client.secret import escaped
from awning.errors import ConfigurationError
from awning.publish.cell_outcome import releases_json
from awning.publish.cells import ownership_of
from awning.publish.manifest_head import UnwrittenHead
from awning.publish.plan.planned_cell import (
    Action,
    DataAction,
    PlannedCell,
    PlannedMigration,
    PlanSummary,
    accept_foreign,
    misfit_sentence,
)
from awning.publish.plan.planning import plan_by_journal
from awning.publish.plan.saved_plan import REMAKE, PlanHeader, SavedPlan, read_plan, writing_plan
from awning.publish.reading import plan_apply
from awning.publish.release.build_files import BuildFiles
from awning.publish.release.releases import Builds
from awning.publish.state.store import StateStore
from awning.publish.stores import Stores
from awning.publish.text_difference import Differences

CONFLICTS = 20
"""The maximum number of conflicts that are listed without --verbose."""
_LISTED = (DataAction.FAIL, DataAction.UNREAD, DataAction.BACK)
_OF_APPLY = tuple(action for action in DataAction if action is not DataAction.BACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """How a plan is made and shown. `out` is the file in which it is saved."""

    refresh: bool = False
    overwrite_foreign: bool = False
    out: Path | None = None
    verbose: bool = False
    detailed: bool = False
    diff: bool = False
    as_json: bool = False


@click.command()
@run_options
@click.option("--refresh", is_flag=True, help="Read every cell. Without it, the service is asked nothing.")
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the plan in this file, for `publish apply FILE`.",
)
@click.option("--verbose", is_flag=True, help="Show every cell.")
@click.option(
    "--diff", is_flag=True, help="Show what differs: the author's lines, or bytes of somebody else's."
)
@click.option(
    "--detailed-exitcode",
    "detailed",
    is_flag=True,
    help="End with 3 when something would be written or conflicts.",
)
@json_option
def plan(
    *,
    refresh: bool,
    out: Path | None,
    verbose: bool,
    diff: bool,
    detailed: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Show what an apply would do to each cell. Nothing is written to the service.

    Without --refresh, the plan comes from the journal and the inventory alone.

    With --diff, where a release of ours is replaced, the lines of your files that differ are shown once. Where somebody
    else's snippet is, its bytes are compared.
    """
    run = RunOptions(**options)
    stores = open_stores(os.environ)
    wanted = PlanOptions(
        refresh=refresh, out=out, verbose=verbose, detailed=detailed, diff=diff, as_json=as_json
    )
    return show_plan(run, run.files(stores), stores, wanted)


def show_plan(run: RunOptions, files: BuildFiles, stores: Stores, wanted: PlanOptions) -> int:
    """Make a plan, save it if `wanted.out` is set, and print it. Returns the exit code."""
    build, head = run.plan_build(files, stores), run.unwritten_head(files, stores)
    differences = _differences(run, files, stores) if wanted.diff else None
    with Spool() as spool:
        printed = PrintedPlan(wanted, spool, build, head, differences)
        with _saved_in(wanted, run, files, stores.state) as save:

            def sink(cells: Sequence[PlannedCell]) -> None:
                printed.add(cells)
                for cell in cells:
                    save(cell)

            if wanted.refresh:
                request = run.request(files, overwrite_foreign=wanted.overwrite_foreign)
                request = replace(request, instances=run.instances(stores.inventory))
                plan_apply(request, stores, sink, differences=differences)
            else:
                for cell in _planned_by_journal(run, files, stores, wanted, differences):
                    sink([cell])
        printed.end()
    return int(printed.summary.exit_code(detailed=wanted.detailed))


def _differences(run: RunOptions, files: BuildFiles, stores: Stores) -> Differences:
    build = files.build(heads=run.heads, release=run.release)
    return Differences(stores, ownership_of(build, stores).has, files)


@contextmanager
def _saved_in(
    wanted: PlanOptions, run: RunOptions, files: BuildFiles, state: StateStore
) -> Iterator[Callable[[PlannedCell], None]]:
    """Yield the function that saves a cell. It does nothing if the plan is not to be saved."""
    if wanted.out is None:
        yield lambda _cell: None
        return
    with writing_plan(wanted.out, _header(run, files, state, refreshed=wanted.refresh)) as writer:
        yield writer.add


def check_plan(path: Path, run: RunOptions, files: BuildFiles, state: StateStore) -> SavedPlan:
    """Read a saved plan.

    Raises ConfigurationError when it cannot be read, or is for another build, data schema, service, kind of
    service or state store.
    """
    saved = read_plan(path)
    now = _header(run, files, state, refreshed=saved.header.refreshed)
    names = {
        "fingerprint": "build",
        "base_url": "service",
        "state": "state store",
        "heads": "kind of service (head_snippets of the profile)",
        "data": "data schema, or for other migrations",
    }
    for name, what in names.items():
        if getattr(saved.header, name) != getattr(now, name):
            raise ConfigurationError(f"{path} is a plan for another {what}", hint=REMAKE)
    return saved


def _header(run: RunOptions, files: BuildFiles, state: StateStore, *, refreshed: bool) -> PlanHeader:
    return PlanHeader(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        fingerprint=files.record.fingerprint,
        release=run.release,
        base_url=(run.address or "").rstrip("/"),
        state=state.hash_of(Secret("plan")),
        heads=run.heads,
        refreshed=refreshed,
        data=files.data_hash,
    )


def _planned_by_journal(
    run: RunOptions,
    files: BuildFiles,
    stores: Stores,
    wanted: PlanOptions,
    differences: Differences | None,
) -> Iterator[PlannedCell]:
    build = files.build(heads=run.heads, release=run.release)
    planned = plan_by_journal(
        run.pages(stores.inventory),
        Builds(build, stores.releases, heads=run.heads).of,
        stores.journal,
        ownership_of(build, stores, overwrite_foreign=wanted.overwrite_foreign),
        differences=differences,
        text=stores.text,
    )
    return accept_foreign(planned, stores.acknowledgements)


class PrintedPlan:
    """Prints a plan: its cells (all with --verbose or --json, else only the first conflicts) and their counts.

    `build` is what an apply would publish; None for a rollback, whose counts are also by release.
    """

    def __init__(
        self,
        wanted: PlanOptions,
        spool: Spool,
        build: PlanBuild | None,
        head: UnwrittenHead | None,
        differences: Differences | None = None,
    ) -> None:
        self._differences = differences
        self._wanted = wanted
        self._build = build
        self._head = head
        self._spool = spool
        self._conflicts = self._unfit = 0
        self._is_unfit_by_change = False
        self._data: Counter[DataAction] = Counter()
        self.summary = PlanSummary()

    def add(self, cells: Sequence[PlannedCell]) -> None:
        if cells and cells[0].misfits:
            self._add_misfits(cells[0])
        if cells and cells[0].migration is not None:
            self._add_migration(cells[0].instance, cells[0].migration)
        for cell in cells:
            self.summary.add(cell)
            if self._wanted.as_json:
                self._spool.add(cell.as_json())
            elif self._wanted.verbose or self._is_listed_conflict(cell):
                click.echo(cell_line(cell.action.value, cell.instance, cell.language, cell.reason))
                print_difference(cell.differences)

    def _add_misfits(self, cell: PlannedCell) -> None:
        """Count an instance whose app data do not fit the build, and print the first few, or all with --verbose."""
        self._unfit += 1
        change = self._build.schema_change if self._build and cell.pinned is None else None
        self._is_unfit_by_change |= change is not None and any(change.is_about(m.path) for m in cell.misfits)
        if not self._wanted.as_json and (self._wanted.verbose or self._unfit <= CONFLICTS):
            more = f", and {len(cell.misfits) - 1:,} more" if len(cell.misfits) > 1 else ""
            click.echo(escaped(f"app data   {cell.instance}  - {misfit_sentence(cell.misfits[0])}{more}"))

    def _add_migration(self, instance: str, migration: PlannedMigration) -> None:
        """Count what happens to the app data of an instance, and print the first that fail or go back.

        With --verbose, all are printed.
        """
        self._data[migration.action] += 1
        if migration.action not in _LISTED or self._wanted.as_json:
            return
        if self._wanted.verbose or sum(self._data[action] for action in _LISTED) <= CONFLICTS:
            line = cell_line(migration.action.value, instance, None, migration.reason, is_data=True)
            click.echo(line)

    def _is_listed_conflict(self, cell: PlannedCell) -> bool:
        self._conflicts += cell.action is Action.CONFLICT
        return cell.action is Action.CONFLICT and self._conflicts <= CONFLICTS

    def end(self) -> None:
        summary = self.summary
        say_unread(summary.exit_code(detailed=False))
        if self._wanted.as_json:
            self._print_document()
            return
        if not self._wanted.verbose and self._conflicts > CONFLICTS:
            say(f"and {self._conflicts - CONFLICTS:,} more conflicts; --verbose shows all")
        self._print_groups()
        if not summary.groups:
            say("no cells: the inventory is empty, or no instance has the label")
        elif not summary.has_changes and not summary.causes:
            say("nothing to write")
        self._say_data()
        say_not_built(summary.not_built)
        if self._build is not None and self._build.rolled_back is not None:
            say(self._build.rolled_back.before_apply("an apply"))
        say_head(self._head, is_rollback=self._build is None)
        if self._wanted.out is not None:
            say(f"saved in {self._wanted.out}: awning publish apply {self._wanted.out}")

    def _say_data(self) -> None:
        """Print what would happen to app data, or what is known of it without reading any."""
        if self._data:
            data = ", ".join(
                f"{self._data[action]:,} {action}" for action in DataAction if self._data[action]
            )
            click.echo(f"app data   {data}")
            hidden = sum(self._data[action] for action in _LISTED) - CONFLICTS
            if hidden > 0 and not self._wanted.verbose:
                say(f"and the app data of {plural(hidden, 'more instance')}; --verbose shows all")
        elif self._build is not None and self._build.migrates:
            say("this build migrates app data: --refresh tries it on what the shops hold")
        change = self._build.schema_change if self._build is not None else None
        if change is not None and (self._is_unfit_by_change or not self._wanted.refresh):
            for sentence in change.sentences():
                say(sentence)
        if self._unfit:
            shops = "1 instance has" if self._unfit == 1 else f"{self._unfit:,} instances have"
            say(
                f"{shops} app data that do not fit this build: "
                "`awning data check` names them with all settings, and `awning data set` changes them"
            )

    def _print_document(self) -> None:
        summary = self.summary
        what = self._build.as_json() if self._build else {"releases": releases_json(summary.releases)}
        left = {"not_built": summary.not_built} if summary.not_built else {}
        document = {"summary": summary.totals, **what, **left}
        document |= head_fields(self._head)
        if self._unfit:
            document["unfit_instances"] = self._unfit
        if self._data:
            actions = _OF_APPLY if self._build else (DataAction.BACK,)
            document["app_data"] = {action.value: self._data[action] for action in actions}
        if self._differences is not None:
            document["release_differences"] = release_differences(self._differences)
        print_document(document, "cells", self._spool.rows())

    def _print_groups(self) -> None:
        summary = self.summary
        if self._build is not None and summary.groups:
            click.echo(f"{self._build.sentence(summary.pinned)}:")
        for (action, reason), count in _ordered(summary.groups):
            click.echo(f"{action.value:<9}  {plural(count, 'cell')}" + (f"  - {reason}" if reason else ""))
        if self._differences is not None:
            print_release_differences(self._differences)
        if self._build is None:
            print_releases(summary.releases)


def _ordered(
    groups: Counter[tuple[Action, str | None]],
) -> Sequence[tuple[tuple[Action, str | None], int]]:
    order = {action: index for index, action in enumerate(Action)}
    return sorted(groups.items(), key=lambda group: (order[group[0][0]], group[0][1] or ""))
