"""Resellers in the portal: their websites, plans, credits over time and balance, watched and changed by hand."""

from urllib.parse import parse_qs

from awning_harness.service.envelope import Answer
from awning_harness.service.portal.pages import Visit, page, redirect
from awning_harness.service.reseller import by_hand
from awning_harness.service.reseller.changes import STATES
from awning_harness.service.reseller.credits import PLANS, whole_number
from awning_harness.service.reseller.resellers import PRICING


def show_resellers(visit: Visit) -> Answer:
    return page(visit, "resellers.html", resellers=visit.service.resellers.all(), pricing=PRICING)


def add_reseller(visit: Visit) -> Answer:
    form = visit.form()
    number = visit.service.resellers.create(
        email=form.get("email", ""),
        password=form.get("password", ""),
        websites=_number(form.get("websites", "0")),
        ai_pricing=form.get("ai_pricing", "free"),
    )
    return redirect(f"/resellers/{number}/")


def show_reseller(visit: Visit, reseller_id: int) -> Answer:
    asked = parse_qs(visit.request.query).get("page", ["1"])[0]
    service = visit.service
    shown = by_hand.overview(service, reseller_id, whole_number(asked) or 1)
    return page(
        visit,
        "reseller.html",
        shown=shown,
        plans=PLANS,
        states=STATES,
        now=visit.service.clock.now(),
    )


def change_reseller(visit: Visit, reseller_id: int) -> Answer:
    """The account's terms; a box that is not ticked is not sent."""
    form = visit.form()
    visit.service.resellers.change(
        reseller_id,
        approved="approved" in form,
        fee_paid="fee_paid" in form,
        ai_pricing=form.get("ai_pricing", ""),
        ai_default_limit=_number(form.get("ai_default_limit", "")),
    )
    return redirect(f"/resellers/{reseller_id}/")


def add_websites(visit: Visit, reseller_id: int) -> Answer:
    more = _number(visit.form().get("more", ""))
    there = len(visit.service.resellers.sites(reseller_id))
    visit.service.resellers.change(reseller_id, websites=there + more)
    return redirect(f"/resellers/{reseller_id}/?page={-(-(there + more) // by_hand.PAGE)}")


def change_website(visit: Visit, reseller_id: int, website_id: int) -> Answer:
    """One of `plan`, `state`, `spend`."""
    form, service = visit.form(), visit.service
    if "plan" in form:
        by_hand.set_plan(service, reseller_id, website_id, form["plan"])
    elif "state" in form:
        by_hand.set_state(service, reseller_id, website_id, form["state"])
    else:
        service.resellers.spend(reseller_id, website_id, _number(form.get("spend", "")))
    asked = whole_number(form.get("page", "1")) or 1
    return redirect(f"/resellers/{reseller_id}/?page={asked}#website-{website_id}")


def _number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise ValueError(f'"{text[:40]}" is not a whole number')
    return number
