"""Each assumption about the Reseller API has its effect; edge cases of the credit rules."""

import pytest

from awning.contract.assumptions.reseller import RESELLER_ASSUMPTIONS

TESTED_ELSEWHERE = {
    "token-lifetime", "second-authorize", "password-tokens", "settings-forbidden", "settings-contact-website",
    "settings-ai-default-limit", "login-link-lifetime", "domain-www", "domain-form", "domain-again",
    "reseller-email-case", "reseller-json-body",
}  # fmt: skip
"""Tested in test_reseller_accounts.py and test_reseller_over_the_wire.py."""


def code(answer):
    return answer.get("errorCode")


def used_and_cost(caller):
    caller.on("ai_limit/set/", credits="50")
    caller.on("enable_premium/")
    caller.on("ai_credits/add/", credits="50")
    caller.spend(51)
    return caller.website()["aiSpentThisMonth"], caller.call("balance/")["aiCostThisMonth"]


def expired(caller):
    caller.on("ai_credits/add/", credits="50")
    caller.at("2027-03-10T12:00:00")
    caller.authorize()
    return caller.website()["aiExtraCredits"], caller.website()["aiExtraCreditsValidUntil"]


def two_faults(caller):
    caller.change(fee_paid=False)
    return code(caller.on("ai_limit/set/", credits="x"))


def lowered(caller):
    caller.change(ai_pricing="free")
    caller.on("enable_premium/premiumpro/")
    caller.on("enable_premium/")
    return caller.website()["aiMonthlyLimit"]


def plans(caller):
    caller.change(ai_pricing="free")
    return [caller.on("ai_limit/set/", credits="9999")["maxCredits"]] + [
        caller.on("ai_limit/set/", credits="9999")["maxCredits"]
        for plan in ("premium", "premiumplus", "premiumpro")
        if caller.on(f"enable_premium/{plan}/")
    ]


def disabled(caller):
    caller.on("enable_premium/")
    caller.on("disable/")
    return caller.website()["websiteStatus"], caller.website()["websiteIsPremium"]


def owed(caller):
    caller.on("enable_premium/")
    caller.on("enable_premium/")
    return caller.call("balance/")["currentBalance"]


def months_end(caller):
    caller.at("2026-03-31T22:30:00")
    caller.authorize()
    caller.spend(10)
    caller.at("2026-04-01T05:30:00")
    return caller.website()["aiSpentThisMonth"], caller.website()["websiteCreated"]


def observed_fields(caller):
    caller.change(fee_paid=False)
    return "supportWebsite" in caller.call("settings/"), "signupFeeLink" in caller.call("balance/")


