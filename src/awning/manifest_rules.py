"""What is wrong with a manifest: every fault at once, each with the path of its field.

The rules are the table `awning.contract.manifest_fields`; here is the code that the toolkit brings to it. The
portal of the service has code of its own, so that neither repeats the other's mistakes. Files, secrets' sources
and icons are not looked at here. A room of its own because both the workspace and the service's side read it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from awning.contract import is_language_code
from awning.contract.hosts import is_loopback
from awning.contract.manifest_fields import MANIFEST_FIELDS, Kind, ManifestField
from awning.diagnostics import Severity, did_you_mean

EMAIL = re.compile(r"[^@\s\x00-\x1f<>,;]+@[^@\s.,;<>]+(?:\.[^@\s.,;<>]+)+")
VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")

_BY_LANGUAGE = {Kind.TEXTS, Kind.EMAILS, Kind.URLS}
_MAY_BE_EMPTY = {Kind.HTML}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to say. `field` is dotted: `app_vendor.tos_url`, `app_vendor.tos_url.lv`; "" is the whole file."""

    field: str
    message: str
    severity: Severity = Severity.ERROR

    def as_json(self) -> dict[str, str]:
        return {"field": self.field, "severity": str(self.severity), "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """What else is allowed. `is_file` says whether an icon's text names a file that is there; None: no file may be."""

    loopback: bool = False
    without_secret: bool = False
    is_file: Callable[[str], bool] | None = None


def judge(manifest: Any, leave: Leave | None = None) -> list[Finding]:
    """All that is wrong with a manifest, in the order of the table; then what the table does not know."""
    leave = leave or Leave()
    if not isinstance(manifest, dict):
        return [Finding(field="", message=f"a manifest is a JSON object, not {shown(manifest)}")]
    findings: list[Finding] = []
    for rule in MANIFEST_FIELDS:
        if rule.kind is Kind.SECRET and leave.without_secret:
            continue
        holder, _, name = rule.name.rpartition(".")
        within = manifest.get(holder, {}) if holder else manifest
        if isinstance(within, dict):
            findings += _field(rule, within, name, leave)
    return findings + list(_unknown(manifest))


def version_of(text: object) -> tuple[int, ...] | None:
    """`1.10.0` as (1, 10, 0); None when it is not of the form x.x.x."""
    match = VERSION.fullmatch(text) if isinstance(text, str) else None
    return tuple(int(number) for number in match.groups()) if match else None


def shown(value: Any) -> str:
    """A value in a message: short, and in one line."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case dict():
            return "an object"
        case list():
            return "an array"
        case str():
            text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in value)
            return f'"{text if len(text) <= 60 else text[:59] + "…"}"'  # noqa: PLR2004 - a line's worth
        case _:
            return str(value)[:60]


def _field(rule: ManifestField, within: Mapping[str, Any], name: str, leave: Leave) -> list[Finding]:
    value = within.get(name)
    if value is None:
        return _absent(rule, given=name in within)
    if rule.kind in _BY_LANGUAGE and isinstance(value, dict):
        return list(_languages(rule, value, leave))
    message = _said(rule, value, leave)
    return [Finding(field=rule.name, message=message)] if message else []


def _absent(rule: ManifestField, *, given: bool) -> list[Finding]:
    if rule.mandatory:
        return [Finding(field=rule.name, message="is mandatory")]
    message = "is null: leave it out"
    return [Finding(field=rule.name, message=message, severity=Severity.WARNING)] if given else []


def _languages(rule: ManifestField, texts: Mapping[str, Any], leave: Leave) -> Iterator[Finding]:
    """A languages object maps a language code to a string (Apps Integration API, App manifest)."""
    if not texts:
        yield Finding(field=rule.name, message="has no language: a languages object maps codes to strings")
    for language, text in texts.items():
        field = f"{rule.name}.{language}"
        if not is_language_code(language):
            yield Finding(
                field=field, message=f"{shown(language)} is not a language code, such as lv or pt-BR"
            )
        if message := _said(rule, text, leave):
            yield Finding(field=field, message=message)


def _said(rule: ManifestField, value: Any, leave: Leave) -> str | None:
    """What is wrong with one value."""
    if isinstance(value, str) and not value.strip() and rule.kind not in _MAY_BE_EMPTY:
        return "is mandatory, and empty" if rule.mandatory else "is empty: leave it out"
    return _CHECKS[rule.kind](value, rule, leave)


def _unknown(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    known = [rule.name for rule in MANIFEST_FIELDS]
    vendor = manifest.get("app_vendor")
    for holder, names in (("", manifest), ("app_vendor.", vendor if isinstance(vendor, dict) else ())):
        near = [name.removeprefix(holder) for name in known if name.startswith(holder)]
        for name in names:
            if f"{holder}{name}" not in known or "." in name:
                message = f"is unknown: {did_you_mean(name, near) or 'the service ignores it'}"
                yield Finding(field=f"{holder}{name}", message=message, severity=Severity.WARNING)


def _text(value: Any, rule: ManifestField, _leave: Leave) -> str | None:
    if isinstance(value, str):
        return None
    if rule.name == "app_title" and isinstance(value, dict):
        return "must be a string: it is not localizable, app_display_title is"
    return f"must be {_texts(rule)}, not {shown(value)}"


def _texts(rule: ManifestField, one: str = "a string") -> str:
    return f"{one} or a languages object" if rule.kind in _BY_LANGUAGE else one


def _email(value: Any, rule: ManifestField, _leave: Leave) -> str | None:
    if isinstance(value, str) and EMAIL.fullmatch(value):
        return None
    return f"must be {_texts(rule, 'an e-mail address')}, not {shown(value)}"


def _url(value: Any, rule: ManifestField, leave: Leave) -> str | None:
    """Addresses are https (Apps Integration API, Limits); http for this machine only, and only when allowed."""
    if not isinstance(value, str):
        return f"must be {_texts(rule, 'a URL')}, not {shown(value)}"
    parts = _parts(value)
    if parts is None or not parts.hostname or parts.scheme not in {"http", "https"}:
        return f"must be a URL that begins with https://, not {shown(value)}"
    if parts.username is not None:
        return "must not hold a user name or password"
    return None if parts.scheme == "https" else _plain(parts.hostname, leave)


def _parts(text: str) -> SplitResult | None:
    """None for what is no URL: a broken host or port, a space, a control character."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts if text.isprintable() and " " not in text else None


def _plain(host: str, leave: Leave) -> str | None:
    if not is_loopback(host):
        return "must begin with https://"
    return (
        None if leave.loopback else "must begin with https:// (--allow-loopback takes http on this machine)"
    )


def _image(value: Any, rule: ManifestField, leave: Leave) -> str | None:
    if leave.is_file is None or not isinstance(value, str):
        return _url(value, rule, leave)
    if leave.is_file(value):
        return None
    if "://" in value or not value:
        return _url(value, rule, leave)
    return f"is neither an https address nor a file that is there: {shown(value)}"


def _version(value: Any, _rule: ManifestField, _leave: Leave) -> str | None:
    return None if version_of(value) else f"must have the form x.x.x, such as 1.4.0, not {shown(value)}"


def _one_of(value: Any, rule: ManifestField, _leave: Leave) -> str | None:
    if isinstance(value, str) and value in rule.allowed:
        return None
    return f"must be {' or '.join(shown(word) for word in rule.allowed)}, not {shown(value)}"


def _permissions(value: Any, rule: ManifestField, _leave: Leave) -> str | None:
    return None if value == list(rule.allowed) else f'must be ["{rule.allowed[0]}"]'


def _object(value: Any, _rule: ManifestField, _leave: Leave) -> str | None:
    return None if isinstance(value, dict) else f"must be an object, not {shown(value)}"


def _secret(value: Any, _rule: ManifestField, _leave: Leave) -> str | None:
    return None if isinstance(value, str) else "must be a string"  # its value is not shown, whatever it is


_CHECKS: Mapping[Kind, Callable[[Any, ManifestField, Leave], str | None]] = {
    Kind.CONSTANT: _one_of,
    Kind.CHOICE: _one_of,
    Kind.TEXT: _text,
    Kind.TEXTS: _text,
    Kind.HTML: _text,
    Kind.SECRET: _secret,
    Kind.EMAIL: _email,
    Kind.EMAILS: _email,
    Kind.URL: _url,
    Kind.URLS: _url,
    Kind.IMAGE: _image,
    Kind.VERSION: _version,
    Kind.PERMISSIONS: _permissions,
    Kind.OBJECT: _object,
}
