"""One call, as an operation sees it: who calls, with what, when."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from awning.contract.reseller_calls import TOKEN_PARAMETER
from awning.contract.reseller_errors import UNAUTHORIZED
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.reseller import sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.credits import whole_number
from awning_harness.service.reseller.envelope import Refusal, missing
from awning_harness.service.reseller.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`caller` is None for authorize alone. The database is in a transaction.

    `given` are the parameters, those of the path among them, which go before the others.
    """

    db: sqlite3.Connection
    caller: Reseller | None
    given: Mapping[str, str] = field(repr=False)
    assumptions: Assumptions
    now: datetime
    website_url: Callable[[int], str]
    login_url: Callable[[str], str]
    portal_url: str

    @property
    def reseller(self) -> Reseller:
        """The caller. Raises a Refusal (401)."""
        if self.caller is None:
            raise Refusal(UNAUTHORIZED)
        return self.caller

    @property
    def token(self) -> str:
        return self.given.get(TOKEN_PARAMETER, "")

    def site(self) -> Site:
        """The website that is called for, when it is the caller's. Raises a Refusal (404)."""
        number = whole_number(self.given.get("website"))
        if number is not None:
            found = sites.find(self.db, self.reseller.id, number, self.now, self.assumptions)
            if found is not None:
                return found
        raise missing("Website")
