"""Compares what the service has with the last writes in the journal. It sends no operation that writes (`read_only`).

A cell drifts when somebody else changes or removes its snippet after the cell's last write in the journal. The build in
`dist/` does not matter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from awning.build_record import Place
from awning.client import Calling, NoResponse, Operation, Response
from awning.client.flow import Sender
from awning.contract import Exit
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow, read_snippet
from awning.publish.cell_outcome import Cause, Ending, ending_of, unread_exit_code
from awning.publish.cells import STAYS, Cell
from awning.publish.inventory.acknowledged import Acknowledgement
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Content
from awning.publish.runner import CellWork
from awning.publish.stores import Stores
from awning.publish.text_difference import Differences, TextDifference

LOST_TEXT = (
    "; the published text is not kept any more, so that white space at its ends counts, too: publish again"
)


class DriftKind(StrEnum):
    CHANGED = "changed"
    REMOVED = "removed"
    UNKNOWN = "unknown"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """One cell that differs from its last write in the journal, or that could not be read.

    `acknowledgement` covers the difference today; None when no acknowledgement does. `cause` is why the cell could not
    be read.
    """

    instance: str
    language: str | None
    kind: DriftKind
    detail: str
    acknowledgement: Acknowledgement | None = None
    cause: Cause | None = None
    differences: tuple[TextDifference, ...] | None = None
    """How the first place that differs does; None when nobody asked for it."""

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "instance": self.instance,
            "language": self.language,
            "kind": self.kind.value,
            "detail": self.detail,
        }
        known = self.acknowledgement
        if known is not None:
            document["acknowledged"] = {
                "owner": known.owner,
                "until": known.until,
                "reason": known.reason,
            }
        if self.differences is not None:
            document["differences"] = [difference.as_json() for difference in self.differences]
        return document


def read_only(send: Sender) -> Sender:
    """Return a sender that raises RuntimeError for every operation that changes something at the service."""

    async def send_reading(operation: Operation[object]) -> Response | NoResponse:
        if operation.changes:
            raise RuntimeError(f"a comparison must not call {operation.name}")
        return await send(operation)

    return send_reading


@dataclass(slots=True, kw_only=True)
class DriftWork(CellWork[Drift | None]):
    """Compares the cells of each instance, and collects the drifts: those of an instance in the order of its cells.

    `compared` is how many cells were compared. `not_built` is how many keep an earlier snippet, because the build that
    was applied last lacks their language.
    """

    stores: Stores
    calling: Calling
    differences: Differences | None = None
    drifts: list[Drift] = field(default_factory=list, init=False)
    compared: int = field(default=0, init=False)
    not_built: int = field(default=0, init=False)

    @property
    def exit_code(self) -> Exit:
        """4 when a cell differs without an acknowledgement; else 1, 5 or 6 when cells could not be read; else 0."""
        open_drifts = [drift for drift in self.drifts if drift.acknowledgement is None]
        if any(drift.kind is not DriftKind.UNREADABLE for drift in open_drifts):
            return Exit.DRIFT
        causes = {drift.cause for drift in open_drifts if drift.cause}
        return unread_exit_code(causes, reached=self.compared > 0)

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return our_cells(instance, self.stores.journal.cells(instance.key))

    def cell(self, cell: Cell) -> PublishFlow[Drift | None]:
        for place, content in our_contents(cell.record):
            try:
                text = yield from read_snippet(cell, place, self.calling)
            except ServiceError as problem:
                return self.not_run(cell, ending_of(problem))
            expected = (content.published,) if content.is_known else (content.published, content.sha256)
            if not any(self.stores.shows_alike(text, sha256) for sha256 in expected):
                kind, detail = judge_difference(text, content)
                if kind is DriftKind.CHANGED and not any(self.stores.text(h) for h in expected if h):
                    detail += LOST_TEXT
                covering = self.stores.acknowledgements.covering(cell.instance.key, cell.language)
                differing = self._differing(place, text, content)
                return replace(_drift(cell, kind, detail), acknowledgement=covering, differences=differing)
        return None

    def _differing(
        self, place: Place, there: str | None, content: Content
    ) -> tuple[TextDifference, ...] | None:
        """Return how a place differs from what was published last; empty when that text is not kept any more."""
        if self.differences is None:
            return None
        expected = content.published if content.is_known else content.sha256
        wanted = None if expected is None else self.stores.text(expected)
        if wanted is None:
            return ()
        release = self.stores.newest_release_with(wanted)
        difference = self.differences.of(place, there, wanted, wanted_release=release)
        return () if difference is None else (difference,)

    def not_run(self, cell: Cell, ending: Ending) -> Drift:
        drift = _drift(cell, DriftKind.UNREADABLE, ending.reason or "it could not be read")
        return replace(drift, cause=ending.cause or Cause.OTHER)

    def ended(self, cell: Cell, result: Drift | None) -> None:
        self.compared += result is None or result.cause is None
        self.not_built += result is None and cell.record is not None and cell.record.note == STAYS

    def instance_ended(self, instance: Instance, results: Sequence[Drift | None]) -> None:  # noqa: ARG002 - see CellWork
        self.drifts += [drift for drift in results if drift is not None]


def _drift(cell: Cell, kind: DriftKind, detail: str) -> Drift:
    return Drift(instance=cell.instance.display_name, language=cell.language, kind=kind, detail=detail)


def our_cells(instance: Instance, known: Mapping[str | None, CellRecord]) -> Sequence[Cell]:
    """Return the cells of an instance where a place has a content of ours. `known` are the journal's records."""
    cells = [Cell(instance=instance, language=language, record=record) for language, record in known.items()]
    return [cell for cell in cells if our_contents(cell.record)]


def our_contents(record: CellRecord | None) -> Sequence[tuple[Place, Content]]:
    """Return the contents of ours in a cell, with their places."""
    contents = record.contents.items() if record else ()
    return [(place, content) for place, content in contents if is_ours(content)]


def is_ours(content: Content) -> bool:
    """Return whether a run wrote the content, or the wanted snippet was already there."""
    return content.was_written or content.published is not None


def judge_difference(text: str | None, content: Content) -> tuple[DriftKind, str]:
    """Return how a cell differs from its last write, and a sentence about it."""
    if not content.is_known:
        return DriftKind.UNKNOWN, "the last write of this cell had no known outcome; publish again"
    if text is None or not text.strip():
        return DriftKind.REMOVED, "nothing is set any more"
    return DriftKind.CHANGED, f"another snippet of {len(text.encode()):,} bytes is there"