ROWS = [
    ("reseller-error-status", "200", lambda c: c.answer("websites/").status, 200),
    ("reseller-error-status", "4xx", lambda c: c.answer("websites/").status, 401),
    ("reseller-other-codes", "http", lambda c: code(c.call("website/0/")), 404),
    ("reseller-other-codes", "generic", lambda c: code(c.call("website/0/")), 500),
    ("reseller-other-codes", "zero", lambda c: code(c.call("website/0/")), 0),
    ("reseller-jsonp", "yes", lambda c: c.answer("websites/", {"callback": "f"}).body[:3], b"f({"),
    ("reseller-jsonp", "no", lambda c: c.answer("websites/", {"callback": "f"}).body[:3], b'{"e'),
    ("plan-credits", "100,1000,2500,5000", plans, [100, 1000, 2500, 5000]),
    ("plan-credits", "0,500,1000,2000", plans, [0, 500, 1000, 2000]),
    ("credit-price", "0.01", used_and_cost, (51, "EUR 0.51")),
    ("credit-price", "0.0125", used_and_cost, (51, "EUR 0.64")),
    ("credit-price", "0.10", used_and_cost, (51, "EUR 5.10")),
    ("currency", "EUR", lambda c: c.call("balance/")["currentBalance"], "EUR 0.00"),
    ("currency", "USD", lambda c: c.call("balance/")["currentBalance"], "USD 0.00"),
    ("currency", "GBP", lambda c: c.call("balance/")["currentBalance"], "GBP 0.00"),
    ("money-format", "spaced", lambda c: c.call("balance/")["billingThreshold"], "EUR 100.00"),
    ("money-format", "joined", lambda c: c.call("balance/")["billingThreshold"], "EUR100.00"),
    ("money-format", "grouped", lambda c: c.call("balance/")["billingThreshold"], "EUR 100.00"),
    ("billing-threshold", "100.00", lambda c: c.call("balance/")["billingThreshold"], "EUR 100.00"),
    ("billing-threshold", "0.00", lambda c: c.call("balance/")["billingThreshold"], "EUR 0.00"),
    ("premium-price", "0.00", owed, "EUR 0.00"),
    ("premium-price", "10.00", owed, "EUR 10.00"),
    ("reseller-time-zone", "+00:00", months_end, (0, "2026-03-10 12:00:00")),
    ("reseller-time-zone", "+02:00", months_end, (10, "2026-03-10 14:00:00")),
    ("reseller-time-zone", "-05:00", months_end, (0, "2026-03-10 07:00:00")),
    ("ai-spent", "all", used_and_cost, (51, "EUR 0.51")),
    ("ai-spent", "monthly", used_and_cost, (50, "EUR 0.51")),
    ("expired-extra-date", "kept", expired, (0, "2027-01-04 12:00:00")),
    ("expired-extra-date", "null", expired, (0, None)),
    ("extra-without-premium", "accepted", lambda c: code(c.on("ai_credits/add/", credits="1")), None),
    ("extra-without-premium", "refused", lambda c: code(c.on("ai_credits/add/", credits="1")), 400),
    ("credit-error-order", "fee-first", two_faults, 601),
    ("credit-error-order", "value-first", two_faults, 507),
    ("plan-lowered", "capped", lowered, 1000),
    ("plan-lowered", "kept", lowered, 5000),
    (
        "disable-disabled",
        "accepted",
        lambda c: (code(c.on("disable/")), code(c.on("disable/"))),
        (None, None),
    ),
    ("disable-disabled", "refused", lambda c: (code(c.on("disable/")), code(c.on("disable/"))), (None, 400)),
    ("same-plan", "accepted", lambda c: tuple(code(c.on("enable_premium/")) for _ in range(2)), (None, None)),
    ("same-plan", "refused", lambda c: tuple(code(c.on("enable_premium/")) for _ in range(2)), (None, 400)),
    ("disable-premium-free", "accepted", lambda c: code(c.on("disable_premium/")), None),
    ("disable-premium-free", "refused", lambda c: code(c.on("disable_premium/")), 400),
    ("enable-enabled", "accepted", lambda c: code(c.on("enable/")), None),
    ("enable-enabled", "refused", lambda c: code(c.on("enable/")), 400),
    ("disabled-status", "0", disabled, (0, True)),
    ("disabled-status", "2", disabled, (2, True)),
    ("disabled-subscription", "kept", disabled, (0, True)),
    ("disabled-subscription", "stopped", disabled, (0, False)),
    ("observed-reseller-fields", "present", observed_fields, (True, True)),
    ("observed-reseller-fields", "absent", observed_fields, (False, False)),
]


@pytest.mark.parametrize(
    ("assumption", "value", "observe", "expected"), ROWS, ids=[f"{row[0]}-{row[1]}" for row in ROWS]
)
def test_each_assumption_has_its_effect(caller, assumption, value, observe, expected):
    caller.assume(assumption, value)
    assert observe(caller) == expected


def test_every_value_of_every_assumption_is_tested():
    tested = {(assumption, value) for assumption, value, *_ in ROWS}
    for a in RESELLER_ASSUMPTIONS:
        if a.id not in TESTED_ELSEWHERE:
            assert {(a.id, value) for value in a.alternatives} <= tested, a.id


