"""Whether this process can do its work: read and write its databases, read its build.

The service's own health is not ours. Anybody may ask, and each look at the databases costs a write: one that was good
is good for a second. The build is looked at each time.
"""

import asyncio
import time
from contextlib import closing

from awning.errors import AwningError
from awning.host.host import Host
from awning.host.log import LOG
from awning.publish.journal import Journal

GOOD_S = 1.0


class Health:
    """What `/healthz` tells."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._asking = asyncio.Lock()
        self._good_until = 0.0

    async def is_good(self) -> bool:
        """Where it is not, the log says why."""
        async with self._asking:
            try:
                await self._host.kept(self._host.current.release)
                if time.monotonic() >= self._good_until:
                    await self._host.kept(self._check)
                    self._good_until = time.monotonic() + GOOD_S
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
