"""The portal's judgement of a manifest: every fault at once, each with its field.

It reads the rules of `awning.contract.manifest_fields` with code of its own. Addresses must be https; http is
taken for loopback hosts, since here apps are tried out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from awning.contract import is_language_code
from awning.contract.manifest_fields import MANIFEST_FIELDS, Kind, ManifestField
from awning.diagnostics import did_you_mean

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault. `field` is dotted: `app_vendor.tos_url`, `app_vendor.tos_url.lv`."""

    field: str
    message: str
    severity: str = "error"

    def as_json(self) -> dict[str, str]:
        return asdict(self)


def judge(manifest: Any) -> list[Finding]:
    """All that is wrong with a manifest; an `error` among it refuses the submission."""
    if not isinstance(manifest, dict):
        return [Finding(field="", message="a manifest is a JSON object")]
    findings: list[Finding] = []
    for rule in MANIFEST_FIELDS:
        holder, _, name = rule.name.rpartition(".")
        within = manifest.get(holder) if holder else manifest
        if isinstance(within, dict):
            findings += _judge_field(rule, within.get(name))
    return findings + _unknown(manifest)


def _judge_field(rule: ManifestField, value: Any) -> list[Finding]:
    if value is None or value == "":
        return [Finding(field=rule.name, message="is mandatory")] if rule.mandatory else []
    if rule.kind in _BY_LANGUAGE and isinstance(value, dict):
        return _judge_languages(rule, value)
    message = _CHECKS[rule.kind](value, rule)
    return [Finding(field=rule.name, message=message)] if message else []


def _judge_languages(rule: ManifestField, texts: Mapping[str, Any]) -> list[Finding]:
    if not texts:
        return [Finding(field=rule.name, message="has no language")]
    findings = []
    for language, text in texts.items():
        message = _CHECKS[rule.kind](text, rule)
        if not is_language_code(language):
            message = "is not a language code"
        if message:
            findings.append(Finding(field=f"{rule.name}.{language}", message=message))
    return findings


def _unknown(manifest: Mapping[str, Any]) -> list[Finding]:
    vendor = manifest.get("app_vendor")
    names = [*manifest, *(f"app_vendor.{name}" for name in (vendor if isinstance(vendor, dict) else ()))]
    known = [rule.name for rule in MANIFEST_FIELDS]
    return [
        Finding(
            field=name,
            message=f"is unknown: {did_you_mean(name, known) or 'it is ignored'}",
            severity="warning",
        )
        for name in names
        if name not in known
    ]


def _text(value: Any, _rule: ManifestField) -> str | None:
    return None if isinstance(value, str) else "must be a string"


def _email(value: Any, _rule: ManifestField) -> str | None:
    return None if isinstance(value, str) and _EMAIL.fullmatch(value) else "must be an e-mail address"


def _url(value: Any, _rule: ManifestField) -> str | None:
    if not isinstance(value, str):
        return "must be a URL"
    try:
        parts = urlsplit(value)
        host = parts.hostname
    except ValueError:
        return "must be a URL"
    if not host or parts.scheme not in {"http", "https"}:
        return "must be a URL that begins with https://"
    return None if parts.scheme == "https" or host in LOOPBACK else "must begin with https://"


def _version(value: Any, _rule: ManifestField) -> str | None:
    return None if isinstance(value, str) and _VERSION.fullmatch(value) else "must have the form x.x.x"


def _one_of(value: Any, rule: ManifestField) -> str | None:
    return None if value in rule.allowed else f"must be {' or '.join(rule.allowed)}"


def _permissions(value: Any, rule: ManifestField) -> str | None:
    return None if value == list(rule.allowed) else f"must be [{', '.join(rule.allowed)}]"


def _object(value: Any, _rule: ManifestField) -> str | None:
    return None if isinstance(value, dict) else "must be an object"


_BY_LANGUAGE = {Kind.TEXTS, Kind.EMAILS, Kind.URLS}
_CHECKS: Mapping[Kind, Callable[[Any, ManifestField], str | None]] = {
    Kind.CONSTANT: _one_of,
    Kind.CHOICE: _one_of,
    Kind.TEXT: _text,
    Kind.TEXTS: _text,
    Kind.HTML: _text,
    Kind.SECRET: _text,
    Kind.EMAIL: _email,
    Kind.EMAILS: _email,
    Kind.URL: _url,
    Kind.URLS: _url,
    Kind.IMAGE: _url,
    Kind.VERSION: _version,
    Kind.PERMISSIONS: _permissions,
    Kind.OBJECT: _object,
}