def test_amounts_are_grouped_when_assumed(caller):
    caller.assume("money-format", "grouped")
    caller.assume("credit-price", "0.10")
    caller.on("ai_limit/set/", credits="1000000")
    caller.spend(12345)
    assert caller.call("balance/")["aiCostThisMonth"] == "EUR 1,234.50"


def test_usage_of_the_previous_month_is_billed_once(caller):
    caller.spend(40)
    assert caller.call("balance/")["currentBalance"] == "EUR 0.00"
    for _ in range(2):
        caller.at("2026-04-01T00:00:00")
        caller.authorize()
        balance = caller.call("balance/")
        assert (balance["currentBalance"], balance["aiCostThisMonth"]) == ("EUR 0.40", "EUR 0.00")
    assert caller.website()["aiSpentThisMonth"] == 0


@pytest.mark.parametrize("looked_at", [True, False])
def test_credit_is_billed_at_the_price_of_its_use(caller, looked_at):
    """A changed price affects only later use, whether or not the balance was read before."""
    caller.spend(40)
    if looked_at:
        caller.call("balance/")
    caller.assume("credit-price", "0.10")
    caller.spend(10)
    assert caller.call("balance/")["aiCostThisMonth"] == "EUR 1.40"
    caller.at("2026-04-01T00:00:00")
    caller.authorize()
    caller.assume("credit-price", "0.0125")
    assert caller.call("balance/")["currentBalance"] == "EUR 1.40"


def test_extra_credits_are_valid_for_300_days_from_the_last_addition(caller):
    caller.assume("token-lifetime", "0")
    caller.on("enable_premium/")
    caller.on("ai_credits/add/", credits="5")
    caller.at("2027-01-04T11:59:59")
    assert caller.website()["aiExtraCredits"] == 5
    caller.on("ai_credits/add/", credits="2")
    caller.at("2027-10-31T11:59:58")
    assert caller.website()["aiExtraCredits"] == 7
    caller.at("2027-10-31T11:59:59")
    assert caller.website()["aiExtraCredits"] == 0
    caller.on("ai_credits/add/", credits="1")
    assert caller.website()["aiExtraCredits"] == 1


def test_extra_credits_wait_for_a_premium_plan(caller):
    caller.on("ai_limit/set/", credits="0")
    caller.on("ai_credits/add/", credits="5")
    assert caller.spend(3).extra == 0
    caller.on("enable_premium/")
    assert caller.spend(3).extra == 3
    caller.on("disable_premium/")
    assert caller.spend(3).unspent == 3
    assert caller.website()["aiExtraCredits"] == 2


@pytest.mark.parametrize(
    ("pricing", "default", "paid", "limit"),
    [("priced", 700, True, 700), ("priced", 0, True, 0), ("free", 700, True, 100), ("free", 40, True, 40),
     ("free", 0, True, 0), ("priced", 700, False, 100), ("free", 40, False, 100)],
)  # fmt: skip
def test_new_websites_start_with_the_default_limit(caller, pricing, default, paid, limit):
    caller.change(ai_pricing=pricing, ai_default_limit=default, fee_paid=paid)
    caller.change(websites=4)
    assert caller.website(3)["aiMonthlyLimit"] == limit


@pytest.mark.parametrize(("limit", "raised"), [("0", 0), ("1", 2500), ("100", 2500)])
def test_enabling_premium_raises_the_limit_unless_it_is_0_while_credits_are_free(free, limit, raised):
    free.on("ai_limit/set/", credits=limit)
    free.on("enable_premium/premiumplus/")
    assert free.website()["aiMonthlyLimit"] == raised
    free.on("disable_premium/")
    assert free.website()["aiMonthlyLimit"] == min(raised, 100)


def test_plan_changes_leave_the_limit_alone_once_credits_are_priced(caller):
    caller.on("ai_limit/set/", credits="9999")
    for path in ("enable_premium/premiumpro/", "enable_premium/premium/", "disable_premium/"):
        caller.on(path)
        assert caller.website()["aiMonthlyLimit"] == 9999
