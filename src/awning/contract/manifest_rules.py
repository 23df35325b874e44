"""What is wrong with a manifest: every fault at once, each with the path of its field.

`manifest check`, the workspace and the simulated portal all judge by this, so that none of them lets pass what
another refuses. The rules themselves are the table `manifest_fields`. Files, secrets' sources and the size of icons
are not looked at here.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

from awning.contract.hosts import is_loopback
from awning.contract.languages import is_language_code
from awning.contract.manifest_fields import MANIFEST_FIELDS, ManifestField, ManifestFieldKind

EMAIL = re.compile(r"[^@\s\x00-\x1f<>,;]+@[^@\s.,;<>]+(?:\.[^@\s.,;<>]+)+")
VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
SAMPLE_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
"""What public sample apps carry as app_version (observed: "1.0")."""
SHORTEST_SECRET = 16
"""Characters: whoever has one signed request can try shorter secrets one after the other."""
SHORT_SECRET = (
    f"has fewer than {SHORTEST_SECRET} characters, so one signed request is enough to guess it: "
    "choose a longer one"
)

_BY_LANGUAGE = {ManifestFieldKind.TEXTS, ManifestFieldKind.EMAILS, ManifestFieldKind.URLS}
_MAY_BE_EMPTY = {ManifestFieldKind.HTML}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to say. `field` is dotted: `app_vendor.tos_url`, `app_vendor.tos_url.lv`; "" is the whole file."""

    field: str
    message: str
    severity: Literal["error", "warning", "note"] = "error"

    def as_json(self) -> dict[str, str]:
        return {"field": self.field, "severity": self.severity, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """What is allowed beyond the table.

    `loopback` takes http for addresses on this machine. `without_secret` does not look at app_secret. `samples` takes
    what public sample apps carry, with warnings (the assumption `sample-manifests`). `is_file` says whether an icon's
    text names a file that is there; None: no file may be named.
    """

    loopback: bool = False
    without_secret: bool = False
    samples: bool = False
    is_file: Callable[[str], bool] | None = None


class _Repeated(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f'"{name}" is given twice')


def read_manifest_json(body: bytes) -> tuple[Any, list[Finding]]:
    """A JSON manifest, or None and why it is none. A name that is given twice would mean two things to two readers."""
    try:
        manifest = json.loads(body.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number)
        json.dumps(manifest, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        return None, [Finding(field="", message=_unreadable(error))]
    return manifest, []


def _unreadable(error: ValueError | RecursionError) -> str:
    match error:
        case UnicodeDecodeError():
            return f"is not UTF-8 (byte {error.start})"
        case UnicodeEncodeError():
            return "holds half of a surrogate pair, which is no character"
        case json.JSONDecodeError():
            return f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        case RecursionError():
            return "is not JSON: nested too deep"
        case _Repeated():
            return str(error)
        case _:
            return f"is not JSON: {error}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(next(name for name in names if names.count(name) > 1))
    return whole


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def judge(manifest: Any, allowed: Allowed | None = None) -> list[Finding]:
    """All that is wrong with a manifest, in the order of the table; then what the table does not know."""
    allowed = allowed or Allowed()
    if not isinstance(manifest, dict):
        return [Finding(field="", message=f"a manifest is a JSON object, not {shown(manifest)}")]
    findings: list[Finding] = []
    for rule in MANIFEST_FIELDS:
        if rule.kind is ManifestFieldKind.SECRET and allowed.without_secret:
            continue
        holder, _, name = rule.name.rpartition(".")
        within = manifest.get(holder, {}) if holder else manifest
        if isinstance(within, dict):
            findings += _field(rule, within, name, allowed)
    return findings + list(_unknown(manifest))


def version_of(text: object) -> tuple[int, ...] | None:
    """`1.10.0` as (1, 10, 0), to be compared; None when it is no version at all."""
    if not isinstance(text, str) or not SAMPLE_VERSION.fullmatch(text):
        return None
    return tuple(int(number) for number in text.split("."))


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


def _field(rule: ManifestField, within: Mapping[str, Any], name: str, allowed: Allowed) -> list[Finding]:
    value = within.get(name)
    if value is None:
        return _absent(rule, given=name in within)
    if rule.kind in _BY_LANGUAGE and isinstance(value, dict):
        return list(_languages(rule, value, allowed))
    sample = _sample(rule, value) if allowed.samples else None
    if sample:
        return [Finding(field=rule.name, message=sample, severity="warning")]
    message = _said(rule, value, allowed)
    if message is None and rule.kind is ManifestFieldKind.SECRET and len(value) < SHORTEST_SECRET:
        return [Finding(field=rule.name, message=SHORT_SECRET, severity="warning")]
    return [Finding(field=rule.name, message=message)] if message else []


def _sample(rule: ManifestField, value: Any) -> str | None:
    """What to say of a value that only public sample apps carry (observed; the specification says otherwise)."""
    if rule.kind is ManifestFieldKind.VERSION and isinstance(value, str) and not VERSION.fullmatch(value):
        return f"{shown(value)} is not x.x.x: sample apps only" if SAMPLE_VERSION.fullmatch(value) else None
    if (
        rule.kind is ManifestFieldKind.CONSTANT
        and isinstance(value, str)
        and value.strip()
        and value not in rule.allowed
    ):
        return f"{shown(value)} is not simulated: such an app is treated as {rule.allowed[0]}"
    return None


def _absent(rule: ManifestField, *, given: bool) -> list[Finding]:
    if rule.mandatory:
        return [Finding(field=rule.name, message="is mandatory")]
    message = "is null: leave it out"
    return [Finding(field=rule.name, message=message, severity="warning")] if given else []


def _languages(rule: ManifestField, texts: Mapping[str, Any], allowed: Allowed) -> Iterator[Finding]:
    """A languages object maps a language code to a string (Apps Integration API, App manifest)."""
    if not texts:
        yield Finding(field=rule.name, message="has no language: a languages object maps codes to strings")
    for language, text in texts.items():
        field = f"{rule.name}.{language}"
        if not is_language_code(language):
            yield Finding(
                field=field, message=f"{shown(language)} is not a language code, such as lv or pt-BR"
            )
        if message := _said(rule, text, allowed):
            yield Finding(field=field, message=message)


def _said(rule: ManifestField, value: Any, allowed: Allowed) -> str | None:
    """What is wrong with one value."""
    if isinstance(value, str) and not value.strip() and rule.kind not in _MAY_BE_EMPTY:
        return "is mandatory, and empty" if rule.mandatory else "is empty: leave it out"
    return _CHECKS[rule.kind](value, rule, allowed)


def _unknown(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    known = [rule.name for rule in MANIFEST_FIELDS]
    vendor = manifest.get("app_vendor")
    for holder, names in (("", manifest), ("app_vendor.", vendor if isinstance(vendor, dict) else ())):
        near = [name.removeprefix(holder) for name in known if name.startswith(holder)]
        for name in names:
            if f"{holder}{name}" not in known or "." in name:
                close = get_close_matches(name, near, n=1)
                hint = f'did you mean "{close[0]}"?' if close else "the service ignores it"
                message = f"is unknown: {hint}"
                yield Finding(field=f"{holder}{name}", message=message, severity="warning")


def _text(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str):
        return None
    if rule.name == "app_title" and isinstance(value, dict):
        return "must be a string: it is not localizable, app_display_title is"
    return f"must be {_texts(rule)}, not {shown(value)}"


def _texts(rule: ManifestField, one: str = "a string") -> str:
    return f"{one} or a languages object" if rule.kind in _BY_LANGUAGE else one


def _email(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str) and EMAIL.fullmatch(value):
        return None
    return f"must be {_texts(rule, 'an e-mail address')}, not {shown(value)}"


def _url(value: Any, rule: ManifestField, allowed: Allowed) -> str | None:
    """Addresses are https (Apps Integration API, Limits); http for this machine only, and only when allowed."""
    if not isinstance(value, str):
        return f"must be {_texts(rule, 'a URL')}, not {shown(value)}"
    parts = _parts(value)
    if parts is None or not parts.hostname or parts.scheme not in {"http", "https"}:
        return f"must be a URL that begins with https://, not {shown(value)}"
    if parts.username is not None:
        return "must not hold a user name or password"
    return None if parts.scheme == "https" else _plain(parts.hostname, allowed)


def _parts(text: str) -> SplitResult | None:
    """None for what is no URL: a broken host or port, a space, a control character."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts if text.isprintable() and " " not in text else None


def _plain(host: str, allowed: Allowed) -> str | None:
    if not is_loopback(host):
        return "must begin with https://"
    return (
        None if allowed.loopback else "must begin with https:// (--allow-loopback takes http on this machine)"
    )


def _image(value: Any, rule: ManifestField, allowed: Allowed) -> str | None:
    if allowed.is_file is None or not isinstance(value, str):
        return _url(value, rule, allowed)
    if allowed.is_file(value):
        return None
    if "://" in value or not value:
        return _url(value, rule, allowed)
    return f"is neither an https address nor a file that is there: {shown(value)}"


def _version(value: Any, _rule: ManifestField, _allowed: Allowed) -> str | None:
    well_formed = isinstance(value, str) and VERSION.fullmatch(value)
    return None if well_formed else f"must have the form x.x.x, such as 1.4.0, not {shown(value)}"


def _one_of(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str) and value in rule.allowed:
        return None
    return f"must be {' or '.join(shown(word) for word in rule.allowed)}, not {shown(value)}"


def _permissions(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    return None if value == list(rule.allowed) else f'must be ["{rule.allowed[0]}"]'


def _object(value: Any, _rule: ManifestField, _allowed: Allowed) -> str | None:
    return None if isinstance(value, dict) else f"must be an object, not {shown(value)}"


def _secret(value: Any, _rule: ManifestField, _allowed: Allowed) -> str | None:
    return None if isinstance(value, str) else "must be a string"  # its value is not shown, whatever it is


_CHECKS: Mapping[ManifestFieldKind, Callable[[Any, ManifestField, Allowed], str | None]] = {
    ManifestFieldKind.CONSTANT: _one_of,
    ManifestFieldKind.CHOICE: _one_of,
    ManifestFieldKind.TEXT: _text,
    ManifestFieldKind.TEXTS: _text,
    ManifestFieldKind.HTML: _text,
    ManifestFieldKind.SECRET: _secret,
    ManifestFieldKind.EMAIL: _email,
    ManifestFieldKind.EMAILS: _email,
    ManifestFieldKind.URL: _url,
    ManifestFieldKind.URLS: _url,
    ManifestFieldKind.IMAGE: _image,
    ManifestFieldKind.VERSION: _version,
    ManifestFieldKind.PERMISSIONS: _permissions,
    ManifestFieldKind.OBJECT: _object,
}
