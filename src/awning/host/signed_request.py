"""Verifies an install or settings request and reads its parameters.

The signature covers all parameters, and they are read only after it is verified. It has no time and no nonce, so the
address is valid until the app's secret changes. Therefore the request opens a session of limited length, and a redirect
removes the signed address from the address bar.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from awning.client import Secret
from awning.signed_requests import verify_request
from awning.signed_requests.query import decoded, plain_name, read_query

LEFT_OUT = frozenset({b"hash", b"callback"})
AUTH_CODE = b"authcode"
"""The parameter's name in lower case. The service sends both `authCode` and `authcode` (observed)."""


class NotAuthentic(Exception):
    """The hash is wrong or missing. `reason` is for the log only."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRequest:
    """The parameters of a verified request.

    code         the authCode; None in the first install request
    return_link  the address at the service to which an install request is redirected; None without a usable callback
    page_link    `return_link` without the authCode, for links in pages: an authCode must not get into a browser history
                 or a Referer
    """

    code: Secret | None
    language: str
    return_link: str | None
    page_link: str | None


def read_signed(query: bytes, secret: Secret) -> SignedRequest:
    """Return the parameters of a request. Raises NotAuthentic when its hash is wrong or missing."""
    verdict = verify_request(query, secret)
    if not verdict:
        raise NotAuthentic(verdict.reason)
    parameters = read_query(query)
    codes = (value for name, value in parameters.items() if _is_auth_code(name))
    code = _text(next(codes, None))
    callback = _text(parameters.get(b"callback"))
    return SignedRequest(
        code=Secret(code) if code else None,
        language=_text(parameters.get(b"language"))[:35],
        return_link=return_link(query, callback),
        page_link=return_link(query, callback, with_code=False),
    )


def return_link(query: bytes, callback: str, *, with_code: bool = True) -> str | None:
    """Return the callback with all parameters of the request except hash and callback, byte for byte as received.

    Without `with_code`, the authCode is left out, too. Returns None when the callback is not an http or https address
    (Apps Integration API, Installation process, step 3). The parameters follow after `?`; after `&` when the callback
    already has a `?`, which was never observed.
    """
    if not _is_web_address(callback):
        return None
    pieces = [
        piece
        for piece in query.removeprefix(b"?").split(b"&")
        if piece
        and (name := plain_name(decoded(piece.partition(b"=")[0]))) not in LEFT_OUT
        and (with_code or not _is_auth_code(name))
    ]
    address, hash_mark, fragment = callback.partition("#")
    joint = ("&" if "?" in address else "?") if pieces else ""
    return f"{address}{joint}{b'&'.join(pieces).decode('latin-1')}{hash_mark}{fragment}"


def _is_auth_code(name: bytes | int) -> bool:
    return isinstance(name, bytes) and name.lower() == AUTH_CODE


def _is_web_address(text: str) -> bool:
    """Return whether a browser may be redirected to this address. `javascript:` is refused even in a signed request."""
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
