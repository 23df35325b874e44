"""Writes journal entries in batches: many cells share one disk flush.

A flush takes milliseconds; the processor time of a call is a tenth of one. While a thread writes one batch, new entries
gather in the next batch and share its flush.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from sqlalchemy import Connection

from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.journal_entry import JournalEntry, SnippetText
from awning.publish.state.steady_clock import steady_clock
from awning.publish.state.store import Held, always

MOST_WAITING = 1000
"""The most entries that wait for the disk while a run goes on."""
FRESH_S = 1.0
"""Seconds after which an answer about the run's lock counts as old."""


class JournalWriter:
    """Writes to a journal from one event loop, while `held`. An asynchronous context manager.

    `check` is called in each transaction; when it raises, nothing more is written.
    """

    def __init__(
        self, journal: Journal, held: Held = always, check: Callable[[Connection], None] = lambda _: None
    ) -> None:
        self._journal = journal
        self._check = check
        self._held = held
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._entries: list[JournalEntry] = []
        self._texts: dict[str, SnippetText] = {}
        self._seen: set[str] = set()
        self._batch: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._failure: Exception | None = None

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

        Raises JournalUnwritable when a batch failed. Cancelling the wait does not undo the entry.
        """
        await asyncio.shield(self.note(entry, texts))

    async def settle(self) -> None:
        """Let other tasks run; when many entries wait, wait for them. Raises JournalUnwritable after a failed batch."""
        if len(self._entries) > MOST_WAITING and self._batch is not None:
            await asyncio.shield(self._batch)
        else:
            await asyncio.sleep(0)

    async def flush(self) -> None:
        """Return when all entries are on the disk. Raises JournalUnwritable, or what `check` raised."""
        while self._batch is not None:
            await asyncio.shield(self._batch)
        if self._writer is not None:
            await self._writer
        if self._failure is not None:
            raise self._failure

    def note(self, entry: JournalEntry, texts: Iterable[SnippetText] = ()) -> asyncio.Future[None]:
        """Put `entry` into the next batch without waiting. Raises JournalUnwritable after a failed batch."""
        if self._failure is not None:
            raise self._failure
        self._entries.append(entry)
        for text in texts:
            if text.sha256 not in self._seen:
                self._seen.add(text.sha256)
                self._texts[text.sha256] = text
        if self._batch is None:
            self._batch = asyncio.get_running_loop().create_future()
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_batches())
        return self._batch

    async def _write_batches(self) -> None:
        loop = asyncio.get_running_loop()
        while self._batch is not None:
            batch, entries, texts = self._batch, self._entries, list(self._texts.values())
            self._batch, self._entries, self._texts = None, [], {}
            try:
                await loop.run_in_executor(self._thread, self._append, entries, texts)
            except Exception as error:  # noqa: BLE001 - raised in everyone who waits for this batch
                self._failure = error
                batch.set_exception(error)
                batch.exception()  # marks the exception as retrieved: perhaps no task waits for this batch
            else:
                batch.set_result(None)

    async def confirm(self) -> None:
        """Return when the lock of the run is certainly held. Raises JournalUnwritable when it was lost.

        The process may be stopped between the check and its return. Then the answer is old, and the check is repeated.
        """
        if self._held is always:
            return
        loop, is_fresh = asyncio.get_running_loop(), False
        while not is_fresh:
            began = steady_clock()
            await loop.run_in_executor(self._thread, self._check_held)
            is_fresh = steady_clock() - began < FRESH_S

    def _append(self, entries: Sequence[JournalEntry], texts: Sequence[SnippetText]) -> None:
        self._check_held()
        self._journal.append(entries, texts, self._check)

    def _check_held(self) -> None:
        if not self._held():
            raise JournalUnwritable(
                "the lock of this publish was lost with its connection, and another may run by now",
                hint="look whether one does: awning publish log; then run this again",
            )
