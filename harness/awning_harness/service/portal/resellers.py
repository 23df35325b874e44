"""The pages that show a reseller's websites, plans, credits over time and balance.

Forms on these pages change the reseller's terms and websites. They need no token and, unlike a call of the API, may
also suspend a website.
"""

from typing import Any

from starlette.responses import Response

from awning_harness.service.assumptions import Assumptions
from awning_harness.service.portal.pages import PortalCall, page, redirect
from awning_harness.service.reseller import billing
from awning_harness.service.reseller.billing import Month
from awning_harness.service.reseller.changes import STATES
from awning_harness.service.reseller.credits import FREE, PLANS, whole_number
from awning_harness.service.reseller.envelope import cents_of, money, written
from awning_harness.service.reseller.resellers import PRICING
from awning_harness.service.reseller.transaction import Transaction
from awning_harness.service.service import Service

PAGE = 50
MONTHS = 12


def _overview(service: Service, reseller_id: int, page: int) -> dict[str, Any]:
    """Return one page of a reseller's websites, with its balance. Raises LookupError when there is no such reseller."""
    assumptions = service.assumptions
    reseller = service.resellers.find(reseller_id)
    websites = service.resellers.sites(reseller_id)
    with service.database.writing() as db:
        transaction = Transaction(db=db, now=service.clock.now(), assumptions=assumptions)
        owed = billing.balance_cents(transaction, reseller_id)
        _, cost = billing.this_month(transaction, reseller_id)
        months = billing.months(db, reseller_id)[-MONTHS:]
    pages = max(1, -(-len(websites) // PAGE))
    page = min(max(page, 1), pages)
    return {
        "reseller": reseller,
        "sites": websites[(page - 1) * PAGE : page * PAGE],
        "count": len(websites),
        "page": page,
        "pages": pages,
        "premium": sum(site.ai.plan != FREE for site in websites),
        "balance": money(owed, assumptions),
        "cost_this_month": money(cost, assumptions),
        "threshold": money(cents_of(assumptions["billing-threshold"]), assumptions),
        "months": _bars(months, assumptions),
        "date": lambda instant: written(instant, assumptions) or "never",
    }


def show_resellers(call: PortalCall) -> Response:
    return page(call, "resellers.html", resellers=call.service.resellers.all(), pricing=PRICING)


def add_reseller(call: PortalCall) -> Response:
    form = call.form()
    number = call.service.resellers.create(
        email=form.get("email", ""),
        password=form.get("password", ""),
        websites=_number(form.get("websites", "0")),
        ai_pricing=form.get("ai_pricing", "free"),
    )
    return redirect(f"/resellers/{number}/")


def show_reseller(call: PortalCall, reseller_id: int) -> Response:
    wanted_page = call.request.query_params.get("page", "1")
    service = call.service
    overview = _overview(service, reseller_id, whole_number(wanted_page) or 1)
    return page(
        call,
        "reseller.html",
        overview=overview,
        plans=PLANS,
        states=STATES,
        now=call.service.clock.now(),
    )


def change_reseller(call: PortalCall, reseller_id: int) -> Response:
    """Change the account's terms. A missing field is an unticked box, because browsers do not send such boxes."""
    form = call.form()
    call.service.resellers.change(
        reseller_id,
        approved="approved" in form,
        fee_paid="fee_paid" in form,
        ai_pricing=form.get("ai_pricing", ""),
        ai_default_limit=_number(form.get("ai_default_limit", "")),
    )
    return redirect(f"/resellers/{reseller_id}/")


def add_websites(call: PortalCall, reseller_id: int) -> Response:
    more = _number(call.form().get("more", ""))
    current = len(call.service.resellers.sites(reseller_id))
    call.service.resellers.change(reseller_id, websites=current + more)
    return redirect(f"/resellers/{reseller_id}/?page={-(-(current + more) // PAGE)}")


def change_website(call: PortalCall, reseller_id: int, website_id: int) -> Response:
    """Change the plan or the state of a website, or spend AI credits on it."""
    form, service = call.form(), call.service
    if "plan" in form:
        service.resellers.set_plan(reseller_id, website_id, form["plan"])
    elif "state" in form:
        service.resellers.set_state(reseller_id, website_id, form["state"])
    else:
        service.resellers.spend(reseller_id, website_id, _number(form.get("spend", "")))
    wanted_page = whole_number(form.get("page", "1")) or 1
    return redirect(f"/resellers/{reseller_id}/?page={wanted_page}#website-{website_id}")


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise ValueError(f'"{text[:40]}" is not a whole number')
    return number


def _bars(months: tuple[Month, ...], assumptions: Assumptions) -> list[dict[str, Any]]:
    """Return the months of the chart. The lengths are percentages of the credits in the month with the most."""
    most = max((month.monthly + month.extra for month in months), default=0) or 1
    return [
        {
            "month": month,
            "cost": money(month.cents, assumptions),
            "monthly": round(month.monthly / most * 100, 2),
            "extra": round(month.extra / most * 100, 2),
        }
        for month in months
    ]
