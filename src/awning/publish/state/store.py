"""The state store: inventory, journal, key and locks, in a directory or in a PostgreSQL database.

The directory:

    state.sqlite      the instances (authCodes: secrets, encrypted when AWNING_STATE_KEY is set), the journal with every
                      write and the snippet before the write, the frozen builds, the state of each run, and the
                      installations and sessions of the app's own server
    health.sqlite     counts of the reports that pages sent
    key               32 bytes: the key of the hashes that are shown instead of authCodes
    journal.mark      the number and the hash of the journal's last entry
    apply.lock        the publishers' lock: held while a publish runs, a widget is switched, or the journal is pruned
    install.lock      held while the app's own server installs
    app-data.locks/   held while the app data of an instance are changed

The files (0600) and a directory that awning makes (0700) can be read only by their owner. An empty directory gets a
.gitignore. With a PostgreSQL database (`awning.publish.state.server`), no directory is made: the database has all of
this, the mark in another table than those of the journal.

Each lock is one of `awning.file_lock`, or in PostgreSQL an advisory lock. There are three because they are held at
different times. The publishers' lock has one holder, for a whole run. Installations share theirs with each other, so a
publish can wait for those that have begun. A lock of app data is for one instance and a few calls, and a publish does
not need it. None of them is a transaction of the database: calls of the service are made while they are held, and
SQLite has only one writer.
"""

import errno
import hmac
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import ClassVar, Self
from uuid import uuid4

from sqlalchemy import Connection

from awning.client import Secret
from awning.contract import Exit
from awning.errors import AwningError, ConfigurationError, DatabaseDamaged, DatabaseUnusable
from awning.file_lock import Taken, exclusive, is_taken, shared
from awning.publish.journal.chain import Mark
from awning.publish.state.app_data_lock import AppDataLocks, FileLocks
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.database import Database
from awning.publish.state.layout import Layout, create
from awning.publish.state.sqlite import open_sqlite
from awning.publish.state.tables import STATE

HASH_DIGITS = 12
KEY_BYTES = 32
MARK = "journal.mark"
INSTALL_LOCK = "install.lock"
INSTALLATION_S = 30.0
"""The most seconds that a publish waits for installations that are under way."""
PUT_BACK = "put back its newest copy; with an older one, or to start afresh, delete its mark too: {mark}"
LOOK_S = 0.5
"""The most seconds that a publish waits for a process that only tests whether the lock is free.

This takes microseconds, unless the machine is busy and the process has to wait for a processor just then.
"""


Held = Callable[[], bool]
"""Returns whether a lock is still held."""


def always() -> bool:
    """Return True, because the operating system never takes a file lock away."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Installing:
    """The installation lock. `held` returns whether it is still held.

    `is_publishing` is whether a publish was running when the lock was taken.
    """

    held: Held
    is_publishing: bool


class Busy(AwningError):
    """Another publish or an installation uses the same state store."""

    exit_code = Exit.FINDINGS


class AnotherPublish(Busy):
    """Another publish holds the publishers' lock."""


