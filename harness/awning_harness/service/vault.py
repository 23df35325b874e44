"""Encrypts the secrets in a state file.

The simulated service needs two kinds of secrets in plain text: an app's `app_secret`, to sign with it, and an authCode,
to send it to the app when a user opens the settings. Both are sealed with a key in a file beside the state file
(`<state>.key`, which only its owner can read), so a copy of the database reveals none of them. Secrets that are
only compared (such as API keys and the authCodes of calls) are stored as digests.

The seal is HMAC-SHA-256 in counter mode with a new nonce, and a MAC over the result (encrypt, then MAC).
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from awning.errors import ConfigurationError

_NONCE = 16
_MAC = 32
_KEY = 32


def digest(secret: str) -> bytes:
    """Return the stored form of a secret that is only compared.

    Such secrets are long and random, so one round is enough.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


@dataclass(frozen=True, slots=True)
class Vault:
    """Encrypts and decrypts short texts with one key."""

    key: bytes = field(repr=False)

    @classmethod
    def beside(cls, state: Path | None) -> "Vault":
        """Return the vault of a state file. Its key is created at the first use. Without a file, the key is not stored.

        Raises ConfigurationError when the key file cannot be used or is damaged.
        """
        if state is None:
            return cls(secrets.token_bytes(32))
        path = state.with_name(state.name + ".key")
        try:
            if not path.exists():
                _write_key(path)
            return cls(_read_key(path, state))
        except OSError as error:
            raise ConfigurationError(
                f"{path} cannot be used as the key of {state.name}: {error.strerror}",
                hint="make its folder writable for you",
            ) from error

    def seal(self, text: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE)
        sealed = nonce + self._mixed(nonce, text.encode())
        return sealed + self._mac(sealed)

    def open(self, sealed: bytes) -> str:
        """Decrypt a sealed text. Raises ValueError when it is damaged or was sealed with another key."""
        body, mac = sealed[:-_MAC], sealed[-_MAC:]
        if not hmac.compare_digest(self._mac(body), mac):
            raise ValueError("the secrets of the state file were sealed with another key")
        return self._mixed(body[:_NONCE], body[_NONCE:]).decode()

    def _mac(self, sealed: bytes) -> bytes:
        return hmac.digest(self.key, b"mac" + sealed, "sha256")

    def _mixed(self, nonce: bytes, text: bytes) -> bytes:
        blocks = range(-(-len(text) // 32))
        stream = b"".join(hmac.digest(self.key, b"mix" + nonce + n.to_bytes(8), "sha256") for n in blocks)
        return bytes(a ^ b for a, b in zip(text, stream, strict=False))


def _read_key(path: Path, state: Path) -> bytes:
    try:
        key = bytes.fromhex(path.read_text("ascii"))
    except ValueError:
        key = b""
    if len(key) != _KEY:
        raise ConfigurationError(
            f"{path} is damaged: it is not {2 * _KEY} hexadecimal digits",
            hint=f"restore a copy of it, or delete it and {state.name} to start with an empty state",
        )
    return key


def _write_key(path: Path) -> None:
    """Create the key file atomically. If another process has created it meanwhile, that file stays."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(_KEY))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        Path(draft).unlink()
