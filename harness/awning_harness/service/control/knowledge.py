"""What a script may ask: the request log and the assumptions; and the assumptions set."""

from typing import Any

from awning.contract.service_assumptions import PROFILES
from awning_harness.service.control.body import Body
from awning_harness.service.service import Service


def show_requests(service: Service) -> dict[str, Any]:
    """`GET requests`: the newest calls, oldest first, without secrets."""
    return {"requests": [request.as_json() for request in service.requests()]}


def show_assumptions(service: Service) -> dict[str, Any]:
    """`GET assumptions`"""
    return {
        "profile": service.assumptions.profile,
        "profiles": PROFILES,
        "assumptions": service.assumptions.listing(),
    }


def take_profile(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`PUT assumptions` with `profile`: every assumption as that profile has it."""
    service.assumptions.take_profile(Body(fields, ("profile",)).need("profile", str))
    return show_assumptions(service)


def set_assumption(service: Service, fields: dict[str, Any], assumption_id: str) -> dict[str, Any]:
    """`PUT assumptions/<id>` with `value`."""
    value = Body(fields, ("value",)).need("value", str)
    service.assumptions.set(assumption_id, value)
    return {"id": assumption_id, "value": value}
