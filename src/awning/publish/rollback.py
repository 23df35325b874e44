"""Takes cells back: to a release, to what each cell held before its last write, or to what it held before a run.

The journal has what a cell held. A cell that held nothing cannot go back, because the service has no call that deletes
a snippet. Old code may not understand newer app data. So the app data of each instance are read first. Data that a
publish has migrated go back before the snippets, as the new code reads both. Then they are compared with the data
schema of the build that would come back, unless the operator accepts newer data.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from awning.build_record import Place
from awning.client import Calling, apps, call
from awning.client.flow import Sender
from awning.data_schema import (
    SchemaPart,
    app_misfits,
    data_version,
    earlier_parts,
    later_parts,
    schema_version,
    sentence_for,
)
from awning.errors import ServiceError
from awning.publish.apply import ApplyWork, Job, run_job
from awning.publish.cell_flow import DOUBTED, PublishFlow
from awning.publish.cell_outcome import REACHED, Cause, CellOutcome, Ending, Summary
from awning.publish.cells import Cell, Ownership, cells_of
from awning.publish.data.migrating import MigrationSide, MigrationUndo, read_settled
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Journal
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import held_before, last_write
from awning.publish.release.build_files import Build, Snippet
from awning.publish.requests import Rollback
from awning.publish.stores import Stores

NOTHING_BEFORE = "nothing was set before"
NEVER_WRITTEN = "it was never written from here"
NOT_SINCE = "it was not written in run {} or later"
NO_SNIPPET = "the release has no snippet for this language"
LOST = "neither the journal nor a release has the text that was there before"
PINNED = "the instance is held at release {}"
NO_SCHEMA = "no release has this code, so the app data were not compared with its settings"
DATA_FIRST = "its app data go back first"
DATA_STAY = "its app data could not go back: {}"
UNFIT_DATA = "the app data do not fit the code that would come back: {}"
OLDER_DATA = (
    'the app data of "{}" have version {}, and the code that would come back reads version {}: '
    "`awning publish apply --release {}` publishes it and migrates them"
)


class RollbackCells:
    """Chooses the cells of each instance with the texts to write back, and explains why other cells cannot go back.

    `build` is the release to go back to. It does not matter for a rollback to earlier texts.
    """

    def __init__(
        self,
        rollback: Rollback,
        build: Build,
        calling: Calling,
        ownership: Ownership,
        stores: Stores,
        *,
        data: MigrationSide | None = None,
    ) -> None:
        self._data = data
        self._rollback = rollback
        self._build = None if rollback.previous else build
        self._calling = calling
        self._ownership = ownership
        self._stores = stores
        self._refusals: dict[tuple[str, str | None], str] = {}
        self.undo = MigrationUndo(journal=stores.journal, accepts_newer=rollback.accept_newer_data)
        self._schemas: dict[int, SchemaPart] = {}

    def of(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        """Return the cells of an instance. Reads its languages and its app data from the service when they are needed.

        Raises ServiceError when a call fails.
        """
        if instance.pinned is not None:
            return self._pinned(instance)
        known = self._known(instance)
        build = self._build
        if build is None:
            cells = list(self._earlier(instance, known))
        else:
            website = yield from call(apps.languages(instance.code), self._calling, doubted=DOUBTED)
            cells = list(self._released(instance, build, website, known))
        if any(cell.snippets and self._schema_of(cell) is not None for cell in cells):
            return (yield from self._with_data(instance, cells))
        return cells

    def without_answer(self, instance: Instance) -> Sequence[Cell]:
        """Return the cells of an instance without reading the service."""
        if instance.pinned is not None:
            return self._pinned(instance)
        if self._build is not None:
            return cells_of(instance, self._build, None)
        return [Cell(instance=instance, language=language) for language in _written(self._known(instance))]

    def refusal(self, cell: Cell) -> str | None:
        """Remove and return the reason why a cell cannot go back; None when it can."""
        return self._refusals.pop((cell.instance.key, cell.language), None)

    def remark(self, cell: Cell) -> str | None:
        """Return what a user should know about a cell that goes back; None when there is nothing."""
        is_compared = self._rollback.accept_newer_data or self._schema_of(cell) is not None
        return None if is_compared or not cell.is_own else NO_SCHEMA

    def release_of(self, cell: Cell) -> int | None:
        """Return the number of the release that the cell goes back to; None when no release has its snippet.

        When several releases have the snippet, it is the newest. The body's release counts; the head's when only the
        head goes back.
        """
        if self._build is not None:
            return self._build.release
        snippet = min(cell.snippets, key=lambda snippet: snippet.place != "body", default=None)
        return None if snippet is None else self._stores.newest_release_with(snippet.text)

    def _known(self, instance: Instance) -> Mapping[str | None, CellRecord]:
        return self._stores.journal.cells(instance.key)

    def _pinned(self, instance: Instance) -> list[Cell]:
        skip = PINNED.format(instance.pinned)
        return [Cell(instance=instance, language=language, skip=skip) for language in self._known(instance)]

    def _released(
        self,
        instance: Instance,
        build: Build,
        website: Sequence[str],
        known: Mapping[str | None, CellRecord],
    ) -> Iterator[Cell]:
        """Yield the cells of a release.

        A cell that was written is refused when the release has no snippet for its language.
        """
        for cell in cells_of(instance, build, website):
            record = known.get(cell.language)
            if cell.language not in build.snippets and record is not None and _was_written(record):
                yield self._refused(instance, cell.language, NO_SNIPPET)
            else:
                yield cell

    def _earlier(self, instance: Instance, known: Mapping[str | None, CellRecord]) -> Iterator[Cell]:
        """Yield the cells with the texts that they held before their last write, or before a run."""
        run = self._rollback.before_run
        held = {} if run is None else held_before(self._stores.journal, run, instance.key)
        for language, record in _written(known).items():
            if run is not None:
                yield self._with_texts(instance, language, held.get(language, {}), NOT_SINCE.format(run))
                continue
            last = max((c.run for c in record.contents.values() if c.run is not None), default=None)
            written = {p: c.before for p, c in record.contents.items() if c.run == last and c.was_written}
            yield self._with_texts(instance, language, written, NEVER_WRITTEN)

    def _with_texts(
        self, instance: Instance, language: str | None, texts: Mapping[Place, str | None], skip: str
    ) -> Cell:
        """Return the cell with the texts that have these hashes.

        The cell is skipped for the reason `skip` when there are no hashes. It is refused when a hash is None (nothing
        was set there), or when neither the journal nor a release has the text.
        """
        if not texts:
            return Cell(instance=instance, language=language, skip=skip)
        snippets: list[Snippet] = []
        for place, sha256 in texts.items():
            if sha256 is None:
                return self._refused(instance, language, NOTHING_BEFORE)
            text = self._stores.text(sha256)
            if text is None:
                return self._refused(instance, language, LOST)
            snippets.append(Snippet(place=place, text=text, sha256=sha256))
        is_own = all(snippet.sha256 in self._ownership.replaceable for snippet in snippets)
        return Cell(
            instance=instance, language=language, snippets=tuple(snippets), is_own=is_own, is_undo=True
        )

    def _refused(self, instance: Instance, language: str | None, reason: str) -> Cell:
        self._refusals[instance.key, language] = reason
        return Cell(instance=instance, language=language)

    def _with_data(self, instance: Instance, cells: Sequence[Cell]) -> PublishFlow[Sequence[Cell]]:
        """Return the cells, and first the app data, if a migration is to be taken back.

        Refuse each other cell whose release cannot read the app data. Raises ServiceError when they cannot be read.
        """
        accepts = self._rollback.accept_newer_data
        try:
            data = yield from read_settled(instance, self._calling, self._data)
        except ServiceError:
            if accepts:
                return cells
            raise
        written = [(cell, schema) for cell in cells if cell.snippets and (schema := self._schema_of(cell))]
        earliest = next((schema for _, schema in written if later_parts(data, schema)), None)
        goes_back = self._data is not None and instance.key in self._data.unfinished
        if earliest is not None:
            self.undo.schemas[instance.key] = earliest
            undone = self.undo.wanted(instance, data)
            is_undone = not isinstance(undone, Ending)
            if is_undone:
                data, goes_back = undone, True
            else:
                del self.undo.schemas[instance.key]
            if not is_undone and not accepts:
                self._refusals |= {(instance.key, cell.language): undone.reason for cell, _ in written}
                return cells
        if not accepts:
            self._refuse_unfit_data(instance, data, written)
        return [Cell(instance=instance, language=None, is_data=True), *cells] if goes_back else cells

    def _refuse_unfit_data(
        self, instance: Instance, data: Any, written: Sequence[tuple[Cell, SchemaPart]]
    ) -> None:
        """Refuse each cell when the app data do not fit the data schema of its release."""
        for cell, schema in written:
            misfit = next(iter(app_misfits(data, schema, partial=True)), None)
            if misfit is None:
                continue
            name = next((name for name in earlier_parts(data, schema) if name in misfit.path[:1]), None)
            if name is None:
                reason = UNFIT_DATA.format(sentence_for(misfit, of="the app data", hidden=True))
            else:
                wanted = schema_version(schema.properties[name])
                reason = OLDER_DATA.format(name, data_version(data[name]), wanted, self.release_of(cell))
            self._refusals[instance.key, cell.language] = reason

    def _schema_of(self, cell: Cell) -> SchemaPart | None:
        """Return the data schema of the release that holds the cell's snippet; None when no release holds it."""
        number = self.release_of(cell)
        if number is None:
            return None
        if number not in self._schemas:
            self._schemas[number] = self._stores.releases.files(number).schema()
        return self._schemas[number]


