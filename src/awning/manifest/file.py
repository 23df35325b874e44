"""Reads and checks a manifest file: manifest.toml without a secret, or a .json manifest as it is submitted.

The two differ in the secret. A .json manifest is what the portal gets and must hold `app_secret`, unless it is
checked without (as dist/manifest.json is). manifest.toml lies with the source and must not hold it: the secret
comes from AWNING_APP_SECRET.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.client.keys import find_secret
from awning.client.secret import Secret
from awning.contract.manifest_rules import (
    SHORT_SECRET,
    SHORTEST_SECRET,
    Allowed,
    Finding,
    judge,
    read_manifest_json,
)
from awning.errors import ConfigurationError
from awning.manifest.icon import FIELD as ICON
from awning.manifest.icon import fetched_icon, icon_file, local_icon

SECRET = "app_secret"  # noqa: S105 - the field's name
VARIABLE = "AWNING_APP_SECRET"
IN_TOML = f"must not stand in a file that is kept with the source: put it into {VARIABLE}"
NOT_SET = f"{VARIABLE} is not set: `manifest submit` needs it"
IN_A_COPY = "is in a file that should be without it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How to check: `without_secret` and `allow_loopback` are the verb's flags; an icon at a URL only on demand.

    `samples` is the assumption `sample-manifests`.
    """

    without_secret: bool = False
    allow_loopback: bool = False
    fetch_icon: bool = False
    samples: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestFile:
    """A manifest that was read. `fields` is None when the file is no manifest at all; `findings` then say why."""

    path: Path
    toml: bool
    fields: Any = field(default=None, repr=False)
    findings: tuple[Finding, ...] = ()


def read_manifest_file(path: Path) -> ManifestFile:
    """Read and parse. Raises ConfigurationError when there is no such file, or no such kind."""
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


def check_manifest_file(given: ManifestFile, asked: Asked, environ: Mapping[str, str]) -> list[Finding]:
    """All that is wrong with a manifest file."""
    if given.findings:
        return list(given.findings)
    folder = given.path.absolute().parent
    allowed = Allowed(
        loopback=asked.allow_loopback,
        without_secret=asked.without_secret or given.toml,
        samples=asked.samples,
        is_file=lambda text: icon_file(text, folder) is not None,
    )
    findings = judge(given.fields, allowed)
    if isinstance(given.fields, dict):
        findings += _secret(given, asked, environ)
        findings += _icon(given.fields.get(ICON), folder, asked, findings)
    return findings


def _secret(given: ManifestFile, asked: Asked, environ: Mapping[str, str]) -> list[Finding]:
    if SECRET in given.fields:
        if given.toml:
            return [Finding(field=SECRET, message=IN_TOML)]
        return [_warning(IN_A_COPY)] if asked.without_secret else []
    if given.toml and not asked.without_secret:
        found = find_secret(VARIABLE, environ)
        return [Finding(field=SECRET, message=NOT_SET, severity="note")] if found is None else weak(found)
    return []


def weak(secret: Secret) -> list[Finding]:
    """A warning of a secret that can be guessed."""
    return [_warning(SHORT_SECRET)] if len(secret.reveal()) < SHORTEST_SECRET else []


def _warning(message: str) -> Finding:
    return Finding(field=SECRET, message=message, severity="warning")


def _icon(text: Any, folder: Path, asked: Asked, known: list[Finding]) -> list[Finding]:
    """A measured icon, when its text is in order."""
    if not isinstance(text, str) or any(finding.field == ICON for finding in known):
        return []
    path = icon_file(text, folder)
    if path is not None:
        return list(local_icon(path))
    return list(fetched_icon(text, allow_loopback=asked.allow_loopback)) if asked.fetch_icon else []
