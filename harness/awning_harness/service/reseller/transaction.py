"""One transaction of the simulated Reseller API."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from awning_harness.service.assumptions import Assumptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Transaction:
    """The database, the service's time, and the assumptions in force."""

    db: sqlite3.Connection
    now: datetime
    assumptions: Assumptions
