"""The kinds of value that a field of the manifest can have, each in one row, and the field that has one.

The check, the JSON Schema of manifest.toml and docs/reference/workspace-files.md read a kind, so that a new kind is a
row here and nothing else.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from awning.contract.hosts import is_loopback

Json = dict[str, Any]
EMAIL = re.compile(r"[^@\s\x00-\x1f<>,;]+@[^@\s.,;<>]+(?:\.[^@\s.,;<>]+)+")
VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
SAMPLE_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
"""The form of app_version that public sample apps have (observed: "1.0")."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestKind:
    """What a field may contain.

    `words` says it in the reference; "" lists the field's allowed values. `schema` is the JSON Schema of one value, for
    the field's allowed values. `problem` returns what is wrong with a value; None when it is valid. With `by_language`,
    a languages object, which maps language codes to values, is valid as well.
    """

    words: str
    schema: Callable[[tuple[str, ...]], Json]
    problem: "Callable[[Any, ManifestField, Allowed], str | None]"
    by_language: bool = False
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestField:
    """One field of the manifest. Inside `app_vendor`, `name` is dotted: `app_vendor.name`.

    `about` is shown by editors and in the reference. A new workspace gets `example`, in which `$title` is its title;
    None leaves the field out. `needed` fields are those without which there is no build.
    """

    name: str
    kind: ManifestKind
    about: str
    mandatory: bool = True
    needed: bool = False
    allowed: tuple[str, ...] = ()
    example: str | dict[str, str] | tuple[str, ...] | None = None


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


def _text(value: Any, field: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str):
        return None
    if field.name == "app_title" and isinstance(value, dict):
        return "must be a string, because it is not localizable; app_display_title is"
    return f"must be {_expected(field, 'a string')}, not {describe_value(value)}"


def _expected(field: ManifestField, kind: str) -> str:
    return f"{kind} or a languages object" if field.kind.by_language else kind


def _email(value: Any, field: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str) and EMAIL.fullmatch(value):
        return None
    return f"must be {_expected(field, 'an e-mail address')}, not {describe_value(value)}"


def _url(value: Any, field: ManifestField, allowed: Allowed) -> str | None:
    """Return the problem of a URL, which must be https (Apps Integration API, Limits); None when it is valid.

    `allowed.loopback` accepts http for addresses of this machine.
    """
    if not isinstance(value, str):
        return f"must be {_expected(field, 'a URL')}, not {describe_value(value)}"
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


def _image(value: Any, field: ManifestField, allowed: Allowed) -> str | None:
    if allowed.is_file is None or not isinstance(value, str):
        return _url(value, field, allowed)
    if allowed.is_file(value):
        return None
    if "://" in value or not value:
        return _url(value, field, allowed)
    return f"is neither an https address nor an existing file: {describe_value(value)}"


def _version(value: Any, _field: ManifestField, _allowed: Allowed) -> str | None:
    well_formed = isinstance(value, str) and VERSION.fullmatch(value)
    return None if well_formed else f"must have the form x.x.x, such as 1.4.0, not {describe_value(value)}"


def _one_of(value: Any, field: ManifestField, _allowed: Allowed) -> str | None:
    if isinstance(value, str) and value in field.allowed:
        return None
    return (
        f"must be {' or '.join(describe_value(word) for word in field.allowed)}, not {describe_value(value)}"
    )


def _permissions(value: Any, field: ManifestField, _allowed: Allowed) -> str | None:
    return None if value == list(field.allowed) else f'must be ["{field.allowed[0]}"]'


def _object(value: Any, _field: ManifestField, _allowed: Allowed) -> str | None:
    return None if isinstance(value, dict) else f"must be an object, not {describe_value(value)}"


def _secret(value: Any, _field: ManifestField, _allowed: Allowed) -> str | None:
    return None if isinstance(value, str) else "must be a string"  # the message must not show the value


def _is(schema: Json) -> Callable[[tuple[str, ...]], Json]:
    return lambda _allowed: dict(schema)


_TEXT = _is({"type": "string", "minLength": 1})
_EMAIL = _is({"type": "string", "pattern": "^[^@\\s]+@[^@\\s]+$"})
_URL = _is({"type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"})

CONSTANT = ManifestKind(words="", schema=lambda allowed: {"enum": list(allowed)}, problem=_one_of)
"""Exactly the value `allowed[0]`."""
CHOICE = ManifestKind(words="", schema=lambda allowed: {"enum": list(allowed)}, problem=_one_of)
"""One of `allowed`."""
TEXT = ManifestKind(words="text", schema=_TEXT, problem=_text)
TEXTS = ManifestKind(
    words="text, or a table of texts by language", schema=_TEXT, problem=_text, by_language=True
)
EMAIL_ADDRESS = ManifestKind(words="an e-mail address", schema=_EMAIL, problem=_email)
EMAIL_ADDRESSES = ManifestKind(
    words="an e-mail address, or a table of them by language",
    schema=_EMAIL,
    problem=_email,
    by_language=True,
)
URL = ManifestKind(words="an address", schema=_URL, problem=_url)
URLS = ManifestKind(
    words="an address, or a table of them by language", schema=_URL, problem=_url, by_language=True
)
IMAGE = ManifestKind(
    words="the https address, or the file, of a square image of at least 80 x 80 pixels",
    schema=_TEXT,
    problem=_image,
)
VERSION_NUMBER = ManifestKind(
    words="three numbers: `1.0.0`",
    schema=_is({"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"}),
    problem=_version,
)
HTML = ManifestKind(
    words="HTML; the build fills it", schema=_is({"type": "string"}), problem=_text, may_be_empty=True
)
PERMISSIONS = ManifestKind(
    words='`["FULL"]`', schema=lambda allowed: {"const": list(allowed)}, problem=_permissions
)
OBJECT = ManifestKind(words="a table", schema=_is({"type": "object"}), problem=_object)
"""`app_vendor`. Its fields are rows of their own, with a dotted name."""
SECRET = ManifestKind(
    words="never in the file: `AWNING_APP_SECRET`", schema=_is({"not": {}}), problem=_secret
)
