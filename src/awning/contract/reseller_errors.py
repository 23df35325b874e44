"""Error codes and limits of the Reseller API (Reseller API, Errors, Limits and AI credit rules)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ResellerError:
    """One error. `message` is None when the specification has none. `fields` names further fields of the response."""

    code: int
    message: str | None
    condition: str
    fields: tuple[str, ...] = ()


UNAUTHORIZED = 401
BAD_CREDITS = 507
CREDITS_ARE_FREE = 508
ABOVE_PLAN = 509
FEE_UNPAID = 601
MAX_CREDITS_FIELD = "maxCredits"

RESELLER_ERRORS: tuple[ResellerError, ...] = (
    ResellerError(code=UNAUTHORIZED, message="Unauthorized", condition="missing or invalid credentials"),
    ResellerError(
        code=BAD_CREDITS,
        message="Bad AI credits amount",
        condition="credits value invalid in ai_limit/set or ai_credits/add",
    ),
    ResellerError(
        code=CREDITS_ARE_FREE,
        message=None,
        condition="ai_credits/add while reseller AI credits are free of charge",
    ),
    ResellerError(
        code=ABOVE_PLAN,
        message=None,
        condition="ai_limit/set above the plan's credits while reseller AI credits are free",
        fields=(MAX_CREDITS_FIELD,),
    ),
    ResellerError(
        code=FEE_UNPAID,
        message=None,
        condition="ai_limit/set or ai_credits/add before the reseller signup fee is paid",
    ),
)

MOST_CREDITS = 1_000_000
LEAST_LIMIT = 0
"""The minimum value of `credits` in ai_limit/set."""
LEAST_ADDITION = 1
"""The minimum value of `credits` in ai_credits/add."""
EXTRA_CREDITS_DAYS = 300
"""The number of days for which extra credits are valid after the last addition.

Source: Reseller API, AI credit rules, 4.
"""

STATUS_ENABLED = 1
STATUS_SUSPENDED = 4
"""The websiteStatus of a suspended website (observed). An enabled website has STATUS_ENABLED.

Any other value means that the website is disabled.
"""
