"""The storefront as an application of the simulated service.

The storefront is another package. It is imported at the first request, so that the simulated service starts within half
a second, and so that the modules of this package do not depend on the storefront.
"""

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send

from awning_harness.service.service import Service


class LazyStorefront:
    """The ASGI application that creates the storefront and passes requests on to it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock = asyncio.Lock()
        self._storefront: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        storefront = self._storefront or await self._opened()
        await storefront(scope, receive, send)

    async def _opened(self) -> ASGIApp:
        async with self._lock:
            if self._storefront is None:
                self._storefront = await asyncio.to_thread(self._open)
            return self._storefront

    def _open(self) -> ASGIApp:
        from awning_harness.storefront import storefront_app  # noqa: PLC0415 - see above

        service = self._service
        return storefront_app(
            service,
            dialect=service.dialect,
            store=service.store,
            allowed_globals=lambda: service.allowed_globals,
            assumed=service.assumptions.values,
        )
