"""The control API over HTTP: routes, the protection against web pages, the envelope.

The calls: websites, apps and instances; resellers; the clock; faults; assumptions and the log. Each handler gets the
simulated service, the body (not for a GET) and the values in the path. The type of its parameter `body` is the form of
the body. It returns the fields of the response.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any, get_type_hints

from msgspec import Meta, Struct, field
from msgspec.structs import asdict as fields_of
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.endpoints import ENDPOINTS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.typed_values import Mismatch, decode
from awning_harness.service.applications import Handler, read_body, routes_of, service_application
from awning_harness.service.clock import EARLIEST, LATEST
from awning_harness.service.envelope import Failure, is_json, success
from awning_harness.service.hosts import refuse_other_origins
from awning_harness.service.service import Service

Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Body(Struct, kw_only=True, forbid_unknown_fields=True):
    """The form of a body without fields. A field of a subclass that is None counts as absent."""


def _present(body: Body) -> dict[str, Any]:
    return {name: value for name, value in fields_of(body).items() if value is not None}


class NewWebsite(Body):
    languages: list[str] | None = None
    brandname: str | None = None
    owner_email: str | None = field(default=None, name="email")
    owner_email_confirmed: bool | None = field(default=None, name="email_confirmed")


def add_website(service: Service, body: NewWebsite) -> dict[str, Any]:
    """Handle `POST websites`: create a website."""
    website = service.create_website(**_present(body))
    return {"website_id": website.id, "url": service.website_url(website.id)}


def purge_website(service: Service, body: Body, website_id: int) -> dict[str, Any]:  # noqa: ARG001 - has no fields
    """Handle `POST websites/<id>/purge`: the website's cache expires now. Raises LookupError for an unknown website."""
    if service.website(website_id) is None:
        raise LookupError(f"there is no website {website_id}")
    service.defaults.purge_website(website_id)
    return {}


def add_app(service: Service, body: dict[str, Any]) -> dict[str, Any]:
    """Handle `POST apps`: the body is the manifest."""
    app_id, api_key = service.register_app(body)
    return {"app_id": app_id, "api_key": api_key}


def resubmit_app(service: Service, body: dict[str, Any], app_id: int) -> dict[str, Any]:
    """Handle `PUT apps/<id>`: the body is the whole new manifest."""
    service.resubmit_app(app_id, body)
    return {"app_id": app_id}


class NewInstance(Body):
    app_id: Number
    website_id: Number
    state: str | None = None


def add_instance(service: Service, body: NewInstance) -> dict[str, Any]:
    """Handle `POST instances`: install an app on a website."""
    return {"authCode": service.install(**_present(body))}


def reset(service: Service, body: Body) -> dict[str, Any]:  # noqa: ARG001 - it has no fields
    """Handle `POST reset`: delete everything except the present assumptions. The clock returns to the real time."""
    service.reset()
    return {}


class NewReseller(Body):
    email: str
    password: str
    websites: Number | None = None
    approved: bool | None = None
    fee_paid: bool | None = None
    ai_pricing: str | None = None


def add_reseller(service: Service, body: NewReseller) -> dict[str, Any]:
    """Handle `POST resellers`: create a reseller."""
    return {"reseller_id": service.resellers.create(**_present(body))}


class ResellerChange(Body):
    """New values of a reseller. `domain`, `company` and `type` are settings that the reseller itself cannot change."""

    email: str | None = None
    password: str | None = None
    websites: Number | None = None
    approved: bool | None = None
    fee_paid: bool | None = None
    ai_pricing: str | None = None
    ai_default_limit: Number | None = None
    type: Number | None = None
    domain: str | None = None
    company: str | None = None


def change_reseller(service: Service, body: ResellerChange, reseller_id: int) -> dict[str, Any]:
    """Handle `PATCH resellers/<id>`: change the fields in the body."""
    values = _present(body)
    settings: dict[str, str] = {n: str(values.pop(n)) for n in ("type", "domain", "company") if n in values}
    service.resellers.change(reseller_id, **values, settings=settings)
    return {"reseller_id": reseller_id}


class WebsiteStatus(Body):
    status: Number


def change_website(
    service: Service, body: WebsiteStatus, reseller_id: int, website_id: int
) -> dict[str, Any]:
    """Handle `PATCH resellers/<id>/websites/<website>`: set `status`.

    1 means enabled, 4 means suspended (observed), and any other number disabled.
    """
    service.resellers.set_status(reseller_id, website_id, body.status)
    return {"website_id": website_id, "status": body.status}


class Spending(Body):
    website_id: Number
    credits: Number


def spend(service: Service, body: Spending, reseller_id: int) -> dict[str, Any]:
    """Handle `POST resellers/<id>/spend`: a website uses AI.

    The response has `monthly` and `extra`, the numbers of credits that were used, and `unspent`, the number that was
    missing.
    """
    return asdict(service.resellers.spend(reseller_id, body.website_id, body.credits))


def show_clock(service: Service) -> dict[str, Any]:
    """Handle `GET clock`."""
    return {"now": service.clock.now().isoformat(), "frozen": service.clock.frozen}


class ClockSetting(Body):
    now: str | None = None
    advance: float | None = None
    frozen: bool | None = None


