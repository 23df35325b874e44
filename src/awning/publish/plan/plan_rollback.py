"""Plans a rollback: reads the cells, and finds which cells would be written back, and which cannot be taken back."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from awning.client import Calling
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow, read_snippet, same_in_page
from awning.publish.cell_outcome import Cause, Ending, ending_of
from awning.publish.cells import Cell
from awning.publish.inventory.inventory import Instance
from awning.publish.ownership import FOREIGN, Ownership
from awning.publish.plan.planned_cell import Action, PlannedCell
from awning.publish.rollback import RollbackCells


class RollbackPlanWork:
    """Plans the rollback of each instance. `sink` gets the planned cells of each instance, in their order."""

    def __init__(
        self,
        cells: RollbackCells,
        calling: Calling,
        ownership: Ownership,
        sink: Callable[[Sequence[PlannedCell]], object],
    ) -> None:
        self._cells = cells
        self._calling = calling
        self._ownership = ownership
        self._sink = sink
        self._planned: dict[str, list[PlannedCell]] = {}

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        return self._cells.of(instance)

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return self._cells.without_answer(instance)

    def cell(self, cell: Cell) -> PublishFlow[PlannedCell]:
        reason = self._cells.refusal(cell)
        if reason is not None:
            return _planned(cell, Action.REFUSE, reason)
        action = Action.UNCHANGED
        for snippet in cell.snippets:
            try:
                text = yield from read_snippet(cell, snippet.place, self._calling)
            except ServiceError as problem:
                return _unread(cell, ending_of(problem))
            if text is not None and same_in_page(text, snippet.text):
                continue
            if not self._ownership.may_replace(text):
                return replace(_planned(cell, Action.CONFLICT, FOREIGN), writes_first=action is Action.WRITE)
            action = Action.WRITE
        planned = _planned(cell, action, self._cells.remark(cell) if action is Action.WRITE else None)
        return replace(planned, release=self._cells.release_of(cell))

    def ended(self, cell: Cell, result: PlannedCell) -> None:
        self._planned.setdefault(cell.instance.key, []).append(result)

    def not_run(self, cell: Cell, ending: Ending) -> None:
        is_skipped = cell.skip is not None
        self.ended(cell, _planned(cell, Action.SKIP, cell.skip) if is_skipped else _unread(cell, ending))

    def instance_ended(self, instance: Instance) -> None:
        self._sink(self._planned.pop(instance.key, []))


def _planned(cell: Cell, action: Action, reason: str | None) -> PlannedCell:
    return PlannedCell(
        instance=cell.instance.display_name,
        key=cell.instance.key,
        language=cell.language,
        action=action,
        reason=reason,
    )


def _unread(cell: Cell, ending: Ending) -> PlannedCell:
    planned = _planned(cell, Action.SKIP, f"it could not be read: {ending.reason}")
    return replace(planned, cause=ending.cause or Cause.OTHER)
