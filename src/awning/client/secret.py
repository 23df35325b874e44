"""Secrets: values that are never printed. This module also reads them, and removes them from other texts.

API keys, the app secret, passwords and authCodes are passed as `Secret`. Its `repr`, `str` and format show `***`
instead of the text, it cannot be pickled, and it is compared in constant time. `find_secret` reads a secret from the
environment, a keyring or a file, and never from a flag, because other users can see flags in the list of processes.

A file or folder with secrets is checked, and repaired: other users of this machine may not read or write it.
"""

import hmac
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

from awning.diagnostics import SetupCheck
from awning.errors import AwningError, ConfigurationError

SHOWN = "***"
KEYRING_SERVICE = "awning"
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control, format and surrogate characters, and separators of lines (Unicode, General Category)."""
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and a symbol that show nothing (Unicode, Default_Ignorable_Code_Point; the blank of Braille)."""
_JOINERS = re.compile(r"(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])")


class Secret:
    """A string that must never be shown. Only `reveal` returns its text."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Raises TypeError when `value` is not a string, such as a variable of the environment that is not set."""
        if not isinstance(value, str):
            raise TypeError(f"a Secret holds a str, not {type(value).__name__}")
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"Secret({SHOWN})"

    def __str__(self) -> str:
        return SHOWN

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be pickled")


def checked_secret(value: Secret, what: str) -> Secret:
    """Return `value`. Raises TypeError, without the value, when it is not a Secret. `what` names it in the message."""
    if not isinstance(value, Secret):
        raise TypeError(f"{what} is a Secret, not {type(value).__name__}: pass Secret(...) of awning.client")
    return value


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Return `text` with every secret replaced, both in plain form and percent-encoded."""
    for secret in secrets:
        value = secret.reveal()
        for form in {value, quote(value, safe="")}:
            if form:
                text = text.replace(form, SHOWN)
    return text


def printable(text: str, *, limit: int = 200) -> str:
    """Return a foreign text in a form that is safe to print: one line of at most `limit` printable characters."""
    line = " ".join(text.split())
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return clean if len(clean) <= limit else clean[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"


def is_plain(text: str) -> bool:
    """Return whether a text is one line without characters that change how a terminal shows it, or that are invisible.

    A joiner inside of a word or an emoji is part of the writing.
    """
    return all(unicodedata.category(c) not in _UNSAFE and c not in _FILLERS for c in _JOINERS.sub("", text))


def escaped(text: str) -> str:
    """Return a text with an escape such as `\\x1b` in the place of each character that `is_plain` does not allow."""
    return text if is_plain(text) else "".join(c if is_plain(c) else _escape(c) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def find_secret(name: str, environ: Mapping[str, str]) -> Secret | None:
    """Return the secret called `name`, such as `AWNING_API_KEY`; None when it is not set.

    The first of three sources that has it counts: the environment variable, the keyring, the file that `<name>_FILE`
    names.

    Raises ConfigurationError when the file cannot be read or is empty.
    """
    value = environ.get(name, "").strip() or _from_keyring(name)
    return Secret(value) if value else _from_file(f"{name}_FILE", environ)


ENVIRONMENT = "environment"
KEYRING = "keyring"


def secret_source(name: str, environ: Mapping[str, str]) -> str | None:
    """Return where `find_secret` finds the secret: ENVIRONMENT, KEYRING or the path of its file; None without one."""
    if environ.get(name, "").strip():
        return ENVIRONMENT
    if _from_keyring(name):
        return KEYRING
    file = environ.get(f"{name}_FILE", "").strip()
    return str(Path(file).resolve()) if file else None


def check_secret(name: str, environ: Mapping[str, str]) -> SetupCheck:
    """Return the line of `awning doctor` about a secret: whether it is set.

    If the environment does not have it, the line names the file or the keyring that may. It is a warning when the file
    cannot be used.
    """
    if environ.get(name, "").strip():
        return SetupCheck(name=name, state="ok", detail="set")
    try:
        secret = find_secret(name, environ)
    except AwningError as error:
        return SetupCheck(name=name, state="warning", detail=error.message, hint=error.hint)
    if secret is None:
        return SetupCheck(name=name, state="ok", detail="not set")
    file = environ.get(f"{name}_FILE")
    detail = f"set, by {name}_FILE or a keyring" if file else "set, in a keyring"
    return SetupCheck(name=name, state="ok", detail=detail)


def api_key(environ: Mapping[str, str]) -> Secret:
    """Return the key of the Apps API. Raises ConfigurationError when there is none, or its file cannot be used."""
    key = find_secret("AWNING_API_KEY", environ)
    if key is None:
        raise ConfigurationError(
            "there is no API key",
            hint="set AWNING_API_KEY, keep it in a keyring (service awning, user AWNING_API_KEY), "
            "or name a file in AWNING_API_KEY_FILE; the service's portal shows the key after a manifest is submitted",
        )
    return key


def _from_keyring(name: str) -> str | None:
    """Return the entry in the keyring (optional package `keyring`); None without an entry or a usable keyring."""
    if find_spec("keyring") is None:
        return None
    try:
        value = import_module("keyring").get_password(KEYRING_SERVICE, name)
    except Exception:  # noqa: BLE001 - a back end may raise anything, and its text may hold the secret
        return None
    return value.strip() if isinstance(value, str) else None


def _from_file(variable: str, environ: Mapping[str, str]) -> Secret | None:
    path = environ.get(variable, "").strip()
    if not path:
        return None
    try:
        text = Path(path).read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{variable} names a file that cannot be read ({type(error).__name__})"
        ) from None
    if not text:
        raise ConfigurationError(f"the file that {variable} names is empty")
    return Secret(text)


REPAIR = "awning doctor --fix"
_READ_OR_WRITE = stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH


def open_to_others(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield those of the paths that others than their owner may read or write. Missing ones are left out.

    Windows has no such modes, so nothing is yielded there.
    """
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except OSError:
            continue
        if os.name == "posix" and mode & _READ_OR_WRITE:
            yield path


def close_to_others(path: Path) -> bool:
    """Take the rights of all but the owner. Returns whether that was allowed."""
    try:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & stat.S_IRWXU)
    except OSError:
        return False
    return True


def secret_files(names: Iterable[str], environ: Mapping[str, str]) -> list[Path]:
    """Return the files that variables such as AWNING_API_KEY_FILE name. `names` are the names of the secrets."""
    values = (environ.get(f"{name}_FILE", "").strip() for name in names)
    return [Path(value) for value in values if value]


def check_private(name: str, paths: Iterable[Path], *, fix: bool) -> Iterator[SetupCheck]:
    """Yield a warning of `awning doctor` for each path that is open to others; with `fix`, repair it."""
    for path in open_to_others(paths):
        mode = f"{stat.S_IMODE(path.stat().st_mode):04o}"
        if fix and close_to_others(path):
            yield SetupCheck(name=name, state="ok", detail=f"{path}: was {mode}, is now only its owner's")
            continue
        hint = f"let its owner run: chmod go= {path}" if fix else REPAIR
        detail = f"{path}: others on this machine may read or write it ({mode}); only its owner should"
        yield SetupCheck(name=name, state="warning", detail=detail, hint=hint)