class StateStore(ABC):
    """The state of one app: inventory, journal, key and locks. With a `cipher`, authCodes are encrypted."""

    cipher: CodeCipher | None = None

    @abstractmethod
    def connect(self, name: str) -> Database:
        """Return the database with the tables called `name`. Raises DatabaseUnusable when it cannot be opened."""

    @property
    @abstractmethod
    def key(self) -> bytes:
        """The key of the keyed hashes. Raises DatabaseUnusable when it is damaged or cannot be read."""

    @abstractmethod
    def lock_runs(self) -> AbstractContextManager[Held]:
        """Hold the publishers' lock. Raises Busy when another publish holds it.

        Without the lock, two runs could overwrite each other's newer snippets. Waits until the installations that are
        under way have ended; raises Busy or DatabaseUnusable when that takes too long. Yields a function that returns
        whether the lock is still held, because a database server releases it when the connection breaks.
        """

    @abstractmethod
    def lock_installation(self) -> AbstractContextManager[Installing]:
        """Hold the installation lock.

        Several processes may hold it at once; a publish that begins waits for all of them.

        A publish that is running leaves out the instances that are added after it began. So only the process that adds
        an instance under this lock publishes to the instance. Raises Busy or DatabaseUnusable when the lock cannot be
        taken.
        """

    @abstractmethod
    def app_data_locks(self) -> AppDataLocks:
        """Return the locks of the instances' app data. The caller closes them."""

    @property
    @abstractmethod
    def mark_name(self) -> str:
        """Where the mark is, for an operator who deletes it."""

    @abstractmethod
    def read_mark(self, connection: Connection) -> str | None:
        """Return the journal's mark, which is stored outside the journal; None when there is none.

        `connection` is one to the journal. Raises DatabaseUnusable when the mark cannot be read.
        """

    def write_mark_beside(self, connection: Connection, text: str) -> None:  # noqa: B027 - the half of a server
        """Store the journal's mark in the transaction of the entries. A directory does nothing."""

    def write_mark(self, text: str) -> None:  # noqa: B027 - the half of a directory
        """Store the journal's mark after the transaction of the entries. A database server does nothing.

        Raises DatabaseUnusable when it cannot be written.
        """

    def shared(self) -> AbstractContextManager["StateStore"]:
        """Return this store as one whose tables share their connections. A file has one connection for each opening."""
        return nullcontext(self)

    def refuse_new(self, layout: Layout) -> None:  # noqa: B027 - the half of a directory
        """Raise DatabaseUnusable when tables are missing that were there, so that no empty ones take their place."""

    def open(self, layout: Layout) -> Database:
        """Open the database with the tables of `layout`. Missing tables are created.

        Raises DatabaseUnusable when the database or its tables cannot be used, or were there and are missing.
        """
        database = self.connect(layout.name)
        try:
            create(database, layout, self.refuse_new)
        except BaseException:
            database.close()
            raise
        return database

    def hash_of(self, code: Secret) -> str:
        """Return the keyed hash that is shown instead of an authCode. Each state store has its own key."""
        digest = hmac.new(self.key, code.reveal().encode(), "sha256").hexdigest()
        return f"@{digest[:HASH_DIGITS]}"


class OpenTables:
    """Tables of a state store, open for one part of awning. `LAYOUT` is the group that has them."""

    LAYOUT: ClassVar[Layout] = STATE

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, state: StateStore) -> Self:
        """Open the tables. Raises DatabaseUnusable when they cannot be used."""
        return cls(state.open(cls.LAYOUT))

    def close(self) -> None:
        self._database.close()


class StateDir(StateStore):
    """A state store in a directory, which is created if it is missing.

    Creating the object raises ConfigurationError when the directory cannot be used or its key is damaged.
    """

    def __init__(self, path: Path, cipher: CodeCipher | None = None) -> None:
        self.path = path
        self.cipher = cipher
        try:
            _make_private(path)
            self._key = _key(path / "key")
        except OSError as error:
            raise ConfigurationError(
                f"the state directory {path} cannot be used ({error.strerror})",
                hint="AWNING_STATE_DIR names another",
            ) from None

    def app_data_locks(self) -> AppDataLocks:
        return FileLocks(self.path / "app-data.locks")

    def database(self, name: str) -> Path:
        """Create a database file if it is missing, and let only its owner read it. Returns its path.

        An existing file is not opened. The operating system would release SQLite's locks on it when this process closes
        it again (SQLite, How To Corrupt An SQLite Database File, 2.2). Raises DatabaseUnusable when the file cannot be
        used.
        """
        path = self.path / f"{name}.sqlite"
        try:
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            path.chmod(0o600)
        except OSError as error:
            raise DatabaseUnusable(
                f"{path} cannot be used: {error.strerror}",
                hint="look at the rights of the file and of its directory",
            ) from None
        return path

    def connect(self, name: str) -> Database:
        return open_sqlite(self.database(name))

    def open(self, layout: Layout) -> Database:
        if layout.name == STATE.name:
            refuse_lost(self.path)
        return super().open(layout)

    def refuse_new(self, layout: Layout) -> None:
        if layout.name == STATE.name and (text := self.read_mark()) is not None:
            raise _lost(self.path, text)

    @property
    def key(self) -> bytes:
        return self._key

    @property
    def mark_name(self) -> str:
        return str(self.path / MARK)

    def read_mark(self, connection: Connection | None = None) -> str | None:  # noqa: ARG002 - a file has it
        return _read_mark(self.path)

    def write_mark(self, text: str) -> None:
        """Replace the mark atomically. After a crash it may be older than the journal, but never newer.

        Raises DatabaseUnusable when the file cannot be written.
        """
        new = self.path / f"{MARK}.{uuid4().hex}"
        try:
            descriptor = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(text)
            new.replace(self.path / MARK)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise DatabaseUnusable(
                f"{self.path / MARK} cannot be written: {error.strerror}",
                hint="look at the rights of the file and of its directory",
            ) from None

    @contextmanager
    def lock_runs(self) -> Iterator[Held]:
        """Hold the publishers' lock. Raises Busy when another publish runs or an installation takes too long."""
        try:
            with exclusive(self.path / "apply.lock", patience_s=LOOK_S):
                self._await_installations()
                yield always
        except Taken:
            raise busy() from None

    def _await_installations(self) -> None:
        try:
            with exclusive(self.path / INSTALL_LOCK, patience_s=INSTALLATION_S):
                pass
        except Taken:
            raise Busy(
                f"the app's own server has been installing for {INSTALLATION_S:g} seconds",
                hint="run it again",
            ) from None

    @contextmanager
    def lock_installation(self) -> Iterator[Installing]:
        try:
            with shared(self.path / INSTALL_LOCK, patience_s=INSTALLATION_S):
                yield Installing(held=always, is_publishing=is_taken(self.path / "apply.lock"))
        except Taken:
            raise busy() from None


