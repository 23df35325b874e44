"""The calls of the Reseller API, one file per family. Each takes a `Call` and returns the answer's fields.

Keyed by the operation names of `awning.contract.reseller_calls`; a test holds the two complete.
"""

from collections.abc import Callable, Mapping
from typing import Any

from awning_harness.service.reseller.operations import account, ai, site
from awning_harness.service.reseller.operations.call import Call

Operation = Callable[[Call], dict[str, Any]]

OPERATIONS: Mapping[str, Operation] = {
    "authorize": account.authorize,
    "authorize/logout": account.logout,
    "websites": site.websites,
    "website": site.website,
    "enable": site.enable,
    "disable": site.disable,
    "enable_premium": site.enable_premium,
    "disable_premium": site.disable_premium,
    "ai_limit/set": ai.set_limit,
    "ai_credits/add": ai.add_credits,
    "login": site.login,
    "domains": site.list_domains,
    "domain/add": site.add_domain,
    "domain/remove": site.remove_domain,
    "settings": account.settings,
    "settings/set": account.set_settings,
    "balance": account.balance,
    "password/set": account.set_password,
}

__all__ = ["OPERATIONS", "Call", "Operation"]
