"""Compares what the service has with the last writes in the journal. It sends no operation that writes (`read_only`).

A cell drifts when somebody else changes or removes its snippet after the cell's last write in the journal. The build in
`dist/` does not matter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from awning.client import Calling, NoResponse, Operation, Response
from awning.client.async_client import Sender
from awning.contract import Exit
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow, read_snippet, same_in_page
from awning.publish.cell_outcome import Cause, Ending, ending_of, unread_exit_code
from awning.publish.cells import STAYS, Cell
from awning.publish.inventory.acknowledged import Acknowledgement, Acknowledgements
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Content, Journal
from awning.publish.release.build_files import page_hash_of, sha256_of
from awning.publish.release.releases import Releases

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
        return document


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """The result of comparing one cell: its drift, or None when it does not differ."""

    drift: Drift | None

    @property
    def cause(self) -> Cause | None:
        return self.drift.cause if self.drift else None


def read_only(send: Sender) -> Sender:
    """Return a sender that raises RuntimeError for every operation that changes something at the service."""

    async def send_reading(operation: Operation[object]) -> Response | NoResponse:
        if operation.changes:
            raise RuntimeError(f"a comparison must not call {operation.name}")
        return await send(operation)

    return send_reading


class DriftWork:
    """Compares the cells of each instance. `sink` gets the drifts of each instance, in the order of its cells."""

    def __init__(
        self,
        *,
        journal: Journal,
        releases: Releases,
        acknowledgements: Acknowledgements,
        calling: Calling,
        sink: Callable[[Sequence[Drift]], object],
    ) -> None:
        self._journal = journal
        self._releases = releases
        self._acknowledgements = acknowledgements
        self._calling = calling
        self._sink = sink
        self._records: dict[str, dict[str | None, CellRecord]] = {}
        self._drifts: dict[str, list[Drift]] = {}
        self.compared = 0
        self.not_built = 0

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        return self.cells_without_answer(instance)
        yield  # unreachable, but it makes this function a generator, as `CellWork` requires

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        known = self._journal.records([instance.key]).get(instance.key, {})
        self._records[instance.key] = known
        self._drifts[instance.key] = []
        written = [lang for lang, record in known.items() if any(map(is_ours, record.contents.values()))]
        return [Cell(instance=instance, language=language) for language in written]

    def cell(self, cell: Cell) -> PublishFlow[_Compared]:
        for place, content in self._records[cell.instance.key][cell.language].contents.items():
            if not is_ours(content):
                continue
            try:
                text = yield from read_snippet(cell, place, self._calling)
            except ServiceError as problem:
                return self._unread(cell, ending_of(problem))
            expected = (content.published,) if content.is_known else (content.published, content.sha256)
            if not any(self._is_same(text, sha256) for sha256 in expected):
                kind, detail = judge_difference(text, content)
                if kind is DriftKind.CHANGED and not any(self._text_of(h) for h in expected if h):
                    detail += LOST_TEXT
                return _Compared(drift=self._drift(cell, kind, detail))
        return _Compared(drift=None)

    def ended(self, cell: Cell, result: _Compared) -> None:
        self.compared += result.cause is None
        record = self._records[cell.instance.key][cell.language]
        self.not_built += result.drift is None and record.note == STAYS
        if result.drift is not None:
            self._drifts[cell.instance.key].append(result.drift)

    def not_run(self, cell: Cell, ending: Ending) -> None:
        self.ended(cell, self._unread(cell, ending))

    def instance_ended(self, instance: Instance) -> None:
        del self._records[instance.key]
        self._sink(self._drifts.pop(instance.key))

    def _is_same(self, text: str | None, sha256: str | None) -> bool:
        if text is None or sha256 is None:
            return False
        if sha256 in {sha256_of(text), page_hash_of(text)}:
            return True
        wanted = self._text_of(sha256)
        return wanted is not None and same_in_page(text, wanted)

    def _text_of(self, sha256: str) -> str | None:
        """Return the text with this hash; None when neither the journal nor a release has it."""
        return self._journal.snippet(sha256) or self._releases.text(sha256)

    def _unread(self, cell: Cell, ending: Ending) -> _Compared:
        drift = self._drift(cell, DriftKind.UNREADABLE, ending.reason or "it could not be read")
        return _Compared(drift=replace(drift, cause=ending.cause or Cause.OTHER))

    def _drift(self, cell: Cell, kind: DriftKind, detail: str) -> Drift:
        is_read = kind is not DriftKind.UNREADABLE
        covering = self._acknowledgements.covering(cell.instance.key, cell.language) if is_read else None
        return Drift(
            instance=cell.instance.display_name,
            language=cell.language,
            kind=kind,
            detail=detail,
            acknowledgement=covering,
        )


def is_ours(content: Content) -> bool:
    """Return whether a run wrote the content, or the wanted snippet was already there."""
    return content.was_written or content.published is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftCounts:
    """How many cells were compared, and whether the run was interrupted.

    `not_built` is how many keep an earlier snippet, because the build that was applied last lacks their language.
    """

    compared: int
    interrupted: bool
    not_built: int = 0


def exit_code_of(drifts: Sequence[Drift], counts: DriftCounts) -> Exit:
    """Return 4 when a cell differs without an acknowledgement; else 1, 5 or 6 when cells could not be read; else 0."""
    open_drifts = [drift for drift in drifts if drift.acknowledgement is None]
    if any(drift.kind is not DriftKind.UNREADABLE for drift in open_drifts):
        return Exit.DRIFT
    causes = {drift.cause for drift in open_drifts if drift.cause}
    return unread_exit_code(causes, reached=counts.compared > 0)


def judge_difference(text: str | None, content: Content) -> tuple[DriftKind, str]:
    """Return how a cell differs from its last write, and a sentence about it."""
    if not content.is_known:
        return DriftKind.UNKNOWN, "the last write of this cell had no known outcome; publish again"
    if text is None or not text.strip():
        return DriftKind.REMOVED, "nothing is set any more"
    return DriftKind.CHANGED, f"another snippet of {len(text.encode()):,} bytes is there"
