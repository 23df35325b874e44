"""The control API over HTTP: routes, the protection against web pages, the envelope."""

from collections.abc import Callable
from typing import Any

from awning_harness.service.asgi import Receive, Request, Scope, Send, read_request, send_response
from awning_harness.service.assumptions import UnknownAnswer
from awning_harness.service.control import handlers
from awning_harness.service.envelope import Failure, Response, failure_response, read_json, success
from awning_harness.service.hosts import refuse_other_origins
from awning_harness.service.service import Service

LONGEST_ID = 15
Handler = Callable[..., dict[str, Any]]

ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "reset"): handlers.reset,
    ("POST", "websites"): handlers.add_website,
    ("POST", "websites/<id>/purge"): handlers.purge_website,
    ("POST", "apps"): handlers.add_app,
    ("PUT", "apps/<id>"): handlers.resubmit_app,
    ("POST", "instances"): handlers.add_instance,
    ("POST", "resellers"): handlers.add_reseller,
    ("PATCH", "resellers/<id>"): handlers.change_reseller,
    ("PATCH", "resellers/<id>/websites/<id>"): handlers.change_website,
    ("POST", "resellers/<id>/spend"): handlers.spend,
    ("GET", "clock"): handlers.show_clock,
    ("PUT", "clock"): handlers.set_clock,
    ("GET", "faults"): handlers.show_faults,
    ("PUT", "faults"): handlers.set_faults,
    ("GET", "requests"): handlers.show_requests,
    ("GET", "assumptions"): handlers.show_assumptions,
    ("PUT", "assumptions"): handlers.take_assumption_set,
    ("PUT", "assumptions/<name>"): handlers.set_assumption,
}
"""The handlers by method and path. `<id>` stands for a whole number, `<name>` for any text.

The handler gets these values after the body's fields.
"""


class ControlApi:
    """The ASGI application of the control API."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = self.answer(await read_request(scope, receive))
        except Failure as failure:
            response = failure_response(failure)
        await send_response(send, response)

    def answer(self, request: Request) -> Response:
        """Respond to one request. Raises Failure when the request is refused, unknown or invalid."""
        refuse_web_pages(request)
        handler, arguments = find_handler(request.method, request.path)
        if request.method != "GET":
            body = read_json(request.body) if handler is handlers.set_faults else _fields(request)
            arguments = [body, *arguments]
        try:
            return success(handler(self._service, *arguments))
        except LookupError as error:
            raise Failure(404, str(error)) from error
        except UnknownAnswer as error:
            raise Failure(400, str(error)) from error
        except ValueError as error:
            raise Failure(400, str(error)) from error


def refuse_web_pages(request: Request) -> None:
    """Raise Failure (403, 415) when a page of another origin could have sent the request.

    GET is always accepted, because such a page cannot read the response.
    """
    refuse_other_origins(request)
    if request.method == "GET":
        return
    content_type = (request.header(b"content-type") or "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise Failure(415, "Send Content-Type: application/json")


def find_handler(method: str, path: str) -> tuple[Handler, list[Any]]:
    """Return the handler of a call and the values in its path.

    Raises Failure: 404 for an unknown path, 405 for another method.
    """
    segments = [segment for segment in path.split("/") if segment]
    allowed: list[str] = []
    for (route_method, pattern), handler in ROUTES.items():
        arguments = _match(pattern.split("/"), segments)
        if arguments is None:
            continue
        if route_method == method:
            return handler, arguments
        allowed.append(route_method)
    if allowed:
        raise Failure(405, "Method Not Allowed", headers=((b"allow", ", ".join(allowed).encode()),))
    raise Failure(404, f"There are {', '.join(f'{method} {path}' for method, path in ROUTES)}")


def _match(pattern: list[str], segments: list[str]) -> list[Any] | None:
    """Return the values of the pattern's placeholders, or None when the path does not match."""
    if len(pattern) != len(segments):
        return None
    arguments: list[Any] = []
    for part, segment in zip(pattern, segments, strict=True):
        if part == "<id>" and segment.isascii() and segment.isdecimal() and len(segment) <= LONGEST_ID:
            arguments.append(int(segment))
        elif part == "<name>":
            arguments.append(segment)
        elif part != segment:
            return None
    return arguments


def _fields(request: Request) -> dict[str, Any]:
    """Return the JSON object in the body. An empty body counts as an empty object.

    Raises Failure (400) for any other body.
    """
    if not request.body.strip():
        return {}
    fields = read_json(request.body)
    if not isinstance(fields, dict):
        raise Failure(400, "The body must be a JSON object")
    return fields
