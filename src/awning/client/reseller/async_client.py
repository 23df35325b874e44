"""The asynchronous client: the same acts over aiohttp. Apart, because importing that costs a fifth of a second."""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType, TracebackType
from typing import Self, TypeVar

from awning.client.async_driver import AsyncWire, drive
from awning.client.flow import Calling
from awning.client.reseller.client import Doing, reseller_access
from awning.client.reseller.session import Session
from awning.client.secret import Secret
from awning.client.wire import USUAL, Limits
from awning.errors import ServiceError

T = TypeVar("T")


class AsyncResellerClient:
    """`await client.run(act)`. An asynchronous context manager; a token that it obtained is ended on leaving."""

    def __init__(self, session: Session, wire: AsyncWire) -> None:
        self._session = session
        self._wire = wire

    async def __aenter__(self) -> Self:
        await self._wire.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._session.obtained and kind is None:
                with suppress(ServiceError):
                    await self.end()
        finally:
            await self._wire.__aexit__(kind, error, trace)

    async def run(self, act: Doing[T]) -> T:
        return await drive(act.flow(self._session), self._wire.send)

    async def authorize(self) -> None:
        """Obtain a token now. Raises Unauthorized."""
        await drive(self._session.authorize(), self._wire.send)

    async def end(self) -> None:
        """Invalidate the token."""
        await drive(self._session.end(), self._wire.send)


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
    """A client with the usual retries. With a token alone it cannot obtain another."""
    access = reseller_access(base_url, allow_plain_http=allow_plain_http)
    session = Session(calling=Calling(access=access), email=email, password=password, token=token)
    return AsyncResellerClient(session, AsyncWire(access, limits=limits, environ=environ))
