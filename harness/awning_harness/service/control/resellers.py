"""Resellers, made, changed and made to spend by control calls."""

from dataclasses import asdict
from typing import Any

from awning_harness.service.control.body import Body
from awning_harness.service.reseller import by_hand
from awning_harness.service.service import Service

_COMMON = ("email", "password", "websites", "approved", "fee_paid", "ai_pricing")
_GIVEN = ("domain", "company")
"""Settings that a reseller reads and cannot change."""


def add_reseller(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`POST resellers`"""
    body = Body(fields, _COMMON)
    reseller_id = service.resellers.create(
        email=body.need("email", str),
        password=body.need("password", str),
        websites=body.take("websites", int, 0),
        approved=body.take("approved", bool, True),
        fee_paid=body.take("fee_paid", bool, True),
        ai_pricing=body.take("ai_pricing", str, "free"),
    )
    return {"reseller_id": reseller_id}


def change_reseller(service: Service, fields: dict[str, Any], reseller_id: int) -> dict[str, Any]:
    """`PATCH resellers/<id>`: what is given."""
    body = Body(fields, (*_COMMON, "ai_default_limit", "type", *_GIVEN))
    kinds: dict[str, type[Any]] = {
        "email": str,
        "password": str,
        "websites": int,
        "approved": bool,
        "fee_paid": bool,
        "ai_pricing": str,
        "ai_default_limit": int,
    }
    given = {name: body.take(name, kind, None) for name, kind in kinds.items()}
    settings = {name: body.take(name, str, "") for name in _GIVEN if name in body}
    if "type" in body:
        settings["type"] = str(body.take("type", int, 0))
    service.resellers.change(reseller_id, **given, settings=settings)
    return {"reseller_id": reseller_id}


def change_website(
    service: Service, fields: dict[str, Any], reseller_id: int, website_id: int
) -> dict[str, Any]:
    """`PATCH resellers/<id>/websites/<website>`: its `status`; 1 is enabled, 4 suspended (observed)."""
    status = Body(fields, ("status",)).need("status", int)
    by_hand.set_status(service, reseller_id, website_id, status)
    return {"website_id": website_id, "status": status}


def spend(service: Service, fields: dict[str, Any], reseller_id: int) -> dict[str, Any]:
    """`POST resellers/<id>/spend`: a website uses AI. The answer says what that took."""
    body = Body(fields, ("website_id", "credits"))
    website_id, wanted = body.need("website_id", int), body.need("credits", int)
    return asdict(service.resellers.spend(reseller_id, website_id, wanted))
