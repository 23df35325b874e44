"""What builds have worked out, so that no build works it out again.

Each result is stored under a key: a hash of everything that it depends on. So a result may be missing, but none is
wrong, and neither an error nor a cancelled build can spoil the memory. Builds with and without it have the same result.

Results are in main memory and, if their kind says so, in one SQLite file, `.awning/cache/results.sqlite`. This file can
be deleted at any time. A workspace may come from somebody else, and a disk may damage a file, so a result in it has a
code that is made with a secret of the user; without the right code it is not used.
"""

import hashlib
import hmac
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

import msgspec

from awning.errors import AwningError
from awning.file_lock import Taken, exclusive
from awning.pipeline.cache.toolchain import package_stamp
from awning.user_folder import user_folder

T = TypeVar("T")

FILE = "results.sqlite"
"""The name of the file in the workspace's cache."""

_DAYS_KEPT = 7
"""The number of days after which a result in the file that no build has used is deleted."""

_DAY_S = 86_400
_BUSY_S = 0.3
"""How long a build waits for another process that uses the file, in seconds. Then it does without the file."""

_MOST_BYTES = 300 * 2**20
"""A file that is larger than this after a build is deleted."""

_CODE_BYTES = 16
_PASSING_ERRORS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Errors that do not come from a damaged file."""

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


def user_secret(environ: Mapping[str, str] = os.environ) -> bytes:
    """Return the user's secret for the codes of results, which the first call makes.

    Where there is no place for it, each call returns another one, so no file of an earlier process is used.
    """
    secret = secrets.token_bytes(32)
    try:
        file = user_folder(environ) / "results.key"
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileExistsError), open(file, "xb", opener=_private) as new:
            new.write(secret)
        return file.read_bytes() or secret
    except (OSError, AwningError):
        return secret


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _reads(kind: ResultKind[Any]) -> ResultKind[tuple[str, ...]]:
    """Return the kind of the names that a result of this kind has read."""
    return ResultKind(f"reads of {kind.name}", tuple[str, ...], on_disk=kind.on_disk)


@dataclass(slots=True)
class Memory:
    """Results by kind and key. `file` is the file of those that are on disk; without it, all are only in main memory.

    Threads may share it.
    """

    file: Path | None = None
    secret: bytes = b""
    """The secret for the codes of the results in the file."""
    stores: bool = True
    """Whether new results are stored. Set it to False while the keys may be wrong."""
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
            reads = self._value(_reads(kind), key)
            if reads is None:
                return None
            key = _with_states(key, reads, state_of)
        return self._value(kind, key)

    def reads_of(self, kind: ResultKind[Any], key: str) -> tuple[str, ...]:
        """Return the names that a result was stored with; an empty tuple if there are none."""
        return self._value(_reads(kind), key) or ()

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
            self._store(_reads(kind), key, names)
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
            if self.file is None or not (self._unsaved or self._used):
                return
            try:
                self._write()
            except Taken:
                return
            except sqlite3.Error as error:
                if error.sqlite_errorcode & 0xFF in _PASSING_ERRORS:
                    return
                self._close()
                with suppress(sqlite3.Error, OSError, Taken):
                    _delete(self.file)
                    self._write()
            except OSError:
                return
            self._unsaved, self._used = {}, set()
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
        if not self.stores:
            return
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
                content = self._checked(name, row[0])
                value = None if content is None else msgspec.msgpack.decode(content, type=kind.type)
            except sqlite3.Error:
                self._is_unreadable = True
                return None
            except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
                return None
            if value is None:
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
            address = f"file:{quote(str(self.file.absolute()))}?mode=ro"
            connection = sqlite3.connect(address, uri=True, timeout=_BUSY_S, check_same_thread=False)
            try:
                version = connection.execute("PRAGMA user_version").fetchone()[0]
            except sqlite3.Error:
                connection.close()
                raise
            if version != _version():
                connection.close()
                return None
            self._connection, self._is_unreadable = connection, False
        return self._connection

    def _write(self) -> None:
        """Write new results in one transaction, and today as the day on which the used ones were used.

        A file of another version is begun anew. So is one with a journal, which is of a process that was killed, or of
        somebody else: SQLite would follow the names of files in it.
        """
        assert self.file is not None  # noqa: S101 - the caller has looked
        file, today = self.file, _today()
        if file.is_symlink():
            file.unlink()
        file.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(file.with_suffix(".lock"), patience_s=_BUSY_S):
            if any(beside.is_symlink() or beside.exists() for beside in _beside(file)):
                _delete(file)
            with closing(sqlite3.connect(file, timeout=_BUSY_S, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("BEGIN IMMEDIATE")
                if connection.execute("PRAGMA user_version").fetchone()[0] != _version():
                    connection.execute("DROP TABLE IF EXISTS results")
                    connection.execute(f"PRAGMA user_version = {_version()}")
                connection.execute(_SCHEMA)
                connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", self._rows(today))
                connection.executemany(
                    "UPDATE results SET day = ? WHERE key = ?", ((today, key) for key in self._used)
                )
                connection.execute("DELETE FROM results WHERE day < ?", (today - _DAYS_KEPT,))
                connection.execute("COMMIT")
            if file.stat().st_size > _MOST_BYTES:
                _delete(file)

    def _rows(self, today: int) -> Iterator[tuple[str, int, bytes]]:
        """Yield the rows of new results, but for those with text that is not Unicode, as in some names of files."""
        for name, value in self._unsaved.items():
            with suppress(UnicodeEncodeError, RecursionError):
                content = msgspec.msgpack.encode(value)
                yield name, today, self._code(name, content) + content

    def _code(self, name: str, content: bytes) -> bytes:
        digest = hashlib.blake2b(name.encode(), digest_size=_CODE_BYTES, key=self.secret)
        digest.update(content)
        return digest.digest()

    def _checked(self, name: str, row: bytes) -> bytes | None:
        """Return the content of a row; None if it has not the right code."""
        code, content = row[:_CODE_BYTES], row[_CODE_BYTES:]
        return content if hmac.compare_digest(code, self._code(name, content)) else None


def _beside(file: Path) -> tuple[Path, ...]:
    """Return the files that SQLite makes beside a database."""
    return tuple(file.with_name(f"{file.name}-{ending}") for ending in ("journal", "wal", "shm"))


def _delete(file: Path) -> None:
    for path in (*_beside(file), file):
        path.unlink(missing_ok=True)


def _with_states(key: str, names: Iterable[str], state_of: Callable[[str], str]) -> str:
    return hash_of(key, *(part for name in names for part in (name, state_of(name))))


def _version() -> int:
    """Return the version of the file: a number made from the stamp of awning, so another awning begins a new file."""
    return int(package_stamp()[:7], 16)


def _today() -> int:
    return int(time.time()) // _DAY_S
