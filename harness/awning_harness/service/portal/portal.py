"""The portal over HTTP: routes, the guard against other sites' forms, one way to say what went wrong."""

import re
from collections.abc import Callable

from awning_harness.service.asgi import Receive, Request, Scope, Send, read_request, send_answer
from awning_harness.service.envelope import Answer, Failure, refusal
from awning_harness.service.origins import refuse_other_origins
from awning_harness.service.portal import catalogue, knowledge, resellers, submissions
from awning_harness.service.portal.pages import Visit, page, wants_json
from awning_harness.service.service import Service

Handler = Callable[..., Answer]

ROUTES: tuple[tuple[str, re.Pattern[str], Handler], ...] = tuple(
    (method, re.compile(pattern), handler)
    for method, pattern, handler in (
        ("GET", r"/", catalogue.home),
        ("GET", r"/style\.css", knowledge.style),
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
        ("GET", r"/assumptions/", knowledge.show_assumptions),
        ("POST", r"/assumptions/", knowledge.set_assumptions),
        ("GET", r"/requests/", knowledge.show_requests),
        ("GET", r"/openapi/(apps|reseller)\.json", knowledge.show_description),
        ("GET", r"/asyncapi/events\.json", knowledge.show_events),
    )
)


class Portal:
    """The ASGI application."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = self.answer(await read_request(scope, receive))
        except Failure as failure:
            answer = refusal(failure)
        await send_answer(send, answer)

    def answer(self, request: Request) -> Answer:
        """Answer one request: a page for a person, the envelope for a script that sends JSON."""
        visit = Visit(service=self._service, request=request)
        try:
            return _routed(visit)
        except Failure as failure:
            return _said(visit, failure)
        except LookupError as error:
            return _said(visit, Failure(404, str(error)))
        except ValueError as error:
            return _said(visit, Failure(400, str(error)))


def _routed(visit: Visit) -> Answer:
    refuse_other_origins(visit.request)
    allowed: list[str] = []
    for method, pattern, handler in ROUTES:
        match = pattern.fullmatch(visit.request.path)
        if match and method == visit.request.method:
            return handler(visit, *(int(part) if part.isdecimal() else part for part in match.groups()))
        if match:
            allowed.append(method)
    if allowed:
        raise Failure(405, "Method Not Allowed", headers=((b"allow", ", ".join(allowed).encode()),))
    raise Failure(404, "There is no such page")


def _said(visit: Visit, failure: Failure) -> Answer:
    if wants_json(visit.request):
        return refusal(failure)
    return page(
        visit, "problem.html", status=failure.status, headers=failure.headers, message=failure.message
    )
