"""Verifies install and settings requests (Apps Integration API, Verifying request authenticity).

By the specification, the hash is the HMAC-SHA-256 of the query string without the hash, in hex, with app_secret as key.
The specification does not show whether the query string is signed as received. The reference verifier parses it and
encodes it again (observed). So a request is authentic when its hash fits the query string as received *or* in canonical
form. Both hashes are computed, even if the first one fits, and compared in constant time. No input makes this module
raise an exception.
"""

import base64
import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from awning.client.secret import Secret
from awning.signed_requests.query import Parameters, decoded, pairs, plain_name, read_query, write_query

HASH = b"hash"
ONCE = (b"hash", b"authCode", b"callback")
"""Parameters that may occur only once. If one is repeated, two parsers could use different values."""

LONGEST = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a request is authentic, and the reason. The reason is for logs, not for visitors."""

    authentic: bool
    reason: str

    def __bool__(self) -> bool:
        return self.authentic


def verify_request(query: str | bytes, secret: Secret) -> Verdict:
    """Verify a raw query string, with or without a leading `?`. Never raises an exception."""
    raw = query.encode("utf-8", "surrogatepass") if isinstance(query, str) else bytes(query)
    raw = raw.removeprefix(b"?")
    received, remainder, objection = _split(raw)
    if not secret:
        return Verdict(authentic=False, reason="there is no app secret to verify with")
    if objection is not None:
        return Verdict(authentic=False, reason=objection)
    parameters = read_query(remainder)
    if not parameters:
        return Verdict(authentic=False, reason="the hash is the only parameter, so nothing is signed")
    key = secret.reveal().encode("utf-8", "surrogatepass")
    canonical = write_query(parameters)
    as_raw = hmac.compare_digest(sign(remainder, key), received)
    as_canonical = hmac.compare_digest(sign(canonical, key), received)
    if as_raw or as_canonical:
        return Verdict(
            authentic=True, reason="signed as received" if as_raw else "signed in the canonical form"
        )
    return Verdict(authentic=False, reason=_explained(raw, remainder, parameters, received, key))


def sign(query: bytes, key: bytes) -> bytes:
    """Return the hash of a query string: HMAC-SHA-256 in lower-case hexadecimal digits."""
    return hmac.new(key, query, "sha256").hexdigest().encode()


def _split(raw: bytes) -> tuple[bytes, bytes, str | None]:
    """Return the hash, the query without the hash, and an error when no secret can make the query valid, else None."""
    if len(raw) > LONGEST:
        return b"", b"", f"the query string is longer than {LONGEST} bytes"
    names = (plain_name(name) for name, _ in pairs(raw))
    # The service sends `authCode` and `authcode` (observed). Both identify the instance, so they count as one name.
    counts = Counter(b"authCode" if name.lower() == b"authcode" else name for name in names)
    for name in ONCE:
        if counts[name] > 1:
            return b"", b"", f"{name.decode()} is given {counts[name]} times"
    hashes = [value for name, value in pairs(raw) if name == HASH]
    if not hashes:
        escaped = ": & is written &amp;, as in HTML source" if b"&amp;hash=" in raw else ""
        return b"", b"", f"there is no hash parameter{escaped}"
    remainder = b"&".join(piece for piece in raw.split(b"&") if decoded(piece.partition(b"=")[0]) != HASH)
    return hashes[0], remainder, None if hashes[0] else "the hash parameter is empty"


def _explained(raw: bytes, remainder: bytes, parameters: Parameters, received: bytes, key: bytes) -> str:
    """Return the reason why the hash is wrong: a known mistake that leads to this hash, or a general text."""
    if _matches(received.lower(), remainder, key):
        return "the hash is right but for its upper-case digits: it must be lower-case hex"
    if _matches(received.strip(), remainder.strip(), key):
        return "the hash would match if the query had no white space around it"
    for text, mistake in _mistakes(raw, remainder, parameters):
        if hmac.compare_digest(sign(text, key), received):
            return f"the hash would match if {mistake}"
    for text in (remainder, write_query(parameters)):
        if hmac.compare_digest(base64.b64encode(hmac.digest(key, text, "sha256")), received):
            return "the hash is base64: it must be lower-case hex"
        if hmac.compare_digest(sign(text, key.strip()), received):
            return "the hash would match if the secret had no white space around it"
    return "the hash matches neither the query string as received nor its canonical form: wrong secret or changed text"


def _matches(received: bytes, remainder: bytes, key: bytes) -> bool:
    texts = (remainder, write_query(read_query(remainder)))
    return any(hmac.compare_digest(sign(text, key), received) for text in texts)


def _mistakes(raw: bytes, remainder: bytes, parameters: Parameters) -> Iterator[tuple[bytes, str]]:
    """Yield the texts that senders and verifiers sign by mistake, each with a description of the mistake."""
    yield raw, "the hash parameter were not removed before signing"
    yield b"?" + remainder, "the leading ? were signed too"
    yield (b"&" + remainder).replace(b"&amp;", b"&")[1:], "& were not written &amp;, as in HTML source"
    yield b"&".join(sorted(remainder.split(b"&"))), "the parameters were sorted: keep them in received order"
    ordered = Parameters()
    ordered.update(sorted(parameters.items(), key=lambda item: str(item[0])))
    yield write_query(ordered), "the parameters were sorted: keep them in received order"
    yield write_query(parameters, literal=b"~"), "~ were left literal (Python's urlencode): write %7E"
    yield (
        write_query(parameters, literal=b"*"),
        "* were left literal (JavaScript's URLSearchParams): write %2A",
    )
    yield write_query(parameters, literal=b"~", space=b"%20"), "spaces were written %20: write +"
    yield write_query(parameters, space=b"%20"), "spaces were written %20: write +"
    yield decoded(remainder), "the values were signed decoded: encode them again before signing"
    yield (
        b"&".join(p for p in remainder.split(b"&") if p.partition(b"=")[2]),
        "empty values were left out: keep them",
    )
