"""The hosts that the user has confirmed for a secret.

A workspace may come from somebody else, and it names the address of the service. So a secret of the user's goes to such
an address only after the user has confirmed it. The answers are in the user's configuration folder, outside of every
workspace.
"""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from awning.errors import ConfigurationError
from awning.typed_values import Mismatch, decode
from awning.user_folder import user_folder

VARIABLE = "AWNING_TRUSTED_HOSTS"
FILE_NAME = "trusted-hosts.json"
_PORTS: Mapping[str, int] = {"http": 80, "https": 443}


class Trust(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One confirmation: the secret of this name, from this source, may go to this origin."""

    origin: str
    secret: str
    source: str


class _Document(msgspec.Struct, frozen=True, kw_only=True):
    schema_version: int
    trusted: tuple[Trust, ...] = ()


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address: `https://api.example.com:443`.

    Raises ConfigurationError when it is not an http or https address.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port or _PORTS[parts.scheme]
        host = (parts.hostname or "").encode("idna").decode()
    except (ValueError, KeyError):
        host, port = "", 0
    if not host:
        raise ConfigurationError(
            "this is not an http or https address", hint="such as https://api.example.com/v1"
        )
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def shown_origin(origin: str) -> str:
    """Return an origin without the port that its scheme implies."""
    scheme, _, authority = origin.partition("://")
    return f"{scheme}://{authority.removesuffix(f':{_PORTS[scheme]}')}"


def listed_origins(environ: Mapping[str, str]) -> frozenset[str]:
    """Return the origins that AWNING_TRUSTED_HOSTS lists. A host without a scheme means https.

    Raises ConfigurationError when an entry is not a host or an address.
    """
    entries = environ.get(VARIABLE, "").replace(",", " ").split()
    try:
        return frozenset(origin_of(entry if "://" in entry else f"https://{entry}") for entry in entries)
    except ConfigurationError:
        hint = f"{VARIABLE}=api.example.com,http://127.0.0.1:8430"
        raise ConfigurationError(f"{VARIABLE} lists something that is not a host", hint=hint) from None


@dataclass(frozen=True, slots=True)
class TrustedHosts:
    """The user's confirmations, in a file that only the user can write."""

    path: Path

    @classmethod
    def of_user(cls, environ: Mapping[str, str]) -> "TrustedHosts":
        return cls(user_folder(environ) / FILE_NAME)

    def read(self) -> tuple[Trust, ...]:
        """Return the confirmations. Raises ConfigurationError when the file cannot be read."""
        try:
            return decode(self.path.read_bytes(), _Document).trusted
        except FileNotFoundError:
            return ()
        except (OSError, Mismatch) as error:
            why = error.of("it") if isinstance(error, Mismatch) else error.strerror
            hint = "restore it, or remove it and confirm the hosts again"
            raise ConfigurationError(f"{self.path} cannot be read: {why}", hint=hint) from None

    def write(self, trusted: set[Trust]) -> None:
        """Replace the confirmations. Raises ConfigurationError when the file cannot be written."""
        content = msgspec.json.encode(_Document(schema_version=1, trusted=tuple(sorted(trusted))))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, new = tempfile.mkstemp(dir=self.path.parent)  # private: mode 0600
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(content, indent=2) + b"\n")
            Path(new).replace(self.path)
        except OSError as error:
            raise ConfigurationError(f"{self.path} cannot be written ({error.strerror})") from None
