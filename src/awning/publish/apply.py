"""Writes builds to instances: the work of `publish apply`, rollback and the app's own server.

Each cell's ending goes to the journal, to the counts, and to the caller's `progress`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from awning.client import Calling, apps, call
from awning.client.async_client import Sender
from awning.publish.cell_flow import PublishFlow, publish_cell
from awning.publish.cell_outcome import CellResult, Ending, Summary, SummaryCounts
from awning.publish.cells import Cell, cells_of
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.ownership import Ownership
from awning.publish.release.record import Build
from awning.publish.runner import RunSettings, run_cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run: its number, the build of each instance, the instances and the options."""

    run: int
    build_of: Callable[[Instance], Build]
    settings: RunSettings
    instances: Iterable[Instance] = ()
    ownership: Ownership = field(default_factory=Ownership)
    progress: Callable[[CellResult], object] = id
    """Called once for each finished cell."""
    instance_ended: Callable[[], object] = bool
    """Called once for each finished instance."""


async def apply(job: Job, send: Sender, writer: JournalWriter) -> Summary:
    """Publish to every instance, and return the counts.

    Raises JournalUnwritable when the journal cannot be written.
    """
    return await run_job(job, ApplyWork(job, writer), send, writer, job.instances)


async def run_job(
    job: Job, work: "ApplyWork", send: Sender, writer: JournalWriter, instances: Iterable[Instance]
) -> Summary:
    """Run the work for every instance, close the run in the journal, and return the counts."""
    interrupted = await run_cells(instances, work, job.settings, send, writer)
    note = "interrupted" if interrupted else "finished"
    await writer.write(JournalEntry(run=job.run, kind=EntryKind.END, note=note))
    return Summary(run=job.run, counts=work.counts, interrupted=interrupted)


class ApplyWork:
    """Publishes the build of each instance to its cells."""

    def __init__(self, job: Job, writer: JournalWriter) -> None:
        self.job = job
        self.counts = SummaryCounts()
        self._writer = writer

    @property
    def calling(self) -> Calling:
        return self.job.settings.calling

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        website = yield from call(apps.languages(instance.code), self.calling)
        return cells_of(instance, self.job.build_of(instance), website)

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return cells_of(instance, self.job.build_of(instance), None)

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        return publish_cell(cell, self.job.run, self.calling, self.job.ownership)

    def ended(self, cell: Cell, result: Ending) -> None:
        self.note(cell.instance.display_name, cell.instance.key, cell.language, result)

    def not_run(self, cell: Cell, ending: Ending) -> None:
        self.ended(cell, ending)

    def instance_ended(self, instance: Instance) -> None:  # noqa: ARG002 - see CellWork
        self.job.instance_ended()

    def note(self, name: str, key: str, language: str | None, ending: Ending) -> None:
        """Count the ending of a cell, and put it into the journal."""
        result = CellResult(instance=name, key=key, language=language, ending=ending)
        self.counts.add(result)
        self.job.progress(result)
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
