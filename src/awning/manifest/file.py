"""Reads and checks a manifest file: manifest.toml, or a .json manifest as it is submitted.

The two kinds of file differ in the secret. A .json manifest is what the portal gets, so `manifest check` expects
`app_secret` in it, unless `--without-secret` is set. manifest.toml belongs to the sources, so it must not contain the
secret. If the file has no secret, `manifest submit` takes the secret from AWNING_APP_SECRET.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.client.secret import Secret, find_secret
from awning.contract.manifest_fields import SECRET_FIELD
from awning.contract.manifest_kinds import Allowed
from awning.contract.manifest_rules import (
    SHORT_SECRET,
    SHORTEST_SECRET,
    Finding,
    check_manifest,
    read_manifest_json,
)
from awning.errors import ConfigurationError
from awning.manifest.icon import FIELD as ICON
from awning.manifest.icon import fetched_icon_findings, icon_file, local_icon_findings

VARIABLE = "AWNING_APP_SECRET"
IN_TOML = f"must not be in this file, which is kept with the source: put it into {VARIABLE}"
NOT_SET = f"{VARIABLE} is not set: `manifest submit` needs it"
IN_A_COPY = "is in the file, although --without-secret is set"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of a check, by `manifest check` or before `manifest submit`.

    With `samples`, a wrong value that public sample apps also have causes a warning instead of an error (assumption
    `sample-manifests`).

    `fetch_icon` allows fetching an icon from its URL. Without this flag, the check needs no network.
    """

    without_secret: bool = False
    allow_loopback: bool = False
    fetch_icon: bool = False
    samples: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestFile:
    """A manifest file. `fields` is None when the file cannot be parsed; `findings` then has the reason."""

    path: Path
    toml: bool
    fields: Any = field(default=None, repr=False)
    findings: tuple[Finding, ...] = ()


def read_manifest_file(path: Path) -> ManifestFile:
    """Read and parse a file. Raises ConfigurationError when it cannot be read or is neither .toml nor .json."""
    if path.suffix not in {".toml", ".json"}:
        raise ConfigurationError(f"{path} is neither a .toml nor a .json file")
    toml = path.suffix == ".toml"
    try:
        body = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror})") from None
    fields, findings = _read_toml(body) if toml else read_manifest_json(body)
    return ManifestFile(path=path, toml=toml, fields=fields, findings=tuple(findings))


def _read_toml(body: bytes) -> tuple[Any, list[Finding]]:
    try:
        return tomllib.loads(body.decode("utf-8-sig")), []
    except UnicodeDecodeError as error:
        return None, [Finding(field="", message=f"is not UTF-8 (byte {error.start})")]
    except ValueError as error:
        return None, [Finding(field="", message=f"is not TOML: {error}")]
    except RecursionError:
        return None, [Finding(field="", message="is not TOML: nested too deep")]


def require_fields(manifest_file: ManifestFile) -> dict[str, Any]:
    """Return the manifest's fields. Raises ConfigurationError when it could not be parsed or is not an object."""
    if manifest_file.findings or not isinstance(manifest_file.fields, dict):
        why = manifest_file.findings[0].message if manifest_file.findings else "does not hold an object"
        raise ConfigurationError(f"{manifest_file.path} {why}", hint="run: awning manifest check")
    return manifest_file.fields


def check_manifest_file(
    manifest: ManifestFile, options: CheckOptions, environ: Mapping[str, str]
) -> list[Finding]:
    """Return all findings of a manifest file.

    Raises ConfigurationError when the file that AWNING_APP_SECRET_FILE names cannot be read or is empty.
    """
    if manifest.findings:
        return list(manifest.findings)
    folder = manifest.path.absolute().parent
    allowed = Allowed(
        loopback=options.allow_loopback,
        without_secret=options.without_secret or manifest.toml,
        samples=options.samples,
        is_file=lambda text: icon_file(text, folder) is not None,
    )
    findings = check_manifest(manifest.fields, allowed)
    if isinstance(manifest.fields, dict):
        findings += _secret(manifest, options, environ)
        findings += _icon(manifest.fields.get(ICON), folder, options, findings)
    return findings


def _secret(manifest: ManifestFile, options: CheckOptions, environ: Mapping[str, str]) -> list[Finding]:
    if SECRET_FIELD in manifest.fields:
        if manifest.toml:
            return [Finding(field=SECRET_FIELD, message=IN_TOML)]
        return [_warning(IN_A_COPY)] if options.without_secret else []
    if manifest.toml and not options.without_secret:
        secret = find_secret(VARIABLE, environ)
        if secret is None:
            return [Finding(field=SECRET_FIELD, message=NOT_SET, severity="note")]
        return weak_secret_findings(secret)
    return []


def weak_secret_findings(secret: Secret) -> list[Finding]:
    """Return a warning when the secret is short enough to be guessed."""
    return [_warning(SHORT_SECRET)] if len(secret.reveal()) < SHORTEST_SECRET else []


def _warning(message: str) -> Finding:
    return Finding(field=SECRET_FIELD, message=message, severity="warning")


def _icon(text: Any, folder: Path, options: CheckOptions, findings: list[Finding]) -> list[Finding]:
    """Return the findings of the icon's image.

    There are none when the icon's address already has a finding, or is a URL that is not to be fetched.
    """
    if not isinstance(text, str) or any(finding.field == ICON for finding in findings):
        return []
    path = icon_file(text, folder)
    if path is not None:
        return list(local_icon_findings(path))
    return (
        list(fetched_icon_findings(text, allow_loopback=options.allow_loopback)) if options.fetch_icon else []
    )
