"""The calls of the Reseller API. Each is a function that takes a `Call` and returns the fields of the response.

`OPERATIONS` lists them by the names of `awning.contract.reseller_calls`; a test checks that none is missing. Each call
about a website raises Refusal (404) when the caller has no such website.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from awning.contract.reseller_calls import (
    CALLBACK_PARAMETER,
    DEFAULT_SUBSCRIPTION,
    SUBSCRIPTIONS,
    TOKEN_PARAMETER,
)
from awning.contract.reseller_errors import MOST_CREDITS, STATUS_ENABLED, STATUS_SUSPENDED, UNAUTHORIZED
from awning.contract.reseller_fields import (
    ASSUMED_SETTABLE,
    OBSERVED_SETTABLE,
    OBSERVED_SETTINGS_FIELDS,
    SETTINGS_FIELDS,
    SIGNUP_FEE_FIELD,
)
from awning_harness.service.reseller import accounts, billing, changes, domains, sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.credits import FREE, whole_number, with_extra, with_limit
from awning_harness.service.reseller.envelope import Refusal, bad_request, cents_of, money, not_found
from awning_harness.service.reseller.sites import Site
from awning_harness.service.reseller.transaction import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Transaction):
    """One call. The database is in a transaction. `caller` is None only for authorize.

    `parameters` also has the parameters in the path, which override the others.
    """

    caller: Reseller | None
    parameters: Mapping[str, str] = field(repr=False)
    website_url: Callable[[int], str]
    login_url: Callable[[str], str]
    portal_url: str

    @property
    def reseller(self) -> Reseller:
        """The caller. Raises Refusal (401) when there is none."""
        if self.caller is None:
            raise Refusal(UNAUTHORIZED)
        return self.caller

    @property
    def token(self) -> str:
        return self.parameters.get(TOKEN_PARAMETER, "")

    def site(self) -> Site:
        """Return the website in the parameters. Raises Refusal (404) when the caller has no such website."""
        number = whole_number(self.parameters.get("website"))
        if number is not None:
            site = sites.find(self, self.reseller.id, number)
            if site is not None:
                return site
        raise not_found("Website")


DEFAULT_LIMIT = "aiDefaultLimit"
TYPE = 1
LONGEST_SETTING = 2000
_TRANSPORT = {TOKEN_PARAMETER, CALLBACK_PARAMETER}


def authorize(call: Call) -> dict[str, Any]:
    """Return a new token. Raises Refusal (401) when e-mail or password is wrong, or the account is not approved."""
    email, password = call.parameters.get("email", ""), call.parameters.get("password", "")
    reseller = accounts.find_by_password(call.db, email, password, call.assumptions)
    if reseller is None:
        raise Refusal(UNAUTHORIZED)
    if call.assumptions["second-authorize"] == "replaced":
        accounts.end_tokens(call.db, reseller.id)
    return {"apiToken": accounts.add_token(call.db, reseller.id, call.now)}


def logout(call: Call) -> dict[str, Any]:
    accounts.end_token(call.db, call.token)
    return {}


def set_password(call: Call) -> dict[str, Any]:
    """Change the password. Raises Refusal (400) when the new password is empty."""
    password = call.parameters.get("password", "")
    if not password:
        raise bad_request("password is required")
    accounts.set_password(call.db, call.reseller.id, password)
    if call.assumptions["password-tokens"] == "revoked":
        accounts.end_tokens(call.db, call.reseller.id)
    return {}


def settings(call: Call) -> dict[str, Any]:
    """Return all settings of the specification and, if an assumption says so, the observed ones.

    A string that was not set is empty.
    """
    observed = OBSERVED_SETTINGS_FIELDS if call.assumptions["observed-reseller-fields"] == "present" else ()
    values: dict[str, Any] = {field.name: "" for field in (*SETTINGS_FIELDS, *observed)}
    saved = accounts.settings(call.db, call.reseller.id)
    values.update({name: value for name, value in saved.items() if name in values})
    terms = call.reseller.terms
    number = {"resellerID": call.reseller.id, "type": int(saved.get("type", TYPE))}
    return {**values, **number, DEFAULT_LIMIT: terms.default_limit}


def set_settings(call: Call) -> dict[str, Any]:
    """Change the settings in the parameters that a reseller may change.

    Other settings are ignored. If the assumption `settings-forbidden` is `refused`, they raise Refusal (400) instead,
    as an invalid value always does. A refused call changes nothing.
    """
    parameters = {name: value for name, value in call.parameters.items() if name not in _TRANSPORT}
    allowed = {name: value for name, value in parameters.items() if _settable(call, name)}
    if call.assumptions["settings-forbidden"] == "refused" and parameters != allowed:
        raise bad_request("This setting cannot be changed")
    default = allowed.pop(DEFAULT_LIMIT, None)
    if any(len(value) > LONGEST_SETTING for value in allowed.values()):
        raise bad_request("A setting is too long")
    if default is not None:
        limit = whole_number(default)
        if limit is None or limit > MOST_CREDITS:
            raise bad_request("aiDefaultLimit must be a whole number of AI credits")
        accounts.change(call.db, call.reseller.id, default_limit=limit)
    for name, value in allowed.items():
        accounts.set_setting(call.db, call.reseller.id, name, value)
    return {}


def balance(call: Call) -> dict[str, Any]:
    owed = billing.balance_cents(call, call.reseller.id)
    used, cost = billing.this_month(call, call.reseller.id)
    row = call.db.execute(
        "SELECT count(*) FROM reseller_website WHERE reseller_id = ? AND plan != ?", (call.reseller.id, FREE)
    ).fetchone()
    fields = {
        "premiumWebsites": row[0],
        "currentBalance": money(owed, call.assumptions),
        "billingThreshold": money(cents_of(call.assumptions["billing-threshold"]), call.assumptions),
        "aiCreditsThisMonth": used,
        "aiCostThisMonth": money(cost, call.assumptions),
    }
    observed = call.assumptions["observed-reseller-fields"] == "present"
    if observed and not call.reseller.terms.fee_paid:
        fields[SIGNUP_FEE_FIELD] = f"{call.portal_url}/resellers/{call.reseller.id}/"
    return fields


def _settable(call: Call, name: str) -> bool:
    if name in ASSUMED_SETTABLE:
        return call.assumptions[ASSUMED_SETTABLE[name]] == "yes"
    return name in OBSERVED_SETTABLE


WWW = "www."


def websites(call: Call) -> dict[str, Any]:
    own_sites = sites.of_reseller(call, call.reseller.id)
    return {"websites": [sites.record(call, site, call.website_url) for site in own_sites]}


def website(call: Call) -> dict[str, Any]:
    return {"website": sites.record(call, call.site(), call.website_url)}


def enable(call: Call) -> dict[str, Any]:
    """Enable a website. Raises Refusal (400) when it is already enabled and an assumption refuses a second call."""
    site = call.site()
    if site.status == STATUS_ENABLED and call.assumptions["enable-enabled"] == "refused":
        raise bad_request("The website is already enabled")
    return _in_state(call, site, "enabled")


def disable(call: Call) -> dict[str, Any]:
    """Disable a website. Raises Refusal (400) when it is already disabled and an assumption refuses a second call."""
    site = call.site()
    if (
        site.status not in (STATUS_ENABLED, STATUS_SUSPENDED)
        and call.assumptions["disable-disabled"] == "refused"
    ):
        raise bad_request("The website is already disabled")
    return _in_state(call, site, "disabled")


def enable_premium(call: Call) -> dict[str, Any]:
    """Put a website on a paid plan.

    Raises Refusal (400) for an unknown subscription, and for the website's own plan if an assumption refuses it.
    """
    site = call.site()
    plan = call.parameters.get("subscription") or DEFAULT_SUBSCRIPTION
    if plan not in SUBSCRIPTIONS:
        raise bad_request("Unknown subscription")
    if site.ai.plan == plan and call.assumptions["same-plan"] == "refused":
        raise bad_request("The website is already on this plan")
    return _on_plan(call, site, plan)


def disable_premium(call: Call) -> dict[str, Any]:
    """Stop a paid plan. Raises Refusal (400) when the website has none and an assumption refuses that."""
    site = call.site()
    if site.ai.plan == FREE and call.assumptions["disable-premium-free"] == "refused":
        raise bad_request("The website has no paid plan")
    return _on_plan(call, site, FREE)


def login(call: Call) -> dict[str, Any]:
    token = sites.add_login_link(call.db, call.site().id, call.now)
    return {"loginUrl": call.login_url(token)}


def list_domains(call: Call) -> dict[str, Any]:
    form = call.assumptions["domain-form"]
    own_domains = domains.of_website(call.db, call.site().id)
    return {
        "domains": [{"domainID": d.id, "domain": domains.display(d.name, form=form)} for d in own_domains]
    }


def add_domain(call: Call) -> dict[str, Any]:
    """Add a domain to a website. Raises Refusal (400) when the name is invalid or in use."""
    site = call.site()
    name = domains.ascii_name(call.parameters.get("domain", ""))
    if name is None:
        raise bad_request("Bad domain name")
    if name.startswith(WWW):
        if call.assumptions["domain-www"] == "refused":
            raise bad_request("The domain must be given without www")
        name = name.removeprefix(WWW)
        if "." not in name:
            raise bad_request("Bad domain name")
    owner = domains.owner(call.db, name)
    if owner is None:
        domains.add(call.db, site.id, name)
    elif owner != site.id or call.assumptions["domain-again"] == "refused":
        raise bad_request("The domain is in use")
    return {}


def remove_domain(call: Call) -> dict[str, Any]:
    """Remove a domain from a website. Raises Refusal (404) when the website does not have it."""
    site = call.site()
    number = whole_number(call.parameters.get("domain"))
    if number is None or not domains.remove(call.db, site.id, number):
        raise not_found("Domain")
    return {}


def _on_plan(call: Call, site: Site, plan: str) -> dict[str, Any]:
    changes.set_plan(call, site, plan, call.reseller.terms)
    return {}


def _in_state(call: Call, site: Site, state: str) -> dict[str, Any]:
    changes.set_state(call, site, state, call.reseller.terms)
    return {}


def set_limit(call: Call) -> dict[str, Any]:
    site = call.site()
    held = with_limit(site.ai, call.parameters.get("credits"), call.reseller.terms, call.assumptions)
    sites.set_allowance(call, site, held)
    return {}


def add_credits(call: Call) -> dict[str, Any]:
    site = call.site()
    text = call.parameters.get("credits")
    held = with_extra(site.ai, text, call.reseller.terms, call.now, call.assumptions)
    sites.set_allowance(call, site, held)
    return {}


Operation = Callable[[Call], dict[str, Any]]

OPERATIONS: Mapping[str, Operation] = {
    "authorize": authorize,
    "authorize/logout": logout,
    "websites": websites,
    "website": website,
    "enable": enable,
    "disable": disable,
    "enable_premium": enable_premium,
    "disable_premium": disable_premium,
    "ai_limit/set": set_limit,
    "ai_credits/add": add_credits,
    "login": login,
    "domains": list_domains,
    "domain/add": add_domain,
    "domain/remove": remove_domain,
    "settings": settings,
    "settings/set": set_settings,
    "balance": balance,
    "password/set": set_password,
}
