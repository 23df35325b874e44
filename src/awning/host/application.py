"""The ASGI application: routes, and the way in for an app that adds its own.

from awning.host import Hooks, application, from_environ
app = application(from_environ(os.environ), hooks=Hooks(on_installed=welcome))
"""

import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from awning.client.async_client import Sender
from awning.errors import AwningError, DatabaseUnusable
from awning.host.guard import LEFT, Guard
from awning.host.health import Health
from awning.host.hooks import Hooks
from awning.host.host import Host
from awning.host.languages import spoken
from awning.host.log import LOG, hide_queries
from awning.host.pages import RETRY_AFTER_S, Pages
from awning.host.settings import Settings, from_environ
from awning.host.settings_page import SettingsPage
from awning.host.visits import Visits

LOG_LINE = "%(asctime)s %(levelname)s %(message)s"


def application(
    settings: Settings,
    *,
    hooks: Hooks | None = None,
    routes: Sequence[BaseRoute] = (),
    send: Sender | None = None,
    clock: Callable[[], float] = time.time,
) -> ASGIApp:
    """The app's server. `routes` are the app's own Starlette routes, below the public URL's path, after ours.

    `send` puts the calls of the Apps API on another transport, `clock` tells another time: both are for tests. Raises
    Faulty or ConfigurationError where the build or the state directory cannot be used.
    """
    hide_queries()
    host = Host(settings, hooks=hooks, send=send, clock=clock)
    host.current.release()
    app = _routed(host, routes)
    return Guard(app, settings)


def from_environment() -> ASGIApp:
    """For process managers: `uvicorn --factory awning.host:from_environment`, configured by AWNING_* alone."""
    logging.basicConfig(level=logging.INFO, format=LOG_LINE)  # nothing where a log is set up already
    return application(from_environ(os.environ))


def _routed(host: Host, own: Sequence[BaseRoute]) -> Starlette:
    prefix = host.settings.prefix
    pages = Pages(prefix)
    health = Health(host)
    visits, page = Visits(host, pages), SettingsPage(host, pages)

    async def style(_request: Request) -> Response:
        return pages.stylesheet()

    async def healthy(_request: Request) -> Response:
        return await _health(health)

    async def not_found(request: Request, _error: Exception) -> Response:
        return pages.message("not-found", language=_spoken(request), status=HTTPStatus.NOT_FOUND)

    async def not_allowed(request: Request, _error: Exception) -> Response:
        return pages.message("not-found", language=_spoken(request), status=HTTPStatus.METHOD_NOT_ALLOWED)

    async def unusable(request: Request, error: Exception) -> Response:
        return _unusable(pages, request, error)

    async def left(_request: Request, _error: Exception) -> Response:
        """The client is gone: nobody reads this, and the log has its line."""
        return Response(status_code=LEFT)

    async def broken(request: Request, _error: Exception) -> Response:
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        return pages.message("broken", language=_spoken(request), status=status, again=True)

    async def faulty(request: Request, error: Exception) -> Response:
        """Something of ours that can be named, such as a build that is half there: a line, no traceback."""
        LOG.error("%s", error)
        return await broken(request, error)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await host.close()

    app = Starlette(
        routes=[
            *(_visit(f"{prefix}/install{end}", visits.install) for end in ("", "/")),
            *(_visit(f"{prefix}/settings{end}", visits.settings) for end in ("", "/")),
            Route(prefix + "/settings/{session}/", page.show, methods=["GET"]),
            Route(prefix + "/settings/{session}/", page.save, methods=["POST"]),
            Route(prefix + "/settings/{session}/uninstall", page.uninstall, methods=["POST"]),
            Route(f"{prefix}/style.css", style, methods=["GET"]),
            *(Route(path, healthy, methods=["GET"]) for path in {"/healthz", f"{prefix}/healthz"}),
            *own,
        ],
        exception_handlers={
            404: not_found,
            405: not_allowed,
            ClientDisconnect: left,
            DatabaseUnusable: unusable,
            AwningError: faulty,
            500: broken,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _visit(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """What a visit does is done once: a program that only asks for the headers (HEAD) brings nothing about."""
    route = Route(path, endpoint, methods=["GET"])
    route.methods = {"GET"}
    return route


def _spoken(request: Request) -> str:
    return spoken(request.headers.get("accept-language", ""))


def _unusable(pages: Pages, request: Request, error: Exception) -> Response:
    """Our database is away. What was posted is not shown: nobody could look up whether it may be."""
    LOG.error("%s", error)
    code = "not-kept" if request.method == "POST" else "no-database"
    return pages.message(
        code, language=_spoken(request), status=HTTPStatus.SERVICE_UNAVAILABLE, again=request.method != "POST"
    )


async def _health(health: Health) -> Response:
    if await health.is_good():
        return JSONResponse({"status": "ok"})
    retry = {"Retry-After": str(RETRY_AFTER_S)}
    return JSONResponse({"status": "failing"}, HTTPStatus.SERVICE_UNAVAILABLE, retry)