class RollbackWork(ApplyWork):
    """Writes the texts of a rollback back to the cells of each instance."""

    def __init__(self, job: Job, writer: JournalWriter, cells: RollbackCells) -> None:
        super().__init__(job, writer)
        self._cells = cells
        self._data_stay: dict[str, Ending] = {}
        """How it ended where app data could not go back, by the key of the instance."""

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        return self._cells.of(instance)

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return self._cells.without_answer(instance)

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        if cell.is_data:
            return (yield from self.change_data(self._cells.undo, cell.instance))
        stays = self._data_stay.get(cell.instance.key)
        if stays is not None:
            why = DATA_STAY.format(stays.reason)
            return Ending(outcome=CellOutcome.REFUSED, reason=why, cause=stays.cause or Cause.OTHER)
        reason = self._cells.refusal(cell)
        if reason is not None:
            return Ending(outcome=CellOutcome.REFUSED, reason=reason, cause=Cause.NO_WAY_BACK)
        ending = yield from super().cell(cell)
        is_back = ending.outcome is CellOutcome.APPLIED and ending.reason is None
        return replace(ending, reason=self._cells.remark(cell)) if is_back else ending

    def ended(self, cell: Cell, result: Ending) -> None:
        super().ended(cell, result)
        if cell.is_data and result.outcome not in REACHED:
            self._data_stay[cell.instance.key] = result
        if result.outcome in REACHED and not cell.is_data:
            self.counts.releases[self._cells.release_of(cell)] += 1

    def instance_ended(self, instance: Instance, results: Sequence[Ending]) -> None:
        self._data_stay.pop(instance.key, None)
        self._cells.undo.schemas.pop(instance.key, None)
        super().instance_ended(instance, results)


