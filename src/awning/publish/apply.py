"""Writes builds to instances: the work of `publish apply`, rollback and the app's own server.

Each cell's ending goes to the journal, to the counts, and to the caller's `progress`.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from awning.build_record import Place
from awning.client import Calling, Wait, apps, call
from awning.client.flow import Sender
from awning.data_migration.migration import Unmigrated
from awning.publish.cell_flow import DOUBTED, PublishFlow, WebsiteCell, publish_cell, same_in_page
from awning.publish.cell_outcome import (
    RIGHT,
    Cause,
    CellOutcome,
    CellResult,
    Ending,
    Summary,
    SummaryCounts,
)
from awning.publish.cells import FOREIGN, NOT_BUILT, STAYS, Cell, Ownership, cells_of, skip_reason
from awning.publish.data.change import AppDataChange
from awning.publish.data.migrating import (
    CANNOT,
    NOT_ALL,
    NOT_HERE,
    STAYS_OLD,
    MigrationChange,
    MigrationSide,
    read_settled,
)
from awning.publish.data.work import change_data, data_outcome
from awning.publish.inventory.acknowledged import Acknowledgements
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import CellName
from awning.publish.pacing import HostPace
from awning.publish.release.build_files import Build, page_hash_of
from awning.publish.run_watcher import RunWatcher
from awning.publish.runner import CellWork, RunSettings, run_cells
from awning.publish.waves.rollout import WaveLoop, WavesEnd
from awning.publish.waves.wave import wave_of

_OLD_CODE = frozenset({Cause.STALE, Cause.NOT_BUILT})
"""The causes of skipped cells that keep an earlier snippet of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run: its number, the build of each instance, the instances and the options."""

    run: int
    build_of: Callable[[Instance], Build]
    settings: RunSettings
    instances: Iterable[Instance] = ()
    ownership: Ownership = field(default_factory=Ownership)
    journal: Journal | None = None
    """The journal, which knows what was sent to each cell before; None when that is not needed."""
    acknowledgements: Acknowledgements | None = None
    """Which foreign content is accepted: such a cell is skipped instead of refused. None: nothing is accepted."""
    settled_at: Mapping[CellName, float] = field(default_factory=dict)
    """The time at which the earlier write of a cell is no longer in doubt, by cell, in seconds since 1970.
    The run writes the cell only after that time. A cell without a write in doubt is not in the mapping.
    """
    data: MigrationSide | None = None
    """What migrates app data; None in a run that cannot: it refuses the instances where that is needed."""
    is_versioned: bool = False
    """Whether a release describes later versions of app data, which another one may not read."""
    host: HostPace | None = None
    """The pace of all calls, which several runs may share; None for a pace of its own."""
    loop: WaveLoop | None = None
    """The loop over the waves; None for a run without waves."""
    watcher: RunWatcher = field(default_factory=RunWatcher)
    interruption: Callable[[], str] = lambda: "interrupted"
    """Returns the note for the journal when the run was interrupted."""


async def apply(job: Job, send: Sender, writer: JournalWriter) -> Summary:
    """Publish to every instance, and return the summary.

    Raises JournalUnwritable when the journal cannot be written, or the lock of the run is lost.
    """
    return await run_job(job, ApplyWork(job, writer), send, writer)


async def run_job(job: Job, work: "ApplyWork", send: Sender, writer: JournalWriter) -> Summary:
    """Run the work for every instance, write the end of the run to the journal, and return the summary.

    With waves, the instances are listed once for each wave. Raises JournalUnwritable when the journal cannot be
    written, or the lock of the run is lost.
    """
    host = job.host or HostPace(job.settings.pace)
    too_many = host.too_many

    async def run(_index: int, is_chosen: Callable[[Instance], bool]) -> bool:
        return await run_cells(work.instances(is_chosen), work, job.settings, send, writer, host=host)

    end = await run_waves(job, run, work.counts)
    return replace(await end_run(job, end, work.counts, writer), too_many_calls=host.too_many - too_many)


async def run_waves(
    job: Job, run: Callable[[int, Callable[[Instance], bool]], Awaitable[bool]], counts: SummaryCounts
) -> WavesEnd:
    """Run each wave of the job, or all instances at once. Returns how that ended.

    `run` gets the index of a wave, and the function that chooses its instances. It returns whether it was interrupted.
    """
    if job.loop is None:
        return WavesEnd(index=0, interrupted=await run(0, lambda _: True))
    waves = job.loop.waves
    return await job.loop.go(lambda index: run(index, lambda i: wave_of(i, waves) == index), counts)


async def end_run(job: Job, end: WavesEnd, counts: SummaryCounts, writer: JournalWriter) -> Summary:
    """Write the end of the run to the journal, and return the summary."""
    note = job.interruption() if end.interrupted else f"stopped: {end.reason}" if end.reason else "finished"
    await writer.write(JournalEntry(run=job.run, kind=EntryKind.END, note=note))
    return Summary(
        run=job.run,
        counts=counts,
        interrupted=end.interrupted,
        stopped=end.reason,
        waits=end.waits,
        wave=end.index,
    )


class ApplyWork(CellWork[Ending]):
    """Publishes the build of each instance to its cells."""

    def __init__(self, job: Job, writer: JournalWriter) -> None:
        self.job = job
        self.counts = SummaryCounts()
        self._writer = writer
        self._websites: dict[str, Mapping[Place, str | None]] = {}
        self._refused: dict[str, str] = {}
        """Why no cell of an instance is written, by its key."""
        self._old_code: dict[str, Cause | None] = {}
        """Why a cell may have its old code, of the instances under way."""
        self._migration = MigrationChange(
            migration_of=lambda instance: job.build_of(instance).migration, journal=job.journal
        )

    @property
    def calling(self) -> Calling:
        return self.job.settings.calling

    def instances(self, is_chosen: Callable[[Instance], bool]) -> Iterable[Instance]:
        """Return the chosen instances of the run. A run with waves lists them again for each wave."""
        return filter(is_chosen, self.job.instances)

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        website = yield from call(apps.languages(instance.code), self.calling, doubted=DOUBTED)
        return (yield from self.with_data(instance, cells_of(instance, self.job.build_of(instance), website)))

    def with_data(self, instance: Instance, cells: Sequence[Cell]) -> PublishFlow[Sequence[Cell]]:
        """Return the cells of an instance, and last its app data, if they must be migrated.

        If they cannot be, each cell will be refused. Raises ServiceError when the app data cannot be read.
        """
        migration = self.job.build_of(instance).migration
        is_versioned = migration is not None and (migration.is_versioned or self.job.is_versioned)
        if not is_versioned or all(cell.skip for cell in cells):
            return cells
        stored = yield from read_settled(instance, self.calling, self.job.data)
        result = yield from self._migration.tried(instance, stored)
        if isinstance(result, Unmigrated):
            self._refused[instance.key] = CANNOT.format(result.reason)
        elif result is not None and self.job.data is None:
            self._refused[instance.key] = NOT_HERE
        elif result is not None or self.is_unfinished(instance):
            return (*cells, Cell(instance=instance, language=None, is_data=True))
        return cells

    def is_unfinished(self, instance: Instance) -> bool:
        """Return whether the last write of the app data has no outcome, so that this run must give it one."""
        return self.job.data is not None and instance.key in self.job.data.unfinished

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return cells_of(instance, self.job.build_of(instance), None)

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        if cell.is_data:
            return (yield from self._migrate(cell))
        if cell.instance.key in self._refused:
            reason = self._refused[cell.instance.key]
            return Ending(outcome=CellOutcome.REFUSED, reason=reason, cause=Cause.MIGRATION)
        wait_s = self.unsettled_s(cell)
        if wait_s > 0:
            yield Wait(wait_s)
        website = self._website_of(cell) if cell.language is not None else None
        ending = yield from publish_cell(
            cell,
            self.job.run,
            self.calling,
            self.job.ownership,
            website=website,
            late_s=self.job.settings.late_s,
        )
        return self._accepted(cell, ending)

    def _migrate(self, cell: Cell) -> PublishFlow[Ending]:
        """Migrate the app data of an instance, when all of its cells are right."""
        cause = self._old_code.get(cell.instance.key)
        if cause is Cause.NOT_BUILT:
            return Ending(outcome=CellOutcome.REFUSED, reason=STAYS_OLD, cause=Cause.OTHER)
        if cell.instance.key in self._old_code:
            return Ending(outcome=CellOutcome.SKIPPED, reason=NOT_ALL)
        return (yield from self.change_data(self._migration, cell.instance))

    def change_data(self, change: AppDataChange, instance: Instance) -> PublishFlow[Ending]:
        """Change the app data of an instance, which the run has locks for."""
        data = self.job.data
        assert data is not None, "a cell of app data is made only then"  # noqa: S101
        return (
            yield from change_data(
                change,
                instance,
                self.job.run,
                self.job.settings,
                data.locks,
                settled_at=data.settled_at,
            )
        )

    def _accepted(self, cell: Cell, ending: Ending) -> Ending:
        """Return the ending as skipped if the cell holds foreign content that is accepted today.

        A cell with a snippet that was written before the foreign one was found stays refused.
        """
        acknowledgements = self.job.acknowledgements
        if ending.cause is not Cause.FOREIGN or acknowledgements is None:
            return ending
        known = acknowledgements.covering(cell.instance.key, cell.language)
        if known is None:
            return ending
        reason = f"{FOREIGN}, {known.acceptance}"
        return replace(ending, outcome=CellOutcome.SKIPPED, reason=reason)

    def _website_of(self, cell: Cell) -> WebsiteCell:
        """Return what this run knows of the instance's website-wide cell. Its `is_own` asks the journal."""
        journal, key = self.job.journal, cell.instance.key

        def is_own(place: Place, text: str) -> bool:
            record = journal.cells(key).get(cell.language) if journal else None
            content = record.contents.get(place) if record else None
            if journal is None or content is None or not content.was_written:
                return False
            sent = [journal.snippet(sha256) for sha256 in {content.sha256, content.published} if sha256]
            return any(earlier is not None and same_in_page(earlier, text) for earlier in sent)

        return WebsiteCell(contents=self._websites.get(key, {}), is_own=is_own)

    def unsettled_s(self, cell: Cell) -> float:
        """Return the seconds until no earlier write of the cell is in doubt; 0 or less when none is in doubt now."""
        return self.job.settled_at.get((cell.instance.key, cell.language), 0.0) - self.calling.now()

    def instance_began(self, cells: Sequence[Cell]) -> None:
        self.job.watcher.begin(len(cells))

    def ended(self, cell: Cell, result: Ending) -> None:
        if cell.is_data:
            self._note_data(cell.instance, result)
            return
        if result.outcome not in RIGHT or result.cause in _OLD_CODE:
            self._old_code[cell.instance.key] = result.cause
        if cell.language is None:
            pages = {snippet.sha256: page_hash_of(snippet.text) for snippet in cell.snippets}
            contents = result.contents.items()
            self._websites[cell.instance.key] = {p: pages.get(h, h) if h else None for p, h in contents}
        self.note(cell.instance.display_name, cell.instance.key, cell.language, result)

    def not_run(self, cell: Cell, ending: Ending) -> Ending:
        if cell.skip == NOT_BUILT and self.job.journal is not None:
            record = self.job.journal.cells(cell.instance.key).get(cell.language)
            ending = replace(ending, reason=skip_reason(cell.skip, record))
        return replace(ending, cause=Cause.NOT_BUILT) if ending.reason == STAYS else ending

    def instance_ended(self, instance: Instance, results: Sequence[Ending]) -> None:  # noqa: ARG002 - see CellWork
        self._websites.pop(instance.key, None)
        self._refused.pop(instance.key, None)
        self._old_code.pop(instance.key, None)
        self.job.watcher.instance()

    def _note_data(self, instance: Instance, ending: Ending) -> None:
        result = CellResult(instance=instance.display_name, key=instance.key, language=None, ending=ending)
        self.counts.add(result)
        self.job.watcher.cell(result)
        self._writer.note(data_outcome(self.job.run, instance, ending))

    def note(self, name: str, key: str, language: str | None, ending: Ending) -> None:
        """Count the ending of a cell, and put it into the journal."""
        result = CellResult(instance=name, key=key, language=language, ending=ending)
        self.counts.add(result)
        self.job.watcher.cell(result)
        self._writer.note(
            JournalEntry(
                run=self.job.run,
                kind=EntryKind.OUTCOME,
                instance=key,
                language=language,
                outcome=ending.outcome,
                contents=ending.contents,
                published=ending.published,
                note=ending.reason,
            )
        )
