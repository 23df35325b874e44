"""Where inventory, journal, the key that hides authCodes and the lock are: a directory, or a PostgreSQL database.

The directory:

    inventory.sqlite   where the app is installed (authCodes: secrets)
    journal.sqlite     what was written where, and what was there before
    key                32 bytes, so that an authCode can be shown as a keyed hash
    apply.lock         held while a publish runs

Everything is for its owner alone (0700, 0600) and hidden from git; awning never cleans it. In a PostgreSQL database
(`awning.publish.state_server`) all four are there, and no directory is made.
"""

import hmac
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from secrets import token_hex

from awning.client import Secret
from awning.contract import Exit
from awning.errors import AwningError, ConfigurationError, DatabaseUnusable
from awning.publish.database import Database
from awning.publish.layout import Layout, bring_up
from awning.publish.lock import Taken, exclusive
from awning.publish.sqlite import open_sqlite

HASH_DIGITS = 12
KEY_BYTES = 32


Held = Callable[[], bool]
"""Whether a lock is held still."""


def always() -> bool:
    """The operating system's locks are held until they are let go of."""
    return True


class Busy(AwningError):
    """Another publish runs on the same state."""

    exit_code = Exit.FINDINGS


class State(ABC):
    """One app's state, wherever it is."""

    @abstractmethod
    def connect(self, name: str) -> Database:
        """The database in which the tables called `name` are. Raises DatabaseUnusable."""

    @property
    @abstractmethod
    def key(self) -> bytes:
        """What keyed hashes are made with. Raises ConfigurationError."""

    @abstractmethod
    def one_at_a_time(self) -> AbstractContextManager[Held]:
        """Hold the lock: two runs at once could write an old body over a newer one. Raises Busy.

        What it gives tells whether it is held still: a server lets go of it when it loses us.
        """

    def open(self, layout: Layout) -> Database:
        """The database with its tables brought up to now. Raises DatabaseUnusable."""
        database = self.connect(layout.name)
        try:
            bring_up(database, layout)
        except BaseException:
            database.close()
            raise
        return database

    def hash_of(self, code: Secret) -> str:
        """How an authCode is named where it must not be shown. Differs from state to state."""
        digest = hmac.new(self.key, code.reveal().encode(), "sha256").hexdigest()
        return f"@{digest[:HASH_DIGITS]}"


class StateDir(State):
    """One workspace's state in a directory. Made on first use."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            _make_private(path)
            self._key = _key(path / "key")
        except OSError as error:
            raise ConfigurationError(
                f"the state directory {path} cannot be used ({error.strerror})",
                hint="AWNING_STATE_DIR names another",
            ) from None

    def database(self, name: str) -> Path:
        """The path of a database in here, made for its owner alone before anything is written to it."""
        path = self.path / f"{name}.sqlite"
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            path.chmod(0o600)
        except OSError as error:
            raise DatabaseUnusable(
                f"{path} cannot be used: {error.strerror}",
                hint="look at the rights of the file and of its directory",
            ) from None
        return path

    def connect(self, name: str) -> Database:
        return open_sqlite(self.database(name))

    @property
    def key(self) -> bytes:
        return self._key

    @contextmanager
    def one_at_a_time(self) -> Iterator[Held]:
        try:
            with exclusive(self.path / "apply.lock"):
                yield always
        except Taken:
            raise busy() from None


def busy() -> Busy:
    return Busy("another publish is running on this state", hint="wait for it to end, then run it again")


def _make_private(path: Path) -> None:
    """A new or empty directory becomes its owner's alone; one in use keeps its mode, our files are 0600 anyway."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not any(path.iterdir()):
        path.chmod(stat.S_IRWXU)
        ignore = path / ".gitignore"
        ignore.write_text("*\n", encoding="utf-8")
        ignore.chmod(stat.S_IRUSR | stat.S_IWUSR)


def _key(path: Path) -> bytes:
    """The key of the keyed hashes, made once. Linked into place whole, so that two first runs agree."""
    if not path.exists():
        made = path.with_name(f"key.{token_hex(8)}")
        descriptor = os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token_hex(KEY_BYTES))
        try:
            os.link(made, path)
        except FileExistsError:
            pass
        finally:
            made.unlink()
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ConfigurationError(
            f"{path} is damaged: it is not {2 * KEY_BYTES} hexadecimal digits",
            hint="put back a copy of it; or delete it, then instances without a name get other hashes "
            "and `publish status` knows the earlier runs' instances by the old ones",
        )
    return key
