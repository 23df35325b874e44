"""Assumptions about the Reseller API.

The simulated service follows them. `doctor --assumptions` and the portal list them with those about the Apps API.
"""

from awning.contract.assumption import ServiceAssumption

_NOT_SHOWN = "Reseller API: not shown"

RESELLER_ASSUMPTIONS: tuple[ServiceAssumption, ...] = (
    ServiceAssumption(
        id="reseller-error-status",
        question="Which HTTP status do errors of the Reseller API have?",
        alternatives=(("200", "200: clients read `error`"), ("4xx", "a fitting 4XX")),
        source="Reseller API, Errors: not shown; 200 is observed",
    ),
    ServiceAssumption(
        id="reseller-other-codes",
        question="Which errorCode does an error have that the table does not list?",
        alternatives=(
            ("http", "the HTTP status that would fit: 400 or 404"),
            ("generic", "always 500"),
            ("zero", "0"),
        ),
        hostile="zero",
        source="Reseller API, Errors: other codes are not shown",
    ),
    ServiceAssumption(
        id="reseller-jsonp",
        question="Does a parameter `callback` turn the answer into JSONP?",
        alternatives=(("yes", "yes, if its value is an identifier"), ("no", "it is ignored")),
        documented="no",
        source="observed: public clients use it",
    ),
    ServiceAssumption(
        id="reseller-json-body",
        question="Does the service read parameters from a JSON body?",
        alternatives=(
            ("read", "yes, like those of a form"),
            ("ignored", "no: only forms, as PHP does by default"),
        ),
        documented="ignored",
        hostile="ignored",
        source="Reseller API, Endpoints: query parameters; public clients send forms",
    ),
    ServiceAssumption(
        id="token-lifetime",
        question="After how many seconds does an apiToken expire?",
        alternatives=(("86400", "a day"), ("0", "never"), ("60", "a minute")),
        documented="0",
        hostile="60",
        seconds=True,
        source="Reseller API, Authentication: token lifetime is not shown",
    ),
    ServiceAssumption(
        id="second-authorize",
        question="What happens to earlier tokens when authorize is called again?",
        alternatives=(("kept", "they stay valid"), ("replaced", "they end")),
        hostile="replaced",
        source="Reseller API, Authentication: silent",
    ),
    ServiceAssumption(
        id="password-tokens",
        question="What happens to tokens when the password is changed?",
        alternatives=(("kept", "they stay valid"), ("revoked", "all of them end")),
        hostile="revoked",
        source="Reseller API, Authentication: silent",
    ),
    ServiceAssumption(
        id="plan-credits",
        question="How many monthly AI credits does each plan have (free, premium, premiumplus, premiumpro)?",
        alternatives=(
            ("100,1000,2500,5000", "100, 1000, 2500 and 5000"),
            ("0,500,1000,2000", "none on the free plan, then 500, 1000 and 2000"),
        ),
        hostile="0,500,1000,2000",
        source="Reseller API, AI credit rules: the plans' credits are not shown",
    ),
    ServiceAssumption(
        id="credit-price",
        question="What does an AI credit cost once pricing is in effect?",
        alternatives=(
            ("0.01", "0.01"),
            ("0.0125", "0.0125: a month's sum is rounded half up"),
            ("0.10", "0.10"),
        ),
        hostile="0.0125",
        source=f"{_NOT_SHOWN} what a credit costs",
    ),
    ServiceAssumption(
        id="currency",
        question="Which currency are amounts in?",
        alternatives=(("EUR", "EUR"), ("USD", "USD"), ("GBP", "GBP")),
        hostile="USD",
        source="Reseller API, Balance: `currency code followed by amount`",
    ),
    ServiceAssumption(
        id="money-format",
        question="How are amounts written?",
        alternatives=(
            ("spaced", "`EUR 1234.50`"),
            ("joined", "`EUR1234.50`"),
            ("grouped", "`EUR 1,234.50`"),
        ),
        hostile="grouped",
        source="Reseller API, Balance: `currency code followed by amount`",
    ),
    ServiceAssumption(
        id="billing-threshold",
        question="What is the billing threshold?",
        alternatives=(("100.00", "100.00"), ("0.00", "0.00")),
        source=f"{_NOT_SHOWN} how high it is or what happens there; it is only reported",
    ),
    ServiceAssumption(
        id="premium-price",
        question="What does a paid subscription add to the balance when it is enabled?",
        alternatives=(
            ("0.00", "nothing: only AI usage is known to add to it"),
            ("10.00", "10.00 when the plan changes"),
        ),
        hostile="10.00",
        source=f"{_NOT_SHOWN} how subscriptions are charged",
    ),
    ServiceAssumption(
        id="reseller-time-zone",
        question="In which time zone are dates written and do months begin?",
        alternatives=(
            ("+00:00", "UTC"),
            ("+02:00", "two hours east of UTC"),
            ("-05:00", "five hours west of UTC"),
        ),
        hostile="+02:00",
        source="Reseller API, Website: `YYYY-MM-DD HH:MM:SS`, no zone",
    ),
    ServiceAssumption(
        id="ai-spent",
        question="Which credits does aiSpentThisMonth count?",
        alternatives=(("all", "monthly and extra ones"), ("monthly", "the monthly ones only")),
        source="Reseller API, Website: `used this month`",
    ),
    ServiceAssumption(
        id="expired-extra-date",
        question="Which value does aiExtraCreditsValidUntil have after that date?",
        alternatives=(("kept", "still the date"), ("null", "null")),
        hostile="null",
        source="Reseller API, Website: `remaining extra credits; 0 when expired`",
    ),
    ServiceAssumption(
        id="extra-without-premium",
        question="Does ai_credits/add accept a website without a Premium plan?",
        alternatives=(("accepted", "yes; they wait for a plan"), ("refused", "400")),
        hostile="refused",
        source="Reseller API, AI credit rules, 4: they are consumed only with a plan",
    ),
    ServiceAssumption(
        id="credit-error-order",
        question="Which error comes first when several conditions of a credit call are not met?",
        alternatives=(
            ("fee-first", "601, then 507, then 508 or 509"),
            ("value-first", "507, then 601, then 508 or 509"),
        ),
        hostile="value-first",
        source="Reseller API, Errors: not shown",
    ),
    ServiceAssumption(
        id="plan-lowered",
        question="What happens to a monthly limit above the new plan's credits while credits are free?",
        alternatives=(("capped", "it becomes the plan's credits"), ("kept", "it stays")),
        hostile="kept",
        source="Reseller API, AI credit rules, 2: `at most the credits of its plan`",
    ),
    ServiceAssumption(
        id="enable-enabled",
        question="What does enable answer for a website that is already enabled?",
        alternatives=(("accepted", "the same as for a disabled one"), ("refused", "400")),
        hostile="refused",
        source="Reseller API, States: `website is disabled` is the condition of enable",
    ),
    ServiceAssumption(
        id="disabled-status",
        question="Which websiteStatus does a disabled website have?",
        alternatives=(("0", "0"), ("2", "2")),
        hostile="2",
        source="observed: 1 is enabled, 4 suspended, anything else disabled",
    ),
    ServiceAssumption(
        id="disabled-subscription",
        question="What does disabling a website do to its subscription?",
        alternatives=(("kept", "nothing"), ("stopped", "it is stopped, as disable_premium does")),
        hostile="stopped",
        source="Reseller API, States: not shown",
    ),
    ServiceAssumption(
        id="login-link-lifetime",
        question="After how many seconds does a login link expire?",
        alternatives=(("300", "five minutes"), ("60", "a minute")),
        hostile="60",
        seconds=True,
        source="Reseller API, Endpoints: `one-time auto-login link`",
    ),
    ServiceAssumption(
        id="domain-www",
        question="What happens to a domain given with www?",
        alternatives=(("refused", "400"), ("stripped", "it is added without www")),
        hostile="stripped",
        source="Reseller API, Limits: `name without www`",
    ),
    ServiceAssumption(
        id="domain-form",
        question="In which form is an internationalised domain returned?",
        alternatives=(("unicode", "in its own script"), ("ascii", "in its xn-- form")),
        hostile="ascii",
        source="Reseller API, Domain: `domain name`",
    ),
    ServiceAssumption(
        id="domain-again",
        question="What does domain/add answer for a domain that the website has already?",
        alternatives=(("refused", "400"), ("accepted", "success, and nothing is added")),
        hostile="accepted",
        source=f"{_NOT_SHOWN}",
    ),
    ServiceAssumption(
        id="settings-contact-website",
        question="Does settings/set accept contactWebsite?",
        alternatives=(("yes", "yes"), ("no", "no: it is left as it is")),
        hostile="no",
        source="Reseller API, Endpoints: the names it accepts are not shown",
    ),
    ServiceAssumption(
        id="settings-ai-default-limit",
        question="Does settings/set accept aiDefaultLimit?",
        alternatives=(("yes", "yes"), ("no", "no: it is left as it is")),
        hostile="no",
        source="Reseller API, Endpoints: the names it accepts are not shown",
    ),
    ServiceAssumption(
        id="settings-forbidden",
        question="What does settings/set do with names that it does not accept?",
        alternatives=(
            ("ignored", "it changes the other settings and ignores these"),
            ("refused", "400, nothing changes"),
        ),
        hostile="refused",
        source="Reseller API, Endpoints: `only allowed ones are changed`",
    ),
    ServiceAssumption(
        id="observed-reseller-fields",
        question="Do the fields domain, brand, website, supportWebsite and signupFeeLink exist?",
        alternatives=(("present", "yes"), ("absent", "no")),
        documented="absent",
        source="observed in public deployments",
    ),
)
