"""Takes cells back: to a release, or to what each held before its last write.

What a cell held is in the journal. A cell that held nothing cannot go back, because the service has no call that
deletes a snippet. Old code may not understand newer app data, so the app data of each instance is read first and
compared with the settings of the code that comes back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from awning.client import apps, call, decode_app_data
from awning.client.async_client import Sender
from awning.data_schema import SchemaPart, app_misfits
from awning.errors import Refused
from awning.publish.apply import ApplyWork, Job, run_job
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, Summary
from awning.publish.cells import Cell, cells_of
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Journal
from awning.publish.journal.writer import JournalWriter
from awning.publish.release.record import Build, Snippet, page_hash_of
from awning.publish.release.releases import Releases

NOTHING_BEFORE = "nothing was set before"
NEVER_WRITTEN = "it was never written from here"
NO_SNIPPET = "the release has no snippet for this language"
LOST = "what was there before is not in the journal any more"
PINNED = "the instance is held at release {}"
NEWER_DATA = "the app data is newer than the code that would come back: {}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackTarget:
    """Where to go back to: a release's build and settings, or with no `build` to what each cell held before."""

    build: Build | None = None
    schema: SchemaPart | None = None
    accept_newer_data: bool = False


class RollbackWork(ApplyWork):
    """Takes the cells of each instance back."""

    def __init__(
        self, job: Job, writer: JournalWriter, target: RollbackTarget, journal: Journal, releases: Releases
    ) -> None:
        super().__init__(job, writer)
        self._target = target
        self._journal = journal
        self._releases = releases
        self._refusals: dict[tuple[str, str | None], str] = {}
        self._schemas: dict[str, SchemaPart | None] = {}

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        if instance.pinned is not None:
            return self._pinned(instance)
        known = self._journal.records([instance.key]).get(instance.key, {})
        build = self._target.build
        if build is None:
            cells = [
                self._earlier(instance, language, record)
                for language, record in known.items()
                if record.contents
            ]
        else:
            website = yield from call(apps.languages(instance.code), self.calling)
            cells = list(self._released(instance, build, website, known))
        if not self._target.accept_newer_data and any(cell.snippets for cell in cells):
            yield from self._refuse_newer_data(instance, cells)
        return cells

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        if instance.pinned is not None:
            return self._pinned(instance)
        if self._target.build is not None:
            return cells_of(instance, self._target.build, None)
        known = self._journal.records([instance.key]).get(instance.key, {})
        return [Cell(instance=instance, language=lang) for lang, record in known.items() if record.contents]

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        reason = self._refusals.pop((cell.instance.key, cell.language), None)
        if reason is not None:
            return Ending(outcome=CellOutcome.REFUSED, reason=reason, cause=Cause.OTHER)
        return (yield from super().cell(cell))

    def _pinned(self, instance: Instance) -> list[Cell]:
        languages = self._journal.records([instance.key]).get(instance.key, {})
        skip = PINNED.format(instance.pinned)
        return [Cell(instance=instance, language=language, skip=skip) for language in languages]

    def _released(
        self,
        instance: Instance,
        build: Build,
        website: Sequence[str],
        known: Mapping[str | None, CellRecord],
    ) -> Iterator[Cell]:
        """The cells of a release, and those that were written and that the release does not have."""
        for cell in cells_of(instance, build, website):
            record = known.get(cell.language)
            if cell.language not in build.snippets and record is not None and _was_written(record):
                yield self._refused(instance, cell.language, NO_SNIPPET)
            else:
                yield cell

    def _earlier(self, instance: Instance, language: str | None, record: CellRecord) -> Cell:
        """The cell with the texts that it held before its last write."""
        last = max((c.run for c in record.contents.values() if c.run is not None), default=None)
        written = {place: c for place, c in record.contents.items() if c.run == last and c.was_written}
        if not written:
            return Cell(instance=instance, language=language, skip=NEVER_WRITTEN)
        snippets: list[Snippet] = []
        for place, content in written.items():
            if content.before is None:
                return self._refused(instance, language, NOTHING_BEFORE)
            text = self._journal.snippet(content.before)
            if text is None:
                return self._refused(instance, language, LOST)
            snippets.append(Snippet(place=place, text=text, sha256=content.before))
        is_own = all(snippet.sha256 in self.job.ownership.replaceable for snippet in snippets)
        return Cell(
            instance=instance, language=language, snippets=tuple(snippets), is_own=is_own, is_undo=True
        )

    def _refused(self, instance: Instance, language: str | None, reason: str) -> Cell:
        self._refusals[instance.key, language] = reason
        return Cell(instance=instance, language=language)

    def _refuse_newer_data(self, instance: Instance, cells: Sequence[Cell]) -> PublishFlow[None]:
        """Refuse the cells whose code does not understand the stored app data."""
        data: Any = None
        for cell in cells:
            schema = self._schema_of(cell)
            if schema is None or not cell.snippets:
                continue
            if data is None:
                data = yield from self._read_data(instance)
            misfit = next(iter(app_misfits(data, schema, partial=True)), None)
            if misfit is not None:
                field = ".".join(map(str, misfit.path)) or "the whole"
                self._refusals[instance.key, cell.language] = NEWER_DATA.format(field)

    def _schema_of(self, cell: Cell) -> SchemaPart | None:
        """The settings of the release that holds the cell's snippet; None when no release does."""
        if self._target.build is not None:
            return self._target.schema
        sha256 = next((page_hash_of(s.text) for s in cell.snippets if s.place == "body"), "")
        if sha256 not in self._schemas:
            number = self._releases.newest_with(sha256)
            self._schemas[sha256] = None if number is None else self._releases.files(number).schema()
        return self._schemas[sha256]

    def _read_data(self, instance: Instance) -> PublishFlow[Any]:
        """The stored app data. A 404 means that nothing is stored (assumed: not shown in the specification).

        Data that are nested too deeply are returned as they are stored. No schema fits them.
        """
        stored: Any = {}
        try:
            stored = yield from call(apps.get_data(instance.code), self.calling)
            return decode_app_data(stored)
        except RecursionError:
            return stored
        except Refused as problem:
            if problem.status != HTTPStatus.NOT_FOUND:
                raise
            return {}


def _was_written(record: CellRecord) -> bool:
    return any(content.was_written for content in record.contents.values())


async def roll_back(
    job: Job,
    send: Sender,
    writer: JournalWriter,
    target: RollbackTarget,
    *,
    journal: Journal,
    releases: Releases,
) -> Summary:
    """Take every cell of the job's instances back, and return the counts.

    Raises JournalUnwritable when the journal cannot be written.
    """
    work = RollbackWork(job, writer, target, journal, releases)
    return await run_job(job, work, send, writer, job.instances)