def _written(known: Mapping[str | None, CellRecord]) -> Mapping[str | None, CellRecord]:
    return {language: record for language, record in known.items() if record.contents}


def _was_written(record: CellRecord) -> bool:
    return any(content.was_written for content in record.contents.values())


async def roll_back(
    job: Job, send: Sender, writer: JournalWriter, rollback: Rollback, *, build: Build, stores: Stores
) -> Summary:
    """Take all cells of the job's instances back, and return the summary.

    Raises JournalUnwritable when the journal cannot be written, or the lock of the run is lost.
    """
    cells = RollbackCells(rollback, build, job.settings.calling, job.ownership, stores, data=job.data)
    return await run_job(job, RollbackWork(job, writer, cells), send, writer)


def why_nothing_is_back(journal: Journal, before_run: int | None, *, before: int | None = None) -> str:
    """Return why a rollback that skips every cell takes nothing back, and what to do.

    `before_run` is the run that it undoes, if any. `before` is the number of the rollback itself; None when it is only
    planned.
    """
    last = last_write(journal, before=before)
    if last is None:
        return "nothing is taken back: the journal has no run that wrote a snippet"
    if before_run is None:
        return "nothing is taken back: each cell is skipped for the reason beside it"
    return (
        f"nothing is taken back: run {before_run} and later runs wrote to none of these cells, or another "
        f"reason is beside them; awning publish log --run {before_run} shows what it wrote"
    )
