"""Checks a manifest against the table `manifest_fields`, and returns all findings, each with the path of its field.

`manifest check`, the workspace and the simulated portal all use this module, so their results agree. It reads no
file, and checks neither where a secret comes from nor the size of an icon.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

from awning.contract.hosts import is_loopback
from awning.contract.languages import is_language_code
from awning.contract.manifest_fields import MANIFEST_FIELDS, ManifestField, ManifestFieldKind

EMAIL = re.compile(r"[^@\s\x00-\x1f<>,;]+@[^@\s.,;<>]+(?:\.[^@\s.,;<>]+)+")
VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
SAMPLE_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
"""The form of app_version that public sample apps have (observed: "1.0")."""
SHORTEST_SECRET = 16
"""The minimum length of a good secret. Anyone with one signed request can find a shorter secret by trial and error."""
SHORT_SECRET = (
    f"has fewer than {SHORTEST_SECRET} characters, so it can be guessed from one signed request: "
    "choose a longer one"
)

_BY_LANGUAGE = {ManifestFieldKind.TEXTS, ManifestFieldKind.EMAILS, ManifestFieldKind.URLS}
_MAY_BE_EMPTY = {ManifestFieldKind.HTML}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One problem.

    `field` is a dotted path: `app_vendor.tos_url`, `app_vendor.tos_url.lv`. "" stands for the whole file.
    """

    field: str
    message: str
    severity: Literal["error", "warning", "note"] = "error"

    def as_json(self) -> dict[str, str]:
        return {"field": self.field, "severity": self.severity, "message": self.message}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The exceptions that a caller allows.

    loopback        allow http for addresses on this machine
    without_secret  do not check app_secret
    samples         accept, with warnings, values that public sample apps have (the assumption `sample-manifests`)
    is_file         tells whether an icon is the path of an existing file; with None, an icon must be a URL
    """

    loopback: bool = False
    without_secret: bool = False
    samples: bool = False
    is_file: Callable[[str], bool] | None = None


class _RepeatedNameError(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(f'"{name}" is given twice')


def read_manifest_json(body: bytes) -> tuple[Any, list[Finding]]:
    """Parse a JSON manifest.

    Returns None and a finding when it is not valid JSON in UTF-8, or has a name twice in one object.
    """
    try:
        manifest = json.loads(
            body.decode("utf-8-sig"), object_pairs_hook=_unique_names, parse_constant=_refuse_constant
        )
        json.dumps(manifest, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        return None, [Finding(field="", message=_json_problem(error))]
    return manifest, []


def _json_problem(error: ValueError | RecursionError) -> str:
    match error:
        case UnicodeDecodeError():
            return f"is not UTF-8 (byte {error.start})"
        case UnicodeEncodeError():
            return "holds half of a surrogate pair, which is no character"
        case json.JSONDecodeError():
            return f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        case RecursionError():
            return "is not JSON, or is nested too deeply"
        case _RepeatedNameError():
            return str(error)
        case _:
            return f"is not JSON: {error}"


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object that the pairs make.

    Raises _RepeatedNameError when a name occurs twice, because parsers disagree about which value counts.
    """
    fields = dict(pairs)
    if len(fields) != len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedNameError(next(name for name in names if names.count(name) > 1))
    return fields


def _refuse_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which Python's JSON parser accepts. Always raises ValueError."""
    raise ValueError(f"{name} is not a JSON number")


def check_manifest(manifest: Any, allowed: Allowed | None = None) -> list[Finding]:
    """Return all findings about a manifest, in the order of the table, then those about unknown fields."""
    allowed = allowed or Allowed()
    if not isinstance(manifest, dict):
        return [Finding(field="", message=f"a manifest is a JSON object, not {describe_value(manifest)}")]
    findings: list[Finding] = []
    for rule in MANIFEST_FIELDS:
        if rule.kind is ManifestFieldKind.SECRET and allowed.without_secret:
            continue
        holder, _, name = rule.name.rpartition(".")
        within = manifest.get(holder, {}) if holder else manifest
        if isinstance(within, dict):
            findings += _check_field(rule, within, name, allowed)
    return findings + list(_unknown_fields(manifest))


def parse_version(text: object) -> tuple[Decimal, ...] | None:
    """Return the numbers of a version, for comparisons: (1, 10, 0) for `1.10.0`. None when `text` is not a version.

    The numbers are of the type `Decimal`, because Python's `int` refuses a text of more than 4,300 digits.
    """
    if not isinstance(text, str) or not SAMPLE_VERSION.fullmatch(text):
        return None
    return tuple(Decimal(number) for number in text.split("."))


def describe_value(value: Any) -> str:
    """Return a value in the form for messages: short, in one line."""
    match value:
        case None | bool():
            return json.dumps(value)
        case dict():
            return "an object"
        case list():
            return "an array"
        case str():
            text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in value)
            return f'"{text if len(text) <= 60 else text[:59] + "…"}"'  # noqa: PLR2004 - a line's worth
        case int() if value.bit_length() > 200:  # noqa: PLR2004 - Python refuses to write very long numbers
            return f"a number of {value.bit_length()} bits"
        case _:
            return str(value)[:60]


