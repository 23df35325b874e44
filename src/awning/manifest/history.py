"""The history of submissions: the last submission of each app.

It is one small file in the state directory. For each app it has the portal's address, the app's number there, title,
version, time, two hashes and the fields, but no secret, and of a default snippet only size and hash. An app is
recognised by its title. When the title is not enough, the user must choose the app, because a submission replaces the
app's earlier version.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

import msgspec
from msgspec import Struct

from awning.build_record import DEFAULT_FIELDS
from awning.contract.manifest_fields import SECRET_FIELD
from awning.contract.manifest_rules import Finding, parse_version
from awning.errors import ConfigurationError
from awning.typed_values import Mismatch, decode

FILE_NAME = "submissions.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRecord:
    """The last submission of one app. `at` is the time of the submission in UTC (ISO 8601).

    `whole` is a hash of all fields except the secret, `own` a hash of those that do not come from the build. `fields`
    are the `remembered_fields`; None in a record that has none.
    """

    app_id: int
    version: str
    whole: str
    own: str
    at: str
    portal_url: str
    title: str
    fields: dict[str, Any] | None = None

    def __str__(self) -> str:
        return f'app {self.app_id}, "{self.title}"'


class _Document(Struct):
    """The form of the file."""

    submissions: tuple[SubmissionRecord, ...]
    schema_version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class History:
    """The submissions of one state directory. Each method raises ConfigurationError when the file cannot be read."""

    path: Path

    def with_title(self, title: str, portal_url: str | None) -> tuple[SubmissionRecord, ...]:
        """Return the submissions with this title, the newest last.

        If `portal_url` is None, the submissions to all portals are returned.
        """
        records = (
            record
            for record in self._read()
            if portal_url in {None, record.portal_url} and record.title == title
        )
        return tuple(sorted(records, key=lambda record: record.at))

    def app_of(self, title: str, portal_url: str) -> SubmissionRecord | None:
        """Return the last submission of the app with this title; None when this portal has no submission yet.

        Raises ConfigurationError when only other titles were submitted there, or when several apps have this title.
        """
        same_portal = [record for record in self._read() if record.portal_url == portal_url]
        same_title = self.with_title(title, portal_url)
        if len(same_title) > 1:
            names = " and ".join(str(record.app_id) for record in same_title)
            raise ConfigurationError(
                f'the apps {names} have the same title at {portal_url}: "{title}"',
                hint="choose the app with --app-id",
            )
        if same_portal and not same_title:
            names = "; ".join(map(str, same_portal))
            raise ConfigurationError(
                f'no app with the title "{title}" was submitted to {portal_url}. Submitted apps: {names}',
                hint=f"submit a new app with --new, or a new version with --app-id {same_portal[-1].app_id}",
            )
        return same_title[0] if same_title else None

    def with_app_id(self, app_id: int, portal_url: str) -> SubmissionRecord | None:
        wanted = (portal_url, app_id)
        return next((record for record in self._read() if (record.portal_url, record.app_id) == wanted), None)

    def add(self, record: SubmissionRecord) -> None:
        """Add the record. It replaces an older record of the same app. The file is replaced atomically."""
        app = (record.portal_url, record.app_id)
        others = [other for other in self._read() if (other.portal_url, other.app_id) != app]
        content = msgspec.json.encode(_Document(submissions=(*others, record)))
        draft = self.path.with_name(f"{self.path.name}.{token_hex(4)}")
        descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(content, indent=2))
        draft.replace(self.path)

    def _read(self) -> tuple[SubmissionRecord, ...]:
        try:
            return decode(self.path.read_bytes(), _Document).submissions
        except FileNotFoundError:
            return ()
        except (OSError, Mismatch) as error:
            why = error.of("it") if isinstance(error, Mismatch) else error.strerror
            hint = "delete it, and name the app with --app-id the next time you submit"
            raise ConfigurationError(f"{self.path} cannot be read: {why}", hint=hint) from None


def remembered_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields without the secret, and with size and hash in place of a default snippet's text."""
    remembered = {name: value for name, value in fields.items() if name != SECRET_FIELD}
    for name in DEFAULT_FIELDS.values():
        text = remembered.get(name)
        if isinstance(text, str):
            content = text.encode()
            remembered[name] = f"{len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}"
    return remembered


def hashes(fields: Mapping[str, Any]) -> tuple[str, str]:
    """Return the hashes `whole` and `own` of a `SubmissionRecord`. The secret is part of neither."""
    whole = {name: value for name, value in fields.items() if name != SECRET_FIELD}
    own = {name: value for name, value in whole.items() if name not in DEFAULT_FIELDS.values()}
    return _hash(whole), _hash(own)


def findings_of_last_version(
    fields: Mapping[str, Any], state: Path, portal_url: str | None, *, built: bool
) -> list[Finding]:
    """Return an error when app_version was not raised since the last submission with the same title.

    There is also no finding if the title is missing or not a text. `state` is the state directory with the history.
    `version_findings` has the exact rule.
    """
    portal_url = portal_url.rstrip("/") if portal_url else None
    title = fields.get("app_title")
    if not isinstance(title, str):
        return []
    records = History(state / FILE_NAME).with_title(title, portal_url)
    return version_findings(fields, records[-1] if records else None, built=built)


def version_findings(
    fields: Mapping[str, Any], last: SubmissionRecord | None, *, built: bool
) -> list[Finding]:
    """Return an error when app_version is less than in `last`, or equal although the manifest changed; else no finding.

    There is also no finding without `last`, or when a version is invalid. `built` is whether the fields include the
    built default snippets.
    """
    now = parse_version(fields.get("app_version"))
    before = parse_version(last.version) if last else None
    if last is None or now is None or before is None or now > before:
        return []
    whole, own = hashes(fields)
    if now == before and (whole == last.whole if built else own == last.own):
        return []
    message = (
        f"must be greater than {last.version}, which was submitted last with other contents: "
        "`awning manifest bump` raises it"
    )
    return [Finding(field="app_version", message=message)]


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
