"""An install or settings request, once its hash is known to be right.

Nothing of a request is read before its signature is verified, and nothing that was not signed is read at all.
The signature carries no time and no nonce: the same address is valid for as long as the app has its secret. So
a request opens a session that ends, and the address itself is left behind by a redirect.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from awning.client import Secret
from awning.verify import verify_request
from awning.verify.query import decoded, plain_name, read_query

LEFT_OUT = frozenset({b"hash", b"callback"})
AUTH_CODE = b"authcode"
"""In lower case: the service writes `authCode` and `authcode` (observed)."""


class NotAuthentic(Exception):
    """The hash is wrong or missing; `reason` is for the log alone."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRequest:
    """`code` is absent in the first install request; both links where no usable callback was given.

    `return_link` answers an install request. `way_back` is for pages: it is the same link without the authCode, which
    no page, history or `Referer` needs.
    """

    code: Secret | None
    language: str
    return_link: str | None
    way_back: str | None


def read_signed(query: bytes, secret: Secret) -> SignedRequest:
    """The parameters of a verified request. Raises NotAuthentic."""
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
        way_back=return_link(query, callback, with_code=False),
    )


def return_link(query: bytes, callback: str, *, with_code: bool = True) -> str | None:
    """The callback plus all parameters of the request except hash and callback, byte for byte as they came.

    Apps Integration API, Installation process, step 3. The callback has no `?` of its own (observed); one that
    has gets the parameters after an `&`.
    """
    if not _is_web_address(callback):
        return None
    kept = [
        piece
        for piece in query.removeprefix(b"?").split(b"&")
        if piece
        and (name := plain_name(decoded(piece.partition(b"=")[0]))) not in LEFT_OUT
        and (with_code or not _is_auth_code(name))
    ]
    address, hash_mark, fragment = callback.partition("#")
    joint = ("&" if "?" in address else "?") if kept else ""
    return f"{address}{joint}{b'&'.join(kept).decode('latin-1')}{hash_mark}{fragment}"


def _is_auth_code(name: bytes | int) -> bool:
    return isinstance(name, bytes) and name.lower() == AUTH_CODE


def _is_web_address(text: str) -> bool:
    """Whether a browser may be sent there: signed or not, `javascript:` is no return link."""
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