def set_clock(service: Service, body: ClockSetting) -> dict[str, Any]:
    """Handle `PUT clock`: set the clock to `now` plus `advance` seconds. By default, `now` is the clock's present time.

    `now` is in ISO 8601, and in UTC if it has no offset. If `frozen` is true, the clock stands still. By default,
    `frozen` is false; with `advance`, it stays as it is. When the body has neither `now` nor `advance`, and `frozen` is
    not true, the clock returns to the real time.

    Raises Failure (400) when the time is malformed or outside the clock's limits.
    """
    stays = service.clock.frozen if body.advance is not None else False
    frozen = stays if body.frozen is None else body.frozen
    try:
        if body.now is not None or body.advance is not None or frozen:
            service.clock.set(_instant(service, body), frozen=frozen)
        else:
            service.clock.release()
    except OverflowError as error:
        raise Failure(400, f"the clock can only be set from {EARLIEST.year} to {LATEST.year}") from error
    return show_clock(service)


def _instant(service: Service, body: ClockSetting) -> datetime:
    instant = service.clock.now()
    if body.now is not None:
        try:
            instant = datetime.fromisoformat(body.now)
        except ValueError as error:
            raise Failure(400, "now must be a date and time, such as 2026-03-01T12:00:00Z") from error
        instant = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return instant + timedelta(seconds=body.advance or 0)


def show_faults(service: Service) -> dict[str, Any]:
    """Handle `GET faults`."""
    return {"faults": service.faults.listing()}


def set_faults(service: Service, body: list[Any]) -> dict[str, Any]:
    """Handle `PUT faults`: the body is the list of all rules; an empty list removes them.

    The random choices of each rule begin again from its seed. Raises BadFault when a rule is invalid.
    """
    service.faults.put(body, {e.operation for e in ENDPOINTS} | {call.operation for call in RESELLER_CALLS})
    return show_faults(service)


def show_requests(service: Service) -> dict[str, Any]:
    """Handle `GET requests`: the newest calls, oldest first, without secrets."""
    return {"requests": [request.as_json() for request in service.requests()]}


def show_assumptions(service: Service) -> dict[str, Any]:
    """Handle `GET assumptions`."""
    return {
        "assumption_set": service.assumptions.assumption_set,
        "assumption_sets": ASSUMPTION_SETS,
        "assumptions": service.assumptions.listing(),
    }


class ChosenSet(Body):
    assumption_set: str


def take_assumption_set(service: Service, body: ChosenSet) -> dict[str, Any]:
    """Handle `PUT assumptions` with `assumption_set`: set every assumption to its value in that set."""
    service.assumptions.take_set(body.assumption_set)
    return show_assumptions(service)


class ChosenValue(Body):
    value: str


def set_assumption(service: Service, body: ChosenValue, assumption_id: str) -> dict[str, Any]:
    """Handle `PUT assumptions/<name>`: set one assumption to `value`."""
    service.assumptions.set(assumption_id, body.value)
    return {"id": assumption_id, "value": body.value}


ROUTES: dict[str, dict[str, Handler[dict[str, Any]]]] = {
    "/reset/": {"POST": reset},
    "/websites/": {"POST": add_website},
    "/websites/{website_id:number}/purge/": {"POST": purge_website},
    "/apps/": {"POST": add_app},
    "/apps/{app_id:number}/": {"PUT": resubmit_app},
    "/instances/": {"POST": add_instance},
    "/resellers/": {"POST": add_reseller},
    "/resellers/{reseller_id:number}/": {"PATCH": change_reseller},
    "/resellers/{reseller_id:number}/websites/{website_id:number}/": {"PATCH": change_website},
    "/resellers/{reseller_id:number}/spend/": {"POST": spend},
    "/clock/": {"GET": show_clock, "PUT": set_clock},
    "/faults/": {"GET": show_faults, "PUT": set_faults},
    "/requests/": {"GET": show_requests},
    "/assumptions/": {"GET": show_assumptions, "PUT": take_assumption_set},
    "/assumptions/{assumption_id}/": {"PUT": set_assumption},
}
"""The handlers by path and method. A handler gets the body, then the values in the path."""


def control_application(service: Service) -> Starlette:
    """Return the ASGI application of the control API."""
    return service_application(
        routes_of(ROUTES, partial(_respond, service)),
        statuses={LookupError: 404, ValueError: 400},
        unknown=f"There are {', '.join(control_calls())}",
    )


def control_calls() -> list[str]:
    """Return the calls as the docs have them: `POST websites/<id>/purge`."""
    calls = [(method, path) for path, by_method in ROUTES.items() for method in by_method]
    return [f"{method} {re.sub(r'{[^}]*}', '<id>', path.strip('/'))}" for method, path in calls]


async def _respond(
    service: Service, by_method: Mapping[str, Handler[dict[str, Any]]], request: Request
) -> Response:
    content = await read_body(request)
    refuse_web_pages(request)
    if request.method in {"GET", "HEAD"}:
        return success(by_method["GET"](service))
    handler = by_method[request.method]
    try:
        body = decode(content if content.strip() else b"{}", get_type_hints(handler)["body"])
    except Mismatch as mismatch:
        raise Failure(400, mismatch.of("the body")) from mismatch
    return success(handler(service, body, *request.path_params.values()))


def refuse_web_pages(request: Request) -> None:
    """Raise Failure (403, 415) when a page of another origin could have sent the request.

    GET is always accepted, because such a page cannot read the response.
    """
    refuse_other_origins(request)
    if request.method != "GET" and not is_json(request):
        raise Failure(415, "Send Content-Type: application/json")
