"""Writes journal entries in batches: many cells share one disk flush.

A flush takes milliseconds, ten times the processor time of a call. While a thread writes one batch, new entries gather
in the next batch and share its flush. After each batch there is a pause as long as the batch took (at most MOST_REST_S
seconds), so that the next batch becomes larger. Larger batches are cheaper, because each batch has a fixed cost: as
much as twenty entries.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from sqlalchemy import Connection

from awning.client.transport import steady_clock
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.journal_entry import JournalEntry, SnippetText
from awning.publish.state.store import Held, always

MOST_WAITING = 1000
"""The number of entries that may wait for the disk before the run waits for them (`settle`)."""
FRESH_S = 1.0
"""Seconds after which the result of a check of the run's lock counts as old."""
MOST_REST_S = 0.05


@dataclass(slots=True, eq=False)
class _Batch:
    """Entries that are written together. `ended` is set when they are on the disk, or when that failed (`failure`)."""

    entries: list[JournalEntry] = field(default_factory=list)
    texts: list[SnippetText] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    failure: Exception | None = None

    async def wait(self) -> None:
        await self.ended.wait()
        if self.failure is not None:
            raise self.failure


class JournalWriter:
    """Writes to a journal from one event loop. Leaving the `async with` block waits for the last batch.

    `held` returns whether the run's lock is held. `check` is called in each transaction; when it raises, nothing more
    is written. After a failed batch, `write`, `note` and `flush` raise its error: JournalUnwritable, or what `check`
    raised.
    """

    def __init__(
        self, journal: Journal, held: Held = always, check: Callable[[Connection], None] = lambda _: None
    ) -> None:
        self._journal = journal
        self._check = check
        self._held = held
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._seen: set[str] = set()
        self._batch: _Batch | None = None
        self._writer: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        self._checked_at = -FRESH_S
        """The last time at which the lock was certainly held, by the steady clock."""
        self._checking: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            await asyncio.wait([self._writer])
        self._thread.shutdown(wait=True)

    async def write(self, entry: JournalEntry, texts: Iterable[SnippetText] = ()) -> None:
        """Write `entry`. Returns when it and all entries before it are on the disk.

        Cancelling the wait does not undo the entry.
        """
        await self._add(entry, texts).wait()

    async def settle(self) -> None:
        """Let other tasks run. When more than MOST_WAITING entries wait for the disk, wait for them."""
        if self._batch is not None and len(self._batch.entries) > MOST_WAITING:
            await self._batch.wait()
        else:
            await asyncio.sleep(0)

    async def flush(self) -> None:
        """Return when all entries are on the disk. Raises the error of a write that has failed."""
        while self._batch is not None:
            await self._batch.wait()
        if self._writer is not None:
            await asyncio.wait([self._writer])
        if self._failure is not None:
            raise self._failure

    def note(self, entry: JournalEntry, texts: Iterable[SnippetText] = ()) -> None:
        """Put `entry` into the next batch without waiting for the disk."""
        self._add(entry, texts)

    def _add(self, entry: JournalEntry, texts: Iterable[SnippetText]) -> _Batch:
        if self._failure is not None:
            raise self._failure
        if self._batch is None:
            self._batch = _Batch()
        batch = self._batch
        batch.entries.append(entry)
        for text in texts:
            if text.sha256 not in self._seen:
                self._seen.add(text.sha256)
                batch.texts.append(text)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_batches())
        return batch

    async def _write_batches(self) -> None:
        loop = asyncio.get_running_loop()
        rest_s = 0.0
        while self._batch is not None:
            await asyncio.sleep(rest_s)
            began = loop.time()
            batch, self._batch = self._batch, None
            if self._failure is None:
                try:
                    await loop.run_in_executor(self._thread, self._append, batch.entries, batch.texts)
                except Exception as error:  # noqa: BLE001 - raised in everyone who waits for a batch
                    self._failure = error
            batch.failure = self._failure
            batch.ended.set()
            rest_s = min(MOST_REST_S, loop.time() - began)

    async def confirm(self) -> None:
        """Check that the run's lock was held at some time in the last FRESH_S seconds.

        Raises JournalUnwritable when it is lost. If the last check is older, for example because the process was
        suspended, the lock is checked again. A write may be sent up to a second after the lock was lost. The next run
        waits for that write, because its intent has no outcome.
        """
        loop = asyncio.get_running_loop()
        while self._held is not always and steady_clock() - self._checked_at >= FRESH_S:
            if self._checking is None or self._checking.done():
                self._checking = loop.run_in_executor(self._thread, self._check_held)
            await asyncio.shield(self._checking)

    def _append(self, entries: Sequence[JournalEntry], texts: Sequence[SnippetText]) -> None:
        self._check_held()
        self._journal.append(entries, texts, self._check)

    def _check_held(self) -> None:
        """Check the lock, and note when. Raises JournalUnwritable when the lock was lost."""
        began = steady_clock()
        if not self._held():
            raise JournalUnwritable(
                "the lock of this publish was lost with its connection, and another may run by now",
                hint="look whether one does: awning publish log; then run this again",
            )
        self._checked_at = began
