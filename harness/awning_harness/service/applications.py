"""What the simulated service's Starlette applications share: exceptions become responses, bodies have a limit.

Every response is in the envelope of the called API, also for an unknown address or a bug. A bug is reported on stderr
with its place and type and with the request's method and path. The exception's message and the rest of the request are
left out, because they may hold a secret.
"""

import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from typing import TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, ExceptionHandler

from awning.errors import DatabaseUnusable
from awning_harness.path_numbers import accept_numbers
from awning_harness.service.envelope import Failure, failure_response
from awning_harness.service.log import loggable_path

LARGEST_BODY = 8 * 1024 * 1024
CLIENT_LEFT = 499
T = TypeVar("T")
Handler = Callable[..., T]
ToResponse = Callable[[Request, Failure], Response]


def respond_in_envelope(_request: Request, failure: Failure) -> Response:
    return failure_response(failure)


def routes_of(
    table: Mapping[str, Mapping[str, Handler[T]]],
    respond: Callable[[Mapping[str, Handler[T]], Request], Awaitable[Response]],
) -> list[Route]:
    """Return the routes of a table of handlers by path and method. The final slash of a path may be left out.

    `respond` gets the handlers of the path by method, and the request.
    """
    accept_numbers()
    return [
        Route(path, partial(respond, by_method), methods=[*by_method])
        for full, by_method in table.items()
        for path in dict.fromkeys((full, full.rstrip("/") or full))
    ]


def service_application(
    routes: Sequence[BaseRoute] = (),
    to_response: ToResponse = respond_in_envelope,
    *,
    default: ASGIApp | None = None,
    statuses: Mapping[type[Exception], int] = MappingProxyType({}),
    unknown: str = HTTPStatus.NOT_FOUND.phrase,
) -> Starlette:
    """Return the application of `routes`. `default` gets all other requests; without it, they get a 404.

    `to_response` makes the response to a failed request. `statuses` has the exceptions whose message the client gets,
    with their status. `unknown` is the message of a 404.
    """

    async def refuse(request: Request, error: Exception) -> Response:
        return to_response(request, _failure_of(error, statuses, unknown))

    async def unusable(request: Request, error: Exception) -> Response:
        sys.stderr.write(f"awning: {error}\n  hint: {getattr(error, 'hint', None)}\n")
        return to_response(request, Failure(503, "The service cannot use its state at the moment"))

    async def client_left(_request: Request, _error: Exception) -> Response:
        """Return a response for a client that has left before its whole request arrived. It is not sent."""
        return Response(status_code=CLIENT_LEFT)

    async def bug(request: Request, error: Exception) -> Response:
        report_bug(error, f"{request.method[:16]} {loggable_path(request.scope['path'])}")
        return to_response(request, Failure(500, HTTPStatus.INTERNAL_SERVER_ERROR.phrase))

    handlers: dict[type[Exception], ExceptionHandler] = {
        **dict.fromkeys((HTTPException, Failure, *statuses), refuse),
        DatabaseUnusable: unusable,
        ClientDisconnect: client_left,
        Exception: bug,
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    if default is not None:
        app.router.default = default
    return app


def _failure_of(error: Exception, statuses: Mapping[type[Exception], int], unknown: str) -> Failure:
    if isinstance(error, Failure):
        return error
    if isinstance(error, HTTPException):
        message = unknown if error.status_code == HTTPStatus.NOT_FOUND else error.detail
        return Failure(error.status_code, message, headers=error.headers)
    status = next(status for kind, status in statuses.items() if isinstance(error, kind))
    return Failure(status, str(error))


def report_bug(error: Exception, what: str) -> None:
    """Write the type of `error` and where it happened to stderr, but not its message."""
    where = "".join(traceback.format_tb(error.__traceback__))
    sys.stderr.write(f"awning: {what} failed with {type(error).__name__}; please report it\n{where}")


async def read_body(request: Request) -> bytes:
    """Return the whole body.

    Raises Failure (413) when it exceeds LARGEST_BODY, and ClientDisconnect when the client leaves before its end.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            raise Failure(413, "Request body too large")
    return bytes(body)
