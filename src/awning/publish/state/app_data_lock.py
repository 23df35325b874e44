"""A lock for the app data of each instance, held while a program reads, changes and writes them.

The service has no conditional write. So `publish disable` and `enable`, `awning data set`, and the app's own server
(its settings form and installations) take this lock before they read. It works among all programs that share one state
store, and is held only for the few calls of one instance. It does not stop a program that uses another state store or
none. `awning reseller` takes such a lock for the account that it changes.
"""

import asyncio
import hashlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

from awning.contract import Exit
from awning.errors import DatabaseUnusable, Unreachable
from awning.file_lock import Taken, exclusive

PATIENCE_S = 10.0
"""The most seconds to wait for another program or task that changes the app data of the same instance."""
AGAIN_S = 0.05
DIGITS = 3
"""The number of hexadecimal digits in the name of a lock file.

So there are at most 4096 files, and instances may share one.
"""


class AppDataTaken(Unreachable):
    """Another program, or another task of this one, is changing the app data of this instance. Nothing was written."""

    exit_code = Exit.FINDINGS


class AppDataLocks(ABC):
    """The locks that one program takes. Its threads and tasks share this object; each lock has one holder at a time."""

    def __init__(self) -> None:
        self._own: set[str] = set()
        self._guard = threading.Lock()

    @abstractmethod
    def _take(self, key: str) -> bool:
        """Take a lock that this program does not hold. Returns whether it was free."""

    @abstractmethod
    def _release(self, key: str) -> None:
        """Release a lock that this program holds."""

    @abstractmethod
    def close(self) -> None:
        """Release all locks."""

    def take(self, key: str) -> bool:
        """Take the lock of an instance, by its keyed hash, without waiting. Returns whether it was free.

        Raises DatabaseUnusable when the lock cannot be used.
        """
        with self._guard:
            if key in self._own or not self._take(key):
                return False
            self._own.add(key)
            return True

    def release(self, key: str) -> None:
        """Release the lock of an instance."""
        with self._guard:
            self._own.discard(key)
            self._release(key)

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """Hold the lock of an instance.

        Raises AppDataTaken when the lock is not free within PATIENCE_S seconds, DatabaseUnusable when it cannot be
        used.
        """
        until = time.monotonic() + PATIENCE_S
        while not self.take(key):
            if time.monotonic() >= until:
                raise app_data_taken()
            time.sleep(AGAIN_S)
        try:
            yield
        finally:
            self.release(key)

    async def wait(self, key: str, *, more_s: float = 0.0) -> bool:
        """Take the lock of an instance without blocking the event loop.

        Returns False when the lock is not free within PATIENCE_S seconds and `more_s` more. Raises DatabaseUnusable
        when it cannot be used.
        """
        until = time.monotonic() + PATIENCE_S + more_s
        while not await self._take_in_thread(key):
            if time.monotonic() >= until:
                return False
            await asyncio.sleep(AGAIN_S)
        return True

    @asynccontextmanager
    async def holding_async(self, key: str) -> AsyncIterator[None]:
        """Hold the lock of an instance without blocking the event loop.

        Raises AppDataTaken when the lock is not free within PATIENCE_S seconds, DatabaseUnusable when it cannot be
        used.
        """
        if not await self.wait(key):
            raise app_data_taken()
        try:
            yield
        finally:
            await asyncio.shield(asyncio.to_thread(self.release, key))

    async def _take_in_thread(self, key: str) -> bool:
        """Take the lock in a thread, which cannot be cancelled. A cancelled task waits for it and releases the lock."""
        taking = asyncio.ensure_future(asyncio.to_thread(self.take, key))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            with suppress(DatabaseUnusable):
                if await taking:
                    self.release(key)
            raise


class FileLocks(AppDataLocks):
    """Locks of the operating system on files in a directory."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._directory = directory
        self._files: dict[str, ExitStack] = {}

    def _take(self, key: str) -> bool:
        name = hashlib.sha256(key.encode()).hexdigest()[:DIGITS]
        file = ExitStack()
        try:
            self._directory.mkdir(mode=0o700, exist_ok=True)
            file.enter_context(exclusive(self._directory / name))
        except Taken:
            return False
        except OSError as error:
            raise DatabaseUnusable(
                f"{self._directory / name} cannot be used: {error.strerror}",
                hint="look at the rights of the file and of its directory",
            ) from None
        self._files[key] = file
        return True

    def _release(self, key: str) -> None:
        file = self._files.pop(key, None)
        if file is not None:
            file.close()

    def close(self) -> None:
        for key in list(self._files):
            self.release(key)


def app_data_taken(*, more_s: float = 0.0) -> AppDataTaken:
    """Return the error of a program that did not get the lock within PATIENCE_S seconds and `more_s` more."""
    seconds = f"{PATIENCE_S + more_s:g} seconds"
    return AppDataTaken(
        f"the app data of this instance are being changed by somebody else, for {seconds} now",
        call="set_data",
        hint="run it again",
    )
