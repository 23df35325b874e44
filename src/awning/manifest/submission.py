"""Performs `awning manifest submit`: checks the manifest, sends it to the portal, and records the submission.

Nothing is sent while the check finds an error. The portal shows a new app's API key only once, so the file for the key
is created before anything is sent. Only its owner can read the file. An existing file is never overwritten.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from awning.client import Secret, Transport, find_secret
from awning.client.access import is_loopback
from awning.contract import Exit
from awning.contract.manifest_fields import SECRET_FIELD
from awning.contract.manifest_rules import Finding, has_error
from awning.errors import ConfigurationError
from awning.manifest.default_snippets import submitted_fields
from awning.manifest.file import (
    VARIABLE,
    CheckOptions,
    ManifestFile,
    check_manifest_file,
    weak_secret_findings,
)
from awning.manifest.history import (
    FILE_NAME,
    History,
    SubmissionRecord,
    hashes,
    remembered_fields,
    version_findings,
)
from awning.manifest.icon import FIELD as ICON
from awning.manifest.icon import icon_file
from awning.manifest.portal import PortalResponse, portal_access, submit
from awning.publish.state.store import StateDir


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionOptions:
    """The options of one submission: portal, app and files. `dist` is the folder of the build.

    When `key_file` is None, the key of a new app is written to `api-key-<host of the portal>` in the state directory.
    """

    portal_url: str
    state: Path
    check: CheckOptions
    dist: Path
    app_id: int | None
    new: bool
    same_version: bool
    key_file: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult:
    """The result of a submission. `app_id` is None when nothing was sent or the portal refused.

    `findings` then has the reasons. `namesakes` are the ids of other apps that were submitted with the same title.
    """

    exit_code: Exit
    findings: tuple[Finding, ...]
    app_id: int | None = None
    title: str | None = None
    namesakes: tuple[int, ...] = ()
    new: bool = False
    approved: bool = False
    portal_url: str = ""
    key_file: Path | None = None
    api_key: Secret | None = None

    def as_json(self, *, show_key: bool) -> dict[str, Any]:
        key = {"api_key": self.api_key.reveal()} if show_key and self.api_key else {}
        return {
            "valid": True,
            "portal_url": self.portal_url,
            "app_id": self.app_id,
            "title": self.title,
            "new": self.new,
            "approved": self.approved,
            "key_file": str(self.key_file) if self.key_file else None,
            **key,
            "findings": [finding.as_json() for finding in self.findings],
        }


def submit_manifest(
    manifest: ManifestFile, options: SubmissionOptions, environ: Mapping[str, str]
) -> SubmissionResult:
    """Check a manifest, send it, and record the submission. A manifest.toml gets the built default snippets.

    Raises ConfigurationError when the app secret is missing, when the build or the history cannot be used, when it is
    unclear which app is meant, when the portal's address or the proxy is not allowed, or when the file for the key
    exists or cannot be written. Raises a ServiceError when the portal gives no usable response.
    """
    findings = _check(manifest, options, environ)
    if not isinstance(manifest.fields, dict):
        return SubmissionResult(exit_code=Exit.FINDINGS, findings=tuple(findings))
    fields = submitted_fields(manifest, options.dist)
    history = History(options.state / FILE_NAME)
    previous = None if has_error(findings) else _previous(history, str(fields["app_title"]), options)
    if not options.same_version:
        findings += version_findings(fields, previous, built=True)
    if has_error(findings):
        return SubmissionResult(exit_code=Exit.FINDINGS, findings=tuple(findings))
    secret = _app_secret(manifest.fields, environ)
    findings += weak_secret_findings(secret)
    app_id = options.app_id or (previous.app_id if previous else None)
    response, key_file = _send({**fields, SECRET_FIELD: secret.reveal()}, secret, app_id, options, environ)
    if response.app_id is None:
        return SubmissionResult(exit_code=Exit.REFUSED, findings=response.findings)
    record = _record(response.app_id, fields, options.portal_url)
    history.add(record)
    return _result(response, findings, record, history, key_file)


def _check(manifest: ManifestFile, options: SubmissionOptions, environ: Mapping[str, str]) -> list[Finding]:
    """Return the findings that count for a submission.

    A local icon is an error. Findings about the secret in a .json manifest are left out.
    """
    loopback = options.check.allow_loopback or is_loopback(urlsplit(options.portal_url).hostname or "")
    checked = check_manifest_file(manifest, replace(options.check, allow_loopback=loopback), environ)
    findings = [f for f in checked if f.field != SECRET_FIELD or manifest.toml]
    icon = manifest.fields.get(ICON) if isinstance(manifest.fields, dict) else None
    if isinstance(icon, str) and icon_file(icon, manifest.path.absolute().parent):
        message = "is a local file: upload it and put its https address here"
        findings = [f for f in findings if f.field != ICON or f.severity == "error"]
        findings.append(Finding(field=ICON, message=message))
    return findings


def _previous(history: History, title: str, options: SubmissionOptions) -> SubmissionRecord | None:
    """Return the last submission of the same app; None for a new app, or when the history does not have the app.

    Raises ConfigurationError when it is unclear which app is meant.
    """
    if options.new:
        return None
    if options.app_id is not None:
        return history.with_app_id(options.app_id, options.portal_url)
    return history.app_of(title, options.portal_url)


def _app_secret(fields: Mapping[str, Any], environ: Mapping[str, str]) -> Secret:
    value = fields.get(SECRET_FIELD)
    secret = Secret(value) if isinstance(value, str) and value else find_secret(VARIABLE, environ)
    if secret is None:
        hint = f"set {VARIABLE}, keep it in a keyring, or name a file in {VARIABLE}_FILE"
        raise ConfigurationError("there is no app secret", hint=hint)
    return secret


def _send(
    fields: Mapping[str, Any],
    secret: Secret,
    app_id: int | None,
    options: SubmissionOptions,
    environ: Mapping[str, str],
) -> tuple[PortalResponse, Path | None]:
    """Submit, and write a new app's key to a file. Returns the response and the file's path (None without a key)."""
    StateDir(options.state)  # creates the directory if it is missing
    access = portal_access(options.portal_url, secret)
    with (
        Transport(access, environ=environ) as transport,
        _key_file(options, wanted=app_id is None) as key_file,
    ):
        response = submit(transport, access, fields, app_id)
        if response.app_id is None or response.api_key is None or key_file is None:
            return response, None
        key_file.write_text(f"{response.api_key.reveal()}\n", encoding="utf-8")
        return response, key_file


@contextmanager
def _key_file(options: SubmissionOptions, *, wanted: bool) -> Iterator[Path | None]:
    """Create an empty file for the key, yield its path, and at the end remove the file if it is still empty.

    Yields None when no file is wanted. Raises ConfigurationError when the file exists or cannot be created.
    """
    if not wanted:
        yield None
        return
    host = urlsplit(options.portal_url).netloc.replace(":", "-")
    path = options.key_file or options.state / f"api-key-{host}"
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        hint = "name another with --key-file, or move it away"
        raise ConfigurationError(
            f"{path} exists already, and the new app's API key would overwrite it", hint=hint
        ) from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror})") from None
    try:
        yield path
    finally:
        if path.stat().st_size == 0:
            path.unlink()


def _record(app_id: int, fields: Mapping[str, Any], portal_url: str) -> SubmissionRecord:
    whole, own = hashes(fields)
    return SubmissionRecord(
        app_id=app_id,
        version=str(fields["app_version"]),
        whole=whole,
        own=own,
        at=datetime.now(UTC).isoformat(),
        portal_url=portal_url,
        title=str(fields["app_title"]),
        fields=remembered_fields(fields),
    )


def _result(
    response: PortalResponse,
    findings: list[Finding],
    record: SubmissionRecord,
    history: History,
    key_file: Path | None,
) -> SubmissionResult:
    """Return the result. The portal's findings replace ours about the same field."""
    fields = {finding.field for finding in response.findings}
    same_title = history.with_title(record.title, record.portal_url)
    return SubmissionResult(
        exit_code=Exit.DONE,
        findings=(*(finding for finding in findings if finding.field not in fields), *response.findings),
        app_id=record.app_id,
        title=record.title,
        namesakes=tuple(other.app_id for other in same_title if other.app_id != record.app_id),
        new=response.api_key is not None,
        approved=response.approved,
        portal_url=record.portal_url,
        key_file=key_file,
        api_key=response.api_key,
    )
