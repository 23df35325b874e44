"""Carries out a saved plan: writes the planned cells, except those that have changed since the plan was made.

A planned cell is stale when the journal has a newer entry for it, or when the inventory has other languages or another
held release for its instance. A stale cell is skipped. Instances and languages that were added later are not in the
plan, so they are not published.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from awning.client import apps, call
from awning.client.flow import Sender
from awning.publish.apply import ApplyWork, Job, run_job
from awning.publish.cell_flow import DOUBTED, PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, Summary
from awning.publish.cells import NOT_USED, Cell
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.writer import JournalWriter
from awning.publish.plan.planned_cell import Action, PlannedCell
from awning.publish.plan.saved_plan import SavedPlan
from awning.publish.stores import Stores

STALE = "plan is stale"
GONE = "plan is stale: the inventory no longer has the instance"
PAGE = 200
"""How many instances are read from the inventory at once."""


class SavedPlanWork(ApplyWork):
    """Publishes the planned cells of each instance."""

    def __init__(self, job: Job, writer: JournalWriter, plan: SavedPlan, stores: Stores) -> None:
        super().__init__(job, writer)
        self._plan = plan
        self._stores = stores
        self._planned: dict[str, list[PlannedCell]] = {}
        self._seqs: dict[tuple[str, str | None], int] = {}
        self._passes = 0

    def instances(self, is_chosen: Callable[[Instance], bool]) -> Iterator[Instance]:
        """Yield the chosen instances of the plan, in the plan's order.

        The first call also records the cells of instances that are no longer in the inventory as skipped.
        """
        self._passes += 1
        page: list[tuple[str, list[PlannedCell]]] = []
        for entry in self._plan.instances():
            page.append(entry)
            if len(page) == PAGE:
                yield from self._look_up(page, is_chosen)
                page = []
        yield from self._look_up(page, is_chosen)

    def _look_up(
        self, page: Sequence[tuple[str, list[PlannedCell]]], is_chosen: Callable[[Instance], bool]
    ) -> Iterator[Instance]:
        keys = [key for key, _ in page]
        known = self._stores.inventory.by_keys(keys)
        records = self._stores.journal.records(keys)
        for key, planned in page:
            if key not in known:
                self._note_gone(key, planned)
                continue
            if not is_chosen(known[key]):
                continue
            self._planned[key] = planned
            self._seqs |= {(key, lang): record.seq for lang, record in records.get(key, {}).items()}
            yield known[key]

    def _note_gone(self, key: str, planned: Sequence[PlannedCell]) -> None:
        if self._passes == 1:
            for cell in planned:
                self.note(key, key, cell.language, Ending(outcome=CellOutcome.SKIPPED, reason=GONE))

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        """Return the planned cells of an instance.

        A plan that was made without reading the service may not have the website's present languages, so they are read
        here.
        """
        cells = self.cells_without_answer(instance)
        if not self._plan.header.refreshed:
            website = yield from call(apps.languages(instance.code), self.calling, doubted=DOUBTED)
            cells = [
                cell if cell.language in {None, *website} else replace(cell, skip=cell.skip or NOT_USED)
                for cell in cells
            ]
        return (yield from self.with_data(instance, cells))

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        snippets = self.job.build_of(instance).snippets
        return [
            Cell(
                instance=instance,
                language=planned.language,
                snippets=snippets.get(planned.language, ()),
                skip=self._skip(instance, planned),
            )
            for planned in self._planned[instance.key]
        ]

    def _skip(self, instance: Instance, planned: PlannedCell) -> str | None:
        if planned.action is Action.SKIP:
            return planned.reason
        seq = self._seqs.get((instance.key, planned.language), 0)
        return None if (seq, instance.stamp) == (planned.seq, planned.stamp) else STALE

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        if cell.is_data:
            return (yield from super().cell(cell))
        planned = next(p for p in self._planned[cell.instance.key] if p.language == cell.language)
        if planned.action is Action.UNCHANGED and self.unsettled_s(cell) <= 0:
            contents = {snippet.place: snippet.sha256 for snippet in cell.snippets}
            return Ending(outcome=CellOutcome.UNCHANGED, contents=contents, published=contents)
        return (yield from super().cell(cell))

    def not_run(self, cell: Cell, ending: Ending) -> Ending:
        is_stale = ending.outcome is CellOutcome.SKIPPED and ending.reason == STALE
        return super().not_run(cell, replace(ending, cause=Cause.STALE) if is_stale else ending)

    def instance_ended(self, instance: Instance, results: Sequence[Ending]) -> None:
        for planned in self._planned.pop(instance.key):
            self._seqs.pop((instance.key, planned.language), None)
        super().instance_ended(instance, results)


async def apply_plan(
    job: Job, send: Sender, writer: JournalWriter, plan: SavedPlan, stores: Stores
) -> Summary:
    """Carry out a plan, and return the summary.

    Raises JournalUnwritable when the journal cannot be written, or the lock of the run is lost.
    """
    return await run_job(job, SavedPlanWork(job, writer, plan, stores), send, writer)
