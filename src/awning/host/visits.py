"""The addresses for signed requests: install and settings.

    GET install    without an authCode: redirects to the return link
                   with an authCode: installs, then redirects to the settings page or to the return link
    GET settings   opens a session for the instance, and redirects to its page

All refused signatures get the same response; the log has the reason.

The signature covers all parameters, and they are read only after it is verified. It has no time and no nonce, so the
address is valid until the app's secret changes. Therefore the request opens a session of limited length, and a redirect
removes the signed address from the address bar.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from awning.client import Secret
from awning.errors import AwningError, ConfigurationError, DatabaseUnusable, ServiceError, Unreachable
from awning.host.host import Host
from awning.host.installing import adopt, install, is_refusal_of_code
from awning.host.log import LOG, with_hint
from awning.host.pages import Pages, language_of
from awning.host.sessions import open_session
from awning.signed_requests import verify_request
from awning.signed_requests.query import decoded, plain_name, read_query

BUSY = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
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


class Visits:
    """Handles signed requests."""

    def __init__(self, host: Host, pages: Pages) -> None:
        self._host = host
        self._pages = pages

    async def install(self, request: Request) -> Response:
        """Handle an install request (Apps Integration API, Installation process)."""
        return await self._handle(request, "install", self._install)

    async def settings(self, request: Request) -> Response:
        """Handle a settings request (Apps Integration API, Settings process)."""
        return await self._handle(request, "settings", self._settings)

    async def _handle(
        self,
        request: Request,
        where: str,
        act: Callable[[SignedRequest, Secret | None], Awaitable[Response]],
    ) -> Response:
        """Let `act` respond to an authentic request whose authCode, if it has one, can be one."""
        try:
            signed = read_signed(request.scope["query_string"], self._host.settings.app_secret)
        except NotAuthentic as error:
            return self._refused(request, error)
        if signed.code is not None and not self._is_possible_code(signed.code):
            return await self._incomplete(signed, f"{where}: this cannot be an authCode")
        try:
            return await act(signed, signed.code)
        except ServiceError as problem:
            return await self._failed(where, signed, problem)

    async def _settings(self, signed: SignedRequest, code: Secret | None) -> Response:
        if code is None:
            return await self._incomplete(signed, "settings: there is no authCode")
        installation = await adopt(self._host, code)
        return await self._open_session(signed, installation.key)

    async def _install(self, signed: SignedRequest, code: Secret | None) -> Response:
        if code is None and signed.return_link:
            return RedirectResponse(signed.return_link, 302)
        if code is None:
            return await self._incomplete(signed, "install: the callback is not an http or https address")
        result = await install(self._host, code)
        if not result.published:
            return await self._open_session(signed, result.installation.key, notice="installed-late")
        served = await self._host.run_blocking(self._host.current.build)
        if served.returns and signed.return_link:
            return RedirectResponse(signed.return_link, 302)
        return await self._open_session(signed, result.installation.key, notice="installed")

    async def _open_session(self, signed: SignedRequest, key: str, notice: str = "") -> Response:
        return await open_session(
            self._host, key=key, language=signed.language, return_link=signed.page_link, notice=notice
        )

    def _is_possible_code(self, code: Secret) -> bool:
        """Return whether `code` can be an authCode.

        This is checked first. So a ConfigurationError of a later step is a fault of the server, not of the request.
        """
        try:
            self._host.key_of(code)
        except DatabaseUnusable:
            raise
        except ConfigurationError:
            return False
        return True

    def _refused(self, request: Request, error: NotAuthentic) -> Response:
        """Return the page for a wrong signature. It does not show the reason (Apps Integration API, Errors, rule 3)."""
        LOG.warning("refused %s: %s", request.url.path, error.reason)
        language = language_of(request)
        return self._pages.message("refused", language=language, status=HTTPStatus.FORBIDDEN)

    async def _incomplete(self, signed: SignedRequest, reason: str) -> Response:
        LOG.warning("incomplete %s", reason)
        return self._pages.message(
            "incomplete",
            language=signed.language,
            status=HTTPStatus.BAD_REQUEST,
            titles=await titles_of(self._host),
        )

    async def _failed(self, where: str, signed: SignedRequest, problem: ServiceError) -> Response:
        LOG.warning("%s: %s", where, with_hint(problem))
        return self._pages.message(
            failure_code(problem),
            language=signed.language,
            status=failure_status(problem, self._host),
            titles=await titles_of(self._host),
            return_link=signed.page_link,
            again=True,
        )


async def titles_of(host: Host) -> object:
    """Return the app's name; None when the build cannot be read, because an error page must work even then."""
    try:
        return (await host.run_blocking(host.current.build)).titles
    except AwningError:
        return None


def failure_code(problem: ServiceError) -> str:
    """Return the key of the sentence that tells the visitor about a failed call."""
    if is_refusal_of_code(problem):
        return "unknown-instance"
    return "unreachable" if isinstance(problem, Unreachable) else "bad-answer"


def failure_status(problem: ServiceError, host: Host) -> int:
    """Return the HTTP status of a page about a failed call.

    A refused authCode is 404 when the service has accepted another call. Until then the API key or the base URL may be
    wrong, which is the server's own fault: 502.
    """
    if isinstance(problem, Unreachable) or problem.status in BUSY:
        return HTTPStatus.SERVICE_UNAVAILABLE
    is_unknown = is_refusal_of_code(problem) and host.is_accepted
    return HTTPStatus.NOT_FOUND if is_unknown else HTTPStatus.BAD_GATEWAY
