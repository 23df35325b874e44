"""Reads and checks a manifest file: manifest.toml without a secret, or a .json manifest as it is submitted.

The two differ in the secret. A .json manifest is what the portal gets and must hold `app_secret`, unless it is
checked without (as dist/manifest.json is). manifest.toml lies with the source and must not hold it: the secret
comes from AWNING_APP_SECRET.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.diagnostics import Severity
from awning.errors import ConfigurationError
from awning.manifest_rules import Finding, Leave, judge
from awning.service.keys import find_secret
from awning.service.manifest_icon import FIELD as ICON
from awning.service.manifest_icon import fetched_icon, icon_file, local_icon
from awning.service.secret import Secret

SECRET = "app_secret"  # noqa: S105 - the field's name
VARIABLE = "AWNING_APP_SECRET"
IN_TOML = f"must not stand in a file that is kept with the source: put it into {VARIABLE}"
NOT_SET = f"{VARIABLE} is not set: `manifest submit` needs it"
SHORTEST_SECRET = 16
"""Characters: whoever has one signed request can try shorter secrets one after the other."""
SHORT = f"has fewer than {SHORTEST_SECRET} characters, so one signed request is enough to guess it: choose a longer one"
IN_A_COPY = "is in a file that should be without it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How to check: `without_secret` and `allow_loopback` are the verb's flags; an icon at a URL only on demand."""

    without_secret: bool = False
    allow_loopback: bool = False
    fetch_icon: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestFile:
    """A manifest that was read. `fields` is None when the file is no manifest at all; `findings` then say why."""

    path: Path
    toml: bool
    fields: Any = field(default=None, repr=False)
    findings: tuple[Finding, ...] = ()


class _Repeated(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f'"{name}" is given twice')


def read_manifest_file(path: Path) -> ManifestFile:
    """Read and parse. Raises ConfigurationError when there is no such file, or no such kind."""
    if path.suffix not in {".toml", ".json"}:
        raise ConfigurationError(f"{path} is neither a .toml nor a .json file")
    toml = path.suffix == ".toml"
    try:
        text = path.read_bytes().decode("utf-8-sig")
        fields = tomllib.loads(text) if toml else json.loads(text, object_pairs_hook=_once)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        return _unreadable(path, f"is not UTF-8 (byte {error.start})", toml=toml)
    except _Repeated as error:
        return _unreadable(path, str(error), toml=toml)
    except (ValueError, RecursionError) as error:
        kind = "TOML" if toml else "JSON"
        return _unreadable(path, f"is not {kind}: {_where(error)}", toml=toml)
    return ManifestFile(path=path, toml=toml, fields=fields)


def check_manifest_file(given: ManifestFile, asked: Asked, environ: Mapping[str, str]) -> list[Finding]:
    """All that is wrong with a manifest file."""
    if given.findings:
        return list(given.findings)
    folder = given.path.absolute().parent
    leave = Leave(
        loopback=asked.allow_loopback,
        without_secret=asked.without_secret or given.toml,
        is_file=lambda text: icon_file(text, folder) is not None,
    )
    findings = judge(given.fields, leave)
    if isinstance(given.fields, dict):
        findings += _secret(given, asked, environ)
        findings += _icon(given.fields.get(ICON), folder, asked, findings)
    return findings


def _secret(given: ManifestFile, asked: Asked, environ: Mapping[str, str]) -> list[Finding]:
    if SECRET in given.fields:
        if given.toml:
            return [Finding(field=SECRET, message=IN_TOML)]
        inside = given.fields[SECRET]
        short = weak(Secret(inside)) if isinstance(inside, str) and inside else []
        return [_warning(IN_A_COPY)] if asked.without_secret else short
    if given.toml and not asked.without_secret:
        found = find_secret(VARIABLE, environ)
        return (
            [Finding(field=SECRET, message=NOT_SET, severity=Severity.NOTE)] if found is None else weak(found)
        )
    return []


def weak(secret: Secret) -> list[Finding]:
    """A warning of a secret that can be guessed."""
    return [_warning(SHORT)] if len(secret.reveal()) < SHORTEST_SECRET else []


def _warning(message: str) -> Finding:
    return Finding(field=SECRET, message=message, severity=Severity.WARNING)


def _icon(text: Any, folder: Path, asked: Asked, known: list[Finding]) -> list[Finding]:
    """A measured icon, when its text is in order."""
    if not isinstance(text, str) or any(finding.field == ICON for finding in known):
        return []
    path = icon_file(text, folder)
    if path is not None:
        return list(local_icon(path))
    return list(fetched_icon(text, allow_loopback=asked.allow_loopback)) if asked.fetch_icon else []


def _unreadable(path: Path, message: str, *, toml: bool) -> ManifestFile:
    return ManifestFile(path=path, toml=toml, findings=(Finding(field="", message=message),))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. A name given twice would mean one thing here and another thing there."""
    whole = dict(pairs)
    if len(whole) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return whole


def _where(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (line {error.lineno}, column {error.colno})"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)
