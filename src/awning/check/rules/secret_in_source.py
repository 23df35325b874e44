"""Finds secrets in code that every shopper can read.

The API key must be kept secret (Apps Integration API, Authentication). Secrets are recognised by their form (the key's
prefix and 32 hex digits, keys of well-known services, a private key), by their place (a password in an address, the
credential after `Bearer`), or by the name of the variable. Randomness alone is not enough, because tables of colours
and packed data look random, too. A diagnostic shows at most the first four characters of a secret.
"""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections import Counter
from collections.abc import Iterator
from math import log2

from awning.check.rule import Finding, Inspected, ScriptRule

_NO_WORD_BEFORE = r"(?<![\w-])"
_SHAPES = (
    r"[sr]k_(?:live|test|prod)_[0-9A-Za-z]{16,247}",  # Stripe
    r"whsec_[0-9A-Za-z+/]{16,100}",  # Stripe, Svix
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])",  # Amazon Web Services
    r"gh[pousr]_[0-9A-Za-z]{36,251}",  # GitHub
    r"github_pat_[0-9A-Za-z_]{82}",
    r"glpat-[\w-]{20,100}",  # GitLab
    r"xox[abeprs]-[0-9A-Za-z-]{10,250}",  # Slack
    r"https://hooks\.slack\.com/(?:services|workflows)/[\w+/]{20,100}",
    r"SG\.[\w-]{16,32}\.[\w-]{16,64}",  # SendGrid
    r"sk-(?:proj-|ant-[a-z0-9]{1,20}-|svcacct-)?[0-9A-Za-z_-]{20,200}",  # OpenAI, Anthropic
    r"npm_[0-9A-Za-z]{36}",
    r"pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}",
    r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}",  # Shopify
    r"do[opr]_v1_[0-9a-f]{64}",  # DigitalOcean
    r"dop?_v1_[0-9a-f]{64}",
    r"EAAA[\w-]{60}|sq0(?:atp|csp)-[\w-]{22,60}",  # Square
    r"[0-9]{8,10}:AA[\w-]{33}(?![\w-])",  # Telegram
    r"hvs\.[\w-]{90,120}",  # HashiCorp Vault
    r"(?:eyJ[\w-]{8,2000}\.){2}[\w-]{8,2000}",  # a signed JSON Web Token
)
"""Secrets of well-known services, by prefix, alphabet and length.

The sources of the shapes are the documentation of the services and the rules of gitleaks (MIT). Two kinds of shapes are
left out: keys that are meant for browsers (Google Maps, Stripe's `pk_`, Mapbox's `pk.`), and shapes that ordinary data
also has.
"""
SHAPES = re.compile(_NO_WORD_BEFORE + "(?P<value>" + "|".join(_SHAPES) + ")")
PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=\s*\S{16})")
PASSWORD_IN_ADDRESS = re.compile(
    r"(?<=[a-z]://)[\w.-]{1,100}:(?P<value>[^\s@/:\"'`{}$<>()\[\]]{6,100})@(?=[\w-]{1,100}[.:/])"
)
AUTHORIZATION = re.compile(
    r"\b(?P<scheme>ApiKey|Bearer|Basic) (?P<value>[A-Za-z0-9._~+/-]{16,1000}={0,2})(?=[\"'`\s]|$)"
)

MESSAGE = "a secret stands in code that every shopper can read"
_GIVEN = re.compile(r"""(?:[:=]|=>)\s{0,20}(?P<quote>["'`])(?P<value>[^"'`\s{}$<>]{8,500})(?P=quote)""")
_NAME = re.compile(r"""[\s"'`\]]{0,20}(?:gnirts\s{0,5}:\s{0,5})?(?P<name>[\w$-]{1,60})""")
"""Matches a name before `:` or `=`, possibly with a type between. It reads reversed text: `gnirts` is `string`."""
_LOOKED_BACK = 120
_OF_A_SECRET = re.compile(
    r"secret|api[_-]?key|api[_-]?token|auth[_-]?code|access[_-]?token|private[_-]?key|passw(?:or)?d",
    re.IGNORECASE,
)
_OF_A_RANDOM_ONE = re.compile(
    r"token|credential|bearer|signature|hmac|(?:auth|pass|sign|client|app|encryption)[_-]?(?:key|phrase|code)?\Z",
    re.IGNORECASE,
)
"""Names whose value is a secret only if the value looks random. The value in `token = "comma"` does not."""
_SPEAKS_OF_ONE = re.compile(
    r"(?:label|header|name|field|selector|input|placeholder|type|param|url|path|text|title|hint|message|class|el|id"
    r"|kind|mode|event)\Z",
    re.IGNORECASE,
)
"""Ends of names whose value only refers to a secret: `apiKeyHeader = "X-Api-Key"`."""
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
    """Return the name of the variable or property before a value; empty if there is none."""
    before = text[max(0, end - _LOOKED_BACK) : end][::-1]
    match = _NAME.match(before)
    return match["name"][::-1] if match else ""


def _is_secret(name: str, value: str) -> bool:
    """Return whether a value is a secret itself, and not a name of a secret or an example."""
    if _MADE_UP.match(value) or _NO_VALUE.match(value):
        return False
    if _OF_A_SECRET.search(name):
        return is_random(value) or not _SPEAKS_OF_ONE.search(name)
    return _OF_A_RANDOM_ONE.search(name) is not None and len(value) >= SHORTEST_RANDOM and is_random(value)


def _authorizes(scheme: str, value: str) -> bool:
    """Return whether the value can be a credential of the authorization scheme.

    For `Basic` it must be base64 of a text with a colon. For the other schemes it must have at least `FEWEST_DIGITS`
    digits, and must not begin like an example.
    """
    if scheme != "Basic":
        return sum(character.isdigit() for character in value) >= FEWEST_DIGITS and not _MADE_UP.match(value)
    try:
        return b":" in b64decode(value, validate=True)
    except NotBase64:
        return False


def is_random(value: str) -> bool:
    """Return whether a text looks random: many different characters, with letters and digits mixed."""
    if _HARMLESS.match(value) or "abcdefgh" in value.lower() or "0123456789" in value:
        return False
    digits = sum(character.isdigit() for character in value)
    if digits < FEWEST_DIGITS or digits == len(value):
        return False
    return entropy(value) > (3.0 if _HEX.fullmatch(value) else 4.0)


def entropy(value: str) -> float:
    """Return the entropy of a text in bits per character."""
    counts = Counter(value).values()
    return -sum(count / len(value) * log2(count / len(value)) for count in counts)


SECRET_IN_SOURCE = ScriptRule(
    id="secret-in-source",
    hint="keep it on the app's own server; one that was published is no secret any more: get a new one",
    check=_check,
)
