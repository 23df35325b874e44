"""Resellers as control calls, the portal and tests make and change them."""

import sqlite3
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from awning.contract.reseller_errors import MOST_CREDITS
from awning_harness.service.reseller import accounts, sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.calendar import month_of
from awning_harness.service.reseller.credits import FREE, Spent, Terms, plan_credits, spending, starting_limit
from awning_harness.service.reseller.sites import Site
from awning_harness.service.store import websites

if TYPE_CHECKING:
    from awning_harness.service.service import Service

PRICING = ("free", "priced")
MOST_WEBSITES = 100_000
_OWNERS = ("Anna Berzina", "Jonas Weber", "Maria Rossi", "Tom Baker", "Ieva Kalnina", "Luca Moretti")
_COUNTRIES = ("LV", "DE", "IT", "GB", "LT", "EE")


class Resellers:
    """`service.resellers`. An unknown reseller or website is a LookupError, a value that cannot be a ValueError."""

    def __init__(self, service: "Service") -> None:
        self._service = service

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
        """A reseller with so many websites; aiDefaultLimit is the free plan's credits."""
        if not email or not password:
            raise ValueError("email and password must not be empty")
        limit = plan_credits(FREE, self._service.assumptions)
        terms = Terms(priced=_priced(ai_pricing), fee_paid=fee_paid, default_limit=limit)
        with self._service.database.writing() as db:
            number = accounts.add(
                db,
                email=email,
                password=password,
                approved=approved,
                terms=terms,
                now=self._service.clock.now(),
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
        """Change what is given; `websites` adds new ones until there are so many, under the changed terms.

        `settings` are values by name, those that a reseller cannot change itself included.
        """
        if "" in {email, password}:
            raise ValueError("email and password must not be empty")
        if ai_default_limit is not None and not 0 <= ai_default_limit <= MOST_CREDITS:
            raise ValueError(f"ai_default_limit must be from 0 to {MOST_CREDITS}")
        columns = {
            "email": email,
            "approved": approved,
            "fee_paid": fee_paid,
            "priced": None if ai_pricing is None else _priced(ai_pricing),
            "default_limit": ai_default_limit,
        }
        with self._service.database.writing() as db:
            self._find(db, reseller_id)
            try:
                accounts.change(db, reseller_id, **{n: v for n, v in columns.items() if v is not None})
            except sqlite3.IntegrityError as error:
                raise ValueError("there is a reseller with this e-mail already") from error
            for name, value in settings.items():
                accounts.set_setting(db, reseller_id, name, value)
            if password is not None:
                accounts.set_password(db, reseller_id, password)
            if websites is not None:
                self._grow(db, self._find(db, reseller_id), websites)

    def spend(self, reseller_id: int, website_id: int, credits_used: int) -> Spent:
        """Use AI on a website, as far as there are credits."""
        if credits_used < 0:
            raise ValueError("credits must not be negative")
        now, assumptions = self._service.clock.now(), self._service.assumptions
        with self._service.database.writing() as db:
            reseller = self._find(db, reseller_id)
            site = self._site(db, reseller_id, website_id)
            spent = spending(site.ai, credits_used, now)
            price = assumptions["credit-price"] if reseller.terms.priced else None
            sites.use(db, site, spent, month=month_of(now, assumptions), price=price)
        return spent

    def find(self, reseller_id: int) -> Reseller:
        with self._service.database.reading() as db:
            return self._find(db, reseller_id)

    def all(self) -> tuple[Reseller, ...]:
        with self._service.database.reading() as db:
            return accounts.every(db)

    def sites(self, reseller_id: int) -> tuple[Site, ...]:
        """Its websites, as they are now."""
        now, assumptions = self._service.clock.now(), self._service.assumptions
        with self._service.database.reading() as db:
            return tuple(sites.of_reseller(db, reseller_id, now, assumptions))

    def _find(self, db: sqlite3.Connection, reseller_id: int) -> Reseller:
        reseller = accounts.find(db, reseller_id)
        if reseller is None:
            raise LookupError(f"there is no reseller {reseller_id}")
        return reseller

    def _site(self, db: sqlite3.Connection, reseller_id: int, website_id: int) -> Site:
        site = sites.find(db, reseller_id, website_id, self._service.clock.now(), self._service.assumptions)
        if site is None:
            raise LookupError(f"reseller {reseller_id} has no website {website_id}")
        return site

    def _grow(self, db: sqlite3.Connection, reseller: Reseller, wanted: int) -> None:
        """Add new websites until there are so many (AI credit rules, 5 and 6)."""
        there = sites.count(db, reseller.id)
        if not there <= wanted <= MOST_WEBSITES:
            raise ValueError(f"websites must be from {there} to {MOST_WEBSITES}")
        now = self._service.clock.now()
        limit = starting_limit(reseller.terms, self._service.assumptions)
        for n in range(there, wanted):
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


def _priced(pricing: str) -> bool:
    if pricing not in PRICING:
        raise ValueError(f"ai_pricing must be one of {', '.join(PRICING)}")
    return pricing == "priced"
