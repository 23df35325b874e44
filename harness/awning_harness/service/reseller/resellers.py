"""Creates and changes resellers, for control calls, the portal and tests."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from awning.contract.reseller_errors import MOST_CREDITS
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.clock import Clock
from awning_harness.service.reseller import accounts, changes, sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.credits import (
    FREE,
    PLANS,
    Spent,
    Terms,
    plan_credits,
    spending,
    starting_limit,
)
from awning_harness.service.reseller.envelope import month_of
from awning_harness.service.reseller.sites import Site
from awning_harness.service.reseller.transaction import Transaction
from awning_harness.service.store import websites
from awning_harness.service.store.database import Database

PRICING = ("free", "priced")
MOST_WEBSITES = 100_000
MOST_STATUS = 2**31 - 1
_OWNERS = ("Anna Berzina", "Jonas Weber", "Maria Rossi", "Tom Baker", "Ieva Kalnina", "Luca Moretti")
_COUNTRIES = ("LV", "DE", "IT", "GB", "LT", "EE")


class Resellers:
    """The resellers of a service, as `service.resellers`.

    Methods raise LookupError for an unknown reseller or website, and ValueError for an invalid value. For an unknown
    reseller, `sites` returns an empty tuple instead.
    """

    def __init__(self, database: Database, clock: Clock, assumptions: Assumptions) -> None:
        self._database = database
        self._clock = clock
        self._assumptions = assumptions

    def create(
        self,
        *,
        email: str,
        password: str,
        websites: int = 0,
        approved: bool = True,
        fee_paid: bool = True,
        ai_pricing: str = "free",
    ) -> int:
        """Make a reseller with this number of websites. Its aiDefaultLimit is the number of credits of the free plan.

        Raises ValueError when e-mail or password is empty, when the e-mail already has an account, and when
        `ai_pricing` or `websites` is invalid.
        """
        if not password:
            raise ValueError("password must not be empty")
        limit = plan_credits(FREE, self._assumptions)
        terms = Terms(priced=_priced(ai_pricing), fee_paid=fee_paid, default_limit=limit)
        with self._database.writing() as db:
            number = accounts.add(
                db,
                email=email,
                password=password,
                approved=approved,
                terms=terms,
                now=self._clock.now(),
            )
            self._grow(db, self._find(db, number), websites)
        return number

    def change(
        self,
        reseller_id: int,
        *,
        email: str | None = None,
        password: str | None = None,
        websites: int | None = None,
        approved: bool | None = None,
        fee_paid: bool | None = None,
        ai_pricing: str | None = None,
        ai_default_limit: int | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Change the values that are not None. Websites are added until there are `websites`, under the changed terms.

        `settings` holds values by name, including settings that a reseller cannot change itself. Raises ValueError for
        an invalid value.
        """
        if password == "":
            raise ValueError("password must not be empty")
        if ai_default_limit is not None and not 0 <= ai_default_limit <= MOST_CREDITS:
            raise ValueError(f"ai_default_limit must be from 0 to {MOST_CREDITS}")
        columns = {
            "approved": approved,
            "fee_paid": fee_paid,
            "priced": None if ai_pricing is None else _priced(ai_pricing),
            "default_limit": ai_default_limit,
        }
        with self._database.writing() as db:
            self._find(db, reseller_id)
            if email is not None:
                accounts.change(db, reseller_id, email=accounts.free_email(db, email, owner=reseller_id))
            accounts.change(db, reseller_id, **{n: v for n, v in columns.items() if v is not None})
            for name, value in settings.items():
                accounts.set_setting(db, reseller_id, name, value)
            if password is not None:
                accounts.set_password(db, reseller_id, password)
            if websites is not None:
                self._grow(db, self._find(db, reseller_id), websites)

    def spend(self, reseller_id: int, website_id: int, credits_used: int) -> Spent:
        """Use AI on a website, and return which credits this took and how many were missing.

        Raises ValueError for a negative number, and LookupError for an unknown reseller or website.
        """
        if credits_used < 0:
            raise ValueError("credits must not be negative")
        with self._writing() as transaction:
            now, assumptions = transaction.now, transaction.assumptions
            reseller = self._find(transaction.db, reseller_id)
            site = _site(transaction, reseller_id, website_id)
            spent = spending(site.ai, credits_used, now)
            price = assumptions["credit-price"] if reseller.terms.priced else None
            sites.use(transaction.db, site, spent, month=month_of(now, assumptions), price=price)
        return spent

    def set_plan(self, reseller_id: int, website_id: int, plan: str) -> None:
        """Change a website's plan under the credit rules.

        Raises ValueError for an unknown plan, and LookupError for an unknown reseller or website.
        """
        if plan not in PLANS:
            raise ValueError(f"plan must be one of {', '.join(PLANS)}")
        self._change_site(reseller_id, website_id, changes.set_plan, plan)

    def set_state(self, reseller_id: int, website_id: int, state: str) -> None:
        """Enable, disable or suspend a website.

        Raises ValueError for an unknown state, and LookupError for an unknown reseller or website.
        """
        if state not in changes.STATES:
            raise ValueError(f"state must be one of {', '.join(changes.STATES)}")
        self._change_site(reseller_id, website_id, changes.set_state, state)

    def set_status(self, reseller_id: int, website_id: int, status: int) -> None:
        """Set any websiteStatus; most values have no documented meaning.

        Raises ValueError when `status` is negative or above MOST_STATUS, and LookupError for an unknown reseller or
        website.
        """
        if not 0 <= status <= MOST_STATUS:
            raise ValueError(f"status must be a whole number from 0 to {MOST_STATUS}")
        with self._writing() as transaction:
            sites.set_status(transaction, _site(transaction, reseller_id, website_id), status)

    def find(self, reseller_id: int) -> Reseller:
        with self._database.reading() as db:
            return self._find(db, reseller_id)

    def all(self) -> tuple[Reseller, ...]:
        with self._database.reading() as db:
            return accounts.find_all(db)

    def sites(self, reseller_id: int) -> tuple[Site, ...]:
        """Return the websites of a reseller, with their usage this month."""
        with self._database.reading() as db:
            return tuple(sites.of_reseller(self._transaction(db), reseller_id))

    def _find(self, db: sqlite3.Connection, reseller_id: int) -> Reseller:
        reseller = accounts.find(db, reseller_id)
        if reseller is None:
            raise LookupError(f"there is no reseller {reseller_id}")
        return reseller

    def _transaction(self, db: sqlite3.Connection) -> Transaction:
        return Transaction(db=db, now=self._clock.now(), assumptions=self._assumptions)

    @contextmanager
    def _writing(self) -> Iterator[Transaction]:
        with self._database.writing() as db:
            yield self._transaction(db)

    def _change_site(
        self, reseller_id: int, website_id: int, change: Callable[..., None], target: str
    ) -> None:
        """Change a website in one transaction, because a call of the API may change it at the same time."""
        with self._writing() as transaction:
            site = _site(transaction, reseller_id, website_id)
            change(transaction, site, target, self._find(transaction.db, reseller_id).terms)

    def _grow(self, db: sqlite3.Connection, reseller: Reseller, wanted: int) -> None:
        """Add websites until there are `wanted` (Reseller API, AI credit rules, 5 and 6).

        Raises ValueError when the reseller already has more, or when `wanted` is above MOST_WEBSITES.
        """
        current = sites.count(db, reseller.id)
        if not current <= wanted <= MOST_WEBSITES:
            raise ValueError(f"websites must be from {current} to {MOST_WEBSITES}")
        now = self._clock.now()
        limit = starting_limit(reseller.terms, self._assumptions)
        for n in range(current, wanted):
            owner = _OWNERS[n % len(_OWNERS)]
            email = f"{owner.split()[0].lower()}{n + 1}@example.com"
            website = websites.add(
                db,
                languages=("lv", "en", "de"),
                brandname=None,
                owner_email=email,
                owner_email_confirmed=True,
                now=now,
            )
            sites.add(
                db,
                website_id=website.id,
                reseller_id=reseller.id,
                limit=limit,
                owner_name=owner,
                country=_COUNTRIES[n % len(_COUNTRIES)],
                now=now,
            )


def _site(transaction: Transaction, reseller_id: int, website_id: int) -> Site:
    site = sites.find(transaction, reseller_id, website_id)
    if site is None:
        raise LookupError(f"reseller {reseller_id} has no website {website_id}")
    return site


def _priced(pricing: str) -> bool:
    if pricing not in PRICING:
        raise ValueError(f"ai_pricing must be one of {', '.join(PRICING)}")
    return pricing == "priced"
