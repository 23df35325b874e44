"""The programs that awning carries are verified once in this process, and not before each start.

That takes 25 ms for TypeScript, and the tests make a thousand builds. Processes that tests start verify as they do for
users.
"""

from functools import cache

import pytest

from awning.bundle import process
from awning.programs import verify
from awning.typescript import server


def verify_once(config: pytest.Config) -> None:
    patch = pytest.MonkeyPatch()
    for module in (process, server):
        patch.setattr(module, "verify", cache(verify))
    config.add_cleanup(patch.undo)
