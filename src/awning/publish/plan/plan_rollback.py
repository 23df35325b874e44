"""Plans a rollback: reads the cells, and finds which cells would be written back, and which cannot be taken back."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from awning.client import Calling
from awning.publish.cell_flow import PublishFlow
from awning.publish.cells import Cell
from awning.publish.inventory.inventory import Instance
from awning.publish.ownership import Ownership
from awning.publish.plan.planned_cell import Action, DataAction, PlannedCell, PlannedMigration
from awning.publish.plan.planning import PlanWork, plan_of
from awning.publish.rollback import DATA_FIRST, RollbackCells


class RollbackPlanWork(PlanWork):
    """Plans the rollback of each instance. `sink` gets the planned cells of each instance, in their order."""

    def __init__(
        self,
        cells: RollbackCells,
        calling: Calling,
        ownership: Ownership,
        sink: Callable[[Sequence[PlannedCell]], object],
    ) -> None:
        super().__init__(calling, ownership)
        self._cells = cells
        self._sink = sink

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        return [cell for cell in (yield from self._cells.of(instance)) if not cell.is_data]

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return self._cells.without_answer(instance)

    def cell(self, cell: Cell) -> PublishFlow[PlannedCell]:
        reason = self._cells.refusal(cell)
        if reason is not None:
            return plan_of(cell, Action.REFUSE, reason)
        planned = yield from super().cell(cell)
        release = self._cells.release_of(cell)
        match planned.action:
            case Action.ADOPT:
                return replace(planned, action=Action.UNCHANGED, release=release)
            case Action.WRITE:
                is_undone = cell.instance.key in self._cells.undo.schemas
                reason = DATA_FIRST if is_undone else self._cells.remark(cell)
                return replace(planned, reason=reason, release=release)
            case _:
                return planned

    def instance_ended(self, instance: Instance, results: Sequence[PlannedCell]) -> None:
        if instance.key in self._cells.undo.schemas:
            back = PlannedMigration(action=DataAction.BACK)
            results = [replace(cell, migration=back) for cell in results]
        self._sink(results)
