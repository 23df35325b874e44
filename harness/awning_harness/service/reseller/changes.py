"""Changes of a website's plan and state, with their consequences. The API and the portal follow the same rules."""

from awning.contract.reseller_errors import STATUS_ENABLED, STATUS_SUSPENDED
from awning_harness.service.reseller import billing, sites
from awning_harness.service.reseller.credits import FREE, Terms, change_plan
from awning_harness.service.reseller.envelope import cents_of
from awning_harness.service.reseller.sites import Site
from awning_harness.service.reseller.transaction import Transaction

STATES = ("enabled", "disabled", "suspended")


def set_plan(transaction: Transaction, site: Site, plan: str, terms: Terms) -> None:
    """Put a website on one of `credits.PLANS` (Reseller API, AI credit rules, 2 and 3).

    A new paid plan costs the price in the assumption `premium-price`.
    """
    if plan not in {FREE, site.ai.plan}:
        price = cents_of(transaction.assumptions["premium-price"])
        billing.charge(transaction.db, site.reseller_id, price)
    sites.set_allowance(transaction, site, change_plan(site.ai, plan, terms, transaction.assumptions))


def set_state(transaction: Transaction, site: Site, state: str, terms: Terms) -> None:
    """Put a website into one of STATES.

    A disabled website also gets the free plan when the assumption `disabled-subscription` is `stopped`.
    """
    status = {
        "enabled": STATUS_ENABLED,
        "disabled": int(transaction.assumptions["disabled-status"]),
        "suspended": STATUS_SUSPENDED,
    }
    sites.set_status(transaction, site, status[state])
    if state == "disabled" and transaction.assumptions["disabled-subscription"] == "stopped":
        set_plan(transaction, site, FREE, terms)
