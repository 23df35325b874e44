"""The calls of the Reseller API, one row per path (Reseller API, Endpoints).

Read by the client, by the simulated service and by the tests that hold both to it.
"""

from dataclasses import dataclass

WEBSITE = "<website>"
SUBSCRIPTION = "<subscription>"
DOMAIN = "<domain>"

TOKEN_PARAMETER = "apiToken"  # noqa: S105 - the parameter's name
CALLBACK_PARAMETER = "callback"
"""Observed: with it the answer is JSONP."""

SUBSCRIPTIONS = ("premium", "premiumplus", "premiumpro")
DEFAULT_SUBSCRIPTION = "premium"
"""Observed: enable_premium without the segment means this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResellerCall:
    """One row. `operation` is what faults and logs call it; `path` is appended to the base address.

    `parameters` are those beside apiToken and the ones in the path, `response` the fields beside `error`;
    `changes` says whether state that the reseller pays for or relies on may differ afterwards.
    """

    operation: str
    path: str
    parameters: tuple[str, ...] = ()
    response: tuple[str, ...] = ()
    changes: bool = False
    token: bool = True


def _on_website(
    operation: str,
    tail: str,
    *,
    parameters: tuple[str, ...] = (),
    response: tuple[str, ...] = (),
    changes: bool = False,
) -> ResellerCall:
    path = f"/api/website/{WEBSITE}/{tail}"
    return ResellerCall(
        operation=operation, path=path, parameters=parameters, response=response, changes=changes
    )


RESELLER_CALLS: tuple[ResellerCall, ...] = (
    ResellerCall(
        operation="authorize",
        path="/api/authorize/",
        parameters=("email", "password"),
        response=("apiToken",),
        token=False,
    ),
    ResellerCall(operation="authorize/logout", path="/api/authorize/logout/", changes=True),
    ResellerCall(operation="websites", path="/api/websites/", response=("websites",)),
    _on_website("website", "", response=("website",)),
    _on_website("enable", "enable/", changes=True),
    _on_website("disable", "disable/", changes=True),
    _on_website("enable_premium", f"enable_premium/{SUBSCRIPTION}/", changes=True),
    _on_website("disable_premium", "disable_premium/", changes=True),
    _on_website("ai_limit/set", "ai_limit/set/", parameters=("credits",), changes=True),
    _on_website("ai_credits/add", "ai_credits/add/", parameters=("credits",), changes=True),
    _on_website("login", "login/", response=("loginUrl",)),
    _on_website("domains", "domains/", response=("domains",)),
    _on_website("domain/add", "domain/add/", parameters=("domain",), changes=True),
    _on_website("domain/remove", f"domain/{DOMAIN}/remove/", changes=True),
    ResellerCall(operation="settings", path="/api/settings/"),
    ResellerCall(operation="settings/set", path="/api/settings/set/", changes=True),
    ResellerCall(operation="balance", path="/api/balance/"),
    ResellerCall(operation="password/set", path="/api/password/set/", parameters=("password",), changes=True),
)
