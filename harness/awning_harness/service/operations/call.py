"""One authenticated call, as an operation sees it."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import Failure, read_object
from awning_harness.service.store import websites
from awning_harness.service.store.instances import Instance
from awning_harness.service.store.websites import Website


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`language` is the one in the path, None where the path has none. The database is in a transaction."""

    db: sqlite3.Connection
    instance: Instance
    assumptions: Assumptions
    now: datetime
    language: str | None
    body: bytes
    website_url: Callable[[int], str]

    def payload(self) -> dict[str, Any]:
        """The body's object. Raises a Failure (400)."""
        return read_object(self.body)

    def website(self) -> Website:
        website = websites.find(self.db, self.instance.website_id)
        if website is None:
            raise Failure(404, "The website does not exist")
        return website
