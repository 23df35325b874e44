"""Pages about the simulator: assumptions, request log, descriptions of the APIs. Also serves the pages' style."""

from importlib.resources import files
from typing import Any

from starlette.responses import Response

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.asyncapi import asyncapi
from awning.contract.openapi_apps import apps_openapi
from awning.contract.openapi_reseller import reseller_openapi
from awning_harness.service.envelope import ServiceResponse, write_json
from awning_harness.service.portal.pages import PortalCall, page, redirect


def style(_visit: PortalCall) -> Response:
    text = (files("awning_harness.service.portal") / "style.css").read_bytes()
    return ServiceResponse(text, media_type="text/css")


def show_assumptions(call: PortalCall) -> Response:
    return page(
        call,
        "assumptions.html",
        assumptions=call.service.assumptions.listing(),
        sets=ASSUMPTION_SETS,
        taken=call.service.assumptions.assumption_set,
    )


def set_assumptions(call: PortalCall) -> Response:
    """Set one assumption (`id`, `value`) or all of them (`assumption_set`)."""
    form = call.form()
    if "assumption_set" in form:
        call.service.assumptions.take_set(form["assumption_set"])
        return redirect("/assumptions/")
    call.service.assumptions.set(form.get("id", ""), form.get("value", ""))
    return redirect(f"/assumptions/#{form['id']}")


def show_requests(call: PortalCall) -> Response:
    return page(call, "requests.html", requests=call.service.requests()[:-201:-1])


def show_apps_api(call: PortalCall) -> Response:
    """Return the OpenAPI description of the Apps API, with its address on this service."""
    return _description(apps_openapi(call.service.addresses.apps_url))


def show_reseller_api(call: PortalCall) -> Response:
    """Return the OpenAPI description of the Reseller API, with its address on this service."""
    return _description(reseller_openapi(call.service.addresses.reseller_url))


def show_events(_visit: PortalCall) -> Response:
    """Return the AsyncAPI description of the storefront's events."""
    return _description(asyncapi())


def _description(document: dict[str, Any]) -> Response:
    return ServiceResponse(write_json(document).encode())
