"""Signs the requests that the browser carries to an app: installation and settings.

Apps Integration API, Verifying request authenticity, in the canonical form that verifiers use (observed): every
byte but `A-Z a-z 0-9 - _ .` percent-encoded with upper-case digits, space as `+`, parameters in their order, the
hash last. A verifier that takes the raw query string and one that encodes anew both agree with it.
"""

import hmac
from collections.abc import Iterable
from urllib.parse import quote_plus, urlsplit, urlunsplit

from awning_harness.service.own_query import own_parameters

Parameters = Iterable[tuple[str, str]]


def canonical(parameters: Parameters) -> str:
    return "&".join(f"{_encoded(name)}={_encoded(value)}" for name, value in parameters)


def signature(query: str, secret: str) -> str:
    """HMAC-SHA-256 of the query string, in lower-case hex."""
    return hmac.digest(secret.encode(), query.encode(), "sha256").hex()


def signed_url(url: str, parameters: Parameters, secret: str) -> str:
    """`url` with the parameters (after its own, which are signed too) and their hash."""
    parts = urlsplit(url)
    query = canonical([*own_parameters(parts.query), *parameters])
    return urlunsplit(parts._replace(query=f"{query}&hash={signature(query, secret)}", fragment=""))


def _encoded(text: str) -> str:
    return quote_plus(text).replace("~", "%7E")
