"""Many writers, one disk flush: the journal as seen by a run.

A flush takes milliseconds, a call's processor time a tenth of one. While one batch is being written on its
own thread, whoever comes next waits for the following batch, and all of them share its flush.
"""

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from awning.publish.entry import Entry, Kept
from awning.publish.journal import Journal, JournalUnwritable
from awning.publish.state import Held, always


class Ledger:
    """Writes to a journal from one event loop, while `held`. An asynchronous context manager."""

    def __init__(self, journal: Journal, held: Held = always) -> None:
        self._journal = journal
        self._held = held
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._entries: list[Entry] = []
        self._kept: dict[str, Kept] = {}
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

    async def write(self, entry: Entry, kept: Iterable[Kept] = ()) -> None:
        """Return when `entry`, and all before it, are on the disk; raises JournalUnwritable.

        Cancelling the wait does not undo the entry.
        """
        await asyncio.shield(self.note(entry, kept))

    def note(self, entry: Entry, kept: Iterable[Kept] = ()) -> asyncio.Future[None]:
        """Put `entry` into the next batch without waiting for it. After a failed batch nothing more is taken."""
        if self._failure is not None:
            raise self._failure
        self._entries.append(entry)
        for text in kept:
            if text.sha256 not in self._seen:
                self._seen.add(text.sha256)
                self._kept[text.sha256] = text
        if self._batch is None:
            self._batch = asyncio.get_running_loop().create_future()
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_batches())
        return self._batch

    async def _write_batches(self) -> None:
        loop = asyncio.get_running_loop()
        while self._batch is not None:
            batch, entries, kept = self._batch, self._entries, list(self._kept.values())
            self._batch, self._entries, self._kept = None, [], {}
            try:
                await loop.run_in_executor(self._thread, self._append, entries, kept)
            except Exception as error:  # noqa: BLE001 - handed to everyone who waits for this batch
                self._failure = error
                batch.set_exception(error)
                batch.exception()  # nobody may be left to wait for it
            else:
                batch.set_result(None)

    def _append(self, entries: Sequence[Entry], kept: Sequence[Kept]) -> None:
        if not self._held():
            raise JournalUnwritable(
                "the lock of this publish was lost with its connection, and another may run by now",
                hint="look whether one does: awning publish log; then run this again",
            )
        self._journal.append(entries, kept)
