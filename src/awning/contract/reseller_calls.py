"""The calls of the Reseller API, one row per path (Reseller API, Endpoints).

The client and the simulated service read this table, and tests compare both with it.
"""

from dataclasses import dataclass

WEBSITE = "<website>"
SUBSCRIPTION = "<subscription>"
DOMAIN = "<domain>"

TOKEN_PARAMETER = "apiToken"  # noqa: S105 - the parameter's name
CALLBACK_PARAMETER = "callback"
"""With this parameter the response is JSONP (observed)."""

SUBSCRIPTIONS = ("premium", "premiumplus", "premiumpro")
DEFAULT_SUBSCRIPTION = "premium"
"""The plan of enable_premium when the path has no plan (observed)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResellerCall:
    """One call. `operation` is its name in faults and logs; `path` is appended to the base address.

    `parameters` has neither apiToken nor the parameters in the path. `response` has all fields of the response besides
    `error`. `changes` is whether the call may change something that the reseller pays for or relies on,
    `token` whether it needs an apiToken.
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
