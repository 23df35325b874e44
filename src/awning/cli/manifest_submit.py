"""One `manifest submit`, from check to record. Nothing is sent while an error is left.

A new app's API key is shown by the portal once, so the file it goes to is made before anything is sent; it is
never overwritten, and only its owner can read it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from awning.cli.service_settings import chosen_profile
from awning.client import Secret, Wire, find_secret
from awning.client.access import checked_base_url, is_loopback
from awning.contract import Exit
from awning.contract.manifest_rules import Finding
from awning.errors import ConfigurationError
from awning.manifest.file import SECRET, VARIABLE, Asked, ManifestFile, check_manifest_file, weak
from awning.manifest.history import FILE_NAME, History, Submitted, hashes, version_findings
from awning.manifest.icon import FIELD as ICON
from awning.manifest.icon import icon_file
from awning.manifest.portal import Submission, portal_access, submit
from awning.publish import StateDir


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Where to, and how. `key_file` None is a file in the state directory, named for the portal."""

    portal_url: str
    state: Path
    asked: Asked
    app_id: int | None
    new: bool
    same_version: bool
    key_file: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How it ended. `app_id` is None when nothing was taken; the findings then say why.

    `namesakes` are other apps that were submitted from here with the same title.
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
        shown = {"api_key": self.api_key.reveal()} if show_key and self.api_key else {}
        return {
            "schema_version": 1,
            "valid": True,
            "portal_url": self.portal_url,
            "app_id": self.app_id,
            "title": self.title,
            "new": self.new,
            "approved": self.approved,
            "key_file": str(self.key_file) if self.key_file else None,
            **shown,
            "findings": [finding.as_json() for finding in self.findings],
        }

    def lines(self, *, show_key: bool) -> Iterator[str]:
        what = "submitted as a new app" if self.new else "submitted again"
        yield f'app {self.app_id}, "{self.title}": {what}, {"approved" if self.approved else "waits for approval"}'
        for other in self.namesakes:
            yield f'app {other} is called "{self.title}" too: --app-id has to say from now on which one is meant'
        for finding in self.findings:
            yield f"{finding.severity}: {finding.field}: {finding.message}"
        if self.key_file:
            yield f"API key: in {self.key_file} (export AWNING_API_KEY_FILE={self.key_file})"
        if show_key and self.api_key:
            yield self.api_key.reveal()


def portal_of(url: str | None, profile: str | None, environ: Mapping[str, str]) -> str:
    """The portal's address, without a final slash."""
    given = url or chosen_profile(profile, environ).portal_url
    if not given:
        hint = "set AWNING_PORTAL_URL, or portal_url in the profile; `awning service` simulates one"
        raise ConfigurationError("no portal is named", hint=hint)
    return checked_base_url(given)


def submit_manifest(
    given: ManifestFile, whole: Mapping[str, Any] | None, sending: Sending, environ: Mapping[str, str]
) -> Outcome:
    """Check, send, write down. `whole` is the manifest with its snippets, where the file does not hold them."""
    findings = _judged(given, sending, environ)
    fields = whole if whole is not None else given.fields
    if not isinstance(fields, Mapping):
        return Outcome(exit_code=Exit.FINDINGS, findings=tuple(findings))
    history = History(sending.state / FILE_NAME)
    last = None
    if not any(finding.severity == "error" for finding in findings):
        last = _last(history, str(fields["app_title"]), sending)
    if not sending.same_version:
        findings += version_findings(fields, last, built=True)
    if any(finding.severity == "error" for finding in findings):
        return Outcome(exit_code=Exit.FINDINGS, findings=tuple(findings))
    app_id = sending.app_id or (last.app_id if last else None)
    secret = _secret(fields, environ)
    findings += weak(secret)
    StateDir(sending.state)  # made here, for its owner alone
    access = portal_access(sending.portal_url, secret)
    manifest = {**fields, SECRET: secret.reveal()}
    with Wire(access, environ=environ) as wire, _key_file(sending, wanted=app_id is None) as key_file:
        answer = submit(wire, access, manifest, app_id)
        if answer.app_id is None:
            return Outcome(exit_code=Exit.REFUSED, findings=answer.findings)
        if key_file is not None and answer.api_key is not None:
            _write(key_file, answer.api_key)
    record = _record(answer.app_id, fields, sending.portal_url)
    history.keep(record)
    namesakes = history.titled(str(record.title), sending.portal_url)
    outcome = _outcome(answer, findings, sending, key_file)
    return replace(
        outcome,
        title=record.title,
        namesakes=tuple(one.app_id for one in namesakes if one.app_id != answer.app_id),
    )