def refuse_lost(directory: Path) -> None:
    """Raise DatabaseUnusable when the state is missing or empty, and other files of the directory tell of one.

    An empty file must not be opened: SQLite would delete a write-ahead log beside it, which may hold the last entries.
    """
    mark = _read_mark(
        directory
    )  # first, because another process may just be creating the file, then the mark
    path = directory / f"{STATE.name}.sqlite"
    if path.exists() and path.stat().st_size:
        return
    if mark is not None:
        raise _lost(directory, mark)


def _lost(directory: Path, mark: str) -> DatabaseDamaged:
    read = Mark.parse(mark)
    written = f"{read.seq:,} entries of its journal were written" if read else "it had a journal"
    return DatabaseDamaged(
        f"the state in {directory / STATE.name}.sqlite is missing or empty, and {written}",
        hint=PUT_BACK.format(mark=directory / MARK),
    )


def _read_mark(directory: Path) -> str | None:
    try:
        return (directory / MARK).read_bytes().decode("ascii", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatabaseUnusable(
            f"{directory / MARK} cannot be read: {error.strerror}", hint="look at the rights of the file"
        ) from None


def private_paths(directory: Path) -> list[Path]:
    """Return a state directory and its files that only their owner should read. Nothing is made."""
    files = [directory / "key", directory / MARK, *sorted(directory.glob("*.sqlite*"))]
    return [path for path in (directory, *files) if path.exists()]


def busy() -> AnotherPublish:
    return AnotherPublish(
        "another publish is running on this state", hint="wait for it to end, then run it again"
    )


def _make_private(path: Path) -> None:
    """Create the directory if it is missing. An empty one becomes private (0700) and gets a .gitignore.

    A directory with files keeps its mode, because all files of awning are private (0600) anyway.
    """
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not any(path.iterdir()):
        path.chmod(stat.S_IRWXU)
        ignore = path / ".gitignore"
        ignore.write_text("*\n", encoding="utf-8")
        ignore.chmod(stat.S_IRUSR | stat.S_IWUSR)


def read_key(text: str) -> bytes | None:
    """Return the key in its stored form; None when it is damaged."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        return None
    return key if len(key) == KEY_BYTES else None


def _key(path: Path) -> bytes:
    """Read the key, or create it. Two processes that start at once use the same key.

    Raises ConfigurationError when the stored key is damaged.
    """
    if not path.exists():
        new = path.with_name(f"key.{token_hex(8)}")
        descriptor = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(token_hex(KEY_BYTES))
            with suppress(FileExistsError):
                os.link(new, path)  # puts the complete file in place
        finally:
            new.unlink()
    key = read_key(path.read_bytes().decode("ascii", errors="replace"))
    if key is None:
        raise ConfigurationError(
            f"{path} is damaged: it is not {2 * KEY_BYTES} hexadecimal digits",
            hint="put back a copy of it; or delete it, then instances without a name get other hashes "
            "and `publish status` knows the earlier runs' instances by the old ones",
        )
    return key
