"""Whether this process can do its work: read and write its databases, read its build.

The service's own health is not ours. Anybody may ask, and each check of the databases costs a write, so its verdict,
good or bad, holds for a second. The build is checked for each request.
"""

import asyncio
import math
from collections.abc import Callable
from contextlib import closing

from awning.errors import AwningError
from awning.host.host import Host
from awning.host.log import LOG
from awning.publish.journal import Journal

VERDICT_S = 1.0


class Health:
    """What `/healthz` tells."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._asking = asyncio.Lock()
        self._checked_at = -math.inf
        self._databases_are_good = False

    async def is_good(self) -> bool:
        """Whether it can. Where it cannot, the log says why, once for each check."""
        async with self._asking:
            if self._host.steady() >= self._checked_at + VERDICT_S:
                self._databases_are_good = await self._passes(self._check)
                self._checked_at = self._host.steady()
            return self._databases_are_good and await self._passes(self._host.current.release)

    async def _passes(self, check: Callable[[], object]) -> bool:
        try:
            await self._host.kept(check)
        except Exception as error:  # noqa: BLE001 - whatever it is, this process is not well
            why = error.message if isinstance(error, AwningError) else type(error).__name__
            LOG.error("not healthy: %s", why)
            return False
        return True

    def _check(self) -> None:
        self._host.records.check_writable()
        self._host.inventory.check_writable()
        with closing(Journal.open(self._host.state)) as journal:
            journal.check_writable()
