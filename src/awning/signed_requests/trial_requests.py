"""The requests that `awning conformance` sends.

A server must accept some, must refuse some, should refuse some, and may do either with others.

The service sends queries in canonical form, so a server may verify either the raw text or the canonical form. It must
accept an authentic request whose raw text and canonical form are the same. If they differ, it may accept or refuse. It
must refuse all other requests. It should also refuse an authentic one that repeats the hash, the authCode or the
callback, or has no parameter but the hash. That is how PHP reads a query, so to accept such a request is only noted.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import quote_plus

from awning.client.secret import Secret
from awning.contract import Dialect
from awning.signed_requests.query import decoded, plain_name, read_query, write_query
from awning.signed_requests.signature import sign

_HIDDEN = (b"hash", b"authcode")
"""The names, in lower case, of parameters whose values are not shown."""

CALLBACK = "https://service.example/apps/return"


FORGED = "hash-changed"
"""The name of the request whose hash differs by one digit. Its response is an example of a refusal."""


LAST_COUNTS = "the last value of a repeated parameter counts, as in PHP; to refuse such a request is safer"
NOTHING_SIGNED = "a request without any parameter is authentic, as in PHP; to refuse it is safer"


class Expected(StrEnum):
    """How a server must treat a request. With `either`, any response of 2XX, 3XX or 4XX is right.

    So it is with `refused-or-noted`, but a request that was accepted is noted.
    """

    ACCEPTED = "accepted"
    REFUSED = "refused"
    NOTED = "refused-or-noted"
    EITHER = "either"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRequest:
    """One request. `query` is sent unchanged; `shown` is its start without hashes and authCodes, for reports.

    All values of hash parameters are hidden, because some forged requests contain the right hash in base64, or
    shortened by a digit.
    """

    name: str
    about: str
    expected: Expected
    query: str = field(repr=False)
    note: str = ""
    """What to know about a server that accepts a request of `Expected.NOTED`."""

    @property
    def shown(self) -> str:
        text = "&".join(map(_masked, self.query.split("&")))
        return text if len(text) <= 200 else f"{text[:199]}\N{HORIZONTAL ELLIPSIS}"  # noqa: PLR2004


def _masked(pair: str) -> str:
    name, _, value = pair.partition("=")
    hidden = value and plain_name(decoded(name.encode())).lower() in _HIDDEN
    return f"{name}=..." if hidden else pair


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleValues:
    """The values of the parameters that the requests send.

    With `auth_code`, the requests are settings requests; without it, they are requests of a first installation.
    `version_parameter` is the dialect's.
    """

    secret: Secret
    callback: str = CALLBACK
    auth_code: Secret | None = None
    version_parameter: str = Dialect().version_parameter

    @property
    def version(self) -> str:
        return f"{self.version_parameter}=2.701"

    @property
    def key(self) -> bytes:
        return self.secret.reveal().encode()

    @property
    def text(self) -> str:
        """The parameters, in canonical form."""
        code = f"authCode={written(self.auth_code.reveal())}&" if self.auth_code else ""
        return f"{code}appId=1&language=en&callback={written(self.callback)}&{self.version}"

    def hash_of(self, text: str) -> str:
        return sign(text.encode(), self.key).decode()

    def signed(self, text: str) -> str:
        return f"{text}&hash={self.hash_of(text)}"


def written(value: str) -> str:
    """Return a value in canonical form."""
    return quote_plus(value).replace("~", "%7E")


def trial_requests(sample: SampleValues) -> tuple[TrialRequest, ...]:
    """Return all trial requests. The first is the plain authentic request."""
    groups = (
        (Expected.ACCEPTED, "", _good(sample)),
        (Expected.EITHER, "", _open(sample)),
        (
            Expected.REFUSED,
            "",
            (*_unsigned(sample), *_tampered(sample), *_wrongly_signed(sample), *_last_hash_wrong(sample)),
        ),
        (Expected.NOTED, LAST_COUNTS, _repeated(sample)),
        (Expected.NOTED, NOTHING_SIGNED, _empty(sample)),
    )
    return tuple(
        TrialRequest(name=name, about=about, expected=expected, query=query, note=note)
        for expected, note, group in groups
        for name, about, query in group
    )


_Rows = Iterator[tuple[str, str, str]]

_CANONICAL = (
    ("space-is-plus", "a space is written +", "note=a+b"),
    ("tilde-and-star", "~ is %7E, * is %2A", "note=%7E%2A"),
    ("upper-case-hex", "UTF-8 in upper-case hex", "note=%C4%81%E2%82%AC"),
    ("literal-characters", "- _ . stay as they are", "note=a-b_c.d"),
    ("delimiters-in-a-value", "& = # + % / inside of a value", "note=%26%3D%23%2B%25%2F"),
    ("empty-value", "an empty value is kept as k=", "note="),
    ("received-order", "parameters are not sorted", "zeta=1&alpha=2"),
    ("list", "a list is numbered", "note%5B0%5D=a&note%5B1%5D=b"),
    ("map", "a[k] nests", "note%5Bk%5D=a&note%5Bl%5D=b"),
)

_TWO_FORMS = (
    ("space-as-percent-20", "note=a%20b"),
    ("literal-tilde-and-star", "note=~*"),
    ("lower-case-hex", "note=%c4%81"),
    ("no-equals-sign", "note"),
    ("unnumbered-list", "note%5B%5D=a&note%5B%5D=b"),
    ("repeated-name", "note=1&other=2&note=3"),
    ("dot-in-a-name", "no.te=1"),
    ("empty-pair", "&note=1"),
    ("equals-sign-in-a-value", "note=a=b"),
    ("percent-sign-in-a-value", "note=%4"),
    ("not-utf-8-in-a-value", "note=%ff"),
    ("leading-spaces-of-a-name", "++note=1"),
    ("zero-byte-in-a-name", "note%00x=1"),
    ("no-name", "=1&note=2&%5Bk%5D=3"),
    ("list-after-a-number", "note%5B7%5D=a&note%5B%5D=b"),
    ("list-in-a-map", "note%5Bk%5D%5B%5D=a&note%5Bk%5D%5Bl%5D=b"),
    ("list-after-a-value", "note=1&other=2&note%5B%5D=3"),
    ("text-after-a-bracket", "note%5Bk%5Dx=1"),
    ("open-bracket", "note%5Bk=1"),
)


def _good(sample: SampleValues) -> _Rows:
    base = sample.text
    yield "as-sent", "what the service sends", sample.signed(base)
    yield "hash-first", "the hash stands first", f"hash={sample.hash_of(base)}&{base}"
    head, _, tail = base.partition("&")
    yield "hash-in-between", "the hash stands in between", f"{head}&hash={sample.hash_of(base)}&{tail}"
    for name, about, more in _CANONICAL:
        yield name, about, sample.signed(f"{base}&{more}")


def _open(sample: SampleValues) -> _Rows:
    """Yield two requests for each row of `_TWO_FORMS`. Their raw text and their canonical form differ."""
    for name, more in _TWO_FORMS:
        raw = f"{sample.text}&{more}"
        canonical = write_query(read_query(raw.encode())).decode()
        yield f"{name}/raw", f"{more}: signed as it is", sample.signed(raw)
        yield (
            f"{name}/canonical",
            f"{more}: signed in its canonical form",
            f"{raw}&hash={sample.hash_of(canonical)}",
        )


def _unsigned(sample: SampleValues) -> _Rows:
    base, right = sample.text, sample.hash_of(sample.text)
    yield "nothing", "no query at all", ""
    yield "no-hash", "no hash parameter", base
    yield "empty-hash", "an empty hash", f"{base}&hash="
    yield "name-in-another-case", "Hash instead of hash", f"{base}&Hash={right}"
    yield "hash-as-a-list", "hash[] instead of hash", f"{base}&hash%5B%5D={right}"
    yield "not-hex", "a hash that is not hex", f"{base}&hash={'z' * 64}"
    yield "zero-byte", "a hash with a zero byte", f"{base}&hash=%00{right}"
    yield "not-utf-8", "a hash that is not UTF-8", f"{base}&hash=%FF%FE"
    yield "broken-escape", "a broken escape", f"{base}&note=%&hash=%zz"
    yield "long", "a long value", f"{base}&note={'x' * 4000}&hash={right}"


def _empty(sample: SampleValues) -> _Rows:
    yield "hash-alone", "nothing but the right hash of nothing", f"hash={sample.hash_of('')}"
    yield "empty-pairs-alone", "nothing but empty pairs, rightly signed", f"&&hash={sample.hash_of('&')}"


def _tampered(sample: SampleValues) -> _Rows:
    base, right = sample.text, sample.hash_of(sample.text)
    yield "value-changed", "appId is another", f"{base.replace('appId=1', 'appId=2')}&hash={right}"
    yield "name-changed", "language is called lang", f"{base.replace('language=', 'lang=')}&hash={right}"
    elsewhere = base.replace(written(sample.callback), written("https://elsewhere.example/"))
    yield "callback-changed", "callback leads elsewhere", f"{elsewhere}&hash={right}"
    yield "parameter-added", "one parameter more, before the hash", f"{base}&admin=1&hash={right}"
    yield "parameter-added-after", "one parameter more, after the hash", f"{base}&hash={right}&admin=1"
    gone = f"{sample.version_parameter} is gone"
    yield "parameter-removed", gone, f"{base.replace(f'&{sample.version}', '')}&hash={right}"
    first, _, rest = base.partition("&")
    yield "reordered", "the first parameter stands last", f"{rest}&{first}&hash={right}"
    yield FORGED, "one digit differs", f"{base}&hash={'1' if right[0] == '0' else '0'}{right[1:]}"
    yield "hash-cut", "one digit is missing", f"{base}&hash={right[:-1]}"
    yield "hash-longer", "one digit more", f"{base}&hash={right}0"
    yield "hash-with-space", "a space after the hash", f"{base}&hash={right}+"


def _wrongly_signed(sample: SampleValues) -> _Rows:
    base, key = sample.text, sample.key
    text = base.encode()
    values = b"".join(decoded(pair.partition(b"=")[2]) for pair in text.split(b"&"))
    wrong = {
        "another-secret": ("signed with another secret", sign(text, key + b"x")),
        "no-secret": ("signed with an empty secret", sign(text, b"")),
        "upper-case-hash": ("the right hash in upper case", sign(text, key).upper()),
        "base64": (
            "the right hash in base64",
            quote_plus(base64.b64encode(hmac.digest(key, text, "sha256"))).encode(),
        ),
        "sha1": ("HMAC with SHA-1", hmac.new(key, text, "sha1").hexdigest().encode()),
        "sha512": ("HMAC with SHA-512", hmac.new(key, text, "sha512").hexdigest().encode()),
        "no-hmac": ("SHA-256 of secret and text", hashlib.sha256(key + text).hexdigest().encode()),
        "sorted": ("signed in sorted order", sign(b"&".join(sorted(text.split(b"&"))), key)),
        "decoded": ("signed with decoded values", sign(decoded(text), key)),
        "values-alone": ("signed without names", sign(values, key)),
    }
    for name, (about, digest) in wrong.items():
        if digest != sign(text, key):
            yield name, about, f"{base}&hash={digest.decode()}"


def _last_hash_wrong(sample: SampleValues) -> _Rows:
    base, right = sample.text, sample.hash_of(sample.text)
    yield "hash-twice-good-first", "two hashes, the first one right", f"{base}&hash={right}&hash={'0' * 64}"


def _repeated(sample: SampleValues) -> _Rows:
    """Yield requests with repeated parameters, which are authentic where the last value counts."""
    base, right = sample.text, sample.hash_of(sample.text)
    yield "hash-twice-good-last", "two hashes, the last one right", f"{base}&hash={'0' * 64}&hash={right}"
    yield "hash-twice-good", "the right hash twice", f"{base}&hash={right}&hash={right}"
    yield (
        "hash-twice-disguised",
        "two hashes, one with an encoded name",
        f"{base}&%68ash={right}&hash={right}",
    )
    yield "hash-and-a-list", "the right hash, and a list of hashes", f"{base}&hash%5B%5D=x&hash={right}"
    for name in ("authCode", "callback"):
        plain = "&".join(pair for pair in base.split("&") if not pair.startswith(f"{name}="))
        twice = f"{name}=first&{plain}&{name}=second"
        canonical = write_query(read_query(twice.encode())).decode()
        yield f"{name}-twice/raw", f"{name} twice, signed as it is", sample.signed(twice)
        yield (
            f"{name}-twice/canonical",
            f"{name} twice, the last one signed",
            f"{twice}&hash={sample.hash_of(canonical)}",
        )
