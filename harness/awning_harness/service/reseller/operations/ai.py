"""The two calls about AI credits; the rules themselves are in `credits`."""

from typing import Any

from awning_harness.service.reseller import sites
from awning_harness.service.reseller.credits import with_extra, with_limit
from awning_harness.service.reseller.operations.call import Call


def set_limit(call: Call) -> dict[str, Any]:
    site = call.site()
    held = with_limit(site.ai, call.given.get("credits"), call.reseller.terms, call.assumptions)
    sites.set_allowance(call.db, site, held, call.now)
    return {}


def add_credits(call: Call) -> dict[str, Any]:
    site = call.site()
    text = call.given.get("credits")
    held = with_extra(site.ai, text, call.reseller.terms, call.now, call.assumptions)
    sites.set_allowance(call.db, site, held, call.now)
    return {}
