"""The portal over HTTP: routes, the protection against forms of other sites, error pages."""

from collections.abc import Mapping
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from awning_harness.service.applications import Handler, read_body, routes_of, service_application
from awning_harness.service.envelope import Failure, failure_response, is_json
from awning_harness.service.hosts import refuse_other_origins
from awning_harness.service.portal import catalogue, information, resellers, submissions
from awning_harness.service.portal.pages import PortalCall, page
from awning_harness.service.service import Service

ROUTES: dict[str, dict[str, Handler[Response]]] = {
    "/": {"GET": catalogue.home},
    "/style.css": {"GET": information.style},
    "/apps/": {"GET": submissions.show_apps, "POST": submissions.submit},
    "/apps/{app_id:number}/": {"GET": submissions.show_app, "POST": submissions.resubmit},
    "/apps/{app_id:number}/approval/": {"POST": submissions.approve},
    "/websites/": {"POST": catalogue.add_website},
    "/websites/{website_id:number}/": {"GET": catalogue.show_website},
    "/websites/{website_id:number}/install/{app_id:number}/": {"POST": catalogue.install},
    "/accept/{token}/": {"GET": catalogue.show_permissions, "POST": catalogue.decide},
    "/installed/{instance_id:number}/": {"GET": catalogue.returned},
    "/saved/{instance_id:number}/": {"GET": catalogue.saved},
    "/instances/{instance_id:number}/settings/": {"POST": catalogue.settings},
    "/instances/{instance_id:number}/uninstall/": {"POST": catalogue.uninstall},
    "/resellers/": {"GET": resellers.show_resellers, "POST": resellers.add_reseller},
    "/resellers/{reseller_id:number}/": {"GET": resellers.show_reseller, "POST": resellers.change_reseller},
    "/resellers/{reseller_id:number}/websites/": {"POST": resellers.add_websites},
    "/resellers/{reseller_id:number}/websites/{website_id:number}/": {"POST": resellers.change_website},
    "/assumptions/": {"GET": information.show_assumptions, "POST": information.set_assumptions},
    "/requests/": {"GET": information.show_requests},
    "/openapi/apps.json": {"GET": information.show_apps_api},
    "/openapi/reseller.json": {"GET": information.show_reseller_api},
    "/asyncapi/events.json": {"GET": information.show_events},
}
"""The handlers by path and method."""


def portal_application(service: Service) -> Starlette:
    """Return the ASGI application of the portal.

    A program that sends JSON gets an error, and the result of a submission or an approval, in the envelope instead of a
    page. So does every client whose call failed because of a bug or of the state file.
    """

    def error_page(request: Request, failure: Failure) -> Response:
        if is_json(request) or failure.status >= 500:  # noqa: PLR2004 - then no page can be made
            return failure_response(failure)
        call = PortalCall(service=service, request=request)
        return page(
            call, "problem.html", status=failure.status, headers=failure.headers, message=failure.message
        )

    return service_application(
        routes_of(ROUTES, partial(respond, service)),
        error_page,
        statuses={LookupError: 404, ValueError: 400},
        unknown="There is no such page",
    )


async def respond(service: Service, by_method: Mapping[str, Handler[Response]], request: Request) -> Response:
    """Respond to one request with a page."""
    call = PortalCall(service=service, request=request, body=await read_body(request))
    refuse_other_origins(request)
    handler = by_method["GET" if request.method == "HEAD" else request.method]
    return handler(call, **request.path_params)
