"""What was submitted to which portal, and the rule that hangs on it: a changed manifest has a higher version.

One small file in the state directory: the app's number at the portal, the version and two hashes. No secret, no
text of the manifest.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from awning.errors import ConfigurationError
from awning.manifest_rules import Finding, version_of

FILE_NAME = "submissions.json"
SCHEMA_VERSION = 1
BUILT = ("app_default_snippet", "app_default_head_snippet")
"""Fields that come from the build: manifest.toml alone cannot be compared in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The last submission to one portal. `whole` and `own` are hashes: of everything, and without the built fields."""

    app_id: int
    version: str
    whole: str
    own: str
    at: str


@dataclass(frozen=True, slots=True)
class History:
    """The submissions of one workspace, by portal."""

    path: Path

    def last(self, portal_url: str | None) -> Submitted | None:
        """The last one to this portal; without a portal the newest of all."""
        known = self._read()
        if portal_url is not None:
            return known.get(portal_url)
        return max(known.values(), key=lambda one: one.at, default=None)

    def keep(self, portal_url: str, submitted: Submitted) -> None:
        """Write it down, whole or not at all."""
        submissions = {url: asdict(one) for url, one in {**self._read(), portal_url: submitted}.items()}
        document = {"schema_version": SCHEMA_VERSION, "submissions": submissions}
        draft = self.path.with_name(f"{self.path.name}.{token_hex(4)}")
        descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=2)
        draft.replace(self.path)

    def _read(self) -> dict[str, Submitted]:
        try:
            document = json.loads(self.path.read_text(encoding="utf-8"))
            return {url: Submitted(**one) for url, one in document["submissions"].items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise ConfigurationError(
                f"{self.path} cannot be read", hint="delete it: only the check of versions needs it"
            ) from None


def hashes(fields: Mapping[str, Any]) -> tuple[str, str]:
    """`whole` and `own` of a manifest. The secret is in neither."""
    whole = {name: value for name, value in fields.items() if name != "app_secret"}
    own = {name: value for name, value in whole.items() if name not in BUILT}
    return _hash(whole), _hash(own)


def version_findings(fields: Mapping[str, Any], last: Submitted | None, *, built: bool) -> list[Finding]:
    """Whether app_version was raised. `built` says that the built default snippets are among the fields."""
    now = version_of(fields.get("app_version"))
    before = version_of(last.version) if last else None
    if last is None or now is None or before is None or now > before:
        return []
    whole, own = hashes(fields)
    if now == before and (whole == last.whole if built else own == last.own):
        return []
    message = f"must be greater than {last.version}, which was submitted last with other contents"
    return [Finding(field="app_version", message=message)]


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
