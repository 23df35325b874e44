"""The health check: whether this process can use the state, and can read its build.

It does not test the service. Anybody may request the check, and a test of the databases costs a write. So the result of
that test is reused for a second. The build is tested at each request.
"""

import asyncio
import math
from collections.abc import Callable

from awning.errors import AwningError
from awning.host.host import Host
from awning.host.log import LOG
from awning.publish.journal.journal import Journal

RESULT_S = 1.0
"""For how many seconds the result of testing the databases is reused."""


class Readiness:
    """Computes the result of `/healthz`."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._checking = asyncio.Lock()
        self._checked_at = -math.inf
        self._databases_are_good = False

    async def is_good(self) -> bool:
        """Return whether all tests pass. A failed test is logged."""
        async with self._checking:
            if self._host.steady() >= self._checked_at + RESULT_S:
                self._databases_are_good = await self._passes(self._check)
                self._checked_at = self._host.steady()
            return self._databases_are_good and await self._passes(self._host.current.build)

    async def _passes(self, check: Callable[[], object]) -> bool:
        try:
            await self._host.run_blocking(check)
        except Exception as error:  # noqa: BLE001 - any error means that this process is not healthy
            why = error.message if isinstance(error, AwningError) else type(error).__name__
            LOG.error("not healthy: %s", why)
            return False
        return True

    def _check(self) -> None:
        self._host.records.check_writable()
        Journal.open(self._host.state).close()
