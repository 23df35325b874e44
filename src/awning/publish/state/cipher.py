"""Encrypts stored authCodes: AES-256-GCM (NIST SP 800-38D) with a key from AWNING_STATE_KEY.

    v1 1f0c9a2e 3q2+7w...     version, the key's id, then nonce and ciphertext in base64

No authCode contains a space, so a plain one is never mistaken for an encrypted one. AWNING_STATE_KEY may hold several
keys, separated by white space: the first one encrypts, and all of them decrypt. To change the key while servers run:
set `NEW OLD` on each machine, run `awning instances rekey`, then set `NEW` alone.

The cipher's key is derived from the text of the variable by HKDF-SHA-256 (RFC 5869). HKDF does not protect a weak
password, so the text must be random. This module needs the extra `crypto`.
"""

import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any, Self

from awning.client import Secret, find_secret
from awning.errors import ConfigurationError

VARIABLE = "AWNING_STATE_KEY"
VERSION = "v1"
LEAST_CHARACTERS = 32
NONCE_BYTES = 12
KEY_BYTES, ID_BYTES = 32, 4
MAKE_KEY = "a new key: openssl rand -base64 32"


class CodeCipher:
    """Encrypts and decrypts authCodes with the keys of AWNING_STATE_KEY."""

    def __init__(self, keys: Secret) -> None:
        """Read the keys.

        Raises ConfigurationError when there is no key, a key is too short, or the package cryptography is missing.
        """
        texts = keys.reveal().split()
        if not texts or any(len(text) < LEAST_CHARACTERS for text in texts):
            raise ConfigurationError(
                f"a key in {VARIABLE} has fewer than {LEAST_CHARACTERS} characters", hint=MAKE_KEY
            )
        named = [_named_key(text) for text in texts]
        self._keys: Mapping[str, Any] = dict(reversed(named))
        self.current = named[0][0]

    @classmethod
    def found_in(cls, environ: Mapping[str, str]) -> Self | None:
        """Return the cipher for AWNING_STATE_KEY (environment, keyring or file); None when there is no key.

        Raises ConfigurationError when the keys cannot be read or used.
        """
        keys = find_secret(VARIABLE, environ)
        return None if keys is None else cls(keys)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all keys."""
        return frozenset(self._keys)

    def seal(self, code: Secret) -> str:
        """Encrypt an authCode with the first key. Each call returns a different text."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = self._keys[self.current].encrypt(nonce, code.reveal().encode(), VERSION.encode())
        return f"{VERSION} {self.current} {b64encode(nonce + sealed).decode('ascii')}"

    def open(self, sealed: str) -> Secret:
        """Decrypt a text that `seal` returned.

        Raises ConfigurationError when the cipher does not have its key, or when the text is damaged.
        """
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - an extra

        words = sealed.split(" ")
        if len(words) != 3:  # noqa: PLR2004 - version, key id, text
            raise damaged()
        _, key_id, text = words
        if key_id not in self._keys:
            raise wrong_key()
        try:
            content = b64decode(text, validate=True)
            nonce, ciphertext = content[:NONCE_BYTES], content[NONCE_BYTES:]
            return Secret(self._keys[key_id].decrypt(nonce, ciphertext, VERSION.encode()).decode())
        except (InvalidTag, ValueError):
            raise damaged() from None


def is_sealed(text: str) -> bool:
    """Return whether a stored text is an encrypted authCode."""
    return text.startswith(f"{VERSION} ")


def seal(cipher: CodeCipher | None, code: Secret) -> str:
    """Return the text to store for an authCode: encrypted, or plain without a cipher."""
    return code.reveal() if cipher is None else cipher.seal(code)


def unseal(cipher: CodeCipher | None, stored: str) -> Secret:
    """Return the authCode of a stored text, which is plain or encrypted.

    Raises ConfigurationError when the text is encrypted and there is no cipher, the cipher does not have its key, or
    the text is damaged.
    """
    if not is_sealed(stored):
        return Secret(stored)
    if cipher is None:
        raise missing_key()
    return cipher.open(stored)


def missing_key() -> ConfigurationError:
    return ConfigurationError(
        f"the authCodes are encrypted, and there is no {VARIABLE}",
        hint=f"set {VARIABLE} to the key they were encrypted with, or name a file in {VARIABLE}_FILE",
    )


def wrong_key() -> ConfigurationError:
    return ConfigurationError(
        f"the authCodes are encrypted with another key than {VARIABLE} has",
        hint="put the earlier key behind the new one, separated by a space; awning instances rekey then changes it",
    )


def damaged() -> ConfigurationError:
    return ConfigurationError(
        "an encrypted authCode is damaged", hint="put back a copy of the inventory from before"
    )


def _named_key(text: str) -> tuple[str, Any]:
    """Return the id and the AES-GCM cipher that are derived from one key.

    Raises ConfigurationError when the package cryptography is missing.
    """
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - an extra
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415
    except ImportError:
        raise ConfigurationError(
            f"{VARIABLE} needs cryptography, which is not installed",
            hint="install it: pip install 'awning[crypto]'",
        ) from None
    derived = HKDF(algorithm=SHA256(), length=KEY_BYTES + ID_BYTES, salt=None, info=b"awning authCodes v1")
    material = derived.derive(text.encode())
    return material[KEY_BYTES:].hex(), AESGCM(material[:KEY_BYTES])
