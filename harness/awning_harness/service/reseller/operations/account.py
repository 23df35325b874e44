"""Authorization, password, settings, balance."""

from typing import Any

from awning.contract.reseller_calls import CALLBACK_PARAMETER, TOKEN_PARAMETER
from awning.contract.reseller_errors import MOST_CREDITS, UNAUTHORIZED
from awning.contract.reseller_fields import (
    ASSUMED_SETTABLE,
    OBSERVED_SETTABLE,
    OBSERVED_SETTINGS_FIELDS,
    SETTINGS_FIELDS,
    SIGNUP_FEE_FIELD,
)
from awning_harness.service.reseller import accounts, billing
from awning_harness.service.reseller.credits import FREE, whole_number
from awning_harness.service.reseller.envelope import Refusal, bad
from awning_harness.service.reseller.money import cents_of, money
from awning_harness.service.reseller.operations.call import Call

DEFAULT_LIMIT = "aiDefaultLimit"
TYPE = 1
LONGEST_SETTING = 2000
_TRANSPORT = {TOKEN_PARAMETER, CALLBACK_PARAMETER}


def authorize(call: Call) -> dict[str, Any]:
    """A new token for an approved account. Raises a Refusal (401)."""
    email, password = call.given.get("email", ""), call.given.get("password", "")
    reseller = accounts.with_password(call.db, email, password)
    if reseller is None:
        raise Refusal(UNAUTHORIZED)
    if call.assumptions["second-authorize"] == "replaced":
        accounts.end_tokens(call.db, reseller.id)
    return {"apiToken": accounts.add_token(call.db, reseller.id, call.now)}


def logout(call: Call) -> dict[str, Any]:
    accounts.end_token(call.db, call.token)
    return {}


def set_password(call: Call) -> dict[str, Any]:
    password = call.given.get("password", "")
    if not password:
        raise bad("password is required")
    accounts.set_password(call.db, call.reseller.id, password)
    if call.assumptions["password-tokens"] == "revoked":
        accounts.end_tokens(call.db, call.reseller.id)
    return {}


def settings(call: Call) -> dict[str, Any]:
    """Every field of the specification, strings empty where nothing was set."""
    observed = OBSERVED_SETTINGS_FIELDS if call.assumptions["observed-reseller-fields"] == "present" else ()
    values: dict[str, Any] = {field.name: "" for field in (*SETTINGS_FIELDS, *observed)}
    kept = accounts.settings(call.db, call.reseller.id)
    values.update({name: value for name, value in kept.items() if name in values})
    terms = call.reseller.terms
    number = {"resellerID": call.reseller.id, "type": int(kept.get("type", TYPE))}
    return {**values, **number, DEFAULT_LIMIT: terms.default_limit}


def set_settings(call: Call) -> dict[str, Any]:
    """Only allowed ones are changed; one value that cannot be refuses all. Raises a Refusal (400)."""
    given = {name: value for name, value in call.given.items() if name not in _TRANSPORT}
    allowed = {name: value for name, value in given.items() if _settable(call, name)}
    if call.assumptions["settings-forbidden"] == "refused" and given != allowed:
        raise bad("This setting cannot be changed")
    default = allowed.pop(DEFAULT_LIMIT, None)
    if any(len(value) > LONGEST_SETTING for value in allowed.values()):
        raise bad("A setting is too long")
    if default is not None:
        _set_default_limit(call, default)
    for name, value in allowed.items():
        accounts.set_setting(call.db, call.reseller.id, name, value)
    return {}


def balance(call: Call) -> dict[str, Any]:
    owed = billing.balance_cents(call.db, call.reseller.id, call.now, call.assumptions)
    used, cost = billing.this_month(call.db, call.reseller.id, call.now, call.assumptions)
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


def _set_default_limit(call: Call, text: str) -> None:
    number = whole_number(text)
    if number is None or number > MOST_CREDITS:
        raise bad("aiDefaultLimit must be a whole number of AI credits")
    accounts.change(call.db, call.reseller.id, default_limit=number)
