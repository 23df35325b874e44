"""Checks a manifest against the table `manifest_fields`, and returns all findings, each with the path of its field.

`manifest check`, the workspace and the simulated portal all use this module, so their results agree. It reads no
file, and checks neither where a secret comes from nor the size of an icon.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, Literal

from awning.contract.languages import is_language_code
from awning.contract.manifest_fields import MANIFEST_FIELDS, TABLES
from awning.contract.manifest_kinds import (
    CONSTANT,
    SAMPLE_VERSION,
    SECRET,
    VERSION,
    VERSION_NUMBER,
    Allowed,
    ManifestField,
    describe_value,
)

SHORTEST_SECRET = 16
"""The minimum length of a good secret. Anyone with one signed request can find a shorter secret by trial and error."""
SHORT_SECRET = (
    f"has fewer than {SHORTEST_SECRET} characters, so it can be guessed from one signed request: "
    "choose a longer one"
)


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


def has_error(findings: Iterable[Finding]) -> bool:
    """Return whether one of the findings makes the manifest invalid."""
    return any(finding.severity == "error" for finding in findings)


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
        if rule.kind is SECRET and allowed.without_secret:
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


def _check_field(
    rule: ManifestField, within: Mapping[str, Any], name: str, allowed: Allowed
) -> list[Finding]:
    value = within.get(name)
    if value is None and rule.mandatory:
        return [Finding(field=rule.name, message="is mandatory")]
    if value is None:
        is_null = Finding(field=rule.name, message="is null: leave it out", severity="warning")
        return [is_null] if name in within else []
    if rule.kind.by_language and isinstance(value, dict):
        return list(_check_languages(rule, value, allowed))
    sample_message = _sample_message(rule, value) if allowed.samples else None
    if sample_message:
        return [Finding(field=rule.name, message=sample_message, severity="warning")]
    message = _value_problem(rule, value, allowed)
    if message and _sample_message(rule, value):
        message += "; public sample apps have such values, and the assumption sample-manifests accepts them"
    if message is None and rule.kind is SECRET and len(value) < SHORTEST_SECRET:
        return [Finding(field=rule.name, message=SHORT_SECRET, severity="warning")]
    return [Finding(field=rule.name, message=message)] if message else []


def _sample_message(rule: ManifestField, value: Any) -> str | None:
    """Return a warning for a value that is forbidden, but that public sample apps have (observed); None for others."""
    if rule.kind is VERSION_NUMBER and isinstance(value, str) and not VERSION.fullmatch(value):
        return (
            f"{describe_value(value)} is not x.x.x; only sample apps may have it"
            if SAMPLE_VERSION.fullmatch(value)
            else None
        )
    if rule.kind is CONSTANT and isinstance(value, str) and value.strip() and value not in rule.allowed:
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
    if isinstance(value, str) and not value.strip() and not rule.kind.may_be_empty:
        return "is mandatory, but empty" if rule.mandatory else "is empty: leave it out"
    return rule.kind.problem(value, rule, allowed)


def _unknown_fields(manifest: Mapping[str, Any]) -> Iterator[Finding]:
    known = [rule.name for rule in MANIFEST_FIELDS]
    inner = {f"{table}.": manifest.get(table) for table in TABLES}
    for holder, fields in (("", manifest), *inner.items()):
        names = fields if isinstance(fields, dict) else ()
        near = [name.removeprefix(holder) for name in known if name.startswith(holder)]
        for name in names:
            if f"{holder}{name}" not in known or "." in name:
                same = [field for field in near if field.endswith(f".{name}")]
                close = same or get_close_matches(name, near, n=1)
                hint = f'did you mean "{close[0]}"?' if close else "the service ignores it"
                message = f"is unknown: {hint}"
                yield Finding(field=f"{holder}{name}", message=message, severity="warning")
