"""Changes of a website's plan and state, with their consequences. The API and the portal follow the same rules."""

import sqlite3
from datetime import datetime

from awning.contract.reseller_errors import STATUS_ENABLED, STATUS_SUSPENDED
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.reseller import billing, sites
from awning_harness.service.reseller.credits import FREE, Terms, change_plan
from awning_harness.service.reseller.formats import cents_of
from awning_harness.service.reseller.sites import Site

STATES = ("enabled", "disabled", "suspended")


def set_plan(
    db: sqlite3.Connection, site: Site, plan: str, *, terms: Terms, now: datetime, assumptions: Assumptions
) -> None:
    """Put a website on one of `credits.PLANS` (Reseller API, AI credit rules, 2 and 3).

    A new paid plan costs the price in the assumption `premium-price`.
    """
    if plan not in {FREE, site.ai.plan}:
        billing.charge(db, site.reseller_id, cents_of(assumptions["premium-price"]))
    sites.set_allowance(db, site, change_plan(site.ai, plan, terms, assumptions), now)


def set_state(
    db: sqlite3.Connection, site: Site, state: str, *, terms: Terms, now: datetime, assumptions: Assumptions
) -> None:
    """Put a website into one of STATES.

    A disabled website also gets the free plan when the assumption `disabled-subscription` is `stopped`.
    """
    status = {
        "enabled": STATUS_ENABLED,
        "disabled": int(assumptions["disabled-status"]),
        "suspended": STATUS_SUSPENDED,
    }
    sites.set_status(db, site, status[state], now)
    if state == "disabled" and assumptions["disabled-subscription"] == "stopped":
        set_plan(db, site, FREE, terms=terms, now=now, assumptions=assumptions)
