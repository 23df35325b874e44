"""The addresses that a signed request reaches: install and settings.

    GET install      without authCode: back by the return link; with it: install, then show ourselves or go back
    GET settings     a session for the instance, and on to its page

Every refusal of a signature looks the same from outside; the log has the reason.
"""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from awning.client import Secret
from awning.errors import AwningError, ConfigurationError, DatabaseUnusable, ServiceError, Unreachable
from awning.host.host import Host
from awning.host.installing import adopt, install
from awning.host.languages import spoken
from awning.host.log import LOG
from awning.host.pages import Pages
from awning.host.removing import is_refusal_of_code
from awning.host.sessions import open_session
from awning.host.signed import NotAuthentic, SignedRequest, read_signed


class Visits:
    """Handlers of signed requests."""

    def __init__(self, host: Host, pages: Pages) -> None:
        self._host = host
        self._pages = pages

    async def install(self, request: Request) -> Response:
        """Apps Integration API, Installation process."""
        try:
            signed = self._signed(request)
        except NotAuthentic as refused:
            return self._refused(request, refused)
        if signed.code is None:
            back = signed.return_link
            return RedirectResponse(back, 302) if back else await self._incomplete(signed)
        if not self._could_be_a_code(signed.code):
            return await self._incomplete(signed)
        try:
            return await self._install(signed, signed.code)
        except ServiceError as problem:
            return await self._failed("install", signed, problem)

    async def settings(self, request: Request) -> Response:
        """Apps Integration API, Settings process."""
        try:
            signed = self._signed(request)
        except NotAuthentic as refused:
            return self._refused(request, refused)
        if signed.code is None or not self._could_be_a_code(signed.code):
            return await self._incomplete(signed)
        try:
            found = await adopt(self._host, signed.code)
        except ServiceError as problem:
            return await self._failed("settings", signed, problem)
        return await self._opened(signed, found.key)

    async def _install(self, signed: SignedRequest, code: Secret) -> Response:
        done = await install(self._host, code)
        if not done.published:
            return await self._opened(signed, done.installation.key, note="installed-late")
        release = await self._host.kept(self._host.current.release)
        if release.returns and signed.return_link:
            return RedirectResponse(signed.return_link, 302)
        return await self._opened(signed, done.installation.key, note="installed")

    async def _opened(self, signed: SignedRequest, key: str, note: str = "") -> Response:
        return await open_session(
            self._host, key=key, language=signed.language, return_link=signed.way_back, note=note
        )

    def _could_be_a_code(self, code: Secret) -> bool:
        """Asked first, so that a fault of ours later on is not taken for one of the request."""
        try:
            self._host.key_of(code)
        except DatabaseUnusable:
            raise
        except ConfigurationError:
            return False
        return True

    def _signed(self, request: Request) -> SignedRequest:
        return read_signed(request.scope["query_string"], self._host.settings.app_secret)

    def _refused(self, request: Request, refused: NotAuthentic) -> Response:
        """Apps Integration API, Errors, rule 3. A stranger is told nothing but that."""
        LOG.warning("refused %s: %s", request.url.path, refused.reason)
        language = spoken(request.headers.get("accept-language", ""))
        return self._pages.message("refused", language=language, status=HTTPStatus.FORBIDDEN)

    async def _incomplete(self, signed: SignedRequest) -> Response:
        return self._pages.message(
            "incomplete",
            language=signed.language,
            status=HTTPStatus.BAD_REQUEST,
            titles=await titles_of(self._host),
        )

    async def _failed(self, where: str, signed: SignedRequest, problem: ServiceError) -> Response:
        LOG.warning("%s: %s", where, problem.message)
        return self._pages.message(
            failure_code(problem),
            language=signed.language,
            status=failure_status(problem),
            titles=await titles_of(self._host),
            return_link=signed.way_back,
            again=True,
        )


async def titles_of(host: Host) -> object:
    """The app's name, or none while there is no sound build: that is no reason for a page to fail."""
    try:
        return (await host.kept(host.current.release)).titles
    except AwningError:
        return None


def failure_code(problem: ServiceError) -> str:
    """The sentence for what the service did."""
    if is_refusal_of_code(problem):
        return "unknown-instance"
    return "unreachable" if isinstance(problem, Unreachable) else "bad-answer"


def failure_status(problem: ServiceError) -> int:
    away = isinstance(problem, Unreachable)
    return HTTPStatus.SERVICE_UNAVAILABLE if away else HTTPStatus.BAD_GATEWAY
