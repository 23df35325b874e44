"""The control over HTTP: routes, the guard against web pages, the envelope."""

from collections.abc import Callable
from typing import Any

from awning_harness.service.asgi import Receive, Request, Scope, Send, read_request, send_answer
from awning_harness.service.assumptions import UnknownAnswer
from awning_harness.service.control import disorder, knowledge, resellers, time, world
from awning_harness.service.envelope import Answer, Failure, read_json, refusal, success
from awning_harness.service.origins import refuse_other_origins
from awning_harness.service.service import Service

LONGEST_ID = 15
Handler = Callable[..., dict[str, Any]]

ROUTES: dict[tuple[str, str], Handler] = {
    ("POST", "reset"): world.reset,
    ("POST", "websites"): world.add_website,
    ("POST", "websites/<id>/purge"): world.purge_website,
    ("POST", "apps"): world.add_app,
    ("PUT", "apps/<id>"): world.resubmit_app,
    ("POST", "instances"): world.add_instance,
    ("POST", "resellers"): resellers.add_reseller,
    ("PATCH", "resellers/<id>"): resellers.change_reseller,
    ("PATCH", "resellers/<id>/websites/<id>"): resellers.change_website,
    ("POST", "resellers/<id>/spend"): resellers.spend,
    ("GET", "clock"): time.show_clock,
    ("PUT", "clock"): time.set_clock,
    ("GET", "faults"): disorder.show_faults,
    ("PUT", "faults"): disorder.set_faults,
    ("GET", "requests"): knowledge.show_requests,
    ("GET", "assumptions"): knowledge.show_assumptions,
    ("PUT", "assumptions"): knowledge.take_assumption_set,
    ("PUT", "assumptions/<name>"): knowledge.set_assumption,
}
"""`<id>` is a whole number, `<name>` any text; both are given to the handler after the body's fields."""


class ControlApi:
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
        """Answer one request. Raises a Failure."""
        refuse_web_pages(request)
        handler, arguments = find_handler(request.method, request.path)
        if request.method != "GET":
            given = read_json(request.body) if handler is disorder.set_faults else _fields(request)
            arguments = [given, *arguments]
        try:
            return success(handler(self._service, *arguments))
        except LookupError as error:
            raise Failure(404, str(error)) from error
        except UnknownAnswer as error:
            raise Failure(400, str(error)) from error
        except ValueError as error:
            raise Failure(400, str(error)) from error


def refuse_web_pages(request: Request) -> None:
    """Raise a Failure (403, 415) for what a page of another origin could have sent."""
    refuse_other_origins(request)
    if request.method == "GET":
        return
    content_type = (request.header(b"content-type") or "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise Failure(415, "Send Content-Type: application/json")


def find_handler(method: str, path: str) -> tuple[Handler, list[Any]]:
    """The handler of a call and what stood in its path. Raises a Failure (404, 405)."""
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
    """What stands in the pattern's places, or None when the path is another one."""
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
    """The body's object; no body is an empty one."""
    if not request.body.strip():
        return {}
    fields = read_json(request.body)
    if not isinstance(fields, dict):
        raise Failure(400, "The body must be a JSON object")
    return fields
