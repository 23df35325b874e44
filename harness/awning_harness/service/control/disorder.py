"""Faults, switched on and off by control calls."""

from typing import Any

from awning.contract.endpoints import ENDPOINTS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning_harness.service.envelope import Failure
from awning_harness.service.service import Service


def show_faults(service: Service) -> dict[str, Any]:
    """`GET faults`"""
    return {"faults": service.faults.listing()}


def set_faults(service: Service, rules: Any) -> dict[str, Any]:
    """`PUT faults`: the body is the list of all rules; an empty one clears them. Seeds start anew."""
    if not isinstance(rules, list):
        raise Failure(400, "the body must be a list of faults")
    service.faults.put(rules, {e.operation for e in ENDPOINTS} | {call.operation for call in RESELLER_CALLS})
    return show_faults(service)
