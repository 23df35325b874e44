"""The synchronous client of the Reseller API, and the access that both clients share."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from types import MappingProxyType, TracebackType
from typing import Any, Protocol, Self, TypeVar

from awning.client.access import Access, Envelope, checked_base_url, is_plain_http_allowed
from awning.client.flow import Calling
from awning.client.operation import Fields, Flow
from awning.client.reseller.authorization import ResellerSession
from awning.client.secret import Secret, find_secret
from awning.client.sync_client import Transport, run_here
from awning.client.transport import USUAL, Limits
from awning.contract.reseller_errors import (
    ABOVE_PLAN,
    BAD_CREDITS,
    CREDITS_ARE_FREE,
    FEE_UNPAID,
    MAX_CREDITS_FIELD,
)
from awning.errors import (
    AbovePlan,
    BadCredits,
    ConfigurationError,
    CreditsAreFree,
    Declined,
    FeeUnpaid,
    Refused,
    ServiceError,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
FORM = "application/x-www-form-urlencoded"
API = "/api"
CODE = "errorCode"
NOT_FOUND = 404
PASSWORD = "AWNING_RESELLER_PASSWORD"  # noqa: S105 - the variable's name
TOKEN = "AWNING_RESELLER_TOKEN"  # noqa: S105 - the variable's name
IN_TROUBLE = frozenset({500, 502, 503, 504})
"""The error codes of a failing server. They do not tell whether anything was changed."""

BY_CODE: Mapping[int, type[Declined]] = MappingProxyType(
    {BAD_CREDITS: BadCredits, CREDITS_ARE_FREE: CreditsAreFree, ABOVE_PLAN: AbovePlan, FEE_UNPAID: FeeUnpaid}
)
_HINTS = {
    CREDITS_ARE_FREE: "extra credits can be added once AI pricing is in effect",
    FEE_UNPAID: "pay the signup fee first: `awning reseller balance` shows the link",
    NOT_FOUND: "`awning reseller websites list` shows the websites, `domains list` the domains of one",
}
_NO_CODE = "the answer has no errorCode: is AWNING_RESELLER_URL the address of the Reseller API?"


class HasFlow(Protocol[T_co]):
    """A value that a client can run, such as an Action."""

    def flow(self, session: ResellerSession) -> Flow[T_co]: ...


class ResellerClient:
    """Runs actions. Use it as a context manager.

    At the end of the block, it invalidates a token that it obtained, unless the block raised an exception.
    """

    def __init__(self, session: ResellerSession, transport: Transport) -> None:
        self._session = session
        self._transport = transport

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._session.obtained and kind is None:
                self.end()
        except ServiceError:  # harmless: the actions are done, and the token expires
            pass
        finally:
            self._transport.__exit__(kind, error, trace)

    @property
    def address(self) -> str:
        """The service's address, without /api."""
        return self._session.calling.access.base_url

    @property
    def email(self) -> str:
        """The account's e-mail; empty when there is only a token."""
        return self._session.email

    def run(self, action: HasFlow[T]) -> T:
        """Run one action.

        Raises a ServiceError when it fails, ConfigurationError when it needs a new token and the e-mail or the password
        is missing. `actions.SetPassword` also raises the latter when the new password is empty.
        """
        return run_here(action.flow(self._session), self._transport.send)

    def authorize(self) -> None:
        """Obtain a token now.

        Raises Unauthorized when the service refuses the e-mail and password, another ServiceError when the call fails,
        ConfigurationError when the e-mail or the password is missing.
        """
        run_here(self._session.authorize(), self._transport.send)

    def end(self) -> None:
        """Invalidate the token."""
        run_here(self._session.end(), self._transport.send)


def reseller_access(base_url: str, *, allow_plain_http: bool = False) -> Access:
    """Return the access to the Reseller API at `base_url`, which may end in /api. The paths of calls begin with /api.

    Raises ConfigurationError when the address is not valid, or when the password must not be sent to it.
    """
    url = checked_base_url(
        base_url,
        allow_plain_http=allow_plain_http,
        carried="password",
        example="https://reseller.service.example",
    )
    return Access(
        base_url=url.removesuffix(API).rstrip("/"),
        headers=(("Content-Type", FORM),),
        envelope=Envelope(code=CODE, message="errorMsg", narrowed=narrowed),
        ending="",
    )