def _check_field(
    rule: ManifestField, within: Mapping[str, Any], name: str, allowed: Allowed
) -> list[Finding]:
    value = within.get(name)
    if value is None and rule.mandatory:
        return [Finding(field=rule.name, message="is mandatory")]
    if value is None:
        is_null = Finding(field=rule.name, message="is null: leave it out", severity="warning")
        return [is_null] if name in within else []
    if rule.kind in _BY_LANGUAGE and isinstance(value, dict):
        return list(_check_languages(rule, value, allowed))
    sample_message = _sample_message(rule, value) if allowed.samples else None
    if sample_message:
        return [Finding(field=rule.name, message=sample_message, severity="warning")]
    message = _value_problem(rule, value, allowed)
    if message and _sample_message(rule, value):
        message += "; public sample apps have such values, and the assumption sample-manifests accepts them"
    if message is None and rule.kind is ManifestFieldKind.SECRET and len(value) < SHORTEST_SECRET:
        return [Finding(field=rule.name, message=SHORT_SECRET, severity="warning")]
    return [Finding(field=rule.name, message=message)] if message else []


def _sample_message(rule: ManifestField, value: Any) -> str | None:
    """Return a warning for a value that is forbidden, but that public sample apps have (observed); None for others."""
    if rule.kind is ManifestFieldKind.VERSION and isinstance(value, str) and not VERSION.fullmatch(value):
        return (
            f"{describe_value(value)} is not x.x.x; only sample apps may have it"
            if SAMPLE_VERSION.fullmatch(value)
            else None
        )
    if (
        rule.kind is ManifestFieldKind.CONSTANT
        and isinstance(value, str)
        and value.strip()
        and value not in rule.allowed
    ):
        return f"{describe_value(value)} is not simulated: such an app is treated as {rule.allowed[0]}"
    return None


def _check_languages(rule: ManifestField, texts: Mapping[str, Any], allowed: Allowed) -> Iterator[Finding]:
    """Check a languages object, which maps language codes to strings (Apps Integration API, App manifest)."""
    if not texts:
        yield Finding(field=rule.name, message="has no language: a languages object maps codes to strings")
    for language, text in texts.items():
        field = f"{rule.name}.{language}"
        if not is_language_code(language):
            yield Finding(
                field=field, message=f"{describe_value(language)} is not a language code, such as lv or pt-BR"
            )
        if message := _value_problem(rule, text, allowed):
            yield Finding(field=field, message=message)


def _value_problem(rule: ManifestField, value: Any, allowed: Allowed) -> str | None:
    """Return the problem of one value; None when it is valid."""
    if isinstance(value, str) and not value.strip() and rule.kind not in _MAY_BE_EMPTY:
        return "is mandatory, but empty" if rule.mandatory else "is empty: leave it out"
    return _CHECKS[rule.kind](value, rule, allowed)


def _unknown_fields(manifest: Mapping[str, Any]) -> Iterator[Finding]:
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
        return "must be a string, because it is not localizable; app_display_title is"
    return f"must be {_expected(rule, 'a string')}, not {describe_value(value)}"


def _expected(rule: ManifestField, kind: str) -> str:
    return f"{kind} or a languages object" if rule.kind in _BY_LANGUAGE else kind


def _email(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str) and EMAIL.fullmatch(value):
        return None
    return f"must be {_expected(rule, 'an e-mail address')}, not {describe_value(value)}"


def _url(value: Any, rule: ManifestField, allowed: Allowed) -> str | None:
    """Return the problem of a URL, which must be https (Apps Integration API, Limits); None when it is valid.

    `allowed.loopback` accepts http for addresses of this machine.
    """
    if not isinstance(value, str):
        return f"must be {_expected(rule, 'a URL')}, not {describe_value(value)}"
    parts = _split_url(value)
    if parts is None or not parts.hostname or parts.scheme not in {"http", "https"}:
        return f"must be a URL that begins with https://, not {describe_value(value)}"
    if parts.username is not None:
        return "must not hold a user name or password"
    if parts.scheme == "https":
        return None
    if not is_loopback(parts.hostname):
        return "must begin with https://"
    return (
        None
        if allowed.loopback
        else "must begin with https:// (--allow-loopback accepts http on this machine)"
    )


def _split_url(text: str) -> SplitResult | None:
    """Return the parts of a URL; None when it is not valid or contains a space or a control character."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts if text.isprintable() and " " not in text else None


def _image(value: Any, rule: ManifestField, allowed: Allowed) -> str | None:
    if allowed.is_file is None or not isinstance(value, str):
        return _url(value, rule, allowed)
    if allowed.is_file(value):
        return None
    if "://" in value or not value:
        return _url(value, rule, allowed)
    return f"is neither an https address nor an existing file: {describe_value(value)}"


def _version(value: Any, _rule: ManifestField, _allowed: Allowed) -> str | None:
    well_formed = isinstance(value, str) and VERSION.fullmatch(value)
    return None if well_formed else f"must have the form x.x.x, such as 1.4.0, not {describe_value(value)}"


def _one_of(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str) and value in rule.allowed:
        return None
    return (
        f"must be {' or '.join(describe_value(word) for word in rule.allowed)}, not {describe_value(value)}"
    )


def _permissions(value: Any, rule: ManifestField, _allowed: Allowed) -> str | None:
    return None if value == list(rule.allowed) else f'must be ["{rule.allowed[0]}"]'


def _object(value: Any, _rule: ManifestField, _allowed: Allowed) -> str | None:
    return None if isinstance(value, dict) else f"must be an object, not {describe_value(value)}"


def _secret(value: Any, _rule: ManifestField, _allowed: Allowed) -> str | None:
    return None if isinstance(value, str) else "must be a string"  # the message must not show the value


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
