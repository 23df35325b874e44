"""What builds have worked out, so that no build works it out again.

Each result is stored under a key: a hash of everything that it depends on. So a result may be missing, but none is
wrong, and neither an error nor a cancelled build can spoil the memory. Builds with and without it have the same result.

Results are in main memory and, if their kind says so, in one SQLite file, `.awning/cache/results.sqlite`. This file can
be deleted at any time.
"""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec

from awning.pipeline.cache.toolchain import package_stamp

T = TypeVar("T")

FILE = "results.sqlite"
"""The name of the file in the workspace's cache."""

_DAYS_KEPT = 7
"""The number of days after which a result in the file that no build has used is deleted."""

_DAY_S = 86_400
_BUSY_S = 5.0
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, day INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID
"""


def hash_of(*parts: str) -> str:
    """Return a key: a hash of everything that a result depends on. The stamp of awning itself is added."""
    text = "\0".join((package_stamp(), *parts))
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class ResultKind(Generic[T]):
    """A kind of result: its name, its type, and whether it is also in the file.

    A type in the file is made of frozen dataclasses, tuples, texts, bytes and numbers.
    """

    name: str
    type: Any
    on_disk: bool = False


_READS: ResultKind[tuple[str, ...]] = ResultKind("reads", tuple[str, ...], on_disk=True)


@dataclass(slots=True)
class Memory:
    """Results by kind and key. `file` is the file of those that are on disk; without it, all are only in main memory.

    Threads may share it.
    """

    file: Path | None = None
    _recent: dict[str, Any] = field(default_factory=dict)
    """The results that were used since the last `settle`."""
    _older: dict[str, Any] = field(default_factory=dict)
    """The results that were last used between the last two calls of `settle`."""
    _unsaved: dict[str, Any] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    """The keys of the results that were read from the file."""
    _connection: sqlite3.Connection | None = None
    _is_unreadable: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def memo(self, kind: ResultKind[T], key: str, compute: Callable[[], T]) -> T:
        """Return the result with this key. Without such a result, call `compute` and store its result."""
        known = self.find(kind, key)
        if known is None:
            known = compute()
            self.put(kind, key, known)
        return known

    def find(self, kind: ResultKind[T], key: str, state_of: Callable[[str], str] | None = None) -> T | None:
        """Return the result with this key, or None.

        `state_of` is needed for a result that was stored with the names of what it has read. It returns the present
        state of a name, such as the hash of a file. The result is found only if no state differs.
        """
        if state_of is not None:
            reads = self._value(_READS, f"{kind.name} {key}")
            if reads is None:
                return None
            key = _with_states(key, reads, state_of)
        return self._value(kind, key)

    def put(
        self,
        kind: ResultKind[T],
        key: str,
        value: T,
        reads: Iterable[str] = (),
        state_of: Callable[[str], str] | None = None,
    ) -> None:
        """Store a result. `reads` are the names of what it also depends on, which were found while it was made."""
        if state_of is not None:
            names = tuple(sorted(reads))
            self._store(_READS, f"{kind.name} {key}", names)
            key = _with_states(key, names, state_of)
        self._store(kind, key, value)

    def settle(self) -> None:
        """Forget the results in main memory that have not been used since the last call but one.

        Call it after a build of the whole workspace.
        """
        self._older, self._recent = self._recent, {}

    def save(self) -> None:
        """Write new results to the file, and delete from it what has long not been used.

        A failure is ignored: the next build works out again what is missing.
        """
        with self._lock:
            unsaved, self._unsaved = self._unsaved, {}
            used, self._used = self._used, set()
            if self.file is None or not (unsaved or used):
                return
            rows = dict(_encoded(unsaved))
            try:
                _write(self.file, rows, used)
            except sqlite3.OperationalError:  # another process is writing, or the disk is full
                return
            except sqlite3.Error:
                self._close()
                with suppress(sqlite3.Error, OSError):
                    self.file.unlink(missing_ok=True)
                    _write(self.file, rows, set())
            except OSError:
                return
            self._is_unreadable = False

    def close(self) -> None:
        """Close the file. The next `find` opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _value(self, kind: ResultKind[T], key: str) -> T | None:
        name = f"{kind.name}:{key}"
        value = self._recent.get(name)
        if value is None:
            value = self._older.get(name)
            if value is None and kind.on_disk:
                value = self._read(kind, name)
            if value is not None:
                self._recent[name] = value
        return cast("T | None", value)

    def _store(self, kind: ResultKind[T], key: str, value: T) -> None:
        name = f"{kind.name}:{key}"
        self._recent[name] = value
        if kind.on_disk and self.file is not None:
            with self._lock:
                self._unsaved[name] = value

    def _read(self, kind: ResultKind[T], name: str) -> T | None:
        """Return the result in the file; None if it has none, is missing, damaged or of another version."""
        with self._lock:
            try:
                connection = self._opened()
                if connection is None:
                    return None
                row = connection.execute("SELECT value, day FROM results WHERE key = ?", (name,)).fetchone()
                if row is None:
                    return None
                value = msgspec.msgpack.decode(row[0], type=kind.type)
            except sqlite3.Error:
                self._is_unreadable = True
                return None
            except (msgspec.MsgspecError, TypeError, RecursionError):
                return None
            if row[1] != _today():
                self._used.add(name)
        return cast("T", value)

    def _opened(self) -> sqlite3.Connection | None:
        """Return a connection for reading; None if there is no file that can be read."""
        if self._is_unreadable:
            return None
        if self._connection is None:
            self._is_unreadable = True
            if self.file is None or self.file.is_symlink() or not self.file.is_file():
                return None
            connection = sqlite3.connect(
                f"{self.file.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_S, check_same_thread=False
            )
            with closing(connection.execute("PRAGMA user_version")) as cursor:
                if cursor.fetchone()[0] != _version():
                    connection.close()
                    return None
            self._connection, self._is_unreadable = connection, False
        return self._connection


def _write(file: Path, rows: dict[str, bytes], used: set[str]) -> None:
    """Write rows in one transaction, and today as the day on which `used` were used.

    A file of another version is begun anew.
    """
    if file.is_symlink():
        file.unlink()
    file.parent.mkdir(parents=True, exist_ok=True)
    today = _today()
    with closing(sqlite3.connect(file, timeout=_BUSY_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0] != _version():
            connection.execute("DROP TABLE IF EXISTS results")
            connection.execute(f"PRAGMA user_version = {_version()}")
        connection.execute(_SCHEMA)
        connection.executemany(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?)",
            ((key, today, value) for key, value in rows.items()),
        )
        connection.executemany("UPDATE results SET day = ? WHERE key = ?", ((today, key) for key in used))
        connection.execute("DELETE FROM results WHERE day < ?", (today - _DAYS_KEPT,))
        connection.execute("COMMIT")


def _with_states(key: str, names: Iterable[str], state_of: Callable[[str], str]) -> str:
    return hash_of(key, *(part for name in names for part in (name, state_of(name))))


def _encoded(values: dict[str, Any]) -> Iterable[tuple[str, bytes]]:
    """Yield the values as bytes. A value with text that is not Unicode is left out: such names of files are rare."""
    for name, value in values.items():
        with suppress(UnicodeEncodeError, RecursionError):
            yield name, msgspec.msgpack.encode(value)


def _version() -> int:
    """Return the version of the file: a number made from the stamp of awning, so another awning begins a new file."""
    return int(package_stamp()[:7], 16)


def _today() -> int:
    return int(time.time()) // _DAY_S