def reseller_session(
    base_url: str, email: str, password: Secret | None, *, token: Secret | None, allow_plain_http: bool
) -> ResellerSession:
    """Return a session with the default retries. Raises ConfigurationError as `reseller_access` does."""
    access = reseller_access(base_url, allow_plain_http=allow_plain_http)
    return ResellerSession(calling=Calling(access=access), email=email, password=password, token=token)


def reseller_client(
    base_url: str,
    email: str,
    password: Secret | None,
    *,
    token: Secret | None = None,
    allow_plain_http: bool = False,
    limits: Limits = USUAL,
    environ: Mapping[str, str] = MappingProxyType({}),
) -> ResellerClient:
    """Return a client with the default retries. Without e-mail and password, the client cannot obtain a new token.

    Raises ConfigurationError when the address is not valid, when the password must not be sent to it, or when the proxy
    is not an http proxy.
    """
    session = reseller_session(base_url, email, password, token=token, allow_plain_http=allow_plain_http)
    return ResellerClient(session, Transport(session.calling.access, limits=limits, environ=environ))


def find_reseller_client(url: str | None, email: str | None, environ: Mapping[str, str]) -> ResellerClient:
    """Return a client with the password of AWNING_RESELLER_PASSWORD, the token of AWNING_RESELLER_TOKEN, or both.

    Raises ConfigurationError when the address is missing or not allowed, when the proxy is not an http proxy, when
    there is neither a token nor an e-mail with a password, or when the file of a secret cannot be read or is empty.
    """
    if not url:
        raise ConfigurationError(
            "no reseller service is named",
            hint="set AWNING_RESELLER_URL, or reseller_url in the profile; `awning service` simulates one",
        )
    password, token = find_secret(PASSWORD, environ), find_secret(TOKEN, environ)
    if token is None and not (email and password):
        missing = "password" if email else "e-mail"
        raise ConfigurationError(
            f"there is no {missing} of the reseller account",
            hint=f"set AWNING_RESELLER_EMAIL and {PASSWORD}, or keep the password in a keyring "
            f"(service awning, user {PASSWORD}) or in the file that {PASSWORD}_FILE names",
        )
    plain = is_plain_http_allowed(environ)
    return reseller_client(url, email or "", password, token=token, allow_plain_http=plain, environ=environ)


def find_time_zone(environ: Mapping[str, str]) -> tzinfo:
    """Return the time zone of the service's dates: AWNING_RESELLER_TIME_ZONE, such as +02:00; UTC by default.

    Raises ConfigurationError when the variable is not an offset.
    """
    text = environ.get("AWNING_RESELLER_TIME_ZONE", "").strip() or "+00:00"
    try:
        zone = datetime.strptime(text, "%z").tzinfo
    except ValueError:
        zone = None
    if zone is None:
        raise ConfigurationError("AWNING_RESELLER_TIME_ZONE is not an offset", hint="such as +02:00")
    return zone


def narrowed(refused: Refused, fields: Fields | Mapping[str, Any]) -> Refused:
    """Return the exception for the errorCode of a refusal.

    A refusal means that nothing was changed, unless its code is in `IN_TROUBLE`.
    """
    code = refused.error_code
    kind, hint = BY_CODE.get(code), _HINTS.get(code) if CODE in fields else _NO_CODE
    if kind is None:
        refused.unclear = refused.unclear and code in IN_TROUBLE
        refused.hint = hint
        return refused
    message = refused.message
    declined = kind(message, call=refused.call, error_code=code, status=refused.status or 0, hint=hint)
    most = fields.get(MAX_CREDITS_FIELD)
    if isinstance(declined, AbovePlan) and isinstance(most, int):
        declined.max_credits = most
        declined.hint = f"the plan has {most} monthly AI credits"
    return declined
