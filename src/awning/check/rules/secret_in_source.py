"""Secrets where every shopper can read them (Apps Integration API, Authentication: the key must be kept secret).

Found by their shape (the API key's prefix and 32 hex digits, keys of well-known services), by the name they are given
to, and by how random a long text is. A finding never shows the secret.
"""

import re
from collections import Counter
from collections.abc import Iterator
from math import log2

from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity

_NAMED = re.compile(
    r"""(?P<name>\b[\w$-]*(?:secret|api[_-]?key|api[_-]?token|auth[_-]?code|access[_-]?token|private[_-]?key|passw(?:or)?d)"""
    r"""[\w$-]*)["'`\]]*\s*(?::\s*string\s*)?[:=]\s*["'`](?P<value>[^"'`\s{}$<>]{8,})["'`]""",
    re.IGNORECASE,
)
_AUTHORIZATION = re.compile(r"\b(?:ApiKey|Bearer|Basic)\s+(?P<value>[A-Za-z0-9._~+/-]{12,}=*)")
_KNOWN = re.compile(
    r"\b(?P<value>sk_live_\w{16,}|rk_live_\w{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|xox[abprs]-[\w-]{10,}"
    r"|glpat-[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|whsec_\w{16,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"
    r"|https://hooks\.slack\.com/services/\w+/\w+/\w+|sk_test_\w{16,}|\bsk-(?:proj-|ant-)?[A-Za-z0-9]{20,}"
    r"|(?<=://)[\w.-]+:[^\s@/:\"'`{}$]{6,}(?=@))|(?P<pem>-----BEGIN [A-Z ]*PRIVATE KEY-----)"
)
_LONG = re.compile(r"""["'`](?P<value>[A-Za-z0-9+/_=-]{32,})["'`]""")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_HARMLESS = re.compile(
    r"sha(?:256|384|512)-|[a-z]+(?:[-_/][a-z0-9]+)+$|[0-9a-f]{8}-[0-9a-f]{4}-|iVBOR|R0lGOD|PHN2Zy|/9j/"
    r"|(?:YOUR|EXAMPLE|xxx|test|dummy|changeme)",
    re.IGNORECASE,
)
FEWEST_DIGITS = 3
_SPEAKS_OF_ONE = re.compile(
    r"(?:label|header|name|field|selector|input|placeholder|type|param|url|path|text|title|hint|message|class|el|id"
    r"|kind|mode|event)\Z",
    re.IGNORECASE,
)
"""Ends of names that hold words about a secret: `apiKeyHeader = "X-Api-Key"`."""
_NO_VALUE = re.compile(
    r"[#./\[]|https?:|(?i:pass(?:word|wd)?|secret|token|api[_-]?key|(?:x-)?api[_-]?key)[\w-]*\Z"
)
_MADE_UP = re.compile("your|example|xxx|changeme|dummy|placeholder", re.IGNORECASE)
_SUSPICIOUS = re.compile(r"key|token|secret|auth|pass|credential|bearer|signature|hmac", re.IGNORECASE)


def _check(file: Inspected) -> Iterator[Finding]:
    text = file.source.text
    seen: set[int] = set()
    for start, value, severity in _candidates(text, file.source.dialect.key_prefix):
        if start not in seen:
            seen.add(start)
            message = "a secret stands in code that every shopper can read"
            offset = len(text[:start].encode())
            yield Finding(offset=offset, message=message, severity=severity, secret=value)


def _candidates(text: str, prefix: str) -> Iterator[tuple[int, str, Severity | None]]:
    keys = re.compile(re.escape(prefix) + r"[0-9a-f]{32}\b", re.IGNORECASE)
    for match in keys.finditer(text):
        yield match.start(), match[0], None
    for match in _KNOWN.finditer(text):
        yield match.start(), match[0], None
    for pattern in (_NAMED, _AUTHORIZATION):
        for match in pattern.finditer(text):
            if _is_one(match) and not prefix_of_key(match["value"], keys):
                yield match.start("value"), match["value"], None
    for match in _LONG.finditer(text):
        value = match["value"]
        if is_random(value) and not prefix_of_key(value, keys):
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            severity = None if _SUSPICIOUS.search(line) else Severity.WARNING
            yield match.start("value"), value, severity


def _is_one(match: re.Match[str]) -> bool:
    """Whether the value is the secret itself, and not a word for it or a place to fill in."""
    value, name = match["value"], match.groupdict().get("name")
    if _MADE_UP.match(value) or _NO_VALUE.match(value):
        return False
    return name is None or _SPEAKS_OF_ONE.search(name) is None or is_random(value)


def prefix_of_key(value: str, keys: re.Pattern[str]) -> bool:
    """Whether it is (or holds) an API key, which is reported at its own place."""
    return keys.search(value) is not None


def is_random(value: str) -> bool:
    """Whether a text looks drawn, not written: many different characters, letters and digits mixed."""
    if _HARMLESS.match(value) or "abcdefgh" in value.lower() or "0123456789" in value:
        return False
    digits = sum(character.isdigit() for character in value)
    if digits < FEWEST_DIGITS or digits == len(value):
        return False
    return entropy(value) > (3.0 if _HEX.fullmatch(value) else 4.0)


def entropy(value: str) -> float:
    """Bits per character."""
    counts = Counter(value).values()
    return -sum(count / len(value) * log2(count / len(value)) for count in counts)


RULE = Rule(
    id="secret-in-source",
    title="A secret stands in code that every shopper can read",
    severity=Severity.ERROR,
    documentation=page_of("secret-in-source"),
    hint="keep it on the app's own server; one that was published is no secret any more: get a new one",
    check=_check,
)
