"""What a script may ask: the request log and the assumptions; and the assumptions set."""

from typing import Any

from awning.contract.assumptions import ASSUMPTION_SETS
from awning_harness.service.control.body import Body
from awning_harness.service.service import Service


def show_requests(service: Service) -> dict[str, Any]:
    """`GET requests`: the newest calls, oldest first, without secrets."""
    return {"requests": [request.as_json() for request in service.requests()]}


def show_assumptions(service: Service) -> dict[str, Any]:
    """`GET assumptions`"""
    return {
        "assumption_set": service.assumptions.assumption_set,
        "assumption_sets": ASSUMPTION_SETS,
        "assumptions": service.assumptions.listing(),
    }


def take_assumption_set(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`PUT assumptions` with `assumption_set`: every assumption as that set has it."""
    service.assumptions.take_set(Body(fields, ("assumption_set",)).need("assumption_set", str))
    return show_assumptions(service)


def set_assumption(service: Service, fields: dict[str, Any], assumption_id: str) -> dict[str, Any]:
    """`PUT assumptions/<id>` with `value`."""
    value = Body(fields, ("value",)).need("value", str)
    service.assumptions.set(assumption_id, value)
    return {"id": assumption_id, "value": value}
