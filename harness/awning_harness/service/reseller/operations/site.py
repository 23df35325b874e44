"""Websites: reading, state, plans, login links, domains."""

from typing import Any

from awning.contract.reseller_calls import DEFAULT_SUBSCRIPTION, SUBSCRIPTIONS
from awning.contract.reseller_errors import STATUS_ENABLED
from awning_harness.service.reseller import changes, domains, links, sites
from awning_harness.service.reseller.credits import FREE, whole_number
from awning_harness.service.reseller.envelope import bad, missing
from awning_harness.service.reseller.operations.call import Call
from awning_harness.service.reseller.sites import Site

WWW = "www."


def websites(call: Call) -> dict[str, Any]:
    found = sites.of_reseller(call.db, call.reseller.id, call.now, call.assumptions)
    return {"websites": [_record(call, site) for site in found]}


def website(call: Call) -> dict[str, Any]:
    return {"website": _record(call, call.site())}


def enable(call: Call) -> dict[str, Any]:
    site = call.site()
    if site.status == STATUS_ENABLED and call.assumptions["enable-enabled"] == "refused":
        raise bad("The website is enabled")
    return _in_state(call, site, "enabled")


def disable(call: Call) -> dict[str, Any]:
    return _in_state(call, call.site(), "disabled")


def enable_premium(call: Call) -> dict[str, Any]:
    site = call.site()
    plan = call.given.get("subscription") or DEFAULT_SUBSCRIPTION
    if plan not in SUBSCRIPTIONS:
        raise bad("Unknown subscription")
    return _on_plan(call, site, plan)


def disable_premium(call: Call) -> dict[str, Any]:
    return _on_plan(call, call.site(), FREE)


def login(call: Call) -> dict[str, Any]:
    token = links.add(call.db, call.site().id, call.now)
    return {"loginUrl": call.login_url(token)}


def list_domains(call: Call) -> dict[str, Any]:
    form = call.assumptions["domain-form"]
    found = domains.of_website(call.db, call.site().id)
    return {"domains": [{"domainID": d.id, "domain": domains.shown(d.name, form=form)} for d in found]}


def add_domain(call: Call) -> dict[str, Any]:
    site = call.site()
    name = domains.ascii_name(call.given.get("domain", ""))
    if name is None:
        raise bad("Bad domain name")
    if name.startswith(WWW):
        if call.assumptions["domain-www"] == "refused":
            raise bad("The domain must be given without www")
        name = name.removeprefix(WWW)
        if "." not in name:
            raise bad("Bad domain name")
    owner = domains.owner(call.db, name)
    if owner is None:
        domains.add(call.db, site.id, name)
    elif owner != site.id or call.assumptions["domain-again"] == "refused":
        raise bad("The domain is in use")
    return {}


def remove_domain(call: Call) -> dict[str, Any]:
    site = call.site()
    number = whole_number(call.given.get("domain"))
    if number is None or not domains.remove(call.db, site.id, number):
        raise missing("Domain")
    return {}


def _on_plan(call: Call, site: Site, plan: str) -> dict[str, Any]:
    changes.set_plan(
        call.db, site, plan, terms=call.reseller.terms, now=call.now, assumptions=call.assumptions
    )
    return {}


def _in_state(call: Call, site: Site, state: str) -> dict[str, Any]:
    changes.set_state(
        call.db, site, state, terms=call.reseller.terms, now=call.now, assumptions=call.assumptions
    )
    return {}


def _record(call: Call, site: Site) -> dict[str, Any]:
    return sites.record(site, call.now, call.assumptions, call.website_url)
