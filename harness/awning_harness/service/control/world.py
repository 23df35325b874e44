"""Websites, apps and instances, made by control calls."""

from typing import Any

from awning_harness.service.control.body import Body
from awning_harness.service.service import DEFAULT_EMAIL, DEFAULT_LANGUAGES, Service


def add_website(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`POST websites`"""
    body = Body(fields, ("languages", "brandname", "email", "email_confirmed"))
    brandname = body.take("brandname", str, "") if "brandname" in body else None
    website = service.create_website(
        languages=body.texts("languages", DEFAULT_LANGUAGES),
        brandname=brandname,
        owner_email=body.take("email", str, DEFAULT_EMAIL),
        owner_email_confirmed=body.take("email_confirmed", bool, True),
    )
    return {"website_id": website.id, "url": service.website_url(website.id)}


def purge_website(service: Service, fields: dict[str, Any], website_id: int) -> dict[str, Any]:
    """`POST websites/<id>/purge`: the website's cache expires now."""
    Body(fields, ())
    if service.website(website_id) is None:
        raise LookupError(f"there is no website {website_id}")
    service.defaults.purge_website(website_id)
    return {}


def add_app(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`POST apps`: the body is the manifest."""
    app_id, api_key = service.register_app(fields)
    return {"app_id": app_id, "api_key": api_key}


def resubmit_app(service: Service, fields: dict[str, Any], app_id: int) -> dict[str, Any]:
    """`PUT apps/<id>`: the body is the whole new manifest."""
    service.resubmit_app(app_id, fields)
    return {"app_id": app_id}


def add_instance(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`POST instances`"""
    body = Body(fields, ("app_id", "website_id", "state"))
    app_id, website_id = body.need("app_id", int), body.need("website_id", int)
    return {"authCode": service.install(app_id, website_id, state=body.take("state", str, "installed"))}


def reset(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`POST reset`: forget everything."""
    Body(fields, ())
    service.reset()
    return {}
