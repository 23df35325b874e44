"""The asynchronous client of the Reseller API. It has its own module because aiohttp is slow to import (0.2 s)."""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType, TracebackType
from typing import Self, TypeVar

from awning.client.async_client import AsyncTransport, run_with
from awning.client.reseller.authorization import ResellerSession
from awning.client.reseller.client import HasFlow, reseller_session
from awning.client.secret import Secret
from awning.client.transport import USUAL, Limits
from awning.errors import ServiceError

T = TypeVar("T")


class AsyncResellerClient:
    """Runs actions. Use it as an asynchronous context manager.

    At the end of the block, it invalidates a token that it obtained, unless the block raised an exception.
    """

    def __init__(self, session: ResellerSession, transport: AsyncTransport) -> None:
        self._session = session
        self._transport = transport

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._session.obtained and kind is None:
                with suppress(ServiceError):
                    await self.end()
        finally:
            await self._transport.__aexit__(kind, error, trace)

    async def run(self, action: HasFlow[T]) -> T:
        """Run one action.

        Raises a ServiceError when it fails, ConfigurationError when it needs a new token and the e-mail or the password
        is missing. `actions.SetPassword` also raises the latter when the new password is empty.
        """
        return await run_with(action.flow(self._session), self._transport.send)

    async def authorize(self) -> None:
        """Obtain a token now.

        Raises Unauthorized when the service refuses the e-mail and password, another ServiceError when the call fails,
        ConfigurationError when the e-mail or the password is missing.
        """
        await run_with(self._session.authorize(), self._transport.send)

    async def end(self) -> None:
        """Invalidate the token."""
        await run_with(self._session.end(), self._transport.send)


def async_reseller_client(
    base_url: str,
    email: str,
    password: Secret | None,
    *,
    token: Secret | None = None,
    allow_plain_http: bool = False,
    limits: Limits = USUAL,
    environ: Mapping[str, str] = MappingProxyType({}),
) -> AsyncResellerClient:
    """Return a client with the default retries. Without e-mail and password, the client cannot obtain a new token.

    Raises ConfigurationError when the address is not valid, when the password must not be sent to it, or when the proxy
    is not an http proxy.
    """
    session = reseller_session(base_url, email, password, token=token, allow_plain_http=allow_plain_http)
    return AsyncResellerClient(
        session, AsyncTransport(session.calling.access, limits=limits, environ=environ)
    )