def _last(history: History, title: str, sending: Sending) -> Submitted | None:
    """What this is a new version of, as far as it is known here. Raises ConfigurationError where that is unclear."""
    if sending.new:
        return None
    if sending.app_id is not None:
        return history.numbered(sending.app_id, sending.portal_url)
    return history.bound(title, sending.portal_url)


def _outcome(answer: Submission, own: list[Finding], sending: Sending, key_file: Path | None) -> Outcome:
    """The portal's findings, and those of ours that it does not have."""
    known = {finding.field for finding in answer.findings}
    return Outcome(
        exit_code=Exit.DONE,
        findings=(*(finding for finding in own if finding.field not in known), *answer.findings),
        app_id=answer.app_id,
        new=answer.api_key is not None,
        approved=answer.approved,
        portal_url=sending.portal_url,
        key_file=key_file if answer.api_key else None,
        api_key=answer.api_key,
    )


def _judged(given: ManifestFile, sending: Sending, environ: Mapping[str, str]) -> list[Finding]:
    loopback = sending.asked.allow_loopback or is_loopback(urlsplit(sending.portal_url).hostname or "")
    asked = replace(sending.asked, allow_loopback=loopback)
    findings = [f for f in check_manifest_file(given, asked, environ) if f.field != SECRET or given.toml]
    icon = given.fields.get(ICON) if isinstance(given.fields, dict) else None
    if isinstance(icon, str) and icon_file(icon, given.path.absolute().parent):
        message = "is a local file: upload it and put its https address here"
        findings = [f for f in findings if f.field != ICON or f.severity == "error"]
        findings.append(Finding(field=ICON, message=message))
    return findings


def _secret(fields: Mapping[str, Any], environ: Mapping[str, str]) -> Secret:
    inside = fields.get(SECRET)
    found = Secret(inside) if isinstance(inside, str) and inside else find_secret(VARIABLE, environ)
    if found is None:
        hint = f"set {VARIABLE}, keep it in a keyring, or name a file in {VARIABLE}_FILE"
        raise ConfigurationError("there is no app secret", hint=hint)
    return found


@contextmanager
def _key_file(sending: Sending, *, wanted: bool) -> Iterator[Path | None]:
    """An empty file for the key, made before it is asked for; gone again when none came."""
    if not wanted:
        yield None
        return
    host = urlsplit(sending.portal_url).netloc.replace(":", "-")
    path = sending.key_file or sending.state / f"api-key-{host}"
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        hint = "name another with --key-file, or move it away"
        raise ConfigurationError(
            f"{path} exists: the new app's API key would overwrite it", hint=hint
        ) from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror})") from None
    try:
        yield path
    finally:
        if path.stat().st_size == 0:
            path.unlink()


def _write(path: Path, key: Secret) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{key.reveal()}\n")


def _record(app_id: int, fields: Mapping[str, Any], portal_url: str) -> Submitted:
    whole, own = hashes(fields)
    now = datetime.now(UTC).isoformat()
    return Submitted(
        app_id=app_id,
        version=str(fields["app_version"]),
        whole=whole,
        own=own,
        at=now,
        portal_url=portal_url,
        title=str(fields["app_title"]),
    )
