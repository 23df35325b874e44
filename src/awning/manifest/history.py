"""What was submitted to which portal, and what hangs on it: which app it is, and that a changed one is versioned up.

One small file in the state directory: per app its number at the portal, its title, the version and two hashes. No
secret, no other text of the manifest. An app is known again by its title; where that does not tell, nothing is
guessed, for a submission replaces what the app was.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from awning.contract.manifest_rules import Finding, version_of
from awning.errors import ConfigurationError

FILE_NAME = "submissions.json"
SCHEMA_VERSION = 2
BY_PORTAL = 1
"""Of files that knew one app per portal, and no title."""
BUILT = ("app_default_snippet", "app_default_head_snippet")
"""Fields that come from the build: manifest.toml alone cannot be compared in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The last submission of one app. `whole` and `own` are hashes: of everything, and without the built fields.

    `title` is None in files of before it was kept: such an app goes by any title.
    """

    app_id: int
    version: str
    whole: str
    own: str
    at: str
    portal_url: str
    title: str | None = None

    @property
    def shown(self) -> str:
        return f'app {self.app_id}, "{self.title}"' if self.title else f"app {self.app_id}"


@dataclass(frozen=True, slots=True)
class History:
    """The submissions of one state directory."""

    path: Path

    def titled(self, title: str, portal_url: str | None) -> tuple[Submitted, ...]:
        """The apps with this title at this portal, the newest last; without a portal at all of them."""
        at = (one for one in self._read() if portal_url in {None, one.portal_url})
        return tuple(sorted((one for one in at if one.title in {None, title}), key=lambda one: one.at))

    def bound(self, title: str, portal_url: str) -> Submitted | None:
        """The app that a manifest with this title is a new version of; None for the portal's first one.

        Raises ConfigurationError where another app, or more than one, may be meant.
        """
        known = [one for one in self._read() if one.portal_url == portal_url]
        found = self.titled(title, portal_url)
        if len(found) > 1:
            names = " and ".join(str(one.app_id) for one in found)
            raise ConfigurationError(
                f'the apps {names} were both submitted to {portal_url} with the title "{title}"',
                hint="--app-id says which one this is a new version of",
            )
        if known and not found:
            names = "; ".join(one.shown for one in known)
            raise ConfigurationError(
                f'nothing was submitted to {portal_url} with the title "{title}", but {names}',
                hint=f"--new makes a new app of it, --app-id {known[-1].app_id} replaces that one",
            )
        return found[0] if found else None

    def numbered(self, app_id: int, portal_url: str) -> Submitted | None:
        return next(
            (one for one in self._read() if (one.portal_url, one.app_id) == (portal_url, app_id)), None
        )

    def keep(self, submitted: Submitted) -> None:
        """Write it down, whole or not at all."""
        own = (submitted.portal_url, submitted.app_id)
        others = [one for one in self._read() if (one.portal_url, one.app_id) != own]
        submissions = [asdict(one) for one in (*others, submitted)]
        document = {"schema_version": SCHEMA_VERSION, "submissions": submissions}
        draft = self.path.with_name(f"{self.path.name}.{token_hex(4)}")
        descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=2)
        draft.replace(self.path)

    def _read(self) -> tuple[Submitted, ...]:
        try:
            document = json.loads(self.path.read_text(encoding="utf-8"))
            found = document["submissions"]
            if document["schema_version"] == BY_PORTAL:
                found = [{"portal_url": url, **one} for url, one in found.items()]
            return tuple(Submitted(**one) for one in found)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise ConfigurationError(
                f"{self.path} cannot be read",
                hint="delete it, and name the app with --app-id the next time you submit",
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
