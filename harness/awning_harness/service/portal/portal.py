"""The portal over HTTP: routes, the protection against forms of other sites, error pages."""

import re
from collections.abc import Callable

from awning_harness.service.asgi import Receive, Request, Scope, Send, read_request, send_response
from awning_harness.service.envelope import Failure, Response, failure_response
from awning_harness.service.hosts import refuse_other_origins
from awning_harness.service.portal import catalogue, information, resellers, submissions
from awning_harness.service.portal.pages import PortalCall, page, wants_json
from awning_harness.service.service import Service

Handler = Callable[..., Response]

ROUTES: tuple[tuple[str, re.Pattern[str], Handler], ...] = tuple(
    (method, re.compile(pattern), handler)
    for method, pattern, handler in (
        ("GET", r"/", catalogue.home),
        ("GET", r"/style\.css", information.style),
        ("GET", r"/apps/", submissions.show_apps),
        ("POST", r"/apps/?", submissions.submit),
        ("GET", r"/apps/(\d{1,15})/", submissions.show_app),
        ("POST", r"/apps/(\d{1,15})/?", submissions.resubmit),
        ("POST", r"/apps/(\d{1,15})/approval/?", submissions.approve),
        ("POST", r"/websites/", catalogue.add_website),
        ("GET", r"/websites/(\d{1,15})/", catalogue.show_website),
        ("POST", r"/websites/(\d{1,15})/install/(\d{1,15})/", catalogue.install),
        ("GET", r"/accept/([\w-]{1,64})/?", catalogue.show_permissions),
        ("POST", r"/accept/([\w-]{1,64})/?", catalogue.decide),
        ("GET", r"/installed/(\d{1,15})/?", catalogue.returned),
        ("GET", r"/saved/(\d{1,15})/?", catalogue.saved),
        ("POST", r"/instances/(\d{1,15})/settings/", catalogue.settings),
        ("POST", r"/instances/(\d{1,15})/uninstall/", catalogue.uninstall),
        ("GET", r"/resellers/", resellers.show_resellers),
        ("POST", r"/resellers/", resellers.add_reseller),
        ("GET", r"/resellers/(\d{1,15})/", resellers.show_reseller),
        ("POST", r"/resellers/(\d{1,15})/", resellers.change_reseller),
        ("POST", r"/resellers/(\d{1,15})/websites/", resellers.add_websites),
        ("POST", r"/resellers/(\d{1,15})/websites/(\d{1,15})/", resellers.change_website),
        ("GET", r"/assumptions/", information.show_assumptions),
        ("POST", r"/assumptions/", information.set_assumptions),
        ("GET", r"/requests/", information.show_requests),
        ("GET", r"/openapi/(apps|reseller)\.json", information.show_description),
        ("GET", r"/asyncapi/events\.json", information.show_events),
    )
)


class Portal:
    """The ASGI application of the portal."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = self.answer(await read_request(scope, receive))
        except Failure as failure:
            response = failure_response(failure)
        await send_response(send, response)

    def answer(self, request: Request) -> Response:
        """Respond to one request with a page.

        A program that sends JSON gets an error, and the result of a submission or an approval, in the envelope instead.
        """
        call = PortalCall(service=self._service, request=request)
        try:
            return _route(call)
        except Failure as failure:
            return _error_page(call, failure)
        except LookupError as error:
            return _error_page(call, Failure(404, str(error)))
        except ValueError as error:
            return _error_page(call, Failure(400, str(error)))


def _route(call: PortalCall) -> Response:
    refuse_other_origins(call.request)
    allowed: list[str] = []
    for method, pattern, handler in ROUTES:
        match = pattern.fullmatch(call.request.path)
        if match and method == call.request.method:
            return handler(call, *(int(part) if part.isdecimal() else part for part in match.groups()))
        if match:
            allowed.append(method)
    if allowed:
        raise Failure(405, "Method Not Allowed", headers=((b"allow", ", ".join(allowed).encode()),))
    raise Failure(404, "There is no such page")


def _error_page(call: PortalCall, failure: Failure) -> Response:
    if wants_json(call.request):
        return failure_response(failure)
    return page(call, "problem.html", status=failure.status, headers=failure.headers, message=failure.message)
