"""Secrets where every shopper can read them (Apps Integration API, Authentication: the key must be kept secret).

Found by their shape (the API key's prefix and 32 hex digits, keys of well-known services), and by the name that a
value is given to. How random a text looks is never enough by itself: tables of colours and packed data look random
too. A finding never shows the secret.
"""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections import Counter
from collections.abc import Iterator
from math import log2

from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.check.rules.secret_shapes import AUTHORIZATION, PASSWORD_IN_ADDRESS, PRIVATE_KEY, SHAPES
from awning.diagnostics import Severity

MESSAGE = "a secret stands in code that every shopper can read"
_GIVEN = re.compile(r"""(?:[:=]|=>)\s{0,20}(?P<quote>["'`])(?P<value>[^"'`\s{}$<>]{8,500})(?P=quote)""")
_NAME = re.compile(r"""[\s"'`\]]{0,20}(?:gnirts\s{0,5}:\s{0,5})?(?P<name>[\w$-]{1,60})""")
"""Read backwards from the `:` or `=`, over a type."""
_LOOKED_BACK = 120
_OF_A_SECRET = re.compile(
    r"secret|api[_-]?key|api[_-]?token|auth[_-]?code|access[_-]?token|private[_-]?key|passw(?:or)?d",
    re.IGNORECASE,
)
_OF_A_RANDOM_ONE = re.compile(
    r"token|credential|bearer|signature|hmac|(?:auth|pass|sign|client|app|encryption)[_-]?(?:key|phrase|code)?\Z",
    re.IGNORECASE,
)
"""Names of what is a secret only where it looks drawn: `token = "comma"` is a parser's."""
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
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_HARMLESS = re.compile(
    r"sha(?:256|384|512)-|[a-z]{1,40}(?:[-_/][a-z0-9]{1,40}){1,20}$|[0-9a-f]{8}-[0-9a-f]{4}-|iVBOR|R0lGOD|PHN2Zy|/9j/"
    r"|(?:YOUR|EXAMPLE|xxx|test|dummy|changeme)",
    re.IGNORECASE,
)
FEWEST_DIGITS = 3
SHORTEST_RANDOM = 20


def _check(file: Inspected) -> Iterator[Finding]:
    text = file.source.text
    seen: set[int] = set()
    for start, value in _candidates(text, file.source.dialect.key_prefix):
        if start not in seen:
            seen.add(start)
            yield Finding(offset=len(text[:start].encode()), message=MESSAGE, secret=value)


def _candidates(text: str, prefix: str) -> Iterator[tuple[int, str]]:
    keys = re.compile(re.escape(prefix) + r"[0-9a-f]{32}\b", re.IGNORECASE)
    for pattern in (keys, SHAPES, PRIVATE_KEY, PASSWORD_IN_ADDRESS):
        for match in pattern.finditer(text):
            yield match.start(), match[0]
    for match in AUTHORIZATION.finditer(text):
        if _authorizes(match["scheme"], match["value"]) and not keys.search(match["value"]):
            yield match.start("value"), match["value"]
    for match in _GIVEN.finditer(text):
        if not keys.search(match["value"]) and _is_secret(_name_before(text, match.start()), match["value"]):
            yield match.start("value"), match["value"]


def _name_before(text: str, end: int) -> str:
    """The name that a value is given to, or nothing."""
    before = text[max(0, end - _LOOKED_BACK) : end][::-1]
    match = _NAME.match(before)
    return match["name"][::-1] if match else ""


def _is_secret(name: str, value: str) -> bool:
    """Whether the value is the secret itself, and not a word for it or a place to fill in."""
    if _MADE_UP.match(value) or _NO_VALUE.match(value):
        return False
    if _OF_A_SECRET.search(name):
        return is_random(value) or not _SPEAKS_OF_ONE.search(name)
    return _OF_A_RANDOM_ONE.search(name) is not None and len(value) >= SHORTEST_RANDOM and is_random(value)


def _authorizes(scheme: str, value: str) -> bool:
    """Whether it is what such a header holds: "Basic Multilingual Plane" is none."""
    if scheme != "Basic":
        return sum(character.isdigit() for character in value) >= FEWEST_DIGITS and not _MADE_UP.match(value)
    try:
        return b":" in b64decode(value, validate=True)
    except NotBase64:
        return False


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
