"""The control API over HTTP: routes, the protection against web pages, the envelope."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, get_type_hints

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from awning.typed_values import Mismatch, decode
from awning_harness.service.applications import Handler, read_body, routes_of, service_application
from awning_harness.service.control import handlers
from awning_harness.service.envelope import Failure, is_json, success
from awning_harness.service.hosts import refuse_other_origins
from awning_harness.service.service import Service

ROUTES: dict[str, dict[str, Handler[dict[str, Any]]]] = {
    "/reset/": {"POST": handlers.reset},
    "/websites/": {"POST": handlers.add_website},
    "/websites/{website_id:number}/purge/": {"POST": handlers.purge_website},
    "/apps/": {"POST": handlers.add_app},
    "/apps/{app_id:number}/": {"PUT": handlers.resubmit_app},
    "/instances/": {"POST": handlers.add_instance},
    "/resellers/": {"POST": handlers.add_reseller},
    "/resellers/{reseller_id:number}/": {"PATCH": handlers.change_reseller},
    "/resellers/{reseller_id:number}/websites/{website_id:number}/": {"PATCH": handlers.change_website},
    "/resellers/{reseller_id:number}/spend/": {"POST": handlers.spend},
    "/clock/": {"GET": handlers.show_clock, "PUT": handlers.set_clock},
    "/faults/": {"GET": handlers.show_faults, "PUT": handlers.set_faults},
    "/requests/": {"GET": handlers.show_requests},
    "/assumptions/": {"GET": handlers.show_assumptions, "PUT": handlers.take_assumption_set},
    "/assumptions/{assumption_id}/": {"PUT": handlers.set_assumption},
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
